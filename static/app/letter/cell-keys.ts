import type { Command } from 'prosemirror-state'
import { setProps } from './acts.ts'
import { findBlock } from './document.ts'
import type { Editor } from './editor.ts'
import { addRow, type CellAt, cellAt, cellBeside, MAX_ROWS, tableOf } from './table.ts'
import { leaveKeys } from './text-keys.ts'

/**
 * Keys of a cell: Tab to the next one, and from the last into a new row; arrows at its edges to the cell beside it, and
 * out of the table at the table's own edges.
 */
export function cellKeys(editor: Editor, id: string): Record<string, Command> {
  const leave = leaveKeys(editor, id)
  const table = () => tableOf(findBlock(editor.content.peek().document, id)!.block)!
  const go = (at: CellAt, caret: 'start' | 'end'): true => {
    editor.select(id, caret, at)
    return true
  }
  const step = (by: -1 | 1, caret: 'start' | 'end'): boolean => {
    const to = cellBeside(table(), cellAt(editor, table()), by)
    return to !== null && go(to, caret)
  }
  const upDown =
    (by: -1 | 1): Command =>
    (state, dispatch, view) => {
      const { selection, doc } = state
      const isAtEdge = selection.$from.index(0) === (by === -1 ? 0 : doc.childCount - 1)
      if (!selection.empty || !isAtEdge || !view!.endOfTextblock(by === -1 ? 'up' : 'down')) return false
      const { row, column } = cellAt(editor, table())
      const to = row + by
      if (to >= 0 && to < table().rows.length) return go({ row: to, column }, by === -1 ? 'end' : 'start')
      return leave[by === -1 ? 'ArrowUp' : 'ArrowDown']!(state, dispatch, view)
    }
  const aside =
    (side: 'left' | 'right'): Command =>
    ({ selection, doc }, _, view) => {
      const isRtl = getComputedStyle(view!.dom.closest('table') ?? view!.dom).direction === 'rtl'
      const by = (side === 'right') === isRtl ? -1 : 1
      const { from } = selection
      const isAtEnd = from <= 1 || from >= doc.content.size - 1
      if (!selection.empty || !isAtEnd || !view!.endOfTextblock(side)) return false
      return step(by, by === 1 ? 'start' : 'end')
    }
  return {
    Escape: leave['Escape']!,
    Tab: () => {
      if (step(1, 'end')) return true
      const { rows } = table()
      if (rows.length === MAX_ROWS) return true
      setProps(editor, id, { ...addRow(table(), rows.length) }, null)
      return go({ row: rows.length, column: 0 }, 'end')
    },
    'Shift-Tab': () => step(-1, 'end') || (editor.select(id, 'block'), true),
    ArrowUp: upDown(-1),
    ArrowDown: upDown(1),
    ArrowLeft: aside('left'),
    ArrowRight: aside('right'),
  }
}
