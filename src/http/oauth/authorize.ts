import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionCaller } from '../../access/caller.ts'
import { findSession } from '../../access/session.ts'
import { endSession } from '../../accounts/sessions.ts'
import { getUser } from '../../accounts/users.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import { type App, findApp, mayAuthorize } from '../../oauth/clients.ts'
import { issueCode } from '../../oauth/codes.ts'
import { connectionsOfUser } from '../../oauth/connected.ts'
import {
  consentTicket,
  grantedScopes,
  makerOf,
  projectChoices,
  scopeReasons,
  useConsentTicket,
} from '../../oauth/consent.ts'
import { AuthorizationRefusal, OAuthError, type ReturnAddress } from '../../oauth/errors.ts'
import { OAUTH_PATHS } from '../../oauth/metadata.ts'
import { changePushed, openPushed, usePushed } from '../../oauth/pushed.ts'
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
  SIGN_IN_ANEW,
  signedInAnew,
  unknownRequestUri,
} from '../../oauth/request.ts'
import { root } from '../../root.ts'
import type { Reader, Tx } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import { readText } from '../core/body.ts'
import { errorResponse, type Exchange, type Handler, json } from '../core/exchange.ts'
import type { Markup } from '../core/markup.ts'
import { consentPage, refusalPage } from './pages.ts'
import { loginAddress } from '../portal/portal.ts'
import { requireOwnOrigin } from '../core/origin.ts'
import { endedSessionCookie } from '../core/session-cookie.ts'
import { API_ROOT } from '../core/paths.ts'

const MAX_BYTES = 256 * 1024

/**
 * `GET|POST /general/oauth/authorize` (RFC 6749, 3.1): the app's request, by either method, and what the consent
 * form sends, which is told by its `decision`. Errors of the request are answered at once, signed in or not.
 */
export function oauthAuthorize(runtime: Runtime): Handler {
  return async (exchange) => {
    try {
      const { method } = exchange.request
      if (method === 'GET' || method === 'HEAD') return await ask(runtime, exchange, exchange.url.searchParams)
      if (method !== 'POST')
        throw new AppError('METHOD_NOT_ALLOWED', 'This address is opened with GET or POST.', {
          headers: { Allow: 'GET, POST' },
        })
      const sent = new URLSearchParams(await readText(exchange.request, MAX_BYTES))
      return sent.has('decision')
        ? await decide(runtime, exchange, sent)
        : await ask(runtime, exchange, new URLSearchParams([...exchange.url.searchParams, ...sent]))
    } catch (error) {
      return refused(runtime, exchange, error)
    }
  }
}

/** The app asks: the person signs in if need be, and is shown what it wants. */
async function ask(runtime: Runtime, exchange: Exchange, params: URLSearchParams): Promise<Response> {
  const { now } = exchange
  const caller = await findSession(runtime, exchange.request.headers.get('cookie'), now)
  const request = await readRequest(runtime, params, caller, now)
  const { app, pushed, link } = request
  return orServerError(runtime, exchange, request, async () => {
    const { db } = runtime.store
    // Where no page comes, nobody signs in on the way: the answer leads to the app's address at once.
    if (caller || request.prompt === 'none') await requireOwnTeam(db, app, caller)
    if (request.prompt === 'none') {
      if (pushed) await runtime.store.write((tx) => useUp(tx, request))
      throw await cannotStayQuiet(runtime, request, caller)
    }
    if (pushed && !pushed.opened) await runtime.store.write((tx) => openPushed(tx, pushed, now))
    if (!caller) return toLogin(runtime, request)
    if (request.prompt === 'login') {
      await runtime.store.write((tx) => endSession(tx, caller.session_hash))
      return toLogin(runtime, request, { 'Set-Cookie': endedSessionCookie(runtime) })
    }
    const [user, choices, reasons, maker, granted] = await Promise.all([
      getUser(db, caller.user_id),
      projectChoices(db, caller.user_id, request.scopes),
      scopeReasons(db, app),
      makerOf(db, app),
      grantedScopes(db, app, caller.user_id),
    ])
    const asked = link.toString()
    const ticket = consentTicket(runtime.keys, caller.session_hash, asked, now)
    const again = addressWith(link, pushed ? { [SIGN_IN_ANEW]: 'true' } : { prompt: 'login' })
    return page(
      runtime,
      200,
      consentPage({ request, user, choices, reasons, maker, granted, asked, ticket, again }),
      request.redirect_uri,
    )
  })
}

/** The person has decided. The request travels with the form and is checked as if it had just come. */
async function decide(runtime: Runtime, exchange: Exchange, sent: URLSearchParams): Promise<Response> {
  requireOwnOrigin(runtime, exchange.request.headers.get('origin'))
  const asked = sent.get('request') ?? ''
  const { now } = exchange
  const caller = await findSession(runtime, exchange.request.headers.get('cookie'), now)
  const request = await readRequest(runtime, new URLSearchParams(asked), caller, now)
  return orServerError(runtime, exchange, request, async () => {
    if (!caller) return toLogin(runtime, request)
    await requireOwnTeam(runtime.store.db, request.app, caller)
    const decision = sent.get('decision')
    const code = await runtime.store.write(async (tx) => {
      if (!(await useConsentTicket(tx, runtime.keys, sent.get('ticket') ?? '', caller.session_hash, asked, now)))
        throw new OAuthError(
          'invalid_request',
          'This form was sent before, or is out of date. Go back to the app and start again.',
        )
      await useUp(tx, request)
      return decision === 'approve' ? approve(tx, request, caller, sent.getAll('project_ids'), now) : null
    })
    if (code === null)
      throw new AuthorizationRefusal(request, 'access_denied', 'The user did not give access to any project.')
    return backToApp(runtime, request, { code })
  })
}

/** The code for those of the ticked projects that this person may give the app; null when there is none. */
async function approve(
  tx: Tx,
  request: AuthorizationRequest,
  caller: SessionCaller,
  ticked: readonly string[],
  now: number,
): Promise<string | null> {
  const choices = await projectChoices(tx, caller.user_id, request.scopes)
  const project_ids = choices
    .filter(({ project, lacks }) => lacks === null && ticked.includes(project.public_id))
    .map(({ project }) => project.id)
  if (project_ids.length === 0) return null
  const { app, redirect_uri, scopes, code_challenge } = request
  return issueCode(
    tx,
    { app_id: app.id, user_id: caller.user_id, redirect_uri, scopes, project_ids, code_challenge },
    now,
  )
}

/** The answer to a pushed request is its end (RFC 9126, 7.3): of two decisions at once, one counts. */
async function useUp(tx: Tx, { pushed }: AuthorizationRequest): Promise<void> {
  if (pushed && !(await usePushed(tx, pushed))) throw unknownRequestUri()
}

async function readRequest(
  runtime: Runtime,
  params: URLSearchParams,
  caller: SessionCaller | null,
  now: number,
): Promise<AuthorizationRequest> {
  try {
    return await readAuthorizationRequest(runtime.store.db, params, runtime.base_url + API_ROOT, now)
  } catch (error) {
    await keepStrangersHere(runtime.store.db, params, caller, error)
    throw error
  }
}

/** What goes wrong inside, once it is known where the app is, is told to the app (RFC 6749, 4.1.2.1). */
async function orServerError(
  runtime: Runtime,
  exchange: Exchange,
  back: ReturnAddress,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthorizationRefusal || error instanceof OAuthError || error instanceof AppError) throw error
    runtime.log.error('request failed', { request_id: exchange.request_id, ...errorFields(error) })
    throw new AuthorizationRefusal(back, 'server_error', 'Something went wrong. It was logged with the request id.')
  }
}

/** `prompt=none` asks for an answer without any page, but the projects are chosen anew each time. */
async function cannotStayQuiet(
  runtime: Runtime,
  request: AuthorizationRequest,
  caller: SessionCaller | null,
): Promise<AuthorizationRefusal> {
  if (!caller) return new AuthorizationRefusal(request, 'login_required', 'The user is not signed in.')
  const connections = await connectionsOfUser(runtime.store.db, caller.user_id)
  const granted = connections.some(
    ({ app, scope }) => app.id === request.app.id && request.scopes.every((name) => scope.split(' ').includes(name)),
  )
  return granted
    ? new AuthorizationRefusal(request, 'interaction_required', 'The user has to choose the projects.')
    : new AuthorizationRefusal(request, 'consent_required', 'The user has not granted this.')
}

/** No redirect: the app's address may not be trusted yet (details 55). */
async function requireOwnTeam(db: Reader, app: App, caller: SessionCaller | null): Promise<void> {
  if (app.status === 'approved' || (caller && (await mayAuthorize(db, app, caller.user_id)))) return
  throw new AppError('FORBIDDEN', `${app.display_name} is still in development: only its own team can connect it.`)
}

/**
 * An app in development sends nobody but its own team to its address, with an error neither: what nobody has looked at
 * would turn this address into a signpost to anywhere (contract-details 55).
 */
async function keepStrangersHere(
  db: Reader,
  params: URLSearchParams,
  caller: SessionCaller | null,
  error: unknown,
): Promise<void> {
  if (!(error instanceof AuthorizationRefusal)) return
  const app = await findApp(db, params.get('client_id') ?? '')
  if (app) await requireOwnTeam(db, app, caller)
}

/** By way of the login page and back here; `prompt=login` is done with then. */
async function toLogin(
  runtime: Runtime,
  { prompt, pushed, link }: AuthorizationRequest,
  headers: Record<string, string> = {},
): Promise<Response> {
  if (pushed && prompt === 'login')
    await runtime.store.write((tx) => changePushed(tx, pushed, signedInAnew(pushed.params)))
  return seeOther(loginAddress(new URL(addressWith(signedInAnew(link)), runtime.base_url)), headers)
}

function addressWith(params: URLSearchParams, changes: Record<string, string> = {}): string {
  const changed = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) changed.set(name, value)
  return `${OAUTH_PATHS.authorize}?${changed.toString()}`
}

/** RFC 6749, 4.1.2 with the issuer (RFC 9207). What the redirect address has of its own stays as it is. */
function backToApp(runtime: Runtime, { redirect_uri, state }: ReturnAddress, answer: Record<string, string>): Response {
  const query = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: runtime.base_url })
  return seeOther(`${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query.toString()}`, {
    'Referrer-Policy': 'no-referrer',
  })
}

function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}

/** A refusal goes back to the app, or, where that is not safe, is shown: as a page, or as JSON to a program that asks for it. */
function refused(runtime: Runtime, { request, request_id }: Exchange, error: unknown): Response {
  if (error instanceof AuthorizationRefusal)
    return backToApp(runtime, error.back, { error: error.error, error_description: error.description })
  const accept = request.headers.get('accept') ?? ''
  const asJson = accept.includes('application/json') && !accept.includes('text/html')
  if (error instanceof OAuthError) {
    return asJson
      ? json(error.status, { error: error.error, error_description: error.description })
      : page(runtime, error.status, refusalPage('This app cannot be connected', error.description))
  }
  const answer = errorResponse(runtime, error, request_id, 'platform')
  if (asJson) return answer
  const shown =
    error instanceof AppError && answer.status < 500
      ? error.message
      : `Something went wrong. It was logged as ${request_id}.`
  return page(
    runtime,
    answer.status,
    refusalPage('This app cannot be connected', shown),
    undefined,
    error instanceof AppError ? error.headers : {},
  )
}

/** @param target where the form's answer will lead: browsers hold redirects of a form against `form-action`, too */
function page(
  runtime: Runtime,
  status: number,
  markup: Markup,
  target?: string,
  headers: Record<string, string> = {},
): Response {
  const formAction = target === undefined ? "'self'" : `'self' ${cspSource(target)}`
  return new Response(markup.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'self'; object-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
      'Referrer-Policy': 'same-origin', // without a referrer browsers send the form with `Origin: null`
      'Cache-Control': 'no-store',
      ...(runtime.base_url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
      ...headers,
    },
  })
}

/** The origin, or the scheme alone where the policy's grammar knows no such host (an app's own scheme, IPv6). */
function cspSource(address: string): string {
  const { protocol, origin, hostname } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}

/** The style sheet of these pages, beside the portal's. */
export function oauthStyle(): Handler {
  const text = readFileSync(join(root, 'static/oauth/consent.css'), 'utf8')
  const headers = {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'no-cache',
    ETag: `"${Bun.hash(text).toString(36)}"`,
  }
  return ({ request }) =>
    request.headers.get('if-none-match') === headers.ETag
      ? new Response(null, { status: 304, headers })
      : new Response(text, { headers })
}
