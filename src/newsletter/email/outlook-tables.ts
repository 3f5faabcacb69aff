import { attributesOf, startTag, type Token, tokens } from './markup.ts'
import type { NoteRemoved } from './removed.ts'
import { ONLY_TABLE_PARTS, TABLE_PARENTS } from './tables.ts'

/**
 * Conditional comments with the tags of tables, which make columns in Outlook:
 * `<!--[if mso | IE]><table><tr><td><![endif]-->`. The sanitizer removes comments, so a mark replaces each comment
 * before sanitizing, and the comment returns afterwards, if Outlook then sees a well-formed whole.
 */

/** A noncharacter before and after the index of a comment. */
const MARK = '\uFDD2'
const MARKS = /\uFDD2(\d+)\uFDD2/

/** Characters of one comment. */
const MAX_COMMENT = 4000
/** Conditions that are true in each version of Outlook for Windows, without spaces and brackets. */
const OUTLOOK: ReadonlySet<string> = new Set(['mso', 'mso|ie', 'ie|mso', 'gtemso9', 'gtemso9|ie', 'ie|gtemso9'])

type SafeAttributes = (element: string, given: Record<string, string>) => Record<string, string>

/** Replaces each comment with tags of tables by a mark. */
export function setTablesAside(
  html: string,
  safeAttributes: SafeAttributes,
  note: NoteRemoved,
): { html: string; comments: string[] } {
  const given = html.replaceAll(MARK, '')
  const comments: string[] = []
  const pieces: string[] = []
  // Comments in the head are for fonts and settings, which the message has of its own.
  const body = given.search(/<body[\s>]/i)
  let at = 0
  for (const [start, end] of conditionalComments(given)) {
    const comment = given.slice(start, end)
    const tags = tableTags(comment, safeAttributes)
    if (tags === null && start > body) note('comment', comment.slice(0, comment.indexOf('>') + 1))
    pieces.push(given.slice(at, start), tags === null ? comment : `${MARK}${comments.push(tags) - 1}${MARK}`)
    at = end
  }
  pieces.push(given.slice(at))
  return { html: pieces.join(''), comments }
}

/** Replaces the marks by their comments, or by nothing if the whole would not be well-formed. */
export function placeTables(html: string, comments: readonly string[], note: NoteRemoved): string {
  if (comments.length === 0) return html
  const isWhole = isWellFormed(html, comments)
  if (!isWhole) note('comment', '<!--[if mso]> (the tables in them are not complete)')
  const placed = (piece: string, index: number): string => {
    if (index % 2 === 0) return withoutMarks(piece)
    const tags = comments[+piece]
    return isWhole && tags !== undefined ? conditional(tags) : ''
  }
  return Array.from(tokens(html), ({ kind, text }) =>
    kind === 'text' ? text.split(MARKS).map(placed).join('') : text,
  ).join('')
}

/** The attribute's value without marks. */
export const withoutMarks = (value: string): string =>
  value.includes(MARK) ? value.replaceAll(/\uFDD2(?:\d+\uFDD2)?/g, '') : value

/** One condition for all, so that no version of Outlook sees only some of them. */
const conditional = (tags: string): string => `<!--[if mso | IE]>${tags}<![endif]-->`

/** Start and end of each conditional comment. */
export function* conditionalComments(html: string): Generator<[start: number, end: number]> {
  let at = 0
  for (;;) {
    const start = html.indexOf('<!--[if', at)
    const close = start < 0 ? -1 : html.indexOf('-->', start)
    if (close < 0) return
    at = close + '-->'.length
    yield [start, at]
  }
}

/** The tags of a comment with safe attributes; null for a comment with anything but tags of tables. */
function tableTags(comment: string, safeAttributes: SafeAttributes): string | null {
  if (comment.length > MAX_COMMENT) return null
  const [, condition, content] = /^<!--\[if ([^\]]{1,60})\]>([\s\S]*)<!\[endif\]-->$/.exec(comment) ?? []
  if (condition === undefined || !OUTLOOK.has(condition.replace(/[\s()]/g, '').toLowerCase())) return null
  let tags = ''
  // Vector graphics (VML) around a table draw background images.
  for (const token of tokens(content!.replace(/<\/?[vow]:[^<>]*>/gi, ''))) {
    if (token.kind === 'text') {
      if (/\S/.test(token.text.replaceAll('&nbsp;', ' '))) return null
      tags += token.text.includes('&nbsp;') ? '&nbsp;' : ''
    } else if (token.kind === 'comment' || !/^(?:table|tr|td)$/.test(token.name)) return null
    else if (token.kind === 'close') tags += `</${token.name}>`
    else if (token.ended) return null
    else tags += startTag(token.name, Object.entries(outlookAttributes(token, safeAttributes)))
  }
  return tags
}

/** Attributes whose values are text for people may contain placeholders, which comments must not. */
const TEXTS: ReadonlySet<string> = new Set(['abbr', 'aria-label', 'title'])

function outlookAttributes(token: { name: string; attributes: string }, safeAttributes: SafeAttributes) {
  const given = Object.fromEntries([...attributesOf(token)].filter(([name]) => !TEXTS.has(name) && name !== 'class'))
  return safeAttributes(token.name, given)
}

interface Open {
  name: string
  isConditional: boolean
}

/** Elements around each other, with those of the HTML. */
const MAX_DEPTH = 150

/** Whether the HTML with its comments is well-formed and keeps its own tables apart from those in comments. */
function isWellFormed(html: string, comments: readonly string[]): boolean {
  const open: Open[] = []
  for (const token of tokens(html)) {
    if (token.kind !== 'text') {
      if (!takes(open, token, false)) return false
      continue
    }
    for (const [index, piece] of token.text.split(MARKS).entries()) {
      if (index % 2 === 0) {
        if (!takes(open, { kind: 'text', text: piece }, false)) return false
      } else for (const tag of tokens(comments[+piece] ?? '')) if (!takes(open, tag, true)) return false
    }
  }
  return !open.some(({ isConditional }) => isConditional)
}

/** Whether a token fits at this point. Follows it into and out of elements. */
function takes(open: Open[], token: Token, isConditional: boolean): boolean {
  const around = open.at(-1)
  const takesParts = around !== undefined && ONLY_TABLE_PARTS.has(around.name)
  if (token.kind === 'comment') return true
  if (token.kind === 'text') return !takesParts || !around.isConditional || !/\S/.test(token.text)
  if (token.kind === 'close') {
    open.pop()
    return around?.name === token.name && around.isConditional === isConditional
  }
  const { name } = token
  if (!token.ended) open.push({ name, isConditional })
  if (!Object.hasOwn(TABLE_PARENTS, name)) return !takesParts && open.length <= MAX_DEPTH
  return around !== undefined && TABLE_PARENTS[name]!.includes(around.name) && around.isConditional === isConditional
}
