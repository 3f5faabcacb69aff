import type { ProjectId } from '../../ids.ts'
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { admit, requireRole } from '../../access/permission.ts'
import { iso } from '../../clock.ts'
import { invalid, notFound } from '../../errors.ts'
import { check, Id, obj } from '../../schema.ts'
import {
  consentRequired,
  listConnections,
  type OwnersConnection,
  removeConnection,
  requireConsent,
  switchConnection,
} from '../../scripts/connections.ts'
import { disconnect, embedScript, isApproved, listEmbeddable, projectOfConnection } from '../../scripts/embed.ts'
import { checkParameters } from '../../scripts/parameters.ts'
import type { Runtime } from '../../runtime.ts'
import { forApp } from './app-request.ts'
import { readJson } from '../core/body.ts'
import { type Handler, json } from '../core/exchange.ts'
import { signedIn } from '../core/session-route.ts'

const SCRIPTS_ROOT = '/general/api/v1/scripts'

/** What apps and project owners do with embedded scripts: method, path and handler of each route. */
export function scriptRoutes(runtime: Runtime): [string, string, Handler][] {
  return [
    ['ALL', `${SCRIPTS_ROOT}/list`, scriptList(runtime)],
    ['ALL', `${SCRIPTS_ROOT}/embed`, scriptEmbed(runtime)],
    ['ALL', `${SCRIPTS_ROOT}/connection/*`, connectionEnd(runtime)],
    ['POST', '/project/scripts/list', connectedList(runtime)],
    ['POST', '/project/scripts/switch', connectedSwitch(runtime)],
    ['POST', '/project/scripts/remove', connectedRemove(runtime)],
    ['POST', '/project/scripts/settings', consentSetting(runtime)],
  ]
}

/** `POST /scripts/list?project_id=…`: every script of the calling app; a body is not looked at. */
function scriptList(runtime: Runtime): Handler {
  return forApp(runtime, { method: 'POST', route: '/scripts/list', scope: 'scripts:read' }, async ({ url }, caller) => {
    const named = url.searchParams.getAll('project_id')
    if (named.length > 1) throw invalid('/project_id', 'One project at a time.')
    const { project_id, project_public_id } = await admit(runtime.store.db, caller, named[0])
    const scripts = await listEmbeddable(runtime.store.db, caller.app_id, project_id)
    return { project_id: project_public_id, scripts }
  })
}

const Embed = obj({
  scriptId: Id,
  project_id: Type.String({ minLength: 1 }),
  parameters: Type.Optional(Type.Unknown()),
})

/** `POST /scripts/embed`: connects a script, or changes the parameters of one that is connected. */
function scriptEmbed(runtime: Runtime): Handler {
  return forApp(
    runtime,
    { method: 'POST', route: '/scripts/embed', scope: 'scripts:embed' },
    async ({ request, now }, caller) => {
      const { scriptId, project_id: named, parameters } = check(Embed, await readJson(request))
      const values = parameters === undefined ? undefined : checkParameters(parameters)
      const { project_id, role } = await admit(runtime.store.db, caller, named)
      // Nobody has reviewed what an app in development brings: it is an edit of the pages by whoever granted it.
      if (!(await isApproved(runtime.store.db, caller.app_id))) requireRole(role, 'editor')
      await runtime.store.write((tx) =>
        embedScript(tx, { app_id: caller.app_id, project_id, script_id: scriptId, parameters: values }, now),
      )
      return { success: true }
    },
  )
}

/** `DELETE /scripts/connection/:connectionId` */
function connectionEnd(runtime: Runtime): Handler {
  return forApp(
    runtime,
    { method: 'DELETE', route: '/scripts/connection/:connectionId', scope: 'scripts:delete' },
    async ({ params }, caller) => {
      const connection_id = wholeNumber(params['*'])
      if (connection_id === null) throw invalid('/connectionId', 'Expected a positive whole number.')
      await admit(runtime.store.db, caller, await projectOfConnection(runtime.store.db, caller.app_id, connection_id))
      await runtime.store.write((tx) => disconnect(tx, connection_id))
      return { success: true }
    },
  )
}

/** The number a path segment spells, or null: no sign, no zeros before it, nothing that is not exact. */
export function wholeNumber(text: string | undefined): number | null {
  const number = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : null
  return number !== null && Number.isSafeInteger(number) ? number : null
}

/** `POST /project/scripts/list`: what apps have put on the project's pages, with the code as visitors get it. */
function connectedList(runtime: Runtime): Handler {
  return forAdministrators(runtime, {}, async ({ project_id }) => ({
    scripts: (await listConnections(runtime.store.db, project_id)).map(connectionRecord),
    settings: { consent_required: await consentRequired(runtime.store.db, project_id) },
  }))
}

/** `POST /project/scripts/switch` */
function connectedSwitch(runtime: Runtime): Handler {
  return forAdministrators(
    runtime,
    { connection_id: Id, enabled: Type.Boolean() },
    async ({ project_id, now }, { connection_id, enabled }) => {
      const connections = await runtime.store.write(async (tx) => {
        await switchConnection(tx, { project_id, connection_id }, enabled, now)
        return listConnections(tx, project_id)
      })
      const switched = connections.find((connection) => connection.connection_id === connection_id)
      if (!switched) throw notFound('connected script')
      return { script: connectionRecord(switched) }
    },
  )
}

/** `POST /project/scripts/remove` */
function connectedRemove(runtime: Runtime): Handler {
  return forAdministrators(runtime, { connection_id: Id }, async ({ project_id }, { connection_id }) => {
    await runtime.store.write((tx) => removeConnection(tx, project_id, connection_id))
    return { success: true }
  })
}

/** `POST /project/scripts/settings` */
function consentSetting(runtime: Runtime): Handler {
  return forAdministrators(
    runtime,
    { consent_required: Type.Boolean() },
    async ({ project_id, now }, { consent_required }) => {
      await runtime.store.write((tx) => requireConsent(tx, project_id, consent_required, now))
      return { settings: { consent_required } }
    },
  )
}

function forAdministrators<P extends TProperties>(
  runtime: Runtime,
  properties: P,
  run: (admitted: { project_id: ProjectId; now: number }, input: Static<TObject<P>>) => Promise<object>,
): Handler {
  const schema = obj({ project_id: Type.String({ minLength: 1 }), ...properties })
  return signedIn(runtime, async ({ request, now }, caller) => {
    const input = check(schema, await readJson(request)) as unknown as Static<TObject<P>> & { project_id: string }
    const { project_id, role } = await admit(runtime.store.db, caller, input.project_id)
    requireRole(role, 'administrator')
    return json(200, await run({ project_id, now }, input))
  })
}

function connectionRecord({ app, html, created_at, updated_at, ...connection }: OwnersConnection) {
  return {
    ...connection,
    app: { id: app.id, displayName: app.display_name },
    code: html,
    connected_on: iso(created_at),
    last_update: iso(updated_at),
  }
}
