import type { SessionCaller } from '../../../access/caller.ts'
import { findSession } from '../../../access/session.ts'
import { beginSession } from '../../../accounts/sign-in.ts'
import { requireSignUp } from '../../../accounts/sign-up.ts'
import { throttleAddress } from '../../../accounts/throttle.ts'
import { findUser, getUser, insertUser, prepareUser } from '../../../accounts/users.ts'
import { AppError, type Flaw } from '../../../errors.ts'
import { readForm } from '../../core/body.ts'
import { withCookies } from '../../core/exchange.ts'
import { requireOwnForm, requireOwnOrigin } from '../../core/origin.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import { type Route, route } from '../../core/route.ts'
import { sessionCookies } from '../../core/session-cookie.ts'
import { invitationPage } from './account-pages.ts'
import { getOffer, type Offer } from '../offers.ts'
import type { FormValues } from './pages.ts'
import { loginAddress, PAGE, page, type PublicPageContext, seeOther, START, TOKEN_PAGE } from './portal.ts'
import { signOutTicket, visitOf } from '../account/sign-in.ts'

const PATH = `${PORTAL_PATH}/invitation` as const

/**
 * Where the message of an invitation leads (docs/api/platform.md#invitations).
 *
 * @param provider the name of the OpenID Connect provider, or null without one
 */
export function invitationRoutes(provider: string | null): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'Shows an invitation by its `token`.',
      auth: 'public',
      ...PAGE,
      async respond(context) {
        const token = context.url.searchParams.get('token') ?? ''
        const invitation = await getOffer(context.db, { token }, context.now)
        return show(context, 200, { invitation, token, provider, values: {}, flaws: [] })
      },
    }),
    route({
      method: 'POST',
      path: PATH,
      summary: 'Joins the project: by a signed-in user with the address, or by a new account with the token.',
      auth: 'public',
      ...PAGE,
      respond: (context) => accept(context, provider),
    }),
  ]
}

/** The token of the message proves the address, so with it a new user can create an account. */
async function accept(context: PublicPageContext, provider: string | null): Promise<Response> {
  const { request, db, store, base_url, now } = context
  const values = await readForm(context)
  const { token, id = '' } = values
  if (token === undefined) requireOwnOrigin(context, request)
  else requireOwnForm(context, request)
  const invitation = await getOffer(db, token === undefined ? { id } : { token }, now)
  const caller = await sessionOf(context)
  if (caller) {
    const user = await getUser(db, caller.user_id)
    await store.write((tx) => invitation.accept(tx, user, now))
    return seeOther(invitation.leads_to)
  }
  if (token === undefined) return seeOther(loginAddress(new URL(START, base_url)))
  if (await findUser(db, invitation.email)) return seeOther(loginAddress(new URL(addressOf(token), base_url)))
  return joinWithNewAccount(context, { invitation, token, provider, values, flaws: [] })
}

interface Shown {
  invitation: Offer
  token: string
  provider: string | null
  values: FormValues
  flaws: Flaw[]
}

async function joinWithNewAccount(context: PublicPageContext, shown: Shown): Promise<Response> {
  const { password = '', first_name = '', last_name = '' } = shown.values
  const { store, now, limiter, address, config } = context
  requireSignUp(config)
  // An invitation that cannot be accepted, such as to a full team, stays and would let anyone have passwords hashed.
  await throttleAddress(limiter, 'sign-up', address, config.logins_per_minute)
  try {
    const prepared = await prepareUser({ email: shown.invitation.email, password, first_name, last_name })
    const session = await store.write(async (tx) => {
      const user = await insertUser(tx, prepared, now)
      await shown.invitation.accept(tx, user, now)
      return beginSession(tx, context, { ...visitOf(context), user_id: user.id }, now)
    })
    return withCookies(seeOther(shown.invitation.leads_to), sessionCookies(context, session))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error
    return show(context, 400, { ...shown, flaws: error.details as Flaw[] })
  }
}

async function show(context: PublicPageContext, status: number, shown: Shown): Promise<Response> {
  const caller = await sessionOf(context)
  const user = caller && (await getUser(context.db, caller.user_id))
  const account = await findUser(context.db, shown.invitation.email)
  const view = {
    ...shown,
    address: addressOf(shown.token),
    email: user?.email ?? null,
    sign_out: caller ? signOutTicket(context.keys, caller.session_hash) : '',
    is_theirs: user !== null && user.id === account?.id,
    has_account: account !== null,
    may_sign_up: context.config.sign_up !== 'closed',
  }
  return page(status, invitationPage(view), TOKEN_PAGE)
}

function sessionOf(context: PublicPageContext): Promise<SessionCaller | null> {
  return findSession(context, context.request.headers.get('cookie'), context.now)
}

function addressOf(token: string): string {
  return `${PATH}?token=${encodeURIComponent(token)}`
}
