import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, eq, isNull, or } from 'drizzle-orm'
import { AppError, invalid, requireRoom } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import type { Keys } from '../../secrets.ts'
import { orConflict } from '../../store/constraint.ts'
import { one } from '../../store/rows.ts'
import type { Tx } from '../../store/open.ts'
import { seal, SEALED, type SealedColumn } from '../../store/sealed.ts'
import type { Runtime } from '../../runtime.ts'
import { campaigns, connections, newsletter_settings, PROVIDERS } from '../../store/tables/delivery.ts'
import {
  type Connection,
  getConnection,
  unsealConnectionPassword,
  relayRefused,
  USUAL_PORT,
  USUAL_RELAY,
} from './connection.ts'
import { ConnectionFields, ConnectionResource, connectionResources } from './resource.ts'
import { nameKey } from '../names.ts'
import { campaignsUsing } from '../campaigns-using.ts'
import { connectionOf } from './sender.ts'
import { getSettings } from './settings.operations.ts'

const MAX_CONNECTIONS = 50

const { name, provider, ...others } = ConnectionFields
const Further = Type.Partial(obj(others))

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
  errors: ['CONFLICT'],
  summary: 'Changes a connection. Another relay or login must be tested again; another host needs the password again.',
  request: obj({
    connection_id: Id,
    name: Type.Optional(name),
    provider: Type.Optional(provider),
    ...Further.properties,
    webhook_topic: Type.Optional(
      Type.Null({ description: 'Forgets the SNS topic; the next one that subscribes takes its place.' }),
    ),
  }),
  response: obj({ connection: ConnectionResource }),
  prepare: (input, context) => refuse(context, input),
  async run({ connection_id, ...input }, { tx, keys, project_id, now }) {
    const before = await getConnection(tx, project_id, connection_id)
    const relay = relayAfter(before, input)
    const relay_host = input.host?.toLowerCase() ?? relay.host
    // A stored password must not be sent to another server that the caller names.
    const password_sealed = relay_host === before.host ? before.password_sealed : null
    const after = {
      ...before,
      ...relay,
      ...plainFields(input),
      password_sealed,
      // A form sends the value again that it shows: only another one is a choice.
      max_connections_chosen:
        before.max_connections_chosen || (input.max_connections ?? before.max_connections) !== before.max_connections,
      webhook_topic: input.webhook_topic === null || relay.provider !== before.provider ? null : before.webhook_topic,
      ...secrets(keys, project_id, input),
      port: input.port ?? usualPortAfter(before, { ...relay, ...plainFields(input) }),
    }
    if (after.provider === 'smtp' && after.host === '') throw invalid('/host', 'Required.')
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
          verified_at: after.provider === 'sandbox' ? (before.verified_at ?? now) : isOther ? null : before.verified_at,
          last_error: isOther ? null : before.last_error,
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

type Given = Partial<Static<typeof Further>> & { name?: string; provider?: Connection['provider'] }

/** Throws for settings that this service does not allow. */
async function refuse({ config }: Runtime, { provider, host }: Given): Promise<void> {
  if (provider === 'sandbox' && !config.sandbox)
    throw invalid('/provider', 'The sandbox mailbox is switched off on this service.')
  const reason = host === undefined ? null : await relayRefused(config, host)
  if (reason !== null) throw invalid('/host', reason)
}

/** The given fields that are stored unchanged. */
function plainFields({
  host,
  secure,
  username,
  from_domain,
  bounce_domain,
  max_per_second,
  max_per_day,
  max_connections,
  mailbox_limits,
  message_stream,
}: Given) {
  return withoutGaps({
    host: host?.toLowerCase(),
    secure,
    username,
    from_domain: from_domain?.toLowerCase(),
    bounce_domain: bounce_domain?.toLowerCase(),
    max_per_second,
    max_per_day,
    max_connections,
    mailbox_limits,
    message_stream,
  })
}

function secrets(keys: Keys, project_id: ProjectId, { password, webhook_secret }: Given) {
  const sealed = (secret: string | null | undefined, column: SealedColumn<{ project_id: ProjectId }>) =>
    secret ? seal(keys, column, secret, { project_id }) : secret === undefined ? undefined : null
  return withoutGaps({
    password_sealed: sealed(password, SEALED.relay_password),
    webhook_secret_sealed: sealed(webhook_secret, SEALED.webhook_secret),
  })
}

type Relay = Pick<Connection, 'provider' | 'host' | 'username' | 'secure'>

/** A changed provider replaces the relay, if that was the default of the provider before. */
function relayAfter({ provider, host, username, secure }: Connection, given: Given): Relay {
  const next = given.provider ?? provider
  if (next === provider) return { provider, host, username, secure }
  const [old, usual] = [USUAL_RELAY[provider], USUAL_RELAY[next]]
  return {
    provider: next,
    host: host === '' || host === old.host ? usual.host : host,
    username: username === '' || username === old.username ? usual.username : username,
    secure: provider === 'sandbox' ? 'starttls' : secure,
  }
}

/** A changed `secure` replaces the port, if that was the default before. */
function usualPortAfter(before: Connection, { provider, secure }: Relay): number {
  if (provider === 'sandbox') return before.port
  return before.port === 0 || before.port === USUAL_PORT[before.secure] ? USUAL_PORT[secure] : before.port
}

function changesServer(keys: Keys, before: Connection, after: Connection): boolean {
  const differs = (['provider', 'host', 'port', 'secure', 'username'] as const).some(
    (field) => before[field] !== after[field],
  )
  return (
    differs ||
    (before.password_sealed !== after.password_sealed &&
      unsealConnectionPassword(keys, before) !== unsealConnectionPassword(keys, after))
  )
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

function withoutGaps<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
