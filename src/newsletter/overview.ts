import type { ProjectId } from '../ids.ts'
import { Type } from '@sinclair/typebox'
import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { DAY_MS, HOUR_MS, iso, isoOrNull } from '../clock.ts'
import { read } from '../operation/declare.ts'
import { Id, nullable, obj, Timestamp } from '../schema.ts'
import { projects } from '../store/tables/accounts.ts'
import { GLOBAL_STATUSES, type MembershipStatus } from '../store/tables/audience.ts'
import { one } from '../store/rows.ts'
import { CAMPAIGN_STATUSES, campaigns } from '../store/tables/delivery.ts'
import { type InDoubt, inDoubtQuery, MAX_IN_DOUBT } from './campaigns/in-doubt.ts'
import { CampaignSummary, campaignSummary } from './campaigns/resource.ts'
import { campaignColumns } from './campaigns/states.ts'
import { LEFT, sentThisMonth } from './outbox/quota.ts'

const DAYS = 30
const RECENT = 5
const MAX_LISTS = 100

const Count = (description?: string) => Type.Integer({ minimum: 0, description })
const byStatus = (statuses: readonly string[]) => obj(Object.fromEntries(statuses.map((status) => [status, Count()])))

export const overview = read({
  path: '/overview',
  scope: 'read',
  summary: 'Counts contacts, lists, campaigns and sent messages, and shows the growth of the audience by day.',
  request: obj({}),
  response: obj({
    contacts: obj({ total: Count(), by_status: byStatus(GLOBAL_STATUSES) }),
    lists: Type.Array(obj({ id: Id, name: Type.String(), subscribed: Count(), pending: Count() }), {
      maxItems: MAX_LISTS,
      description: 'Lists that are not archived, oldest first.',
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
        subscribed: Count('Contacts created that day that were subscribed then or became so.'),
        unsubscribed: Count('Contacts that left that day, or whose address bounced or complained, and are not back.'),
      }),
      { description: `The last ${DAYS} days (UTC), today last.` },
    ),
    recent_campaigns: Type.Array(CampaignSummary, { maxItems: RECENT }),
    campaigns_in_doubt: Type.Array(
      obj({ id: Id, name: Type.String(), uncertain: Count(), finished_at: nullable(Timestamp) }),
      {
        maxItems: MAX_IN_DOUBT,
        description: `Begun in the last ${DAYS} days, with messages that may or may not have arrived; newest first.`,
      },
    ),
  }),
  async run(_, { db, store, project_id, now }) {
    const [project] = await db
      .select({ monthly_limit: projects.monthly_limit })
      .from(projects)
      .where(eq(projects.id, project_id))
    const [contacts, lists, statuses, hours, this_month, created, unsubscribed, recent, in_doubt] = await Promise.all([
      store.heavy<StatusCount>(
        sql`
          SELECT global_status AS status, count(*) AS n FROM contacts
          WHERE project_id = ${project_id} GROUP BY global_status`,
      ),
      store.heavy<{ id: number; name: string; subscribed: number; pending: number }>(listQuery(project_id)),
      store.heavy<StatusCount>(
        sql`
          SELECT status, count(*) AS n FROM campaigns
          WHERE project_id = ${project_id} AND deleted_at IS NULL GROUP BY status`,
      ),
      db.all<{ sent: number }>(
        sql`
          SELECT coalesce(sum(${LEFT}), 0) AS sent FROM sending_hours
          WHERE project_id = ${project_id} AND hour > ${Math.floor(now / HOUR_MS) - 24}`,
      ),
      sentThisMonth(db, project_id, now),
      store.heavy<DayCount>(createdQuery(project_id, firstDay(now))),
      store.heavy<DayCount>(leftQuery(project_id, firstDay(now))),
      db
        .select(campaignColumns)
        .from(campaigns)
        .where(and(eq(campaigns.project_id, project_id), isNull(campaigns.deleted_at)))
        .orderBy(desc(campaigns.created_at), desc(campaigns.id))
        .limit(RECENT),
      store.heavy<InDoubt>(inDoubtQuery(project_id, now - DAYS * DAY_MS)),
    ])
    return {
      contacts: counted(GLOBAL_STATUSES, contacts),
      lists,
      campaigns: counted(CAMPAIGN_STATUSES, statuses),
      sending: {
        last_24_hours: Math.max(0, one(hours).sent),
        this_month: Math.max(0, this_month),
        monthly_limit: project?.monthly_limit ?? null,
      },
      growth: growth(firstDay(now), created, unsubscribed),
      recent_campaigns: recent.map(campaignSummary),
      campaigns_in_doubt: in_doubt.map((campaign) => ({
        ...campaign,
        finished_at: isoOrNull(campaign.finished_at),
      })),
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
  created: readonly DayCount[],
  left: readonly DayCount[],
): { date: string; subscribed: number; unsubscribed: number }[] {
  const byDay = (rows: readonly DayCount[]) => new Map(rows.map(({ day, n }) => [day, n]))
  const [subscribed, unsubscribed] = [byDay(created), byDay(left)]
  return Array.from({ length: DAYS }, (_, index) => first + index).map((day) => ({
    date: iso(day * DAY_MS).slice(0, 10),
    subscribed: subscribed.get(day) ?? 0,
    unsubscribed: unsubscribed.get(day) ?? 0,
  }))
}

function listQuery(project_id: ProjectId): SQL {
  const members = (status: MembershipStatus) =>
    sql`(SELECT count(*) FROM memberships member WHERE member.list_id = list.id AND member.status = ${status})`
  return sql`
    SELECT list.id, list.name, ${members('subscribed')} AS subscribed, ${members('pending')} AS pending
    FROM lists list WHERE list.project_id = ${project_id} AND list.archived_at IS NULL
    ORDER BY list.created_at, list.id LIMIT ${MAX_LISTS}`
}

/** Whether a contact left: whoever opts out, and each address that bounces or complains, has one of these events. */
const LEFT_LATER = sql`
  AND EXISTS (SELECT 1 FROM events WHERE contact_id = contact.id AND type IN ('unsubscribe', 'suppressed'))`

/**
 * Contacts that were subscribed, by the day of their creation: all that are so now, and those that left later. A person
 * whom an import brought in as somebody who has left is neither. One query per status, so that the index over status
 * and creation time is enough.
 */
function createdQuery(project_id: ProjectId, first: number): SQL {
  const since = sql.raw(String(first * DAY_MS))
  const parts = GLOBAL_STATUSES.filter((status) => status !== 'pending').map(
    (status) => sql`
    SELECT created_at FROM contacts contact
    WHERE project_id = ${project_id} AND global_status = ${status} AND created_at >= ${since}
      ${status === 'subscribed' ? sql`` : LEFT_LATER}`,
  )
  return sql`
    SELECT created_at / ${sql.raw(String(DAY_MS))} AS day, count(*) AS n FROM (${sql.join(parts, sql` UNION ALL `)})
    GROUP BY day`
}

/** Contacts that left and are not back, by the day when they left last: with those who joined, the change in between. */
function leftQuery(project_id: ProjectId, first: number): SQL {
  const since = sql.raw(String(first * DAY_MS))
  const parts = ['unsubscribe', 'suppressed'].map(
    (type) => sql`
    SELECT contact_id, at FROM events
    WHERE project_id = ${project_id} AND type = ${sql.raw(`'${type}'`)} AND at >= ${since}`,
  )
  return sql`
    SELECT day, count(*) AS n FROM (
      SELECT max(at) / ${sql.raw(String(DAY_MS))} AS day
      FROM (${sql.join(parts, sql` UNION ALL `)}) leaving JOIN contacts contact ON contact.id = leaving.contact_id
      WHERE contact.global_status NOT IN ('subscribed', 'pending')
      GROUP BY contact.id)
    GROUP BY day`
}
