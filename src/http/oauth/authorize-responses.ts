import { AppError } from '../../errors.ts'
import { AuthorizationRefusal, OAuthError, type ReturnAddress } from '../../oauth/errors.ts'
import type { Runtime } from '../../runtime.ts'
import { errorResponse, json, knownError, type Refuse } from '../core/exchange.ts'
import { page, pagePolicy, seeOther } from '../portal/pages/portal.ts'
import { refusalPage } from './consent-page.ts'

/**
 * Renders errors of the authorization endpoint: as a redirect to the app where that is safe, else as a page, or as JSON
 * for a program that asks for JSON.
 */
export const authorizeRefusal: Refuse = (runtime, error, { request, request_id }) => {
  if (error instanceof AuthorizationRefusal)
    return redirectToApp(runtime, error.back, { error: error.error, error_description: error.description })
  const accept = request.headers.get('accept') ?? ''
  const asJson = accept.includes('application/json') && !accept.includes('text/html')
  if (error instanceof OAuthError) {
    const { status, description } = error
    return asJson
      ? json(status, { error: error.error, error_description: description })
      : page(status, refusalPage(description))
  }
  const answer = errorResponse(runtime, error, request_id, 'platform')
  if (asJson) return answer
  const { code, message, headers } = knownError(error)
  const sentence = code === 'INTERNAL' ? `Something went wrong. It was logged as ${request_id}.` : message
  return page(answer.status, refusalPage(sentence), headers)
}

export const refuseMethod: Refuse = (runtime, _, exchange) =>
  authorizeRefusal(
    runtime,
    new AppError('METHOD_NOT_ALLOWED', 'Open this address with GET or POST.', { headers: { Allow: 'GET, POST' } }),
    exchange,
  )

/** Redirects to the app with an answer (RFC 6749, 4.1.2) and the issuer (RFC 9207), keeping the address's own query. */
export function redirectToApp(
  { base_url }: Pick<Runtime, 'base_url'>,
  { redirect_uri, state }: ReturnAddress,
  answer: Record<string, string>,
): Response {
  const query = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: base_url })
  return seeOther(`${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query.toString()}`, {
    'Referrer-Policy': 'no-referrer',
  })
}

/** The policy of a page whose form finally redirects to an app: browsers apply `form-action` to that redirect too. */
export function formPolicy(redirect_uri: string): Record<string, string> {
  return { 'Content-Security-Policy': pagePolicy(`'self' ${cspSource(redirect_uri)}`) }
}

/** The origin of an address, or only its scheme where CSP cannot express the host (an app's own scheme, IPv6). */
function cspSource(address: string): string {
  const { protocol, origin, hostname } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
