import { sql } from 'drizzle-orm'
import { allKeys, emailKey } from '../../address.ts'
import { addressMark } from '../../store/address-key.ts'
import type { Tx } from '../../store/open.ts'
import { enqueueCampaign } from '../outbox/enqueue.ts'
import { AT_ONCE, held, replay, settle } from '../outbox/outbox.ts'
import { recordEvents } from '../tracking/events.ts'
import type { KnownHandover } from '../facts.ts'
import { idList, type Replayed } from './people.ts'

const DOUBT = 'The relay did not answer before the database was lost.'

/** Marks messages handed over after the backup, so that they are not sent again. Returns how many changed. */
export async function replayHandovers(tx: Tx, project: Replayed, handovers: readonly KnownHandover[]): Promise<number> {
  const own = await byDelivery(tx, project, handovers)
  const others = await byRecipient(
    tx,
    project,
    handovers.filter((handover) => !own.has(handover)),
  )
  const known = [...own, ...others].map(([{ at, what }, id]) =>
    what === 'in-doubt'
      ? { id, at, to: 'uncertain' as const, error: DOUBT }
      : { id, at, to: 'sent' as const, error: null },
  )
  const changed = await replay(tx, known)
  const facts = new Map(known.map((one) => [one.id, one]))
  await recordEvents(
    tx,
    changed.map(({ id, kind, campaign_id, ...recipient }) => {
      const { at, to, error } = facts.get(id)!
      const campaign = kind === 'campaign' ? campaign_id : null
      return { ...recipient, campaign_id: campaign, delivery_id: id, type: to, at, ...(error && { detail: error }) }
    }),
  )
  await countHandedOver(tx, changed)
  return changed.length
}

/** The messages that the backup has, with their ids. A row with the id of another message has another address. */
async function byDelivery(
  tx: Tx,
  { id: project_id, key }: Replayed,
  handovers: readonly KnownHandover[],
): Promise<Map<KnownHandover, number>> {
  const rows = await tx.all<{ id: number; email: string; kind: string; made: number | null }>(sql`
    SELECT delivery.id, delivery.email, delivery.kind,
      iif(delivery.kind = 'campaign', (SELECT created_at FROM campaigns WHERE id = delivery.campaign_id), NULL) AS made
    FROM deliveries delivery
    WHERE delivery.id IN ${idList(handovers.map(({ delivery_id }) => delivery_id))}
      AND delivery.project_id = ${project_id}`)
  const named = new Map(
    rows.map(({ id, email, kind, made }) => [
      id,
      new Set(allKeys(emailKey(email)).map((one) => `${kind} ${made} ${addressMark(key, one)}`)),
    ]),
  )
  return new Map(
    handovers.flatMap((handover) => {
      const { delivery_id, kind, campaign, mark } = handover
      return named.get(delivery_id)?.has(`${kind} ${campaign?.created_at ?? null} ${mark}`)
        ? [[handover, delivery_id]]
        : []
    }),
  )
}

/** Messages of campaigns whose audience was copied after the backup, or to contacts whose address changed since. */
async function byRecipient(
  tx: Tx,
  { id: project_id, people }: Replayed,
  handovers: readonly KnownHandover[],
): Promise<Map<KnownHandover, number>> {
  const found = new Map<KnownHandover, number>()
  const campaigns = Map.groupBy(
    handovers.filter(({ kind, campaign }) => kind === 'campaign' && campaign !== null),
    ({ campaign }) => campaign!.id,
  )
  for (const [campaign_id, ofCampaign] of campaigns) {
    const { created_at } = ofCampaign[0]!.campaign!
    const [campaign] = await tx.all(sql`
      SELECT 1 FROM campaigns
      WHERE id = ${campaign_id} AND project_id = ${project_id} AND created_at = ${created_at}`)
    if (!campaign) continue
    const contacts = new Map(
      ofCampaign.flatMap((handover) => {
        const contact = people.find(handover.contact_id, handover.mark)
        return contact ? [[contact.id, handover]] : []
      }),
    )
    const ids = idList([...contacts.keys()])
    const now = ofCampaign[0]!.at
    await enqueueCampaign(tx, { campaign_id, contacts: sql`FROM contacts contact WHERE contact.id IN ${ids}`, now })
    const rows = await tx.all<{ id: number; contact_id: number }>(sql`
      SELECT id, contact_id FROM deliveries
      WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND contact_id IN ${ids}`)
    for (const { id, contact_id } of rows) found.set(contacts.get(contact_id)!, id)
  }
  return found
}

/** The campaign's reputation is the share of what was handed over. */
async function countHandedOver(
  tx: Tx,
  changed: readonly { kind: string; campaign_id: number | null }[],
): Promise<void> {
  const campaigns = Map.groupBy(
    changed.filter(({ kind }) => kind === 'campaign'),
    ({ campaign_id }) => campaign_id,
  )
  for (const [campaign_id, messages] of campaigns)
    await tx.run(sql`UPDATE campaigns SET handed_over = handed_over + ${messages.length} WHERE id = ${campaign_id}`)
}

/**
 * Queues the messages again that were marked in the backup and, by the facts, not handed over: without facts nobody
 * could know. Answers how many rows it looked at, at most `limit`.
 */
export async function requeueMarked(tx: Tx, limit: number): Promise<number> {
  const rows = await held(tx, sql`status = 'sending'`, limit)
  for (const group of Map.groupBy(rows, ({ worker_id, lease_id }) => `${worker_id} ${lease_id}`).values()) {
    const { worker_id, lease_id } = group[0]!
    const unsent = group.map(({ id }) => ({ id, to: 'queued' as const, error: null, due_at: AT_ONCE, counts: false }))
    await settle(tx, { worker_id, lease_id }, unsent, { in_sandbox: false, now: AT_ONCE })
  }
  return rows.length
}
