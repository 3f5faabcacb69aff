import { longHex } from '../../shared/contrast.ts'
import { darkForeground } from './dark.ts'
import { TEXT_BLOCKS, withDirections } from './direction.ts'
import { type Direction, startOf } from '../../shared/text-direction.ts'
import type { Look } from './look.ts'
import { attributesOf, startTag, type Token, tokens } from './markup.ts'
import type { Warn } from './warnings.ts'

/**
 * Adds inline styles to each element of the author's HTML, because mail programs drop style sheets. The author's own
 * styles follow and win. Every image gets an alt text, empty where the author gave none. A table without header cells
 * gets the role presentation, so that screen readers do not announce it as a table.
 * @param bare only the styles that keep imported markup within its column
 * @param light no dark-mode colors; see `keepsLight`
 * @param isData the HTML is a table of data, with header cells or without
 * @param aligned the block has an alignment of its own, which elements with a direction keep
 * @param around the direction of the cell that the HTML is put into
 */
export function styleContent(
  html: string,
  look: Look,
  warn: Warn,
  {
    bare,
    light,
    aligned = false,
    isData = /<th[\s>]/.test(html),
    around = look.dir,
  }: { bare: boolean; light: boolean; aligned?: boolean; isData?: boolean; around?: Direction | undefined },
): string {
  const stylesOf = (dir: Direction) => (bare ? {} : { ...typography(look, dir), ...(isData ? dataTable(dir) : {}) })
  const elementStyles: ElementStyles = {
    styles: { ltr: stylesOf('ltr'), rtl: stylesOf('rtl') },
    linkClass: bare || light ? '' : look.classes.link,
    foregroundClass: light
      ? () => ''
      : (foreground) => look.dark.shade({ color: darkForeground(look.dark_background, foreground) }),
    isLayout: !isData,
    aligned,
    bare,
    warn,
  }
  const open: Direction[] = []
  return Array.from(tokens(bare ? html : withDirections(html, around)), (token) => {
    if (token.kind === 'close') open.pop()
    if (token.kind !== 'open') return token.text
    const own = /\sdir="(rtl|ltr)"/.exec(token.attributes)?.[1] as Direction | undefined
    const dir = own ?? open.at(-1) ?? around
    if (!token.ended) open.push(dir)
    return styleElement(token, dir, elementStyles)
  }).join('')
}

/** Most text colors of a piece of content that dark mode adapts. Content with more is a design of its own. */
const MAX_COLORS = 12

/**
 * Whether content keeps its light colors in dark mode: it has backgrounds of its own, colors that are not hex codes, or
 * many text colors. Adapting those would need guesses. A few plain text colors are adapted.
 */
export function keepsLight(html: string): boolean {
  const colors = new Set<string>()
  for (const token of tokens(html)) {
    if (token.kind !== 'open' || token.attributes === '') continue
    if (/(?<![\w-])(?:background(?:-color)?:|bgcolor=)/i.test(token.attributes)) return true
    const foreground = foregroundOf(attributesOf(token))
    if (foreground !== null && longHex(foreground) === null) return true
    if (foreground) colors.add(longHex(foreground)!)
  }
  return colors.size > MAX_COLORS
}

const IMAGE = 'max-width:100%;height:auto;border:0'

/** Headings in blocks and in the author's HTML: font size and line height in pixels, weight. */
export const HEADINGS = { 1: [30, 38, 700], 2: [23, 31, 700], 3: [18, 26, 600] } as const

function typography(look: Look, dir: Direction): Record<string, string | undefined> {
  const start = startOf(dir)
  const indent = `padding:0;padding-${start}:24px`
  const heading = (level: 1 | 2 | 3) => {
    const [size, height, weight] = HEADINGS[level]
    return `margin:8px 0 12px;font-size:${size}px;line-height:${height}px;font-weight:${weight}`
  }
  return {
    a: `color:${look.link};text-decoration:underline`,
    p: 'margin:0 0 16px',
    h1: heading(1),
    h2: heading(2),
    h3: heading(3),
    h4: 'margin:8px 0 8px;font-size:16px;line-height:24px;font-weight:600',
    ul: `margin:0 0 16px;${indent}`,
    ol: `margin:0 0 16px;${indent}`,
    li: 'margin:0 0 6px',
    blockquote: `margin:0 0 16px;padding:0;padding-${start}:16px;border-${start}:3px solid #c9c9ce`,
    pre: 'margin:0 0 16px;font-family:Menlo,Consolas,monospace;font-size:14px;white-space:pre-wrap',
    code: 'font-family:Menlo,Consolas,monospace;font-size:14px',
    hr: 'margin:24px 0;border:0;border-top:1px solid #d9d9dd',
  }
}

/** A table of data: lines between its rows, and header cells that stand out. */
function dataTable(dir: Direction): Record<'table' | 'th' | 'td', string> {
  const cell = `padding:8px 6px;vertical-align:top;text-align:${startOf(dir)};border-bottom:`
  return {
    table: 'width:100%;margin:0 0 16px;border-collapse:collapse',
    th: `${cell}2px solid #8b8b93;font-weight:600`,
    td: `${cell}1px solid #c9c9ce`,
  }
}

interface ElementStyles {
  /** The styles of elements by name, for text of a direction. */
  styles: Record<Direction, Record<string, string | undefined>>
  linkClass: string
  foregroundClass: (foreground: string) => string
  isLayout: boolean
  aligned: boolean
  bare: boolean
  warn: Warn
}

function styleElement(
  token: Token & { kind: 'open' },
  dir: Direction,
  { styles, linkClass, foregroundClass, isLayout, warn, aligned, bare }: ElementStyles,
): string {
  const { name } = token
  const usual = name === 'img' ? IMAGE : styles[dir][name]
  const isFrame = name === 'table' && isLayout
  if (!usual && !isFrame && token.attributes === '') return token.text
  const attributes = attributesOf(token)
  // An element with a direction has another one than what is around it. Cells of tables say their side themselves.
  const turned = !bare && !aligned && attributes.has('dir') && TEXT_BLOCKS.has(name) && `text-align:${startOf(dir)}`
  const style = [usual, turned].filter(Boolean).join(';')
  const foreground = longHex(foregroundOf(attributes))
  const className = foreground ? foregroundClass(foreground) : name === 'a' ? linkClass : ''
  if (className) attributes.set('class', [attributes.get('class'), className].filter(Boolean).join(' '))
  const own = attributes.get('style')
  if (style) attributes.set('style', own ? `${style};${own}` : style)
  if (isFrame) attributes.set('role', 'presentation')
  if (name === 'img' && !attributes.has('alt')) {
    warn('missing_alt', 'An image has no alternative text.')
    attributes.set('alt', '')
  }
  return startTag(name, attributes)
}

/** The text color of an element as the author wrote it, or null. */
function foregroundOf(attributes: Map<string, string>): string | null {
  return (
    /(?:^|;)\s*color:\s*([^;]+)/i.exec(attributes.get('style') ?? '')?.[1]?.trim() ?? attributes.get('color') ?? null
  )
}
