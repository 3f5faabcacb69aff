import { DAY_MS } from '../clock.ts'
import { and, eq, gt, sql } from 'drizzle-orm'
import { note } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { LoopContext, Runtime } from '../runtime.ts'
import { emailKey } from '../address.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first, hasRows } from '../store/rows.ts'
import { account_messages, sign_ups } from '../store/tables/accounts.ts'
import { PORTAL_PATH, portalLink } from './links.ts'
import { hostOf, message, type MessageContent } from './message-templates.ts'
import { type AccountMessage, dropMessage, fillMessage } from './messages.ts'
import { MESSAGES_PER_DAY, messagesOfDay } from './notices.ts'
import { beginSession, type Browser, type SignedIn } from './sign-in.ts'
import { throttle, throttleAddress } from './throttle.ts'
import { findUser, insertUser, prepareUser, requireAddress } from './users.ts'

/**
 * Making an account by oneself (docs/api/platform.md#sign-up). The address proves itself before anything is stored of a
 * person: the request queues a message without content, and its link asks for name and password. The request answers
 * the same for every address.
 */

interface Visit extends Runtime {
  limiter: RateLimiter
  /** The client's address. */
  address: string
  now: number
}

/** FORBIDDEN where nobody can make an account by a link. */
export function requireSignUp({ sign_up }: Pick<Config, 'sign_up'>): void {
  if (sign_up === 'closed')
    throw new AppError('FORBIDDEN', 'New accounts are made by the operator of this service. Ask for one.')
}

/** Asks for a link. VALIDATION_FAILED for no address, FORBIDDEN where sign-up is closed, RATE_LIMITED. */
export async function requestSignUp(context: Visit, given: string): Promise<void> {
  const { config, store, wake, limiter, address, now } = context
  requireSignUp(config)
  const email = requireAddress(given)
  await throttle(limiter, 'sign-up', { address, email }, config.logins_per_minute)
  await store.write((tx) =>
    tx.insert(account_messages).values({
      kind: 'sign_up',
      recipient: email,
      state: 'queued',
      next_attempt_at: now,
      expires_at: now + DAY_MS,
      created_at: now,
    }),
  )
  wake('mail')
}

/** Fills the message of a request: the link, or for an address with an account the way to it. Null: nothing is sent. */
export async function fillSignUpMessage(context: LoopContext, request: AccountMessage): Promise<AccountMessage | null> {
  const { store, keys, clock, base_url, config } = context
  const now = clock.now()
  const email = request.recipient
  const token = newToken('svc_su_')
  return store.write(async (tx) => {
    const user = await findUser(tx, email)
    const isKnown = user !== null
    const may = config.sign_up === 'open' || (config.sign_up === 'invited' && (await isInvitedAnywhere(tx, email, now)))
    const earlier = (await messagesOfDay(tx, 'sign_up', email, now)).filter(({ id }) => id < request.id)
    if ((!isKnown && !may) || earlier.length >= MESSAGES_PER_DAY.sign_up) {
      await dropMessage(tx, request.id)
      return null
    }
    if (isKnown) return fillMessage(tx, keys, request.id, { recipient: user.email, content: knownMessage(base_url) })
    const row = { email, email_key: emailKey(email), created_at: now, expires_at: now + DAY_MS }
    await tx.insert(sign_ups).values({ token_hash: tokenHash(token), ...row })
    const content = linkMessage(base_url, portalLink(base_url, 'sign-up', token))
    return fillMessage(tx, keys, request.id, { recipient: email, content })
  })
}

/** Whether this address has an open invitation to a project or to the team of an app. */
async function isInvitedAnywhere(db: Reader, email: string, now: number): Promise<boolean> {
  const key = emailKey(email)
  return hasRows(
    await db.all(sql`
      SELECT 1 FROM invitations WHERE email_key = ${key} AND expires_at > ${now}
      UNION ALL SELECT 1 FROM app_invitations WHERE email_key = ${key} AND expires_at > ${now} LIMIT 1`),
  )
}

/**
 * The address that a link proves; null for one that is unknown, used or expired. FORBIDDEN where nobody can make an
 * account, unless an operator sent the link.
 */
export async function addressOfSignUp(
  { db, config }: Pick<Runtime, 'config'> & { db: Reader },
  token: string,
  now: number,
): Promise<string | null> {
  const row = first(
    await db
      .select({ email: sign_ups.email, invited_by: sign_ups.invited_by })
      .from(sign_ups)
      .where(and(eq(sign_ups.token_hash, tokenHash(token)), gt(sign_ups.expires_at, now))),
  )
  if (!row?.invited_by) requireSignUp(config)
  return row?.email ?? null
}

interface SignUp {
  token: string
  password: string
  first_name?: string | undefined
  last_name?: string | undefined
}

/**
 * Makes the account of a link and signs in. NOT_FOUND for a link that is unknown, used or expired; VALIDATION_FAILED
 * leaves it usable; CONFLICT when the address got an account meanwhile.
 */
export async function signUp(context: Visit, input: SignUp, browser: Browser): Promise<SignedIn> {
  const { config, limiter, address, store, now } = context
  await throttleAddress(limiter, 'sign-up', address, config.logins_per_minute)
  const email = await addressOfSignUp({ db: store.db, config }, input.token, now)
  if (email === null) throw linkIsGone()
  const { first_name, last_name, password } = input
  const prepared = await prepareUser({ email, password, first_name, last_name })
  const signed_in = await store.write(async (tx) => {
    await useLink(tx, config, input.token, now)
    const user = await insertUser(tx, prepared, now)
    note(tx, { action: 'sign-up', actor: `user:${user.id}`, target: `user:${user.id}` })
    return { user, session: await beginSession(tx, context, { ...browser, user_id: user.id }, now) }
  })
  context.wake('mail')
  return signed_in
}

async function useLink(tx: Tx, config: Config, token: string, now: number): Promise<void> {
  const email = await addressOfSignUp({ db: tx, config }, token, now)
  if (email === null) throw linkIsGone()
  await tx.delete(sign_ups).where(eq(sign_ups.email_key, emailKey(email)))
}

function linkIsGone(): AppError {
  return new AppError('NOT_FOUND', 'This link is unknown, was used or revoked, or is too old.')
}

function linkMessage(base_url: string, link: string): MessageContent {
  return message(base_url, {
    subject: 'Make your account',
    paragraphs: [`Make your account at ${hostOf(base_url)} with this link. It works once, for a day.`],
    link: { label: 'Make the account', address: link },
    closing: 'If it was not you, ignore this message: there is no account without the link.',
  })
}

function knownMessage(base_url: string): MessageContent {
  return message(base_url, {
    subject: 'You have an account already',
    paragraphs: [`Somebody asked for an account at ${hostOf(base_url)} with your address. You have one already.`],
    link: { label: 'Sign in', address: `${base_url}${PORTAL_PATH}/login` },
    closing: `If you forgot your password, ask for a new one: ${base_url}${PORTAL_PATH}/reset`,
  })
}
