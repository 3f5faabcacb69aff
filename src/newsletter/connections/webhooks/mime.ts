import type { Attachment, ParsedMail } from 'mailparser'
import { sha256 } from '../../../secrets.ts'
import { firstOf, type ProviderReader, type Report } from './report.ts'

/**
 * What other mail servers report by mail: delivery status notifications (RFC 3464) and complaints in the abuse
 * reporting format (RFC 5965), handed on as they came, by a mailbox's filter for instance. Anything else that lands
 * in such a mailbox (an answer of somebody on holiday) reports nothing.
 */
export const mime: ProviderReader = {
  verification:
    'The address alone, which nobody else knows: post each message that comes to the bounce mailbox there, unchanged, as message/rfc822.',
  events: ['multipart/report; report-type=delivery-status', 'multipart/report; report-type=feedback-report'],
  async read({ body }) {
    const { simpleParser } = await import('mailparser')
    const mail = await simpleParser(body, {
      keepDeliveryStatus: true,
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipTextLinks: true,
      skipImageLinks: true,
    })
    const id = mail.messageId ?? sha256(body.toString('latin1'))
    return { reports: [...statusReports(mail, id), ...feedbackReports(mail, id)] }
  },
}

/** Fields of a header or of a block in its form, by their names in lower case. */
type Fields = Map<string, string>

function statusReports(mail: ParsedMail, id: string): Report[] {
  const status = partOf(mail, /^message\/(?:global-)?delivery-status$/)
  if (!status) return []
  const message_id = quotedHeader(mail)?.get('message-id') ?? null
  const return_path = addressesOf(mail)
  return blocks(status).flatMap((fields) => {
    const kind = kindOf(fields)
    if (!kind) return []
    const email = addressIn(firstOf(fields.get('original-recipient') ?? '', fields.get('final-recipient') ?? ''))
    const response = firstOf(
      (fields.get('diagnostic-code') ?? '').replace(/^[^;]*;\s*/, ''),
      fields.get('status') ?? '',
    )
    return [{ kind, email, message_id, return_path, event_id: `${id} ${email}`, response }]
  })
}

/** What a mail server did to one recipient (RFC 3464, 2.3.3); the first block is about the message and has no action. */
function kindOf(fields: Fields): Report['kind'] | null {
  switch (fields.get('action')?.toLowerCase()) {
    case 'failed':
      return /^5\.\d{1,3}\.\d{1,3}/.test(fields.get('status') ?? '') ? 'hard_bounce' : 'soft_bounce'
    case 'delivered':
      return 'delivered'
    default:
      return null
  }
}

const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'virus', 'other'])

function feedbackReports(mail: ParsedMail, id: string): Report[] {
  const feedback = partOf(mail, /^message\/feedback-report$/)
  const [fields] = feedback ? blocks(feedback) : []
  const type = fields?.get('feedback-type')?.toLowerCase() ?? ''
  const kind = COMPLAINTS.has(type) ? 'complaint' : type.startsWith('opt-out') ? 'unsubscribe' : null
  if (!fields || !kind) return []
  const quoted = quotedHeader(mail)
  const email = addressIn(firstOf(fields.get('original-rcpt-to') ?? '', quoted?.get('to') ?? ''))
  const return_path = `${addressesOf(mail)} ${fields.get('original-mail-from') ?? ''}`
  return [
    {
      kind,
      email,
      message_id: quoted?.get('message-id') ?? null,
      return_path,
      event_id: `${id} ${email}`,
      response: type,
    },
  ]
}

function partOf(mail: ParsedMail, type: RegExp): Attachment | undefined {
  return mail.attachments.find(({ contentType }) => type.test(contentType))
}

/** The header of the message that is reported, which comes along whole or as far as its header. */
function quotedHeader(mail: ParsedMail): Fields | null {
  const part = partOf(mail, /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/)
  return part ? (blocks(part)[0] ?? null) : null
}

/** Where a report was sent to, by whatever header a server says it in. */
function addressesOf(mail: ParsedMail): string {
  return mail.headerLines
    .filter(({ key }) => /^(?:to|delivered-to|x-original-to|envelope-to|x-envelope-to|x-rcpt-to)$/.test(key))
    .map(({ line }) => line)
    .join(' ')
}

const MOST_BLOCKS = 1000

/** Blocks of fields, parted by empty lines; folded lines are one. */
function blocks(part: Attachment): Fields[] {
  const text = part.content
    .toString('utf8')
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
  return text.split(/\n{2,}/, MOST_BLOCKS).map(
    (block) =>
      new Map(
        block.split('\n').flatMap((line): [string, string][] => {
          const colon = line.indexOf(':')
          return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
        }),
      ),
  )
}

/** Beyond it no address begins: the pattern is slow on long texts without one. */
const LONGEST_ADDRESS_LINE = 1000

/** The address in `rfc822; name@example.com`, `<name@example.com>` or a header's list. */
function addressIn(text: string): string {
  return /[^\s<>,;"]+@[^\s<>,;"]+/.exec(text.slice(0, LONGEST_ADDRESS_LINE))?.[0] ?? ''
}
