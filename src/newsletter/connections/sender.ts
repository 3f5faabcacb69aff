import type { ProjectId } from '../../ids.ts'
import { AppError } from '../../errors.ts'
import { and, asc, eq } from 'drizzle-orm'
import type { Reader } from '../../store/open.ts'
import { connections } from '../../store/tables/delivery.ts'
import type { Connection } from './connection.ts'

/** The From and Reply-To of messages. `from_email` is empty until the settings have a sender. */
export interface Sender {
  from_name: string
  from_email: string
  reply_to: string
}

const FIELDS = ['from_name', 'from_email', 'reply_to'] as const

/** The given fields without white space around them. */
export function tidySender(given: Partial<Sender>): Partial<Sender> {
  return Object.fromEntries(
    FIELDS.filter((field) => given[field] !== undefined).map((field) => [field, given[field]!.trim()]),
  )
}

/** The sender of a message: the campaign's own fields where they are filled, else the project's. */
export function senderOf(settings: Sender, own?: Sender): Sender {
  return {
    from_name: own?.from_name || settings.from_name,
    from_email: own?.from_email || settings.from_email,
    reply_to: own?.reply_to || settings.reply_to,
  }
}

/** The refusal of an operation that needs a sender: what to do, and what the check `sender` found. */
export function withoutSender(message: string, finding: string): AppError {
  return new AppError('NOT_READY', message, {
    details: { checks: [{ code: 'sender', ok: false, severity: 'error', message: finding }] },
  })
}

/**
 * The connection that sends a message: the one chosen for it, else the project's default, else the project's only one.
 * Null when there is none. A chosen connection that was deleted is not replaced.
 */
export async function connectionOf(
  db: Reader,
  project_id: ProjectId,
  settings: { default_connection_id: number | null },
  chosen: number | null = null,
): Promise<Connection | null> {
  const wanted = chosen ?? settings.default_connection_id
  const own = eq(connections.project_id, project_id)
  const rows =
    wanted === null
      ? await db
          .select()
          .from(connections)
          .where(own)
          .orderBy(asc(connections.created_at), asc(connections.id))
          .limit(2)
      : await db
          .select()
          .from(connections)
          .where(and(own, eq(connections.id, wanted)))
  return rows.length === 1 ? rows[0]! : null
}
