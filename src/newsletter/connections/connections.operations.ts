import type { ProjectId } from '../../ids.ts'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { read } from '../../operation/declare.ts'
import { isPrivateAddress } from '../../public-fetch.ts'
import { Cursor, Id, Limit, line, name, nullable, obj, Timestamp, enumOf } from '../../schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { Keys } from '../../secrets.ts'
import type { Reader } from '../../store/open.ts'
import { page } from '../../store/page.ts'
import { SEALED, unseal } from '../../store/sealed.ts'
import { connections, MAILBOX_PROVIDERS, PROVIDERS, SECURE } from '../../store/tables/delivery.ts'
import { oneOrNotFound } from '../../store/rows.ts'

/** A connection sends a project's messages: an SMTP relay, a provider's relay, or the sandbox mailbox. */
export type Connection = typeof connections.$inferSelect

/** Defaults for the relays of known providers. Postmark's token is both user name and password. */
export const USUAL_RELAY = {
  ses: { host: 'email-smtp.us-east-1.amazonaws.com', username: '' },
  sendgrid: { host: 'smtp.sendgrid.net', username: 'apikey' },
  mailgun: { host: 'smtp.mailgun.org', username: '' },
  postmark: { host: 'smtp.postmarkapp.com', username: '' },
  brevo: { host: 'smtp-relay.brevo.com', username: '' },
  resend: { host: 'smtp.resend.com', username: 'resend' },
  smtp: { host: '', username: '' },
  sandbox: { host: '', username: '' },
} as const satisfies Record<Connection['provider'], { host: string; username: string }>

/** Postmark takes broadcasts on a host of its own. */
const POSTMARK_BROADCASTS = 'smtp-broadcasts.postmarkapp.com'

/** The connection as campaigns use it. */
export function forCampaigns(connection: Connection): Connection {
  const { provider, host, message_stream } = connection
  const isBroadcast = provider === 'postmark' && message_stream !== '' && host === USUAL_RELAY.postmark.host
  return isBroadcast ? { ...connection, host: POSTMARK_BROADCASTS } : connection
}

/** Default ports: submission (RFC 6409), submission over TLS (RFC 8314), relay (RFC 5321). */
export const USUAL_PORT = { starttls: 587, tls: 465, none: 25 } as const

const DOMAIN =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

FormatRegistry.Set('relay-host', (text) => isIP(text) > 0 || DOMAIN.test(text))
FormatRegistry.Set(
  'domain-or-empty',
  (text) => text === '' || (text.includes('.') && isIP(text) === 0 && DOMAIN.test(text)),
)

const Pace = Type.Number({ minimum: 0.01, maximum: 100_000 })

const DOMAIN_IN_LOWER_CASE = '(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}'
/** A mailbox provider, or a domain. */
const LIMIT_NAME = `^(?:${MAILBOX_PROVIDERS.join('|')}|${DOMAIN_IN_LOWER_CASE})$`

/** The fields of a connection that a caller sets. */
export const ConnectionFields = {
  name: name(100),
  provider: enumOf(PROVIDERS),
  host: Type.String({
    format: 'relay-host',
    minLength: 1,
    maxLength: 253,
    description: "Host name or IP address of the relay; default: the provider's relay (for SES, in us-east-1)",
  }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'Default: 587 for starttls, 465 for tls, 25 for none',
  }),
  secure: enumOf(SECURE, { default: 'starttls' }),
  username: line(255, { description: "Default: the provider's fixed user name" }),
  password: nullable(line(1000, { description: 'Never returned. null or an empty text removes it.' })),
  from_domain: Type.String({
    format: 'domain-or-empty',
    maxLength: 253,
    description: 'The domain that messages come from, or an empty text',
  }),
  max_per_second: nullable(Type.Number({ minimum: 0.01, maximum: 100_000, description: 'No limit when null.' })),
  max_per_day: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'No limit when null.' })),
  max_connections: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  mailbox_limits: nullable(
    Type.Record(Type.String({ pattern: LIMIT_NAME }), Pace, {
      additionalProperties: false,
      maxProperties: 50,
      description:
        `Messages per second to mailboxes of ${MAILBOX_PROVIDERS.join(', ')}, or of a domain: those whose address or ` +
        'mail exchanger is in it.',
    }),
  ),
  message_stream: Type.String({
    pattern: '^[A-Za-z0-9-]{0,100}$',
    description: 'For Postmark: the broadcast stream of campaigns; all other messages take the default stream.',
  }),
  warm_up: Type.Boolean({
    description:
      'Whether the daily limit grows from 200 to 200,000 over 42 days from now; for senders without a reputation.',
  }),
  bounce_domain: Type.String({
    format: 'domain-or-empty',
    maxLength: 240,
    description:
      'The domain of return paths, one for each message; its mail is posted to the mime webhook. Or an empty text',
  }),
  webhook_secret: nullable(
    Type.String({
      maxLength: 4000,
      description: 'Never returned. null or an empty text removes it. See connections/webhook-urls.',
    }),
  ),
}

/** One check of the DNS for the domain that messages come from. */
export const DnsCheck = obj({
  name: enumOf(['spf', 'dkim', 'dmarc']),
  ok: Type.Boolean(),
  found: nullable(Type.String({ description: 'The record, or null when there is none or the DNS gave no answer.' })),
  expected: Type.String(),
  hint: Type.String({ description: 'What to do, or why the check passes.' }),
})

const DnsResult = obj(
  { domain: Type.String(), checked_at: Timestamp, checks: Type.Array(DnsCheck) },
  { description: 'The last result of connections/verify-dns.' },
)

/** A connection in responses. */
export const ConnectionResource = obj(
  {
    id: Id,
    name: Type.String(),
    provider: enumOf(PROVIDERS),
    host: Type.String(),
    port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0 for the sandbox.' }),
    secure: enumOf(SECURE),
    username: Type.String(),
    password_set: Type.Boolean(),
    from_domain: Type.String(),
    max_per_second: ConnectionFields.max_per_second,
    max_per_day: ConnectionFields.max_per_day,
    max_connections: ConnectionFields.max_connections,
    mailbox_limits: ConnectionFields.mailbox_limits,
    message_stream: ConnectionFields.message_stream,
    warm_up: Type.Boolean(),
    bounce_domain: Type.String(),
    webhook_secret_set: Type.Boolean(),
    webhook_topic: nullable(Type.String({ description: 'The only SNS topic whose notifications are accepted.' })),
    dkim_selector: Type.String({ description: 'The selector that verify-dns was last given.' }),
    dns: nullable(DnsResult),
    verified_at: nullable(Timestamp),
    last_error: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Connection' },
)

export function connectionResource(row: Connection): Static<typeof ConnectionResource> {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    host: row.host,
    port: row.port,
    secure: row.secure,
    username: row.username,
    password_set: row.password_sealed !== null,
    from_domain: row.from_domain,
    max_per_second: row.max_per_second,
    max_per_day: row.max_per_day,
    max_connections: row.max_connections,
    mailbox_limits: row.mailbox_limits,
    message_stream: row.message_stream,
    warm_up: row.warm_up_started_at !== null,
    bounce_domain: row.bounce_domain,
    webhook_secret_set: row.webhook_secret_sealed !== null,
    webhook_topic: row.webhook_topic,
    dkim_selector: row.dkim_selector,
    dns: row.dns && { ...row.dns, checked_at: iso(row.dns.checked_at) },
    verified_at: isoOrNull(row.verified_at),
    last_error: row.last_error,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export const listConnections = read({
  path: '/connections/list',
  scope: 'read',
  summary: 'Lists the connections, without their secrets.',
  request: obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(ConnectionResource), next_cursor: nullable(Type.String()) }),
  async run({ limit, cursor }, { db, keys, project_id }) {
    return page(
      { keys, operation: '/connections/list', project_id, filters: {}, cursor, limit },
      (after, most) =>
        db
          .select()
          .from(connections)
          .where(
            and(
              eq(connections.project_id, project_id),
              after ? sql`(created_at, id) > (${after.created_at}, ${after.id})` : undefined,
            ),
          )

          .orderBy(connections.created_at, connections.id)
          .limit(most),
      connectionResource,
    )
  },
})

/** A connection of the project; NOT_FOUND at `path` for any other. */
export async function getConnection(
  db: Reader,
  project_id: ProjectId,
  connection_id: number,
  path = '/connection_id',
): Promise<Connection> {
  return oneOrNotFound(
    await db
      .select()
      .from(connections)
      .where(and(eq(connections.id, connection_id), eq(connections.project_id, project_id))),
    'connection',
    path,
  )
}

/** The password of a relay, or null when there is none. Throws when it was sealed with another key. */
export function unsealConnectionPassword(keys: Keys, connection: Connection): string | null {
  if (connection.password_sealed === null) return null
  const password = unseal(keys, SEALED.relay_password, connection.password_sealed, connection)
  if (password === null) throw new Error('The password of a connection cannot be decrypted with this secret key.')
  return password
}

/** How the relay of a connection is reached, for `createSmtpPool`. */
export function relayOptions({ config, keys }: Pick<Runtime, 'config' | 'keys'>, connection: Connection) {
  const { host, port, secure, username, provider } = connection
  const password = unsealConnectionPassword(keys, connection)
  // Postmark takes its token twice.
  return {
    locate: (name: string) => relayAddress(name, config.allow_private_relays),
    ...patienceOf(config.relay_silence_seconds * 1000),
    host,
    port,
    secure,
    username: username || (provider === 'postmark' ? password : null),
    password,
  }
}

/** How long a relay may take. Nobody waits as long for a greeting as for the answer to a message. */
function patienceOf(silence_ms: number) {
  const before_ms = Math.min(silence_ms, LONGEST_GREETING_MS)
  return {
    connect_timeout_ms: before_ms,
    greeting_timeout_ms: before_ms,
    socket_timeout_ms: silence_ms,
    message_timeout_ms: 5 * silence_ms,
  }
}

const LONGEST_GREETING_MS = 15_000

/** The secret that verifies a connection's webhooks; empty without one, or when this secret key cannot unseal it. */
export function unsealWebhookSecret(keys: Keys, connection: Connection): string {
  const { webhook_secret_sealed: sealed } = connection
  return sealed === null ? '' : (unseal(keys, SEALED.webhook_secret, sealed, connection) ?? '')
}

const CLOSED = 'Relays on this machine and in private networks are not allowed here.'

/** Why a relay is not allowed when private networks are blocked for relays; null when it is allowed. */
export async function relayRefused(config: Config, host: string): Promise<string | null> {
  if (config.allow_private_relays) return null
  return (await addressesOf(host).catch(() => [])).some(isPrivateAddress) ? CLOSED : null
}

/**
 * Resolves the name of a relay: the connection is made to the address that was judged, because the name may resolve to
 * another one later. When private networks are blocked, every address of the name is checked.
 */
async function relayAddress(host: string, allows_private: boolean): Promise<string> {
  const addresses = await addressesOf(host)
  if (!allows_private && (addresses.length === 0 || addresses.some(isPrivateAddress))) throw new Error(CLOSED)
  return addresses.find((address) => isIP(address) === 4) ?? addresses[0] ?? host
}

async function addressesOf(host: string): Promise<string[]> {
  return isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address)
}
