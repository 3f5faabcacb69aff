/**
 * Inline CSS of an author's markup, kept where it is known to be harmless. It is an allow-list: what is not
 * named here (position, opacity, visibility, overflow, max-height, transform, url(), custom properties,
 * mso-hide …) does not pass, so nothing in the content can hide itself, or cover or push away the footer.
 */

/** The declarations that may stay, or an empty text. */
export function safeStyle(css: string): string {
  const kept: string[] = []
  for (const declaration of css.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
    if (isSafe(property, value)) kept.push(`${property}:${value}`)
  }
  return kept.join(';')
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const

const PROPERTIES: ReadonlySet<string> = new Set([
  'color',
  'background',
  'background-color',
  'font',
  'font-family',
  'font-size',
  'font-style',
  'font-variant',
  'font-weight',
  'line-height',
  'letter-spacing',
  'word-spacing',
  'text-align',
  'text-decoration',
  'text-decoration-color',
  'text-decoration-line',
  'text-decoration-style',
  'text-decoration-thickness',
  'text-indent',
  'text-transform',
  'vertical-align',
  'white-space',
  'word-break',
  'word-wrap',
  'overflow-wrap',
  'hyphens',
  'direction',
  'list-style',
  'list-style-position',
  'list-style-type',
  'margin',
  ...SIDES.map((side) => `margin-${side}`),
  'padding',
  ...SIDES.map((side) => `padding-${side}`),
  'border',
  'border-color',
  'border-style',
  'border-width',
  ...SIDES.flatMap((side) => ['', '-color', '-style', '-width'].map((part) => `border-${side}${part}`)),
  'border-radius',
  ...CORNERS.map((corner) => `border-${corner}-radius`),
  'border-collapse',
  'border-spacing',
  'table-layout',
  'caption-side',
  'width',
  'min-width',
  'max-width',
  'height',
  'min-height',
  'display',
  'float',
  'clear',
  'outline',
  '-webkit-text-size-adjust',
  '-ms-text-size-adjust',
  'text-size-adjust',
  'mso-line-height-rule',
  'mso-padding-alt',
  'mso-table-lspace',
  'mso-table-rspace',
  'mso-text-raise',
])

const DISPLAYS: ReadonlySet<string> = new Set([
  'block',
  'inline',
  'inline-block',
  'inline-table',
  'list-item',
  'table',
  'table-cell',
  'table-row',
])
const FLOATS: ReadonlySet<string> = new Set(['left', 'right', 'none'])

/** Words, colours, lengths, quoted font names and colour functions: no other function, no escape, no comment. */
const VALUE = /^(?:[\w\s#%.,+/-]|'[\p{L}\p{N}\s._-]*'|"[\p{L}\p{N}\s._-]*"|(?:rgb|rgba|hsl|hsla)\([\d\s.,%/]*\))+$/iu

function isSafe(property: string, value: string): boolean {
  if (!PROPERTIES.has(property) || value.length > 500 || !VALUE.test(value)) return false
  if (property === 'display') return DISPLAYS.has(value.toLowerCase())
  if (property === 'float') return FLOATS.has(value.toLowerCase())
  if (property === 'color' && /transparent/i.test(value)) return false
  return lengths(value).every((length) => isSane(property, length))
}

interface Length {
  amount: number
  unit: string
}

/** The numbers of a value, outside of names, colours and functions. `20px/1.5` gives two. */
function lengths(value: string): Length[] {
  const found: Length[] = []
  for (const word of value.replace(/["'(][^"')]*["')]/g, ' ').split(/[\s,/]+/)) {
    const [, amount, unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/i.exec(word) ?? []
    if (amount) found.push({ amount: Number(amount), unit: unit.toLowerCase() })
  }
  return found
}

/** The most of each unit; a unit that is not here (vh, vw, cm …) does not pass. */
const MOST: Readonly<Record<string, number>> = {
  px: 2000,
  pt: 1500,
  em: 50,
  rem: 50,
  ex: 100,
  ch: 200,
  '%': 500,
  '': 1000,
}
/** The least size of letters that people can see. */
const LEAST_FONT: Readonly<Record<string, number>> = {
  px: 4,
  pt: 3,
  em: 0.3,
  rem: 0.3,
  ex: 0.6,
  ch: 0.6,
  '%': 30,
  '': 1,
}
const MAY_BE_NEGATIVE: ReadonlySet<string> = new Set([
  'letter-spacing',
  'word-spacing',
  'vertical-align',
  'mso-text-raise',
])

function isSane(property: string, { amount, unit }: Length): boolean {
  const most = Object.hasOwn(MOST, unit) ? MOST[unit]! : -1
  if (!(Math.abs(amount) <= most)) return false
  if (amount < 0 && (!MAY_BE_NEGATIVE.has(property) || Math.abs(amount) > 20)) return false
  const isFont = property === 'font' || property === 'font-size'
  return !isFont || amount >= LEAST_FONT[unit]!
}
