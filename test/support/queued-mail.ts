import { asc, eq } from 'drizzle-orm'
import { unsealContent } from '../../src/accounts/messages.ts'
import { account_messages } from '../../src/store/tables/accounts.ts'
import { KEYS, NOW, sharedStore } from './shared-store.ts'

/** What a function that writes notices needs, at a time after NOW. */
export const senderAt = (after_ms = 0) => ({ keys: KEYS, base_url: 'https://masthead.example', now: NOW + after_ms })

/** The messages that wait for an address in the shared store, the oldest first. */
export async function queuedFor(email: string) {
  const { db } = await sharedStore()
  const rows = await db
    .select()
    .from(account_messages)
    .where(eq(account_messages.recipient, email))
    .orderBy(asc(account_messages.id))
  return rows.map((row) => {
    const { subject = '', text = '' } = unsealContent(KEYS, row) ?? {}
    return { id: row.id, kind: row.kind, expires_at: row.expires_at, subject, text }
  })
}

/** The token in the last link that waits for an address. */
export async function queuedToken(email: string): Promise<string> {
  return /\?token=([\w-]+)/.exec((await queuedFor(email)).at(-1)?.text ?? '')![1]!
}
