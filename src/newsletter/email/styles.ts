import { ignoreRemoved, type NoteRemoved } from './removed.ts'

/**
 * The allow-list for inline CSS of an author's markup. Everything else is removed (position, opacity, visibility,
 * overflow, max-height, transform, url(), custom properties, mso-hide …), so content can neither hide itself nor cover
 * or displace the footer.
 */

/** A declaration of CSS with a property in lower case. */
export interface Declaration {
  property: string
  value: string
  important: boolean
}

/** Declarations as inline CSS. */
export const styleText = (declarations: readonly Declaration[]): string =>
  declarations.map(({ property, value }) => `${property}:${value}`).join(';')

/**
 * The allowed declarations in order.
 * @param tinyFonts also font sizes that hide text; see `keepTinyFonts`
 * @param hiding also `display:none`, with which responsive mail leaves parts out on some screens
 */
export function readStyle(
  css: string,
  note: NoteRemoved = ignoreRemoved,
  { tinyFonts = false, hiding = false }: { tinyFonts?: boolean; hiding?: boolean } = {},
): Declaration[] {
  const allowed: Declaration[] = []
  for (const declaration of css.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const given = declaration.slice(colon + 1)
    const value = given.replace(/!\s*important/i, '').trim()
    const isImportant = /!\s*important\s*$/i.test(given)
    const isException =
      (tinyFonts && property === 'font-size' && TINY_FONT.test(value)) ||
      (hiding && property === 'display' && value.toLowerCase() === 'none')
    if (isException || isSafe(property, value)) allowed.push({ property, value, important: isImportant })
    else {
      const color = property === 'background' ? BACKGROUND_COLOR.exec(value)?.[1] : undefined
      if (color) allowed.push({ property: 'background-color', value: color, important: isImportant })
      if (declaration.trim() !== '') note('property', declaration)
    }
  }
  return allowed
}

/** The color of a background with an image, which is removed. */
const BACKGROUND_COLOR = /^(#(?:[0-9a-f]{3}|[0-9a-f]{6})|rgb\([\d\s,]{5,20}\))\s/i

/** A font size at which text cannot be read. Markup uses it on containers to remove the gaps between columns. */
export const TINY_FONT = /^(?:0(?:px|pt|em|rem|%)?|[123]px)$/i

const FIXED_SIZE = /^(?:[\d.]+(?:px|pt|rem)|(?:x{1,3}-)?(?:small|large)|medium)$/i
const FIXED_SHORTHAND = /(?:^|\s)[\d.]+(?:px|pt|rem)[\s/]/i

/** Whether the value of `font-size` or `font` has a size that does not depend on the element around. */
export const hasFixedSize = (property: string, value: string): boolean =>
  (property === 'font' ? FIXED_SHORTHAND : FIXED_SIZE).test(value)

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
  '-ms-interpolation-mode',
  'cursor',
])

/** Properties that allow only these keywords. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  display: ['block', 'inline', 'inline-block', 'inline-table', 'list-item', 'table', 'table-cell', 'table-row'],
  float: ['left', 'right', 'none'],
  cursor: ['auto', 'default', 'pointer'],
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
