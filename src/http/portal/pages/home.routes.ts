import { findSession } from '../../../access/session.ts'
import { anyPasskey } from '../../../accounts/passkeys.ts'
import { setUp, setupIsOpen } from '../../../accounts/setup.ts'
import { beginSession, finishSignIn, type NewSession, signIn } from '../../../accounts/sign-in.ts'
import { getUser, type User } from '../../../accounts/users.ts'
import { findAsset } from '../../../assets.ts'
import { listApps } from '../../../developer/apps.ts'
import { AppError, type Flaw, notFound } from '../../../errors.ts'
import { createProject, listProjectsOf, projectFlaws } from '../../../projects/projects.ts'
import { MAX_PROJECT_SLUG, slugOf } from '../../../projects/slugs.ts'
import { NEWSLETTER_ROOT } from '../../api/operations.ts'
import { readForm } from '../../core/body.ts'
import { cacheable } from '../../core/document.ts'
import { withCookies } from '../../core/exchange.ts'
import { requireOwnForm, requireOwnOrigin } from '../../core/origin.ts'
import { MAILBOX_PATH, PORTAL_PATH } from '../../core/paths.ts'
import { type Route, route } from '../../core/route.ts'
import { endedSessionCookie, sessionCookies } from '../../core/session-cookie.ts'
import { codePage, loginPage } from './login-pages.ts'
import { offersFor } from '../offers.ts'
import { type FormValues, homePage, noticePage, type RefusedProject, setupPage } from './pages.ts'
import {
  loginAddress,
  PAGE,
  page,
  type PageContext,
  type PublicPageContext,
  safeReturn,
  seeOther,
  START,
  TOKEN_PAGE,
} from './portal.ts'
import { SETUP_SENDING_PATH } from './setup-sending.routes.ts'
import { isOwnSignOutTicket, signOutFrom, visitOf } from '../account/sign-in.ts'

/**
 * The start of the portal, its login and its first set-up.
 *
 * @param provider the name of the OpenID Connect provider, or null without one
 */
export function homeRoutes(provider: string | null): Route[] {
  return [
    route({
      method: 'GET',
      path: '/',
      summary: 'Redirects to the portal.',
      auth: 'public',
      response: 'redirect',
      respond: () => seeOther(START),
    }),
    route({
      method: 'GET',
      path: START,
      summary: 'The projects of the signed-in user.',
      auth: 'session',
      ...PAGE,
      respond: (context) => home(context, 200),
    }),
    route({
      method: 'GET',
      path: `${PORTAL_PATH}/login`,
      summary: 'The login form.',
      auth: 'public',
      ...PAGE,
      respond: (context) => login(context, provider),
    }),
    route({
      method: 'POST',
      path: `${PORTAL_PATH}/login`,
      summary: 'Signs in.',
      audit: { rows: 'noted' },
      auth: 'public',
      own_pages: true,
      ...PAGE,
      respond: (context) => submitLogin(context, provider),
    }),
    route({
      method: 'POST',
      path: `${PORTAL_PATH}/login/code`,
      summary: 'Completes a sign-in with the second factor.',
      audit: { rows: 'noted' },
      auth: 'public',
      own_pages: true,
      ...PAGE,
      respond: submitCode,
    }),
    route({
      method: 'POST',
      path: `${PORTAL_PATH}/logout`,
      summary: 'Signs out.',
      audit: { rows: 'noted' },
      auth: 'public',
      ...PAGE,
      respond: logout,
    }),
    route({
      method: 'GET',
      path: `${PORTAL_PATH}/setup`,
      summary: 'The form of the link that the first start prints.',
      auth: 'public',
      ...PAGE,
      respond: setup,
    }),
    route({
      method: 'POST',
      path: `${PORTAL_PATH}/setup`,
      summary: 'Creates the first account, and a project when one is named, and signs in.',
      auth: 'public',
      ...PAGE,
      respond: submitSetup,
    }),
    route({
      method: 'ALL',
      path: `${PORTAL_PATH}/*`,
      summary: 'Every other address of the portal: a page that says so.',
      auth: 'public',
      ...PAGE,
      respond: unknownPage,
    }),
    file(`${PORTAL_PATH}/portal.css`, 'portal/portal.css'),
    file('/favicon.ico', 'favicon.ico'),
  ]
}

/** @param refused the form of a new project, as it was refused */
export async function home(
  context: PageContext,
  status: number,
  refused: RefusedProject | null = null,
): Promise<Response> {
  const { db, caller, config, now } = context
  const [user, projects] = await Promise.all([getUser(db, caller.user_id), listProjectsOf(db, caller.user_id)])
  const invitations = await offersFor(db, user.email, now)
  const apps = await listApps(db, user.id)
  if (!refused && invitations.length === 0 && context.url.search === '') {
    const first = firstPage(user, projects, apps)
    if (first !== null) return seeOther(first)
  }
  const view = {
    user,
    projects,
    apps,
    invitations,
    api_reference: `${NEWSLETTER_ROOT}/openapi.json`,
    mailbox: config.sandbox ? MAILBOX_PATH : null,
    refused,
  }
  return page(status, homePage(view))
}

/** The page of the one thing that a user has; without a project, the queue of who reviews. Null: there is a choice. */
function firstPage(user: User, projects: readonly { slug: string }[], apps: readonly { id: string }[]): string | null {
  if (projects.length === 1) return `${PORTAL_PATH}/projects/${projects[0]!.slug}`
  if (projects.length > 0) return null
  if (user.admin) return `${PORTAL_PATH}/operator/reviews`
  return apps.length === 1 ? `${PORTAL_PATH}/developer/apps/${apps[0]!.id}` : null
}

function unknownPage(): Response {
  const sentence = 'The address is mistyped, or the page has moved.'
  return page(404, noticePage('There is no page here', sentence))
}

async function login(context: PublicPageContext, provider: string | null): Promise<Response> {
  const { url, request, now } = context
  const back = safeReturn(url.searchParams.get('return'))
  const isAsked = url.searchParams.get('prompt') === 'login'
  if (!isAsked && (await findSession(context, request.headers.get('cookie'), now))) return seeOther(back)
  return page(200, loginPage({ back, provider, passkeys: await anyPasskey(context.db), service: context }))
}

async function submitLogin(context: PublicPageContext, provider: string | null): Promise<Response> {
  const { limiter, now } = context
  const values = await readForm(context)
  const back = safeReturn(values.return ?? null)
  try {
    const { email = '', password = '' } = values
    const outcome = await signIn(context, limiter, { email, password, ...visitOf(context) }, now)
    if ('ticket' in outcome) return page(200, codePage({ back, ticket: outcome.ticket }))
    return withCookies(seeOther(back), sessionCookies(context, outcome.session))
  } catch (error) {
    const { status, message, headers } = refusedSignIn(error)
    const passkeys = await anyPasskey(context.db)
    return page(status, loginPage({ back, values, refusal: message, provider, passkeys, service: context }), headers)
  }
}

async function submitCode(context: PublicPageContext): Promise<Response> {
  const { return: given = null, ticket = '', code = '' } = await readForm(context)
  const back = safeReturn(given)
  try {
    const { session } = await finishSignIn(
      context,
      context.limiter,
      { ticket, code: code.slice(0, 100), ...visitOf(context) },
      context.now,
    )
    return withCookies(seeOther(back), sessionCookies(context, session))
  } catch (error) {
    const { status, message, headers } = refusedSignIn(error)
    return page(status, codePage({ back, ticket, refusal: message }), headers)
  }
}

/** The refusal of a sign-in, which its form shows. Throws any other error. */
function refusedSignIn(error: unknown): AppError {
  if (error instanceof AppError && (error.code === 'UNAUTHORIZED' || error.code === 'RATE_LIMITED')) return error
  throw error
}

/** Leads to the login page, with the way back when the form names one. */
async function logout(context: PublicPageContext): Promise<Response> {
  const { ticket = '', return: back } = await readForm(context)
  if (isOwnSignOutTicket(context, ticket)) requireOwnForm(context, context.request)
  else requireOwnOrigin(context, context.request)
  await signOutFrom(context)
  const login = back === undefined ? `${PORTAL_PATH}/login` : loginAddress(new URL(safeReturn(back), context.base_url))
  return seeOther(login, { 'Set-Cookie': endedSessionCookie(context) })
}

async function setup(context: PublicPageContext): Promise<Response> {
  const token = context.url.searchParams.get('token') ?? ''
  if (!(await setupIsOpen(context.db, token, context.now))) throw notFound('set-up link')
  return page(200, setupPage(token, {}, []), TOKEN_PAGE)
}

async function submitSetup(context: PublicPageContext): Promise<Response> {
  requireOwnForm(context, context.request)
  const values = await readForm(context)
  const token = values.token ?? ''
  try {
    const session = await createFirstAccount(context, token, values)
    const next = firstProject(values) ? SETUP_SENDING_PATH : START
    return withCookies(seeOther(next), sessionCookies(context, session))
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'VALIDATION_FAILED' && error.code !== 'CONFLICT')) throw error
    const shown = { ...values, project_slug: firstProject(values)?.slug ?? '' }
    return page(400, setupPage(token, shown, error.details as Flaw[]), TOKEN_PAGE)
  }
}

function createFirstAccount(context: PublicPageContext, token: string, values: FormValues): Promise<NewSession> {
  const { store, now } = context
  const { email = '', password = '', first_name = '', last_name = '' } = values
  const project = firstProject(values)
  return setUp(
    store,
    {
      token,
      email,
      password,
      first_name,
      last_name,
      other_flaws: project ? projectFlaws(project).map(withFormField) : [],
    },
    async (tx, user) => {
      if (project) await createProject(tx, project, user.id, now)
      return beginSession(tx, context, { ...visitOf(context), user_id: user.id }, now)
    },
    now,
  )
}

/** The project that the form names, with a short name made from its name where there is none; null without one. */
function firstProject({ project_name = '', project_slug = '' }: FormValues): { name: string; slug: string } | null {
  if (project_name.trim() === '' && project_slug === '') return null
  return { name: project_name, slug: project_slug || slugOf(project_name, MAX_PROJECT_SLUG) }
}

/** The project's fields have longer names on the form. */
function withFormField(flaw: Flaw): Flaw {
  return { ...flaw, path: flaw.path.replace('/', '/project_') }
}

/** A static file with a path of its own. Browsers revalidate it on each use. */
function file(path: string, asset_path: string): Route {
  return route({
    method: 'GET',
    path,
    summary: 'A static file.',
    auth: 'public',
    response: 'file',
    respond({ request }) {
      const asset = findAsset(asset_path)
      if (!asset) throw notFound('file')
      return cacheable(request, asset, { 'Content-Type': asset.type, 'Cache-Control': 'no-cache' })
    },
  })
}
