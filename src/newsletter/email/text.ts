import { attributesOf, decodeEntities, tokens } from './markup.ts'
import {
  asIs,
  compileTemplate,
  isSafeHref,
  joinTemplates,
  type Template,
  type TextHooks,
  withoutLinks,
} from './template.ts'

/** The plain text of well-formed HTML. Placeholders stay as they are. */
export function htmlToText(html: string): string {
  return read(html).replace(MARKS, '').replaceAll(CELL_MARK, '')
}

/** As `htmlToText`, compiled: placeholders in links are filled in as links, all others as text. */
export function textTemplate(html: string, hooks: TextHooks = {}): Template {
  return joinTemplates(
    read(html, hooks)
      .split(MARKS)
      .flatMap((piece, at) => (at % 2 ? [compileTemplate(piece, 'url')] : textLines(piece))),
  )
}

/** Compiles each line and cell of a plain text. A placeholder cannot span two of them, as in the HTML. */
export function textLines(text: string): (string | Template)[] {
  return text.split(/(\n)|\uFDD1/).map((line = '') => (line === '\n' ? line : compileTemplate(line, 'text')))
}

/** A noncharacter around each URL separates it from the surrounding text. */
const URL_MARK = '\uFDD0'
const MARKS = /\uFDD0/g
/** A noncharacter between two table cells of a line. */
const CELL_MARK = '\uFDD1'

interface Page {
  /** The finished lines, including empty ones. */
  lines: string[]
  /** The pieces of the line that is being written. One long string would be copied with each look at its end. */
  line: string[]
  /** Line ends to write before the next text, at most two. */
  breaks: number
  /** A table cell ended on this line. */
  gap: boolean
  /** The prefixes of each line, one for each surrounding list item and quotation. */
  indents: string[]
  /** The bullet or number that replaces the last indent on the next line. */
  bullet: string
  lists: { ordered: boolean; next: number }[]
  /** `pieces`: how many pieces of the line are its label. */
  link: { href: string; label: string; pieces: number; opensLine: boolean } | null
  verbatim: number
  onTextLink: (url: string) => string
}

function read(html: string, hooks: TextHooks = {}): string {
  const page: Page = {
    lines: [],
    line: [],
    breaks: 0,
    gap: false,
    indents: [],
    bullet: '',
    lists: [],
    link: null,
    verbatim: 0,
    onTextLink: hooks.onTextLink ?? asIs,
  }
  for (const token of withoutLinks(tokens(html), hooks)) {
    if (token.kind === 'text') write(page, decodeEntities(token.text).replace(/[\uFDD0\uFDD1]/g, ''))
    else if (token.kind === 'open') {
      breakFor(page, token.name)
      OPEN.get(token.name)?.(page, token)
      if (token.ended) breakFor(page, token.name)
    } else if (token.kind === 'close') {
      CLOSE.get(token.name)?.(page)
      breakFor(page, token.name)
    }
  }
  return [...page.lines, page.line.join('')].join('\n').trim()
}

const isEmpty = (page: Page): boolean => page.line.length === 0 && page.lines.length === 0

/** Elements on lines of their own. */
const LINES: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'caption',
  'center',
  'dd',
  'div',
  'dt',
  'figcaption',
  'figure',
  'footer',
  'header',
  'li',
  'main',
  'section',
  'tr',
])
/** Elements with an empty line before and after. */
const PARAGRAPHS: ReadonlySet<string> = new Set([
  'blockquote',
  'dl',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'ol',
  'p',
  'pre',
  'table',
  'ul',
])

/** What an element does where it begins, besides the lines and paragraphs of `breakFor`. */
type Opening = (page: Page, token: { attributes: string }) => void

const openList =
  (ordered: boolean): Opening =>
  (page, token) => {
    page.lists.push({ ordered, next: Number(attributesOf(token).get('start') ?? 1) })
  }

const OPEN: ReadonlyMap<string, Opening> = new Map<string, Opening>([
  [
    'br',
    (page) => {
      if (!isEmpty(page)) page.breaks = Math.min(page.breaks + 1, 2)
    },
  ],
  ['hr', (page) => write(page, '---')],
  ['img', (page, token) => write(page, attributesOf(token).get('alt') ?? '')],
  [
    'a',
    (page, token) => {
      page.link = { href: attributesOf(token).get('href') ?? '', label: '', pieces: 0, opensLine: opensLine(page) }
    },
  ],
  ['ul', openList(false)],
  ['ol', openList(true)],
  [
    'li',
    (page) => {
      const list = page.lists.at(-1)
      page.bullet = list?.ordered ? `${list.next++}. ` : '- '
      page.indents.push(' '.repeat(page.bullet.length))
    },
  ],
  ['blockquote', (page) => void page.indents.push('> ')],
  [
    'pre',
    (page) => {
      page.verbatim += 1
    },
  ],
])

const endCell = (page: Page): void => {
  page.gap = true
}
const endList = (page: Page): void => void page.lists.pop()

/** What an element does where it ends. */
const CLOSE: ReadonlyMap<string, (page: Page) => void> = new Map([
  ['a', closeLink],
  [
    'li',
    (page) => {
      page.indents.pop()
      page.bullet = ''
    },
  ],
  ['td', endCell],
  ['th', endCell],
  [
    'pre',
    (page) => {
      page.verbatim -= 1
    },
  ],
  ['blockquote', (page) => void page.indents.pop()],
  ['ul', endList],
  ['ol', endList],
])

function breakFor(page: Page, name: string): void {
  const isInnerList = (name === 'ul' || name === 'ol') && page.lists.length > 0
  if (PARAGRAPHS.has(name) && !isInnerList) ensureBreaks(page, 2)
  else if (LINES.has(name) || isInnerList) ensureBreaks(page, 1)
}

function ensureBreaks(page: Page, breaks: number): void {
  page.gap = false
  if (!isEmpty(page) && !page.bullet) page.breaks = Math.max(page.breaks, breaks)
}

/**
 * A link at the beginning of a line becomes `label: URL`, a link inside a sentence `label (URL)`. A label that is the
 * URL already is replaced where the URL is.
 */
function closeLink(page: Page): void {
  const { link } = page
  page.link = null
  if (!link || link.href.startsWith('#') || !isSafeHref(link.href)) return
  const url = page.onTextLink(link.href)
  const shown = /^(?:mailto|tel):/i.test(url) ? url.replace(/^\w+:/, '') : `${URL_MARK}${url}${URL_MARK}`
  const label = link.label.trim()
  if (label === '') write(page, shown)
  else if (bare(label) !== bare(link.href)) {
    trimLine(page)
    page.line.push(link.opensLine ? `${label.endsWith(':') ? '' : ':'} ${shown}` : ` (${shown})`)
  } else if (url !== link.href) {
    page.line.splice(-link.pieces)
    page.line.push(link.label.replace(label, () => shown))
  }
}

/** A URL without the parts that people omit in writing: scheme, `www.` and a final slash. */
const bare = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)(?:www\.)?/i, '').replace(/\/$/, '')

const opensLine = (page: Page): boolean => isEmpty(page) || page.breaks > 0 || page.bullet !== ''

function write(page: Page, text: string): void {
  let visible = (page.verbatim ? text : text.replace(/[ \t\r\n\f]+/g, ' '))
    .replace(/\u00A0/g, ' ')
    .replace(/[\u00AD\u200B\uFEFF]/g, '')
  const opens = opensLine(page)
  if (!page.verbatim && (opens || page.gap || page.line.at(-1)?.endsWith(' '))) visible = visible.trimStart()
  if (!visible) return
  if (opens) startLine(page)
  else if (page.gap) {
    trimLine(page)
    page.line.push(`  ${CELL_MARK}`)
  }
  page.gap = false
  page.line.push(page.verbatim ? visible.replace(/\r?\n/g, `\n${page.indents.join('')}`) : visible)
  if (page.link) {
    page.link.label += visible
    page.link.pieces += 1
  }
}

function startLine(page: Page): void {
  if (!isEmpty(page)) {
    page.lines.push(page.line.join('').trimEnd())
    if (page.breaks > 1) page.lines.push('')
  }
  const start = page.bullet ? page.indents.slice(0, -1).join('') + page.bullet : page.indents.join('')
  page.line = start === '' ? [] : [start]
  page.breaks = 0
  page.bullet = ''
  if (page.link) page.link.pieces = 0
}

/** Removes whitespace at the end of the line that is being written. */
function trimLine(page: Page): void {
  while (page.line.length > 0) {
    const last = page.line.pop()!.trimEnd()
    if (last !== '') {
      page.line.push(last)
      return
    }
  }
}
