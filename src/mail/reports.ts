import { sha256 } from '../secrets.ts'
import {
  decodedField,
  fieldOf,
  type Fields,
  fieldsOf,
  type Message,
  type Part,
  readMessage,
  textOf,
} from './mime-parts.ts'
import { isAutomaticReply, readPlainBounce, saysPermanent } from './plain-bounces.ts'

/** What happened to a message after the relay accepted it, reported by its provider or another mail server. */
export interface Report {
  kind: 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unsubscribe' | 'delivered'
  /** The recipient that it names; empty when it names none. */
  email: string
  /** The Message-ID that it quotes, with or without brackets. It may belong to a message of another system. */
  message_id: string | null
  /** It came as a message, which anyone may write, not from a provider that signs its reports. */
  by_mail?: true
  /** Addresses that the report was sent to, and those that its message came from. */
  return_path?: string
  /** Other fields that may name the message, such as List-Unsubscribe: some servers remove recipient and Message-ID. */
  traces?: readonly string[]
  /** The recipient in the message that it returns, for a report about a forwarded address; empty without one. */
  quoted_to?: string
  /** An id that is equal whenever the same report is sent again. */
  event_id: string
  /** The text of the receiving server or its provider. */
  response: string
}

/** A message as the mailbox of reports received it. */
export interface ReadMail {
  reports: Report[]
  /** It needs no report: an automatic reply, a delay, or feedback that a message is no spam. */
  needs_none: boolean
  type: string
  subject: string
  /** The domain that the message gives as its origin, not verified; empty without one. */
  sender_domain: string
}

/** Characters of a returned message that are decoded: its header. */
const MAX_RETURNED = 64 * 1024

/**
 * Reads what other mail servers report by mail: delivery status notifications (RFC 3464), complaints in the abuse
 * reporting format (RFC 5965) and as Microsoft forwards them, and the bounces of qmail and Exim. Any other message,
 * such as an automatic reply, gives no report. Accepts any bytes.
 */
export function readMail(bytes: Buffer): ReadMail {
  const message = readMessage(bytes)
  const { header, type } = message
  const origin = { header, id: fieldOf(header, 'message-id') || sha256(bytes) }
  const quoted = returnedHeader(message)
  const status = statusReports(message, origin, quoted)
  const feedback = feedbackReports(message, origin, quoted)
  const reports = [...(status ?? []), ...(feedback ?? [])]
  if (status === null && feedback === null)
    reports.push(...forwardedComplaint(message, origin, quoted), ...plainReports(message, origin))
  return {
    reports,
    needs_none: reports.length === 0 && (status !== null || feedback !== null || isAutomaticReply(header)),
    type,
    subject: decodedField(fieldOf(header, 'subject')),
    sender_domain: addressIn(fieldOf(header, 'from')).split('@').at(-1)!.toLowerCase(),
  }
}

/** The message that carries a report. */
interface Origin {
  header: Fields
  id: string
}

/** Reads a delivery status notification (RFC 3464); null for any other message. */
function statusReports({ parts }: Message, origin: Origin, quoted: Fields): Report[] | null {
  const status = partOf(parts, /^message\/(?:global-)?delivery-status$/)
  if (!status) return null
  const recipients = blocksOf(textOf(status)).filter((fields) => fields.has('action'))
  return recipients.flatMap((fields) => {
    const kind = kindOf(fields)
    if (!kind) return []
    const email = addressIn(fieldOf(fields, 'original-recipient')) || addressIn(fieldOf(fields, 'final-recipient'))
    const response = fieldOf(fields, 'diagnostic-code').replace(/^[^;]*;\s*/, '') || fieldOf(fields, 'status')
    const about = { kind, email, response, quoted_to: recipients.length === 1 ? addressIn(fieldOf(quoted, 'to')) : '' }
    return [reportOf(about, origin, quoted)]
  })
}

/** The kind of report that the fields of one recipient give (RFC 3464, section 2.3.3); null for none. */
function kindOf(fields: Fields): Report['kind'] | null {
  switch (fieldOf(fields, 'action').toLowerCase()) {
    case 'failed':
      return /^5\.\d{1,3}\.\d{1,3}/.test(fieldOf(fields, 'status')) ? 'hard_bounce' : 'soft_bounce'
    case 'delivered':
      return 'delivered'
    default:
      return null
  }
}

const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'virus', 'other'])

/** Reads a complaint in the abuse reporting format (RFC 5965); null for any other message. */
function feedbackReports({ parts }: Message, origin: Origin, quoted: Fields): Report[] | null {
  const feedback = partOf(parts, /^message\/feedback-report$/)
  if (!feedback) return null
  const [fields = NO_FIELDS] = blocksOf(textOf(feedback))
  const type = fieldOf(fields, 'feedback-type').toLowerCase()
  const kind = COMPLAINTS.has(type) ? 'complaint' : type.startsWith('opt-out') ? 'unsubscribe' : null
  if (!kind) return []
  const quoted_to = addressIn(fieldOf(quoted, 'to'))
  const email = addressIn(fieldOf(fields, 'original-rcpt-to')) || quoted_to
  const sent_from = fieldOf(fields, 'original-mail-from')
  return [reportOf({ kind, email, response: type, quoted_to }, origin, quoted, sent_from)]
}

/** Microsoft forwards a message that a person reported, with the recipient in a field of its own. */
function forwardedComplaint({ header }: Message, origin: Origin, quoted: Fields): Report[] {
  const email = addressIn(fieldOf(quoted, 'x-hmxmroriginalrecipient'))
  const isTheirs = /@(?:[\w-]+\.)?(?:hotmail|outlook|live|microsoft)\.com$/i.test(addressIn(fieldOf(header, 'from')))
  if (email === '' || !isTheirs) return []
  return [reportOf({ kind: 'complaint', email, response: 'abuse', quoted_to: '' }, origin, quoted)]
}

function plainReports(message: Message, origin: Origin): Report[] {
  const { failures = [], returned = '' } = readPlainBounce(message) ?? {}
  const quoted = headerOf(returned.slice(0, MAX_RETURNED))
  return failures.map(({ email, response: said }) => {
    const response = said.replace(/\s+/g, ' ').trim()
    const kind = saysPermanent(response) ? 'hard_bounce' : 'soft_bounce'
    const quoted_to = failures.length === 1 ? addressIn(fieldOf(quoted, 'to')) : ''
    return reportOf({ kind, email: addressIn(email), response, quoted_to }, origin, quoted)
  })
}

function reportOf(
  about: Required<Pick<Report, 'kind' | 'email' | 'response' | 'quoted_to'>>,
  { header, id }: Origin,
  quoted: Fields,
  sent_from = '',
): Report {
  return {
    ...about,
    by_mail: true,
    message_id: fieldOf(quoted, 'message-id') || null,
    return_path: [...SENT_TO.flatMap((name) => header.get(name) ?? []), sent_from, fieldOf(quoted, 'return-path')]
      .filter((value) => value !== '')
      .join(' '),
    traces: tracesIn(header, quoted),
    event_id: `${id} ${about.email}`,
  }
}

/** The fields in which servers say which address a message was delivered to. */
const SENT_TO = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-rcpt-to']

const MAX_TRACES = 40
const MAX_TRACE = 2000

/** Fields that name the reported message in another way than its Message-ID. */
function tracesIn(header: Fields, quoted: Fields): string[] {
  const own = ['in-reply-to', 'references'].flatMap((name) => fieldOf(header, name).split(/\s+/))
  const theirs = [...quoted].flatMap(([name, values]) => (mayName(name) ? values : []))
  return [...theirs, ...own]
    .filter((value) => value !== '')
    .slice(0, MAX_TRACES)
    .map((value) => value.slice(0, MAX_TRACE))
}

const mayName = (name: string): boolean =>
  name === 'list-unsubscribe' || name === 'resend-idempotency-key' || name.startsWith('x-')

const NO_FIELDS: Fields = new Map()

function partOf(parts: readonly Part[], type: RegExp): Part | undefined {
  return parts.find((part) => type.test(part.type))
}

/** The header of the reported message, which is attached as a whole or only its header. */
function returnedHeader({ parts }: Message): Fields {
  const part = partOf(parts, /^(?:message\/(?:rfc822|global|rfc822-headers|global-headers)|text\/rfc822-headers)$/)
  return part ? headerOf(textOf(part, MAX_RETURNED)) : NO_FIELDS
}

/** The header of a message. Some reports break it with an empty line, as the example of RFC 5965 (B.1) does. */
function headerOf(text: string): Fields {
  const [head = '', next = ''] = text.replace(/^\n+/, '').split('\n\n', 2)
  const fields = fieldsOf(head)
  return fields.has('message-id') || !/^[\w-]{1,60}:/.test(next) ? fields : new Map([...fieldsOf(next), ...fields])
}

const MAX_BLOCKS = 1000

/** Blocks of fields, separated by empty lines. */
function blocksOf(text: string): Fields[] {
  return text
    .trim()
    .split(/\n{2,}/, MAX_BLOCKS)
    .map(fieldsOf)
}

/** The address in `rfc822; name@example.com`, `<name@example.com>` or a header's list. */
function addressIn(text: string): string {
  const isAddress = (part: string): boolean => {
    const at = part.indexOf('@', 1)
    return at > 0 && at < part.length - 1
  }
  return text.split(/[\s<>,;"]+/).find(isAddress) ?? ''
}
