import type { Quote } from './javascript.ts'
import type { Place } from './placeholders.ts'

/** The written text right before a value and the code right behind it: some sequences come about only together. */
export interface Neighbours {
  before: string
  after: string
}

/**
 * A value as it stands at its place (contract-details 60): unchanged, but for the characters that would break out
 * of the string literal or attribute value around it.
 */
export function escapeFor(place: Place, value: string, { before, after }: Neighbours): string {
  let text = value
  if (place.string !== null) text = inString(text, place.string, before, after, place.within === 'drawing')
  if (place.attribute !== null) {
    if (place.string !== null) text = keepReferences(text, before)
    text = inAttribute(text, place)
  }
  return text
}

/** What ends a script from inside a string, or makes its end tag unseen (HTML standard, 4.12.1.3). */
const SCRIPT_DANGER = /<!--|<\/?script/gi
const TEMPLATE_DANGER = /<!--|<\/?script|\$\{/gi

function inString(value: string, quote: Quote, before: string, after: string, drawing: boolean): string {
  const hidden = charactersToHide(value, quote === '`' ? TEMPLATE_DANGER : SCRIPT_DANGER, before, after)
  let text = ''
  for (let index = 0; index < value.length; index++) {
    const character = value[index]!
    if (character === quote || character === '\\') text += `\\${character}`
    else if (hidden.has(index) || (drawing && (character === '<' || character === '&'))) text += unicode(character)
    else if (character === '\r') text += '\\r'
    else if (quote !== '`' && character === '\n') text += '\\n'
    else if (quote !== '`' && (character === '\u2028' || character === '\u2029')) text += unicode(character)
    else text += character
  }
  return text
}

/** Of each dangerous sequence, its first character that belongs to the value. */
function charactersToHide(value: string, danger: RegExp, before: string, after: string): Set<number> {
  const hidden = new Set<number>()
  for (const found of `${before}${value}${after}`.matchAll(danger)) {
    const first = Math.max(found.index - before.length, 0)
    if (first < value.length && found.index + found[0].length > before.length) hidden.add(first)
  }
  return hidden
}

/** Valid in JavaScript and in JSON. */
function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * In an event handler character references are read before the script is: one in the value would become a quote
 * then. Only what is or might become a reference is touched.
 */
function keepReferences(text: string, before: string): string {
  const kept = text.replace(
    /&(?=#|[A-Za-z][A-Za-z0-9]*(?:;|$)|$|(?:quot|amp|lt|gt)(?![a-z0-9=])|(?:QUOT|AMP|LT|GT)(?![A-Za-z0-9=]))/g,
    '&amp;',
  )
  const continues = /&#?[A-Za-z0-9]*$/.test(before) && /^[#A-Za-z0-9;]/.test(kept)
  return continues ? `${reference(kept[0]!)}${kept.slice(1)}` : kept
}

function inAttribute(text: string, { attribute, leading, within }: Place): string {
  let breaking = attribute === '"' ? /"/g : /'/g
  if (attribute === 'none') breaking = leading ? /[\t\n\f\r >"']/g : /[\t\n\f\r >]/g
  const quoted = text.replace(breaking, reference)
  return within === 'noscript' ? quoted.replaceAll('<', '&lt;') : quoted
}

function reference(character: string): string {
  if (character === '"') return '&quot;'
  return character === '>' ? '&gt;' : `&#${character.charCodeAt(0)};`
}
