import type { Keys } from '../../secrets.ts'
import type { Connection } from '../connections/connections.operations.ts'
import type { SmtpEnvelope } from '../../mail/smtp-pool.ts'

/** What a message carries for its relay alone, so that a report of it can be tied to it. */

interface Outgoing {
  envelope: SmtpEnvelope
  message: Buffer
  message_id: string
}

/** A message as one connection hands it over: bounces go to its own domain, and its provider gets the marks it returns. */
export function outgoing(
  keys: Keys,
  connection: Pick<Connection, 'provider' | 'bounce_domain'>,
  delivery_id: number,
  { envelope, message, message_id }: Outgoing,
): Pick<Outgoing, 'envelope' | 'message'> {
  const marks = marksFor(connection, message_id)
  return {
    envelope:
      connection.bounce_domain === ''
        ? envelope
        : { ...envelope, from: returnPath(keys, delivery_id, connection.bounce_domain) },
    message: marks === '' ? message : Buffer.concat([Buffer.from(marks), message]),
  }
}

/** The name under which Postmark gives a message's id back. */
export const POSTMARK_METADATA = 'masthead'

function marksFor({ provider }: Pick<Connection, 'provider'>, message_id: string): string {
  switch (provider) {
    // It replaces the Message-ID unless it is asked not to, and never returns it; values have at most 80 characters.
    case 'postmark':
      return `X-PM-KeepID: true\r\nX-PM-Metadata-${POSTMARK_METADATA}: ${message_id.slice(0, message_id.indexOf('@'))}\r\n`
    // A message that is handed over twice goes out once.
    case 'resend':
      return `Resend-Idempotency-Key: ${message_id}\r\n`
    default:
      return ''
  }
}

/**
 * The address that bounces of one message go to (VERP). It survives servers that change the case of letters, and is
 * short enough for a local part (RFC 5321, 4.5.3.1.1).
 */
export function returnPath(keys: Keys, delivery_id: number, domain: string): string {
  const id = delivery_id.toString(36)
  return `b+${id}-${mark(keys, id)}@${domain}`
}

/** The message whose bounces go to an address, or null when it is none of ours. */
export function readReturnPath(keys: Keys, address: string): number | null {
  const [, id, found] = /\bb\+([0-9a-z]{1,11})-([0-9a-f]{20})@/i.exec(address) ?? []
  return id && mark(keys, id.toLowerCase()) === found!.toLowerCase() ? Number.parseInt(id, 36) : null
}

function mark(keys: Keys, id: string): string {
  return Buffer.from(keys.sign('return-path', id), 'base64url').subarray(0, 10).toString('hex')
}
