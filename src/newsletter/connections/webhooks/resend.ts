import { createHmac } from 'node:crypto'
import type { Report } from '../../../mail/reports.ts'
import { sameSecret } from '../../../secrets.ts'
import {
  type Delivered,
  firstOf,
  isKnown,
  isRecent,
  kindIn,
  type Kinds,
  listAt,
  messageIdIn,
  type ProviderReader,
  textAt,
} from './report.ts'

/** Resend signs as Svix does: HMAC over id, timestamp and body; several signatures while a secret is rotated. */
export const resend: ProviderReader = {
  verification: "Svix signature: the connection's webhook_secret is the signing secret, whsec_….",
  events: ['email.delivered', 'email.bounced', 'email.complained'],
  knows: (name) => isKnown(KINDS, IGNORED, name),
  async read(delivered) {
    const id = delivered.headers.get('svix-id') ?? ''
    if (!isSigned(delivered, id)) return null
    const event = await delivered.readJson()
    return { reports: reportsOf(event, id), names: [textAt(event, 'type')] }
  },
}

function isSigned({ headers, body, secret, now }: Delivered, id: string): boolean {
  const timestamp = headers.get('svix-timestamp') ?? ''
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0 || id === '' || !isRecent(timestamp, now)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const given = (headers.get('svix-signature') ?? '').split(' ').map((entry) => entry.split(','))
  return given.some(
    ([version, signature]) => version === 'v1' && signature !== undefined && sameSecret(signature, expected),
  )
}

function reportsOf(event: unknown, id: string): Report[] {
  const kind = kindIn(KINDS, textAt(event, 'type'), event)
  if (!kind) return []
  const message_id = messageIdIn(listAt(event, 'data', 'headers'), textAt(event, 'data', 'message_id'))
  const response = firstOf(textAt(event, 'data', 'bounce', 'message'), textAt(event, 'data', 'bounce', 'subType'))
  const to = listAt(event, 'data', 'to')
  const emails = to.length > 0 ? to.map((email) => textAt(email)) : [textAt(event, 'data', 'to')]
  return emails.map((email) => ({ kind, email, message_id, event_id: `${id} ${email}`, response }))
}

const KINDS: Kinds = {
  'email.bounced': (event) => (textAt(event, 'data', 'bounce', 'type') === 'Permanent' ? 'hard_bounce' : 'soft_bounce'),
  'email.complained': 'complaint',
  'email.delivered': 'delivered',
}

const IGNORED = ['email.sent', 'email.scheduled', 'email.delivery_delayed', 'email.opened', 'email.clicked']
