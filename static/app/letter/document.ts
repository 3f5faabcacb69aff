import { randomHex } from '../api/random.ts'

/** The document of a letter in the editor, and the edits of it. Every edit returns a new document. */

export interface Block {
  id: string
  type: string
  props: Record<string, unknown>
}

export interface Column {
  blocks: Block[]
  share?: number
}

export interface Design {
  background_color?: string
  content_width?: number
  font_family?: string
  text_color?: string
  link_color?: string
  preheader?: string
}

export interface LetterDocument {
  version: 1
  settings: Design
  blocks: Block[]
}

/** A list of blocks: the letter's own, or one column of a block. */
export type Within = { block: string; column: number } | null

/** A position in a list of blocks: before the block at `at`. */
export interface Spot {
  within: Within
  at: number
}

interface Found {
  block: Block
  spot: Spot
}

/** The columns of a block; none for a block of another type. */
export function columnsOf(block: Block): Column[] {
  return block.type === 'columns' && Array.isArray(block.props['columns']) ? (block.props['columns'] as Column[]) : []
}

/** Every block with its position, in reading order. A block comes before those in its columns. */
export function eachBlock(document: LetterDocument): Found[] {
  return document.blocks.flatMap((block, at): Found[] => [
    { block, spot: { within: null, at } },
    ...columnsOf(block).flatMap(({ blocks }, column) =>
      blocks.map((inner, place): Found => ({ block: inner, spot: { within: { block: block.id, column }, at: place } })),
    ),
  ])
}

export function findBlock(document: LetterDocument, id: string): Found | null {
  return eachBlock(document).find(({ block }) => block.id === id) ?? null
}

/** The blocks of a list. */
export function blocksWithin(document: LetterDocument, within: Within): Block[] {
  if (within === null) return document.blocks
  const owner = document.blocks.find(({ id }) => id === within.block)
  return (owner && columnsOf(owner)[within.column]?.blocks) ?? []
}

/** Whether a block may be in a list: columns and the footer cannot be inside a column. */
export function mayStand(type: string, within: Within): boolean {
  return within === null || (type !== 'columns' && type !== 'footer')
}

/** Whether two documents are equal. Blocks that are the same object are not compared further. */
export function isSameDocument(one: LetterDocument, other: LetterDocument): boolean {
  if (one === other) return true
  if (one.blocks.length !== other.blocks.length) return false
  const isSameBlock = (block: Block, at: number) =>
    block === other.blocks[at] || JSON.stringify(block) === JSON.stringify(other.blocks[at])
  return JSON.stringify(one.settings) === JSON.stringify(other.settings) && one.blocks.every(isSameBlock)
}

export function insertBlock(document: LetterDocument, block: Block, spot: Spot): LetterDocument {
  return changeList(document, spot.within, (blocks) => blocks.toSpliced(spot.at, 0, block))
}

export function removeBlock(document: LetterDocument, id: string): LetterDocument {
  const found = findBlock(document, id)
  if (!found) return document
  return changeList(document, found.spot.within, (blocks) => blocks.toSpliced(found.spot.at, 1))
}

/** Replaces a block by others. */
export function replaceBlock(document: LetterDocument, id: string, others: readonly Block[]): LetterDocument {
  const found = findBlock(document, id)
  if (!found) return document
  return changeList(document, found.spot.within, (blocks) => blocks.toSpliced(found.spot.at, 1, ...others))
}

/** Changes some of a block's properties. A value of undefined removes the property. */
export function changeProps(document: LetterDocument, id: string, change: Record<string, unknown>): LetterDocument {
  const found = findBlock(document, id)
  if (!found) return document
  const merged = Object.entries({ ...found.block.props, ...change }).filter(([, value]) => value !== undefined)
  return replaceBlock(document, id, [{ ...found.block, props: Object.fromEntries(merged) }])
}

export function changeDesign(document: LetterDocument, change: Partial<Design>): LetterDocument {
  const merged = Object.entries({ ...document.settings, ...change }).filter(([, value]) => value !== undefined)
  return { ...document, settings: Object.fromEntries(merged) }
}

/** Moves a block to a position of the document before the move. A position that it may not have changes nothing. */
export function moveBlock(document: LetterDocument, id: string, to: Spot): LetterDocument {
  const found = findBlock(document, id)
  if (!found || !mayStand(found.block.type, to.within)) return document
  const { block, spot } = found
  const isSameList = sameList(spot.within, to.within)
  const at = isSameList && to.at > spot.at ? to.at - 1 : to.at
  if (isSameList && at === spot.at) return document
  return insertBlock(removeBlock(document, id), block, { within: to.within, at })
}

/** The position one step up or down in the block's own list, or null at its end. */
export function spotBeside(document: LetterDocument, id: string, direction: -1 | 1): Spot | null {
  const found = findBlock(document, id)
  if (!found) return null
  const { within, at } = found.spot
  const next = at + direction
  if (next < 0 || next >= blocksWithin(document, within).length) return null
  return { within, at: direction === 1 ? at + 2 : next }
}

/**
 * The position to one side: the next column; from the outermost column out of the columns; from the letter itself into
 * the next columns block (forwards) or the previous one (backwards), else into the one on the other side.
 */
export function spotAside(document: LetterDocument, id: string, direction: -1 | 1): Spot | null {
  const found = findBlock(document, id)
  if (!found) return null
  const { block, spot } = found
  const { within } = spot
  if (within !== null) {
    const owner = document.blocks.findIndex((entry) => entry.id === within.block)
    const column = within.column + direction
    const target = columnsOf(document.blocks[owner]!)[column]
    if (target) return { within: { block: within.block, column }, at: Math.min(spot.at, target.blocks.length) }
    return { within: null, at: direction === 1 ? owner + 1 : owner }
  }
  if (!mayStand(block.type, { block: '', column: 0 })) return null
  for (const step of [direction, -direction]) {
    const beside = document.blocks[spot.at + step]
    const columns = beside ? columnsOf(beside) : []
    if (columns.length === 0) continue
    const column = step === 1 ? 0 : columns.length - 1
    return { within: { block: beside!.id, column }, at: step === 1 ? 0 : columns[column]!.blocks.length }
  }
  return null
}

/** Inserts a copy after the block, with new ids. */
export function duplicateBlock(
  document: LetterDocument,
  id: string,
): { document: LetterDocument; copy: string } | null {
  const found = findBlock(document, id)
  if (!found) return null
  const copy = copyOf(found.block)
  const spot = { ...found.spot, at: found.spot.at + 1 }
  return { document: insertBlock(document, copy, spot), copy: copy.id }
}

function copyOf(block: Block): Block {
  const columns = columnsOf(block)
  const props = structuredClone(block.props)
  if (columns.length > 0) props['columns'] = columns.map((column) => ({ ...column, blocks: column.blocks.map(copyOf) }))
  return { id: newBlockId(), type: block.type, props }
}

export function newBlockId(): string {
  return `b${randomHex(4)}`
}

/** "place 4 of 7", or "place 1 of 2 in column 2". */
export function placeWords(document: LetterDocument, id: string): string {
  const found = findBlock(document, id)
  if (!found) return ''
  const { within, at } = found.spot
  const place = `place ${at + 1} of ${blocksWithin(document, within).length}`
  return within === null ? place : `${place} in column ${within.column + 1}`
}

function changeList(document: LetterDocument, within: Within, change: (blocks: Block[]) => Block[]): LetterDocument {
  if (within === null) return { ...document, blocks: change(document.blocks) }
  const blocks = document.blocks.map((block) => {
    if (block.id !== within.block) return block
    const columns = columnsOf(block).map((column, at) =>
      at === within.column ? { ...column, blocks: change(column.blocks) } : column,
    )
    return { ...block, props: { ...block.props, columns } }
  })
  return { ...document, blocks }
}

function sameList(one: Within, other: Within): boolean {
  return one === null || other === null ? one === other : one.block === other.block && one.column === other.column
}
