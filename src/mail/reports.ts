import type { Attachment, ParsedMail } from 'mailparser'
import { sha256 } from '../secrets.ts'

/** What happened to a message after the relay accepted it, reported by its provider or another mail server. */
export interface Report {
  kind: 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unsubscribe' | 'delivered'
  /** The recipient that it names; empty when it names none. */
  email: string
  /** The Message-ID that it quotes, with or without brackets. It may belong to a message of another system. */
  message_id: string | null
  /** The addresses that the report itself was sent to. */
  return_path?: string
  /** The same each time the same report is sent. */
  event_id: string
  /** The text of the receiving server or its provider. */
  response: string
}

/**
 * Reads what other mail servers report by mail: delivery status notifications (RFC 3464) and complaints in the abuse
 * reporting format (RFC 5965). Any other message, such as an automatic reply, gives no report.
 */
export async function readMailReports(message: Buffer): Promise<Report[]> {
  const { simpleParser } = await import('mailparser')
  const mail = await simpleParser(message, {
    keepDeliveryStatus: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  })
  const id = mail.messageId ?? sha256(message.toString('latin1'))
  return [...statusReports(mail, id), ...feedbackReports(mail, id)]
}

/** Fields of a header or of a block with the same form, by their names in lower case. */
type Fields = Map<string, string>

function statusReports(mail: ParsedMail, id: string): Report[] {
  const status = partOf(mail, /^message\/(?:global-)?delivery-status$/)
  if (!status) return []
  const message_id = quotedHeader(mail)?.get('message-id') ?? null
  const return_path = addressesOf(mail)
  return blocks(status).flatMap((fields) => {
    const kind = kindOf(fields)
    if (!kind) return []
    const email = addressIn(fields.get('original-recipient') || fields.get('final-recipient') || '')
    const response = (fields.get('diagnostic-code') ?? '').replace(/^[^;]*;\s*/, '') || (fields.get('status') ?? '')
    return [{ kind, email, message_id, return_path, event_id: `${id} ${email}`, response }]
  })
}

/** What a mail server did for one recipient (RFC 3464, section 2.3.3). The block about the message has no action. */
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
  const email = addressIn(fields.get('original-rcpt-to') || quoted?.get('to') || '')
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

/** The header of the reported message, which is attached as a whole or only its header. */
function quotedHeader(mail: ParsedMail): Fields | null {
  const part = partOf(mail, /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/)
  return part ? (blocks(part)[0] ?? null) : null
}

/** The addresses a report was sent to, from any header that servers use for them. */
function addressesOf(mail: ParsedMail): string {
  return mail.headerLines
    .filter(({ key }) => /^(?:to|delivered-to|x-original-to|envelope-to|x-envelope-to|x-rcpt-to)$/.test(key))
    .map(({ line }) => line)
    .join(' ')
}

const MAX_BLOCKS = 1000

/** Blocks of fields, separated by empty lines, with folded lines joined. */
function blocks(part: Attachment): Fields[] {
  const text = part.content
    .toString('utf8')
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
  return text.split(/\n{2,}/, MAX_BLOCKS).map(
    (block) =>
      new Map(
        block.split('\n').flatMap((line): [string, string][] => {
          const colon = line.indexOf(':')
          return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
        }),
      ),
  )
}

/** The address in `rfc822; name@example.com`, `<name@example.com>` or a header's list. */
function addressIn(text: string): string {
  const isAddress = (part: string): boolean => {
    const at = part.indexOf('@', 1)
    return at > 0 && at < part.length - 1
  }
  return text.split(/[\s<>,;"]+/).find(isAddress) ?? ''
}
