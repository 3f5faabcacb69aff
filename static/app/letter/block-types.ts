import { type Block, type Column, columnsOf, type LetterDocument, newBlockId } from './document.ts'
import { sentence } from './block-names.ts'

/** The part of JSON Schema that the service uses for the properties of blocks. */
export interface PropSchema {
  type?: string
  enum?: string[]
  pattern?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, PropSchema>
  required?: string[]
  items?: PropSchema
}

/** A type of block, as `schema/get` lists it. */
export interface BlockType {
  type: string
  description: string
  props: PropSchema
}

/** An error of a block: the property, and a sentence. */
export interface BlockFlaw {
  id: string
  prop: string
  message: string
}

const LABELS: Readonly<Record<string, string>> = {
  href: 'Link',
  src: 'Picture',
  alt: 'What is seen',
  align: 'Place',
  dir: 'Direction',
  header: 'The first row names the columns',
  valign: 'Place from top to bottom',
  section_color: 'Band behind',
  stack: 'Below each other on phones',
  font_family: 'Font',
  view_link: 'Link to the message in the browser',
  count: 'How many',
  html: 'HTML',
  links: 'Links',
}

/** The label of a property. */
export function propLabel(name: string): string {
  return LABELS[name] ?? sentence(name)
}

/** A new block of a type. Required values without a default, such as a link, stay empty; such a block is not sent. */
export function freshBlock(type: BlockType): Block {
  return { id: newBlockId(), type: type.type, props: FRESH[type.type]?.() ?? freshProps(type.props) }
}

const FRESH: Readonly<Record<string, () => Record<string, unknown>>> = {
  text: () => ({ html: '' }),
  heading: () => ({ text: '', level: 2 }),
  button: () => ({ text: 'Read more', href: '' }),
  spacer: () => ({ height: 24 }),
  social: () => ({ links: [{ network: 'website', href: '' }] }),
  columns: () => ({ columns: [freshColumn(), freshColumn()] }),
  table: () => ({ rows: Array.from({ length: 3 }, () => ['', '']) }),
}

export function freshColumn(): Column {
  return { blocks: [{ id: newBlockId(), type: 'text', props: { html: '' } }] }
}

function freshProps({ properties = {}, required = [] }: PropSchema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, freshValue(properties[name] ?? {})]))
}

function freshValue(schema: PropSchema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  if (schema.type === 'boolean') return false
  if (schema.type === 'object') return freshProps(schema)
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => freshValue(schema.items ?? {}))
  return ''
}

/** Blocks are immutable, so results can be cached by block. */
const found = new WeakMap<Block, BlockFlaw[]>()

/** The errors that keep a block from being sent, by the schema of its type. Blocks in its columns are not checked. */
export function flawsOf(block: Block, types: readonly BlockType[]): BlockFlaw[] {
  const known = found.get(block)
  if (known) return known
  const flaws = lookAt(block, types)
  found.set(block, flaws)
  return flaws
}

function lookAt(block: Block, types: readonly BlockType[]): BlockFlaw[] {
  const schema = types.find(({ type }) => type === block.type)?.props
  if (!schema) return []
  const { required = [], properties = {} } = schema
  return Object.entries(properties).flatMap(([prop, rule]) => {
    const value = block.props[prop]
    const isMissing = value === undefined || value === ''
    if (isMissing && !required.includes(prop) && value === undefined) return []
    const message = isMissing && needsText(rule) ? `${propLabel(prop)} is missing.` : problemOf(value, rule, prop)
    return message === null ? [] : [{ id: block.id, prop, message }]
  })
}

function needsText({ minLength = 0, pattern }: PropSchema): boolean {
  return minLength > 0 || (pattern !== undefined && !new RegExp(pattern, 'u').test(''))
}

function problemOf(value: unknown, rule: PropSchema, prop: string): string | null {
  if (typeof value === 'string') {
    if (rule.maxLength !== undefined && value.length > rule.maxLength)
      return `${propLabel(prop)} has at most ${rule.maxLength} characters.`
    if (rule.pattern !== undefined && !new RegExp(rule.pattern, 'u').test(value))
      return rule.description ?? `${propLabel(prop)} is not valid.`
  }
  if (typeof value === 'number' && (value < (rule.minimum ?? -Infinity) || value > (rule.maximum ?? Infinity)))
    return `${propLabel(prop)} is a number from ${rule.minimum} to ${rule.maximum}.`
  if (Array.isArray(value) && prop !== 'columns')
    return value.map((item) => itemProblem(item, rule.items)).find((problem) => problem !== null) ?? null
  return null
}

function itemProblem(item: unknown, rule: PropSchema = {}): string | null {
  for (const [name, inner] of Object.entries(rule.properties ?? {})) {
    const value = (item as Record<string, unknown>)[name]
    if (value === '' && needsText(inner)) return `${propLabel(name)} is missing.`
    const problem = value === undefined ? null : problemOf(value, inner, name)
    if (problem !== null) return problem
  }
  return null
}

/** What can be saved of a letter now, and the errors of its blocks. */
interface Sendable {
  document: LetterDocument
  flaws: BlockFlaw[]
}

/**
 * The document without what the service would refuse: an incomplete block keeps its last saved state, or is left out
 * when it was never saved. This browser keeps the full content until it is complete.
 */
export function sendable(document: LetterDocument, saved: LetterDocument, types: readonly BlockType[]): Sendable {
  const flaws: BlockFlaw[] = []
  const before = new Map(
    saved.blocks.flatMap((block) => [block, ...columnsOf(block).flatMap(({ blocks }) => blocks)]).map((b) => [b.id, b]),
  )
  const keep = (blocks: readonly Block[]): Block[] =>
    blocks.flatMap((block) => {
      const own = flawsOf(block, types)
      flaws.push(...own)
      const last = before.get(block.id)
      if (own.length > 0 && (!last || flawsOf(last, types).length > 0)) return []
      const shown = own.length > 0 ? last! : block
      const columns = columnsOf(block)
      if (columns.length === 0) return [shown]
      const kept = columns.map((column) => ({ ...column, blocks: keep(column.blocks) }))
      return [{ ...shown, props: { ...shown.props, columns: kept } }]
    })
  const blocks = keep(document.blocks)
  return { document: flaws.length === 0 ? document : { ...document, blocks }, flaws }
}
