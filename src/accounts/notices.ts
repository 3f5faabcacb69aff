import { and, eq, gt } from 'drizzle-orm'
import type { Keys } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import { account_messages, type MessageKind } from '../store/tables/accounts.ts'
import { message, type MessageParts } from './message-templates.ts'
import { queueMessage } from './messages.ts'

/** What a notice needs of the context that it is queued in. */
export interface Sender {
  keys: Keys
  base_url: string
  now: number
}

const HOUR_MS = 3_600_000
/** A notice is of no use later. */
const NOTICE_LIFE_MS = 24 * HOUR_MS
/** Notices of one kind that an address gets in an hour, so that nobody can flood it through this service. */
export const NOTICES_PER_HOUR = 30

/** Queues a notice for each address, except for those that got many in the last hour. */
export async function queueNotice(
  tx: Tx,
  { keys, base_url, now }: Sender,
  { kind, recipients }: { kind: MessageKind; recipients: readonly string[] },
  parts: MessageParts,
): Promise<void> {
  const content = message(base_url, parts)
  for (const recipient of recipients) {
    const recent = and(
      gt(account_messages.created_at, now - HOUR_MS),
      eq(account_messages.kind, kind),
      eq(account_messages.recipient, recipient),
    )
    if ((await tx.$count(account_messages, recent)) < NOTICES_PER_HOUR)
      await queueMessage(tx, keys, { kind, recipient, useful_ms: NOTICE_LIFE_MS, content }, now)
  }
}
