import { createHmac } from 'node:crypto'
import type { Report } from '../../../mail/reports.ts'
import { sameSecret } from '../../../secrets.ts'
import {
  at,
  type Delivered,
  firstOf,
  isKnown,
  isRecent,
  kindIn,
  type Kinds,
  type ProviderReader,
  textAt,
} from './report.ts'

/**
 * Mailgun signs a timestamp and a token (HMAC), not the event. So a token is accepted once and for a short time;
 * otherwise a captured one could carry any event.
 */
export const mailgun: ProviderReader = {
  verification: "HMAC: the connection's webhook_secret is the HTTP webhook signing key.",
  events: ['delivered', 'permanent_fail', 'temporary_fail', 'complained', 'unsubscribed'],
  knows: (name) => isKnown(KINDS, IGNORED, name),
  async read(delivered) {
    const payload = await delivered.readJson()
    if (!isSigned(at(payload, 'signature'), delivered)) return null
    const event = at(payload, 'event-data')
    const report = reportOf(event)
    const names = [textAt(event, 'event')]
    return { reports: report ? [report] : [], names, token: textAt(payload, 'signature', 'token') }
  },
}

function isSigned(signed: unknown, { secret, now }: Delivered): boolean {
  const [timestamp, token, signature] = [
    textAt(signed, 'timestamp'),
    textAt(signed, 'token'),
    textAt(signed, 'signature'),
  ]
  return (
    secret !== '' &&
    token !== '' &&
    isRecent(timestamp, now) &&
    sameSecret(
      createHmac('sha256', secret)
        .update(timestamp + token)
        .digest('hex'),
      signature.toLowerCase(),
    )
  )
}

function reportOf(event: unknown): Report | null {
  const kind = kindIn(KINDS, textAt(event, 'event'), event)
  if (!kind) return null
  const email = textAt(event, 'recipient')
  const message_id = textAt(event, 'message', 'headers', 'message-id') || null
  return {
    kind,
    email,
    message_id,
    event_id: firstOf(
      textAt(event, 'id'),
      `${textAt(event, 'event')} ${textAt(event, 'timestamp')} ${email} ${message_id}`,
    ),
    response: firstOf(
      textAt(event, 'delivery-status', 'message'),
      textAt(event, 'delivery-status', 'description'),
      textAt(event, 'reason'),
    ),
  }
}

const KINDS: Kinds = {
  // `suppress-…`: Mailgun did not try, because its own suppression list has the address.
  failed: (event) =>
    textAt(event, 'severity') === 'permanent' && !textAt(event, 'reason').startsWith('suppress-')
      ? 'hard_bounce'
      : 'soft_bounce',
  complained: 'complaint',
  unsubscribed: 'unsubscribe',
  delivered: 'delivered',
}

const IGNORED = ['accepted', 'opened', 'clicked', 'rejected', 'stored']
