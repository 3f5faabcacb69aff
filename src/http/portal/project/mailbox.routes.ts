import { emailKey } from '../../../address.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { iso } from '../../../clock.ts'
import { headOf, readStored } from '../../../mail/stored-message.ts'
import { Email, Id, Limit, nullable, obj, Timestamp } from '../../../schema.ts'
import { oneOrNotFound } from '../../../store/rows.ts'
import { sandbox_messages } from '../../../store/tables/delivery.ts'
import { route } from '../../core/route.ts'

const LISTED = {
  id: Id,
  from: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  received_on: Timestamp,
}
const ListedMessage = obj(LISTED)
const Message = obj({
  ...LISTED,
  headers: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
  text: nullable(Type.String()),
  html: nullable(Type.String()),
  raw: Type.String(),
})

/** The messages that sandbox connections of a project stored instead of sending them (docs/api/platform.md#mailbox). */
export const projectMailboxRoutes = [
  route({
    method: 'POST',
    path: '/project/mailbox/list',
    summary: 'The messages that sandbox connections of the project stored, newest first.',
    auth: 'session',
    role: 'member',
    body: obj({ to: Type.Optional(Email), before_id: Type.Optional(Id), limit: Type.Optional(Limit) }),
    response: obj({
      messages: Type.Array(ListedMessage),
      sandbox: Type.Boolean({ description: 'Whether the service stores messages at all.' }),
    }),
    async read({ to, before_id, limit = 50 }, { db, project_id, config }) {
      const rows = await db
        .select()
        .from(sandbox_messages)
        .where(
          and(
            eq(sandbox_messages.project_id, project_id),
            to === undefined ? undefined : eq(sandbox_messages.recipient_key, emailKey(to)),
            before_id === undefined ? undefined : lt(sandbox_messages.id, before_id),
          ),
        )
        .orderBy(desc(sandbox_messages.id))
        .limit(limit)
      const messages = []
      for (const row of rows) messages.push(listed(row, await readStored(headOf(row.raw))))
      return { messages, sandbox: config.sandbox }
    },
  }),

  route({
    method: 'POST',
    path: '/project/mailbox/get',
    summary: 'One stored message.',
    auth: 'session',
    role: 'member',
    body: obj({ message_id: Id }),
    response: obj({ message: Message }),
    errors: ['NOT_FOUND'],
    async read({ message_id }, { db, project_id }) {
      const own = and(eq(sandbox_messages.project_id, project_id), eq(sandbox_messages.id, message_id))
      const row = oneOrNotFound(await db.select().from(sandbox_messages).where(own), 'message', '/message_id')
      const { from, subject, ...parts } = await readStored(row.raw)
      return { message: { ...listed(row, { from, subject }), ...parts, raw: row.raw } }
    },
  }),

  route({
    method: 'POST',
    path: '/project/mailbox/clear',
    summary: 'Deletes the stored messages of the project.',
    auth: 'session',
    role: 'editor',
    audit: { target: 'project' },
    response: obj({ deleted: Type.Integer() }),
    async write(_, { tx, project_id }) {
      const deleted = await tx
        .delete(sandbox_messages)
        .where(eq(sandbox_messages.project_id, project_id))
        .returning({ one: sql`1` })
      return { deleted: deleted.length }
    },
  }),
]

function listed(
  { id, sender, recipient, received_at }: typeof sandbox_messages.$inferSelect,
  { from, subject }: { from: string | null; subject: string },
): Static<typeof ListedMessage> {
  return { id, from: from ?? sender, to: recipient, subject, received_on: iso(received_at) }
}
