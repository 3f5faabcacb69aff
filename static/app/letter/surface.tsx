import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../ui/icon.tsx'
import { toast } from '../ui/toast.tsx'
import {
  addBlock,
  caretFor,
  deleteBlock,
  doubleBlock,
  hasText,
  moveAside,
  moveBeside,
  placeBlock,
  spotAfter,
} from './acts.ts'
import { BlockRow, DRAG } from './block-row.tsx'
import { useEditor } from './context.ts'
import { eachBlock, findBlock, newBlockId, type Spot } from './document.ts'
import type { DropPosition } from './drag.ts'
import { type Editor, neighbor } from './editor.ts'
import { useLater } from './later.ts'
import { TYPING } from './live-text.tsx'
import { Palette } from './palette.tsx'

/** Where the palette is open: what it adds to, and the element beside it. */
interface Adding {
  spot: Spot
  beside: DOMRect
}

const NO_PICTURE = 'A letter takes pictures only: PNG, JPEG, GIF or WebP. For another file, link to it.'

/** The list of blocks. Tab reaches one of them; arrows move between blocks. */
export function Surface() {
  const editor = useEditor()
  const list = useRef<HTMLOListElement>(null)
  const adding = useSignal<Adding | null>(null)
  const dropPlace = useSignal<DropPosition | null>(null)
  const { document } = editor.content.value
  const drag = useLater(DRAG)
  useEffect(() => drag?.watchDrags(editor, dropPlace), [drag])
  const add = (spot: Spot, beside: Element) => (adding.value = { spot, beside: beside.getBoundingClientRect() })
  const shared = { add, dropPlace, first: document.blocks[0]?.id ?? null }
  return (
    <div
      class="letter-surface"
      data-field="letter"
      onKeyDown={(event) => blockKey(event, editor, (spot, beside) => add(spot, beside))}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      }}
      onDrop={(event) => {
        const dropped = [...(event.dataTransfer?.files ?? [])]
        if (dropped.length === 0 || event.defaultPrevented) return
        // A browser opens a file that nothing takes, and leaves the letter.
        event.preventDefault()
        const files = dropped.filter(({ type }) => type.startsWith('image/'))
        if (files.length < dropped.length) toast({ text: NO_PICTURE, tone: 'wait' })
        if (files.length === 0) return
        const over = (event.target as Element).closest<HTMLElement>('[data-block]')?.dataset['block'] ?? null
        editor.panel.value = { kind: 'picture', files, spot: spotAfter(document, over) }
      }}
    >
      <ol class="letter-blocks" role="list" aria-label="Blocks of the letter" ref={list}>
        {document.blocks.map((block) => (
          <BlockRow key={block.id} block={block} {...shared} />
        ))}
      </ol>
      {document.blocks.length === 0 && (
        <button
          type="button"
          class="letter-start"
          onClick={(event) => {
            event.stopPropagation()
            placeBlock(editor, { id: newBlockId(), type: 'text', props: { html: '' } }, { within: null, at: 0 })
          }}
        >
          Write, or type / for a picture, a button, a line…
        </button>
      )}
      <button type="button" class="letter-add" onClick={(event) => add(spotAfter(document, null), event.currentTarget)}>
        <Icon name="plus" />
        <span>
          Add a block, or type <kbd>/</kbd> in an empty text
        </span>
      </button>
      {adding.value && (
        <Palette
          within={adding.value.spot.within}
          beside={adding.value.beside}
          onClose={() => {
            adding.value = null
            editor.focusing.value++
          }}
          onChoose={(type) => {
            const { spot } = adding.value!
            adding.value = null
            addBlock(
              editor,
              editor.types.find((entry) => entry.type === type)!,
              spot,
            )
          }}
        />
      )}
    </div>
  )
}

/** Keys of a block that is selected as a whole. Keys in its text belong to the text. */
function blockKey(event: KeyboardEvent, editor: Editor, add: (spot: Spot, beside: Element) => void): void {
  const target = event.target as HTMLElement
  if (event.key === 'Tab' && !event.shiftKey && !event.defaultPrevented && target.closest('[data-block]'))
    return toFields(event)
  const id = target.dataset['block']
  if (id === undefined) return
  // Keys are for the text that was clicked, also while the code that edits it loads.
  if (editor.writing.peek() !== null && TYPING.code.peek() === null) return
  const { document } = editor.content.peek()
  const act = keyOf(event, editor, id)
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey) add(spotAfter(document, id), target)
  else if (act) act()
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** Tab moves from a block to its fields, and skips controls that are only for the mouse. */
function toFields(event: KeyboardEvent): void {
  const first = window.document.querySelector<HTMLElement>(
    '.letter-inspector :is(button:not([aria-disabled=true]), input, select, textarea, summary)',
  )
  if (!first) return
  event.preventDefault()
  first.focus()
}

function keyOf(event: KeyboardEvent, editor: Editor, id: string): (() => void) | null {
  const { document } = editor.content.peek()
  const { key } = event
  const forward = getComputedStyle(event.target as Element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  if (event.altKey) {
    if (key === 'ArrowUp' || key === 'ArrowDown') return () => moveBeside(editor, id, key === 'ArrowUp' ? -1 : 1)
    if (key === 'ArrowLeft' || key === 'ArrowRight') return () => moveAside(editor, id, key === forward ? 1 : -1)
    return null
  }
  if (event.ctrlKey || event.metaKey) return key.toLowerCase() === 'd' ? () => doubleBlock(editor, id) : null
  const go = (to: string | null | undefined) => () => to && editor.select(to, 'block')
  const all = eachBlock(document)
  switch (key) {
    case 'ArrowUp':
      return go(neighbor(document, id, -1))
    case 'ArrowDown':
      return go(neighbor(document, id, 1))
    case 'Home':
      return go(all[0]?.block.id)
    case 'End':
      return go(all.at(-1)?.block.id)
    case 'Enter':
      return () => enter(editor, id)
    case 'Delete':
    case 'Backspace':
      return () => deleteBlock(editor, id)
    case 'Escape':
      return () => editor.select(null)
    default:
      return null
  }
}

/** Starts editing the text of a block, or focuses the fields of one without a text. */
export function enter(editor: Editor, id: string): void {
  const found = findBlock(editor.content.peek().document, id)
  if (found && hasText(found.block)) editor.select(id, caretFor(found.block))
  else window.document.querySelector<HTMLElement>('.letter-inspector :is(input, select, textarea)')?.focus()
}
