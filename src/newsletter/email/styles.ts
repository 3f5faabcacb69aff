/**
 * The allow-list for inline CSS of an author's markup. Everything else is removed (position, opacity, visibility,
 * overflow, max-height, transform, url(), custom properties, mso-hide …), so content can neither hide itself nor cover
 * or displace the footer.
 */

/** The allowed declarations, or an empty string. */
export function safeStyle(css: string): string {
  const allowed: string[] = []
  for (const declaration of css.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
    if (isSafe(property, value)) allowed.push(`${property}:${value}`)
  }
  return allowed.join(';')
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

/** Properties that allow only these keywords. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  display: ['block', 'inline', 'inline-block', 'inline-table', 'list-item', 'table', 'table-cell', 'table-row'],
  float: ['left', 'right', 'none'],
}

/** Keywords, colors, lengths, quoted font names and color functions. No other function, escape or comment. */
const VALUE = /^(?:[\w\s#%.,+/-]|'[\p{L}\p{N}\s._-]*'|"[\p{L}\p{N}\s._-]*"|(?:rgb|rgba|hsl|hsla)\([\d\s.,%/]*\))+$/iu

function isSafe(property: string, value: string): boolean {
  if (!PROPERTIES.has(property) || value.length > 500 || !VALUE.test(value)) return false
  if (Object.hasOwn(KEYWORDS, property)) return KEYWORDS[property]!.includes(value.toLowerCase())
  if (property === 'color' && /transparent/i.test(value)) return false
  return lengths(value).every((length) => isInRange(property, length))
}

/** The numbers in a value outside names, colors and functions. `20px/1.5` has two. */
function lengths(value: string): { amount: number; unit: string }[] {
  const found: ReturnType<typeof lengths> = []
  for (const part of value.replace(/["'(][^"')]*["')]/g, ' ').split(/[\s,/]+/)) {
    const [, amount, unit = ''] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/i.exec(part) ?? []
    if (amount) found.push({ amount: Number(amount), unit: unit.toLowerCase() })
  }
  return found
}

/** The largest amount of each unit. Other units (vh, vw, cm …) are not allowed. */
const MAX_AMOUNT: Readonly<Record<string, number>> = {
  px: 2000,
  pt: 1500,
  em: 50,
  rem: 50,
  ex: 100,
  ch: 200,
  '%': 500,
  '': 1000,
}
/** The smallest font size of each unit, so that text stays visible. */
const MIN_FONT: Readonly<Record<string, number>> = {
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

function isInRange(property: string, { amount, unit }: ReturnType<typeof lengths>[number]): boolean {
  if (!Object.hasOwn(MAX_AMOUNT, unit) || !(Math.abs(amount) <= MAX_AMOUNT[unit]!)) return false
  if (amount < 0 && (!MAY_BE_NEGATIVE.has(property) || Math.abs(amount) > 20)) return false
  return (property !== 'font' && property !== 'font-size') || amount >= MIN_FONT[unit]!
}
