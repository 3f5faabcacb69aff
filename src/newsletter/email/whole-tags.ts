import { type Token, tokens } from './markup.ts'
import { PLACEHOLDER } from './merge-tags.ts'

/** Elements that only format the words of a line: a placeholder that they split is still one. */
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
 * Puts placeholders together that formatting has split, as editors do when half of one is made bold. One then
 * stands whole where its name began, in the formatting of that place. Only texts move, within one run of words,
 * and an element goes only with its end and when a placeholder left it empty: so all stays as balanced and as
 * safe as it was. For sanitized HTML.
 */
export function wholeTags(html: string): string {
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
  return withoutHollow(all, texts)
}

/** Joins the placeholders of one run of words, whose texts stand at `places`. */
function join(texts: string[], places: readonly number[]): void {
  const pieces = places.map((place) => texts[place]!)
  const line = pieces.join('')
  if (!line.includes('{{')) return
  const ends: number[] = []
  for (const piece of pieces) ends.push((ends.at(-1) ?? 0) + piece.length)
  const joined = pieces.map(() => '')
  let at = 0
  let piece = 0
  /** Lets what comes before `to` stay where it was. */
  const keep = (to: number): void => {
    while (at < to) {
      const end = Math.min(to, ends[piece]!)
      joined[piece] += line.slice(at, end)
      at = end
      if (at === ends[piece]) piece += 1
    }
  }
  for (const match of line.matchAll(PLACEHOLDER)) {
    keep(match.index)
    const name_at = match.index + /^\{\{\s*/.exec(match[0])![0].length
    at = match.index + match[0].length
    while (ends[piece]! <= name_at) piece += 1
    // The text part is read line by line.
    joined[piece] += match[0].replace(/[\r\n]+/g, ' ')
    while (piece < ends.length && ends[piece]! <= at) piece += 1
  }
  keep(line.length)
  places.forEach((place, index) => {
    texts[place] = joined[index]!
  })
}

/** The HTML with its new texts, without the formatting that lost all it held. */
function withoutHollow(all: readonly Token[], texts: readonly string[]): string {
  const kept: string[] = []
  const open: { at: number; lost: boolean }[] = []
  all.forEach((token, at) => {
    if (token.kind === 'text') {
      if (texts[at] !== '') kept.push(texts[at]!)
      else for (const element of open) element.lost = true
      return
    }
    if (token.kind === 'open' && !token.ended) open.push({ at: kept.length, lost: false })
    const opened = token.kind === 'close' ? open.pop() : undefined
    if (opened?.lost && opened.at === kept.length - 1 && FORMATTING.has((token as Token & { kind: 'close' }).name))
      kept.pop()
    else kept.push(token.text)
  })
  return kept.join('')
}
