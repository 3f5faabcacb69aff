import type { ProjectId } from '../../ids.ts'
import { note } from '../../audit/record.ts'
import type { SessionCaller } from '../../access/caller.ts'
import { findSession } from '../../access/session.ts'
import { getUser } from '../../accounts/users.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import { type App, findApp, mayAuthorize } from '../../oauth/clients.ts'
import { issueCode } from '../../oauth/codes.ts'
import { authorizationsOfUser } from '../../oauth/connected.ts'
import {
  consentTicket,
  grantedScopes,
  makerOf,
  presentationOf,
  projectChoices,
  useConsentTicket,
} from '../../oauth/granting.ts'
import { AuthorizationRefusal, OAuthError, type ReturnAddress } from '../../oauth/errors.ts'
import { OAUTH_PATHS } from '../../oauth/metadata.ts'
import { openPushed, usePushed } from '../../oauth/pushed.ts'
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
  SIGN_IN_AGAIN,
  unknownRequestUri,
} from '../../oauth/request.ts'
import type { Keys } from '../../secrets.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { ownPicture } from '../../files/address.ts'
import { readText } from '../core/body.ts'
import { knownError } from '../core/exchange.ts'
import { type PublicContext, route } from '../core/route.ts'
import { loginAddress, page, seeOther } from '../portal/pages/portal.ts'
import { AuthorizationQuery } from './authorization-parameters.ts'
import { authorizeRefusal, formPolicy, redirectToApp, refuseMethod } from './authorize-responses.ts'
import { consentPage } from './consent-page.ts'
import { requireOwnOrigin } from '../core/origin.ts'
import { API_ROOT } from '../core/paths.ts'

const MAX_BYTES = 256 * 1024

const AUTHORIZE = { path: OAUTH_PATHS.authorize, auth: 'public', response: 'page', audit: { rows: 'noted' } } as const
const REFUSE = { refuse: authorizeRefusal, refuse_method: refuseMethod } as const

/** The authorization endpoint (RFC 6749, 3.1; docs/api/oauth.md#authorization-request). */
export const authorizeRoutes = [
  route({
    ...AUTHORIZE,
    ...REFUSE,
    method: 'GET',
    summary:
      'Asks the user, whose browser opens it, to let an app in; it leads back to the app with a code or an error.',
    query: AuthorizationQuery,
    respond: (context) => showRequest(context, context.url.searchParams),
  }),

  // An app may send its request with POST as well. The consent form has a field `decision`.
  route({
    ...AUTHORIZE,
    ...REFUSE,
    method: 'POST',
    summary: 'Receives the decision of the consent page, or an authorization request.',
    async respond(context) {
      const sent = new URLSearchParams(await readText(context, MAX_BYTES))
      return sent.has('decision')
        ? decide(context, sent)
        : showRequest(context, new URLSearchParams([...context.url.searchParams, ...sent]))
    },
  }),
]

/** Shows the consent page for a request, after signing in where necessary. */
async function showRequest(context: PublicContext, params: URLSearchParams): Promise<Response> {
  const { db, store, keys, now } = context
  const caller = await findSession(context, context.request.headers.get('cookie'), now)
  const request = await readRequest(context, params, caller)
  const { app, pushed } = request
  return orServerError(context, request, async () => {
    // With `prompt=none` no page is shown, so the redirect to the app follows at once.
    if (caller || request.prompt === 'none') await requireOwnTeam(db, app, caller)
    if (request.prompt === 'none') {
      if (pushed) await store.write((tx) => consume(tx, request))
      throw await silentRefusal(db, request, caller)
    }
    if (pushed && !pushed.opened) await store.write((tx) => openPushed(tx, pushed, now))
    if (!caller || (request.prompt === 'login' && !signedInSince(keys, params.get(LOGIN_ASKED), caller)))
      return toLogin(context, request, caller)
    return askForConsent(context, request, caller, 200)
  })
}

/** The consent page; with the status 400 it says that no project was chosen. */
async function askForConsent(
  context: PublicContext,
  request: AuthorizationRequest,
  caller: SessionCaller,
  status: 200 | 400,
): Promise<Response> {
  const { db, keys, now, base_url } = context
  const { app, link, pushed } = request
  const [user, choices, presentation, maker, granted] = await Promise.all([
    getUser(db, caller.user_id),
    projectChoices(db, caller.user_id, request.scopes),
    presentationOf(db, app),
    makerOf(db, app),
    grantedScopes(db, app, caller.user_id),
  ])
  const query = link.toString()
  const markup = consentPage({
    ...{ request, user, choices, maker, granted, query, is_none_chosen: status === 400 },
    ...{ reasons: presentation.reasons, icon: ownPicture(base_url, presentation.icon_url) },
    ticket: consentTicket(keys, caller.session_hash, query, now),
    again: addressWith(link, pushed ? { [SIGN_IN_AGAIN]: 'true' } : { prompt: 'login', [LOGIN_ASKED]: null }),
  })
  return page(status, markup, formPolicy(request.redirect_uri))
}

/** Handles the user's decision. The form contains the original request, which is checked again as if it were new. */
async function decide(context: PublicContext, sent: URLSearchParams): Promise<Response> {
  const { db, store, keys, now } = context
  requireOwnOrigin(context, context.request)
  const query = sent.get('request') ?? ''
  const caller = await findSession(context, context.request.headers.get('cookie'), now)
  const request = await readRequest(context, new URLSearchParams(query), caller)
  return orServerError(context, request, async () => {
    if (!caller) return toLogin(context, request, null)
    await requireOwnTeam(db, request.app, caller)
    const decision = sent.get('decision')
    // Nothing is decided yet, so neither the ticket nor a pushed request is used up.
    if (decision === 'approve' && !sent.has('project_ids')) return askForConsent(context, request, caller, 400)
    const form = { ticket: sent.get('ticket') ?? '', session_hash: caller.session_hash, request: query }
    const code = await store.write(async (tx) => {
      if (!(await useConsentTicket(tx, keys, form, now)))
        throw new OAuthError(
          'invalid_request',
          'This form was already sent or has expired. Return to the app and start again.',
        )
      await consume(tx, request)
      const { user_id } = caller
      if (decision === 'approve') return approve(tx, request, { user_id, chosen: sent.getAll('project_ids') }, now)
      noteConsent(tx, request, { user_id, action: 'consent-deny' })
      return null
    })
    if (code === null)
      throw new AuthorizationRefusal(request, 'access_denied', 'The user did not grant access to any project.')
    return redirectToApp(context, request, { code })
  })
}

/** Issues a code for those of the chosen projects that the user may connect; null when there are none. */
async function approve(
  tx: Tx,
  request: AuthorizationRequest,
  { user_id, chosen }: { user_id: string; chosen: readonly string[] },
  now: number,
): Promise<string | null> {
  const choices = await projectChoices(tx, user_id, request.scopes)
  const project_ids = choices
    .filter(({ project, lacks }) => lacks === null && chosen.includes(project.public_id))
    .map(({ project }) => project.id)
  if (project_ids.length === 0) {
    noteConsent(tx, request, { user_id, action: 'consent-deny' })
    return null
  }
  noteConsent(tx, request, { user_id, action: 'consent-grant', project_ids })
  const { app, redirect_uri, scopes, code_challenge } = request
  return issueCode(tx, { app_id: app.id, user_id, redirect_uri, scopes, project_ids, code_challenge }, now)
}

interface Consent {
  user_id: string
  action: 'consent-grant' | 'consent-deny'
  project_ids?: readonly ProjectId[]
}

/** A row of the audit log for each project, so that its administrators see it. */
function noteConsent(tx: Tx, { app, scopes }: AuthorizationRequest, { user_id, action, project_ids }: Consent): void {
  for (const project_id of project_ids ?? [null])
    note(tx, {
      action,
      actor: `user:${user_id}`,
      target: `app:${app.id}`,
      project_id,
      details: { scope: scopes.join(' ') },
    })
}

/** Ends a pushed request (RFC 9126, 7.3). Of two concurrent decisions only the first succeeds. */
async function consume(tx: Tx, { pushed }: AuthorizationRequest): Promise<void> {
  if (pushed && !(await usePushed(tx, pushed))) throw unknownRequestUri()
}

async function readRequest(
  { db, base_url, now }: PublicContext,
  params: URLSearchParams,
  caller: SessionCaller | null,
): Promise<AuthorizationRequest> {
  try {
    return await readAuthorizationRequest(db, params, { base_url, api_root: base_url + API_ROOT }, now)
  } catch (error) {
    if (error instanceof AuthorizationRefusal) await requireTrustedRedirect(db, params, caller)
    throw error
  }
}

/** Reports an unexpected error to the app once its redirect address is verified (RFC 6749, 4.1.2.1). */
async function orServerError(
  { log, request_id }: PublicContext,
  back: ReturnAddress,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthorizationRefusal || error instanceof OAuthError || error instanceof AppError) throw error
    const known = knownError(error)
    if (known.code !== 'INTERNAL') throw known
    log.error('request failed', { request_id, ...errorFields(error) })
    throw new AuthorizationRefusal(back, 'server_error', 'Something went wrong. It was logged with the request id.')
  }
}

/** The refusal of `prompt=none`, which forbids any page: the user must choose the projects each time. */
async function silentRefusal(
  db: Reader,
  request: AuthorizationRequest,
  caller: SessionCaller | null,
): Promise<AuthorizationRefusal> {
  if (!caller) return new AuthorizationRefusal(request, 'login_required', 'The user is not signed in.')
  const authorizations = await authorizationsOfUser(db, caller.user_id)
  const granted = authorizations.some(
    ({ app, scope }) => app.id === request.app.id && request.scopes.every((name) => scope.split(' ').includes(name)),
  )
  return granted
    ? new AuthorizationRefusal(request, 'interaction_required', 'The user must choose the projects.')
    : new AuthorizationRefusal(request, 'consent_required', 'The user has not granted these scopes.')
}

/**
 * Throws FORBIDDEN, without a redirect, when an unapproved app is used outside its own team: its redirect address has
 * not been reviewed yet (docs/api/oauth.md#consent-page).
 */
async function requireOwnTeam(db: Reader, app: App, caller: SessionCaller | null): Promise<void> {
  if (app.status === 'approved' || (caller && (await mayAuthorize(db, app, caller.user_id)))) return
  throw new AppError('FORBIDDEN', `${app.display_name} is still in development. Only its own team can connect it.`)
}

/** Errors are redirected under the same rule; otherwise an unreviewed app would make this endpoint an open redirect. */
async function requireTrustedRedirect(
  db: Reader,
  params: URLSearchParams,
  caller: SessionCaller | null,
): Promise<void> {
  const app = await findApp(db, params.get('client_id') ?? '')
  if (app) await requireOwnTeam(db, app, caller)
}

/**
 * A parameter of our own: what `prompt=login` was answered with, signed. A GET never ends a session, so the request
 * that returns from the login page must show that the user has signed in since.
 */
const LOGIN_ASKED = 'login_asked'

/** Redirects to the login page, which returns here. With `prompt=login` it asks for the password in any case. */
function toLogin(
  { base_url, keys, now }: PublicContext,
  { prompt, link }: AuthorizationRequest,
  caller: SessionCaller | null,
): Response {
  const isAsked = prompt === 'login'
  const back = addressWith(link, { [LOGIN_ASKED]: isAsked ? askedNow(keys, caller, now) : null })
  return seeOther(loginAddress(new URL(back, base_url), isAsked))
}

function askedNow(keys: Keys, caller: SessionCaller | null, now: number): string {
  return keys.sign('login-prompt', `${now} ${caller?.session_hash ?? ''}`)
}

/** Whether the session began after the user was asked to sign in. */
function signedInSince(keys: Keys, prompted: string | null, { session_hash, confirmed_at }: SessionCaller): boolean {
  const [at, before] = (prompted && keys.verify('login-prompt', prompted)?.toString().split(' ')) || []
  return before !== undefined && before !== session_hash && confirmed_at >= Number(at)
}

/** @param changes null removes a parameter */
function addressWith(params: URLSearchParams, changes: Record<string, string | null> = {}): string {
  const changed = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes))
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  return `${OAUTH_PATHS.authorize}?${changed.toString()}`
}
