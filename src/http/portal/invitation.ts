import { findSession } from '../../access/session.ts'
import { beginSession } from '../../accounts/sign-in.ts'
import { emailKey, findUser, getUser, insertUser, prepareUser, type User } from '../../accounts/users.ts'
import { AppError, type Flaw } from '../../errors.ts'
import { acceptInvitation, getInvitation, type Invitation } from '../../projects/invitations.ts'
import type { Runtime } from '../../runtime.ts'
import { visitOf } from './sign-in.ts'
import type { Exchange, Handler } from '../core/exchange.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { asPages, formValues, loginAddress, page, seeOther, START, TOKEN_PAGE } from './portal.ts'
import { invitationPage } from './account-pages.ts'
import type { FormValues } from './pages.ts'
import { requireOwnForm, requireOwnOrigin } from '../core/origin.ts'
import { sessionCookie } from '../core/session-cookie.ts'

const PATH = `${PORTAL_PATH}/invitation`

/** `GET /portal/invitation?token=…`: where the letter of an invitation leads. */
export function portalInvitation(runtime: Runtime, provider: string | null): Handler {
  return asPages(runtime, async (exchange) => {
    const token = exchange.url.searchParams.get('token') ?? ''
    const invitation = await getInvitation(runtime.store.db, { token }, exchange.now)
    return show(runtime, exchange, { invitation, token, provider }, 200)
  })
}

/**
 * `POST /portal/invitation`: whoever has the invitation's address joins; with the token of the letter, which proves
 * the address, somebody new makes an account.
 */
export function portalInvitationForm(runtime: Runtime, provider: string | null): Handler {
  return asPages(runtime, async (exchange) => {
    const values = await formValues(exchange.request)
    const { token, id = '' } = values
    if (token === undefined) requireOwnOrigin(runtime, exchange.request.headers.get('origin'))
    else requireOwnForm(runtime, exchange.request)
    const invitation = await getInvitation(runtime.store.db, token === undefined ? { id } : { token }, exchange.now)
    const user = await whoIsHere(runtime, exchange)
    if (user) await runtime.store.write((tx) => acceptInvitation(tx, invitation, user, exchange.now))
    else if (token === undefined) return seeOther(loginAddress(new URL(START, runtime.base_url)))
    else if (await findUser(runtime.store.db, emailKey(invitation.email)))
      return seeOther(loginAddress(new URL(addressOf(token), runtime.base_url)))
    else return joinAsNew(runtime, exchange, { invitation, token, provider }, values)
    return seeOther(START)
  })
}

interface Shown {
  invitation: Invitation
  token: string
  provider: string | null
}

async function joinAsNew(runtime: Runtime, exchange: Exchange, shown: Shown, values: FormValues): Promise<Response> {
  const { password = '', first_name = '', last_name = '' } = values
  const { now } = exchange
  try {
    const prepared = await prepareUser({ email: shown.invitation.email, password, first_name, last_name })
    const token = await runtime.store.write(async (tx) => {
      const user = await insertUser(tx, prepared, now)
      await acceptInvitation(tx, shown.invitation, user, now)
      return beginSession(tx, runtime, user.id, visitOf(exchange), now)
    })
    return seeOther(START, { 'Set-Cookie': sessionCookie(runtime, token) })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error
    return show(runtime, exchange, shown, 400, values, error.details as Flaw[])
  }
}

async function show(
  runtime: Runtime,
  exchange: Exchange,
  shown: Shown,
  status: number,
  values: FormValues = {},
  flaws: Flaw[] = [],
): Promise<Response> {
  const { invitation, token } = shown
  const user = await whoIsHere(runtime, exchange)
  const account = await findUser(runtime.store.db, emailKey(invitation.email))
  return page(
    runtime,
    status,
    invitationPage({
      ...shown,
      values,
      flaws,
      address: addressOf(token),
      email: user?.email ?? null,
      is_theirs: user !== null && user.id === account?.id,
      has_account: account !== null,
    }),
    TOKEN_PAGE,
  )
}

async function whoIsHere(runtime: Runtime, { request, now }: Exchange): Promise<User | null> {
  const caller = await findSession(runtime, request.headers.get('cookie'), now)
  return caller && getUser(runtime.store.db, caller.user_id)
}

function addressOf(token: string): string {
  return `${PATH}?token=${encodeURIComponent(token)}`
}
