import { toast } from '../ui/toast.tsx'
import { type BlockType, freshBlock } from './block-types.ts'
import {
  type Block,
  changeProps,
  duplicateBlock,
  findBlock,
  insertBlock,
  type LetterDocument,
  moveBlock,
  placeWords,
  removeBlock,
  replaceBlock,
  type Spot,
  spotAside,
  spotBeside,
} from './document.ts'
import { announce, type Editor, neighbor } from './editor.ts'
import { typeName } from './block-names.ts'
import { type PasteReport, pastedWords } from './pasted-words.ts'
import { stepKey, type TypingRun } from './typing.ts'

/** Edits of whole blocks. Each announces its result to screen readers. */

export const hasText = ({ type }: Block): boolean => type === 'text' || type === 'heading' || type === 'table'

/** Where writing begins in a block: at the end of a text, in the first cell of a table. */
export const caretFor = (block: Block): 'block' | 'start' | 'end' =>
  !hasText(block) ? 'block' : block.type === 'table' ? 'start' : 'end'

export function changeDocument(
  editor: Editor,
  change: (document: LetterDocument) => LetterDocument,
  key?: string | null,
): void {
  editor.edit((content) => {
    const document = change(content.document)
    return document === content.document ? content : { ...content, document }
  }, key)
}

/**
 * Changes properties of a block. Quick changes of the same properties are one undo step. Changes of a text say with
 * which run of typing they belong.
 */
export function setProps(editor: Editor, id: string, change: Record<string, unknown>, run?: TypingRun): void {
  const key = stepKey(`${id} ${Object.keys(change).join(' ')}`, run)
  changeDocument(editor, (document) => changeProps(document, id, change), key)
}

/** Adds a block of a type and selects it. A picture is chosen in a dialog first. */
export function addBlock(editor: Editor, type: BlockType, spot: Spot): void {
  if (type.type === 'image') {
    editor.panel.value = { kind: 'picture', spot }
    return
  }
  placeBlock(editor, freshBlock(type), spot)
}

export function placeBlock(editor: Editor, block: Block, spot: Spot): void {
  changeDocument(editor, (document) => insertBlock(document, block, spot))
  editor.fresh.value = block.id
  editor.select(block.id, caretFor(block))
  announce(editor.said, `${typeName(block.type)} added at ${placeWords(editor.content.peek().document, block.id)}.`)
}

/** Replaces a block by others, and selects the last of them or the one named. */
export function putInPlace(editor: Editor, id: string, blocks: readonly Block[], goTo: Block): void {
  changeDocument(editor, (document) => replaceBlock(document, id, blocks))
  editor.fresh.value = goTo.id
  editor.select(goTo.id, caretFor(goTo))
}

/** What a text does with pictures, and with the report of a paste: the pictures come after its block. */
export function pasteActs(editor: Editor, id: string) {
  return {
    onFiles(files: File[]): void {
      editor.panel.value = { kind: 'picture', files, spot: spotAfter(editor.content.peek().document, id) }
    },
    onPasted(report: PasteReport): void {
      toast({ text: pastedWords(report)!, tone: report.lost.length > 0 ? 'wait' : undefined })
    },
  }
}

/** The position after a block; without one, the end of the letter before its footer. */
export function spotAfter(document: LetterDocument, id: string | null): Spot {
  const found = id === null ? null : findBlock(document, id)
  if (found && found.block.type !== 'footer') return { ...found.spot, at: found.spot.at + 1 }
  const footer = document.blocks.findIndex(({ type }) => type === 'footer')
  return { within: null, at: footer === -1 ? document.blocks.length : footer }
}

export function deleteBlock(editor: Editor, id: string): void {
  const { document } = editor.content.peek()
  const found = findBlock(document, id)
  if (!found) return
  const next = neighbor(document, id, 1) ?? neighbor(document, id, -1)
  changeDocument(editor, (before) => removeBlock(before, id))
  const shown = next !== null && findBlock(editor.content.peek().document, next) ? next : null
  editor.select(shown, 'block')
  const words = `${typeName(found.block.type)} deleted.`
  announce(editor.said, words)
  const restore = (now: LetterDocument) => (findBlock(now, id) ? now : insertBlock(now, found.block, found.spot))
  toast({ text: words, undo: () => changeDocument(editor, restore) })
}

export function doubleBlock(editor: Editor, id: string): void {
  const doubled = duplicateBlock(editor.content.peek().document, id)
  if (!doubled) return
  changeDocument(editor, () => doubled.document)
  editor.select(doubled.copy, 'block')
  announce(editor.said, `Doubled at ${placeWords(doubled.document, doubled.copy)}.`)
}

/** Moves a block to a position and announces where it is now. */
export function moveTo(editor: Editor, id: string, spot: Spot | null): void {
  const before = editor.content.peek().document
  const found = findBlock(before, id)
  if (!found) return
  const after = spot === null ? before : moveBlock(before, id, spot)
  const name = typeName(found.block.type)
  if (after === before) {
    announce(editor.said, `${name} stays at ${placeWords(before, id)}.`)
    return
  }
  changeDocument(editor, () => after)
  editor.select(id, 'block')
  announce(editor.said, `${name} moved to ${placeWords(after, id)}.`)
}

export function moveBeside(editor: Editor, id: string, direction: -1 | 1): void {
  moveTo(editor, id, spotBeside(editor.content.peek().document, id, direction))
}

export function moveAside(editor: Editor, id: string, direction: -1 | 1): void {
  moveTo(editor, id, spotAside(editor.content.peek().document, id, direction))
}
