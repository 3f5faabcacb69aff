import { sessionHashIn } from '../../../access/session.ts'
import { signOut } from '../../../accounts/sessions.ts'
import type { Browser } from '../../../accounts/sign-in.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Keys } from '../../../secrets.ts'
import type { Exchange } from '../../core/exchange.ts'
import type { PublicContext } from '../../core/route.ts'
import { deviceCookieIn } from '../../core/session-cookie.ts'

/** The browser that a sign-in comes from. */
export function visitOf(context: Exchange & Pick<Runtime, 'base_url'>): Browser {
  const { address, user_agent, request } = context
  const replaces = sessionHashIn(context, request.headers.get('cookie'))
  return { address, user_agent, replaces, device: deviceCookieIn(context, request) }
}

/** Ends the session of the request's cookie, if there is one. */
export async function signOutFrom(context: PublicContext): Promise<void> {
  const hash = sessionHashIn(context, context.request.headers.get('cookie'))
  if (hash !== null) await context.store.write((tx) => signOut(tx, hash))
}

/** What the sign-out of a page without a referrer carries, because its origin is opaque: it is of one session. */
export function signOutTicket(keys: Keys, session_hash: string): string {
  return keys.sign('sign-out', session_hash)
}

/** Whether a ticket belongs to the session of the request's cookie. */
export function isOwnSignOutTicket(context: PublicContext, ticket: string): boolean {
  const signed = context.keys.verify('sign-out', ticket)?.toString()
  return signed !== undefined && signed === sessionHashIn(context, context.request.headers.get('cookie'))
}
