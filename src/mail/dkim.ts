import { createHash, type KeyObject, sign } from 'node:crypto'
import type { DkimAlgorithm } from '../store/tables/dkim.ts'

/** A key that signs for a domain. Its public half is published in the DNS under the selector. */
export interface DkimKey {
  domain: string
  selector: string
  algorithm: DkimAlgorithm
  private_key: KeyObject
}

/** Header fields that are signed, every occurrence of them. */
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
/** Listed once more than it occurs, so that adding another breaks the signature (RFC 6376, section 8.15). */
const OVERSIGNED = 'from'

/**
 * Prepends one DKIM-Signature for each key (RFC 6376, relaxed/relaxed; Ed25519 as in RFC 8463). The message must be
 * complete: any later change breaks the signature. Signing runs in the thread pool, several messages at once.
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

/** The names for `h=`, and the canonical fields: those of one name from the last to the first (section 5.4.2). */
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

/** Section 3.4.2. White space is only SP and TAB: other bytes may be part of UTF-8 characters. */
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

/** The field up to ` b=` on a line of its own, where the signature follows. */
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

/** The signature after ` b=`, folded. */
function base64Lines(signature: Buffer): string {
  const text = signature.toString('base64')
  const room = LINE - ' b='.length
  let lines = text.slice(0, room)
  for (let at = room; at < text.length; at += LINE - 1) lines += `\r\n ${text.slice(at, at + LINE - 1)}`
  return `${lines}\r\n`
}

// Body

/** The SHA-256 of a body in relaxed form: white space reduced, no empty lines at the end (section 3.4.4). */
function bodyHash(body: Buffer): string {
  const relaxed = isRelaxed(body) ? body : relax(body)
  let end = relaxed.length
  while (end >= 2 && relaxed[end - 1] === LF && relaxed[end - 2] === CR) end -= 2
  const hash = createHash('sha256').update(relaxed.subarray(0, end))
  if (end > 0) hash.update('\r\n')
  return hash.digest('base64')
}

const [TAB, LF, CR, BLANK] = [0x09, 0x0a, 0x0d, 0x20]

/** Most bodies are in relaxed form already. Checking is thirty times as fast as copying. */
function isRelaxed(body: Buffer): boolean {
  return !body.includes('  ') && !body.includes('\t') && !body.includes(' \r\n') && body.at(-1) !== BLANK
}

/** Reduces white space to one space, and removes it at the end of a line. */
function relax(body: Buffer): Buffer {
  const relaxed = Buffer.allocUnsafe(body.length)
  let length = 0
  let blank = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]!
    if (byte === BLANK || byte === TAB) {
      blank = true
      continue
    }
    if (blank && !(byte === CR && body[index + 1] === LF)) relaxed[length++] = BLANK
    blank = false
    relaxed[length++] = byte
  }
  return relaxed.subarray(0, length)
}
