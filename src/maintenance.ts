import { sql, type SQL } from 'drizzle-orm'
import { accountSweeps } from './accounts/messages.ts'
import { oauthSweeps } from './oauth/sweep.ts'
import { REQUESTS_KEPT_MS } from './developer/request-log.ts'
import { sweepStorage } from './newsletter/imports/storage.ts'
import { expireReceipts } from './operation/receipt.ts'
import { WINDOW_MS } from './operation/rate-limit.ts'
import { buryWorkers } from './store/lease.ts'
import type { LoopContext } from './runtime.ts'

/** Rows removed in one transaction: a backlog is worked off without holding up anybody. */
const AT_ONCE = 1000
/** Tokens are told from unknown ones for a while after their end. */
const TOKENS_KEPT_MS = 24 * 3_600_000
/** Longer than any provider sends the same report again. */
const REPORTS_KEPT_MS = 35 * 24 * 3_600_000
/** Soft bounces further apart than this are not in a row. */
const SOFT_BOUNCES_KEPT_MS = 180 * 24 * 3_600_000

/** The hourly tidying: receipts a day after their completion, ended sessions, tokens, codes and rate windows, dead workers. */
export async function maintain(context: LoopContext): Promise<boolean> {
  const { store } = context
  const now = context.clock.now()
  await store.write((tx) => buryWorkers(tx, now))
  const removed = [
    await store.write((tx) => expireReceipts(tx, now, AT_ONCE)),
    await sweep(
      context,
      sql`DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE expires_at <= ${now} LIMIT ${AT_ONCE}) RETURNING 1`,
    ),
    await sweep(
      context,
      sql`DELETE FROM access_tokens WHERE token_hash IN (SELECT token_hash FROM access_tokens WHERE expires_at <= ${now - TOKENS_KEPT_MS} LIMIT ${AT_ONCE}) RETURNING 1`,
    ),
    await sweep(
      context,
      sql`DELETE FROM app_requests WHERE id IN (SELECT id FROM app_requests WHERE at <= ${now - REQUESTS_KEPT_MS} LIMIT ${AT_ONCE}) RETURNING 1`,
    ),
    await sweep(
      context,
      sql`DELETE FROM provider_events WHERE (connection_id, event_id) IN (SELECT connection_id, event_id FROM provider_events WHERE seen_at <= ${now - REPORTS_KEPT_MS} LIMIT ${AT_ONCE}) RETURNING 1`,
    ),
    await sweep(
      context,
      sql`DELETE FROM soft_bounces WHERE (project_id, email_key) IN (SELECT project_id, email_key FROM soft_bounces WHERE last_at <= ${now - SOFT_BOUNCES_KEPT_MS} LIMIT ${AT_ONCE}) RETURNING 1`,
    ),
    await sweep(
      context,
      sql`DELETE FROM rate_windows WHERE bucket IN (SELECT bucket FROM rate_windows WHERE started_at <= ${now - WINDOW_MS} LIMIT ${AT_ONCE}) RETURNING 1`,
    ),
  ]
  const swept = await store.write((tx) => sweepStorage(tx, now))
  for (const statement of [...oauthSweeps(AT_ONCE, now), ...accountSweeps(AT_ONCE, now)])
    removed.push(await sweep(context, statement))
  return swept > 0 || removed.some((rows) => rows === AT_ONCE)
}

async function sweep({ store }: LoopContext, statement: SQL): Promise<number> {
  return store.write(async (tx) => (await tx.all(statement)).length)
}
