import { getUser } from '../../accounts/users.ts'
import { getApp } from '../../developer/apps.ts'
import { endOwnAuthorization } from '../../oauth/authorizations.ts'
import { type Authorization, authorizationsOfProject, authorizationsOfUser } from '../../oauth/connected.ts'
import { makerOf } from '../../oauth/consent.ts'
import { listProjectsOf } from '../../projects/projects.ts'
import { listConnections } from '../../scripts/connections.ts'
import type { Reader } from '../../store/open.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { connectedAppsPage, endPage, type Grant, type ScriptsLeft } from './connected-pages.ts'
import type { Notice } from './page-parts.ts'
import { PAGE, page, type PageContext, seeOther } from './portal.ts'

const PATH = `${PORTAL_PATH}/connected-apps` as const
const DISCONNECT = `${PATH}/:authorization/disconnect` as const
const DONE: Notice = {
  kind: 'done',
  text: 'The app is disconnected: it can do nothing in your name any more by that connection.',
}
const ENDED: Notice = {
  kind: 'refused',
  text: 'There is no such connection. If you disconnected it in another window, it has ended.',
}

/** The apps that the signed-in user has authorized, as pages (docs/api/platform.md#connected-apps). */
export const connectedAppPages = [
  route({
    method: 'GET',
    path: PATH,
    summary: 'The connected apps of the signed-in user.',
    auth: 'session',
    ...PAGE,
    respond: (context) => show(context, 200, context.url.searchParams.get('done') === 'disconnected' ? DONE : null),
  }),
  route({
    method: 'GET',
    path: DISCONNECT,
    summary: 'Asks before an app is disconnected.',
    auth: 'session',
    ...PAGE,
    respond: confirmDisconnect,
  }),
  route({
    method: 'POST',
    path: DISCONNECT,
    audit: { rows: 'noted' },
    summary: 'Disconnects an app, as `DELETE /user/connected-apps/:authorizationId`.',
    auth: 'session',
    ...PAGE,
    async respond(context) {
      const { params, caller, now } = context
      const ended = await context.write((tx) =>
        endOwnAuthorization(tx, params.authorization ?? '', caller.user_id, now),
      )
      return ended ? seeOther(`${PATH}?done=disconnected`) : show(context, 404, ENDED)
    },
  }),
]

async function confirmDisconnect(context: PageContext): Promise<Response> {
  const { db, caller, params } = context
  const [user, grants] = await Promise.all([getUser(db, caller.user_id), grantsOf(db, caller.user_id)])
  const grant = grants.find(({ authorization_id }) => authorization_id === params.authorization)
  if (!grant) return show(context, 404, ENDED)
  const others = grants.filter(({ app }) => app.id === grant.app.id).length - 1
  return page(context, 200, endPage({ user, grant, others, left: await scriptsLeft(db, grant) }))
}

async function show(context: PageContext, status: number, notice: Notice | null): Promise<Response> {
  const { db, caller } = context
  const [user, grants] = await Promise.all([getUser(db, caller.user_id), grantsOf(db, caller.user_id)])
  return page(context, status, connectedAppsPage({ user, grants, notice }))
}

async function grantsOf(db: Reader, user_id: string): Promise<Grant[]> {
  const [authorizations, projects] = await Promise.all([authorizationsOfUser(db, user_id), listProjectsOf(db, user_id)])
  const makers = await makersOf(db, authorizations)
  return authorizations.map((authorization) => ({
    ...authorization,
    projects: projects.filter(({ public_id }) => authorization.project_public_ids.includes(public_id)),
    maker: makers.get(authorization.app.id) ?? null,
  }))
}

/** The maker of each app, as the consent page names it. */
export async function makersOf(
  db: Reader,
  authorizations: readonly Authorization[],
): Promise<Map<string, string | null>> {
  const app_ids = [...new Set(authorizations.map(({ app }) => app.id))]
  return new Map(
    await Promise.all(
      app_ids.map(async (app_id): Promise<[string, string | null]> => [
        app_id,
        await makerOf(db, await getApp(db, app_id)),
      ]),
    ),
  )
}

/** The app's scripts in each project of the grant, and whether they stay when the grant ends. */
async function scriptsLeft(db: Reader, { authorization_id, app, projects }: Grant): Promise<ScriptsLeft[]> {
  const all = await Promise.all(
    projects.map(async (project) => {
      const [authorizations, connected] = await Promise.all([
        authorizationsOfProject(db, project.id),
        listConnections(db, project.id),
      ])
      return {
        project,
        scripts: connected.filter((script) => script.app.id === app.id).map(({ name }) => name),
        stay: authorizations.some((other) => other.app.id === app.id && other.authorization_id !== authorization_id),
      }
    }),
  )
  return all.filter(({ scripts }) => scripts.length > 0)
}
