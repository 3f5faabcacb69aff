import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { notFound } from '../../errors.ts'
import { read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, line, name, nullable, obj, Timestamp, words } from '../../schema.ts'
import type { Keys } from '../../secrets.ts'
import type { Reader } from '../../store/open.ts'
import { page } from '../../store/page.ts'
import { connections, SECURE } from '../../store/tables/delivery.ts'

/** A way out for messages: an SMTP relay, or the sandbox mailbox that keeps what it is given. */
export type Connection = typeof connections.$inferSelect

/** The kinds that can be made. */
export const OFFERED = ['smtp', 'sandbox'] as const

/** Ports by custom: submission (RFC 6409), submission over TLS (RFC 8314), relay (RFC 5321). */
export const USUAL_PORT = { starttls: 587, tls: 465, none: 25 } as const

const DOMAIN = /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

FormatRegistry.Set('relay-host', (text) => isIP(text) > 0 || DOMAIN.test(text))
FormatRegistry.Set('domain-or-empty', (text) => text === '' || (text.includes('.') && isIP(text) === 0 && DOMAIN.test(text)))

/** What a caller may say of a connection. */
export const ConnectionFields = {
  name: name(100),
  provider: words(OFFERED),
  host: Type.String({ format: 'relay-host', minLength: 1, maxLength: 253, description: 'Host name or IP address of the relay' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: '587 for starttls, 465 for tls, 25 for none when left out' }),
  secure: words(SECURE, { default: 'starttls' }),
  username: line(255),
  password: nullable(line(1000, { description: 'Never shown again; null or an empty text removes it.' })),
  from_domain: Type.String({ format: 'domain-or-empty', maxLength: 253, description: 'The domain that messages come from, or an empty text' }),
  max_per_second: nullable(Type.Number({ minimum: 0.01, maximum: 100_000, description: 'No limit when null.' })),
  max_per_day: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'No limit when null.' })),
  max_connections: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  webhook_secret: nullable(Type.String({ maxLength: 4000, description: 'Never shown again; null or an empty text removes it.' })),
}

/** A connection as it is answered. */
export const ConnectionResource = obj({
  id: Id,
  name: Type.String(),
  provider: words(OFFERED),
  host: Type.String(),
  port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0 for the sandbox.' }),
  secure: words(SECURE),
  username: Type.String(),
  password_set: Type.Boolean(),
  from_domain: Type.String(),
  max_per_second: ConnectionFields.max_per_second,
  max_per_day: ConnectionFields.max_per_day,
  max_connections: ConnectionFields.max_connections,
  webhook_secret_set: Type.Boolean(),
  verified_at: nullable(Timestamp),
  last_error: nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export function connectionResource(row: Connection): Static<typeof ConnectionResource> {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider as (typeof OFFERED)[number],
    host: row.host,
    port: row.port,
    secure: row.secure,
    username: row.username,
    password_set: row.password_sealed !== null,
    from_domain: row.from_domain,
    max_per_second: row.max_per_second,
    max_per_day: row.max_per_day,
    max_connections: row.max_connections,
    webhook_secret_set: row.webhook_secret_sealed !== null,
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
    const found = await page({ keys, operation: '/connections/list', project_id, filters: {}, cursor, limit }, (after, most) =>
      db.select().from(connections)
        .where(and(eq(connections.project_id, project_id), after ? sql`(created_at, id) > (${after.created_at}, ${after.id})` : undefined))
        .orderBy(connections.created_at, connections.id).limit(most))
    return { items: found.items.map(connectionResource), next_cursor: found.next_cursor }
  },
})

/** A connection of the project; NOT_FOUND for any other. */
export async function getConnection(db: Reader, project_id: string, connection_id: number): Promise<Connection> {
  const [row] = await db.select().from(connections).where(and(eq(connections.id, connection_id), eq(connections.project_id, project_id)))
  if (!row) throw notFound('connection', '/connection_id')
  return row
}

/** What opens a connection's sealed texts: they belong to one project and one use. */
export const passwordContext = (project_id: string): string => `connection:${project_id}`
export const webhookContext = (project_id: string): string => `webhook:${project_id}`

/** The password of a relay, or null when there is none. Throws when it was sealed with another key. */
export function openConnectionPassword(keys: Keys, { password_sealed, project_id }: Connection): string | null {
  if (password_sealed === null) return null
  const password = keys.open('credentials', password_sealed, passwordContext(project_id))
  if (password === null) throw new Error('The password of a connection does not open with this secret key.')
  return password
}

/** Why a relay may not be used where private networks are closed to relays (contract-details 26), or null when it may. */
export async function relayRefused(config: Config, host: string): Promise<string | null> {
  if (config.allow_private_relays) return null
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address)
  return addresses.some(isPrivate) ? 'Relays on this machine and in private networks are not allowed here.' : null
}

const PRIVATE = new BlockList()
for (const network of ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3']) {
  PRIVATE.addSubnet(...subnet(network), 'ipv4')
}
for (const network of ['::/127', '64:ff9b::/32', 'fc00::/7', 'fe80::/10', 'ff00::/8']) PRIVATE.addSubnet(...subnet(network), 'ipv6')

function subnet(network: string): [string, number] {
  const [address = '', bits] = network.split('/')
  return [address, Number(bits)]
}

function isPrivate(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
