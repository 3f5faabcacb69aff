import { Type } from '@sinclair/typebox'
import { and, eq, isNull, or } from 'drizzle-orm'
import { AppError, invalid, requireRoom } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import { one } from '../../store/rows.ts'
import type { Tx } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import { campaigns, connections, newsletter_settings, PROVIDERS } from '../../store/tables/delivery.ts'
import { type Connection, getConnection, relayRefused, USUAL_PORT, USUAL_RELAY } from './connection.ts'
import { changesServer, connectionAfter, Further, type Given, plainFields, secrets } from './connection-changes.ts'
import { ConnectionFields, ConnectionResource, connectionResources } from './resource.ts'
import { trial } from './trial.ts'
import { nameKey } from '../names.ts'
import { campaignsUsing } from '../campaigns-using.ts'
import { connectionOf } from './sender.ts'
import { getSettings } from './settings.operations.ts'

const MAX_CONNECTIONS = 50

const { name, provider } = ConnectionFields

/** Rule for the OpenAPI document too: `smtp` needs a host; a provider's host is known. */
const HOST_FOR_SMTP = {
  oneOf: [
    { properties: { provider: { const: 'smtp' } }, required: ['host'] },
    { properties: { provider: { enum: PROVIDERS.filter((kind) => kind !== 'smtp') } } },
  ],
}

export const createConnection = mutation({
  path: '/connections/create',
  scope: 'admin',
  audit: { target: { answer: 'connection' } },
  errors: ['CONFLICT', 'INVALID_STATE'],
  summary: "Creates a connection to an SMTP relay, a provider's relay or the sandbox mailbox.",
  request: obj({ name, provider, ...Further.properties }, HOST_FOR_SMTP),
  response: obj({ connection: ConnectionResource }),
  async prepare(input, context) {
    if (input.provider === 'smtp' && input.host === undefined) throw invalid('/host', 'Required.')
    await refuse(context, input)
  },
  async run(input, { tx, keys, project_id, now }) {
    requireRoom(await tx.$count(connections, eq(connections.project_id, project_id)), MAX_CONNECTIONS, 'connections')
    const isSandbox = input.provider === 'sandbox'
    const secure = input.secure ?? (isSandbox ? 'none' : 'starttls')
    const rows = await orConflict(
      tx
        .insert(connections)
        .values({
          ...USUAL_RELAY[input.provider],
          ...plainFields(input),
          ...secrets(keys, project_id, input),
          name: input.name.trim(),
          name_key: nameKey(input.name),
          project_id,
          provider: input.provider,
          max_connections_chosen: input.max_connections !== undefined,
          secure,
          port: input.port ?? (isSandbox ? 0 : USUAL_PORT[secure]),
          warm_up_started_at: input.warm_up ? now : null,
          verified_at: isSandbox ? now : null,
          created_at: now,
          updated_at: now,
        })
        .returning(),
      { name_key: '/name' },
      'Another connection has this name.',
    )
    return { connection: (await connectionResources(tx, project_id))(one(rows)) }
  },
})

export const updateConnection = mutation({
  path: '/connections/update',
  scope: 'admin',
  audit: { target: { kind: 'connection', input: 'connection_id' }, changes: true },
  errors: ['CONFLICT', 'NOT_READY'],
  summary: 'Changes a connection. Another relay or login must be tested again; another host needs the password again.',
  request: obj({
    connection_id: Id,
    name: Type.Optional(name),
    provider: Type.Optional(provider),
    ...Further.properties,
    webhook_topic: Type.Optional(
      Type.Null({ description: 'Forgets the SNS topic; the next one that subscribes takes its place.' }),
    ),
    test: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to sign in with the changes first: a relay that refuses leaves the connection as it was ' +
          '(NOT_READY), and one that answers makes it tested.',
      }),
    ),
  }),
  response: obj({ connection: ConnectionResource }),
  /** Answers the connection as it was when its changes passed the test; null without one. */
  async prepare({ connection_id, test, ...input }, context) {
    await refuse(context, input)
    if (!test) return null
    const before = await getConnection(context.db, context.project_id, connection_id)
    const error = await trial(context, connectionAfter(context.keys, before, input), null)
    if (error !== null) throw new AppError('NOT_READY', error)
    return before
  },
  async run({ connection_id, test: _, ...input }, { tx, keys, project_id, now }, tested) {
    const before = await getConnection(tx, project_id, connection_id)
    // A connection that changed meanwhile was not tested.
    if (tested && tested.updated_at !== before.updated_at)
      throw new AppError('CONFLICT', 'The connection has changed meanwhile. Read it again.')
    const after = connectionAfter(keys, before, input)
    const isOther = changesServer(keys, before, after)
    const rows = await orConflict(
      tx
        .update(connections)
        .set({
          ...after,
          ...(input.name === undefined ? {} : { name: input.name.trim(), name_key: nameKey(input.name) }),
          warm_up_started_at:
            input.warm_up === undefined
              ? before.warm_up_started_at
              : input.warm_up
                ? (before.warm_up_started_at ?? now)
                : null,
          verified_at:
            after.provider === 'sandbox'
              ? (before.verified_at ?? now)
              : tested
                ? now
                : isOther
                  ? null
                  : before.verified_at,
          last_error: isOther || tested ? null : before.last_error,
          // Open transports are replaced when this value changes, so it always grows.
          updated_at: Math.max(now, before.updated_at + 1),
        })
        .where(eq(connections.id, connection_id))
        .returning(),
      { name_key: '/name' },
      'Another connection has this name.',
    )
    return { connection: (await connectionResources(tx, project_id))(one(rows)) }
  },
})

export const deleteConnection = mutation({
  path: '/connections/delete',
  scope: 'admin',
  audit: { target: { kind: 'connection', input: 'connection_id' } },
  errors: ['CONFLICT'],
  summary: 'Deletes a connection, unless a campaign that is scheduled, being sent or paused uses it.',
  request: obj({ connection_id: Id }),
  response: obj({ connection: ConnectionResource }),
  async run({ connection_id }, { tx, project_id, now }) {
    const row = await getConnection(tx, project_id, connection_id)
    const campaign_ids = await unfinishedCampaigns(tx, row)
    if (campaign_ids.length > 0)
      throw new AppError('CONFLICT', 'A campaign that has not ended uses this connection.', {
        details: { campaign_ids },
      })
    await tx
      .update(newsletter_settings)
      .set({ default_connection_id: null, updated_at: now })
      .where(
        and(
          eq(newsletter_settings.project_id, project_id),
          eq(newsletter_settings.default_connection_id, connection_id),
        ),
      )
    await tx.delete(connections).where(eq(connections.id, connection_id))
    return { connection: (await connectionResources(tx, project_id))(row) }
  },
})

/** Throws for settings that this service does not allow. */
async function refuse({ config }: Runtime, { provider, host }: Given): Promise<void> {
  if (provider === 'sandbox' && !config.sandbox)
    throw invalid('/provider', 'The sandbox mailbox is switched off on this service.')
  const reason = host === undefined ? null : await relayRefused(config, host)
  if (reason !== null) throw invalid('/host', reason)
}

/** Campaigns that use this connection: by their own choice, or as the default. */
async function unfinishedCampaigns(tx: Tx, { id, project_id }: Connection): Promise<number[]> {
  const usual = await connectionOf(tx, project_id, await getSettings(tx, project_id))
  const uses =
    usual?.id === id
      ? or(eq(campaigns.connection_id, id), isNull(campaigns.connection_id))
      : eq(campaigns.connection_id, id)
  return campaignsUsing(tx, project_id, uses, { drafts: false })
}
