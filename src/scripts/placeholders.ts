import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { addressParts, type AddressPart, isAddress } from './addresses.ts'
import { jsStrings, type Quote, quotesAt } from './javascript.ts'

/** The syntax around a placeholder. It decides which characters of a value must be escaped. */
export interface PlaceholderContext {
  /** The quote of the string literal around the placeholder, in a script or an event handler. */
  string: Quote | null
  /** The quote of the attribute value around the placeholder; `none` when the value is unquoted. */
  attribute: '"' | "'" | 'none' | null
  /** The placeholder begins its attribute value. In an unquoted value a quote here would begin a quoted one. */
  leading: boolean
  /** The attribute's value is a document (`srcdoc`). */
  document: boolean
  /** Where in an address the placeholder stands that could run a script; null in other attributes. */
  address: AddressPart | null
  /** The element whose raw text the placeholder is in, which has escapes of its own. */
  element: RawElement | null
  /** A second reader of the text: the markup parser inside `svg` or `math`, or the raw text of `noscript`. */
  within: 'foreign' | 'noscript' | null
}

/** Elements whose text is another language than markup. */
type RawElement = 'script' | 'style'

export interface Placeholder {
  key: string
  context: PlaceholderContext
}

/** A piece of code: literal text, or a placeholder to fill in. */
export type Part = string | Placeholder

/** `{{key}}`, without spaces (docs/api/scripts.md#placeholders). */
const PLACEHOLDER = /\{\{([A-Za-z0-9_.-]{1,64})\}\}/g

const PLAIN_TEXT: PlaceholderContext = {
  string: null,
  attribute: null,
  leading: false,
  document: false,
  address: null,
  element: null,
  within: null,
}

/**
 * Splits code into text and placeholders, in order. A placeholder without a value stays text. While the syntax around
 * placeholders is analyzed, each of them is replaced by a neutral word, so that no value can change that syntax.
 */
export function parsePlaceholders(code: string, hasValue: (key: string) => boolean): Part[] {
  const pieces: string[] = []
  const keys: string[] = []
  let from = 0
  for (const found of code.matchAll(PLACEHOLDER)) {
    if (!hasValue(found[1]!)) continue
    pieces.push(code.slice(from, found.index))
    keys.push(found[1]!)
    from = found.index + found[0].length
  }
  pieces.push(code.slice(from))
  if (keys.length === 0) return [code]
  const contexts = contextsOf(pieces, wordNotIn(code))
  return pieces.flatMap((piece, index): Part[] =>
    index < keys.length ? [piece, { key: keys[index]!, context: contexts[index]! }] : [piece],
  )
}

/** A word that does not occur in the code and that adjacent code cannot extend into a second match. */
function wordNotIn(code: string): string {
  return `q${'x'.repeat(Math.max(1, ...[...code.matchAll(/qx+/g)].map(([run]) => run.length)))}`
}

/** The context of each gap between the pieces. */
function contextsOf(pieces: readonly string[], word: string): PlaceholderContext[] {
  const offsets: number[] = []
  let text = pieces[0]!
  for (const piece of pieces.slice(1)) {
    offsets.push(text.length)
    text += word + piece
  }
  const contexts = offsets.map(() => PLAIN_TEXT)
  let next = 0
  /** Sets the contexts of the gaps from `start` to `end`. Calls come in document order. */
  const mark = (start: number, end: number, contextsAt: (inside: number[]) => PlaceholderContext[]) => {
    while (next < offsets.length && offsets[next]! < start) next++
    const first = next
    while (next < offsets.length && offsets[next]! < end) next++
    if (next > first) contexts.splice(first, next - first, ...contextsAt(offsets.slice(first, next)))
  }

  readMarkup(text, {
    attribute({ start, end, quote, handler, address, document, noscript }) {
      mark(start, end, (inside) => {
        const strings =
          handler === null
            ? []
            : quotesAt(
                jsStrings(handler),
                [...handler.matchAll(new RegExp(word, 'g'))].map(({ index }) => index),
              )
        const parts = address === null ? [] : addressParts(address, word)
        const leading = leadingWords(text.slice(start, end), word)
        return inside.map((_, nth) => ({
          string: strings[nth] ?? null,
          attribute: quote,
          leading: nth < leading,
          document,
          address: parts[nth] ?? null,
          element: null,
          within: noscript ? 'noscript' : null,
        }))
      })
    },
    raw({ element, start, end, within }) {
      mark(start, end, (inside) => {
        if (element === 'style') return inside.map(() => ({ ...PLAIN_TEXT, element }))
        const strings = quotesAt(
          jsStrings(text.slice(start, end)),
          inside.map((offset) => offset - start),
        )
        return strings.map((string) => ({ ...PLAIN_TEXT, string, element, within }))
      })
    },
  })
  return contexts
}

/** How many times the word is repeated at the beginning of the text. */
function leadingWords(text: string, word: string): number {
  let count = 0
  while (text.startsWith(word, count * word.length)) count++
  return count
}

interface AttributeValue {
  start: number
  end: number
  quote: '"' | "'" | 'none'
  /** The script of an event handler with its character references decoded; null for any other attribute. */
  handler: string | null
  /** The address with its character references decoded; null for any other attribute. */
  address: string | null
  document: boolean
  noscript: boolean
}

interface RawText {
  element: RawElement
  start: number
  within: PlaceholderContext['within']
}

interface MarkupReader {
  attribute(value: AttributeValue): void
  /** @param text its element, its offsets, and its second reader */
  raw(text: RawText & { end: number }): void
}

const RAW_TEXT = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes'])
const RCDATA = new Set(['title', 'textarea'])
/** Elements that begin foreign content, and those inside it that return to HTML (HTML standard, 13.2.6.5). */
const FOREIGN = new Set(['svg', 'math'])
const BACK_TO_HTML = new Set(['foreignobject', 'desc', 'title', 'annotation-xml'])

/** Tokenizes markup as browsers do and reports attribute values, scripts and styles in document order. */
function readMarkup(text: string, reader: MarkupReader): void {
  /** Open elements at which foreign content begins or ends. */
  const open: string[] = []
  let noscript = 0
  let raw: RawText | null = null
  const inForeign = () => FOREIGN.has(open.at(-1) ?? '')

  const onStartTag = (token: Token.TagToken) => {
    const { startOffset, endOffset } = token.location!
    for (const value of attributeValues(text, token, startOffset, endOffset))
      reader.attribute({ ...value, noscript: noscript > 0 })
    const name = token.tagName
    const foreign = inForeign()
    if (name === 'noscript') noscript++
    // Any foreign ancestor counts: browsers may still be in foreign content where this reader left it.
    const within = open.length > 0 ? 'foreign' : noscript > 0 ? 'noscript' : null
    // Only in foreign content does a slash close the element.
    if (name === 'script' && !(foreign && token.selfClosing) && isJavaScript(token))
      raw = { element: name, start: endOffset, within }
    // In foreign content a style is markup.
    if (name === 'style' && !foreign) raw = { element: name, start: endOffset, within }
    if (FOREIGN.has(name) || (foreign && BACK_TO_HTML.has(name))) {
      if (!token.selfClosing) open.push(name)
    } else if (!foreign) tokenizer.state = stateIn(name)
    tokenizer.inForeignNode = inForeign()
  }
  const onEndTag = (token: Token.TagToken) => {
    const name = token.tagName
    if (name === 'noscript') noscript = Math.max(0, noscript - 1)
    if (raw?.element === name) {
      reader.raw({ ...raw, end: token.location!.startOffset })
      raw = null
    }
    if (open.at(-1) === name) open.pop()
    tokenizer.inForeignNode = inForeign()
  }
  const ignore = () => undefined
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag,
      onEndTag,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  )
  tokenizer.write(text, true)
}

/** The tokenizer state after a start tag. `noscript` is read as markup, as browsers without scripting do. */
function stateIn(name: string): Tokenizer['state'] {
  if (name === 'script') return TokenizerMode.SCRIPT_DATA
  if (RAW_TEXT.has(name)) return TokenizerMode.RAWTEXT
  if (RCDATA.has(name)) return TokenizerMode.RCDATA
  return name === 'plaintext' ? TokenizerMode.PLAINTEXT : TokenizerMode.DATA
}

function isJavaScript(token: Token.TagToken): boolean {
  const type = token.attrs.find(({ name }) => name === 'type')?.value ?? ''
  return type === '' || /script|json|module|importmap|speculationrules|^text\/plain$/i.test(type)
}

/** An attribute of a start tag: its name, and its value in one of three forms (HTML standard, 13.1.2.3). */
const ATTRIBUTE =
  /([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >]+)))?/dg

function attributeValues(
  text: string,
  token: Token.TagToken,
  from: number,
  to: number,
): Omit<AttributeValue, 'noscript'>[] {
  const tag = text.slice(from, to)
  const seen = new Set<string>()
  return [...tag.slice(token.tagName.length + 1).matchAll(ATTRIBUTE)].flatMap((found) => {
    const form = [2, 3, 4].find((group) => found.indices![group] !== undefined)
    if (form === undefined) return []
    const [start, end] = found.indices![form]!
    const name = found[1]!.toLowerCase()
    // Browsers and parse5 use the first of two attributes with the same name.
    const value = seen.has(name) ? null : (token.attrs.find((attribute) => attribute.name === name)?.value ?? null)
    seen.add(name)
    const before = from + token.tagName.length + 1
    return [
      {
        start: before + start,
        end: before + end,
        quote: (['"', "'", 'none'] as const)[form - 2]!,
        handler: name.startsWith('on') ? value : null,
        address: isAddress(name) ? value : null,
        document: name === 'srcdoc',
      },
    ]
  })
}

/** The keys that code names, each once, in their order. */
export function placeholderKeys(code: string): string[] {
  return [...new Set([...code.matchAll(PLACEHOLDER)].map(([, key]) => key!))]
}
