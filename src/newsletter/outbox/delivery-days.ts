import { DAY_MS } from '../../clock.ts'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import type { LoopContext } from '../../runtime.ts'
import { jsonText } from '../../store/json-text.ts'
import { deleteWhere, type RetentionRule } from '../../store/retention.ts'
import { hasRows, one } from '../../store/rows.ts'
import { BOUNCE_KIND } from '../tracking/event-detail.ts'
import { reportedProvider } from './reported-providers.ts'

/**
 * Counts of messages by mailbox provider and day (docs/api/delivery.md#deliverability). The events of a month are too
 * many to count when somebody looks, and the rows of sending should not wait for statistics: a loop reads each event
 * once, in the order of their ids, and stores its position in the transaction that adds the counts.
 */

const DAYS_KEPT = 400

/** Events in one step. They take some 10 ms of the thread that also sends. */
const EVENTS_PER_STEP = 2_000

interface DomainCount {
  project_id: ProjectId
  day: number
  domain: string
  sent: number
  bounced: number
  soft_bounced: number
  complained: number
  unsubscribed: number
  opened: number
}
const COUNTED = ['sent', 'bounced', 'soft_bounced', 'complained', 'unsubscribed', 'opened'] as const

/** Adds the events since the last step. True when there are more. */
export async function countDeliveries({ store }: Pick<LoopContext, 'store'>): Promise<boolean> {
  const { from, last } = one(
    await store.db.all<{ from: number; last: number }>(sql`
      SELECT event_id AS "from", coalesce((SELECT max(id) FROM events), 0) AS last FROM delivery_days_position`),
  )
  if (last <= from) return false
  const to = Math.min(last, from + EVENTS_PER_STEP)
  const counts = byProvider(await store.db.all<DomainCount>(newEvents(from, to)))
  await store.write(
    async (tx) => {
      // Another process may have counted them meanwhile.
      const moved = await tx.all(sql`
        UPDATE delivery_days_position SET event_id = ${to} WHERE event_id = ${from} RETURNING 1`)
      if (!hasRows(moved) || counts.length === 0) return
      const columns = COUNTED.map((column) => sql.raw(`${column} = ${column} + excluded.${column}`))
      await tx.run(sql`
        INSERT INTO delivery_days (project_id, day, provider, ${sql.raw(COUNTED.join(', '))})
        SELECT ${sql.raw(['project_id', 'day', 'provider', ...COUNTED].map((name) => `value ->> '${name}'`).join(', '))}
        FROM json_each(${jsonText(counts)})
        -- A project that was deleted meanwhile has no counts.
        WHERE EXISTS (SELECT 1 FROM projects WHERE id = value ->> 'project_id')
        ON CONFLICT (project_id, day, provider) DO UPDATE SET ${sql.join(columns, sql`, `)}`)
    },
    { durable: false },
  )
  return to < last
}

/**
 * Events by project, day and domain, without those of messages that the sandbox kept. A message that its server refused
 * as unknown has no event `sent`; it was handed over as well. Of the opens of one message by people the first counts.
 */
function newEvents(from: number, to: number) {
  const isHard = sql`event.type = 'bounce' AND ${BOUNCE_KIND} = 'hard'`
  return sql`
    SELECT project_id, ${sql.raw(`at / ${DAY_MS}`)} AS day, lower(substr(email, instr(email, '@') + 1)) AS domain,
      sum(type = 'sent' OR ${isHard}
        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE id = delivery_id AND sent_at IS NOT NULL)) AS sent,
      sum(${isHard}) AS bounced,
      sum(type = 'bounce' AND ${BOUNCE_KIND} = 'soft') AS soft_bounced,
      sum(type = 'complaint') AS complained,
      sum(type = 'unsubscribe') AS unsubscribed,
      sum(type = 'open' AND machine = 0 AND NOT EXISTS (
        SELECT 1 FROM events earlier
        WHERE earlier.campaign_id = event.campaign_id AND earlier.type = 'open' AND earlier.type <> 'sent'
          AND earlier.delivery_id = event.delivery_id AND earlier.machine = 0 AND earlier.id < event.id)) AS opened
    FROM events event
    WHERE id > ${from} AND id <= ${to} AND type IN ('sent', 'bounce', 'complaint', 'unsubscribe', 'open')
      AND NOT EXISTS (SELECT 1 FROM deliveries WHERE id = event.delivery_id AND in_sandbox = 1)
    GROUP BY project_id, day, domain`
}

function byProvider(rows: readonly DomainCount[]) {
  const counts = new Map<string, Omit<DomainCount, 'domain'> & { provider: string }>()
  for (const { domain, ...row } of rows) {
    const provider = reportedProvider(domain)
    const key = `${row.project_id} ${row.day} ${provider}`
    const known = counts.get(key)
    if (known) for (const column of COUNTED) known[column] += row[column]
    else counts.set(key, { ...row, provider })
  }
  return [...counts.values()]
}

export const deliveryDayRetention: RetentionRule = {
  rows: 'counts of messages by mailbox provider and day',
  kept: `${DAYS_KEPT} days`,
  statement: (now, limit) =>
    deleteWhere(
      'delivery_days',
      'project_id, day, provider',
      sql`day < ${Math.floor(now / DAY_MS) - DAYS_KEPT}`,
      limit,
    ),
}
