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

interface PlainText {
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
  const written: PlainText = {
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
    if (token.kind === 'text') write(written, decodeEntities(token.text).replace(/[\uFDD0\uFDD1]/g, ''))
    else if (token.kind === 'open') {
      breakFor(written, token.name)
      OPEN.get(token.name)?.(written, token)
      if (token.ended) breakFor(written, token.name)
    } else if (token.kind === 'close') {
      CLOSE.get(token.name)?.(written)
      breakFor(written, token.name)
    }
  }
  return [...written.lines, written.line.join('')].join('\n').trim()
}

const isEmpty = (written: PlainText): boolean => written.line.length === 0 && written.lines.length === 0

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

/** Handles the start of an element, besides the lines and paragraphs of `breakFor`. */
type Opening = (written: PlainText, token: { attributes: string }) => void

const openList =
  (ordered: boolean): Opening =>
  (written, token) => {
    written.lists.push({ ordered, next: Number(attributesOf(token).get('start') ?? 1) })
  }

const OPEN: ReadonlyMap<string, Opening> = new Map<string, Opening>([
  [
    'br',
    (written) => {
      if (!isEmpty(written)) written.breaks = Math.min(written.breaks + 1, 2)
    },
  ],
  ['hr', (written) => write(written, '---')],
  ['img', (written, token) => write(written, attributesOf(token).get('alt') ?? '')],
  [
    'a',
    (written, token) => {
      written.link = {
        href: attributesOf(token).get('href') ?? '',
        label: '',
        pieces: 0,
        opensLine: opensLine(written),
      }
    },
  ],
  ['ul', openList(false)],
  ['ol', openList(true)],
  [
    'li',
    (written) => {
      const list = written.lists.at(-1)
      written.bullet = list?.ordered ? `${list.next++}. ` : '- '
      written.indents.push(' '.repeat(written.bullet.length))
    },
  ],
  ['blockquote', (written) => void written.indents.push('> ')],
  [
    'pre',
    (written) => {
      written.verbatim += 1
    },
  ],
])

const endCell = (written: PlainText): void => {
  written.gap = true
}
const endList = (written: PlainText): void => void written.lists.pop()

/** Handlers of the ends of elements, by name. */
const CLOSE: ReadonlyMap<string, (written: PlainText) => void> = new Map([
  ['a', closeLink],
  [
    'li',
    (written) => {
      written.indents.pop()
      written.bullet = ''
    },
  ],
  ['td', endCell],
  ['th', endCell],
  [
    'pre',
    (written) => {
      written.verbatim -= 1
    },
  ],
  ['blockquote', (written) => void written.indents.pop()],
  ['ul', endList],
  ['ol', endList],
])

function breakFor(written: PlainText, name: string): void {
  const isInnerList = (name === 'ul' || name === 'ol') && written.lists.length > 0
  if (PARAGRAPHS.has(name) && !isInnerList) ensureBreaks(written, 2)
  else if (LINES.has(name) || isInnerList) ensureBreaks(written, 1)
}

function ensureBreaks(written: PlainText, breaks: number): void {
  written.gap = false
  if (!isEmpty(written) && !written.bullet) written.breaks = Math.max(written.breaks, breaks)
}

/**
 * A link at the beginning of a line becomes `label: URL`, a link inside a sentence `label (URL)`. A label that is the
 * URL already is replaced where the URL is.
 */
function closeLink(written: PlainText): void {
  const { link } = written
  written.link = null
  if (!link || link.href.startsWith('#') || !isSafeHref(link.href)) return
  const url = written.onTextLink(link.href)
  const shown = /^(?:mailto|tel):/i.test(url) ? url.replace(/^\w+:/, '') : `${URL_MARK}${url}${URL_MARK}`
  const label = link.label.trim()
  if (label === '') write(written, shown)
  else if (bare(label) !== bare(link.href)) {
    trimLine(written)
    written.line.push(link.opensLine ? `${label.endsWith(':') ? '' : ':'} ${shown}` : ` (${shown})`)
  } else if (url !== link.href) {
    written.line.splice(-link.pieces)
    written.line.push(link.label.replace(label, () => shown))
  }
}

/** A URL without the parts that people omit in writing: scheme, `www.` and a final slash. */
const bare = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)(?:www\.)?/i, '').replace(/\/$/, '')

const opensLine = (written: PlainText): boolean => isEmpty(written) || written.breaks > 0 || written.bullet !== ''

function write(written: PlainText, text: string): void {
  let visible = (written.verbatim ? text : text.replace(/[ \t\r\n\f]+/g, ' '))
    .replace(/\u00A0/g, ' ')
    .replace(/[\u00AD\u200B\uFEFF]/g, '')
  const opens = opensLine(written)
  if (!written.verbatim && (opens || written.gap || written.line.at(-1)?.endsWith(' '))) visible = visible.trimStart()
  if (!visible) return
  if (opens) startLine(written)
  else if (written.gap) {
    trimLine(written)
    written.line.push(`  ${CELL_MARK}`)
  }
  written.gap = false
  written.line.push(written.verbatim ? visible.replace(/\r?\n/g, `\n${written.indents.join('')}`) : visible)
  if (written.link) {
    written.link.label += visible
    written.link.pieces += 1
  }
}

function startLine(written: PlainText): void {
  if (!isEmpty(written)) {
    written.lines.push(written.line.join('').trimEnd())
    if (written.breaks > 1) written.lines.push('')
  }
  const start = written.bullet ? written.indents.slice(0, -1).join('') + written.bullet : written.indents.join('')
  written.line = start === '' ? [] : [start]
  written.breaks = 0
  written.bullet = ''
  if (written.link) written.link.pieces = 0
}

/** Removes whitespace at the end of the line that is being written. */
function trimLine(written: PlainText): void {
  while (written.line.length > 0) {
    const last = written.line.pop()!.trimEnd()
    if (last !== '') {
      written.line.push(last)
      return
    }
  }
}
