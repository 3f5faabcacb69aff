import type { Report } from '../../../mail/reports.ts'
import { sameSecret } from '../../../secrets.ts'
import { POSTMARK_METADATA } from '../../outbox/outgoing.ts'
import { at, type Delivered, firstOf, isKnown, kindIn, type Kinds, type ProviderReader, textAt } from './report.ts'

/** Postmark's webhooks use basic authentication; user and password are part of the configured address. */
export const postmark: ProviderReader = {
  verification: "Basic authentication: the connection's webhook_secret is user:password.",
  events: ['Delivery', 'Bounce', 'SpamComplaint', 'SubscriptionChange'],
  knows: (name) => isKnown(KINDS, IGNORED, name),
  async read(delivered) {
    if (!isAuthorized(delivered)) return null
    const event = await delivered.readJson()
    const report = reportOf(event)
    return { reports: report ? [report] : [], names: [textAt(event, 'RecordType')] }
  },
}

function isAuthorized({ headers, secret }: Delivered): boolean {
  const [, given] = /^Basic\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '') ?? []
  return secret !== '' && given !== undefined && sameSecret(Buffer.from(given, 'base64').toString('utf8'), secret)
}

function reportOf(event: unknown): Report | null {
  const record = textAt(event, 'RecordType')
  const kind = kindIn(KINDS, record, event)
  if (!kind) return null
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

const KINDS: Kinds = {
  Bounce: (event) => kindIn(BOUNCES, textAt(event, 'Type'), event, 'soft_bounce'),
  SpamComplaint: 'complaint',
  // Broadcast streams report that an address was deactivated, and why.
  SubscriptionChange: (event) =>
    at(event, 'SuppressSending') === true
      ? kindIn(SUPPRESSIONS, textAt(event, 'SuppressionReason'), event, 'hard_bounce')
      : null,
  Delivery: 'delivered',
}

const IGNORED = ['Open', 'Click', 'Inbound']

/** The types of bounces that are not soft bounces; null for those that are no bounces. */
const BOUNCES: Kinds = {
  HardBounce: 'hard_bounce',
  BadEmailAddress: 'hard_bounce',
  SpamComplaint: 'complaint',
  Unsubscribe: 'unsubscribe',
  AutoResponder: null,
  AddressChange: null,
  ChallengeVerification: null,
  Subscribe: null,
  OpenRelayTest: null,
  InboundError: null,
  Unconfirmed: null,
}

/** The reasons for deactivating an address that are not hard bounces. */
const SUPPRESSIONS: Kinds = { SpamComplaint: 'complaint', ManualSuppression: 'unsubscribe' }
