import { DAY_MS } from '../clock.ts'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one, withRows } from '../store/rows.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'

const DAYS_KEPT = 7

/** A call as it is counted. */
interface Call {
  app_id: string
  at: number
  status: number
  /** The public id of the project that it named. */
  project: string | null
}

/** Counts calls of apps: all of them, and by project those for projects that have authorized the app. */
export async function countCalls(tx: Tx, calls: readonly Call[]): Promise<void> {
  const alike = Map.groupBy(calls, ({ app_id, at, project }) => `${app_id} ${dayOf(at)} ${project}`)
  const counts = withRows(
    [...alike.values()].map((same) => {
      const { app_id, at, project } = same[0]!
      return [app_id, dayOf(at), project, same.length, same.filter(({ status }) => status >= 400).length]
    }),
  )
  await tx.run(sql`
    ${counts} INSERT INTO app_days (app_id, day, calls, errors)
    SELECT app.id, v->>1, sum(v->>3), sum(v->>4) FROM r JOIN apps app ON app.id = v->>0
    GROUP BY 1, 2
    ON CONFLICT (app_id, day) DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors`)
  await tx.run(sql`
    ${counts} INSERT INTO app_calls (project_id, app_id, day, calls, errors)
    SELECT project.id, v->>0, v->>1, v->>3, v->>4 FROM r JOIN projects project ON project.public_id = v->>2
    WHERE EXISTS (
      SELECT 1 FROM authorization_projects granted JOIN authorizations z ON z.id = granted.authorization_id
      WHERE granted.project_id = project.id AND z.app_id = v->>0)
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
