import { eq } from 'drizzle-orm'
import { admit, hasRole } from '../../../access/permission.ts'
import { cookieIn } from '../../../access/session.ts'
import { getUser } from '../../../accounts/users.ts'
import { AppError } from '../../../errors.ts'
import { listMembers } from '../../../projects/members.ts'
import { listProjectsOf } from '../../../projects/projects.ts'
import { callKey, type CurrentProject, type DocumentProject, type FirstCall } from '../../../shared/app-document.ts'
import { type AppPage, findPage, type PageMatch, type Place } from '../../../shared/app-pages.ts'
import { TRAY_FIRST } from '../../../shared/tray-requests.ts'
import { isTroubled } from '../../../shared/connection-trouble.ts'
import { PLACES } from '../../../../static/app/pages.ts'
import type { Runtime } from '../../../runtime.ts'
import { connections } from '../../../store/tables/delivery.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import { type Route, route } from '../../core/route.ts'
import { appDocument } from './app-document.ts'
import { runForPage } from './page-operations.ts'
import { personName } from './page-parts.ts'
import { PAGE, type PageContext, seeOther } from './portal.ts'
import { SCRIPT_FRAME } from './script-frame.ts'

/** The addresses of the application: one document each, whose script draws the page (docs/web-application.md). */
export const appPages = (runtime: Runtime): Route[] => [
  ...PLACES.flatMap((place) => placeRoutes(runtime, place)),
  route({
    method: 'GET',
    path: `${PORTAL_PATH}/connected-apps`,
    summary: 'Leads to the connected apps of the signed-in user.',
    auth: 'public',
    ...PAGE,
    respond: () => seeOther(`${PORTAL_PATH}/account/apps`),
  }),
  frame(
    `${PORTAL_PATH}/preview-frame`,
    'The empty document that a message or a page of a site is shown in. Nothing runs in it.',
    "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' https: http: data:; " +
      "frame-ancestors 'self'",
  ),
  frame(
    `${PORTAL_PATH}/script-frame`,
    'The empty document that a script of an app is tried in. Its page opens it in a sandbox without its origin.',
    "default-src 'none'; script-src 'unsafe-inline' https:; style-src 'unsafe-inline' https:; img-src https: data:; " +
      "connect-src https:; font-src https:; sandbox allow-scripts; frame-ancestors 'self'",
    SCRIPT_FRAME,
  ),
]

function placeRoutes(runtime: Runtime, place: Place): Route[] {
  return [place.root, `${place.root}/*`].map((path) =>
    route({
      method: 'GET',
      path,
      summary: `The application's pages of the place "${place.name}".`,
      auth: 'session',
      ...PAGE,
      respond: (context) => show(runtime, context, place),
    }),
  )
}

/** The cookie in which the application keeps the chosen theme. */
const THEME_COOKIE = 'masthead_theme'
const THEMES: ReadonlySet<string | null> = new Set(['light', 'dark'])

async function show(runtime: Runtime, context: PageContext, place: Place): Promise<Response> {
  const { db, caller, params, url, request, config, base_url } = context
  const [user, own] = await Promise.all([getUser(db, caller.user_id), listProjectsOf(db, caller.user_id)])
  const projects = own.map(({ public_id, slug, name, role }) => ({ id: public_id, slug, name, role }))
  const scope = place.root.replace(':project', params.project ?? '')
  const project = place.name === 'site' ? await currentProject(context, projects) : null
  if (place.name === 'operator' && !user.admin)
    throw new AppError('NOT_FOUND', 'These pages are for the operators of the service.')
  const match = findPage(place.pages, `/${params['*'] ?? ''}`)
  const theme = cookieIn(base_url, request.headers.get('cookie'), THEME_COOKIE)
  const query = Object.fromEntries(url.searchParams)
  return appDocument(context, {
    status: match ? 200 : 404,
    place,
    page: match?.page ?? null,
    theme: THEMES.has(theme) ? theme : null,
    data: {
      user: {
        id: user.id,
        email: user.email,
        first_name: user.first_name,
        last_name: user.last_name,
        is_reviewer: user.admin,
      },
      projects,
      project,
      scope,
      sandbox: config.sandbox,
      answers: match && project ? await firstAnswers({ runtime, context, match, project, query }) : {},
    },
  })
}

/** The project of the address, by its slug or its id. NOT_FOUND for a project that the caller is no member of. */
async function currentProject(
  { db, caller, params }: PageContext,
  projects: readonly DocumentProject[],
): Promise<CurrentProject> {
  const project = projects.find(({ id, slug }) => slug === params.project || id === params.project)
  if (!project) throw new AppError('NOT_FOUND', 'There is no such project, or you are not a member of it.')
  const { project_id } = await admit(db, caller, project.id)
  const members = await listMembers(db, project_id)
  const administrators = members
    .filter(({ role }) => hasRole(role, 'administrator'))
    .toSorted((a, b) => Number(b.role === 'owner') - Number(a.role === 'owner'))
    .slice(0, 5)
  const known = await db
    .select({ last_error: connections.last_error, verified_at: connections.verified_at, dns: connections.dns })
    .from(connections)
    .where(eq(connections.project_id, project_id))
  return {
    ...project,
    administrators: administrators.map(personName),
    sending_trouble: known.some(isTroubled),
  }
}

interface Visit {
  runtime: Runtime
  context: PageContext
  match: PageMatch
  project: DocumentProject
  query: Record<string, string>
}

/**
 * The answers of the first calls of a page and of its shell. A refused call is left out: the script repeats it and
 * shows the refusal.
 */
async function firstAnswers(visit: Visit): Promise<Record<string, unknown>> {
  const { match, project, query } = visit
  const { page, params } = match
  const calls = [...TRAY_FIRST, ...((isFor(page, project.role) && page.first?.({ params, query })) || [])]
  const answers = await Promise.all(calls.map(async (call) => [keyOf(call), await firstAnswer(visit, call)]))
  return Object.fromEntries(answers.filter(([, answer]) => answer !== null))
}

function isFor(page: AppPage, role: DocumentProject['role']): boolean {
  return page.role === undefined || hasRole(role, page.role)
}

function keyOf({ operation, body }: FirstCall): string {
  return callKey(operation, body)
}

async function firstAnswer({ runtime, context, project }: Visit, call: FirstCall): Promise<unknown> {
  try {
    return await runForPage(runtime, context, { ...call, project_id: project.id })
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function frame(path: string, summary: string, policy: string, script = ''): Route {
  return route({
    method: 'GET',
    path,
    summary,
    auth: 'public',
    response: 'file',
    respond: () =>
      new Response(`<!doctype html><html><head><meta charset="utf-8"></head><body>${script}</body></html>`, {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': policy,
          'Cache-Control': 'no-cache',
        },
      }),
  })
}
