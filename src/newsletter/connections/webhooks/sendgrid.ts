import { createPublicKey, verify } from 'node:crypto'
import type { Report } from '../../../mail/reports.ts'
import { type Delivered, firstOf, isKnown, kindIn, type Kinds, type ProviderReader, textAt } from './report.ts'

/** SendGrid's signed event webhook (ECDSA on P-256 over the timestamp and the body). Events come in batches. */
export const sendgrid: ProviderReader = {
  verification: "Signed event webhook: the connection's webhook_secret is the verification key that SendGrid shows.",
  events: ['Delivered', 'Bounced', 'Dropped', 'Spam Reports', 'Unsubscribes', 'Group Unsubscribes'],
  knows: (name) => isKnown(KINDS, IGNORED, name),
  async read(delivered) {
    if (!isSigned(delivered)) return null
    const payload = await delivered.readJson()
    const events: unknown[] = Array.isArray(payload) ? payload : [payload]
    return {
      reports: events.flatMap((event) => reportOf(event) ?? []),
      names: events.map((event) => textAt(event, 'event')),
    }
  },
}

/**
 * The timestamp is not checked: SendGrid's retries keep the timestamp of the first attempt, and an event that was
 * applied is recognized by its id. See docs/api/delivery.md#webhooks.
 */
function isSigned({ headers, body, secret }: Delivered): boolean {
  const signature = headers.get('x-twilio-email-event-webhook-signature')
  const timestamp = headers.get('x-twilio-email-event-webhook-timestamp')
  if (!signature || !timestamp || secret === '') return false
  try {
    // The key as SendGrid shows it (Base64 of DER), or as PEM.
    const key = createPublicKey(
      secret.includes('-----BEGIN') ? secret : { key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' },
    )
    const data = Buffer.concat([Buffer.from(timestamp), body])
    return key.asymmetricKeyType === 'ec' && verify('sha256', data, key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

function reportOf(event: unknown): Report | null {
  const name = textAt(event, 'event')
  const kind = kindIn(KINDS, name, event)
  if (!kind) return null
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

const KINDS: Kinds = {
  bounce: (event) => (textAt(event, 'type') === 'bounce' ? 'hard_bounce' : 'soft_bounce'),
  blocked: 'soft_bounce',
  // SendGrid took the message and did not try to deliver it.
  dropped: (event) => kindIn(DROPPED, textAt(event, 'reason').toLowerCase(), event, 'soft_bounce'),
  spamreport: 'complaint',
  unsubscribe: 'unsubscribe',
  group_unsubscribe: 'unsubscribe',
  delivered: 'delivered',
}

const IGNORED = ['processed', 'deferred', 'open', 'click', 'group_resubscribe', 'account_status_change']

/** What SendGrid knew of an address whose message it dropped; any other reason is about the message. */
const DROPPED: Kinds = {
  'bounced address': 'hard_bounce',
  invalid: 'hard_bounce',
  'spam reporting address': 'complaint',
  'unsubscribed address': 'unsubscribe',
}
