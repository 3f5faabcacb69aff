import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Store, Tx } from '../../store/open.ts'

/** A message was opened, or a link in it followed. */
export interface EngagementEvent {
  type: 'open' | 'click'
  campaign_id: number
  delivery_id: number
  at: number
  /** The link as it stands in the campaign; null for an open. */
  url: string | null
  user_agent: string
  machine: boolean
}

export interface EngagementLog {
  /** Resolves when it is kept. Those that come while others are being written are written together. */
  record(reaction: EngagementEvent): Promise<void>
}

/** So many go into one transaction. */
const AT_ONCE = 1000

/**
 * Keeps reactions. Nothing waits on a timer: a batch grows for as long as the writer is busy with what came before,
 * so a quiet service writes each at once, and a busy one many in a transaction.
 */
export function createEngagementLog(store: Store): EngagementLog {
  let open: { reactions: EngagementEvent[]; kept: Promise<void> } | null = null

  const begin = () => {
    const reactions: EngagementEvent[] = []
    const batch = {
      reactions,
      kept: store
        .write(async (tx) => {
          close()
          await writeReactions(tx, reactions)
        })
        .finally(() => close()),
    }
    const close = () => {
      if (open === batch) open = null
    }
    open = batch
    return batch
  }

  return {
    record(reaction) {
      const batch = open && open.reactions.length < AT_ONCE ? open : begin()
      batch.reactions.push(reaction)
      return batch.kept
    },
  }
}

/** More of one kind from one message say nothing new; they would only fill the disk. */
const MOST_OF_A_MESSAGE = 500

/** Appends reactions to the log. One whose message is gone, or was no campaign's, vanishes. */
async function writeReactions(tx: Tx, reactions: readonly EngagementEvent[]): Promise<void> {
  await tx.run(sql`
    INSERT INTO events (project_id, type, campaign_id, delivery_id, contact_id, email, at, url, user_agent, machine)
    SELECT d.project_id, v.value ->> 'type', d.campaign_id, d.id, d.contact_id, d.email, v.value ->> 'at', v.value ->> 'url', v.value ->> 'user_agent', v.value ->> 'machine'
    FROM json_each(${jsonText(reactions)}) v JOIN deliveries d ON d.id = v.value ->> 'delivery_id'
    WHERE d.campaign_id = v.value ->> 'campaign_id' AND d.kind = 'campaign' AND ${MOST_OF_A_MESSAGE} > (
      SELECT count(*) FROM events e WHERE e.campaign_id = d.campaign_id AND e.type = v.value ->> 'type' AND e.delivery_id = d.id AND e.type <> 'sent')
    ORDER BY v.key`)
  const clicked = new Set(reactions.filter(({ type }) => type === 'click').map(({ delivery_id }) => delivery_id))
  if (clicked.size > 0) await markBursts(tx, [...clicked])
}

/**
 * A burst (contract-details 41): different links of one message, followed within two seconds of each other and within
 * a minute of its delivery. All of it was a machine, what is kept already included.
 */
const BURST_MS = 2_000
const AFTER_DELIVERY_MS = 60_000

async function markBursts(tx: Tx, delivery_ids: readonly number[]): Promise<void> {
  // Gateways look into a message while they take it: then it has no `sent_at` yet.
  const early = (event: string) => sql.raw(`${event}.at <= coalesce(d.sent_at, ${event}.at) + ${AFTER_DELIVERY_MS}`)
  await tx.run(sql`
    UPDATE events SET machine = 1 WHERE id IN (
      SELECT one.id FROM json_each(${jsonText(delivery_ids)}) v JOIN deliveries d ON d.id = v.value
      JOIN events one ON one.campaign_id = d.campaign_id AND one.type = 'click' AND one.delivery_id = d.id AND one.type <> 'sent'
      WHERE one.machine = 0 AND ${early('one')} AND EXISTS (
        SELECT 1 FROM events other WHERE other.campaign_id = d.campaign_id AND other.type = 'click' AND other.delivery_id = d.id AND other.type <> 'sent'
          AND other.url <> one.url AND abs(other.at - one.at) <= ${BURST_MS} AND ${early('other')}))`)
}
