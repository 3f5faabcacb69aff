import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { LoopContext } from '../../runtime.ts'
import type { MailboxProvider } from '../../store/tables/delivery.ts'
import type { Connection } from '../connections/connections.operations.ts'
import type { Lease, Leased } from './lease.ts'
import { domainOf, type MailboxProviders, mailboxProviders } from './mailbox-providers.ts'
import { returnTokens, takeTokens } from './quota.ts'

const asked = mailboxProviders()

/**
 * Gives back those of a leased batch that would reach a mailbox provider faster than the connection's owner wants, each
 * due when its turn comes: they wait in the outbox and hold up nobody else. Answers the rest.
 */
export async function holdBack(
  context: LoopContext,
  connection: Connection,
  lease: Lease,
  rows: Leased[],
  providers: MailboxProviders = asked,
): Promise<Leased[]> {
  const limits = connection.mailbox_limits
  if (!limits || Object.keys(limits).length === 0 || rows.length === 0) return rows
  const now = context.clock.now()
  const providerOf = await providers.of(new Set(rows.map(({ email }) => domainOf(email))), now)
  const lanes = Map.groupBy(rows, ({ email }) => providerOf.get(domainOf(email)) ?? null)
  const held = new Map<number, number>()
  await context.store.write(async (tx) => {
    held.clear()
    for (const [provider, waiting] of lanes) {
      const per_second = provider === null ? undefined : limits[provider]
      if (provider === null || per_second === undefined) continue
      const { turns_ms, wait_ms } = await takeTokens(
        tx,
        { connection_id: connection.id, lane: provider satisfies MailboxProvider, per_second },
        waiting.length,
        now,
      )
      waiting
        .slice(turns_ms.length)
        .forEach(({ id }, place) => held.set(id, now + wait_ms + Math.ceil((place * 1000) / per_second)))
    }
    if (held.size === 0) return
    // They took tokens of the connection's own pace, which others can use.
    if (connection.max_per_second !== null)
      await returnTokens(
        tx,
        { connection_id: connection.id, lane: '', per_second: connection.max_per_second },
        held.size,
      )
    await tx.run(sql`
      UPDATE deliveries SET status = 'queued', worker_id = NULL, lease_id = NULL, next_attempt_at = v.value ->> 1
      FROM json_each(${jsonText([...held])}) AS v
      WHERE deliveries.id = v.value ->> 0 AND deliveries.status = 'leased' AND deliveries.lease_id = ${lease.lease_id}`)
  })
  return rows.filter(({ id }) => !held.has(id))
}
