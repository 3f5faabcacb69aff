import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Report } from '../../../mail/reports.ts'
import { type Delivered, firstOf, parseBody, type ProviderReader, textAt } from './report.ts'

/** SendGrid's signed event webhook (ECDSA on P-256 over the timestamp and the body). Events come in batches. */
export const sendgrid: ProviderReader = {
  verification: "Signed event webhook: the connection's webhook_secret is the verification key that SendGrid shows.",
  events: ['Delivered', 'Bounced', 'Spam Reports', 'Unsubscribes', 'Group Unsubscribes'],
  async read(delivered) {
    if (!isSigned(delivered)) return null
    const events = parseBody(delivered.body)
    return { reports: Array.isArray(events) ? events.flatMap((event) => reportOf(event) ?? []) : [] }
  },
}

/**
 * The timestamp is not checked: SendGrid's retries keep the timestamp of the first attempt, and an event that was
 * applied is recognized by its id. See docs/api/delivery.md#webhooks.
 */
function isSigned({ headers, body, secret }: Delivered): boolean {
  const signature = headers.get('x-twilio-email-event-webhook-signature')
  const timestamp = headers.get('x-twilio-email-event-webhook-timestamp')
  const key = secret === '' ? null : publicKey(secret)
  if (!signature || !timestamp || key?.asymmetricKeyType !== 'ec') return false
  try {
    return verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** The key as SendGrid shows it (Base64 of DER), or as PEM. */
function publicKey(secret: string): KeyObject | null {
  try {
    return secret.includes('-----BEGIN')
      ? createPublicKey(secret)
      : createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

function reportOf(event: unknown): Report | null {
  const kind = kindOf(event)
  if (!kind) return null
  const name = textAt(event, 'event')
  const email = textAt(event, 'email')
  const message_id = textAt(event, 'smtp-id') || null
  const event_id = firstOf(textAt(event, 'sg_event_id'), `${name} ${textAt(event, 'timestamp')} ${email} ${message_id}`)
  return {
    kind,
    email,
    message_id,
    event_id,
    response: firstOf(textAt(event, 'reason'), textAt(event, 'response'), textAt(event, 'status')),
  }
}

function kindOf(event: unknown): Report['kind'] | null {
  switch (textAt(event, 'event')) {
    case 'bounce':
      return textAt(event, 'type') === 'bounce' ? 'hard_bounce' : 'soft_bounce'
    case 'blocked':
      return 'soft_bounce'
    case 'spamreport':
      return 'complaint'
    case 'unsubscribe':
    case 'group_unsubscribe':
      return 'unsubscribe'
    case 'delivered':
      return 'delivered'
    default:
      return null
  }
}
