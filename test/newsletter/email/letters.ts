import { Parser } from 'htmlparser2'
import { contrast, longHex } from '../../../src/shared/contrast.ts'

/** A run of text of a message with its visible style. */
export interface Letters {
  text: string
  ink: string
  ground: string
  /** Pixels. */
  size: number
  bold: boolean
  contrast: number
}

interface Box {
  ink: string
  ground: string
  size: number
  bold: boolean
  hidden: boolean
}

/**
 * Every run of text in a message with its colors: inline styles and bgcolor, and in dark mode the rules of
 * `prefers-color-scheme`, which end with a single class.
 */
export function lettersIn(html: string, mode: 'light' | 'dark'): Letters[] {
  const rules = mode === 'dark' ? darkRules(html) : new Map<string, Record<string, string>>()
  const found: Letters[] = []
  const open: Box[] = [{ ink: '#000000', ground: '#ffffff', size: 16, bold: false, hidden: false }]
  const parser = new Parser({
    onopentag(name, attributes) {
      const around = open.at(-1)!
      const style = Object.assign(
        declarations(attributes['style'] ?? ''),
        ...(attributes['class'] ?? '').split(' ').map((className) => rules.get(className)),
      ) as Record<string, string>
      open.push({
        ink: color(style['color'] ?? attributes['color']) ?? around.ink,
        ground: color(style['background-color'] ?? style['background'] ?? attributes['bgcolor']) ?? around.ground,
        size: parseFloat(style['font-size'] ?? '') || around.size,
        bold: /^(?:[6-9]00|bold)$/.test(style['font-weight'] ?? '') || /^(?:b|strong|h\d)$/.test(name) || around.bold,
        hidden: around.hidden || ['title', 'style', 'head'].includes(name) || style['display'] === 'none',
      })
    },
    ontext(text) {
      const { hidden, ...box } = open.at(-1)!
      if (!hidden && /[^\s\u00A0·]/.test(text))
        found.push({ text: text.trim(), ...box, contrast: contrast(box.ink, box.ground) })
    },
    onclosetag: () => void open.pop(),
  })
  parser.end(html)
  return found
}

function darkRules(html: string): Map<string, Record<string, string>> {
  const sheets = html.matchAll(/@media (?:only screen and )?\(prefers-color-scheme:dark\)\{([\s\S]*?\})\s*\}/g)
  const sheet = Array.from(sheets, ([, rules]) => rules).join('')
  return new Map([...sheet.matchAll(/\.([\w-]+)\{([^}]*)\}/g)].map(([, name, body]) => [name!, declarations(body!)]))
}

function declarations(css: string): Record<string, string> {
  return Object.fromEntries(
    css
      .split(';')
      .map((declaration) => declaration.split(':').map((part) => part.trim().replace(/!important$/, '')))
      .filter(({ length }) => length === 2),
  ) as Record<string, string>
}

const color = (value: string | undefined): string | null => (value === 'navy' ? '#000080' : longHex(value))
