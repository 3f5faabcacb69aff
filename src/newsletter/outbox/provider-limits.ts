import { domainOf } from '../../address.ts'
import type { LoopContext } from '../../runtime.ts'
import type { Connection } from '../connections/connection.ts'
import { type MailboxProviders, mailboxProviders } from './mailbox-providers.ts'
import { defer, type Lease, type Leased, LONGEST_WAIT_MS } from './outbox.ts'
import { returnTokens, takeTokens } from './quota.ts'

const resolved = mailboxProviders()

/**
 * Defers those of a leased batch that would exceed the connection's rate limit for a mailbox provider, each until its
 * send time. They wait in the outbox, so they delay no other message. Answers the rest.
 * See docs/api/delivery.md#pace-and-limits.
 */
export async function throttle(
  context: LoopContext,
  { connection, lease, rows }: { connection: Connection; lease: Lease; rows: Leased[] },
  providers: MailboxProviders = resolved,
): Promise<Leased[]> {
  const limits = connection.mailbox_limits
  if (!limits || Object.keys(limits).length === 0 || rows.length === 0) return rows
  const now = context.clock.now()
  const domains = new Set(rows.map(({ email }) => domainOf(email)))
  const providerOf = await providers.of(domains, Object.keys(limits), now)
  const byProvider = Map.groupBy(rows, ({ email }) => providerOf.get(domainOf(email)) ?? null)
  const due_at_of = new Map<number, number>()
  await context.store.write(async (tx) => {
    // A transaction may run again from its beginning.
    due_at_of.clear()
    for (const [provider, messages] of byProvider) {
      const per_second = provider === null ? undefined : limits[provider]
      if (provider === null || per_second === undefined) continue
      const bucket = { connection_id: connection.id, lane: provider, per_second }
      const { send_in_ms, wait_ms } = await takeTokens(tx, bucket, { wanted: messages.length, now })
      messages.slice(send_in_ms.length).forEach(({ id }, index) => {
        const rest_ms = wait_ms + Math.ceil((index * 1000) / per_second)
        // A message that is still too early then is deferred again.
        due_at_of.set(id, now + Math.min(rest_ms, LONGEST_WAIT_MS.first / 2))
      })
    }
    if (due_at_of.size === 0) return
    // Their tokens of the connection's own pace go to other messages.
    if (connection.max_per_second !== null) {
      const bucket = { connection_id: connection.id, lane: '' as const, per_second: connection.max_per_second }
      await returnTokens(tx, bucket, due_at_of.size)
    }
    await defer(tx, lease, due_at_of)
  })
  return rows.filter(({ id }) => !due_at_of.has(id))
}
