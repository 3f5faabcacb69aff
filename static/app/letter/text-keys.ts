import type { Node } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import { deleteBlock, hasText } from './acts.ts'
import { blocksWithin, findBlock } from './document.ts'
import { type Editor, neighbor } from './editor.ts'

/** Keys that leave a text: Escape to its block, arrows at its ends to the next block. */
export function leaveKeys(editor: Editor, id: string): Record<string, Command> {
  const go = (step: -1 | 1): boolean => {
    const to = neighbor(editor.content.peek().document, id, step)
    if (to === null) return false
    const { block } = findBlock(editor.content.peek().document, to)!
    editor.select(to, hasText(block) ? (step === 1 ? 'start' : 'end') : 'block')
    return true
  }
  return {
    Escape: () => (editor.select(id, 'block'), true),
    ArrowUp: ({ selection }, _, view) =>
      selection.empty && view!.endOfTextblock('up') && selection.$from.before(1) <= 1 && selection.$from.index(0) === 0
        ? go(-1)
        : false,
    ArrowDown: ({ selection, doc }, _, view) =>
      selection.empty && view!.endOfTextblock('down') && selection.$from.index(0) >= doc.childCount - 1 ? go(1) : false,
  }
}

/** Whether a text is one empty paragraph. */
export function isEmptyText({ childCount, firstChild }: Node): boolean {
  return childCount === 1 && firstChild!.type.name === 'paragraph' && firstChild!.content.size === 0
}

/** Backspace in an empty text deletes its block, but never the last block of a list. */
export function removeEmpty(editor: Editor, id: string): boolean {
  const { document } = editor.content.peek()
  const found = findBlock(document, id)!
  if (blocksWithin(document, found.spot.within).length === 1) return true
  const before = neighbor(document, id, -1)
  deleteBlock(editor, id)
  const beside = before === null ? null : findBlock(editor.content.peek().document, before)
  if (beside && hasText(beside.block)) editor.select(before, 'end')
  return true
}
