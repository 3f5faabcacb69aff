import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { hasText, spotAfter } from './acts.ts'
import { BlockBody } from './block-body.tsx'
import { useEditor } from './context.ts'
import { type Block, type Column, columnsOf, type Spot } from './document.ts'
import type { DropPosition } from './drag.ts'
import { later, useLater } from './later.ts'
import { blockName } from './block-names.ts'

/** The drag code loads after the page: keys and the menu move blocks as well. */
export const DRAG = later(() => import('./drag.ts'))

interface Shared {
  add(spot: Spot, beside: Element): void
  dropPlace: Signal<DropPosition | null>
  /** The block that Tab reaches while none is selected. */
  first: string | null
}

/** One block in the list: its handle, its content, and a button that adds a block after it. */
export function BlockRow({ block, ...shared }: { block: Block } & Shared) {
  const editor = useEditor()
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const { id } = block
  const selected = editor.selected.value
  const isSelected = selected === id
  const isWriting = isSelected && editor.writing.value !== null && hasText(block)
  const focusing = editor.focusing.value
  const flaw = editor.fresh.value === id ? undefined : editor.flaws.value.find((entry) => entry.id === id)
  const drop = shared.dropPlace.value
  const drag = useLater(DRAG)
  const edge = drop !== null && 'id' in drop && drop.id === id ? drop.edge : undefined
  useEffect(() => drag?.blockDrag(editor, row.current!, handle.current!, id), [id, drag])
  useEffect(() => {
    const scroll = row.current!.closest('.letter-scroll')
    if (isSelected && scroll && row.current!.offsetHeight < scroll.clientHeight)
      row.current!.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  useLayoutEffect(() => {
    // The Undo button keeps the focus that the keyboard gave it, for the next step.
    if (document.activeElement?.closest('.letter-tools')) return
    if (focusing > 0 && editor.selected.peek() === id && editor.writing.peek() === null) row.current!.focus()
  }, [focusing, isSelected])
  return (
    <li
      ref={row}
      class={classes('block', isSelected && 'block-selected', flaw && 'block-flawed')}
      data-block={id}
      data-field={isSelected ? 'block' : undefined}
      data-drop={edge}
      data-type={block.type}
      tabIndex={isSelected || (selected === null && shared.first === id) ? 0 : -1}
      aria-label={blockName(block) + (flaw ? `. ${flaw.message}` : '')}
      aria-current={isSelected || undefined}
      onFocus={(event) => {
        // Selected on release: on press, fields could appear under the pointer.
        if (event.target === row.current && !isSelected && row.current!.matches(':focus-visible')) editor.select(id)
      }}
      onClick={(event) => {
        event.stopPropagation()
        if (isWriting || getSelection()?.isCollapsed === false) return
        const isText = hasText(block) && (event.target as Element).closest('.block-body') !== null
        editor.select(id, isText ? { x: event.clientX, y: event.clientY } : 'block')
      }}
    >
      <span ref={handle} class="block-handle" aria-hidden="true">
        <Icon name="grip" />
      </span>
      <div class="block-body">
        {block.type === 'columns' ? (
          <div class="block-columns">
            {columnsOf(block).map((column, at) => (
              <ColumnList key={at} owner={id} at={at} column={column} shared={shared} />
            ))}
          </div>
        ) : (
          <BlockBody block={block} isWriting={isWriting} />
        )}
        {flaw && <p class="block-flaw">{flaw.message}</p>}
        {editor.samples.value.has(id) && <p class="block-sample">Still from the design</p>}
      </div>
      <button
        type="button"
        class="block-add"
        tabIndex={-1}
        aria-label={`Add a block after ${blockName(block)}`}
        onClick={(event) => {
          event.stopPropagation()
          shared.add(spotAfter(editor.content.peek().document, id), event.currentTarget)
        }}
      >
        <Icon name="plus" size={14} />
      </button>
    </li>
  )
}

function ColumnList({ owner, at, column, shared }: { owner: string; at: number; column: Column; shared: Shared }) {
  const element = useRef<HTMLOListElement>(null)
  const within = { block: owner, column: at }
  const drop = shared.dropPlace.value
  const isTarget = drop !== null && 'column' in drop && drop.column.block === owner && drop.column.column === at
  const drag = useLater(DRAG)
  useEffect(() => drag?.columnDrop(element.current!, within), [owner, at, drag])
  return (
    <ol
      ref={element}
      class="block-column"
      role="list"
      aria-label={`Column ${at + 1}`}
      data-drop={isTarget || undefined}
      style={`flex-grow:${column.share ?? 1}`}
    >
      {column.blocks.map((block) => (
        <BlockRow key={block.id} block={block} {...shared} />
      ))}
      {column.blocks.length === 0 && (
        <li class="column-empty">
          <button
            type="button"
            class="letter-add"
            tabIndex={-1}
            onClick={(event) => {
              event.stopPropagation()
              shared.add({ within, at: 0 }, event.currentTarget)
            }}
          >
            <Icon name="plus" /> Add
          </button>
        </li>
      )}
    </ol>
  )
}
