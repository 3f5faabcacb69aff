import { diffWordsWithSpace } from 'diff'
import { type Block, columnsOf, eachBlock, type LetterDocument } from './document.ts'
import type { Content } from './editor.ts'
import { propLabel } from './block-types.ts'
import { tableOf } from './table.ts'
import { chipWords, splitTags } from './tags.ts'
import { blockName, typeName } from './block-names.ts'
import { textLines } from './html-text.ts'

/** The differences between two letters, piece by piece. */
interface Change {
  key: string
  title: string
  before: string | null
  after: string | null
  /** The words are the same, but not how they look. */
  isForm?: boolean
}

/** Shows the changes between two letters: removed words are crossed out, new ones are underlined. */
export function Compare({ before, after }: { before: Content; after: Content }) {
  const changes = changesBetween(before, after)
  if (changes.length === 0) return <p class="quiet">Nothing is different.</p>
  return (
    <dl class="compare">
      {changes.map((change) => (
        <div key={change.key}>
          <dt>{change.title}</dt>
          <dd>
            {change.isForm ? (
              <p class="quiet">The words are the same. How they look has changed.</p>
            ) : (
              <Words before={change.before} after={change.after} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Words({ before, after }: { before: string | null; after: string | null }) {
  if (before === null) return <ins>{after || '(empty)'}</ins>
  if (after === null) return <del>{before || '(empty)'}</del>
  return (
    <>
      {diffWordsWithSpace(before, after, { timeout: 500 })?.map(({ value, added, removed }, at) =>
        added ? <ins key={at}>{value}</ins> : removed ? <del key={at}>{value}</del> : <span key={at}>{value}</span>,
      ) ?? (
        <>
          <del>{before}</del> <ins>{after}</ins>
        </>
      )}
    </>
  )
}

/** The differences in the order of the later letter; removed blocks come last. */
export function changesBetween(before: Content, after: Content): Change[] {
  const words = (['name', 'subject', 'preheader'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name): Change => ({
      key: name,
      title: TITLES[name],
      before: tagged(before[name]),
      after: tagged(after[name]),
    }))
  const old = new Map(eachBlock(before.document).map(({ block }) => [block.id, block]))
  const blocks = eachBlock(after.document).flatMap(({ block }): Change[] => {
    const was = old.get(block.id)
    old.delete(block.id)
    const now = textOf(block)
    if (!was) return [{ key: block.id, title: `${typeName(block.type)}, new`, before: null, after: now }]
    const change = { key: block.id, title: typeName(block.type), before: textOf(was), after: now }
    if (change.before !== now) return [change]
    return isSameBody(was, block) ? [] : [{ ...change, isForm: true }]
  })
  const gone = [...old.values()].map((block): Change => ({
    key: block.id,
    title: `${typeName(block.type)}, taken away`,
    before: textOf(block),
    after: null,
  }))
  return [...words, ...blocks, ...orderOf(before, after), ...designOf(before.document, after.document), ...gone]
}

const TITLES = { name: 'Name', subject: 'Subject', preheader: 'Preview text' } as const

/** A block as lines: its text first, then its other properties. */
function textOf(block: Block): string {
  const table = tableOf(block)
  return Object.entries(block.props)
    .filter(([name]) => name !== 'columns')
    .map(([name, value]) => {
      if (name === 'html') return tagged(textLines(String(value)))
      if (name === 'rows' && table) return table.rows.map((cells) => cells.map(cellWords).join(' | ')).join('\n')
      return name === 'text' ? tagged(String(value)) : `${propLabel(name)}: ${valueWords(value)}`
    })
    .concat(columnsOf(block).length > 0 ? [`${columnsOf(block).length} columns`] : [])
    .join('\n')
}

const cellWords = (html: string): string => tagged(textLines(html).replaceAll('\n', ' '))

const isSameBody = (one: Block, other: Block): boolean =>
  Object.keys({ ...one.props, ...other.props }).every(
    (name) => name === 'columns' || JSON.stringify(one.props[name]) === JSON.stringify(other.props[name]),
  )

/** A value of a property; of a list, the values of its entries. */
function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(', ')
  if (typeof value === 'object' && value !== null) return Object.values(value).map(valueWords).join(' ')
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : tagged(String(value))
}

/** A text with its merge tags as the editor shows them. */
function tagged(text: string): string {
  return splitTags(text)
    .map((piece) => (typeof piece === 'string' ? piece : `[${chipWords(piece)}]`))
    .join('')
}

function orderOf(before: Content, after: Content): Change[] {
  const names = ({ document }: Content, others: LetterDocument) => {
    const known = new Set(eachBlock(others).map(({ block }) => block.id))
    return eachBlock(document).filter(({ block }) => known.has(block.id))
  }
  const one = names(before, after.document)
  const two = names(after, before.document)
  const isSame = one.every(({ block }, at) => block.id === two[at]?.block.id)
  if (isSame) return []
  const list = (all: typeof one) => all.map(({ block }) => blockName(block)).join('\n')
  return [{ key: 'order', title: 'Order', before: list(one), after: list(two) }]
}

function designOf({ settings: before }: LetterDocument, { settings: after }: LetterDocument): Change[] {
  const lines = (design: typeof before) =>
    Object.entries(design)
      .filter(([name]) => name !== 'preheader')
      .map(([name, value]) => `${propLabel(name)}: ${value}`)
      .toSorted()
      .join('\n')
  return lines(before) === lines(after)
    ? []
    : [{ key: 'design', title: 'Design', before: lines(before), after: lines(after) }]
}
