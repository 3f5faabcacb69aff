import { type Static, type TObject, type TUnion, Type } from '@sinclair/typebox'
import { AppError, type Flaw } from '../../errors.ts'
import { checker, flaws, line, obj, words } from '../../schema.ts'
import { BLOCKS, type BlockType } from './blocks.ts'
import { Settings } from './look.ts'

const MAX_BLOCKS = 200
/** Characters, and tags, of all the author's HTML together: sanitizing stays within a fraction of a second. */
const MAX_HTML = 500_000
const MAX_TAGS = 20_000

const BlockId = line(64, { min: 1, description: 'Unique in the document.' })

type BlockOf<T extends BlockType> = { [K in T]: { id: string; type: K; props: Static<(typeof BLOCKS)[K]['props']> } }[T]

/** One block of an email document. */
export type EmailBlock = BlockOf<BlockType>

const blockSchemas: TObject[] = Object.entries(BLOCKS).map(([type, { description, props }]) =>
  obj({ id: BlockId, type: Type.Literal(type), props }, { description }))

const Version = Type.Literal(1)

/** `editor_json`, strict on every level. */
export const EmailDocument = obj({
  version: Version,
  settings: Settings,
  blocks: Type.Array(Type.Unsafe<EmailBlock>(Type.Union(blockSchemas) as TUnion), { maxItems: MAX_BLOCKS }),
})
export type EmailDocument = Static<typeof EmailDocument>

/**
 * The value as an email document, or VALIDATION_FAILED with the place of each flaw below `basePath` (a JSON
 * pointer). A flaw in a block is named by the schema of the block's own type.
 */
export function checkDocument(value: unknown, basePath: string): EmailDocument {
  const found = documentFlaws(value)
  if (found.length === 0) return value as EmailDocument
  const details = found.slice(0, 20).map(({ path, message }) => ({ path: `${basePath}${path}`, message }))
  throw new AppError('VALIDATION_FAILED', 'The request is not valid.', { details })
}

/** The document before its blocks' `props` are looked at. */
const Outline = obj({
  version: Version,
  settings: Settings,
  blocks: Type.Array(obj({ id: BlockId, type: words(Object.keys(BLOCKS)), props: Type.Object({}) }), { maxItems: MAX_BLOCKS }),
})

function documentFlaws(value: unknown): Flaw[] {
  const found = flaws(Outline, value)
  const blocks = (value as { blocks?: unknown } | null)?.blocks
  if (!Array.isArray(blocks) || blocks.length > MAX_BLOCKS) return found
  const ids = new Set<unknown>()
  const sum = { html: 0, tags: 0 }
  blocks.forEach((block, at) => {
    if (!checker(Outline.properties.blocks.items).Check(block)) return
    const below = `/blocks/${at}`
    for (const flaw of flaws(BLOCKS[block.type as BlockType].props, block.props)) found.push({ ...flaw, path: `${below}/props${flaw.path}` })
    if (ids.has(block.id)) found.push({ path: `${below}/id`, message: 'Another block has this id.' })
    ids.add(block.id)
    if (isTooMuch(block.props, sum)) found.push({ path: `${below}/props/html`, message: 'The document holds too much HTML.' })
  })
  return found
}

function isTooMuch(props: { html?: unknown }, sum: { html: number; tags: number }): boolean {
  if (typeof props.html !== 'string') return false
  sum.html += props.html.length
  sum.tags += props.html.split('<').length - 1
  return sum.html > MAX_HTML || sum.tags > MAX_TAGS
}
