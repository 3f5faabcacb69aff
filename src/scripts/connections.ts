import type { ProjectId } from '../ids.ts'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { notFound } from '../errors.ts'
import { canonicalJson } from '../store/page.ts'
import type { Reader, Tx } from '../store/open.ts'
import { sha256 } from '../secrets.ts'
import {
  type Parameters,
  type Placement,
  script_connections,
  script_settings,
  scripts,
  type ScriptType,
  switched_off_scripts,
} from '../store/tables/scripts.ts'
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
export async function connectedScripts(db: Reader, project_id: ProjectId): Promise<ConnectedScript[]> {
  const rows = await connections(db, sql`c.project_id = ${project_id} AND ${RUNS} AND NOT ${SWITCHED_OFF}`)
  return rows.flatMap(
    ({ connection_id, script_id, app_id, name, type, placement, code, parameters, consent_required }) => {
      const html = rendered(code, parameters)
      // A new version may have made too much of old parameters: that script is left out, the page still stands.
      if (html === null || html.length > RENDERED_MAX_BYTES) return []
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
    },
  )
}

/** A script that cannot be drawn is left out; it must not take the others with it. */
function rendered(code: string, parameters: Parameters): string | null {
  try {
    return renderScript(code, parameters)
  } catch {
    return null
  }
}

/** Changes whenever what is injected does: part of a page's ETag. */
export function scriptsRevision(connected: readonly ConnectedScript[]): string {
  return sha256(canonicalJson(connected)).slice(0, 16)
}

/** Takes an app's scripts off a project's pages, or off all pages; the owner's switches are forgotten with them. */
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
export async function listConnections(db: Reader, project_id: ProjectId): Promise<OwnersConnection[]> {
  const rows = await connections(db, sql`c.project_id = ${project_id}`)
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
      html: renderScript(code, parameters),
      enabled: !switched_off,
      injected: runs && !switched_off,
      created_at,
      updated_at,
    }),
  )
}

/** The owner switches a script off or on again, whatever the app does. NOT_FOUND for a connection of another project. */
export async function switchConnection(
  tx: Tx,
  project_id: ProjectId,
  connection_id: number,
  enabled: boolean,
  now: number,
): Promise<void> {
  const script_id = await scriptOf(tx, project_id, connection_id)
  if (enabled)
    await tx
      .delete(switched_off_scripts)
      .where(and(eq(switched_off_scripts.project_id, project_id), eq(switched_off_scripts.script_id, script_id)))
  else
    await tx.insert(switched_off_scripts).values({ project_id, script_id, switched_off_at: now }).onConflictDoNothing()
}

/** The owner removes a script; its app may connect it again, a switch that is off stays off. */
export async function removeConnection(tx: Tx, project_id: ProjectId, connection_id: number): Promise<void> {
  await scriptOf(tx, project_id, connection_id)
  await tx.delete(script_connections).where(eq(script_connections.id, connection_id))
}

/** Whether the project's visitors are asked before scripts run that are not essential. */
export async function consentRequired(db: Reader, project_id: ProjectId): Promise<boolean> {
  const [settings] = await db
    .select({ consent_required: script_settings.consent_required })
    .from(script_settings)
    .where(eq(script_settings.project_id, project_id))
  return settings?.consent_required ?? false
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

async function scriptOf(tx: Tx, project_id: ProjectId, connection_id: number): Promise<number> {
  const [connection] = await tx
    .select({ script_id: script_connections.script_id })
    .from(script_connections)
    .where(and(eq(script_connections.id, connection_id), eq(script_connections.project_id, project_id)))
  if (!connection) throw notFound('connected script', '/connection_id')
  return connection.script_id
}

/** Whether a script is live and its app may run in the project of the connection. */
const RUNS = sql`(l.script_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM app_suspensions x WHERE x.app_id = a.id)
  AND (a.status = 'approved' OR EXISTS (
    SELECT 1 FROM members m WHERE m.project_id = c.project_id
    AND (m.user_id = a.user_id OR EXISTS (SELECT 1 FROM app_team t WHERE t.app_id = a.id AND t.user_id = m.user_id)))))`

const SWITCHED_OFF = sql`EXISTS (SELECT 1 FROM switched_off_scripts o WHERE o.project_id = c.project_id AND o.script_id = c.script_id)`

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
  runs: 0 | 1
  switched_off: 0 | 1
  consent_required: 0 | 1
}

/**
 * Connections with their scripts as sites get them; one that no site gets any more, as its developer left it. Written
 * out by hand: a page is not served before this has been answered.
 */
async function connections(db: Reader, which: SQL) {
  const rows = await db.all<ConnectionRow>(sql`
    SELECT c.id AS connection_id, c.script_id, c.parameters AS overrides, c.created_at, c.updated_at, a.id AS app_id, a.display_name,
      coalesce(l.name, s.name) AS name, coalesce(l.type, s.type) AS type, coalesce(l.placement, s.placement) AS placement,
      coalesce(l.code, s.code) AS code, coalesce(l.parameters, s.parameters) AS defaults,
      ${RUNS} AS runs, ${SWITCHED_OFF} AS switched_off, coalesce(p.consent_required, 0) AS consent_required
    FROM script_connections c
    JOIN scripts s ON s.id = c.script_id
    JOIN apps a ON a.id = s.app_id
    LEFT JOIN live_scripts l ON l.script_id = c.script_id
    LEFT JOIN script_settings p ON p.project_id = c.project_id
    WHERE ${which} ORDER BY c.id`)
  return rows.map(({ overrides, defaults, runs, switched_off, consent_required, ...row }) => ({
    ...row,
    parameters: mergeParameters(JSON.parse(defaults) as Parameters, JSON.parse(overrides) as Parameters),
    runs: runs === 1,
    switched_off: switched_off === 1,
    consent_required: consent_required === 1,
  }))
}
