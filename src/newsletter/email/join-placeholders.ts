import { type Token, tokens } from './markup.ts'
import { PLACEHOLDER } from '../../shared/merge-tags.ts'

/** Inline elements for formatting. A placeholder that they split is still one placeholder. */
export const FORMATTING: ReadonlySet<string> = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'big',
  'cite',
  'code',
  'del',
  'dfn',
  'em',
  'font',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'samp',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'time',
  'tt',
  'u',
  'var',
  'wbr',
])

/**
 * Joins placeholders that formatting has split, as editors do when part of one is made bold. The joined placeholder is
 * placed where its name began. Only text within one run of inline content moves. An element that becomes empty is
 * removed together with its end tag, so the HTML stays balanced and safe. Expects sanitized HTML.
 */
export function joinPlaceholders(html: string): string {
  if (!html.includes('{')) return html
  const all = [...tokens(html)]
  const texts = all.map(({ kind, text }) => (kind === 'text' ? text : ''))
  let run: number[] = []
  for (let at = 0; at <= all.length; at++) {
    const token = all[at]
    if (token?.kind === 'text') run.push(at)
    else if (!token || token.kind === 'comment' || !FORMATTING.has(token.name)) {
      join(texts, run)
      run = []
    }
  }
  return withoutEmptied(all, texts)
}

/** Joins the placeholders of one run of inline content, whose texts have these `indexes`. */
function join(texts: string[], indexes: readonly number[]): void {
  const pieces = indexes.map((index) => texts[index]!)
  const line = pieces.join('')
  if (!line.includes('{{')) return
  const ends: number[] = []
  for (const piece of pieces) ends.push((ends.at(-1) ?? 0) + piece.length)
  const joined = pieces.map(() => '')
  let at = 0
  let piece = 0
  /** Copies the text before `to` to the elements that it came from. */
  const copyUntil = (to: number): void => {
    while (at < to) {
      const end = Math.min(to, ends[piece]!)
      joined[piece] += line.slice(at, end)
      at = end
      if (at === ends[piece]) piece += 1
    }
  }
  for (const match of line.matchAll(PLACEHOLDER)) {
    copyUntil(match.index)
    const name_at = match.index + /^\{\{\s*/.exec(match[0])![0].length
    at = match.index + match[0].length
    while (ends[piece]! <= name_at) piece += 1
    // The plain-text part is compiled line by line, so a placeholder must not contain a line end.
    joined[piece] += match[0].replace(/[\r\n]+/g, ' ')
    while (piece < ends.length && ends[piece]! <= at) piece += 1
  }
  copyUntil(line.length)
  indexes.forEach((index, position) => {
    texts[index] = joined[position]!
  })
}

/** The HTML with its new texts, without the formatting elements that became empty. */
function withoutEmptied(all: readonly Token[], texts: readonly string[]): string {
  const result: string[] = []
  const open: { at: number; emptied: boolean }[] = []
  all.forEach((token, at) => {
    if (token.kind === 'text') {
      if (texts[at] !== '') result.push(texts[at]!)
      else for (const element of open) element.emptied = true
      return
    }
    if (token.kind === 'open' && !token.ended) open.push({ at: result.length, emptied: false })
    const opened = token.kind === 'close' ? open.pop() : undefined
    if (opened?.emptied && opened.at === result.length - 1 && FORMATTING.has((token as Token & { kind: 'close' }).name))
      result.pop()
    else result.push(token.text)
  })
  return result.join('')
}
