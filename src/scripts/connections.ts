import type { ProjectId } from '../ids.ts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../store/open.ts'
import {
  type Parameters,
  type Placement,
  script_connections,
  script_settings,
  scripts,
  type ScriptType,
  switched_off_scripts,
} from '../store/tables/scripts.ts'
import { connections, drafts, MAY_RUN, SWITCHED_OFF, TESTED } from './connection-rows.ts'
import type { CodeRange } from './code.ts'
import { fitsPage, type Filling, renderFilled, renderScript } from './render.ts'
import { first, oneOrNotFound } from '../store/rows.ts'

/** A script that is injected into a project's pages. */
export interface ConnectedScript {
  connection_id: number
  script_id: number
  app_id: string
  app_name: string
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
 * (docs/api/scripts.md#placement). An app that is tested in the project has its drafts there in their place.
 *
 * @param trial a connection that is among them though it is switched off, and waits for no consent, or that is left out
 */
export async function connectedScripts(
  db: Reader,
  project_id: ProjectId,
  trial?: { connection_id: number; shown: boolean },
): Promise<ConnectedScript[]> {
  const of = sql`connection.project_id = ${project_id}`
  const on = trial?.shown
    ? sql`(NOT ${SWITCHED_OFF} OR connection.id = ${trial.connection_id})`
    : sql`NOT ${SWITCHED_OFF}`
  const rows = await connections(db, sql`${of} AND ${MAY_RUN} AND ${on} AND NOT ${TESTED}`)
  const left_out = trial && !trial.shown ? trial.connection_id : null
  // Whoever looks at a script has asked for it, and would see nothing of one that waits for a visitor.
  const tried = trial?.shown ? trial.connection_id : null
  return [...rows, ...(await drafts(db, project_id))].flatMap(
    ({ connection_id, script_id, app_id, display_name, name, type, placement, consent_required, ...script }) => {
      if (connection_id === left_out) return []
      // A new version can make existing parameters spoil it. Only that script is left out of the page.
      const html = renderedOrNull(script)
      if (html === null) return []
      return [
        {
          connection_id,
          script_id,
          app_id,
          app_name: display_name,
          name,
          type,
          placement,
          html,
          gated: consent_required && type !== 'Essential' && connection_id !== tried,
        },
      ]
    },
  )
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
  /** Where the values of parameters stand in `html`. */
  filled: CodeRange[]
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
      ...renderFilled(code, parameters, parameter_formats),
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
  const script_id = await requireConnection(tx, project_id, connection_id)
  if (enabled)
    await tx
      .delete(switched_off_scripts)
      .where(and(eq(switched_off_scripts.project_id, project_id), eq(switched_off_scripts.script_id, script_id)))
  else
    await tx.insert(switched_off_scripts).values({ project_id, script_id, switched_off_at: now }).onConflictDoNothing()
}

/** Removes a connection for the owner. The app may connect the script again; the owner's switch is unchanged. */
export async function removeConnection(tx: Tx, project_id: ProjectId, connection_id: number): Promise<void> {
  await requireConnection(tx, project_id, connection_id)
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
export async function requireConnection(db: Reader, project_id: ProjectId, connection_id: number): Promise<number> {
  return oneOrNotFound(
    await db
      .select({ script_id: script_connections.script_id })
      .from(script_connections)
      .where(and(eq(script_connections.id, connection_id), eq(script_connections.project_id, project_id))),
    'connected script',
    '/connection_id',
  ).script_id
}
