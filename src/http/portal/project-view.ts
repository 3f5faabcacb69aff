import { type Authorization, authorizationsOfProject } from '../../oauth/connected.ts'
import { scopeNames, SCOPES } from '../../oauth/scopes.ts'
import { listMembers } from '../../projects/members.ts'
import type { Project } from '../../projects/projects.ts'
import { connectedScripts, listConnections } from '../../scripts/connections.ts'
import type { Reader } from '../../store/open.ts'
import { makersOf } from './connected-apps-pages.routes.ts'
import { personName } from './page-parts.ts'
import type { AppOfProject, ScriptOfProject } from './project-pages.ts'

/** What the page of a project shows about its apps and scripts. */

/** The connected apps, each once, however many members have connected it. */
export async function appsOf(db: Reader, { id }: Project): Promise<AppOfProject[]> {
  const [authorizations, members] = await Promise.all([authorizationsOfProject(db, id), listMembers(db, id)])
  const names = new Map(members.map((member) => [member.user_id, personName(member)]))
  const makers = await makersOf(db, authorizations)
  return [...Map.groupBy(authorizations, ({ app }) => app.id)].map(([app_id, ofApp]) => ({
    ...ofApp[0]!.app,
    maker: makers.get(app_id) ?? null,
    people: [...Map.groupBy(ofApp, ({ user_id }) => user_id)].map(([user_id, own]) => ({
      name: names.get(user_id) ?? user_id,
      connected_at: Math.max(...own.map(({ created_at }) => created_at)),
    })),
    scopes: inOrder(ofApp),
    last_used_at: ofApp.reduce<number | null>(
      (latest, { last_used_at }) => (last_used_at === null ? latest : Math.max(latest ?? 0, last_used_at)),
      null,
    ),
  }))
}

/** The scopes of all grants together, in the order of `SCOPES`. */
function inOrder(authorizations: readonly Authorization[]): string[] {
  const granted = new Set(authorizations.flatMap(({ scope }) => scopeNames(scope)))
  return [...Object.keys(SCOPES).filter((name) => granted.delete(name)), ...granted]
}

/** Every script connection, with its state on the pages. */
export async function scriptsOf(db: Reader, { id }: Project): Promise<ScriptOfProject[]> {
  const [connections, onPages] = await Promise.all([listConnections(db, id), connectedScripts(db, id)])
  const running = new Map(onPages.map(({ connection_id, gated }) => [connection_id, gated]))
  return connections.map((connection) => {
    const gated = running.get(connection.connection_id)
    return {
      ...connection,
      state: !connection.enabled ? 'off' : gated === undefined ? 'not_running' : gated ? 'after_consent' : 'on',
    }
  })
}
