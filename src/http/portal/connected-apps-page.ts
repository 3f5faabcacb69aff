import type { SessionCaller } from '../../access/caller.ts'
import { getUser } from '../../accounts/users.ts'
import { getApp } from '../../developer/apps.ts'
import { endOwnAuthorization } from '../../oauth/authorizations.ts'
import { type Connection, connectionsOfProject, connectionsOfUser } from '../../oauth/connected.ts'
import { makerOf } from '../../oauth/consent.ts'
import { listProjectsOf } from '../../projects/projects.ts'
import { listConnections } from '../../scripts/connections.ts'
import type { Reader } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import type { Handler } from '../core/exchange.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { page, seeOther, signedInPage } from './portal.ts'
import { connectedAppsPage, endPage, type Grant, type ScriptsLeft } from './connected-pages.ts'
import type { Notice } from './page-parts.ts'

const PATH = `${PORTAL_PATH}/connected-apps`
const DONE: Notice = {
  kind: 'done',
  words: 'The app is disconnected: it can do nothing in your name any more by that connection.',
}
const GONE: Notice = {
  kind: 'refused',
  words: 'There is no such connection. If you disconnected it in another window, it has ended.',
}

/** `GET /portal/connected-apps`: what somebody granted (`GET /user/connected-apps`). */
export function portalConnectedApps(runtime: Runtime): Handler {
  return signedInPage(runtime, ({ url }, caller) =>
    show(runtime, caller, 200, url.searchParams.get('done') === 'disconnected' ? DONE : null),
  )
}

/** `GET /portal/connected-apps/:authorization/disconnect`: asks first. */
export function portalDisconnect(runtime: Runtime): Handler {
  return signedInPage(runtime, async ({ params }, caller) => {
    const { db } = runtime.store
    const [user, grants] = await Promise.all([getUser(db, caller.user_id), grantsOf(db, caller.user_id)])
    const grant = grants.find(({ authorization_id }) => authorization_id === params.authorization)
    if (!grant) return show(runtime, caller, 404, GONE)
    const others = grants.filter(({ app }) => app.id === grant.app.id).length - 1
    return page(runtime, 200, endPage({ user, grant, others, left: await scriptsLeft(db, grant) }))
  })
}

/** `POST /portal/connected-apps/:authorization/disconnect`: as `DELETE /user/connected-apps/:authorizationId`. */
export function portalDisconnectForm(runtime: Runtime): Handler {
  return signedInPage(runtime, async ({ params, now }, caller) => {
    const ended = await runtime.store.write((tx) =>
      endOwnAuthorization(tx, params.authorization ?? '', caller.user_id, now),
    )
    return ended ? seeOther(`${PATH}?done=disconnected`) : show(runtime, caller, 404, GONE)
  })
}

async function show(
  runtime: Runtime,
  { user_id }: SessionCaller,
  status: number,
  notice: Notice | null,
): Promise<Response> {
  const { db } = runtime.store
  const [user, grants] = await Promise.all([getUser(db, user_id), grantsOf(db, user_id)])
  return page(runtime, status, connectedAppsPage({ user, grants, notice }))
}

async function grantsOf(db: Reader, user_id: string): Promise<Grant[]> {
  const [connections, projects] = await Promise.all([connectionsOfUser(db, user_id), listProjectsOf(db, user_id)])
  const makers = await makersOf(db, connections)
  return connections.map((connection) => ({
    ...connection,
    projects: projects.filter(({ public_id }) => connection.project_public_ids.includes(public_id)),
    maker: makers.get(connection.app.id) ?? null,
  }))
}

/** Who makes each of the apps, as the page said that asked for consent. */
export async function makersOf(db: Reader, connections: readonly Connection[]): Promise<Map<string, string | null>> {
  const app_ids = [...new Set(connections.map(({ app }) => app.id))]
  return new Map(
    await Promise.all(
      app_ids.map(async (app_id): Promise<[string, string | null]> => [
        app_id,
        await makerOf(db, await getApp(db, app_id)),
      ]),
    ),
  )
}

/** What the end of a grant does to the app's scripts in each of its projects that has some. */
async function scriptsLeft(db: Reader, { authorization_id, app, projects }: Grant): Promise<ScriptsLeft[]> {
  const all = await Promise.all(
    projects.map(async (project) => {
      const [connections, connected] = await Promise.all([
        connectionsOfProject(db, project.id),
        listConnections(db, project.id),
      ])
      return {
        project,
        scripts: connected.filter((script) => script.app.id === app.id).map(({ name }) => name),
        stay: connections.some((other) => other.app.id === app.id && other.authorization_id !== authorization_id),
      }
    }),
  )
  return all.filter(({ scripts }) => scripts.length > 0)
}
