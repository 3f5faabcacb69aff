import { createHash } from 'node:crypto'
import { asciiAddress } from '../address.ts'
import { oneLine } from '../one-line.ts'

/** A piece of a body: text that all recipients share, or the number of a slot that each recipient fills. */
export type BodyPart = string | { slot: number }

interface Mailbox {
  email: string
  name?: string | null
}

/** The parts of a message that are equal for all recipients of a campaign. */
interface MessageSpec {
  from: Mailbox
  reply_to?: Mailbox | null
  /** Further headers, in this order and spelling. */
  headers?: Record<string, string>
  text: BodyPart[]
  /** The HTML body; without it the message has only plain text. */
  html?: BodyPart[] | null
}

/** The parts of a message that differ for each recipient. */
interface PersonalParts {
  to: Mailbox
  subject: string
  /** The Message-ID, with or without angle brackets. */
  message_id: string
  date_ms: number
  headers?: Record<string, string>
  text_slots?: string[]
  html_slots?: string[]
}

/** A message whose shared parts are encoded. */
interface PreparedMessage {
  head: string
  text: PreparedBody
  html: PreparedBody | null
}

/** Quoted-printable text that ends at the start of a line, or the number of a slot. */
type PreparedBody = (string | number)[]

/** A message for one recipient, its bodies without slots. */
export interface SimpleMessage
  extends Omit<MessageSpec, 'text' | 'html'>, Omit<PersonalParts, 'text_slots' | 'html_slots'> {
  text: string
  html?: string | null
}

/** Encodes the parts that all recipients of a campaign share. Throws on an invalid header name. */
export function prepareMessage(spec: MessageSpec): PreparedMessage {
  return {
    head:
      mailboxHeader('From', spec.from) +
      (spec.reply_to ? mailboxHeader('Reply-To', spec.reply_to) : '') +
      'MIME-Version: 1.0\r\n' +
      headers(spec.headers),
    text: prepareBody(spec.text),
    html: spec.html ? prepareBody(spec.html) : null,
  }
}

/**
 * The whole message of one recipient (RFC 5322): ASCII, CRLF, lines of at most 76 characters in the bodies,
 * the same bytes for the same input. Lines may start with a dot: stuffing them belongs to SMTP. Throws when a
 * slot was not filled.
 */
export function composeMessage(prepared: PreparedMessage, personal: PersonalParts): Buffer {
  const head =
    prepared.head +
    mailboxHeader('To', personal.to) +
    header('Subject', personal.subject) +
    `Date: ${new Date(personal.date_ms).toUTCString().replace('GMT', '+0000')}\r\n` +
    fold('Message-ID', [`<${asciiAddress(personal.message_id.replace(UNFIT_FOR_ADDRESS, ''))}>`]) +
    headers(personal.headers)
  const text = leaf('plain', fillBody(prepared.text, personal.text_slots))
  if (!prepared.html) return Buffer.from(head + text)
  const html = leaf('html', fillBody(prepared.html, personal.html_slots))
  const boundary = boundaryOf(personal.message_id)
  return Buffer.from(
    `${head}Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n` +
      `--${boundary}\r\n${text}\r\n--${boundary}\r\n${html}\r\n--${boundary}--\r\n`,
  )
}

/** Composes a message for one recipient. */
export function composeSimple(message: SimpleMessage): Buffer {
  const { text, html, from, reply_to, headers: further, ...personal } = message
  return composeMessage(
    prepareMessage({ from, reply_to, headers: further, text: [text], html: html ? [html] : null }),
    personal,
  )
}

function leaf(subtype: 'plain' | 'html', body: string): string {
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}`
}

/** `=_` cannot occur in quoted-printable text, so no body can contain its boundary (RFC 2045, section 6.7). */
function boundaryOf(message_id: string): string {
  return `=_${createHash('sha256').update(message_id).digest('base64url').slice(0, 24)}`
}

// Bodies: quoted-printable (RFC 2045, section 6.7). Every piece but the last ends at the start of a line, by a
// soft line break where the text has none, so that the pieces are encoded apart and only put together.

const SOFT_BREAK = '=\r\n'

function prepareBody(parts: BodyPart[]): PreparedBody {
  const merged: BodyPart[] = []
  for (const part of parts) {
    const before = merged.at(-1)
    if (typeof part === 'string' && typeof before === 'string') merged[merged.length - 1] = before + part
    else if (part !== '') merged.push(part)
  }
  return merged.map((part, index) => (typeof part === 'string' ? piece(part, index === merged.length - 1) : part.slot))
}

function fillBody(body: PreparedBody, slots: string[] = []): string {
  let filled = ''
  for (let index = 0; index < body.length; index += 1) {
    const part = body[index]!
    filled += typeof part === 'string' ? part : piece(slot(slots, part), index === body.length - 1)
  }
  return filled
}

function slot(slots: string[], number: number): string {
  const text = slots[number]
  if (text === undefined) throw new Error(`Slot ${number} of the message is not filled.`)
  return text
}

function piece(text: string, last: boolean): string {
  const encoded = quotedPrintable(text)
  return last || encoded === '' || encoded.endsWith('\n') ? encoded : encoded + SOFT_BREAK
}

const PLAIN_LINE = /^(?:[ -<>-~]{0,74}[!-<>-~])?$/
/** One line of plain characters, of any length. */
const PLAIN_TEXT = /^[ -<>-~]*[!-<>-~]$/
const HEX = Buffer.from('0123456789ABCDEF')
const [TAB, LF, CR, BLANK, EQUALS, TILDE] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x7e]
/** One of the 76 characters of a line is reserved for the `=` of a soft break. */
const LINE_ROOM = 75

/** Breaks a long line of plain characters, as most links are. */
function softLines(text: string): string {
  let lines = text.slice(0, LINE_ROOM)
  for (let at = LINE_ROOM; at < text.length; at += LINE_ROOM) lines += SOFT_BREAK + text.slice(at, at + LINE_ROOM)
  return lines
}

/** CR, LF and CRLF all become CRLF; a blank at the end of a line or of the text is encoded. */
function quotedPrintable(text: string): string {
  if (PLAIN_LINE.test(text)) return text
  if (PLAIN_TEXT.test(text)) return softLines(text)
  const bytes = Buffer.from(text)
  const encoded = Buffer.allocUnsafe(bytes.length * 3 + 3 * (Math.floor((bytes.length * 3) / (LINE_ROOM - 2)) + 1))
  let length = 0
  let column = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!
    const next = bytes[index + 1]
    if (byte === CR || byte === LF) {
      if (byte === CR && next === LF) index += 1
      encoded[length++] = CR
      encoded[length++] = LF
      column = 0
      continue
    }
    const line_ends = next === undefined || next === CR || next === LF
    const plain = byte === BLANK || byte === TAB ? !line_ends : byte > BLANK && byte <= TILDE && byte !== EQUALS
    if (column + (plain ? 1 : 3) > LINE_ROOM) {
      length += encoded.write(SOFT_BREAK, length, 'latin1')
      column = 0
    }
    if (plain) encoded[length++] = byte
    else {
      encoded[length++] = EQUALS
      encoded[length++] = HEX[byte >> 4]!
      encoded[length++] = HEX[byte & 15]!
    }
    column += plain ? 1 : 3
  }
  return encoded.toString('latin1', 0, length)
}

// Headers: folded at blanks (RFC 5322, section 2.2.3), what is not plain ASCII as encoded words (RFC 2047).

const HEADER_NAME = /^[!-9;-~]{1,76}$/
const UNFIT_FOR_ADDRESS = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029<>()[\]\\,;:"]/g
/** A longer word is encoded, because a line has at most 998 characters (RFC 5322, section 2.1.1). */
const PLAIN_WORD = /^[!-~]{1,900}$/
const PLAIN_PHRASE = /^[!-~]+(?: [!-~]+)*$/
const ATOMS = /^[\w!#$%&'*+\-/=?^`{|}~]+(?: [\w!#$%&'*+\-/=?^`{|}~]+)*$/
/** A quoted string is never folded, so a longer name is encoded instead. */
const QUOTED_MAX = 60

function headers(further: Record<string, string> = {}): string {
  return Object.entries(further)
    .map(([name, value]) => header(name, value))
    .join('')
}

function header(name: string, value: string): string {
  if (!HEADER_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a name of a header.`)
  return fold(name, textWords(oneLine(value), wordRoom(name)))
}

function mailboxHeader(name: string, mailbox: Mailbox): string {
  const address = asciiAddress(mailbox.email.replace(UNFIT_FOR_ADDRESS, ''))
  const phrase = oneLine(mailbox.name ?? '')
  return fold(name, phrase ? [...phraseWords(phrase, wordRoom(name)), `<${address}>`] : [address])
}

function fold(name: string, words: string[]): string {
  let folded = ''
  let line = `${name}:`
  for (const word of words) {
    // Folding before a word that is too long for any line does not help.
    const keep = folded === '' && line.length === name.length + 1 && word.length > 77
    if (line.length + 1 + word.length > 78 && !keep) {
      folded += `${line}\r\n`
      line = ''
    }
    line += ` ${word}`
  }
  return `${folded}${line}\r\n`
}

/** Encodes free text from the first to the last word that needs it: `Näme <list.id>` keeps its brackets. */
function textWords(text: string, room: number): string[] {
  const words = text === '' ? [] : text.split(' ')
  let first = words.findIndex(needsEncoding)
  if (first < 0) return words
  let last = words.findLastIndex(needsEncoding)
  // An empty word is one of several spaces in a row; they survive between words that are encoded with them.
  if (words[first] === '') first -= 1
  if (words[last] === '') last += 1
  return [
    ...words.slice(0, first),
    ...encodedWords(words.slice(first, last + 1).join(' '), room),
    ...words.slice(last + 1),
  ]
}

function needsEncoding(word: string): boolean {
  return !PLAIN_WORD.test(word) || word.includes('=?')
}

/** The name before an address: atoms, a quoted string or encoded words (RFC 5322, section 3.2.5). */
function phraseWords(phrase: string, room: number): string[] {
  if (phrase.length > QUOTED_MAX || !PLAIN_PHRASE.test(phrase) || phrase.includes('=?'))
    return encodedWords(phrase, room)
  return ATOMS.test(phrase) ? phrase.split(' ') : [`"${phrase.replace(/["\\]/g, '\\$&')}"`]
}

const WORD_START = '=?utf-8?Q?'
const WORD_FRAME = WORD_START.length + 2

/** The length of encoded words that lets the first stand beside the header's name: at most 75, lines of at most 76. */
function wordRoom(name: string): number {
  return name.length > 34 ? 75 : Math.min(75, 76 - name.length - 2)
}

/** RFC 2047, sections 2 and 5: each word can be decoded alone, so no code point is split between two. */
function encodedWords(text: string, room: number): string[] {
  const points = [...text]
  const in_q = points.map(qEncoded)
  const q_length = in_q.reduce((sum, point) => sum + point.length, 0)
  if (q_length <= Math.ceil(Buffer.byteLength(text) / 3) * 4) {
    return pack(in_q, room - WORD_FRAME, (point) => point.length).map((word) => `${WORD_START}${word}?=`)
  }
  const bytes = Math.floor((room - WORD_FRAME) / 4) * 3
  return pack(points, bytes, (point) => Buffer.byteLength(point)).map(
    (word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`,
  )
}

/** Joins pieces in order as long as their sizes fit. */
function pack(pieces: string[], room: number, size: (piece: string) => number): string[] {
  const packed: string[] = []
  let current = ''
  let used = 0
  for (const next of pieces) {
    if (used + size(next) > room && current) {
      packed.push(current)
      current = ''
      used = 0
    }
    current += next
    used += size(next)
  }
  return [...packed, current]
}

function qEncoded(point: string): string {
  if (/^[A-Za-z0-9!*+\-/]$/.test(point)) return point
  if (point === ' ') return '_'
  return Buffer.from(point).toString('hex').toUpperCase().replace(/../g, '=$&')
}
