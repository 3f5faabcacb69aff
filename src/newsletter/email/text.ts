import { attributesOf, decodeEntities, tokens, type Token } from './markup.ts'
import { compileTemplate, isSafeHref, joinTemplates, type Template } from './template.ts'

/** The readable text of a piece of well-formed HTML; placeholders stay as they are written. */
export function htmlToText(html: string): string {
  return read(html).replace(MARKS, '').replaceAll(CELL_MARK, '')
}

/** The same as a template: placeholders in links are filled as links, all others as text. */
export function textTemplate(html: string): Template {
  return joinTemplates(
    read(html)
      .split(MARKS)
      .flatMap((piece, at) => (at % 2 ? [compileTemplate(piece, 'url')] : textLines(piece))),
  )
}

/** Plain text of several lines and cells. A placeholder ends with them, as it does in the HTML. */
export function textLines(text: string): (string | Template)[] {
  return text.split(/(\n)|\uFDD1/).map((line = '') => (line === '\n' ? line : compileTemplate(line, 'text')))
}

/** Noncharacters around each address, so that it can be told from the text about it. */
const URL_MARK = '\uFDD0'
const MARKS = /\uFDD0/g
/** Another between two cells of a line. */
const CELL_MARK = '\uFDD1'

interface Page {
  /** The lines before this one, and the empty ones between them. */
  lines: string[]
  line: string
  /** Line ends owed before the next word, at most two. */
  breaks: number
  /** A cell ended on this line. */
  gap: boolean
  /** What each line begins with, one entry for each list item and quotation around it. */
  indents: string[]
  /** The bullet or number that takes the place of the last indent on the next line. */
  bullet: string
  lists: { ordered: boolean; next: number }[]
  link: { href: string; label: string; opensLine: boolean } | null
  verbatim: number
}

function read(html: string): string {
  const page: Page = {
    lines: [],
    line: '',
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
  return [...page.lines, page.line].join('\n').trim()
}

const isEmpty = (page: Page): boolean => page.line === '' && page.lines.length === 0

/** Elements that begin and end a line. */
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
  if (PARAGRAPHS.has(name) && !isInnerList) owe(page, 2)
  else if (LINES.has(name) || isInnerList) owe(page, 1)
}

function owe(page: Page, breaks: number): void {
  page.gap = false
  if (!isEmpty(page) && !page.bullet) page.breaks = Math.max(page.breaks, breaks)
}

function lineEnd(page: Page): void {
  if (!isEmpty(page)) page.breaks = Math.min(page.breaks + 1, 2)
}

function rule(page: Page): void {
  owe(page, 2)
  write(page, '---')
  owe(page, 2)
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

/** A link that begins its line reads `label: address`, one inside a sentence `label (address)`. */
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
    page.line = page.line.trimEnd() + (link.opensLine ? `${label.endsWith(':') ? '' : ':'} ${shown}` : ` (${shown})`)
  }
}

/** An address without what people leave out when they write it. */
const bare = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)(?:www\.)?/i, '').replace(/\/$/, '')

const opensLine = (page: Page): boolean => isEmpty(page) || page.breaks > 0 || page.bullet !== ''

function write(page: Page, text: string): void {
  const words = page.verbatim ? text : text.replace(/[ \t\r\n\f]+/g, ' ')
  let visible = words.replace(/\u00A0/g, ' ').replace(/[\u00AD\u200B\uFEFF]/g, '')
  const opens = opensLine(page)
  if (!page.verbatim && (opens || page.gap || page.line.endsWith(' '))) visible = visible.trimStart()
  if (!visible) return
  if (opens) startLine(page)
  else if (page.gap) page.line = `${page.line.trimEnd()}  ${CELL_MARK}`
  page.gap = false
  page.line += page.verbatim ? visible.replace(/\r?\n/g, `\n${page.indents.join('')}`) : visible
  if (page.link) page.link.label += visible
}

function startLine(page: Page): void {
  if (!isEmpty(page)) {
    page.lines.push(page.line.trimEnd())
    if (page.breaks > 1) page.lines.push('')
  }
  page.line = page.bullet ? page.indents.slice(0, -1).join('') + page.bullet : page.indents.join('')
  page.breaks = 0
  page.bullet = ''
}
