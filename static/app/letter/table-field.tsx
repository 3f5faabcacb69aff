import { Select } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { setProps } from './acts.ts'
import { useEditor } from './context.ts'
import type { Block } from './document.ts'
import {
  addColumn,
  addRow,
  alignColumn,
  type CellAt,
  cellAt,
  type ColumnAlign,
  MAX_COLUMNS,
  MAX_ROWS,
  moveColumn,
  moveRow,
  removeColumn,
  removeRow,
  type Table,
  tableOf,
} from './table.ts'

/** The row and the column of the cell that is edited: others beside them, their places, and the column's alignment. */
export function TableField({ block }: { block: Block }) {
  const editor = useEditor()
  const table = tableOf(block)!
  const at = cellAt(editor, table)
  const { row, column } = at
  const height = table.rows.length
  const width = table.column_align.length
  /** Changes the table, and edits the cell again that was edited before, where it is now. */
  const change = (next: Table, to: CellAt) => {
    const isWriting = editor.writing.peek() !== null
    setProps(editor, block.id, { ...next }, null)
    editor.cell.value = to
    if (isWriting) editor.select(block.id, 'end')
  }
  const fullRows = height === MAX_ROWS && `A table has at most ${MAX_ROWS} rows.`
  const fullColumns = width === MAX_COLUMNS && `A table has at most ${MAX_COLUMNS} columns.`
  return (
    <>
      <div class="field letter-field-wide">
        <span class="field-label">Rows and columns</span>
        <span class="table-menus">
          <Menu
            small
            label={`Row ${row + 1} of ${height}`}
            items={[
              {
                label: 'Add a row above',
                icon: 'plus',
                disabled_reason: fullRows,
                onSelect: () => change(addRow(table, row), at),
              },
              {
                label: 'Add a row below',
                icon: 'plus',
                disabled_reason: fullRows,
                onSelect: () => change(addRow(table, row + 1), { row: row + 1, column }),
              },
              row > 0 && {
                label: 'Move it up',
                icon: 'arrow-up',
                onSelect: () => change(moveRow(table, row, -1), { row: row - 1, column }),
              },
              row < height - 1 && {
                label: 'Move it down',
                icon: 'arrow-down',
                onSelect: () => change(moveRow(table, row, 1), { row: row + 1, column }),
              },
              height > 1 && {
                label: 'Delete the row',
                icon: 'trash',
                danger: true,
                onSelect: () => change(removeRow(table, row), at),
              },
            ]}
          />
          <Menu
            small
            label={`Column ${column + 1} of ${width}`}
            items={[
              {
                label: 'Add a column before',
                icon: 'plus',
                disabled_reason: fullColumns,
                onSelect: () => change(addColumn(table, column), at),
              },
              {
                label: 'Add a column after',
                icon: 'plus',
                disabled_reason: fullColumns,
                onSelect: () => change(addColumn(table, column + 1), { row, column: column + 1 }),
              },
              column > 0 && {
                label: 'Move it towards the start',
                icon: 'arrow-left',
                onSelect: () => change(moveColumn(table, column, -1), { row, column: column - 1 }),
              },
              column < width - 1 && {
                label: 'Move it towards the end',
                icon: 'arrow-right',
                onSelect: () => change(moveColumn(table, column, 1), { row, column: column + 1 }),
              },
              width > 1 && {
                label: 'Delete the column',
                icon: 'trash',
                danger: true,
                onSelect: () => change(removeColumn(table, column), at),
              },
            ]}
          />
        </span>
      </div>
      <Select
        label={`Place in column ${column + 1}`}
        value={table.column_align[column]!}
        options={ALIGNMENTS}
        onInput={(align) => setProps(editor, block.id, { ...alignColumn(table, column, align as ColumnAlign) }, null)}
      />
    </>
  )
}

const ALIGNMENTS = [
  { value: 'start', label: 'Start' },
  { value: 'center', label: 'Center' },
  { value: 'left', label: 'Left' },
  { value: 'right', label: 'Right' },
]
