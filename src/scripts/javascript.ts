/*
 * A scanner that finds string literals in JavaScript. It is not a parser: it distinguishes only strings, templates,
 * comments and regular expressions, because those decide which characters end a string.
 */

export type Quote = '"' | "'" | '`'

/** Offsets of the text between the quotes. A template literal has a span for each run of text between substitutions. */
interface StringSpan {
  start: number
  end: number
  quote: Quote
}

const BLANK = /[\s\uFEFF]+/y
const LINE_END = /[\n\r\u2028\u2029]/
/** In a classic script `<!--`, and `-->` at the start of a line, begin a one-line comment (ECMA-262, B.1.1). */
const COMMENT = /(?:\/\/|<!--)[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$)/y
const CLOSING_COMMENT = /-->[^\n\r\u2028\u2029]*/y
const WORD = /[\p{ID_Start}$_#\\][\p{ID_Continue}$\\]*/uy
const NUMBER = /\.?\d[\w.]*/y
const REGEX = /\/(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/\w*/y
const PUNCTUATION = /=>|\+\+|--|[\s\S]/y
const PLAIN: Record<Quote, RegExp> = {
  '"': /(?:[^"\\\n\r]+|\\(?:\r\n|[\s\S]))*/y,
  "'": /(?:[^'\\\n\r]+|\\(?:\r\n|[\s\S]))*/y,
  '`': /(?:[^`\\$]+|\\[\s\S]|\$(?!\{))*/y,
}

/** After these words `/` begins a regular expression and `{` an object. */
const OPERATORS = new Set([
  'return',
  'typeof',
  'instanceof',
  'in',
  'of',
  'new',
  'delete',
  'void',
  'throw',
  'case',
  'yield',
  'await',
])
const BLOCK_WORDS = new Set(['do', 'else', 'try', 'finally'])
/** After the closing parenthesis of these statements `/` begins a regular expression. */
const CONDITIONS = new Set(['if', 'while', 'for', 'with'])

interface Opened {
  by: '(' | '[' | '{' | '`'
  /** Whether the closed group is a value, so that a following `/` is a division. */
  value: boolean
}

/** The string literals of some JavaScript, in ascending order. */
export function jsStrings(code: string): StringSpan[] {
  const spans: StringSpan[] = []
  const open: Opened[] = []
  let at = 0
  let previous = ''
  let value = false
  let lineStart = true
  let noRegexUntil = 0

  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(code)?.[0]
    if (!found) return null
    at += found.length
    return found
  }
  /**
   * An unterminated regular expression makes its whole line an error. Skipping the rest of the line avoids a quadratic
   * search for the end of each further `/`.
   */
  const takeRegex = (): string | null => {
    if (value || code[at] !== '/' || at < noRegexUntil) return null
    const found = take(REGEX)
    if (found === null) noRegexUntil = at + (LINE_END.exec(code.slice(at))?.index ?? code.length)
    return found
  }
  const text = (quote: Quote): void => {
    const start = at
    take(PLAIN[quote])
    spans.push({ start, end: at, quote })
    if (quote === '`' && code.startsWith('${', at)) {
      at += 2
      open.push({ by: '`', value: true })
      value = false
      previous = '${'
      return
    }
    if (code[at] === quote) at++
    value = true
    previous = quote
  }

  while (at < code.length) {
    const gap = take(BLANK) ?? take(COMMENT) ?? (lineStart ? take(CLOSING_COMMENT) : null)
    if (gap !== null) {
      lineStart ||= LINE_END.test(gap)
      continue
    }
    lineStart = false
    const word = take(WORD)
    if (word !== null) {
      const isName = previous === '.'
      value = isName || !(OPERATORS.has(word) || BLOCK_WORDS.has(word))
      previous = isName ? 'name' : word
      continue
    }
    if (take(NUMBER) !== null || takeRegex() !== null) {
      value = true
      previous = '0'
      continue
    }
    const sign = take(PUNCTUATION)!
    if (sign === '"' || sign === "'" || sign === '`') {
      text(sign)
      continue
    }
    if (sign === '(' || sign === '[' || sign === '{')
      open.push({ by: sign, value: closesToValue(sign, previous, value) })
    if (sign === '}' && open.at(-1)?.by === '`') {
      open.pop()
      text('`')
      continue
    }
    if (sign === ')' || sign === ']' || sign === '}') value = open.pop()?.value ?? true
    else if (sign !== '++' && sign !== '--') value = false
    previous = sign
  }
  return spans
}

/** The quote of the string literal around each offset, or null. Offsets must ascend. */
export function quotesAt(spans: readonly StringSpan[], offsets: readonly number[]): (Quote | null)[] {
  let next = 0
  return offsets.map((offset) => {
    while (next < spans.length && spans[next]!.end <= offset) next++
    const span = spans[next]
    return span !== undefined && span.start <= offset ? span.quote : null
  })
}

function closesToValue(sign: '(' | '[' | '{', previous: string, value: boolean): boolean {
  if (sign === '[') return true
  if (sign === '(') return !CONDITIONS.has(previous)
  const isBlock = value || previous === '' || BLOCK_WORDS.has(previous) || ['=>', ';', '{', '}', ')'].includes(previous)
  return !isBlock
}
