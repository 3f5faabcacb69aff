import type { ParameterFormat } from '../store/tables/scripts.ts'
import { escapeInAddress } from './addresses.ts'
import type { Quote } from './javascript.ts'
import type { PlaceholderContext } from './placeholders.ts'

/** The output directly before a value and the code directly after it: a dangerous sequence can span both. */
interface Neighbors {
  before: string
  after: string
}

/**
 * Escapes only the characters that would end what is around the value: a string literal, an attribute value or, with
 * the format `text`, text. Everything else stays byte for byte (docs/api/scripts.md#placeholders).
 */
export function escapeFor(
  context: PlaceholderContext,
  value: string,
  { format, ...neighbors }: Neighbors & { format: ParameterFormat },
): string {
  if (context.string === null && format === 'text') return escapeOutsideStrings(context, value, neighbors)
  let text = value
  if (context.string !== null)
    text = escapeInString(text, context.string, neighbors, context.element !== null && context.within !== null)
  if (context.attribute !== null) {
    if (context.string !== null) text = escapeReferences(text, neighbors.before)
    text = escapeInAttribute(text, context)
  }
  return text
}

function escapeOutsideStrings(context: PlaceholderContext, value: string, neighbors: Neighbors): string {
  if (context.address !== null)
    return escapeInAttribute(escapeInAddress(value, context.address, neighbors.before), context)
  if (context.attribute !== null) return escapeInAttribute(context.document ? inDocument(value) : value, context)
  if (context.element === 'script' && context.within === null) return escapeInScript(value, neighbors)
  // CSS has escapes of its own, and needs `&` and `>`.
  if (context.element === 'style') return value.replaceAll('<', '\\3C ')
  return value.replace(/[&<>]/g, reference)
}

/** Escaped for text and attributes of the document in the attribute (`srcdoc`), then for the attribute itself. */
function inDocument(value: string): string {
  return value.replace(/[&<>"']/g, reference).replaceAll('&', '&amp;')
}

/** Outside strings a value is code. Only what would end the script element is escaped. */
function escapeInScript(value: string, neighbors: Neighbors): string {
  const dangerous = dangerousIndexes(value, SCRIPT_DANGER, neighbors)
  return value
    .split('')
    .map((each, index) => (dangerous.has(index) ? unicodeEscape(each) : each))
    .join('')
}

/** Sequences that end a script from inside a string, or hide its end tag (HTML standard, 4.12.1.3). */
const SCRIPT_DANGER = /<!--|<\/?script/gi
const TEMPLATE_DANGER = /<!--|<\/?script|\$\{/gi

function escapeInString(value: string, quote: Quote, neighbors: Neighbors, isReadTwice: boolean): string {
  const dangerous = dangerousIndexes(value, quote === '`' ? TEMPLATE_DANGER : SCRIPT_DANGER, neighbors)
  let text = ''
  for (let index = 0; index < value.length; index++) {
    const character = value[index]!
    if (character === quote || character === '\\') text += `\\${character}`
    else if (dangerous.has(index) || (isReadTwice && (character === '<' || character === '&')))
      text += unicodeEscape(character)
    else if (character === '\r') text += '\\r'
    else if (quote !== '`' && character === '\n') text += '\\n'
    else if (quote !== '`' && (character === '\u2028' || character === '\u2029')) text += unicodeEscape(character)
    else text += character
  }
  return text
}

/** For each dangerous sequence, the index of its first character inside the value. */
function dangerousIndexes(value: string, danger: RegExp, { before, after }: Neighbors): Set<number> {
  const indexes = new Set<number>()
  for (const found of `${before}${value}${after}`.matchAll(danger)) {
    const first = Math.max(found.index - before.length, 0)
    if (first < value.length && found.index + found[0].length > before.length) indexes.add(first)
  }
  return indexes
}

/** An escape that is valid in both JavaScript and JSON. */
function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * Browsers decode character references in an event handler before they run it, so a reference in the value could
 * become a quote. Escapes the ampersand of every complete or partial reference, and the first character of a value
 * that would continue a reference begun before it.
 */
function escapeReferences(text: string, before: string): string {
  const escaped = text.replace(
    /&(?=#|[A-Za-z][A-Za-z0-9]*(?:;|$)|$|(?:quot|amp|lt|gt)(?![a-z0-9=])|(?:QUOT|AMP|LT|GT)(?![A-Za-z0-9=]))/g,
    '&amp;',
  )
  const continues = /&#?[A-Za-z0-9]*$/.test(before) && /^[#A-Za-z0-9;]/.test(escaped)
  return continues ? `${reference(escaped[0]!)}${escaped.slice(1)}` : escaped
}

function escapeInAttribute(text: string, { attribute, leading, within }: PlaceholderContext): string {
  let breaking = attribute === '"' ? /"/g : /'/g
  if (attribute === 'none') breaking = leading ? /[\t\n\f\r >"']/g : /[\t\n\f\r >]/g
  const quoted = text.replace(breaking, reference)
  return within === 'noscript' ? quoted.replaceAll('<', '&lt;') : quoted
}

const NAMED: Record<string, string> = { '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function reference(character: string): string {
  return NAMED[character] ?? `&#${character.charCodeAt(0)};`
}
