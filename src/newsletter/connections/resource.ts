import type { ProjectId } from '../../ids.ts'
import { isIP } from 'node:net'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../clock.ts'
import { enumOf, Id, line, name, nullable, obj, ruled, Timestamp } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { MAILBOX_PROVIDERS, PROVIDERS, SECURE } from '../../store/tables/delivery.ts'
import { DKIM_ALGORITHMS } from '../../store/tables/dkim.ts'
import { DNS_CHECKS } from '../../store/tables/dns-finding.ts'
import type { Connection } from './connection.ts'
import { listDkimKeys, senderDomainOf } from './dkim-keys.ts'
import { type DkimRecord, dkimRecords } from './dkim-records.ts'
import { getSettings } from './settings.operations.ts'

const DOMAIN =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

FormatRegistry.Set('relay-host', (text) => isIP(text) > 0 || DOMAIN.test(text))
FormatRegistry.Set(
  'domain-or-empty',
  (text) => text === '' || (text.includes('.') && isIP(text) === 0 && DOMAIN.test(text)),
)

/** Messages a second. */
function pace(description?: string) {
  return Type.Number({ minimum: 0.01, maximum: 100_000, ...(description === undefined ? {} : { description }) })
}

/** A domain of at least two labels, or an empty text. */
function domainOrEmpty(maxLength: number, description: string) {
  return ruled(Type.String({ format: 'domain-or-empty', maxLength, description }), {
    anyOf: [{ const: '' }, { pattern: `^(?=[^.]+\\.)${DOMAIN.source.slice(1)}` }],
  })
}

const DOMAIN_IN_LOWER_CASE = '(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}'
/** A mailbox provider, or a domain. */
const LIMIT_NAME = `^(?:${MAILBOX_PROVIDERS.join('|')}|${DOMAIN_IN_LOWER_CASE})$`

/** The fields of a connection that a caller sets. */
export const ConnectionFields = {
  name: name(100),
  provider: enumOf(PROVIDERS),
  host: ruled(
    Type.String({
      format: 'relay-host',
      minLength: 1,
      maxLength: 253,
      description: "Host name or IP address of the relay; default: the provider's relay (for SES, in us-east-1)",
    }),
    { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }, { pattern: DOMAIN.source }] },
  ),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'Default: 587 for starttls, 465 for tls, 25 for none',
  }),
  secure: enumOf(SECURE, { default: 'starttls' }),
  username: line(255, { description: "Default: the provider's fixed user name" }),
  password: nullable(line(1000, { description: 'Never returned. null or an empty text removes it.' })),
  from_domain: domainOrEmpty(253, 'The domain that messages come from, or an empty text'),
  max_per_second: nullable(pace('No limit when null.')),
  max_per_day: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'No limit when null.' })),
  max_connections: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  mailbox_limits: nullable(
    Type.Record(Type.String({ pattern: LIMIT_NAME }), pace(), {
      additionalProperties: false,
      maxProperties: 50,
      description:
        `Messages a second to mailboxes of ${MAILBOX_PROVIDERS.join(', ')} (by domain and MX), or of a domain: all ` +
        'addresses, and all mail exchangers, in it.',
    }),
  ),
  message_stream: Type.String({
    pattern: '^[A-Za-z0-9-]{0,100}$',
    description: 'For Postmark: the broadcast stream of campaigns; all other messages take the default stream.',
  }),
  warm_up: Type.Boolean({
    description:
      'Whether the daily limit grows from 200 messages on the first day to 200,000 on the 42nd, and is then ' +
      'max_per_day alone; for senders without a reputation.',
  }),
  bounce_domain: domainOrEmpty(
    240,
    'The domain of return paths, one for each message; its mail is posted to the mime webhook. Or an empty text',
  ),
  webhook_secret: nullable(
    Type.String({
      maxLength: 4000,
      description: 'Never returned. null or an empty text removes it. See connections/webhook-urls.',
    }),
  ),
}

/** A record that the owner of the sender's domain publishes. */
export const NeededRecord = obj(
  { type: enumOf(['TXT', 'CNAME']), name: Type.String(), value: Type.String() },
  { description: 'What to publish; null when nothing is needed, or when only the provider knows it.' },
)

/** One check of the DNS for the domain that messages come from. */
export const DnsCheck = obj({
  name: enumOf(DNS_CHECKS),
  ok: Type.Boolean(),
  found: nullable(Type.String({ description: 'The record, or null when there is none or the DNS gave no answer.' })),
  expected: Type.String(),
  record: nullable(NeededRecord),
  hint: Type.String({ description: 'What to do, or why the check passes.' }),
})

const DnsResult = obj(
  { domain: Type.String(), checked_at: Timestamp, checks: Type.Array(DnsCheck) },
  { description: 'The last result of connections/verify-dns.' },
)

/** The service's own key for the domain of a connection, with the record that its owner publishes. */
export const DkimKeyFields = {
  id: Id,
  algorithm: enumOf(DKIM_ALGORITHMS),
  selector: Type.String(),
  name: Type.String({ description: 'Where its TXT record belongs.' }),
  value: Type.String({ description: 'The text of that record.' }),
  signs: Type.Boolean({ description: 'Messages are signed with this key now.' }),
  verified_at: nullable(Timestamp),
  created_at: Timestamp,
}
const DkimKey = obj(DkimKeyFields)

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
    dkim_keys: Type.Array(DkimKey, {
      description: "The service's own keys of the sender's domain, newest first; only for smtp: other providers sign.",
    }),
    verified_at: nullable(Timestamp),
    last_error: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Connection' },
)

/** Makes answers of a project's connections, with the keys that sign what leaves through them. */
export async function connectionResources(
  db: Reader,
  project_id: ProjectId,
): Promise<(row: Connection) => Static<typeof ConnectionResource>> {
  const [keys, { from_email }] = await Promise.all([listDkimKeys(db, project_id), getSettings(db, project_id)])
  return (row) => {
    const domain = senderDomainOf(row, from_email)
    const own = row.provider === 'smtp' ? keys.filter((key) => key.domain === domain) : []
    return resourceOf(row, dkimRecords(own))
  }
}

export function dkimKeyResource({ key, name: place, value, signs }: DkimRecord): Static<typeof DkimKey> {
  const { id, algorithm, selector, verified_at, created_at } = key
  const times = { verified_at: isoOrNull(verified_at), created_at: iso(created_at) }
  return { id, algorithm, selector, name: place, value, signs, ...times }
}

function resourceOf(row: Connection, records: readonly DkimRecord[]): Static<typeof ConnectionResource> {
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
    dkim_keys: records.map(dkimKeyResource),
    verified_at: isoOrNull(row.verified_at),
    last_error: row.last_error,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
