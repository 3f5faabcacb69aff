import { emailKey } from '../address.ts'
import { DAY_MS } from '../clock.ts'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Runtime } from '../runtime.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { sandbox_messages } from '../store/tables/delivery.ts'
import type { SmtpEnvelope } from './smtp-pool.ts'
import type { SmtpOutcome } from './smtp-outcome.ts'
import type { HandOverGate } from './smtp-session.ts'
import { passes, WITHHELD } from './smtp-session.ts'

/** Hands messages to a relay or to the sandbox mailbox. */
export interface MailTransport {
  /** Hands over one message. Resolves with the outcome; rejects only when the store fails. */
  send(envelope: SmtpEnvelope, message: Buffer, gate?: HandOverGate): Promise<SmtpOutcome>
  close(): Promise<void>
}

/** The row of a message in the sandbox mailbox. */
export function sandboxMessage(project_id: ProjectId | null, { from, to }: SmtpEnvelope, message: Buffer, now: number) {
  return {
    project_id,
    sender: from,
    recipient: to,
    recipient_key: emailKey(to),
    raw: message.toString('utf8'),
    received_at: now,
  }
}

/**
 * Stores messages in the sandbox mailbox instead of sending them; those that arrive together, in one transaction.
 * Account messages belong to no project.
 */
export function sandboxTransport({ store, clock }: Runtime, project_id: ProjectId | null): MailTransport {
  let pending: (typeof sandbox_messages.$inferInsert)[] = []
  let last: Promise<unknown> = Promise.resolve()
  /** The write that will store what is pending now. */
  let next: Promise<void> | null = null
  const storeAll = async (): Promise<void> => {
    const messages = pending
    pending = []
    next = null
    await store.write((tx) => tx.insert(sandbox_messages).values(messages))
  }
  return {
    async send(envelope, message, gate) {
      if (!(await passes(gate))) return WITHHELD
      pending.push(sandboxMessage(project_id, envelope, message, clock.now()))
      last = next ??= last.catch(() => undefined).then(storeAll)
      await next
      return { kind: 'sent', response: 'Stored in the sandbox mailbox.' }
    },
    close: async () => undefined,
  }
}

const RETENTION_MS = 30 * DAY_MS

export const sandboxRetention: RetentionRule = {
  rows: 'messages in the sandbox mailbox',
  kept: '30 days',
  statement: (now, limit) => deleteWhere('sandbox_messages', 'id', sql`received_at <= ${now - RETENTION_MS}`, limit),
}
