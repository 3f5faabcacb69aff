import { sessionHashIn } from '../../access/session.ts'
import { endSession } from '../../accounts/sessions.ts'
import { signIn } from '../../accounts/sign-in.ts'
import type { User } from '../../accounts/users.ts'
import type { Exchange } from '../core/exchange.ts'
import type { PublicContext } from '../core/route.ts'

/** Signs in with what the request says about its origin. Throws UNAUTHORIZED or RATE_LIMITED. */
export function signInFrom(
  context: PublicContext,
  email: string,
  password: string,
): Promise<{ user: User; token: string }> {
  return signIn(context, context.limiter, { email, password, ...visitOf(context) }, context.now)
}

/** Where a sign-in comes from, and the session that the new one replaces. */
export function visitOf({ address, user_agent, request }: Exchange) {
  return { address, user_agent, replaces: sessionHashIn(request.headers.get('cookie')) }
}

/** Ends the session of the request's cookie, if there is one. */
export async function signOutFrom({ store, request }: PublicContext): Promise<void> {
  const hash = sessionHashIn(request.headers.get('cookie'))
  if (hash !== null) await store.write((tx) => endSession(tx, hash))
}
