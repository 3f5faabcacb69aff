import type { SessionCaller } from '../../access/caller.ts'
import { findSession } from '../../access/session.ts'
import { startSession } from '../../accounts/sessions.ts'
import { setUp, setupIsOpen } from '../../accounts/setup.ts'
import { getUser } from '../../accounts/users.ts'
import { findAsset } from '../../assets.ts'
import { AppError, type Flaw, notFound } from '../../errors.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import { invitationsFor } from '../../projects/invitations.ts'
import { createProject, listProjectsOf } from '../../projects/projects.ts'
import type { Runtime } from '../../runtime.ts'
import { signInFrom, signOutFrom } from './sign-in.ts'
import { readForm } from '../core/body.ts'
import { errorResponse, type Exchange, type Handler } from '../core/exchange.ts'
import type { Markup } from '../core/markup.ts'
import { NEWSLETTER_ROOT } from '../api/operations.ts'
import { MAILBOX_PATH, PORTAL_PATH } from '../core/paths.ts'
import { type FormValues, homePage, loginPage, noticePage, setupPage } from './pages.ts'
import { requireOwnForm } from '../core/origin.ts'
import { endedSessionCookie, sessionCookie } from '../core/session-cookie.ts'
import { fromOwnPages } from '../core/session-route.ts'

export const START = `${PORTAL_PATH}/`

/** `GET /portal/`: the projects of whoever is signed in. */
export function portalStart(runtime: Runtime): Handler {
  return signedInPage(runtime, async ({ now }, { user_id }) => {
    const { db } = runtime.store
    const [user, projects] = await Promise.all([getUser(db, user_id), listProjectsOf(db, user_id)])
    const invitations = await invitationsFor(db, user.email, now)
    return page(
      runtime,
      200,
      homePage({
        user,
        invitations,
        projects,
        api_reference: `${NEWSLETTER_ROOT}/openapi.json`,
        mailbox: runtime.config.sandbox ? MAILBOX_PATH : null,
      }),
    )
  })
}

/** A page for whoever is signed in; others sign in first and come back. Its forms are sent to its own address. */
export function signedInPage(
  runtime: Runtime,
  handler: (exchange: Exchange, caller: SessionCaller) => Promise<Response>,
): Handler {
  return asPages(
    runtime,
    fromOwnPages(runtime, async (exchange) => {
      const caller = await findSession(runtime, exchange.request.headers.get('cookie'), exchange.now)
      return caller ? handler(exchange, caller) : seeOther(loginAddress(exchange.url))
    }),
  )
}

/** `GET /portal/login?return=PATH` */
export function portalLogin(runtime: Runtime, provider: string | null): Handler {
  return asPages(runtime, async ({ url, request, now }) => {
    const back = safeReturn(url.searchParams.get('return'))
    if (await findSession(runtime, request.headers.get('cookie'), now)) return seeOther(back)
    return page(runtime, 200, loginPage({ back, provider }))
  })
}

/** `POST /portal/login`: what the form of that page sends. */
export function portalLoginForm(runtime: Runtime, limiter: RateLimiter, provider: string | null): Handler {
  return asPages(
    runtime,
    fromOwnPages(runtime, async (exchange) => {
      const values = await formValues(exchange.request)
      const back = safeReturn(values.return ?? null)
      try {
        const { token } = await signInFrom(runtime, limiter, exchange, values.email ?? '', values.password ?? '')
        return seeOther(back, { 'Set-Cookie': sessionCookie(runtime, token) })
      } catch (error) {
        if (!(error instanceof AppError) || (error.code !== 'UNAUTHORIZED' && error.code !== 'RATE_LIMITED'))
          throw error
        return page(runtime, error.status, loginPage({ back, values, refusal: error.message, provider }), error.headers)
      }
    }),
  )
}

/** `POST /portal/logout`: to the login page, with the way back where the form names one. */
export function portalLogout(runtime: Runtime): Handler {
  return asPages(runtime, async (exchange) => {
    requireOwnForm(runtime, exchange.request)
    await signOutFrom(runtime, exchange)
    const back = (await formValues(exchange.request)).return
    return seeOther(
      back === undefined ? `${PORTAL_PATH}/login` : loginAddress(new URL(safeReturn(back), runtime.base_url)),
      { 'Set-Cookie': endedSessionCookie(runtime) },
    )
  })
}

/** `GET /portal/setup?token=…`: the link that the first start prints. */
export function portalSetup(runtime: Runtime): Handler {
  return asPages(runtime, async ({ url }) => {
    const token = url.searchParams.get('token') ?? ''
    if (!(await setupIsOpen(runtime.store.db, token))) throw notFound('set-up link')
    return setupAnswer(runtime, 200, token, {}, [])
  })
}

/** `POST /portal/setup`: makes the account, and the project when one is named, and signs in. */
export function portalSetupForm(runtime: Runtime): Handler {
  return asPages(runtime, async (exchange) => {
    requireOwnForm(runtime, exchange.request)
    const values = await formValues(exchange.request)
    const token = values.token ?? ''
    try {
      return seeOther(START, {
        'Set-Cookie': sessionCookie(runtime, await firstAccount(runtime, exchange, token, values)),
      })
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'VALIDATION_FAILED' && error.code !== 'CONFLICT')) throw error
      return setupAnswer(runtime, 400, token, values, error.details as Flaw[])
    }
  })
}

function firstAccount(
  runtime: Runtime,
  { now, address, user_agent }: Exchange,
  token: string,
  values: FormValues,
): Promise<string> {
  const { email = '', password = '', first_name = '', last_name = '', project_name = '', project_slug = '' } = values
  return setUp(
    runtime.store,
    token,
    { email, password, first_name, last_name },
    async (tx, user) => {
      if (project_name !== '' || project_slug !== '') {
        await createProject(tx, { name: project_name, slug: project_slug }, user.id, now).catch((error: unknown) => {
          throw projectFieldsOf(error)
        })
      }
      return startSession(tx, user.id, { address, user_agent }, runtime.config.session_ttl_hours, now)
    },
    now,
  )
}

/** The project's fields have longer names on the form. */
function projectFieldsOf(error: unknown): unknown {
  if (!(error instanceof AppError) || !Array.isArray(error.details)) return error
  return new AppError(error.code, error.message, {
    details: (error.details as Flaw[]).map((flaw) => ({ ...flaw, path: flaw.path.replace('/', '/project_') })),
    cause: error,
  })
}

function setupAnswer(runtime: Runtime, status: number, token: string, values: FormValues, flaws: Flaw[]): Response {
  return page(runtime, status, setupPage(token, values, flaws), TOKEN_PAGE)
}

/** A static file that has an address of its own, asked about again each time. */
export function portalFile(path: string): Handler {
  return ({ request }) => {
    const asset = findAsset(path)
    if (!asset) throw notFound('file')
    const headers = { 'Content-Type': asset.type, 'Cache-Control': 'no-cache', ETag: `"${asset.version}"` }
    return request.headers.get('if-none-match') === headers.ETag
      ? new Response(null, { status: 304, headers })
      : new Response(asset.bytes, { headers })
  }
}

/** Where whoever is not signed in goes, with the way back (spec, Developer portal login 2). */
export function loginAddress(from: URL): string {
  return `${PORTAL_PATH}/login?return=${encodeURIComponent(from.pathname + from.search)}`
}

/** A path on this service, or the portal's start for anything that could lead elsewhere (contract-details 75). */
export function safeReturn(path: string | null): string {
  if (path === null || !/^\/(?![/\\])[^\u0000-\u001F\u007F]*$/.test(path)) return START
  const url = URL.parse(path, 'http://here.invalid')
  const plain = url ? url.pathname + url.search + url.hash : ''
  return url?.host === 'here.invalid' && !plain.startsWith('//') ? plain : START
}

/** Headers of a page whose address is a secret. */
export const TOKEN_PAGE = { 'Referrer-Policy': 'no-referrer' }

/** `GET /`: there is nothing but the portal to see. */
export const toPortal: Handler = () => seeOther(START)

/** Refusals of a route that people meet in a browser are pages as well. */
export function asPages(runtime: Runtime, handler: Handler): Handler {
  return async (exchange) => {
    try {
      return await handler(exchange)
    } catch (error) {
      const { status } = errorResponse(runtime, error, exchange.request_id, 'platform')
      const sentence =
        error instanceof AppError && status < 500 ? error.message : `It was logged as ${exchange.request_id}.`
      return page(
        runtime,
        status,
        noticePage(
          status === 404 ? 'This link does not work' : status < 500 ? 'This did not work' : 'Something went wrong',
          sentence,
        ),
        error instanceof AppError ? error.headers : {},
      )
    }
  }
}

export function page(runtime: Runtime, status: number, markup: Markup, headers: Record<string, string> = {}): Response {
  return new Response(markup.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
      ...(runtime.base_url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
      ...headers,
    },
  })
}

export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}

/** The fields of a form, of each name the last. */
export async function formValues(request: Request): Promise<FormValues> {
  const fields = await readForm(request)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1)! : value]),
  )
}
