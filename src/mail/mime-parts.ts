/**
 * The parts of a message that anyone may have sent (RFC 2045, RFC 2046), as they are written, whatever their
 * Content-Disposition: parsers for reading mail merge inline parts into the text. Every message is read in time
 * proportional to its length, with limits on depth, parts and header fields. A message that was cut off ends its last
 * part where it ends.
 */

/** The fields of a header by their names in lower case, with the values of each name in order. */
export type Fields = ReadonlyMap<string, readonly string[]>

/** A part that holds no other parts that are read. Messages inside a message are not opened. */
export interface Part {
  /** The media type in lower case, without parameters. */
  type: string
  header: Fields
  /** The body before decoding: one character for a byte, with lines that end in `\n`. */
  body: string
}

export interface Message {
  header: Fields
  /** The media type of the message as a whole. */
  type: string
  parts: readonly Part[]
}

const MAX_DEPTH = 8
const MAX_PARTS = 50
const MAX_HEADER = 64 * 1024
/** Longest value of a Content-Type that is read. */
const MAX_TYPE = 1000
/** Longest boundary; RFC 2046 (5.1.1) allows 70 characters. */
const MAX_BOUNDARY = 200

/** Reads the structure of a message. It accepts every input; what is no MIME is one part of text. */
export function readMessage(bytes: Buffer): Message {
  const text = bytes.toString('latin1').replace(/\r\n?/g, '\n')
  const parts: Part[] = []
  collect(text, 0, parts)
  const { header } = splitHeader(text)
  return { header, type: contentType(header).type, parts }
}

/** The first value of a field; empty when there is none. */
export function fieldOf(header: Fields, name: string): string {
  return header.get(name)?.[0] ?? ''
}

function collect(text: string, depth: number, found: Part[]): void {
  const { header, body } = splitHeader(text)
  const { type, boundary } = contentType(header)
  if (!type.startsWith('multipart/') || boundary === '' || depth === MAX_DEPTH) {
    found.push({ type, header, body })
    return
  }
  for (const piece of pieces(body, boundary)) {
    if (found.length >= MAX_PARTS) return
    collect(piece, depth + 1, found)
  }
}

/** The parts of a multipart body, without the boundary lines. */
function* pieces(body: string, boundary: string): Generator<string> {
  const delimiter = `--${boundary}`
  let start = -1
  for (
    let at = body.startsWith(delimiter) ? 0 : nextLine(body, delimiter, 0);
    at >= 0;
    at = nextLine(body, delimiter, at)
  ) {
    const line_end = body.indexOf('\n', at)
    const rest = body.slice(at + delimiter.length, line_end < 0 ? body.length : line_end).trim()
    if (rest !== '' && rest !== '--') continue
    if (start >= 0) yield body.slice(start, Math.max(start, at - 1))
    if (rest === '--' || line_end < 0) return
    start = line_end + 1
  }
  if (start >= 0) yield body.slice(start)
}

/** The position of the next line that begins with `text`; -1 when there is none. */
function nextLine(body: string, text: string, from: number): number {
  const at = body.indexOf(`\n${text}`, from)
  return at < 0 ? -1 : at + 1
}

function splitHeader(text: string): { header: Fields; body: string } {
  if (text.startsWith('\n')) return { header: new Map(), body: text.slice(1) }
  const end = text.indexOf('\n\n')
  const header = text.slice(0, Math.min(MAX_HEADER, end < 0 ? text.length : end))
  return { header: fieldsOf(header), body: end < 0 ? '' : text.slice(end + 2) }
}

/** Fields of a header, or of a block in the same form, with folded lines joined. Other lines are passed over. */
export function fieldsOf(block: string): Fields {
  const fields = new Map<string, string[]>()
  for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    const others = fields.get(name)
    if (others) others.push(value)
    else fields.set(name, [value])
  }
  return fields
}

function contentType(header: Fields): { type: string; boundary: string } {
  const value = fieldOf(header, 'content-type').slice(0, MAX_TYPE)
  const [type = ''] = value.split(/[;\s]/, 1)
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(value) ?? []
  const boundary = (quoted ?? plain ?? '').trimEnd()
  return { type: type.toLowerCase() || 'text/plain', boundary: boundary.length > MAX_BOUNDARY ? '' : boundary }
}

/**
 * The text of a part, as UTF-8, with lines that end in `\n`.
 * @param most characters of the transferred body that are decoded
 */
export function textOf({ header, body }: Part, most = body.length): string {
  return bytesOf(fieldOf(header, 'content-transfer-encoding').toLowerCase(), body.slice(0, most))
    .toString('utf8')
    .replace(/\r\n?/g, '\n')
}

function bytesOf(encoding: string, body: string): Buffer {
  switch (encoding) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return Buffer.from(unquoted(body.replace(/=[ \t]*\n/g, '')), 'latin1')
    default:
      return Buffer.from(body, 'latin1')
  }
}

/** Replaces `=C3` of the quoted-printable encoding (RFC 2045, 6.7) by the character of that byte. */
function unquoted(text: string): string {
  return text.replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Characters of a header field that are decoded. */
const MAX_DECODED = 1000

/** A header field for people: encoded words (RFC 2047) become text, and bytes outside of ASCII are read as UTF-8. */
export function decodedField(value: string): string {
  return Buffer.from(value.slice(0, MAX_DECODED), 'latin1')
    .toString('utf8')
    .replace(/\?=\s+(?==\?)/g, '?=')
    .replace(
      /=\?([\w-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{0,200})\?=/gi,
      (word, charset: string, encoding: string, text: string) => {
        const bytes =
          encoding.toLowerCase() === 'b'
            ? Buffer.from(text, 'base64')
            : Buffer.from(unquoted(text.replaceAll('_', ' ')), 'latin1')
        try {
          return new TextDecoder(charset).decode(bytes)
        } catch {
          return word
        }
      },
    )
}
