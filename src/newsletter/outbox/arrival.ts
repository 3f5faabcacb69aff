import type { Tx } from '../../store/open.ts'
import { recordEvents } from '../tracking/events.ts'
import { confirm } from './outbox.ts'

/**
 * Marks messages in doubt as sent when a report proves that they arrived, and adds their events
 * (docs/api/delivery.md#doubt).
 */
export async function settleArrived(tx: Tx, ids: readonly number[], now: number): Promise<void> {
  const arrived = await confirm(tx, ids, now)
  await recordEvents(
    tx,
    arrived.map(({ id, kind, campaign_id, ...recipient }) => ({
      ...recipient,
      type: 'sent' as const,
      campaign_id: kind === 'campaign' ? campaign_id : null,
      delivery_id: id,
      at: now,
    })),
  )
}
