import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { DAY_MS, iso } from '../../clock.ts'
import { enumOf, obj, Timestamp } from '../../schema.ts'
import { oneLine } from '../../one-line.ts'
import type { Reader, Store } from '../../store/open.ts'
import { UNREAD_REASONS } from '../../store/tables/tracking.ts'
import { deleteWhere, type RetentionRule } from '../../store/retention.ts'

/**
 * Webhook requests of a connection that could not be read as reports, for people who look for lost reports
 * (docs/api/delivery.md#what-was-not-understood). A row holds no address, and of a message only its subject.
 */

export interface Unread {
  reason: (typeof UNREAD_REASONS)[number]
  /** The subject of the message, or the name of the event. */
  about: string
  media_type: string
  sender_domain: string
}

export const UnreadReport = obj({
  reason: enumOf(UNREAD_REASONS),
  about: Type.String({ description: 'The subject of the message, or the name of the event.' }),
  media_type: Type.String({ description: 'Empty for an event.' }),
  sender_domain: Type.String({ description: 'The domain that the message says it comes from; else empty.' }),
  bytes: Type.Integer({ minimum: 0, description: 'Size of the last one.' }),
  times: Type.Integer({ minimum: 1 }),
  last_at: Timestamp,
})

const MAX_KEPT = 100
const KEPT_MS = 30 * DAY_MS
const MAX_ABOUT = 100
const KEY = 'connection_id, reason, about, media_type, sender_domain'

/** Stores an unread request, and keeps the newest hundred of a connection. */
export async function keepUnread(
  { write }: Pick<Store, 'write'>,
  connection_id: number,
  { unread, bytes }: { unread: readonly Unread[]; bytes: number },
  now: number,
): Promise<void> {
  if (unread.length === 0) return
  await write(
    async (tx) => {
      for (const { reason, about, media_type, sender_domain } of unread.slice(0, MAX_KEPT))
        await tx.run(sql`
          INSERT INTO unread_reports (${sql.raw(KEY)}, bytes, last_at, times)
          VALUES (${connection_id}, ${reason}, ${withoutAddresses(about)}, ${shown(media_type)},
            ${shown(sender_domain)}, ${bytes}, ${now}, 1)
          ON CONFLICT DO UPDATE SET bytes = excluded.bytes, last_at = excluded.last_at, times = times + 1`)
      await tx.run(sql`
        DELETE FROM unread_reports WHERE (${sql.raw(KEY)}) IN (
          SELECT ${sql.raw(KEY)} FROM unread_reports WHERE connection_id = ${connection_id}
          ORDER BY last_at DESC LIMIT -1 OFFSET ${MAX_KEPT})`)
    },
    { durable: false },
  )
}

const shown = (text: string): string => oneLine(text.slice(0, MAX_ABOUT))

function withoutAddresses(text: string): string {
  const words = oneLine(text).split(/\s+/)
  return shown(words.map((word) => (word.includes('@') ? '[address]' : word)).join(' '))
}

/** Lists the unread requests of a connection, the newest first. */
export async function listUnread(db: Reader, connection_id: number, now: number) {
  const rows = await db.all<Unread & { bytes: number; times: number; last_at: number }>(sql`
    SELECT reason, about, media_type, sender_domain, bytes, times, last_at FROM unread_reports
    WHERE connection_id = ${connection_id} AND last_at > ${now - KEPT_MS} ORDER BY last_at DESC LIMIT ${MAX_KEPT}`)
  return rows.map((row) => ({ ...row, last_at: iso(row.last_at) }))
}

export const unreadRetention: RetentionRule = {
  rows: 'what webhooks did not understand',
  kept: '30 days, at most 100 of a connection',
  statement: (now, limit) => deleteWhere('unread_reports', KEY, sql`last_at <= ${now - KEPT_MS}`, limit),
}
