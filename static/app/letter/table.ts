import { type Block, newBlockId } from './document.ts'

/** A table of a letter, and the edits of it. Every edit returns new properties. */

export type ColumnAlign = 'start' | 'center' | 'left' | 'right'

export interface Table {
  rows: readonly (readonly string[])[]
  column_align?: readonly ColumnAlign[]
}

/** A cell by its row and column. */
export interface CellAt {
  row: number
  column: number
}

/** The most rows and columns that the service accepts. */
export const MAX_ROWS = 200
export const MAX_COLUMNS = 12

/** The rows and the alignments of a block; null for a block of another type. */
export function tableOf({ type, props }: Block): Required<Table> | null {
  if (type !== 'table' || !Array.isArray(props['rows'])) return null
  const rows = props['rows'] as string[][]
  const align = Array.isArray(props['column_align']) ? (props['column_align'] as ColumnAlign[]) : []
  return { rows, column_align: widthOf(rows).map((_, at) => align[at] ?? 'start') }
}

const widthOf = (rows: Table['rows']): readonly string[] => rows[0] ?? []

/** A part of a text: its HTML, or the cells of a table. */
export type Piece = { html: string } | { rows: string[][]; header: boolean }

/** Text and table blocks in place of a text that held tables. The first keeps its id. */
export function blocksOf(text: Block, pieces: readonly Piece[]): Block[] {
  return pieces.map((piece, at): Block => {
    const id = at === 0 ? text.id : newBlockId()
    const { section_color } = text.props
    if ('html' in piece) return { ...text, id, props: { ...text.props, html: piece.html } }
    const props = {
      rows: piece.rows,
      ...(!piece.header && { header: false }),
      ...(section_color !== undefined && { section_color }),
    }
    return { id, type: 'table', props }
  })
}

/** What an editor knows of the cell that is edited. */
interface Editing {
  cell: { readonly value: CellAt | null }
  writing: { readonly value: unknown }
}

/** The cell that is edited, or was last; in a table that became smaller the nearest one. */
export function cellAt({ cell, writing }: Editing, { rows }: Table): CellAt {
  const last = { row: rows.length - 1, column: widthOf(rows).length - 1 }
  const { row, column } = cell.value ?? (writing.value === 'end' ? last : { row: 0, column: 0 })
  return { row: Math.min(row, last.row), column: Math.min(column, last.column) }
}

/** The cell some steps further in reading order; null beyond the first and the last. */
export function cellBeside({ rows }: Table, { row, column }: CellAt, step: -1 | 1): CellAt | null {
  const width = widthOf(rows).length
  const at = row * width + column + step
  return at < 0 || at >= rows.length * width ? null : { row: Math.floor(at / width), column: at % width }
}

export function withCell({ rows }: Table, at: CellAt, html: string): Table {
  return { rows: rows.map((cells, row) => (row === at.row ? cells.with(at.column, html) : cells)) }
}

/** Writes rows over the cells from a cell on; the table grows where they need it. */
export function withRows(table: Table, from: CellAt, pasted: Table['rows']): Table {
  const height = Math.min(MAX_ROWS, Math.max(table.rows.length, from.row + pasted.length))
  const width = Math.min(MAX_COLUMNS, Math.max(widthOf(table.rows).length, from.column + widthOf(pasted).length))
  return {
    rows: Array.from({ length: height }, (_, row) =>
      Array.from(
        { length: width },
        (_, column) => pasted[row - from.row]?.[column - from.column] ?? table.rows[row]?.[column] ?? '',
      ),
    ),
  }
}

export function addRow({ rows }: Table, at: number): Table {
  return {
    rows: rows.toSpliced(
      at,
      0,
      widthOf(rows).map(() => ''),
    ),
  }
}

export function removeRow({ rows }: Table, at: number): Table {
  return { rows: rows.toSpliced(at, 1) }
}

export function moveRow({ rows }: Table, at: number, step: -1 | 1): Table {
  return { rows: moved(rows, at, at + step) }
}

export function addColumn({ rows, column_align }: Required<Table>, at: number): Table {
  return {
    rows: rows.map((cells) => cells.toSpliced(at, 0, '')),
    ...aligned(column_align.toSpliced(at, 0, 'start')),
  }
}

export function removeColumn({ rows, column_align }: Required<Table>, at: number): Table {
  return { rows: rows.map((cells) => cells.toSpliced(at, 1)), ...aligned(column_align.toSpliced(at, 1)) }
}

export function moveColumn({ rows, column_align }: Required<Table>, at: number, step: -1 | 1): Table {
  return {
    rows: rows.map((cells) => moved(cells, at, at + step)),
    ...aligned(moved(column_align, at, at + step)),
  }
}

export function alignColumn({ rows, column_align }: Required<Table>, at: number, align: ColumnAlign): Table {
  return { rows, ...aligned(column_align.with(at, align)) }
}

/** A table whose columns begin at the start says nothing of it. */
function aligned(column_align: readonly ColumnAlign[]): { column_align: readonly ColumnAlign[] | undefined } {
  return { column_align: column_align.every((align) => align === 'start') ? undefined : column_align }
}

function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!)
}
