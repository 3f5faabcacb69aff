import { type Static, Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import { getProject } from '../../../projects/projects.ts'
import { endTest, listTestedApps, type TestedApp } from '../../../developer/test-projects.ts'
import { notFound } from '../../../errors.ts'
import { Id, obj, Timestamp, enumOf } from '../../../schema.ts'
import {
  consentRequired,
  listConnections,
  type OwnersConnection,
  removeConnection,
  requireConnection,
  requireConsent,
  switchConnection,
} from '../../../scripts/connections.ts'
import { addressBySlug, SCRIPT_PREVIEW } from '../../../sites/addresses.ts'
import { requirePagePath } from '../../../sites/paths.ts'
import { scriptPreviewToken } from '../../../sites/previews.ts'
import { PLACEMENTS, SCRIPT_TYPES } from '../../../store/tables/scripts.ts'
import { route } from '../../core/route.ts'
import { ParameterValues, PlaceRecord, Success } from '../../core/schemas.ts'

/** A script connection in requests and answers. */
export const ConnectionRecord = obj({
  connection_id: Id,
  script_id: Id,
  app: obj({ id: Type.String(), displayName: Type.String() }),
  name: Type.String(),
  type: enumOf(SCRIPT_TYPES),
  placement: enumOf(PLACEMENTS),
  parameters: ParameterValues,
  code: Type.String({ description: 'As visitors get it, with the parameters filled in.' }),
  filled: Type.Array(PlaceRecord, { description: 'Where they are filled in.' }),
  enabled: Type.Boolean(),
  injected: Type.Boolean({ description: 'It is on the pages: switched on, and its app may run.' }),
  connected_on: Timestamp,
  last_update: Timestamp,
})
export const TestRecord = obj({
  app: obj({ id: Type.String(), displayName: Type.String() }),
  added_by: obj({ user_id: Type.String(), email: Type.String() }),
  added_on: Timestamp,
})
const ConsentSettings = obj({ consent_required: Type.Boolean() })

/** Routes by which administrators manage scripts that apps have connected (docs/api/scripts.md#connections). */
export const projectScriptRoutes = [
  route({
    method: 'POST',
    path: '/project/scripts/list',
    summary: 'The scripts that apps have connected to the project, and the apps whose drafts are tried in it.',
    auth: 'session',
    role: 'administrator',
    response: obj({
      scripts: Type.Array(ConnectionRecord),
      tests: Type.Array(TestRecord),
      settings: ConsentSettings,
    }),
    read: async (_, { db, project_id }) => ({
      scripts: (await listConnections(db, project_id)).map(connectionRecord),
      tests: (await listTestedApps(db, project_id)).map(testRecord),
      settings: { consent_required: await consentRequired(db, project_id) },
    }),
  }),

  route({
    method: 'POST',
    path: '/project/scripts/end-test',
    summary: 'Takes the drafts of an app off the pages of the project.',
    auth: 'session',
    role: 'administrator',
    audit: { target: { kind: 'app', input: 'app_id' } },
    body: obj({ app_id: Type.String({ minLength: 1 }) }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ app_id }, { tx, project_id }) => endTest(tx, project_id, app_id),
  }),

  route({
    method: 'POST',
    path: '/project/scripts/switch',
    summary: 'Switches a script off or on. One that is off stays off, whatever its app does.',
    auth: 'session',
    role: 'administrator',
    body: obj({ connection_id: Id, enabled: Type.Boolean() }),
    audit: { target: { kind: 'script_connection', input: 'connection_id' }, details: ['enabled'] },
    response: obj({ script: ConnectionRecord }),
    errors: ['NOT_FOUND'],
    async write({ connection_id, enabled }, { tx, project_id, now }) {
      await switchConnection(tx, { project_id, connection_id }, enabled, now)
      const connections = await listConnections(tx, project_id)
      const switched = connections.find((connection) => connection.connection_id === connection_id)
      if (!switched) throw notFound('connected script')
      return { script: connectionRecord(switched) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/scripts/preview',
    summary: 'Addresses that show a page of the site with a script and without it, to anyone who has them.',
    auth: 'session',
    role: 'member',
    body: obj({ connection_id: Id, path: Type.String({ minLength: 1, maxLength: 2000 }) }),
    response: obj({ with_script: Type.String(), without_script: Type.String(), expires_on: Timestamp }),
    errors: ['NOT_FOUND'],
    async read({ connection_id, path }, { db, project_id, base_url, keys, clock }) {
      await requireConnection(db, project_id, connection_id)
      const { slug } = await getProject(db, project_id)
      const page = addressBySlug(base_url, slug, requirePagePath(path))
      const preview = (shown: boolean) => scriptPreviewToken({ keys, clock }, { project_id, connection_id, shown })
      const [shown, left_out] = [preview(true), preview(false)]
      return {
        with_script: `${page}?${SCRIPT_PREVIEW}=${shown.token}`,
        without_script: `${page}?${SCRIPT_PREVIEW}=${left_out.token}`,
        expires_on: iso(shown.expires_at),
      }
    },
  }),

  route({
    method: 'POST',
    path: '/project/scripts/remove',
    summary: 'Removes a script. Its app may connect it again.',
    auth: 'session',
    role: 'administrator',
    audit: { target: { kind: 'script_connection', input: 'connection_id' } },
    body: obj({ connection_id: Id }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ connection_id }, { tx, project_id }) => removeConnection(tx, project_id, connection_id),
  }),

  route({
    method: 'POST',
    path: '/project/scripts/settings',
    summary: 'Whether visitors are asked before scripts run that are not essential.',
    auth: 'session',
    role: 'administrator',
    audit: { target: 'project' },
    body: ConsentSettings,
    response: obj({ settings: ConsentSettings }),
    async write({ consent_required }, { tx, project_id, now }) {
      await requireConsent(tx, project_id, consent_required, now)
      return { settings: { consent_required } }
    },
  }),
]

export function testRecord({ app, added_by, added_at }: TestedApp): Static<typeof TestRecord> {
  return { app: { id: app.id, displayName: app.display_name }, added_by, added_on: iso(added_at) }
}

export function connectionRecord(of: OwnersConnection): Static<typeof ConnectionRecord> {
  const { app, html, created_at, updated_at, ...connection } = of
  return {
    ...connection,
    app: { id: app.id, displayName: app.display_name },
    code: html,
    connected_on: iso(created_at),
    last_update: iso(updated_at),
  }
}
