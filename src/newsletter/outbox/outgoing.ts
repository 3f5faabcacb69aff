import type { Keys } from '../../secrets.ts'
import type { Connection } from '../connections/connections.operations.ts'
import type { SmtpEnvelope } from '../../mail/smtp-pool.ts'

/** What a message carries for its relay alone, so that a bounce report can be matched to it. */

interface Outgoing {
  envelope: SmtpEnvelope
  message: Buffer
  message_id: string
}

/** Adds the connection's bounce address and the headers that its provider returns in reports. */
export function outgoing(
  keys: Keys,
  connection: Pick<Connection, 'provider' | 'bounce_domain'>,
  delivery_id: number,
  { envelope, message, message_id }: Outgoing,
): Pick<Outgoing, 'envelope' | 'message'> {
  const headers = headersFor(connection, message_id)
  return {
    envelope:
      connection.bounce_domain === ''
        ? envelope
        : { ...envelope, from: returnPath(keys, delivery_id, connection.bounce_domain) },
    message: headers === '' ? message : Buffer.concat([Buffer.from(headers), message]),
  }
}

/** The metadata name under which Postmark returns the id of a message. */
export const POSTMARK_METADATA = 'masthead'

function headersFor({ provider }: Pick<Connection, 'provider'>, message_id: string): string {
  switch (provider) {
    // Postmark replaces the Message-ID unless told to keep it, and never returns it. Values have at most 80 characters.
    case 'postmark':
      return (
        `X-PM-KeepID: true\r\nX-PM-Metadata-${POSTMARK_METADATA}: ` +
        `${message_id.slice(0, message_id.indexOf('@'))}\r\n`
      )
    // Resend sends a message once that is handed over twice with the same key.
    case 'resend':
      return `Resend-Idempotency-Key: ${message_id}\r\n`
    default:
      return ''
  }
}

/**
 * The address that bounces of one message are sent to (VERP). It survives servers that change the case of letters, and
 * fits into 64 characters (RFC 5321, 4.5.3.1.1).
 */
export function returnPath(keys: Keys, delivery_id: number, domain: string): string {
  const id = delivery_id.toString(36)
  return `b+${id}-${signature(keys, id)}@${domain}`
}

/** The delivery that a bounce address belongs to; null when this service did not create it. */
export function readReturnPath(keys: Keys, address: string): number | null {
  const [, id, found] = /\bb\+([0-9a-z]{1,11})-([0-9a-f]{20})@/i.exec(address) ?? []
  return id && signature(keys, id.toLowerCase()) === found!.toLowerCase() ? Number.parseInt(id, 36) : null
}

function signature(keys: Keys, id: string): string {
  return Buffer.from(keys.sign('return-path', id), 'base64url').subarray(0, 10).toString('hex')
}
