import { type Keys, MARK } from '../../secrets.ts'
import type { Connection } from '../connections/connection.ts'
import type { Provider } from '../../store/tables/delivery.ts'
import type { SmtpEnvelope } from '../../mail/smtp-pool.ts'
import type { Leased } from './outbox.ts'

/** Envelope and headers for the relay, by which a bounce report can be matched to its message. */

export interface Composed {
  envelope: SmtpEnvelope
  message: Buffer
  message_id: string
}

/** Adds the connection's bounce address and the headers that its provider returns in reports. */
export function outgoing(
  keys: Keys,
  connection: Pick<Connection, 'provider' | 'bounce_domain' | 'message_stream'>,
  { id: delivery_id, kind }: Pick<Leased, 'id' | 'kind'>,
  { envelope, message, message_id }: Composed,
): Omit<Composed, 'message_id'> {
  const stream = kind === 'campaign' ? connection.message_stream : ''
  const headers = HEADERS[connection.provider]?.(message_id, stream) ?? ''
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

/** The header that Brevo returns in its reports. */
export const BREVO_HEADER = 'X-Mailin-custom'

/** The headers that a provider needs, by the Message-ID of the message and the stream that it belongs to. */
const HEADERS: Readonly<Partial<Record<Provider, (message_id: string, stream: string) => string>>> = {
  // Postmark replaces the Message-ID unless told to keep it, and never returns it. Values have at most 80 characters.
  postmark: (message_id, stream) =>
    `X-PM-KeepID: true\r\nX-PM-Metadata-${POSTMARK_METADATA}: ${message_id.slice(0, message_id.indexOf('@'))}\r\n${
      stream === '' ? '' : `X-PM-Message-Stream: ${stream}\r\n`
    }`,
  brevo: (message_id) => `${BREVO_HEADER}: ${message_id}\r\n`,
  // Resend sends a message once that is handed over twice with the same key.
  resend: (message_id) => `Resend-Idempotency-Key: ${message_id}\r\n`,
}

const RETURN_PATH = new RegExp(`\\bb\\+([0-9a-z]{1,11})-(${MARK})@`)

/**
 * The address that bounces of one message are sent to (VERP). It survives servers that change the case of letters, and
 * fits into 64 characters (RFC 5321, 4.5.3.1.1).
 */
export function returnPath(keys: Keys, delivery_id: number, domain: string): string {
  const id = delivery_id.toString(36)
  return `b+${id}-${keys.mark('return-path', id)}@${domain}`
}

/** The delivery that a bounce address belongs to; null when this service did not create it. */
export function readReturnPath(keys: Keys, address: string): number | null {
  const [, id, mark] = RETURN_PATH.exec(address.toLowerCase()) ?? []
  return id && keys.isMark('return-path', id, mark!) ? Number.parseInt(id, 36) : null
}
