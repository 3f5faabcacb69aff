import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { Signal } from '@preact/signals'
import { moveTo } from './acts.ts'
import { blocksWithin, findBlock, mayStand, type Spot, type Within } from './document.ts'
import type { Editor } from './editor.ts'

/** Dragging is optional: keys and the menu do the same (WCAG 2.5.7). */

/** Where a dragged block would be dropped: beside a block, or at the end of a column. */
export type DropPosition = { id: string; edge: 'before' | 'after' } | { column: NonNullable<Within> }

const BLOCK = 'masthead-block'

interface Dragged {
  kind: typeof BLOCK
  id: string
  type: string
}

function draggedOf(data: Record<string, unknown>): Dragged | null {
  return data['kind'] === BLOCK ? (data as unknown as Dragged) : null
}

/** Makes a block draggable by its handle, and a drop target for others. */
export function blockDrag(editor: Editor, element: HTMLElement, handle: HTMLElement, id: string): () => void {
  const found = () => findBlock(editor.content.peek().document, id)
  return combine(
    draggable({
      element,
      dragHandle: handle,
      getInitialData: () => ({ kind: BLOCK, id, type: found()?.block.type }),
    }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => {
        const dragged = draggedOf(source.data)
        return dragged !== null && dragged.id !== id && mayStand(dragged.type, found()?.spot.within ?? null)
      },
      getData: ({ input }) => {
        const { top, height } = element.getBoundingClientRect()
        return { place: { id, edge: input.clientY < top + height / 2 ? 'before' : 'after' } satisfies DropPosition }
      },
    }),
  )
}

/** Makes the end of a column a drop target. */
export function columnDrop(element: HTMLElement, column: NonNullable<Within>): () => void {
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => {
      const dragged = draggedOf(source.data)
      return dragged !== null && mayStand(dragged.type, column)
    },
    getData: () => ({ place: { column } satisfies DropPosition }),
  })
}

/** Shows the drop position of a dragged block, and moves the block there. */
export function watchDrags(editor: Editor, shown: Signal<DropPosition | null>): () => void {
  const placeOf = (targets: readonly { data: Record<string | symbol, unknown> }[]) =>
    (targets[0]?.data['place'] as DropPosition | undefined) ?? null
  return monitorForElements({
    canMonitor: ({ source }) => draggedOf(source.data) !== null,
    onDrag: ({ location }) => {
      shown.value = placeOf(location.current.dropTargets)
    },
    onDrop: ({ source, location }) => {
      shown.value = null
      const place = placeOf(location.current.dropTargets)
      const spot = place && spotOf(editor, place)
      if (spot) moveTo(editor, draggedOf(source.data)!.id, spot)
    },
  })
}

function spotOf(editor: Editor, place: DropPosition): Spot | null {
  const { document } = editor.content.peek()
  if ('column' in place) return { within: place.column, at: blocksWithin(document, place.column).length }
  const found = findBlock(document, place.id)
  return found && { ...found.spot, at: found.spot.at + (place.edge === 'after' ? 1 : 0) }
}
