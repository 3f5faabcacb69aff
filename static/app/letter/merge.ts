import { type Block, type Column, columnsOf, eachBlock, type LetterDocument } from './document.ts'
import type { Content } from './editor.ts'

/** Three versions of one thing: the one that both were made from, and the two. */
interface Three<T> {
  base: T
  mine: T
  theirs: T
}

/**
 * Both changes of a letter together. Null where both changed the same thing: a block, a line of the head, a part of
 * the design, the order; or where one deleted what the other changed.
 */
export function mergeContents(three: Three<Content>): Content | null {
  const [name, subject, preheader] = (['name', 'subject', 'preheader'] as const).map((field) =>
    mergeValue(pick(three, (content) => content[field])),
  )
  const settings = mergeFields(pick(three, ({ document }) => document.settings as Record<string, unknown>))
  const blocks = mergeBlocks(pick(three, ({ document }) => document.blocks))
  if (!name || !subject || !preheader || !settings || !blocks) return null
  const document: LetterDocument = { version: 1, settings, blocks }
  const ids = eachBlock(document).map(({ block }) => block.id)
  // One of them moved a block to another list, and the other changed or moved it.
  if (new Set(ids).size < ids.length) return null
  return { name: name.value, subject: subject.value, preheader: preheader.value, document }
}

const pick = <T, U>({ base, mine, theirs }: Three<T>, of: (version: T) => U): Three<U> => ({
  base: of(base),
  mine: of(mine),
  theirs: of(theirs),
})

const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

/** The value that one of them changed; null where both did. */
function mergeValue<T>({ base, mine, theirs }: Three<T>): { value: T } | null {
  if (isSame(mine, base) || isSame(mine, theirs)) return { value: theirs }
  return isSame(theirs, base) ? { value: mine } : null
}

function mergeFields(three: Three<Record<string, unknown>>): Record<string, unknown> | null {
  const merged: Record<string, unknown> = {}
  for (const name of Object.keys({ ...three.theirs, ...three.mine })) {
    const field = mergeValue(pick(three, (fields) => fields[name]))
    if (!field) return null
    if (field.value !== undefined) merged[name] = field.value
  }
  return merged
}

/** Merges a list of blocks by their ids. New blocks of mine stand after the block that they stand after in mine. */
function mergeBlocks(three: Three<Block[]>): Block[] | null {
  const { base, mine, theirs } = pick(three, (blocks) => new Map(blocks.map((block) => [block.id, block])))
  const order = mergeOrder(pick(three, (blocks) => blocks.map(({ id }) => id)))
  if (!order) return null
  const merged: Block[] = []
  for (const id of order) {
    const block = mergeBlock({ base: base.get(id), mine: mine.get(id), theirs: theirs.get(id) })
    if (!block) return null
    if (block.value) merged.push(block.value)
  }
  return merged
}

/** The ids of all blocks that either has. The order of blocks that all three have is the one that was changed. */
function mergeOrder({ base, mine, theirs }: Three<string[]>): string[] | null {
  const isCommon = (id: string) => base.includes(id) && mine.includes(id) && theirs.includes(id)
  const common = mergeValue({
    base: base.filter(isCommon),
    mine: mine.filter(isCommon),
    theirs: theirs.filter(isCommon),
  })
  if (!common) return null
  const isTheirs = isSame(common.value, theirs.filter(isCommon))
  const [order, other] = isTheirs ? [theirs, mine] : [mine, theirs]
  return other.reduce<string[]>((all, id, at) => {
    if (all.includes(id)) return all
    const before = other.slice(0, at).findLast((entry) => all.includes(entry))
    return all.toSpliced(before === undefined ? 0 : all.indexOf(before) + 1, 0, id)
  }, order)
}

/** A value of undefined is a deleted block. */
function mergeBlock(three: Three<Block | undefined>): { value: Block | undefined } | null {
  const whole = mergeValue(three)
  const { base, mine, theirs } = three
  if (whole || !base || !mine || !theirs) return whole
  const lists = pick({ base, mine, theirs }, columnsOf)
  const frame = (block: Block) => ({
    ...block,
    props: { ...block.props, columns: columnsOf(block).map(({ share }) => share ?? 1) },
  })
  // Blocks in columns are merged by themselves where the columns are the same.
  if (lists.base.length === 0 || !isSame(frame(mine), frame(base)) || !isSame(frame(theirs), frame(base))) return null
  const columns: Column[] = []
  for (const [at, column] of lists.base.entries()) {
    const blocks = mergeBlocks(pick(lists, (list) => list[at]!.blocks))
    if (!blocks) return null
    columns.push({ ...column, blocks })
  }
  return { value: { ...base, props: { ...base.props, columns } } }
}
