import type { ProjectId } from '../../ids.ts'
import dns from 'node:dns/promises'
import { isIP } from 'node:net'
import { and, eq } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import { isPrivateAddress } from '../../public-fetch.ts'
import type { Runtime } from '../../runtime.ts'
import type { Keys } from '../../secrets.ts'
import type { Reader } from '../../store/open.ts'
import { SEALED, unseal } from '../../store/sealed.ts'
import { connections } from '../../store/tables/delivery.ts'
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
  return isIP(host) ? [host] : (await dns.lookup(host, { all: true })).map(({ address }) => address)
}
