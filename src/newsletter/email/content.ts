import type { Look } from './look.ts'
import { attributesOf, startTag, type Token, tokens } from './markup.ts'
import type { Warn } from './warnings.ts'

/**
 * Typography for the author's own HTML, which has to stand at each element because mail programs drop style
 * sheets. What the author says comes after it and wins. `bare` gives imported markup only what keeps it in
 * its column. Every image gets an alt text, an empty one where the author gave none, and a table without
 * header cells is marked as layout, so that it is not read out as a table.
 */
export function dressContent(html: string, look: Look, warn: Warn, bare = false): string {
  const styles = bare ? {} : typography(look)
  const follows = !bare && !bringsColors(html)
  const isLayout = !/<th[\s>]/.test(html)
  let dressed = ''
  for (const token of tokens(html)) {
    if (token.kind !== 'open') dressed += token.text
    else if (token.name === 'img') dressed += image(token, warn)
    else if (token.name === 'table' && isLayout) dressed += startTag('table', attributesOf(token).set('role', 'presentation'))
    else dressed += styles[token.name] ? dress(token, styles[token.name]!, follows) : token.text
  }
  warnOfSilentLinks(html, warn)
  return dressed
}

/**
 * Whether a piece of content brings colours of its own. It then keeps a light ground in the dark too: the
 * inherited ones would be turned over, its own would not, and nobody could read the result.
 */
export const bringsColors = (html: string): boolean => /<[^>]*(?<![\w-])(?:color|background(?:-color)?|bgcolor)(?::|=")/i.test(html)

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

function dress(token: StartTag, style: string, follows: boolean): string {
  const attributes = withStyle(attributesOf(token), style)
  if (token.name === 'a' && follows) attributes.set('class', 'm-link')
  return startTag(token.name, attributes)
}

function image(token: StartTag, warn: Warn): string {
  const attributes = withStyle(attributesOf(token), IMAGE)
  if (!attributes.has('alt')) {
    warn('missing_alt', 'An image has no alternative text.')
    attributes.set('alt', '')
  }
  return startTag('img', attributes)
}

function withStyle(attributes: Map<string, string>, style: string): Map<string, string> {
  const own = attributes.get('style')
  return attributes.set('style', own ? `${style};${own}` : style)
}

function warnOfSilentLinks(html: string, warn: Warn): void {
  let label: string | null = null
  for (const token of tokens(html)) {
    if (token.kind === 'open' && token.name === 'a' && attributesOf(token).has('href')) label = ''
    else if (label !== null && token.kind === 'text') label += token.text
    else if (label !== null && token.kind === 'open' && token.name === 'img') label += attributesOf(token).get('alt') ?? ''
    else if (label !== null && token.kind === 'close' && token.name === 'a') {
      if (!label.replace(/[\s\u00A0\u200B]/g, '')) warn('link_without_text', 'A link has no text, and no image with alternative text.')
      label = null
    }
  }
}
