import type { Report } from '../../../mail/reports.ts'
import { sameSecret } from '../../../secrets.ts'
import { POSTMARK_METADATA } from '../../outbox/outgoing.ts'
import { at, type Delivered, firstOf, parseBody, type ProviderReader, textAt } from './report.ts'

/** Postmark's webhooks use basic authentication; user and password are part of the configured address. */
export const postmark: ProviderReader = {
  verification: "Basic authentication: the connection's webhook_secret is user:password.",
  events: ['Delivery', 'Bounce', 'SpamComplaint', 'SubscriptionChange'],
  async read(delivered) {
    if (!isAuthorized(delivered)) return null
    const report = reportOf(parseBody(delivered.body))
    return { reports: report ? [report] : [] }
  },
}

function isAuthorized({ headers, secret }: Delivered): boolean {
  const [, given] = /^Basic\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '') ?? []
  return secret !== '' && given !== undefined && sameSecret(Buffer.from(given, 'base64').toString('utf8'), secret)
}

function reportOf(event: unknown): Report | null {
  const kind = kindOf(event)
  if (!kind) return null
  const record = textAt(event, 'RecordType')
  const email = firstOf(textAt(event, 'Email'), textAt(event, 'Recipient'))
  const message_id = firstOf(textAt(event, 'Metadata', POSTMARK_METADATA), textAt(event, 'MessageID')) || null
  const id = firstOf(
    textAt(event, 'ID'),
    `${textAt(event, 'MessageID')} ${firstOf(textAt(event, 'ChangedAt'), textAt(event, 'DeliveredAt'))} ${email}`,
  )
  return {
    kind,
    email,
    message_id,
    event_id: `${record} ${id}`,
    response: firstOf(textAt(event, 'Details'), textAt(event, 'Description'), textAt(event, 'SuppressionReason')),
  }
}

function kindOf(event: unknown): Report['kind'] | null {
  switch (textAt(event, 'RecordType')) {
    case 'Bounce':
      return kindOfBounce(textAt(event, 'Type'))
    case 'SpamComplaint':
      return 'complaint'
    // Broadcast streams report that an address was deactivated, and why.
    case 'SubscriptionChange':
      return at(event, 'SuppressSending') === true ? kindOfSuppression(textAt(event, 'SuppressionReason')) : null
    case 'Delivery':
      return 'delivered'
    default:
      return null
  }
}

const NO_BOUNCES: ReadonlySet<string> = new Set([
  'AutoResponder',
  'AddressChange',
  'ChallengeVerification',
  'Subscribe',
  'OpenRelayTest',
  'InboundError',
  'Unconfirmed',
])

function kindOfBounce(type: string): Report['kind'] | null {
  if (type === 'HardBounce' || type === 'BadEmailAddress') return 'hard_bounce'
  if (type === 'SpamComplaint') return 'complaint'
  if (type === 'Unsubscribe') return 'unsubscribe'
  return NO_BOUNCES.has(type) ? null : 'soft_bounce'
}

function kindOfSuppression(reason: string): Report['kind'] {
  if (reason === 'SpamComplaint') return 'complaint'
  return reason === 'ManualSuppression' ? 'unsubscribe' : 'hard_bounce'
}
