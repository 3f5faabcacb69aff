import { PLACEHOLDER } from '../../../src/shared/merge-tags.ts'
import { directionOfText } from '../../../src/shared/text-direction.ts'
import { pasteActs, setProps } from './acts.ts'
import { cellKeys } from './cell-keys.ts'
import { useEditor } from './context.ts'
import type { Block } from './document.ts'
import { plainText } from './html-text.ts'
import { LiveText, StaticText } from './live-text.tsx'
import { withoutRoom } from './pasted-words.ts'
import { cellAt, tableOf, withCell, withRows } from './table.ts'
import { classes } from '../ui/classes.ts'

/** A table in the editor. Each cell is a text of its own; one of them is edited at a time. */
export function TableBody({ block, isWriting }: { block: Block; isWriting: boolean }) {
  const editor = useEditor()
  const { id, props } = block
  const table = tableOf(block)!
  const live = isWriting ? cellAt(editor, table) : null
  const dir = props['dir'] === 'ltr' || props['dir'] === 'rtl' ? props['dir'] : directionOf(table.rows.flat().join(' '))
  const pasting = pasteActs(editor, id)
  return (
    <div class="letter-table-place">
      <table class="letter-table" dir={dir ?? undefined}>
        <tbody>
          {table.rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((html, column) => {
                const Cell = row === 0 && props['header'] !== false ? 'th' : 'td'
                const isLive = live?.row === row && live.column === column
                const align = table.column_align[column]!
                return (
                  <Cell
                    key={column}
                    scope={Cell === 'th' ? 'col' : undefined}
                    class={classes('letter-cell', isLive && 'letter-cell-live')}
                    dir={directionOf(html) ?? undefined}
                    data-align={align === 'start' ? undefined : align}
                    onClick={(event) => {
                      if (isLive) return
                      event.stopPropagation()
                      if (getSelection()?.isCollapsed === false) return
                      editor.select(id, { x: event.clientX, y: event.clientY }, { row, column })
                    }}
                  >
                    {isLive ? (
                      <LiveText
                        key={`${row} ${column}`}
                        kind="cell"
                        value={html}
                        label={`Row ${row + 1}, column ${column + 1}`}
                        caret={editor.writing.value}
                        onInput={(next, run) =>
                          setProps(editor, id, { ...withCell(table, { row, column }, next) }, run)
                        }
                        {...pasting}
                        onTable={(rows) => {
                          setProps(editor, id, { ...withRows(table, { row, column }, rows) }, null)
                          const lost = withoutRoom({ row, column }, rows)
                          if (lost.length > 0) pasting.onPasted({ lost, unwrapped: 0 })
                        }}
                        keys={cellKeys(editor, id)}
                      />
                    ) : (
                      <StaticText html={html} />
                    )}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The direction of the first letter of some HTML. Merge tags have no say. */
const directionOf = (html: string) => directionOfText(plainText(html).replaceAll(PLACEHOLDER, ' '))
