import type { ProjectId } from '../ids.ts'
import { Type } from '@sinclair/typebox'
import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { read } from '../operation/declare.ts'
import { Id, nullable, obj } from '../schema.ts'
import { projects } from '../store/tables/accounts.ts'
import { GLOBAL_STATUSES } from '../store/tables/audience.ts'
import { CAMPAIGN_STATUSES, campaigns } from '../store/tables/delivery.ts'
import { CampaignSummary, campaignSummary } from './campaigns/resource.ts'
import { campaignColumns } from './campaigns/states.ts'
import { HOUR_MS, sentThisMonth } from './outbox/quota.ts'

const DAY_MS = 24 * HOUR_MS
const DAYS = 30
const RECENT = 5
const LISTS = 100

const Count = (description?: string) => Type.Integer({ minimum: 0, description })
const byStatus = (statuses: readonly string[]) => obj(Object.fromEntries(statuses.map((status) => [status, Count()])))

/** What the first page of a project shows: how many, how they came and went, what was sent. */
export const overview = read({
  path: '/overview',
  scope: 'read',
  summary: 'Counts of contacts, lists, campaigns and sending, and how the audience grew.',
  request: obj({}),
  response: obj({
    contacts: obj({ total: Count(), by_status: byStatus(GLOBAL_STATUSES) }),
    lists: Type.Array(obj({ id: Id, name: Type.String(), subscribed: Count(), pending: Count() }), {
      maxItems: LISTS,
      description: 'Without archived ones, the oldest first.',
    }),
    campaigns: obj({ total: Count(), by_status: byStatus(CAMPAIGN_STATUSES) }),
    sending: obj({
      last_24_hours: Count(),
      this_month: Count('Since the first of the month, UTC.'),
      monthly_limit: nullable(Type.Integer()),
    }),
    growth: Type.Array(
      obj({
        date: Type.String({ format: 'date' }),
        subscribed: Count('Who came that day and is not waiting for confirmation.'),
        unsubscribed: Count('Who left everything.'),
      }),
      { description: `The last ${DAYS} days (UTC), today last.` },
    ),
    recent_campaigns: Type.Array(CampaignSummary, { maxItems: RECENT }),
  }),
  async run(_, { db, store, project_id, now }) {
    const [project] = await db
      .select({ monthly_limit: projects.monthly_limit })
      .from(projects)
      .where(eq(projects.id, project_id))
    const [contacts, lists, states, hours, this_month, came, left, recent] = await Promise.all([
      store.heavy<StatusCount>(
        sql`SELECT global_status AS status, count(*) AS n FROM contacts WHERE project_id = ${project_id} GROUP BY global_status`,
      ),
      store.heavy<{ id: number; name: string; subscribed: number; pending: number }>(listQuery(project_id)),
      store.heavy<StatusCount>(
        sql`SELECT status, count(*) AS n FROM campaigns WHERE project_id = ${project_id} AND deleted_at IS NULL GROUP BY status`,
      ),
      db.all<{ sent: number }>(
        sql`SELECT coalesce(sum(sent), 0) AS sent FROM sending_hours WHERE project_id = ${project_id} AND hour > ${Math.floor(now / HOUR_MS) - 24}`,
      ),
      sentThisMonth(db, project_id, now),
      store.heavy<DayCount>(cameQuery(project_id, firstDay(now))),
      store.heavy<DayCount>(leftQuery(project_id, firstDay(now))),
      db
        .select(campaignColumns)
        .from(campaigns)
        .where(and(eq(campaigns.project_id, project_id), isNull(campaigns.deleted_at)))
        .orderBy(desc(campaigns.created_at), desc(campaigns.id))
        .limit(RECENT),
    ])
    return {
      contacts: counted(GLOBAL_STATUSES, contacts),
      lists,
      campaigns: counted(CAMPAIGN_STATUSES, states),
      sending: {
        last_24_hours: Math.max(0, hours[0]?.sent ?? 0),
        this_month: Math.max(0, this_month),
        monthly_limit: project?.monthly_limit ?? null,
      },
      growth: growth(firstDay(now), came, left),
      recent_campaigns: recent.map(campaignSummary),
    }
  },
})

interface StatusCount {
  status: string
  n: number
}

interface DayCount {
  /** Days since the epoch. */
  day: number
  n: number
}

function firstDay(now: number): number {
  return Math.floor(now / DAY_MS) - (DAYS - 1)
}

function counted(
  statuses: readonly string[],
  rows: readonly StatusCount[],
): { total: number; by_status: Record<string, number> } {
  const found = new Map(rows.map(({ status, n }) => [status, n]))
  return {
    total: rows.reduce((sum, { n }) => sum + n, 0),
    by_status: Object.fromEntries(statuses.map((status) => [status, found.get(status) ?? 0])),
  }
}

function growth(
  first: number,
  came: readonly DayCount[],
  left: readonly DayCount[],
): { date: string; subscribed: number; unsubscribed: number }[] {
  const on = (rows: readonly DayCount[]) => new Map(rows.map(({ day, n }) => [day, n]))
  const [subscribed, unsubscribed] = [on(came), on(left)]
  return Array.from({ length: DAYS }, (_, index) => first + index).map((day) => ({
    date: iso(day * DAY_MS).slice(0, 10),
    subscribed: subscribed.get(day) ?? 0,
    unsubscribed: unsubscribed.get(day) ?? 0,
  }))
}

function listQuery(project_id: ProjectId): SQL {
  return sql`
    SELECT l.id, l.name,
      (SELECT count(*) FROM memberships m WHERE m.list_id = l.id AND m.status = 'subscribed') AS subscribed,
      (SELECT count(*) FROM memberships m WHERE m.list_id = l.id AND m.status = 'pending') AS pending
    FROM lists l WHERE l.project_id = ${project_id} AND l.archived_at IS NULL ORDER BY l.created_at, l.id LIMIT ${LISTS}`
}

/** By status, so that the index over status and creation time answers it alone. */
function cameQuery(project_id: ProjectId, first: number): SQL {
  const since = sql.raw(String(first * DAY_MS))
  const parts = GLOBAL_STATUSES.filter((status) => status !== 'pending').map(
    (status) => sql`
    SELECT created_at FROM contacts WHERE project_id = ${project_id} AND global_status = ${status} AND created_at >= ${since}`,
  )
  return sql`SELECT created_at / ${sql.raw(String(DAY_MS))} AS day, count(*) AS n FROM (${sql.join(parts, sql` UNION ALL `)}) GROUP BY day`
}

function leftQuery(project_id: ProjectId, first: number): SQL {
  return sql`
    SELECT at / ${sql.raw(String(DAY_MS))} AS day, count(DISTINCT contact_id) AS n FROM events
    WHERE project_id = ${project_id} AND type = 'unsubscribe' AND at >= ${sql.raw(String(first * DAY_MS))} GROUP BY day`
}
