import { contrast, longHex, READABLE, READABLE_LARGE } from './colors.ts'
import type { Look } from './look.ts'
import { attributesOf, type Token, tokens, VOID_ELEMENTS } from './markup.ts'
import type { Warn } from './warnings.ts'

/** What an element's letters look like; a colour that cannot be read here is null, and nothing is said about it. */
interface Letters {
  ink: string | null
  ground: string | null
  /** Pixels. */
  size: number
}

/** Warns of letters in the author's sanitized HTML whose own colours make them hard to read (WCAG 2.2, 1.4.3). */
export function checkContrast(html: string, look: Look, warn: Warn): void {
  const plain: Letters = { ink: look.text, ground: look.ground, size: 16 }
  const open: Letters[] = [plain]
  for (const token of tokens(html)) {
    const here = open.at(-1)!
    if (token.kind === 'open' && !VOID_ELEMENTS.has(token.name)) open.push(lettersOf(token, here, look))
    else if (token.kind === 'close' && open.length > 1) open.pop()
    else if (token.kind === 'text' && isHard(here, look) && /\S/.test(token.text.replaceAll('&nbsp;', ' '))) {
      return warn('low_contrast', `Text of colour ${here.ink} is hard to read on ${here.ground}.`)
    }
  }
}

/** The colours that the whole message goes by are judged once, for the whole message. */
function isHard({ ink, ground, size }: Letters, look: Look): boolean {
  if (!ink || !ground || (ground === look.ground && (ink === look.text || ink === look.link))) return false
  return contrast(ink, ground) < (size >= 24 ? READABLE_LARGE : READABLE)
}

function lettersOf(token: Token & { kind: 'open' }, around: Letters, look: Look): Letters {
  const attributes = attributesOf(token)
  const style = attributes.get('style') ?? ''
  const ink = declared(style, 'color') ?? attributes.get('color')
  const ground = declared(style, 'background-color') ?? declared(style, 'background') ?? attributes.get('bgcolor')
  const size = /(?:^|;)font-size:\s*([\d.]+)px/i.exec(style)?.[1]
  return {
    ink: ink !== undefined ? colorIn(ink) : token.name === 'a' ? look.link : around.ink,
    ground: ground !== undefined ? colorIn(ground) : around.ground,
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

/** The first colour of a CSS value that can be read here. */
function colorIn(value: string): string | null {
  const rgb = /rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)/i.exec(value)
  if (rgb)
    return `#${rgb
      .slice(1)
      .map((channel) => Math.min(255, Number(channel)).toString(16).padStart(2, '0'))
      .join('')}`
  for (const word of value.toLowerCase().split(/\s+/)) {
    const color = longHex(word) ?? (Object.hasOwn(NAMES, word) ? NAMES[word]! : null)
    if (color) return color
  }
  return null
}
