/**
 * Parses HTML that this service wrote or sanitized: every attribute value is in double quotes and every `<` in text is
 * escaped, so a few regular expressions parse it exactly. HTML from outside must go through `sanitize.ts` first.
 */

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: string; text: string; ended: boolean }
  | { kind: 'close'; name: string; text: string }
  | { kind: 'comment'; text: string }

/** Allowed elements without an end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'wbr'])

const MARKUP = /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][\w:-]*(?:="[^"]*")?)*)\s*(\/?)>/g

/** The texts, tags and comments of well-formed HTML, in order. Their `text` fields joined give the input. */
export function* tokens(html: string): Generator<Token> {
  let at = 0
  for (const match of html.matchAll(MARKUP)) {
    if (match.index > at) yield { kind: 'text', text: html.slice(at, match.index) }
    yield markup(match)
    at = match.index + match[0].length
  }
  if (at < html.length) yield { kind: 'text', text: html.slice(at) }
}

function markup(match: RegExpExecArray): Token {
  const [text, slash, given, attributes = '', end] = match
  if (given === undefined) return { kind: 'comment', text }
  const name = given.toLowerCase()
  if (slash) return { kind: 'close', name, text }
  return { kind: 'open', name, attributes, text, ended: end === '/' || VOID_ELEMENTS.has(name) }
}

const ATTRIBUTE = /\s+([a-zA-Z][\w:-]*)(?:="([^"]*)")?/g

/** Name and decoded value of each attribute of an `open` token. */
export function attributesOf(token: { attributes: string }): Map<string, string> {
  return new Map(
    Array.from(token.attributes.matchAll(ATTRIBUTE), ([, name = '', value = '']) => [name, decodeEntities(value)]),
  )
}

/** A start tag with escaped attribute values. */
export function startTag(name: string, attributes: Iterable<readonly [string, string]>): string {
  const written = Array.from(attributes, ([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
  return `<${name}${written.join('')}>`
}

/** Escapes text for HTML content or a quoted attribute. */
export const escapeHtml = (text: string): string => Bun.escapeHTML(text)

/** Escapes plain text and turns line ends into `<br>`. */
export const escapeLines = (text: string): string => escapeHtml(text.trim()).replace(/\r\n?|\n/g, '<br>')

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  middot: '·',
  shy: '\u00AD',
}

/** Decodes numeric entities and the named ones that the sanitizer and this service write. */
export function decodeEntities(html: string): string {
  if (!html.includes('&')) return html
  return html.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (entity, hex, decimal, named) => {
    if (named) return Object.hasOwn(NAMED, named) ? NAMED[named]! : entity
    const code = hex ? parseInt(hex, 16) : parseInt(decimal, 10)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : entity
  })
}
