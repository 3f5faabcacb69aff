import type { Report } from '../../../mail/reports.ts'
import { createVerify, X509Certificate } from 'node:crypto'
import { createCache } from '../../../cache.ts'
import { AppError } from '../../../errors.ts'
import {
  at,
  type Delivered,
  type FetchText,
  firstOf,
  listAt,
  messageIdIn,
  parseBody,
  type ProviderReader,
  textAt,
} from './report.ts'

/**
 * Amazon SES reports through SNS. A notification is signed with a certificate that Amazon publishes; certificates are
 * fetched only from Amazon's hosts over https. Anyone can have a topic, so a connection takes notifications of only
 * one: the first topic whose signed confirmation request arrived. Its subscription is confirmed then.
 */
export const ses: ProviderReader = {
  verification:
    'The signature of Amazon SNS (version 1 or 2). The subscription confirms itself. Only its topic is accepted.',
  events: ['Bounce', 'Complaint', 'Delivery'],
  knows: (name) => KNOWN.has(name),
  async read(delivered) {
    const message = await delivered.readJson()
    const type = textAt(message, 'Type')
    const topic = textAt(message, 'TopicArn')
    const isFirst = delivered.topic === null && topic !== '' && type === 'SubscriptionConfirmation'
    if ((topic !== delivered.topic && !isFirst) || !(await isSigned(message, delivered))) return null
    if (type === 'SubscriptionConfirmation') {
      await confirm(textAt(message, 'SubscribeURL'), delivered.fetchText)
      return { reports: [], topic }
    }
    if (type !== 'Notification') return { reports: [] }
    const text = textAt(message, 'Message')
    const notice = /^\s*\{/.test(text) ? parseBody(text) : null
    return { reports: reportsOf(textAt(message, 'MessageId'), notice), names: [nameOf(notice)] }
  },
}

const SIGNED_OF_NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const
const SIGNED_OF_CONFIRMATION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const

const DIGESTS: Readonly<Record<string, string>> = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' }
/** Amazon's keys have at least 2048 bits. A shorter signature is refused before anything is fetched. */
const LEAST_SIGNATURE_BYTES = 256

async function isSigned(message: unknown, { fetchText, now }: Delivered): Promise<boolean> {
  const digest = DIGESTS[textAt(message, 'SignatureVersion')]
  const signature = Buffer.from(textAt(message, 'Signature'), 'base64')
  const certificate_url = amazonAddress(firstOf(textAt(message, 'SigningCertURL'), textAt(message, 'SigningCertUrl')))
  // A query is a call of the service at this host, whose answer may quote what anybody stored there.
  const isFile = certificate_url?.search === '' && certificate_url.pathname.endsWith('.pem')
  if (!digest || !isFile || signature.length < LEAST_SIGNATURE_BYTES) return false
  const certificate = await certificateAt(certificate_url.href, fetchText)
  if (
    certificate?.publicKey.asymmetricKeyType !== 'rsa' ||
    now < Date.parse(certificate.validFrom) ||
    now > Date.parse(certificate.validTo)
  )
    return false
  const names = textAt(message, 'Type') === 'Notification' ? SIGNED_OF_NOTIFICATION : SIGNED_OF_CONFIRMATION
  const signed = names
    .filter((name) => typeof at(message, name) === 'string')
    .map((name) => `${name}\n${textAt(message, name)}\n`)
    .join('')
  return createVerify(digest).update(signed).verify(certificate.publicKey, signature)
}

/** The https address when it is one of SNS in some region; else null. */
function amazonAddress(text: string): URL | null {
  const url = URL.parse(text)
  const isTheirs =
    url?.protocol === 'https:' &&
    /^sns\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?$/.test(url.hostname) &&
    url.port === '' &&
    url.username === '' &&
    url.password === ''
  return isTheirs ? url : null
}

/** A certificate never changes at its address, and few are in use. */
const certificates = createCache<string, X509Certificate>({ max_entries: 20 })

async function certificateAt(url: string, fetchText: FetchText): Promise<X509Certificate | null> {
  const known = certificates.get(url)
  if (known) return known
  const { status, text } = await fetchOrAskRetry(url, fetchText)
  if (status !== 200) return null
  try {
    const certificate = new X509Certificate(text)
    certificates.set(url, certificate)
    return certificate
  } catch {
    return null
  }
}

async function confirm(url: string, fetchText: FetchText): Promise<void> {
  const address = amazonAddress(url)
  if (!address)
    throw new AppError('VALIDATION_FAILED', "The subscription would be confirmed at an address that is not Amazon's.")
  const { status } = await fetchOrAskRetry(address.href, fetchText)
  if (status !== 200) throw new AppError('INTERNAL', 'Amazon did not accept the confirmation of the subscription.')
}

/** Amazon repeats a request after a 5xx and drops it after a 4xx. A certificate that cannot be fetched is a 5xx. */
async function fetchOrAskRetry(url: string, fetchText: FetchText): Promise<{ status: number; text: string }> {
  try {
    return await fetchText(url)
  } catch (cause) {
    throw new AppError('INTERNAL', 'Amazon could not be reached. Send the notification again.', { cause })
  }
}

/** Notifications have `notificationType`, events of a configuration set `eventType`; the rest is the same. */
function nameOf(notice: unknown): string {
  return firstOf(textAt(notice, 'notificationType'), textAt(notice, 'eventType'))
}

const KNOWN: ReadonlySet<string> = new Set([
  'Bounce',
  'Complaint',
  'Delivery',
  'Send',
  'Open',
  'Click',
  'DeliveryDelay',
  'Subscription',
])

function reportsOf(sns_id: string, notice: unknown): Report[] {
  // SES replaces the Message-ID. The original one is among the original headers.
  const message_id = messageIdIn(
    listAt(notice, 'mail', 'headers'),
    textAt(notice, 'mail', 'commonHeaders', 'messageId'),
  )
  const report = (kind: Report['kind'], recipient: unknown, response: string): Report => {
    const email = typeof recipient === 'string' ? recipient : textAt(recipient, 'emailAddress')
    return { kind, email, message_id, event_id: `${sns_id} ${email}`, response }
  }
  switch (nameOf(notice)) {
    case 'Bounce': {
      const type = textAt(notice, 'bounce', 'bounceType')
      const described = `${type} ${textAt(notice, 'bounce', 'bounceSubType')}`.trim()
      return listAt(notice, 'bounce', 'bouncedRecipients').map((recipient) =>
        report(
          type === 'Permanent' ? 'hard_bounce' : 'soft_bounce',
          recipient,
          firstOf(textAt(recipient, 'diagnosticCode'), described),
        ),
      )
    }
    case 'Complaint': {
      const type = textAt(notice, 'complaint', 'complaintFeedbackType')
      // A recipient reported that a message is not spam.
      return type === 'not-spam'
        ? []
        : listAt(notice, 'complaint', 'complainedRecipients').map((recipient) => report('complaint', recipient, type))
    }
    case 'Delivery':
      return listAt(notice, 'delivery', 'recipients').map((recipient) =>
        report('delivered', recipient, textAt(notice, 'delivery', 'smtpResponse')),
      )
    default:
      return []
  }
}
