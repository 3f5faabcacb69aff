import type { ProjectId } from '../ids.ts'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Reader, Tx } from '../store/open.ts'
import {
  type ParameterFormats,
  type Parameters,
  type Placement,
  script_connections,
  script_settings,
  scripts,
  type ScriptType,
  switched_off_scripts,
} from '../store/tables/scripts.ts'
import { mergeParameters } from './parameters.ts'
import { fitsPage, type Filling, renderScript } from './render.ts'
import { first, oneOrNotFound } from '../store/rows.ts'

/** A script that is injected into a project's pages. */
export interface ConnectedScript {
  connection_id: number
  script_id: number
  app_id: string
  name: string
  type: ScriptType
  placement: Placement
  /** The code with its placeholders replaced by parameter values. */
  html: string
  /** The script runs only after the visitor consented to its type. */
  gated: boolean
}

/**
 * The scripts injected into a project's pages, in connection order: published scripts of apps that are approved or
 * developed by a member of the project, except scripts of suspended apps and scripts that the owner switched off
 * (docs/api/scripts.md#placement).
 */
export async function connectedScripts(db: Reader, project_id: ProjectId): Promise<ConnectedScript[]> {
  const rows = await connections(db, sql`connection.project_id = ${project_id} AND ${MAY_RUN} AND NOT ${SWITCHED_OFF}`)
  return rows.flatMap(({ connection_id, script_id, app_id, name, type, placement, consent_required, ...script }) => {
    // A new version can make existing parameters spoil it. Only that script is left out of the page.
    const html = renderedOrNull(script)
    if (html === null) return []
    return [
      {
        connection_id,
        script_id,
        app_id,
        name,
        type,
        placement,
        html,
        gated: consent_required && type !== 'Essential',
      },
    ]
  })
}

/** Null when rendering fails or its result does not fit: one faulty script must not remove the others from the page. */
function renderedOrNull({ code, parameters, parameter_formats }: Filling): string | null {
  try {
    const html = renderScript(code, parameters, parameter_formats)
    return fitsPage(code, html) ? html : null
  } catch {
    return null
  }
}

/** Disconnects an app's scripts from one project, or from all, and deletes the owners' switches for them. */
export async function disconnectScripts(
  tx: Tx,
  { app_id, project_id }: { app_id: string; project_id?: ProjectId },
): Promise<void> {
  const own = tx.select({ id: scripts.id }).from(scripts).where(eq(scripts.app_id, app_id))
  for (const table of [script_connections, switched_off_scripts]) {
    await tx
      .delete(table)
      .where(
        and(inArray(table.script_id, own), project_id === undefined ? undefined : eq(table.project_id, project_id)),
      )
  }
}

/** A script connection as the project's owner sees it. */
export interface OwnersConnection {
  connection_id: number
  script_id: number
  app: { id: string; display_name: string }
  name: string
  type: ScriptType
  placement: Placement
  parameters: Parameters
  html: string
  /** False when the owner switched the script off. */
  enabled: boolean
  /** The script is on the pages: it is enabled and its app may run. */
  injected: boolean
  created_at: number
  updated_at: number
}

/** Every script connection of the project, including those without effect. */
export async function listConnections(db: Reader, project_id: ProjectId): Promise<OwnersConnection[]> {
  const rows = await connections(db, sql`connection.project_id = ${project_id}`)
  return rows.map(
    ({
      connection_id,
      script_id,
      app_id,
      display_name,
      name,
      type,
      placement,
      code,
      parameters,
      parameter_formats,
      switched_off,
      runs,
      created_at,
      updated_at,
    }) => ({
      connection_id,
      script_id,
      app: { id: app_id, display_name },
      name,
      type,
      placement,
      parameters,
      html: renderScript(code, parameters, parameter_formats),
      enabled: !switched_off,
      injected: runs && !switched_off,
      created_at,
      updated_at,
    }),
  )
}

/**
 * Sets the owner's switch for a script. It stays as set when the app disconnects and connects the script again.
 * Throws NOT_FOUND for a connection of another project.
 */
export async function switchConnection(
  tx: Tx,
  { project_id, connection_id }: { project_id: ProjectId; connection_id: number },
  enabled: boolean,
  now: number,
): Promise<void> {
  const script_id = await getConnectedScript(tx, project_id, connection_id)
  if (enabled)
    await tx
      .delete(switched_off_scripts)
      .where(and(eq(switched_off_scripts.project_id, project_id), eq(switched_off_scripts.script_id, script_id)))
  else
    await tx.insert(switched_off_scripts).values({ project_id, script_id, switched_off_at: now }).onConflictDoNothing()
}

/** Removes a connection for the owner. The app may connect the script again; the owner's switch is unchanged. */
export async function removeConnection(tx: Tx, project_id: ProjectId, connection_id: number): Promise<void> {
  await getConnectedScript(tx, project_id, connection_id)
  await tx.delete(script_connections).where(eq(script_connections.id, connection_id))
}

/** Whether scripts that are not essential need the visitor's consent (docs/api/scripts.md#visitor-consent). */
export async function consentRequired(db: Reader, project_id: ProjectId): Promise<boolean> {
  return (
    first(
      await db
        .select({ consent_required: script_settings.consent_required })
        .from(script_settings)
        .where(eq(script_settings.project_id, project_id)),
    )?.consent_required ?? false
  )
}

export async function requireConsent(
  tx: Tx,
  project_id: ProjectId,
  consent_required: boolean,
  now: number,
): Promise<void> {
  const settings = { consent_required, updated_at: now }
  await tx
    .insert(script_settings)
    .values({ project_id, ...settings })
    .onConflictDoUpdate({ target: script_settings.project_id, set: settings })
}

/** The connected script's id. Throws NOT_FOUND for a connection of another project. */
async function getConnectedScript(tx: Tx, project_id: ProjectId, connection_id: number): Promise<number> {
  return oneOrNotFound(
    await tx
      .select({ script_id: script_connections.script_id })
      .from(script_connections)
      .where(and(eq(script_connections.id, connection_id), eq(script_connections.project_id, project_id))),
    'connected script',
    '/connection_id',
  ).script_id
}

/** Whether a script is published and its app may run in the project of the connection. */
const MAY_RUN = sql`(live.script_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM app_suspensions AS suspension WHERE suspension.app_id = app.id)
  AND (app.status = 'approved' OR EXISTS (
    SELECT 1 FROM members AS member WHERE member.project_id = connection.project_id
    AND (member.user_id = app.user_id OR EXISTS (
      SELECT 1 FROM app_team AS teammate WHERE teammate.app_id = app.id AND teammate.user_id = member.user_id)))))`

const SWITCHED_OFF = sql`EXISTS (
  SELECT 1 FROM switched_off_scripts AS off
  WHERE off.project_id = connection.project_id AND off.script_id = connection.script_id)`

interface ConnectionRow {
  connection_id: number
  script_id: number
  overrides: string
  created_at: number
  updated_at: number
  app_id: string
  display_name: string
  name: string
  type: ScriptType
  placement: Placement
  code: string
  defaults: string
  formats: string
  runs: 0 | 1
  switched_off: 0 | 1
  consent_required: 0 | 1
}

/**
 * Script connections with the published version of their scripts, or the developer's draft when none is published.
 * One hand-written statement, because every uncached page waits for it.
 */
async function connections(db: Reader, which: SQL) {
  const rows = await db.all<ConnectionRow>(sql`
    SELECT connection.id AS connection_id, connection.script_id, connection.parameters AS overrides,
      connection.created_at, connection.updated_at, app.id AS app_id, app.display_name,
      coalesce(live.name, draft.name) AS name, coalesce(live.type, draft.type) AS type,
      coalesce(live.placement, draft.placement) AS placement, coalesce(live.code, draft.code) AS code,
      coalesce(live.parameters, draft.parameters) AS defaults, coalesce(live.parameter_formats, '{}') AS formats,
      ${MAY_RUN} AS runs, ${SWITCHED_OFF} AS switched_off, coalesce(settings.consent_required, 0) AS consent_required
    FROM script_connections AS connection
    JOIN scripts AS draft ON draft.id = connection.script_id
    JOIN apps AS app ON app.id = draft.app_id
    LEFT JOIN published_scripts AS live ON live.script_id = connection.script_id
    LEFT JOIN script_settings AS settings ON settings.project_id = connection.project_id
    WHERE ${which} ORDER BY connection.id`)
  return rows.map(({ overrides, defaults, formats, runs, switched_off, consent_required, ...row }) => ({
    ...row,
    parameters: mergeParameters(JSON.parse(defaults) as Parameters, JSON.parse(overrides) as Parameters),
    parameter_formats: JSON.parse(formats) as ParameterFormats,
    runs: runs === 1,
    switched_off: switched_off === 1,
    consent_required: consent_required === 1,
  }))
}
