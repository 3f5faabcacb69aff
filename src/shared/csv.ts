/** How CSV is written: every export of the server, the commands and the web application (RFC 4180). */

export type Cell = string | number | boolean | null

/** A line with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

/**
 * Puts an apostrophe before what a spreadsheet would run as a formula, except numbers (docs/api/contacts.md#export).
 * `withoutApostrophe` restores the exact text.
 */
function written(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The text of a cell before `csvLine` put an apostrophe before it. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/**
 * Spreadsheets of East Asian languages read full-width signs like the others, and some programs drop leading blanks or
 * change line ends.
 * A text that begins with an apostrophe before such a sign gets another one, so that the first can be told from it.
 */
const FORMULA = /^[\s']*[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
/** Delimiters of other programs and blanks at an end as well: many programs guess the one and drop the other. */
const SPECIAL = /[",;|\t\r\n]|^\s|\s$/
