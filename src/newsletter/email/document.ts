import { Kind, type Static, Type, TypeRegistry } from '@sinclair/typebox'
import { type Flaw, invalidRequest } from '../../errors.ts'
import { checker, flaws, obj, enumOf } from '../../schema.ts'
import { BLOCKS, type EmailBlock } from './blocks.ts'
import { columnsOutline } from './columns.ts'
import { Settings } from './look.ts'
import { BlockId, blockSchema, NESTED, type NestedBlock } from './nested.ts'
import { postSelection } from './posts.ts'
import { unevenRows } from './table.ts'

/** Blocks of a document, including those in columns. */
const MAX_BLOCKS = 200
/** Characters and tags of all HTML of a document together, so that sanitizing takes a fraction of a second. */
const MAX_HTML = 500_000
const MAX_TAGS = 20_000
/** Merge tags of a document: each is filled in for each recipient, twice. */
export const MAX_MERGE_TAGS = 2000
export const TOO_MANY_TAGS = `A document has at most ${MAX_MERGE_TAGS} merge tags.`

/** `editor_json`, strict on every level. */
export const EmailDocument = obj(
  { version: Type.Literal(1), settings: Settings, blocks: Type.Array(blockSchema(BLOCKS), { maxItems: MAX_BLOCKS }) },
  { $id: 'EmailDocument' },
)
export type EmailDocument = Static<typeof EmailDocument>

TypeRegistry.Set('CheckedLater', () => true)

/**
 * `editor_json` in a request. The OpenAPI document shows the whole schema, but the request check accepts any value:
 * `checkDocument` follows, and its errors name the schema of the block's own type.
 */
export const EditorJson = Type.Unsafe<unknown>({ ...EmailDocument, [Kind]: 'CheckedLater' })

/** The document of a new campaign. */
export const EMPTY_DOCUMENT: EmailDocument = { version: 1, settings: {}, blocks: [] }

/**
 * Returns the value as an email document. Throws VALIDATION_FAILED with a path below `basePath` (a JSON pointer) for
 * each error; an error in a block comes from the schema of the block's own type (docs/api/campaigns.md#documents).
 */
export function checkDocument(value: unknown, basePath: string): EmailDocument {
  const inspection: Inspection = { found: flaws(Outline, value), ids: new Set(), html: 0, tags: 0 }
  const blocks = (value as { blocks?: unknown } | null)?.blocks
  if (Array.isArray(blocks) && blocks.length <= MAX_BLOCKS) inspectAll(blocks, '/blocks', BLOCKS, inspection)
  // Braces of JSON itself never follow each other.
  if (inspection.found.length === 0 && JSON.stringify(value).split('{{').length - 1 > MAX_MERGE_TAGS)
    inspection.found.push({ path: '/blocks', message: TOO_MANY_TAGS })
  if (inspection.found.length === 0) return value as EmailDocument
  throw invalidRequest(inspection.found.map(({ path, message }) => ({ path: `${basePath}${path}`, message })))
}

/** Every block of a document, including those in columns, in reading order. */
export function* blocksOf({ blocks }: EmailDocument): Generator<EmailBlock | NestedBlock> {
  for (const block of blocks) {
    yield block
    if (block.type === 'columns') for (const column of block.props.columns) yield* column.blocks
  }
}

/** How many of the newest posts the document shows by category; a null category means any. */
export function postsWanted(document: EmailDocument): { category: string | null; count: number }[] {
  const most = new Map<string | null, number>()
  for (const block of blocksOf(document)) {
    if (block.type !== 'cms_posts') continue
    const { category, count } = postSelection(block.props)
    most.set(category, Math.max(count, most.get(category) ?? 0))
  }
  return [...most].map(([category, count]) => ({ category, count }))
}

type Kinds = typeof BLOCKS | typeof NESTED

/** The schema of a block with any `props`. */
const blockOutline = (kinds: Kinds) => obj({ id: BlockId, type: enumOf(Object.keys(kinds)), props: Type.Object({}) })

const Outline = obj({
  ...EmailDocument.properties,
  blocks: Type.Array(blockOutline(BLOCKS), { maxItems: MAX_BLOCKS }),
})
const NestedOutline = blockOutline(NESTED)
const ColumnsOutline = columnsOutline(NestedOutline)

/** The state of the check of one document. */
interface Inspection {
  found: Flaw[]
  ids: Set<string>
  html: number
  tags: number
}

function inspectAll(blocks: readonly unknown[], path: string, kinds: Kinds, inspection: Inspection): void {
  const outline = kinds === NESTED ? NestedOutline : Outline.properties.blocks.items
  blocks.forEach((block, at) => {
    if (checker(outline).Check(block)) inspect(block as Outlined, `${path}/${at}`, kinds, inspection)
  })
}

interface Outlined {
  id: string
  type: string
  props: { html?: unknown; columns?: unknown; rows?: unknown }
}

function inspect({ id, type, props }: Outlined, path: string, kinds: Kinds, inspection: Inspection): void {
  for (const flaw of flaws(type === 'columns' ? ColumnsOutline : kinds[type as keyof Kinds].props, props))
    inspection.found.push({ ...flaw, path: `${path}/props${flaw.path}` })
  if (inspection.ids.has(id)) inspection.found.push({ path: `${path}/id`, message: 'Another block has this id.' })
  inspection.ids.add(id)
  if (inspection.ids.size === MAX_BLOCKS + 1)
    inspection.found.push({ path, message: `A document has at most ${MAX_BLOCKS} blocks, including those in columns.` })
  if (typeof props.html === 'string' && isTooMuch(props.html, inspection))
    inspection.found.push({ path: `${path}/props/html`, message: TOO_MUCH_HTML })
  if (type === 'table') inspectTable(props.rows, path, inspection)
  if (type !== 'columns' || !Array.isArray(props.columns)) return
  props.columns.slice(0, 4).forEach((column: { blocks?: unknown } | null, at) => {
    if (Array.isArray(column?.blocks))
      inspectAll(column.blocks.slice(0, MAX_BLOCKS), `${path}/props/columns/${at}/blocks`, NESTED, inspection)
  })
}

const TOO_MUCH_HTML = 'The document holds too much HTML.'

function inspectTable(rows: unknown, path: string, inspection: Inspection): void {
  if (!Array.isArray(rows)) return
  for (const flaw of unevenRows(rows)) inspection.found.push({ ...flaw, path: `${path}/props${flaw.path}` })
  const cells = rows.flat().filter((cell) => typeof cell === 'string')
  // Each cell is an element.
  const hasRoom = !isTooMuch(cells.map((cell) => `<${cell}`).join(''), inspection)
  if (!hasRoom) inspection.found.push({ path: `${path}/props/rows`, message: TOO_MUCH_HTML })
}

function isTooMuch(html: string, inspection: Inspection): boolean {
  inspection.html += html.length
  inspection.tags += html.split('<').length - 1
  return inspection.html > MAX_HTML || inspection.tags > MAX_TAGS
}
