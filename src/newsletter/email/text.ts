import { attributesOf, decodeEntities, tokens, type Token } from './markup.ts'
import { compileTemplate, isSafeHref, joinTemplates, type Template } from './template.ts'

/** The plain text of well-formed HTML. Placeholders stay as they are. */
export function htmlToText(html: string): string {
  return read(html).replace(MARKS, '').replaceAll(CELL_MARK, '')
}

/** As `htmlToText`, compiled: placeholders in links are filled in as links, all others as text. */
export function textTemplate(html: string): Template {
  return joinTemplates(
    read(html)
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
  link: { href: string; label: string; opensLine: boolean } | null
  verbatim: number
}

function read(html: string): string {
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
  }
  for (const token of tokens(html)) {
    if (token.kind === 'text') write(page, decodeEntities(token.text).replace(/[\uFDD0\uFDD1]/g, ''))
    else if (token.kind === 'open') open(page, token)
    else if (token.kind === 'close') close(page, token.name)
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
  'ol',
  'p',
  'pre',
  'table',
  'ul',
])

const isList = (name: string): boolean => name === 'ul' || name === 'ol'

function open(page: Page, token: Token & { kind: 'open' }): void {
  const { name } = token
  breakFor(page, name)
  if (name === 'br') lineEnd(page)
  else if (name === 'hr') rule(page)
  else if (name === 'img') write(page, attributesOf(token).get('alt') ?? '')
  else if (name === 'a') openLink(page, attributesOf(token).get('href') ?? '')
  else if (isList(name))
    page.lists.push({ ordered: name === 'ol', next: Number(attributesOf(token).get('start') ?? 1) })
  else if (name === 'li') openItem(page)
  else if (name === 'blockquote') page.indents.push('> ')
  else if (name === 'pre') page.verbatim += 1
}

function close(page: Page, name: string): void {
  if (name === 'a') closeLink(page)
  else if (name === 'li') closeItem(page)
  else if (name === 'td' || name === 'th') page.gap = true
  else if (name === 'pre') page.verbatim -= 1
  else if (name === 'blockquote') page.indents.pop()
  else if (isList(name)) page.lists.pop()
  breakFor(page, name)
}

function breakFor(page: Page, name: string): void {
  const isInnerList = isList(name) && page.lists.length > 0
  if (PARAGRAPHS.has(name) && !isInnerList) ensureBreaks(page, 2)
  else if (LINES.has(name) || isInnerList) ensureBreaks(page, 1)
}

function ensureBreaks(page: Page, breaks: number): void {
  page.gap = false
  if (!isEmpty(page) && !page.bullet) page.breaks = Math.max(page.breaks, breaks)
}

function lineEnd(page: Page): void {
  if (!isEmpty(page)) page.breaks = Math.min(page.breaks + 1, 2)
}

function rule(page: Page): void {
  ensureBreaks(page, 2)
  write(page, '---')
  ensureBreaks(page, 2)
}

function openItem(page: Page): void {
  const list = page.lists.at(-1)
  page.bullet = list?.ordered ? `${list.next++}. ` : '- '
  page.indents.push(' '.repeat(page.bullet.length))
}

function closeItem(page: Page): void {
  page.indents.pop()
  page.bullet = ''
}

/** A link at the beginning of a line becomes `label: URL`, a link inside a sentence `label (URL)`. */
function openLink(page: Page, href: string): void {
  page.link = { href, label: '', opensLine: opensLine(page) }
}

function closeLink(page: Page): void {
  const { link } = page
  page.link = null
  if (!link || link.href.startsWith('#') || !isSafeHref(link.href)) return
  const shown = /^(?:mailto|tel):/i.test(link.href)
    ? link.href.replace(/^\w+:/, '')
    : `${URL_MARK}${link.href}${URL_MARK}`
  const label = link.label.trim()
  if (label === '') write(page, shown)
  else if (bare(label) !== bare(link.href)) {
    trimLine(page)
    page.line.push(link.opensLine ? `${label.endsWith(':') ? '' : ':'} ${shown}` : ` (${shown})`)
  }
}

/** A URL without the parts that people omit in writing: scheme, `www.` and a final slash. */
const bare = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)(?:www\.)?/i, '').replace(/\/$/, '')

const opensLine = (page: Page): boolean => isEmpty(page) || page.breaks > 0 || page.bullet !== ''

function write(page: Page, text: string): void {
  const words = page.verbatim ? text : text.replace(/[ \t\r\n\f]+/g, ' ')
  let visible = words.replace(/\u00A0/g, ' ').replace(/[\u00AD\u200B\uFEFF]/g, '')
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
  if (page.link) page.link.label += visible
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
