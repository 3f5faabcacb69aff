/** The direction of texts: `ltr` or `rtl`. */

export type Direction = 'ltr' | 'rtl'

/** The side where a line begins. */
export const startOf = (dir: Direction): 'left' | 'right' => (dir === 'rtl' ? 'right' : 'left')

const STRONG = /[\p{L}\u200E\u200F\u061C]/u
/** The blocks of Unicode with right-to-left letters (UAX #9, table 4), and the marks. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** The direction of the first letter, as `dir="auto"` of HTML finds it; null for a text without letters. */
export function directionOfText(text: string): Direction | null {
  const first = STRONG.exec(text)?.[0]
  return first === undefined ? null : RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr'
}

/** The attribute of an element whose text runs another way than what is around it; empty for any other. */
export const dirAttribute = (dir: Direction, around: Direction): string => (dir === around ? '' : ` dir="${dir}"`)

/** A part of a line as HTML, in an element of its own where it runs another way than the line. */
export const partOfLine = (html: string, dir: Direction, around: Direction): string =>
  dir === around ? html : `<span${dirAttribute(dir, around)}>${html}</span>`
