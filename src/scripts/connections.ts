import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { notFound } from '../errors.ts'
import { canonicalJson } from '../store/page.ts'
import type { Reader, Tx } from '../store/open.ts'
import { sha256 } from '../secrets.ts'
import { apps } from '../store/tables/apps.ts'
import { live_scripts, type Parameters, type Placement, script_connections, script_settings, scripts, type ScriptType, switched_off_scripts } from '../store/tables/scripts.ts'
import { mergeParameters } from './parameters.ts'
import { RENDERED_MAX_BYTES, renderScript } from './render.ts'

/** A script that is on a project's pages now. */
export interface ConnectedScript {
  connection_id: number
  script_id: number
  app_id: string
  name: string
  type: ScriptType
  placement: Placement
  /** The code with its parameters filled in. */
  html: string
  /** It waits until the visitor has agreed to its type. */
  gated: boolean
}

/**
 * What is injected into a project's pages, in connection order: live scripts of apps that are approved, or are
 * developed by a member of the project; not those of a suspended app, nor those that the owner has switched off.
 */
export async function connectedScripts(db: Reader, project_id: string): Promise<ConnectedScript[]> {
  const rows = await connectionRows(db, and(eq(script_connections.project_id, project_id), sql`${RUNS}`, sql`NOT ${SWITCHED_OFF}`)!)
  return rows.flatMap(({ connection_id, script_id, app_id, name, type, placement, code, parameters, consent_required }) => {
    const html = renderScript(code, parameters)
    // A new version may have made too much of old parameters: that script is left out, the page still stands.
    if (html.length > RENDERED_MAX_BYTES) return []
    return [{ connection_id, script_id, app_id, name, type, placement, html, gated: consent_required && type !== 'Essential' }]
  })
}

/** Changes whenever what is injected does: part of a page's ETag. */
export function scriptsRevision(connected: readonly ConnectedScript[]): string {
  return sha256(canonicalJson(connected)).slice(0, 16)
}

/** Takes an app's scripts off a project's pages, or off all pages; the owner's switches are forgotten with them. */
export async function disconnectScripts(tx: Tx, { app_id, project_id }: { app_id: string; project_id?: string }): Promise<void> {
  const own = tx.select({ id: scripts.id }).from(scripts).where(eq(scripts.app_id, app_id))
  for (const table of [script_connections, switched_off_scripts]) {
    await tx.delete(table).where(and(inArray(table.script_id, own), project_id === undefined ? undefined : eq(table.project_id, project_id)))
  }
}

/** A connection as the project's owner sees it. */
export interface OwnersConnection {
  connection_id: number
  script_id: number
  app: { id: string; display_name: string }
  name: string
  type: ScriptType
  placement: Placement
  parameters: Parameters
  html: string
  /** The owner's switch. */
  enabled: boolean
  /** It is on the pages: switched on, and its app may run. */
  injected: boolean
  created_at: number
  updated_at: number
}

/** Every connection of the project, also those without effect. */
export async function listConnections(db: Reader, project_id: string): Promise<OwnersConnection[]> {
  const rows = await connectionRows(db, eq(script_connections.project_id, project_id))
  return rows.map(({ connection_id, script_id, app_id, display_name, name, type, placement, code, parameters, switched_off, runs, created_at, updated_at }) => ({
    connection_id, script_id, app: { id: app_id, display_name }, name, type, placement, parameters,
    html: renderScript(code, parameters),
    enabled: !switched_off, injected: runs && !switched_off, created_at, updated_at,
  }))
}

/** The owner switches a script off or on again, whatever the app does. NOT_FOUND for a connection of another project. */
export async function switchConnection(tx: Tx, project_id: string, connection_id: number, enabled: boolean, now: number): Promise<void> {
  const script_id = await scriptOf(tx, project_id, connection_id)
  if (enabled) await tx.delete(switched_off_scripts).where(and(eq(switched_off_scripts.project_id, project_id), eq(switched_off_scripts.script_id, script_id)))
  else await tx.insert(switched_off_scripts).values({ project_id, script_id, switched_off_at: now }).onConflictDoNothing()
}

/** The owner removes a script; its app may connect it again, a switch that is off stays off. */
export async function removeConnection(tx: Tx, project_id: string, connection_id: number): Promise<void> {
  await scriptOf(tx, project_id, connection_id)
  await tx.delete(script_connections).where(eq(script_connections.id, connection_id))
}

/** Whether the project's visitors are asked before scripts run that are not essential. */
export async function consentRequired(db: Reader, project_id: string): Promise<boolean> {
  const [settings] = await db.select({ consent_required: script_settings.consent_required }).from(script_settings).where(eq(script_settings.project_id, project_id))
  return settings?.consent_required ?? false
}

export async function requireConsent(tx: Tx, project_id: string, consent_required: boolean, now: number): Promise<void> {
  const settings = { consent_required, updated_at: now }
  await tx.insert(script_settings).values({ project_id, ...settings }).onConflictDoUpdate({ target: script_settings.project_id, set: settings })
}

async function scriptOf(tx: Tx, project_id: string, connection_id: number): Promise<number> {
  const [connection] = await tx.select({ script_id: script_connections.script_id }).from(script_connections)
    .where(and(eq(script_connections.id, connection_id), eq(script_connections.project_id, project_id)))
  if (!connection) throw notFound('connected script', '/connection_id')
  return connection.script_id
}

/** Whether a script is live and its app may run in the project of the connection. */
const RUNS: SQL = sql`(${live_scripts.script_id} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM app_suspensions s WHERE s.app_id = ${apps.id})
  AND (${apps.status} = 'approved' OR EXISTS (
    SELECT 1 FROM members m WHERE m.project_id = ${script_connections.project_id}
    AND (m.user_id = ${apps.user_id} OR EXISTS (SELECT 1 FROM app_team t WHERE t.app_id = ${apps.id} AND t.user_id = m.user_id)))))`

const SWITCHED_OFF: SQL = sql`EXISTS (SELECT 1 FROM switched_off_scripts o WHERE o.project_id = ${script_connections.project_id} AND o.script_id = ${script_connections.script_id})`

async function connectionRows(db: Reader, which: SQL) {
  const rows = await db
    .select({
      connection: script_connections,
      app_id: apps.id,
      display_name: apps.display_name,
      live: live_scripts,
      drafted: scripts,
      runs: sql<number>`${RUNS}`,
      switched_off: sql<number>`${SWITCHED_OFF}`,
      consent_required: script_settings.consent_required,
    })
    .from(script_connections)
    .innerJoin(scripts, eq(scripts.id, script_connections.script_id))
    .innerJoin(apps, eq(apps.id, scripts.app_id))
    .leftJoin(live_scripts, eq(live_scripts.script_id, scripts.id))
    .leftJoin(script_settings, eq(script_settings.project_id, script_connections.project_id))
    .where(which)
    .orderBy(asc(script_connections.id))
  return rows.map(({ connection, app_id, display_name, live, drafted, runs, switched_off, consent_required }) => {
    const { name, type, placement, code, parameters } = live ?? drafted
    return {
      connection_id: connection.id, script_id: connection.script_id, app_id, display_name, name, type, placement, code,
      parameters: mergeParameters(parameters, connection.parameters),
      runs: runs === 1, switched_off: switched_off === 1, consent_required: consent_required ?? false,
      created_at: connection.created_at, updated_at: connection.updated_at,
    }
  })
}
