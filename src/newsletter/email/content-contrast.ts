import { contrast, longHex, READABLE, READABLE_LARGE } from '../../shared/contrast.ts'
import { hexOfChannels } from './colors.ts'
import type { Look } from './look.ts'
import { attributesOf, type Token, tokens, VOID_ELEMENTS } from './markup.ts'
import type { Warn } from './warnings.ts'

/** The text style of an element. A color in a notation that is not understood here is null and never warned about. */
interface TextStyle {
  foreground: string | null
  background: string | null
  /** Font size in pixels. */
  size: number
}

/** Warns once about text in the author's sanitized HTML whose own colors make it hard to read (WCAG 2.2, 1.4.3). */
export function checkContrast(html: string, look: Look, warn: Warn): void {
  const open: TextStyle[] = [{ foreground: look.text, background: look.background, size: 16 }]
  for (const token of tokens(html)) {
    const here = open.at(-1)!
    if (token.kind === 'open' && !VOID_ELEMENTS.has(token.name)) open.push(textStyleOf(token, here, look))
    else if (token.kind === 'close' && open.length > 1) open.pop()
    else if (token.kind === 'text' && isHard(here, look) && /\S/.test(token.text.replaceAll('&nbsp;', ' '))) {
      return warn('low_contrast', `Text of color ${here.foreground} is hard to read on ${here.background}.`)
    }
  }
}

/** The default colors of the message are checked once for the whole message, not here. */
function isHard({ foreground, background, size }: TextStyle, look: Look): boolean {
  const isDefault = background === look.background && (foreground === look.text || foreground === look.link)
  return (
    foreground !== null &&
    background !== null &&
    !isDefault &&
    contrast(foreground, background) < (size >= 24 ? READABLE_LARGE : READABLE)
  )
}

function textStyleOf(token: Token & { kind: 'open' }, around: TextStyle, look: Look): TextStyle {
  const attributes = attributesOf(token)
  const style = attributes.get('style') ?? ''
  const foreground = declared(style, 'color') ?? attributes.get('color')
  const background = declared(style, 'background-color') ?? declared(style, 'background') ?? attributes.get('bgcolor')
  const size = /(?:^|;)font-size:\s*([\d.]+)px/i.exec(style)?.[1]
  return {
    foreground: foreground !== undefined ? colorIn(foreground) : token.name === 'a' ? look.link : around.foreground,
    background: background !== undefined ? colorIn(background) : around.background,
    size: size ? Number(size) : (SIZES[token.name] ?? around.size),
  }
}

const SIZES: Readonly<Record<string, number | undefined>> = { h1: 30, h2: 24, h3: 18 }

function declared(style: string, property: string): string | undefined {
  return style
    .split(';')
    .findLast((declaration) => declaration.startsWith(`${property}:`))
    ?.slice(property.length + 1)
}

const NAMES: Readonly<Record<string, string>> = {
  white: '#ffffff',
  black: '#000000',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  orange: '#ffa500',
  purple: '#800080',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  navy: '#000080',
  teal: '#008080',
  maroon: '#800000',
  lightgray: '#d3d3d3',
  lightgrey: '#d3d3d3',
  darkgray: '#a9a9a9',
  darkgrey: '#a9a9a9',
  whitesmoke: '#f5f5f5',
}

/** The first color in a CSS value: rgb(), a hex code or a common name; null for anything else. */
function colorIn(value: string): string | null {
  const rgb = /rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)/i.exec(value)
  if (rgb) return hexOfChannels(rgb.slice(1).map((channel) => Math.min(255, Number(channel))))
  for (const word of value.toLowerCase().split(/\s+/)) {
    const color = longHex(word) ?? (Object.hasOwn(NAMES, word) ? NAMES[word]! : null)
    if (color) return color
  }
  return null
}
