import { decodedField, fieldOf, type Fields, type Message, textOf } from './mime-parts.ts'

/** Bounces that are text for people, not a report for programs: those of qmail and of Exim. */

export interface PlainBounce {
  failures: PlainFailure[]
  /** The returned message; empty when there is none. */
  returned: string
}

interface PlainFailure {
  email: string
  /** The server's response for this recipient. */
  response: string
}

const MAX_FAILURES = 100

/** Reads a bounce in the format of qmail or Exim; null for any other message. */
export function readPlainBounce({ header, parts }: Message): PlainBounce | null {
  const [part] = parts
  if (!part || !part.type.startsWith('text/')) return null
  const text = textOf(part)
  return qmailBounce(text) ?? eximBounce(header, text)
}

const PARAGRAPH = '\n\n'

/**
 * The format of qmail (QSBMF, https://cr.yp.to/proto/qsbmf.txt): a paragraph that introduces it, one paragraph for each
 * recipient that begins with its address in angle brackets, one that begins with a hyphen, and the message.
 */
function qmailBounce(text: string): PlainBounce | null {
  if (!text.startsWith('Hi. This is the')) return null
  const failures: PlainFailure[] = []
  let at = 0
  while (at >= 0 && failures.length < MAX_FAILURES) {
    const end = text.indexOf(PARAGRAPH, at)
    const paragraph = text.slice(at, end < 0 ? text.length : end).trimStart()
    const next = end < 0 ? -1 : end + PARAGRAPH.length
    if (paragraph.startsWith('-')) return { failures, returned: next < 0 ? '' : text.slice(next) }
    const named = paragraph.startsWith('<') ? paragraph.indexOf('>:') : -1
    if (named > 0) failures.push({ email: paragraph.slice(1, named), response: paragraph.slice(named + 2) })
    at = next
  }
  return { failures, returned: '' }
}

/** Exim names the recipients in a header field, and says below each address what happened. */
function eximBounce(header: Fields, text: string): PlainBounce | null {
  const named = (header.get('x-failed-recipients') ?? []).join(',')
  const emails = named.split(',', MAX_FAILURES).map((email) => decodedField(email.trim()))
  if (emails.join('') === '') return null
  const copy = text.indexOf('\n------ This is a copy of ')
  const said = copy < 0 ? text : text.slice(0, copy)
  const copy_end = copy < 0 ? -1 : text.indexOf(PARAGRAPH, copy)
  const words = wordsBelow(said, emails)
  return {
    failures: emails.map((email) => ({ email, response: words.get(email)!.join(' ') })),
    returned: copy_end < 0 ? '' : text.slice(copy_end + PARAGRAPH.length),
  }
}

/** The lines below each address that stands indented on a line of its own, up to an empty line. */
function wordsBelow(text: string, emails: readonly string[]): Map<string, string[]> {
  const words = new Map<string, string[]>(emails.map((email) => [email, []]))
  let current: string[] | undefined
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed === '') current = undefined
    else if (line.startsWith('  ') && words.has(trimmed)) current = words.get(trimmed)
    else current?.push(trimmed)
  }
  return words
}

/** Whether a server's words say that it will never accept mail to the address: a status or reply of class 5. */
export function saysPermanent(response: string): boolean {
  const [, status] = /(?<![\d.])([45])\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(response) ?? []
  const [, reply] = /(?<![\d.])([45])\d\d(?=[ -])/.exec(response) ?? []
  return (status ?? reply) === '5'
}

/** Whether a program answered by itself, such as an absence notice (RFC 3834). Bounces carry the same field. */
export function isAutomaticReply(header: Fields): boolean {
  const submitted = fieldOf(header, 'auto-submitted').toLowerCase()
  return (
    (submitted !== '' && submitted !== 'no') ||
    header.has('x-autoreply') ||
    header.has('x-autorespond') ||
    fieldOf(header, 'precedence').toLowerCase() === 'auto_reply'
  )
}
