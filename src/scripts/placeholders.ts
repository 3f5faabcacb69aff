import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { jsStrings, type Quote, quotesAt } from './javascript.ts'

/** Where a placeholder stands, as far as that decides what its value could break out of. */
export interface Place {
  /** The string literal around it, in a script or in an event handler. */
  string: Quote | null
  /** The quote of the attribute value around it; `none` when the value is not quoted. */
  attribute: '"' | "'" | 'none' | null
  /** Nothing stands before it in its attribute value: there a quote would begin a quoted one. */
  leading: boolean
  /** What else reads the text: markup in the script of a drawing, the raw text of `noscript`. */
  within: 'drawing' | 'noscript' | null
}

export interface Slot {
  key: string
  place: Place
}

/** Code in its order: text that stands as it is, and places for values. */
export type Part = string | Slot

/** `{{key}}`, without blanks (contract-details 60). */
const PLACEHOLDER = /\{\{([A-Za-z0-9_.-]{1,64})\}\}/g

const ANYWHERE: Place = { string: null, attribute: null, leading: false, within: null }

/**
 * Takes code apart. Placeholders without a value stay text; the others count as a word while it is found out where
 * they stand, so that what they will be replaced with cannot move the borders.
 */
export function takeApart(code: string, hasValue: (key: string) => boolean): Part[] {
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
  const places = placesIn(pieces, wordNotIn(code))
  return pieces.flatMap((piece, index): Part[] =>
    index < keys.length ? [piece, { key: keys[index]!, place: places[index]! }] : [piece],
  )
}

/** A word that stands nowhere in the code, and that no part of the code around it can lengthen into another match. */
function wordNotIn(code: string): string {
  const longest = Math.max(1, ...[...code.matchAll(/qx+/g)].map(([run]) => run.length))
  return `q${'x'.repeat(longest)}`
}

/** The place of each gap between the pieces. */
function placesIn(pieces: readonly string[], word: string): Place[] {
  const offsets: number[] = []
  let text = pieces[0]!
  for (const piece of pieces.slice(1)) {
    offsets.push(text.length)
    text += word + piece
  }
  const places = offsets.map(() => ANYWHERE)
  let next = 0
  /** Hands the gaps from `start` to `end` to `place`; the markup is read in its order. */
  const mark = (start: number, end: number, place: (inside: number[]) => Place[]) => {
    while (next < offsets.length && offsets[next]! < start) next++
    const first = next
    while (next < offsets.length && offsets[next]! < end) next++
    if (next > first) places.splice(first, next - first, ...place(offsets.slice(first, next)))
  }

  readMarkup(text, {
    attribute({ start, end, quote, handler, noscript }) {
      mark(start, end, (inside) => {
        const strings =
          handler === null
            ? []
            : quotesAt(
                jsStrings(handler),
                [...handler.matchAll(new RegExp(word, 'g'))].map(({ index }) => index),
              )
        const leading = leadingWords(text.slice(start, end), word)
        return inside.map((_, nth) => ({
          string: strings[nth] ?? null,
          attribute: quote,
          leading: nth < leading,
          within: noscript ? 'noscript' : null,
        }))
      })
    },
    script({ start, end, drawing }) {
      mark(start, end, (inside) => {
        const strings = quotesAt(
          jsStrings(text.slice(start, end)),
          inside.map((offset) => offset - start),
        )
        return strings.map((string) => ({ ...ANYWHERE, string, within: drawing ? 'drawing' : null }))
      })
    },
  })
  return places
}

/** How many times the word stands at the beginning. */
function leadingWords(text: string, word: string): number {
  let count = 0
  while (text.startsWith(word, count * word.length)) count++
  return count
}

interface AttributeValue {
  start: number
  end: number
  quote: '"' | "'" | 'none'
  /** The script that an event handler holds, its character references read; null for any other attribute. */
  handler: string | null
  noscript: boolean
}

interface MarkupReader {
  attribute(value: AttributeValue): void
  script(text: { start: number; end: number; drawing: boolean }): void
}

const RAW_TEXT = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes'])
const RCDATA = new Set(['title', 'textarea'])
/** Elements at which markup changes between HTML and drawings (HTML standard, 13.2.6.5). */
const DRAWINGS = new Set(['svg', 'math'])
const BACK_TO_HTML = new Set(['foreignobject', 'desc', 'title', 'annotation-xml'])

/** Goes through markup as a browser's tokenizer does and reports attribute values and scripts. */
function readMarkup(text: string, reader: MarkupReader): void {
  const around: string[] = []
  let noscript = 0
  let script: { start: number; drawing: boolean } | null = null
  const inDrawing = () => DRAWINGS.has(around.at(-1) ?? '')

  const onStartTag = (token: Token.TagToken) => {
    const { startOffset, endOffset } = token.location!
    for (const value of attributeValues(text, token, startOffset, endOffset))
      reader.attribute({ ...value, noscript: noscript > 0 })
    const name = token.tagName
    const drawing = inDrawing()
    if (name === 'noscript') noscript++
    if (name === 'script' && !token.selfClosing && isJavaScript(token)) script = { start: endOffset, drawing }
    if (DRAWINGS.has(name) || (drawing && BACK_TO_HTML.has(name))) {
      if (!token.selfClosing) around.push(name)
    } else if (!drawing) tokenizer.state = stateIn(name)
    tokenizer.inForeignNode = inDrawing()
  }
  const onEndTag = (token: Token.TagToken) => {
    const name = token.tagName
    if (name === 'noscript') noscript = Math.max(0, noscript - 1)
    if (name === 'script' && script !== null) {
      reader.script({ ...script, end: token.location!.startOffset })
      script = null
    }
    if (around.at(-1) === name) around.pop()
    tokenizer.inForeignNode = inDrawing()
  }
  const nothing = () => undefined
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag,
      onEndTag,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
    },
  )
  tokenizer.write(text, true)
}

/** What a browser reads behind a start tag. Without scripting `noscript` holds markup, and that is how it is read here. */
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

/** An attribute in a start tag: name, and value in one of three forms (HTML standard, 13.1.2.3). */
const ATTRIBUTE =
  /([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >]+)))?/dg

function attributeValues(
  text: string,
  token: Token.TagToken,
  from: number,
  to: number,
): Omit<AttributeValue, 'noscript'>[] {
  const tag = text.slice(from, to)
  const handlers = new Set<string>()
  return [...tag.slice(token.tagName.length + 1).matchAll(ATTRIBUTE)].flatMap((found) => {
    const form = [2, 3, 4].find((group) => found.indices![group] !== undefined)
    if (form === undefined) return []
    const [start, end] = found.indices![form]!
    const name = found[1]!.toLowerCase()
    // Of two attributes with one name the first counts, and parse5 keeps that one.
    const handles = name.startsWith('on') && !handlers.has(name)
    handlers.add(name)
    const before = from + token.tagName.length + 1
    return [
      {
        start: before + start,
        end: before + end,
        quote: (['"', "'", 'none'] as const)[form - 2]!,
        handler: handles ? (token.attrs.find((attribute) => attribute.name === name)?.value ?? null) : null,
      },
    ]
  })
}
