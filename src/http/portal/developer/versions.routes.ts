import { Type } from '@sinclair/typebox'
import { openApp } from '../../../developer/apps.ts'
import { announceRedirects } from '../../../developer/notices.ts'
import {
  checkScript,
  createScript,
  getScript,
  isOnPages,
  listScripts,
  removeScript,
  updateScript,
} from '../../../developer/scripts.ts'
import { tryScript } from '../../../developer/trial.ts'
import { createVersion, getVersion, listVersions, liveVersionId, rollBack } from '../../../developer/versions.ts'
import { AppError } from '../../../errors.ts'
import { ExpectedUpdatedAt, requireUnchanged } from '../../../operation/unchanged.ts'
import { Id, line, nullable, obj, prose, enumOf, requiredProse, ruled } from '../../../schema.ts'
import { PLACEMENTS, SCRIPT_TYPES } from '../../../store/tables/scripts.ts'
import { route } from '../../core/route.ts'
import { CODE_MAX_BYTES } from '../../../scripts/code.ts'
import { ParameterFormats, ParameterInput, PlaceRecord, Success } from '../../core/schemas.ts'
import { APPS } from './apps.routes.ts'
import {
  fullVersionRecord,
  FullVersionRecord,
  ScriptRecord,
  scriptRecord,
  VersionRecord,
  versionRecord,
} from './records.ts'

const SCRIPTS = `${APPS}/:id/scripts` as const
const VERSIONS = `${APPS}/:id/versions` as const

const ScriptBody = obj({
  name: ruled(line(200), { pattern: '\\S' }),
  type: enumOf(SCRIPT_TYPES),
  placement: enumOf(PLACEMENTS),
  code: ruled(Type.String(), requiredProse(CODE_MAX_BYTES)),
  parameters: Type.Optional(ParameterInput),
  parameter_formats: Type.Optional(ParameterFormats),
})

/** What is tried may be wrong: the answer says what is. */
const ScriptTrial = obj({
  code: Type.String(),
  parameters: Type.Optional(Type.Unknown()),
  parameter_formats: ScriptBody.properties.parameter_formats,
})

/** `…/:id/scripts`: what a developer writes (docs/api/scripts.md#definitions). */
const scripts = [
  route({
    method: 'GET',
    path: SCRIPTS,
    summary: 'The scripts of an app.',
    auth: 'session',
    response: obj({ scripts: Type.Array(ScriptRecord) }),
    read: async ({ id }, { db, caller }) => ({
      scripts: (await listScripts(db, (await openApp(db, id, caller.user_id, 'read')).id)).map(scriptRecord),
    }),
  }),

  route({
    method: 'POST',
    path: SCRIPTS,
    summary: 'Adds a script.',
    auth: 'session',
    audit: { target: { answer: 'script' }, ids: { app_id: 'id' } },
    body: ScriptBody,
    response: obj({ script: ScriptRecord }),
    errors: ['CONFLICT'],
    // Parsing the code is slow.
    prepare: async ({ id: _, ...input }) => checkScript(input),
    write: async ({ id }, { tx, caller, now }, script) => ({
      script: scriptRecord(await createScript(tx, await openApp(tx, id, caller.user_id, 'change'), script, now)),
    }),
  }),

  route({
    method: 'POST',
    path: `${SCRIPTS}/render`,
    summary: 'A script that is not saved, as sites would get it with the given values.',
    auth: 'session',
    body: ScriptTrial,
    response: obj({
      code: Type.String({ description: 'A placeholder without a value stays.' }),
      keys: Type.Array(Type.String(), { description: 'The placeholders of the code.' }),
      problem: nullable(Type.String({ description: 'Why it could not be saved.' })),
      problem_at: nullable({ ...PlaceRecord, description: 'Which piece of the code the problem is about.' }),
    }),
    async read({ id, ...text }, { db, caller }) {
      await openApp(db, id, caller.user_id, 'read')
      return tryScript(text)
    },
  }),

  route({
    method: 'GET',
    path: `${SCRIPTS}/:scriptId`,
    summary: 'One script.',
    auth: 'session',
    params: obj({ scriptId: Id }),
    response: obj({
      script: ScriptRecord,
      on_pages: Type.Boolean({ description: 'A change of it is seen on pages of projects at once.' }),
    }),
    async read({ id, scriptId }, { db, caller }) {
      const app = await openApp(db, id, caller.user_id, 'read')
      const script = await getScript(db, app.id, scriptId)
      return { script: scriptRecord(script), on_pages: await isOnPages(db, app, scriptId) }
    },
  }),

  route({
    method: 'PATCH',
    path: `${SCRIPTS}/:scriptId`,
    summary: 'Changes a script. Sites of an approved app keep the approved text until a new version is approved.',
    auth: 'session',
    audit: { target: { kind: 'script', input: 'scriptId' }, ids: { app_id: 'id' }, changes: true },
    params: obj({ scriptId: Id }),
    body: obj({
      ...Type.Partial(ScriptBody).properties,
      expected_updated_at: Type.Optional(ExpectedUpdatedAt),
      unless_on_pages: Type.Optional(
        Type.Boolean({
          description: 'Changes nothing, with 409, when pages of projects would show the change at once.',
        }),
      ),
    }),
    response: obj({ script: ScriptRecord }),
    errors: ['CONFLICT'],
    prepare: async ({ id: _, scriptId: __, expected_updated_at: ___, unless_on_pages: ____, ...changes }) =>
      checkScript(changes),
    async write({ id, scriptId, expected_updated_at, unless_on_pages = false }, { tx, caller, now }, changes) {
      const app = await openApp(tx, id, caller.user_id, 'change')
      if (expected_updated_at !== undefined) {
        const { updated_at } = await getScript(tx, app.id, scriptId)
        await requireUnchanged(tx, expected_updated_at, { project_id: null, target: `script:${scriptId}`, updated_at })
      }
      if (unless_on_pages && (await isOnPages(tx, app, scriptId)))
        throw new AppError('CONFLICT', 'Pages of projects show this script: a change of it needs your word.')
      return { script: scriptRecord(await updateScript(tx, app, { ...changes, script_id: scriptId }, now)) }
    },
  }),

  route({
    method: 'DELETE',
    path: `${SCRIPTS}/:scriptId`,
    summary: 'Removes a script.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, ids: { script_id: 'scriptId' } },
    params: obj({ scriptId: Id }),
    body: obj({}),
    response: Success,
    write: async ({ id, scriptId }, { tx, caller, now }) =>
      removeScript(tx, await openApp(tx, id, caller.user_id, 'change'), scriptId, now),
  }),
]

/** `…/:id/versions`: what a developer freezes for review (docs/api/scripts.md#versions-and-review). */
const versions = [
  route({
    method: 'GET',
    path: VERSIONS,
    summary: 'The versions of an app.',
    auth: 'session',
    response: obj({ versions: Type.Array(VersionRecord) }),
    async read({ id }, { db, caller }) {
      const app = await openApp(db, id, caller.user_id, 'read')
      const live_id = await liveVersionId(db, app.id)
      return { versions: (await listVersions(db, app.id)).map((version) => versionRecord(version, live_id)) }
    },
  }),

  route({
    method: 'POST',
    path: VERSIONS,
    summary: 'Freezes identity, scripts, listing and scopes as a new version.',
    auth: 'session',
    audit: { target: { answer: 'version' }, ids: { app_id: 'id' } },
    body: obj({ notes: Type.Optional(prose(4000)) }),
    response: obj({ version: VersionRecord }),
    errors: ['CONFLICT'],
    write: async ({ id, notes = '' }, { tx, caller, now }) => ({
      version: versionRecord(
        await createVersion(
          tx,
          await openApp(tx, id, caller.user_id, 'change'),
          { user_id: caller.user_id, notes },
          now,
        ),
        null,
      ),
    }),
  }),

  route({
    method: 'GET',
    path: `${VERSIONS}/:versionId`,
    summary: 'One version with its contents.',
    auth: 'session',
    params: obj({ versionId: Id }),
    response: obj({ version: FullVersionRecord }),
    async read({ id, versionId }, { db, caller }) {
      const app = await openApp(db, id, caller.user_id, 'read')
      const version = await getVersion(db, app.id, versionId)
      return { version: fullVersionRecord(version, await liveVersionId(db, app.id)) }
    },
  }),

  route({
    method: 'POST',
    path: `${VERSIONS}/:versionId/rollback`,
    summary: 'Gives sites an earlier approved version.',
    auth: 'session',
    audit: { target: { kind: 'version', input: 'versionId' }, ids: { app_id: 'id' } },
    params: obj({ versionId: Id }),
    body: obj({}),
    response: obj({ version: VersionRecord }),
    errors: ['INVALID_STATE', 'CONFLICT'],
    async write({ id, versionId }, context) {
      const { tx, caller, now, wake, afterCommit } = context
      const app = await openApp(tx, id, caller.user_id, 'change')
      const version = await rollBack(tx, app, versionId, now)
      await announceRedirects(tx, context, app)
      afterCommit(() => wake('mail'))
      return { version: versionRecord(version, version.id) }
    },
  }),
]

export const versionRoutes = [...scripts, ...versions]
