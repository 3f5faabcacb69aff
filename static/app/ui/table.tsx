import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Checkbox } from './choice.tsx'
import { classes } from './classes.ts'
import { letterKeyApplies } from './keys.ts'
import { Skeleton } from './callout.tsx'

export interface Column<T> {
  id: string
  head: ComponentChildren
  cell: (row: T) => ComponentChildren
  align?: 'start' | 'end'
  /** How the cell is shown when a row is a card: as its heading, as a line with its name, or not at all. */
  card?: 'title' | 'line' | 'hidden'
  /** Keeps its text on one line. */
  tight?: boolean
}

interface Selection {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
}

export interface TableProps<T> {
  /** The label for screen readers. */
  caption: string
  columns: readonly Column<T>[]
  /** Null: not loaded yet. */
  rows: readonly T[] | null
  row_key: (row: T) => string
  /** The target of the row; its title cell is the link. */
  row_href?: (row: T) => string | undefined
  /** The name of a row for its checkbox; otherwise its key. */
  row_label?: (row: T) => string
  selection?: Selection
  /** More or newer rows are loading; these stay. */
  busy?: boolean
  dense?: boolean
  /** Replaces the rows when there are none. */
  empty?: ComponentChildren
}

/**
 * Rows of one kind. The keys j and k move, x selects, Shift with an arrow extends the selection, Enter opens. On a
 * narrow screen, rows are cards.
 */
export function Table<T>(props: TableProps<T>) {
  const { caption, columns, rows, row_key, selection, busy, dense, empty } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const last = useRef<number | null>(null)
  const [screenful] = useState(() => Math.ceil(innerHeight / LEAST_ROW_PX))
  useRowKeys(body)
  if (rows === null) return <Skeleton rows={8} />
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>
  const keys = rows.map(row_key)
  const select = (index: number, on: boolean, through: boolean) => {
    const next = new Set(selection!.selected)
    const from = through && last.current !== null ? last.current : index
    for (const key of keys.slice(Math.min(from, index), Math.max(from, index) + 1)) {
      if (on) next.add(key)
      else next.delete(key)
    }
    last.current = index
    selection!.onChange(next)
  }
  const extend = (index: number, step: 1 | -1) => {
    const to = Math.min(Math.max(index + step, 0), keys.length - 1)
    last.current = to
    selection!.onChange(new Set([...selection!.selected, keys[index]!, keys[to]!]))
    const row = body.current!.rows[to]!
    ;(row.querySelector<HTMLInputElement>('input[type=checkbox]') ?? row).focus()
  }
  const chosen = keys.filter((key) => selection?.selected.has(key)).length
  const selectPage = (on: boolean) => {
    const next = new Set(selection!.selected)
    for (const key of keys) {
      if (on) next.add(key)
      else next.delete(key)
    }
    selection!.onChange(next)
  }
  const draw = (row: T, index: number) => (
    <Row
      key={keys[index]}
      table={props}
      row={row}
      selected={selection?.selected.has(keys[index]!) ?? false}
      onSelect={(on, through) => select(index, on, through)}
      onExtend={(step) => extend(index, step)}
    />
  )
  return (
    <div class={classes('table-frame', dense && 'table-dense')} aria-busy={busy || undefined}>
      <table class="table" role="table" aria-label={caption}>
        <thead class="table-head" role="rowgroup">
          <tr role="row">
            {selection && (
              <th class="table-check" role="columnheader" scope="col">
                <Checkbox
                  label="Select all rows of this page"
                  label_hidden
                  checked={chosen > 0 && chosen === keys.length}
                  mixed={chosen > 0 && chosen < keys.length}
                  onChange={selectPage}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                class={classes(column.align === 'end' && 'table-end')}
                role="columnheader"
                scope="col"
                key={column.id}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          {rows.slice(0, screenful).map(draw)}
          {rows.length > screenful && (
            <AfterPaint>{() => rows.slice(screenful).map((row, at) => draw(row, at + screenful))}</AfterPaint>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** About the height of a row. Rows of a dense table are lower, but the head of the page leaves them less room. */
const LEAST_ROW_PX = 40

/** What the screen has no room for is drawn after the rest has been painted. */
function AfterPaint({ children }: { children: () => ComponentChildren }) {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => setPainted(true), [])
  return <>{isPainted && children()}</>
}

interface RowProps<T> {
  table: TableProps<T>
  row: T
  selected: boolean
  onSelect: (on: boolean, through: boolean) => void
  onExtend: (step: 1 | -1) => void
}

function Row<T>({ table, row, selected, onSelect, onExtend }: RowProps<T>) {
  const { columns, selection, row_href, row_label, row_key } = table
  const href = row_href?.(row)
  const title = columns.find((column) => column.card === 'title') ?? columns[0]
  const through = useRef(false)
  return (
    <tr
      class="table-row"
      role="row"
      tabIndex={-1}
      aria-selected={selection ? selected : undefined}
      onKeyDown={(event) => {
        if (!selection || !event.shiftKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
        event.preventDefault()
        onExtend(event.key === 'ArrowDown' ? 1 : -1)
      }}
    >
      {selection && (
        <td
          class="table-check"
          role="cell"
          onClickCapture={(event) => {
            through.current = event.shiftKey
          }}
        >
          <Checkbox
            label={`Select ${row_label?.(row) ?? row_key(row)}`}
            label_hidden
            checked={selected}
            onChange={(on) => onSelect(on, through.current)}
          />
        </td>
      )}
      {columns.map((column) => {
        const look = classes(
          column.align === 'end' && 'table-end',
          column.tight && 'table-tight',
          column === title ? 'table-title' : column.card === 'hidden' ? 'table-wide-only' : 'table-line',
        )
        return (
          <td class={look} role="cell" key={column.id}>
            {column !== title && (
              <span class="table-name" aria-hidden="true">
                {column.head}
              </span>
            )}
            {column === title && href !== undefined ? (
              <a class="table-link" href={href}>
                {column.cell(row)}
              </a>
            ) : (
              <span class="table-cell">{column.cell(row)}</span>
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** j, k, x and Enter act on the table that has the focus, or else the first one of the page. */
function useRowKeys(body: { current: HTMLTableSectionElement | null }) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const own = body.current
      if (!own || !letterKeyApplies(event)) return
      const focused = document.activeElement
      const owner = focused?.closest('.table-frame tbody') ?? document.querySelector('.table-frame tbody')
      if (owner !== own) return
      const rows = [...own.rows]
      const at = rows.findIndex((row) => row.contains(focused))
      const row = rows[at]
      if (event.key === 'j' || event.key === 'k') {
        rows[event.key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)]?.focus()
      } else if (event.key === 'x' && row) row.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
      else if (event.key === 'Enter' && row && focused === row) row.querySelector<HTMLElement>('a')?.click()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
