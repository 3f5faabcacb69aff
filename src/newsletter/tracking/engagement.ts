import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Store, Tx } from '../../store/open.ts'
import { settleArrived } from '../outbox/arrival.ts'

/** An open of a message, or a click on a link in it. */
export interface EngagementEvent {
  type: 'open' | 'click'
  campaign_id: number
  delivery_id: number
  at: number
  /** The link with its merge tags; null for an open. */
  url: string | null
  user_agent: string
  machine: boolean
}

interface EngagementLog {
  /** Resolves when the event is stored. */
  record(event: EngagementEvent): Promise<void>
}

/** Events in one transaction. */
const MAX_BATCH = 1000

/**
 * Stores opens and clicks in batches. There is no timer: a batch grows while the writer is busy with the one before,
 * so a quiet service writes each event at once and a busy one writes many in a transaction.
 */
export function createEngagementLog(store: Store): EngagementLog {
  let open: { events: EngagementEvent[]; stored: Promise<void> } | null = null

  const begin = () => {
    const events: EngagementEvent[] = []
    const batch = {
      events,
      stored: store
        .write(
          async (tx) => {
            close()
            await writeEvents(tx, events)
          },
          { durable: false },
        )
        .finally(() => close()),
    }
    const close = () => {
      if (open === batch) open = null
    }
    open = batch
    return batch
  }

  return {
    record(event) {
      const batch = open && open.events.length < MAX_BATCH ? open : begin()
      batch.events.push(event)
      return batch.stored
    },
  }
}

/** Events of one type stored for one message: more would say nothing new and fill the disk. */
const MAX_PER_MESSAGE = 500

/** Appends events to the log. Those of deleted messages and of messages without a campaign are dropped. */
async function writeEvents(tx: Tx, added: readonly EngagementEvent[]): Promise<void> {
  await tx.run(sql`
    INSERT INTO events (project_id, type, campaign_id, delivery_id, contact_id, email, at, url, user_agent, machine)
    SELECT delivery.project_id, entry.value ->> 'type', delivery.campaign_id, delivery.id, delivery.contact_id,
      delivery.email, entry.value ->> 'at', entry.value ->> 'url', entry.value ->> 'user_agent',
      entry.value ->> 'machine'
    FROM json_each(${jsonText(added)}) entry JOIN deliveries delivery ON delivery.id = entry.value ->> 'delivery_id'
    WHERE delivery.campaign_id = entry.value ->> 'campaign_id' AND delivery.kind = 'campaign' AND ${MAX_PER_MESSAGE} > (
      SELECT count(*) FROM events event
      WHERE event.campaign_id = delivery.campaign_id AND event.type = entry.value ->> 'type'
        AND event.delivery_id = delivery.id AND event.type <> 'sent')
    ORDER BY entry.key`)
  const clicked = new Set(added.filter(({ type }) => type === 'click').map(({ delivery_id }) => delivery_id))
  if (clicked.size > 0) await markBursts(tx, [...clicked])
  await settleSeen(tx, added)
}

/** A message in doubt that a person opened or clicked in has arrived (docs/api/delivery.md#doubt). */
async function settleSeen(tx: Tx, added: readonly EngagementEvent[]): Promise<void> {
  const ids = new Set(added.filter(({ machine }) => !machine).map(({ delivery_id }) => delivery_id))
  if (ids.size === 0) return
  // Among the stored events, bursts count as a machine's.
  const seen = await tx.all<{ id: number }>(sql`
    SELECT delivery.id FROM json_each(${jsonText([...ids])}) entry JOIN deliveries delivery ON delivery.id = entry.value
    WHERE delivery.status = 'uncertain' AND EXISTS (
      SELECT 1 FROM events event
      WHERE event.campaign_id = delivery.campaign_id AND event.type IN ('open', 'click')
        AND event.delivery_id = delivery.id AND event.machine = 0 AND event.type <> 'sent')`)
  const now = Math.max(...added.map(({ at }) => at))
  if (seen.length > 0)
    await settleArrived(
      tx,
      seen.map(({ id }) => id),
      now,
    )
}

/**
 * A burst: different links of one message, clicked within two seconds of each other and within a minute of its
 * delivery. All its clicks count as a machine's, also stored ones. See docs/api/delivery.md#links-and-tracking.
 */
const BURST_MS = 2_000
const AFTER_DELIVERY_MS = 60_000

async function markBursts(tx: Tx, delivery_ids: readonly number[]): Promise<void> {
  // Gateways scan a message while they accept it, before it has a `sent_at`.
  const early = (event: string) =>
    sql.raw(`${event}.at <= coalesce(delivery.sent_at, ${event}.at) + ${AFTER_DELIVERY_MS}`)
  await tx.run(sql`
    UPDATE events SET machine = 1 WHERE id IN (
      SELECT one.id FROM json_each(${jsonText(delivery_ids)}) entry
      JOIN deliveries delivery ON delivery.id = entry.value
      JOIN events one
        ON one.campaign_id = delivery.campaign_id AND one.type = 'click' AND one.delivery_id = delivery.id
        AND one.type <> 'sent'
      WHERE one.machine = 0 AND ${early('one')} AND EXISTS (
        SELECT 1 FROM events other
        WHERE other.campaign_id = delivery.campaign_id AND other.type = 'click' AND other.delivery_id = delivery.id
          AND other.type <> 'sent'
          AND other.url <> one.url AND abs(other.at - one.at) <= ${BURST_MS} AND ${early('other')}))`)
}
