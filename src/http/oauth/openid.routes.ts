import { cookieIn, cookieName } from '../../access/session.ts'
import { userOfIdentity } from '../../accounts/identities.ts'
import type { OpenIdAttempt, OpenIdProvider } from '../../accounts/openid.ts'
import { anyPasskey } from '../../accounts/passkeys.ts'
import { signInAs } from '../../accounts/sign-in.ts'
import { throttleAddress } from '../../accounts/throttle.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import { isInvitedToTeam } from '../../developer/team-invitations.ts'
import { isInvited } from '../../projects/invitations.ts'
import type { Runtime } from '../../runtime.ts'
import { type Exchange, withCookies } from '../core/exchange.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { type PublicContext, type Route, route } from '../core/route.ts'
import { sessionCookies } from '../core/session-cookie.ts'
import { codePage, loginPage } from '../portal/pages/login-pages.ts'
import { PAGE, page, safeReturn, seeOther, START } from '../portal/pages/portal.ts'
import { visitOf } from '../portal/account/sign-in.ts'

const OPENID_PATH = `${PORTAL_PATH}/openid`
const CALLBACK_PATH = `${OPENID_PATH}/callback`
const COOKIE = 'masthead_openid'
/** How long a sign-in at the provider may take. */
const ATTEMPT_S = 600

/** A sign-in in progress. The browser stores it encrypted in a cookie, so it can be neither read nor forged. */
interface Attempt extends OpenIdAttempt {
  return_path: string
  expires_at: number
}

/** Sign-in with an OpenID Connect provider (docs/api/platform.md#login). */
export function openIdRoutes(provider: OpenIdProvider): Route[] {
  return [
    route({
      ...PAGE,
      method: 'GET',
      path: OPENID_PATH,
      summary: 'Starts a sign-in with the OpenID Connect provider.',
      auth: 'public',
      respond: (context) => start(context, provider),
    }),
    route({
      ...PAGE,
      method: 'GET',
      path: CALLBACK_PATH,
      summary: 'Completes a sign-in with the OpenID Connect provider.',
      auth: 'public',
      respond: (context) => complete(context, provider),
    }),
  ]
}

/** Redirects to the provider; `return` names the page to show afterwards. */
async function start(context: PublicContext, provider: OpenIdProvider): Promise<Response> {
  const { url, now, base_url, keys, log } = context
  await throttleLogin(context)
  const return_path = safeReturn(url.searchParams.get('return'))
  try {
    const { address, attempt } = await provider.begin(base_url + CALLBACK_PATH)
    const stored: Attempt = { ...attempt, return_path, expires_at: now + ATTEMPT_S * 1000 }
    const sealed = keys.seal('sign-in', JSON.stringify(stored), COOKIE)
    return seeOther(address, { 'Set-Cookie': attemptCookie(context, sealed, ATTEMPT_S) })
  } catch (error) {
    log.warn('the OpenID Connect provider is unreachable', errorFields(error))
    const refusal = `${provider.label} does not answer. Try again in a moment.`
    const passkeys = await anyPasskey(context.db)
    return page(503, loginPage({ back: return_path, refusal, provider: provider.label, passkeys, service: context }))
  }
}

/** Whether somebody whom the provider knows gets an account (docs/api/platform.md#sign-up). */
function mayJoin({ config, now }: PublicContext): Parameters<typeof userOfIdentity>[2] {
  return async (db, email) =>
    config.sign_up === 'open' ||
    (config.sign_up === 'invited' && ((await isInvited(db, email, now)) || (await isInvitedToTeam(db, email, now))))
}

/** Signs in after the provider redirected back. It works once, in the browser that started the attempt. */
async function complete(context: PublicContext, provider: OpenIdProvider): Promise<Response> {
  const { url, now, base_url, store, log, request_id } = context
  await throttleLogin(context)
  const ended = { 'Set-Cookie': attemptCookie(context, '', 0) }
  const attempt = readAttempt(context, context)
  const refuse = async (status: number, refusal: string) => {
    const [back, passkeys] = [attempt?.return_path ?? START, await anyPasskey(context.db)]
    return page(status, loginPage({ back, refusal, provider: provider.label, passkeys, service: context }), ended)
  }
  if (!attempt) return refuse(400, 'This sign-in was started in another browser or has expired. Try again.')
  if (url.searchParams.get('error') === 'access_denied') return refuse(403, `${provider.label} did not sign you in.`)
  let identity
  try {
    identity = await provider.finish(base_url + CALLBACK_PATH, url.search, attempt)
  } catch (error) {
    log.warn('an OpenID Connect sign-in failed', { request_id, ...errorFields(error) })
    return refuse(400, `Signing in with ${provider.label} failed. Try again.`)
  }
  try {
    const outcome = await store.write(async (tx) => {
      const user = await userOfIdentity(tx, identity, mayJoin(context), now)
      return signInAs(tx, context, { ...visitOf(context), user }, now)
    })
    if ('ticket' in outcome) return page(200, codePage({ back: attempt.return_path, ticket: outcome.ticket }), ended)
    context.wake('mail')
    return withCookies(seeOther(attempt.return_path, ended), sessionCookies(context, outcome.session))
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') return refuse(403, error.message)
    throw error
  }
}

function throttleLogin({ limiter, address, config }: PublicContext): Promise<void> {
  return throttleAddress(limiter, 'login', address, config.logins_per_minute)
}

/** The attempt in the request's cookie; null when it is missing, forged or expired. */
function readAttempt({ keys, base_url }: Runtime, { request, now }: Exchange): Attempt | null {
  const sealed = cookieIn(base_url, request.headers.get('cookie'), COOKIE)
  const text = sealed ? keys.unseal('sign-in', sealed, COOKIE) : null
  const attempt = text === null ? null : (JSON.parse(text) as Attempt)
  return attempt && attempt.expires_at > now ? attempt : null
}

/**
 * SameSite=Lax, because the browser returns from another site. On https the prefix `__Host-`, which keeps other hosts
 * from planting an attempt of their own, needs the path `/`.
 */
function attemptCookie({ base_url }: Runtime, value: string, max_age: number): string {
  const [path, secure] = base_url.startsWith('https:') ? ['/', '; Secure'] : [OPENID_PATH, '']
  return `${cookieName(base_url, COOKIE)}=${value}; Path=${path}; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure}`
}
