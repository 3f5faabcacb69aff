import { AppError } from '../../../errors.ts'
import type { Runtime } from '../../../runtime.ts'
import { errorResponse, knownError, type Refuse } from '../../core/exchange.ts'
import { textResponse } from '../../core/large-body.ts'
import type { Markup } from '../../core/markup.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import type { PublicContext, RespondContext } from '../../core/route.ts'
import { noticePage } from './pages.ts'

/** Helpers that the page routes of the portal share. */

export const START = `${PORTAL_PATH}/`

/** The request of a page for signed-in users. */
export type PageContext = RespondContext<'session', undefined>
/** The request of a page for anyone. */
export type PublicPageContext = PublicContext

/**
 * The login page, with the way back to `from` (docs/api/platform.md#login).
 *
 * @param always asks a signed-in user for the password, too
 */
export function loginAddress(from: URL, always = false): string {
  const back = encodeURIComponent(from.pathname + from.search)
  return `${PORTAL_PATH}/login?return=${back}${always ? '&prompt=login' : ''}`
}

/** The address of a page of the sign-in that leads to another path of the service afterwards. */
export function withWay(page: 'login' | 'reset', way: string): string {
  return `${PORTAL_PATH}/${page}${way === START ? '' : `?return=${encodeURIComponent(way)}`}`
}

/** A path on this service, or the portal's start for anything that could lead elsewhere. */
export function safeReturn(path: string | null): string {
  if (path === null || !/^\/(?![/\\])[^\u0000-\u001F\u007F]*$/.test(path)) return START
  const url = URL.parse(path, 'http://here.invalid')
  const plain = url ? url.pathname + url.search + url.hash : ''
  return url?.host === 'here.invalid' && !plain.startsWith('//') ? plain : START
}

/** Headers of a page whose address contains a secret token. */
export const TOKEN_PAGE = { 'Referrer-Policy': 'no-referrer' }

/** Renders an error as a page. Without a session the user signs in first and comes back. */
const pageRefusal: Refuse = (runtime, error, { request, request_id }) => {
  const url = URL.parse(request.url, runtime.base_url)
  if (url && error instanceof AppError && error.code === 'UNAUTHORIZED') return seeOther(loginAddress(url))
  return errorPage(runtime, error, request_id)
}

function errorPage(runtime: Runtime, error: unknown, request_id: string): Response {
  const { status } = errorResponse(runtime, error, request_id, 'platform')
  const { code, message, headers } = knownError(error)
  const sentence = code === 'INTERNAL' ? `It was logged as ${request_id}.` : message
  const title = status === 404 ? 'This link does not work' : status < 500 ? 'This did not work' : 'Something went wrong'
  return page(status, noticePage(title, sentence), headers)
}

/** Properties of the declaration of every page route. */
export const PAGE = { response: 'page', refuse: pageRefusal } as const

/** The content security policy of a page; `form_action` is where its forms may lead, redirects included. */
export function pagePolicy(form_action: string): string {
  return `default-src 'self'; object-src 'none'; base-uri 'none'; form-action ${form_action}; frame-ancestors 'none'`
}

export function page(status: number, markup: Markup, headers: Record<string, string> = {}): Response {
  return textResponse(markup.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy("'self'"),
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}
