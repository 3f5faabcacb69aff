import { emailKey } from '../../address.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, asc, eq, gt } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { readStored } from '../../mail/stored-message.ts'
import { nullable, obj, Timestamp } from '../../schema.ts'
import { projects } from '../../store/tables/accounts.ts'
import { sandbox_messages } from '../../store/tables/delivery.ts'
import { MAILBOX_PATH } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { Success } from '../core/schemas.ts'

const MAX_MESSAGES = 1000

const Message = obj({
  id: Type.Integer(),
  project_id: nullable(Type.String()),
  from: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  headers: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
  text: nullable(Type.String()),
  html: nullable(Type.String()),
  raw: Type.String(),
  received_at: Timestamp,
})

/** The mailbox of sandbox connections, mounted only with the setting `sandbox` (docs/api/platform.md#public-routes). */
export const mailboxRoutes = [
  route({
    method: 'GET',
    path: MAILBOX_PATH,
    summary: 'Lists stored messages in order of arrival.',
    auth: 'public',
    query: obj({
      to: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
      after_id: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_MESSAGES })),
    }),
    response: obj({ messages: Type.Array(Message) }),
    async run({ to, after_id = 0, limit = MAX_MESSAGES }, { db }) {
      const rows = await db
        .select({ message: sandbox_messages, project_public_id: projects.public_id })
        .from(sandbox_messages)
        .leftJoin(projects, eq(projects.id, sandbox_messages.project_id))
        .where(
          and(
            gt(sandbox_messages.id, after_id),
            to === undefined ? undefined : eq(sandbox_messages.recipient_key, emailKey(to)),
          ),
        )
        .orderBy(asc(sandbox_messages.id))
        .limit(limit)
      const messages = []
      for (const { message, project_public_id } of rows) messages.push(await messageRecord(message, project_public_id))
      return { messages }
    },
  }),

  route({
    method: 'DELETE',
    path: MAILBOX_PATH,
    summary: 'Deletes all stored messages. Later messages get higher ids than deleted ones.',
    auth: 'public',
    repeatable: true,
    response: Success,
    async run(_, { store }) {
      await store.write((tx) => tx.delete(sandbox_messages))
    },
  }),
]

async function messageRecord(
  row: typeof sandbox_messages.$inferSelect,
  project_public_id: string | null,
): Promise<Static<typeof Message>> {
  const { from, ...message } = await readStored(row.raw)
  return {
    id: row.id,
    project_id: project_public_id,
    from: from ?? row.sender,
    to: row.recipient,
    ...message,
    raw: row.raw,
    received_at: iso(row.received_at),
  }
}
