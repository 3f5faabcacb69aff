import { Select } from '../ui/field.tsx'
import { setProps } from './acts.ts'
import { freshColumn } from './block-types.ts'
import { useEditor } from './context.ts'
import { type Block, type Column, columnsOf } from './document.ts'

const MAX = 4
const LAYOUTS: Readonly<Record<number, readonly { value: string; label: string }[]>> = {
  2: [
    { value: '1 1', label: 'Halves' },
    { value: '1 2', label: 'A third and two thirds' },
    { value: '2 1', label: 'Two thirds and a third' },
    { value: '1 3', label: 'A quarter and the rest' },
    { value: '3 1', label: 'The rest and a quarter' },
  ],
  3: [
    { value: '1 1 1', label: 'Thirds' },
    { value: '1 2 1', label: 'Wide in the middle' },
    { value: '2 1 1', label: 'Wide at the start' },
    { value: '1 1 2', label: 'Wide at the end' },
  ],
  4: [{ value: '1 1 1 1', label: 'Quarters' }],
}

/** The number and widths of the columns. Blocks of a removed column move to the one before. */
export function ColumnsField({ block }: { block: Block }) {
  const editor = useEditor()
  const columns = columnsOf(block)
  const set = (next: readonly Column[]) => setProps(editor, block.id, { columns: next })
  const shares = columns.map(({ share = 1 }) => share).join(' ')
  const known = LAYOUTS[columns.length] ?? []
  const layouts = known.some(({ value }) => value === shares)
    ? known
    : [...known, { value: shares, label: shares.replaceAll(' ', ' : ') }]
  return (
    <>
      <Select
        label="Columns"
        value={String(columns.length)}
        options={Array.from({ length: MAX - 1 }, (_, at) => ({ value: String(at + 2), label: String(at + 2) }))}
        onInput={(count) => set(withCount(columns, Number(count)))}
      />
      <Select
        label="Widths"
        value={shares}
        options={layouts}
        onInput={(chosen) => {
          const parts = chosen.split(' ').map(Number)
          set(columns.map(({ blocks }, at) => (parts[at] === 1 ? { blocks } : { blocks, share: parts[at] })))
        }}
      />
    </>
  )
}

function withCount(columns: readonly Column[], count: number): Column[] {
  const even = columns.map(({ blocks }) => ({ blocks }))
  if (count > even.length) return [...even, ...Array.from({ length: count - even.length }, freshColumn)]
  const kept = even.slice(0, count)
  const last = kept[count - 1]!
  const rest = even.slice(count).flatMap(({ blocks }) => blocks)
  return [...kept.slice(0, -1), { blocks: [...last.blocks, ...rest] }]
}
