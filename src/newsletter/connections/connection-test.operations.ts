import { tidyAddress } from '../../address.ts'
import { Type } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import { newId } from '../../ids.ts'
import { mutation, type ReadContext } from '../../operation/declare.ts'
import { Email, Id, obj } from '../../schema.ts'
import { connections, sandbox_messages } from '../../store/tables/delivery.ts'
import { type Connection, getConnection } from './connection.ts'
import { ConnectionResource, connectionResources } from './resource.ts'
import { countTests, requireFewTests } from '../consent/message-requests.ts'
import { composeSimple } from '../../mail/mime.ts'
import { sandboxMessage } from '../../mail/sandbox.ts'
import { withoutSender } from './sender.ts'
import { getSettings } from './settings.operations.ts'
import { type TestMessage, trial } from './trial.ts'

export const testConnection = mutation({
  path: '/connections/test',
  scope: 'admin',
  audit: { target: { kind: 'connection', input: 'connection_id' } },
  errors: ['NOT_READY'],
  summary: 'Signs in at the relay, or sends one message through it. Stores the result as verified_at or last_error.',
  request: obj({ connection_id: Id, email: Type.Optional(Email) }),
  response: obj({
    ok: Type.Boolean(),
    error: Type.Optional(Type.String({ description: 'The response of the relay, or why it could not be reached.' })),
    connection: ConnectionResource,
  }),
  async prepare({ connection_id, email }, context) {
    const connection = await getConnection(context.db, context.project_id, connection_id)
    if (email !== undefined) await requireFewTests(context.db, context, [email])
    const message = email === undefined ? null : await testMessage(context, connection, tidyAddress(email))
    return { connection, message, error: await trial(context, connection, message) }
  },
  async run({ connection_id }, { tx, keys, project_id, now }, { connection, message, error }) {
    if (message) await countTests(tx, { keys, project_id, now }, [message.envelope.to])
    if (connection.provider === 'sandbox') {
      if (message && error === null)
        await tx.insert(sandbox_messages).values(sandboxMessage(project_id, message.envelope, message.raw, now))
    } else {
      // A connection that changed meanwhile was not tested.
      await tx
        .update(connections)
        .set({ verified_at: error === null ? now : null, last_error: error })
        .where(and(eq(connections.id, connection_id), eq(connections.updated_at, connection.updated_at)))
    }
    const shown = await connectionResources(tx, project_id)
    const after = shown(await getConnection(tx, project_id, connection_id))
    return error === null ? { ok: true, connection: after } : { ok: false, error, connection: after }
  },
})

async function testMessage(
  { db, project_id, now }: ReadContext,
  connection: Connection,
  to: string,
): Promise<TestMessage> {
  const { from_email, from_name } = await getSettings(db, project_id)
  if (from_email === '')
    throw withoutSender(
      'A test message needs a sender: set from_email in the settings.',
      'The settings have no sender address.',
    )
  const raw = composeSimple({
    from: { email: from_email, name: from_name },
    to: { email: to },
    subject: `Test of the connection ${connection.name}`,
    message_id: `${newId('req')}@${from_email.slice(from_email.lastIndexOf('@') + 1)}`,
    date_ms: now,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: `This message came through the connection ${connection.name}. It works.\n`,
  })
  return { envelope: { from: from_email, to }, raw }
}
