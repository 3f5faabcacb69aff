import { DAY_MS } from '../clock.ts'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'

const DAYS_KEPT = 7

/**
 * Counts calls of apps: all of them, and by project those for projects that have authorized the app.
 *
 * @param entries the calls, as a JSON text: `app_id`, `at`, `status`, `project` (a public id)
 */
export async function countCalls(tx: Tx, entries: string): Promise<void> {
  await tx.run(sql`
    INSERT INTO app_days (app_id, day, calls, errors)
    SELECT app.id, CAST((entry.value ->> 'at') / ${DAY_MS} AS INTEGER),
      count(*), count(*) FILTER (WHERE entry.value ->> 'status' >= 400)
    FROM json_each(${entries}) entry JOIN apps app ON app.id = entry.value ->> 'app_id'
    GROUP BY 1, 2
    ON CONFLICT (app_id, day) DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors`)
  await tx.run(sql`
    INSERT INTO app_calls (project_id, app_id, day, calls, errors)
    SELECT project.id, entry.value ->> 'app_id', CAST((entry.value ->> 'at') / ${DAY_MS} AS INTEGER),
      count(*), count(*) FILTER (WHERE entry.value ->> 'status' >= 400)
    FROM json_each(${entries}) entry JOIN projects project ON project.public_id = entry.value ->> 'project'
    WHERE EXISTS (
      SELECT 1 FROM authorization_projects granted JOIN authorizations z ON z.id = granted.authorization_id
      WHERE granted.project_id = project.id AND z.app_id = entry.value ->> 'app_id')
    GROUP BY 1, 2, 3
    ON CONFLICT (project_id, app_id, day) DO UPDATE SET
      calls = calls + excluded.calls, errors = errors + excluded.errors`)
}

/** How often each app called for a project today and in the six days before, in UTC. */
export async function callsByApp(db: Reader, project_id: ProjectId, now: number): Promise<Map<string, number>> {
  const rows = await db.all<{ app_id: string; calls: number }>(sql`
    SELECT app_id, sum(calls) AS calls FROM app_calls
    WHERE project_id = ${project_id} AND day > ${dayOf(now) - DAYS_KEPT} GROUP BY app_id`)
  return new Map(rows.map(({ app_id, calls }) => [app_id, calls]))
}

/** How often an app called in the same time, for projects and for none, and how many calls were refused or failed. */
export async function callsOfApp(
  db: Reader,
  app_id: string,
  now: number,
): Promise<Record<'calls_in_7_days' | 'errors_in_7_days', number>> {
  return one(
    await db.all<Record<'calls_in_7_days' | 'errors_in_7_days', number>>(sql`
      SELECT coalesce(sum(calls), 0) AS calls_in_7_days, coalesce(sum(errors), 0) AS errors_in_7_days
      FROM app_days WHERE app_id = ${app_id} AND day > ${dayOf(now) - DAYS_KEPT}`),
  )
}

export const appCallRetention: RetentionRule = {
  rows: "counts of an app's calls by project and day",
  kept: '7 days',
  statement: (now, limit) =>
    deleteWhere('app_calls', 'project_id, app_id, day', sql`day <= ${dayOf(now) - DAYS_KEPT}`, limit),
}

export const appDayRetention: RetentionRule = {
  rows: "counts of an app's calls by day",
  kept: '7 days',
  statement: (now, limit) => deleteWhere('app_days', 'app_id, day', sql`day <= ${dayOf(now) - DAYS_KEPT}`, limit),
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}
