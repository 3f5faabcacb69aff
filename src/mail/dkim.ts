import { createHash, type KeyObject, sign } from 'node:crypto'
import type { DkimAlgorithm } from '../store/tables/dkim.ts'

/** What signs for a domain: the private half of a key whose public half stands in the DNS under the selector. */
export interface DkimKey {
  domain: string
  selector: string
  algorithm: DkimAlgorithm
  private_key: KeyObject
}

/** Header fields that are signed, with all of their kind in the message. */
const SIGNED = [
  'from',
  'reply-to',
  'to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-id',
  'feedback-id',
]
/** Named once more than it is there, so that nobody can add another (RFC 6376, section 8.15). */
const OVERSIGNED = 'from'

/**
 * The message with one DKIM-Signature for each key in front of it (RFC 6376, relaxed/relaxed; Ed25519 as in RFC
 * 8463). It must be complete: whatever changes it afterwards breaks the signature. The costly part runs off this
 * thread, so several messages are signed at once.
 */
export async function signMessage(message: Buffer, keys: readonly DkimKey[], now: number): Promise<Buffer> {
  const headEnd = message.indexOf('\r\n\r\n')
  const head = headEnd < 0 ? message : message.subarray(0, headEnd)
  const body = headEnd < 0 ? EMPTY : message.subarray(headEnd + 4)
  const { names, canonical } = signedFields(head.toString('latin1'))
  const body_hash = bodyHash(body)
  const signatures = await Promise.all(
    keys.map(async (key) => {
      const unsigned = signatureField(key, names, body_hash, now)
      const data = Buffer.from(canonical + relaxedField(unsigned), 'latin1')
      return Buffer.from(unsigned + base64Lines(await signatureOf(key, data)), 'latin1')
    }),
  )
  return Buffer.concat([...signatures, message])
}

const EMPTY = Buffer.alloc(0)

/** Both run in the thread pool. Ed25519 signs the hash of the data, not the data (RFC 8463, section 3). */
function signatureOf({ algorithm, private_key }: DkimKey, data: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, signature: Buffer) => (error ? reject(error) : resolve(signature))
    if (algorithm === 'rsa-sha256') sign('sha256', data, private_key, done)
    else sign(null, createHash('sha256').update(data).digest(), private_key, done)
  })
}

// Header fields

/** The names for `h=`, and the fields as they are signed: those of one name from the last to the first (section 5.4.2). */
function signedFields(head: string): { names: string[]; canonical: string } {
  const fields = new Map<string, string[]>(SIGNED.map((name) => [name, []]))
  for (const field of head.split(/\r\n(?![ \t])/)) fields.get(nameOf(field))?.unshift(field)
  const names: string[] = []
  let canonical = ''
  for (const [name, found] of fields) {
    for (const field of found) {
      names.push(name)
      canonical += `${relaxedField(field)}\r\n`
    }
    if (name === OVERSIGNED) names.push(name)
  }
  return { names, canonical }
}

function nameOf(field: string): string {
  return field
    .slice(0, Math.max(0, field.indexOf(':')))
    .replace(/[ \t]+$/, '')
    .toLowerCase()
}

/** Section 3.4.2. Blanks are SP and TAB alone: a byte of UTF-8 may look like another in Latin-1. */
function relaxedField(field: string): string {
  const value = field
    .slice(field.indexOf(':') + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '')
  return `${nameOf(field)}:${value}`
}

/** Longest line of a header (RFC 5322, section 2.1.1). */
const LINE = 78

/** The field up to the ` b=` on its own line that the signature follows. */
function signatureField(
  { domain, selector, algorithm }: DkimKey,
  names: readonly string[],
  body_hash: string,
  now: number,
): string {
  const tags = [
    'v=1;',
    `a=${algorithm};`,
    'c=relaxed/relaxed;',
    `d=${domain};`,
    `s=${selector};`,
    `t=${Math.floor(now / 1000)};`,
  ]
  const pieces = [
    ...tags.map((tag) => ` ${tag}`),
    ...names.map((name, index) => `${index === 0 ? ' h=' : ''}${name}${index === names.length - 1 ? ';' : ':'}`),
    ` bh=${body_hash};`,
  ]
  let field = ''
  let line = 'DKIM-Signature:'
  for (const piece of pieces) {
    if (line.length + piece.length > LINE) {
      field += `${line}\r\n`
      line = piece.startsWith(' ') ? piece : ` ${piece}`
    } else line += piece
  }
  return `${field}${line}\r\n b=`
}

/** What follows ` b=`, folded. */
function base64Lines(signature: Buffer): string {
  const text = signature.toString('base64')
  const room = LINE - ' b='.length
  let lines = text.slice(0, room)
  for (let at = room; at < text.length; at += LINE - 1) lines += `\r\n ${text.slice(at, at + LINE - 1)}`
  return `${lines}\r\n`
}

// Body

/** The SHA-256 of a body in its relaxed form: blanks tidied, no empty lines at its end, the last line ended (section 3.4.4). */
function bodyHash(body: Buffer): string {
  const tidied = isTidy(body) ? body : tidy(body)
  let end = tidied.length
  while (end >= 2 && tidied[end - 1] === LF && tidied[end - 2] === CR) end -= 2
  const hash = createHash('sha256').update(tidied.subarray(0, end))
  if (end > 0) hash.update('\r\n')
  return hash.digest('base64')
}

const [TAB, LF, CR, BLANK] = [0x09, 0x0a, 0x0d, 0x20]

/** Most bodies have no blank that counts for nothing: to look for one is thirty times as fast as to copy them. */
function isTidy(body: Buffer): boolean {
  return !body.includes('  ') && !body.includes('\t') && !body.includes(' \r\n') && body.at(-1) !== BLANK
}

/** Blanks in a row become one, those at the end of a line none. */
function tidy(body: Buffer): Buffer {
  const tidied = Buffer.allocUnsafe(body.length)
  let length = 0
  let blank = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]!
    if (byte === BLANK || byte === TAB) {
      blank = true
      continue
    }
    if (blank && !(byte === CR && body[index + 1] === LF)) tidied[length++] = BLANK
    blank = false
    tidied[length++] = byte
  }
  return tidied.subarray(0, length)
}
