import { eq, sql } from 'drizzle-orm'
import type { LoopContext } from '../../../src/runtime.ts'
import type { SmtpOutcome } from '../../../src/mail/smtp-outcome.ts'
import { passes, WITHHELD } from '../../../src/mail/smtp-session.ts'
import { leaseCampaign, type Lease, type Leased } from '../../../src/newsletter/outbox/outbox.ts'
import type { Stream } from '../../../src/newsletter/outbox/send-batch.ts'
import type { Transport } from '../../../src/newsletter/outbox/transports.ts'
import { connections, type DeliveryStatus, deliveries } from '../../../src/store/tables/delivery.ts'
import { workers } from '../../../src/store/tables/operation.ts'
import { SAMPLE_DOCUMENT, manyContacts, readyToSend } from '../../support/campaigns.ts'
import { createWorld, loopContext, type World } from '../../support/world.ts'

/** A campaign frozen into the outbox, and the parts that send it, to be called directly. */
export interface OutboxScene {
  world: World
  context: LoopContext
  campaign_id: number
  stream: Stream
  /** The rows of the campaign, by id. */
  rows(): Promise<(typeof deliveries.$inferSelect)[]>
  /** How many rows have each status. */
  statuses(): Promise<Partial<Record<DeliveryStatus, number>>>
  lease(lease: Lease, limit?: number): Promise<Leased[]>
  /** A context whose store fails at the writes with these numbers, from 1. */
  failingAt(...writes: number[]): LoopContext
}

export const OURS: Lease = { worker_id: 'wrk_ours', lease_id: 'prc_ours' }
export const ACCEPTED: SmtpOutcome = { kind: 'sent', response: '250 OK' }

export async function createScene(
  recipients: number,
  connection: Partial<typeof connections.$inferInsert> = {},
): Promise<OutboxScene> {
  const world = await createWorld()
  const { store, clock } = world.service.runtime
  const { connection_id, list_id } = await readyToSend(world)
  await manyContacts(store, world.project.id, list_id, recipients, clock.now())
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.service.drain('jobs')
  const campaign_id: number = campaign.id
  await store.write(async (tx) => {
    await tx
      .update(connections)
      .set({ name: 'Relay', ...connection })
      .where(eq(connections.id, connection_id))
    const now = clock.now()
    await tx
      .insert(workers)
      .values({ id: OURS.worker_id, host: 'here', pid: 1, started_at: now, alive_until: now + 1_000_000_000 })
  })
  const [row] = await store.db.select().from(connections).where(eq(connections.id, connection_id))
  const context = loopContext(world.service.runtime, OURS.worker_id)
  const messageId = ({ id }: Leased): string => `${id}@test.example`
  const stream: Stream = {
    project_id: world.project.id,
    campaign_id,
    connection: row!,
    monthly_limit: null,
    running: sql`1`,
    may_send: sql`1`,
    lease: (tx, lease, limit, now) => leaseCampaign(tx, lease, { campaign_id, limit, now }),
    compose: async () => (message) => ({
      envelope: { from: 'news@harbour.example', to: message.email },
      message: Buffer.from('Subject: Tides\r\n\r\nHigh water at nine.\r\n'),
      message_id: messageId(message),
    }),
    messageId,
    sign: null,
  }
  const rows: OutboxScene['rows'] = () =>
    store.db.select().from(deliveries).where(eq(deliveries.campaign_id, campaign_id)).orderBy(deliveries.id)
  return {
    world,
    context,
    campaign_id,
    stream,
    rows,
    async statuses() {
      const counts: Partial<Record<DeliveryStatus, number>> = {}
      for (const { status } of await rows()) counts[status] = (counts[status] ?? 0) + 1
      return counts
    },
    lease: (lease, limit = 500) =>
      store.write((tx) => leaseCampaign(tx, lease, { campaign_id, limit, now: clock.now() })),
    failingAt(...writes) {
      let count = 0
      const write: typeof store.write = (...work) => {
        count += 1
        return writes.includes(count) ? Promise.reject(new Error('The disk is full.')) : store.write(...work)
      }
      return { ...context, log: { ...context.log, error: () => undefined }, store: { ...store, write } }
    },
  }
}

/** A relay that answers as it is told; the addresses it was given are in `sent_to`. */
export function fakeTransport(
  answer: (email: string) => SmtpOutcome | Promise<SmtpOutcome> = () => ACCEPTED,
  parallel = 4,
): Transport & { sent_to: string[] } {
  const sent_to: string[] = []
  return {
    parallel,
    sent_to,
    async send({ to }, _message, gate) {
      if (!(await passes(gate))) return WITHHELD
      sent_to.push(to)
      return answer(to)
    },
    close: async () => undefined,
  }
}
