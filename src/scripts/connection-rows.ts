import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Reader } from '../store/open.ts'
import type { ParameterFormats, Parameters, Placement, ScriptType } from '../store/tables/scripts.ts'
import { mergeParameters } from './parameters.ts'

/** The queries of script connections, and the conditions under which a script runs. */

/** Whether a script is published and its app may run in the project of the connection. */
export const MAY_RUN = sql`(live.script_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM app_suspensions AS suspension WHERE suspension.app_id = app.id)
  AND (app.status = 'approved' OR EXISTS (
    SELECT 1 FROM members AS member WHERE member.project_id = connection.project_id
    AND (member.user_id = app.user_id OR EXISTS (
      SELECT 1 FROM app_team AS teammate WHERE teammate.app_id = app.id AND teammate.user_id = member.user_id)))))`

export const SWITCHED_OFF = sql`EXISTS (
  SELECT 1 FROM switched_off_scripts AS off
  WHERE off.project_id = connection.project_id AND off.script_id = connection.script_id)`

/** Somebody in the team of the app, who administers the project, tests the drafts of the app in it. */
const HOLDS = sql`
  EXISTS (SELECT 1 FROM members AS member WHERE member.project_id = test.project_id
    AND member.user_id = test.user_id AND member.role IN ('administrator', 'owner'))
  AND (test.user_id = app.user_id OR EXISTS (
    SELECT 1 FROM app_team AS teammate WHERE teammate.app_id = app.id AND teammate.user_id = test.user_id))`
/** The drafts of the app stand in for the connection. */
export const TESTED = sql`EXISTS (
  SELECT 1 FROM app_test_projects AS test
  WHERE test.project_id = connection.project_id AND test.app_id = app.id AND ${HOLDS})`

/** The drafts of apps that are tested in a project, connected or not. */
export async function drafts(db: Reader, project_id: ProjectId) {
  const rows = await db.all<Omit<ConnectionRow, 'runs' | 'switched_off'>>(sql`
    SELECT coalesce(connection.id, -draft.id) AS connection_id, draft.id AS script_id,
      coalesce(connection.parameters, '{}') AS overrides, draft.created_at, draft.updated_at, app.id AS app_id,
      app.display_name, draft.name, draft.type, draft.placement, draft.code, draft.parameters AS defaults,
      draft.parameter_formats AS formats, coalesce(settings.consent_required, 0) AS consent_required
    FROM app_test_projects AS test
    JOIN apps AS app ON app.id = test.app_id
    JOIN scripts AS draft ON draft.app_id = app.id AND draft.removed_at IS NULL
    LEFT JOIN script_connections AS connection
      ON connection.script_id = draft.id AND connection.project_id = test.project_id
    LEFT JOIN script_settings AS settings ON settings.project_id = test.project_id
    WHERE test.project_id = ${project_id} AND ${HOLDS}
      AND NOT EXISTS (SELECT 1 FROM app_suspensions AS suspension WHERE suspension.app_id = app.id)
      AND NOT EXISTS (SELECT 1 FROM switched_off_scripts AS off
        WHERE off.project_id = test.project_id AND off.script_id = draft.id)
    ORDER BY draft.id`)
  return rows.map((row) => ({ ...filled(row), consent_required: row.consent_required === 1 }))
}

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
export async function connections(db: Reader, which: SQL) {
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
  return rows.map(({ runs, switched_off, consent_required, ...row }) => ({
    ...filled(row),
    runs: runs === 1,
    switched_off: switched_off === 1,
    consent_required: consent_required === 1,
  }))
}

/** A row with its parameters: the defaults, overridden by those of the connection. */
function filled<R extends Pick<ConnectionRow, 'overrides' | 'defaults' | 'formats'>>({
  overrides,
  defaults,
  formats,
  ...row
}: R) {
  return {
    ...row,
    parameters: mergeParameters(JSON.parse(defaults) as Parameters, JSON.parse(overrides) as Parameters),
    parameter_formats: JSON.parse(formats) as ParameterFormats,
  }
}
