import { longHex } from './colors.ts'
import { darkInk } from './dark.ts'
import type { Look } from './look.ts'
import { attributesOf, startTag, type Token, tokens } from './markup.ts'
import type { Warn } from './warnings.ts'

/**
 * Typography for the author's own HTML, which has to stand at each element because mail programs drop style
 * sheets. What the author says comes after it and wins. `bare` gives imported markup only what keeps it in
 * its column. Every image gets an alt text, an empty one where the author gave none, and a table without
 * header cells is marked as layout, so that it is not read out as a table. `light`: see `keepsLight`.
 */
export function dressContent(
  html: string,
  look: Look,
  warn: Warn,
  { bare, light }: { bare: boolean; light: boolean },
): string {
  const outfit: Outfit = {
    styles: bare ? {} : typography(look),
    linkClass: bare || light ? '' : look.classes.link,
    inkClass: light ? () => '' : (ink) => look.dark.shade({ color: darkInk(look.dark_ground, ink) }),
    isLayout: !/<th[\s>]/.test(html),
    warn,
  }
  let dressed = ''
  for (const token of tokens(html)) dressed += token.kind === 'open' ? dress(token, outfit) : token.text
  return dressed
}

/** So many different colours of letters are turned over in the dark; more are a design of its own. */
const MOST_INKS = 12

/**
 * Whether a piece of content stays light in the dark: it brings grounds of its own, which nobody can turn over
 * without guessing, or colours that are not written as hex codes. Letters in a few plain colours are turned.
 */
export function keepsLight(html: string): boolean {
  const inks = new Set<string>()
  for (const token of tokens(html)) {
    if (token.kind !== 'open' || token.attributes === '') continue
    if (/(?<![\w-])(?:background(?:-color)?:|bgcolor=)/i.test(token.attributes)) return true
    const ink = inkOf(attributesOf(token))
    if (ink !== null && longHex(ink) === null) return true
    if (ink) inks.add(longHex(ink)!)
  }
  return inks.size > MOST_INKS
}

const IMAGE = 'max-width:100%;height:auto;border:0'

/** Headings of blocks and of the author's own HTML: size, line height (px), weight. */
export const HEADINGS = { 1: [30, 38, 700], 2: [23, 31, 700], 3: [18, 26, 600] } as const

function typography(look: Look): Record<string, string | undefined> {
  const indent = `padding:0;padding-${look.start}:24px`
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
    blockquote: `margin:0 0 16px;padding:0;padding-${look.start}:16px;border-${look.start}:3px solid #c9c9ce`,
    pre: 'margin:0 0 16px;font-family:Menlo,Consolas,monospace;font-size:14px;white-space:pre-wrap',
    code: 'font-family:Menlo,Consolas,monospace;font-size:14px',
    hr: 'margin:24px 0;border:0;border-top:1px solid #d9d9dd',
  }
}

type StartTag = Token & { kind: 'open' }

interface Outfit {
  styles: Record<string, string | undefined>
  linkClass: string
  inkClass: (ink: string) => string
  isLayout: boolean
  warn: Warn
}

function dress(token: StartTag, { styles, linkClass, inkClass, isLayout, warn }: Outfit): string {
  const { name } = token
  const style = name === 'img' ? IMAGE : styles[name]
  const isFrame = name === 'table' && isLayout
  if (!style && !isFrame && token.attributes === '') return token.text
  const attributes = attributesOf(token)
  const ink = longHex(inkOf(attributes))
  const className = ink ? inkClass(ink) : name === 'a' ? linkClass : ''
  if (className) attributes.set('class', className)
  if (style) setStyle(attributes, style)
  if (isFrame) attributes.set('role', 'presentation')
  if (name === 'img' && !attributes.has('alt')) {
    warn('missing_alt', 'An image has no alternative text.')
    attributes.set('alt', '')
  }
  return startTag(name, attributes)
}

/** The colour of letters that an element asks for, as it is written, or null. */
function inkOf(attributes: Map<string, string>): string | null {
  const styled = /(?:^|;)\s*color:\s*([^;]+)/i.exec(attributes.get('style') ?? '')
  return styled?.[1]?.trim() ?? attributes.get('color') ?? null
}

function setStyle(attributes: Map<string, string>, style: string): void {
  const own = attributes.get('style')
  attributes.set('style', own ? `${style};${own}` : style)
}
