import { count } from '../ui/format.ts'
import { type CellAt, MAX_COLUMNS, MAX_ROWS } from './table.ts'

/** What a paste could not keep, and what it changed. */
export interface PasteReport {
  /** What was left out, in words for people. */
  lost: readonly string[]
  /** How many links led through the address of another service first. */
  unwrapped: number
}

/** What people are told of a paste; null where there is nothing to tell. */
export function pastedWords({ lost, unwrapped }: PasteReport): string | null {
  const sentences = [
    lost.length > 0 && `Left out of what you pasted: ${lost.join(' and ')}.`,
    lost.some((what) => /^(?:a|\d+) pictures?\b/.test(what)) && 'Drop the file of a picture on the letter to add it.',
    unwrapped > 0 &&
      `${count(unwrapped, 'link leads', 'links lead')} straight to the page now, no longer through another service.`,
  ].filter((sentence) => sentence !== false)
  return sentences.length === 0 ? null : sentences.join(' ')
}

/** What of rows that are pasted into a cell has no room in a table, in words for people. */
export function withoutRoom({ row, column }: CellAt, rows: readonly (readonly string[])[]): string[] {
  const below = row + rows.length - MAX_ROWS
  const beside = column + rows[0]!.length - MAX_COLUMNS
  return [
    ...(below > 0 ? [`${count(below, 'row', 'rows')} beyond the ${MAX_ROWS} of a table`] : []),
    ...(beside > 0 ? [`${count(beside, 'column', 'columns')} beyond the ${MAX_COLUMNS} of a table`] : []),
  ]
}
