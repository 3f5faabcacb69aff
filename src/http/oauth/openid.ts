import { userOfIdentity } from '../../accounts/identities.ts'
import type { OpenIdAttempt, OpenIdProvider } from '../../accounts/openid.ts'
import { beginSession } from '../../accounts/sign-in.ts'
import { throttleAddress } from '../../accounts/throttle.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import { isInvited } from '../../projects/invitations.ts'
import type { Runtime } from '../../runtime.ts'
import { visitOf } from '../portal/sign-in.ts'
import type { Exchange, Handler } from '../core/exchange.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { asPages, page, safeReturn, seeOther, START } from '../portal/portal.ts'
import { loginPage } from '../portal/pages.ts'
import { sessionCookie } from '../core/session-cookie.ts'

export const OPENID_PATH = `${PORTAL_PATH}/openid`
const CALLBACK_PATH = `${OPENID_PATH}/callback`
const COOKIE = 'masthead_openid'
/** How long somebody may take at the provider. */
const ATTEMPT_S = 600

/** What the browser keeps while it is at the provider: sealed, so neither it nor anybody else makes one up. */
interface Kept extends OpenIdAttempt {
  back: string
  until: number
}

/** `GET /portal/openid?return=PATH`: off to the provider. */
export function openIdStart(runtime: Runtime, limiter: RateLimiter, provider: OpenIdProvider): Handler {
  return asPages(runtime, async ({ url, address: from, now }) => {
    await throttleAddress(limiter, 'login', from, runtime.config.logins_per_minute)
    const back = safeReturn(url.searchParams.get('return'))
    try {
      const { address, attempt } = await provider.begin(runtime.base_url + CALLBACK_PATH)
      const kept: Kept = { ...attempt, back, until: now + ATTEMPT_S * 1000 }
      return seeOther(address, {
        'Set-Cookie': attemptCookie(runtime, runtime.keys.seal('sign-in', JSON.stringify(kept), COOKIE), ATTEMPT_S),
      })
    } catch (error) {
      runtime.log.warn('the OpenID Connect provider could not be asked', errorFields(error))
      return page(
        runtime,
        503,
        loginPage({
          back,
          refusal: `${provider.label} does not answer. Try again in a moment.`,
          provider: provider.label,
        }),
      )
    }
  })
}

/** `GET /portal/openid/callback`: back from the provider, in the browser that went there, once. */
export function openIdCallback(runtime: Runtime, limiter: RateLimiter, provider: OpenIdProvider): Handler {
  return asPages(runtime, async (exchange) => {
    await throttleAddress(limiter, 'login', exchange.address, runtime.config.logins_per_minute)
    const done = { 'Set-Cookie': attemptCookie(runtime, '', 0) }
    const kept = keptAttempt(runtime, exchange)
    const refuse = (status: number, refusal: string) =>
      page(runtime, status, loginPage({ back: kept?.back ?? START, refusal, provider: provider.label }), done)
    if (!kept) return refuse(400, 'This was begun in another browser, or too long ago. Try again.')
    if (exchange.url.searchParams.get('error') === 'access_denied')
      return refuse(403, `${provider.label} did not sign you in.`)
    let identity
    try {
      identity = await provider.finish(runtime.base_url + CALLBACK_PATH, exchange.url.search, kept)
    } catch (error) {
      runtime.log.warn('an OpenID Connect sign-in did not succeed', {
        request_id: exchange.request_id,
        ...errorFields(error),
      })
      return refuse(400, `Signing in with ${provider.label} did not succeed. Try again.`)
    }
    try {
      const token = await runtime.store.write(async (tx) => {
        const user = await userOfIdentity(tx, identity, (db, email) => isInvited(db, email, exchange.now), exchange.now)
        return beginSession(tx, runtime, user.id, visitOf(exchange), exchange.now)
      })
      const answer = seeOther(kept.back, done)
      answer.headers.append('Set-Cookie', sessionCookie(runtime, token))
      return answer
    } catch (error) {
      if (error instanceof AppError && error.code === 'FORBIDDEN') return refuse(403, error.message)
      throw error
    }
  })
}

function keptAttempt(runtime: Runtime, { request, now }: Exchange): Kept | null {
  const sealed = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(COOKIE)
  const text = sealed ? runtime.keys.open('sign-in', sealed, COOKIE) : null
  const kept = text === null ? null : (JSON.parse(text) as Kept)
  return kept && kept.until > now ? kept : null
}

/** Lax, for the browser comes back from another site; sent to these two routes alone. */
function attemptCookie({ base_url }: Runtime, value: string, max_age: number): string {
  const secure = base_url.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${value}; Path=${OPENID_PATH}; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure}`
}
