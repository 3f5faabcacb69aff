import { type Static, Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../../clock.ts'
import { callsByApp } from '../../../developer/app-calls.ts'
import { type Suspension, suspensionsOf } from '../../../developer/suspension.ts'
import { listTestedApps } from '../../../developer/test-projects.ts'
import type { ProjectId } from '../../../ids.ts'
import { type Authorization, authorizationsOfProject } from '../../../oauth/connected.ts'
import { makersOf, scopesAddedSince } from '../../../oauth/granting.ts'
import { scopeNames, SCOPES } from '../../../shared/scopes.ts'
import { listMembers } from '../../../projects/members.ts'
import { enumOf, nullable, obj, Timestamp } from '../../../schema.ts'
import { connectedScripts, consentRequired, listConnections } from '../../../scripts/connections.ts'
import { countPublished } from '../../../sites/published.ts'
import type { Reader } from '../../../store/open.ts'
import { route } from '../../core/route.ts'
import { MaybeTime } from '../../core/schemas.ts'
import { personName } from '../pages/page-parts.ts'
import { ConnectionRecord, connectionRecord, TestRecord, testRecord } from './scripts.routes.ts'

const AppOfProject = obj({
  id: Type.String(),
  displayName: Type.String(),
  homepage: Type.String(),
  maker: nullable(Type.String()),
  permissions: Type.Array(Type.String(), { description: 'What it may, as the consent page says it.' }),
  asks_for: Type.Array(Type.String(), {
    description: 'What its present version may ask for beyond that. A member allows it by connecting the app again.',
  }),
  people: Type.Array(obj({ user_id: Type.String(), name: Type.String(), connected_on: Timestamp }), {
    description: 'The members who let it in.',
  }),
  last_used_on: MaybeTime,
  calls_in_7_days: Type.Integer({
    minimum: 0,
    description: 'Its calls for this project today and in the six days before.',
  }),
  suspension: nullable(obj({ suspended_on: Timestamp, comment: Type.String() })),
})
const ScriptOfProject = obj({
  ...ConnectionRecord.properties,
  state: enumOf(['on', 'after_consent', 'off', 'not_running'] as const, {
    description:
      '`not_running`: its app may not run here at the moment, or what it makes is too large or swallows the page.',
  }),
})

/** Routes that show the connected apps to members of a project (docs/api/platform.md#connected-apps). */
export const appsOverviewRoutes = [
  route({
    method: 'POST',
    path: '/project/apps/overview',
    summary: 'The apps that act in the project, each once, and the scripts on its pages.',
    auth: 'session',
    role: 'member',
    response: obj({
      apps: Type.Array(AppOfProject),
      scripts: Type.Array(ScriptOfProject),
      tests: Type.Array(TestRecord),
      pages: Type.Integer({ minimum: 0, description: 'Published pages and posts: each has the scripts that run.' }),
      consent_required: Type.Boolean(),
    }),
    async read(_, { db, project_id, now }) {
      const [apps, scripts, tests, pages, consent_required] = await Promise.all([
        appsOf(db, project_id, now),
        scriptsOf(db, project_id),
        listTestedApps(db, project_id),
        countPublished(db, project_id),
        consentRequired(db, project_id),
      ])
      return { apps, scripts, tests: tests.map(testRecord), pages, consent_required }
    },
  }),
]

/** The connected apps, each once, however many members have connected it. */
async function appsOf(db: Reader, project_id: ProjectId, now: number): Promise<Static<typeof AppOfProject>[]> {
  const [authorizations, members, calls] = await Promise.all([
    authorizationsOfProject(db, project_id),
    listMembers(db, project_id),
    callsByApp(db, project_id, now),
  ])
  const names = new Map(members.map((member) => [member.user_id, personName(member)]))
  const byApp = Map.groupBy(authorizations, ({ app }) => app.id)
  const ids = [...byApp.keys()]
  const latest = [...byApp].map(([id, own]) => [id, Math.max(...own.map(({ created_at }) => created_at))] as const)
  const [makers, suspensions, added] = await Promise.all([
    makersOf(db, ids),
    suspensionsOf(db, ids),
    scopesAddedSince(db, new Map(latest)),
  ])
  return [...byApp].map(([id, ofApp]) => ({
    id,
    displayName: ofApp[0]!.app.display_name,
    homepage: ofApp[0]!.app.homepage,
    maker: makers.get(id) ?? null,
    permissions: inOrder(ofApp).map(labelOf),
    asks_for: (added.get(id) ?? []).filter((scope) => !inOrder(ofApp).includes(scope)).map(labelOf),
    people: [...Map.groupBy(ofApp, ({ user_id }) => user_id)].map(([user_id, own]) => ({
      user_id,
      name: names.get(user_id) ?? user_id,
      connected_on: iso(Math.max(...own.map(({ created_at }) => created_at))),
    })),
    last_used_on: isoOrNull(
      ofApp.reduce<number | null>(
        (latest, { last_used_at }) => (last_used_at === null ? latest : Math.max(latest ?? 0, last_used_at)),
        null,
      ),
    ),
    calls_in_7_days: calls.get(id) ?? 0,
    suspension: suspensionRecord(suspensions.get(id)),
  }))
}

function suspensionRecord(suspension: Suspension | undefined) {
  return suspension ? { suspended_on: iso(suspension.suspended_at), comment: suspension.comment } : null
}

function labelOf(scope: string): string {
  return SCOPES[scope]?.label ?? scope
}

/** The scopes of all grants together, in the order of `SCOPES`. */
function inOrder(authorizations: readonly Authorization[]): string[] {
  const granted = new Set(authorizations.flatMap(({ scope }) => scopeNames(scope)))
  return [...Object.keys(SCOPES).filter((name) => granted.delete(name)), ...granted]
}

/** Every script connection, with its state on the pages. */
async function scriptsOf(db: Reader, project_id: ProjectId): Promise<Static<typeof ScriptOfProject>[]> {
  const [connections, onPages] = await Promise.all([listConnections(db, project_id), connectedScripts(db, project_id)])
  const running = new Map(onPages.map(({ connection_id, gated }) => [connection_id, gated]))
  return connections.map((connection) => {
    const gated = running.get(connection.connection_id)
    const state = !connection.enabled ? 'off' : gated === undefined ? 'not_running' : gated ? 'after_consent' : 'on'
    return { ...connectionRecord(connection), state }
  })
}
