import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import type { NodeType } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { alignOf, type Kept, richSchema, withAlign } from './text-schema.ts'

const { nodes, marks } = richSchema

/** What the toolbar can do with the text. */
export type Format = 'strong' | 'em' | 'heading-1' | 'heading-2' | 'heading-3' | 'bullet' | 'ordered' | 'quote'
export type Side = 'start' | 'center' | 'end'

export const FORMATS: Readonly<Record<Format, Command>> = {
  strong: toggleMark(marks.strong),
  em: toggleMark(marks.em),
  'heading-1': toggleHeading(1),
  'heading-2': toggleHeading(2),
  'heading-3': toggleHeading(3),
  bullet: toggleList(nodes.bullet_list),
  ordered: toggleList(nodes.ordered_list),
  quote: (state, dispatch) =>
    isInside(state, nodes.blockquote) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch),
}

/** Whether the selection has a format. */
export function hasFormat(state: EditorState, format: Format): boolean {
  if (format === 'strong' || format === 'em') return hasMark(state, format)
  if (format === 'bullet') return isInside(state, nodes.bullet_list)
  if (format === 'ordered') return isInside(state, nodes.ordered_list)
  if (format === 'quote') return isInside(state, nodes.blockquote)
  const { parent } = state.selection.$from
  return parent.type === nodes.heading && parent.attrs['level'] === Number(format.slice(-1))
}

function hasMark(state: EditorState, name: 'strong' | 'em'): boolean {
  const { from, to, empty, $from } = state.selection
  const type = marks[name]
  if (empty) return Boolean(type.isInSet(state.storedMarks ?? $from.marks()))
  return state.doc.rangeHasMark(from, to, type)
}

function isInside({ selection: { $from } }: EditorState, type: NodeType): boolean {
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === type) return true
  return false
}

function toggleHeading(level: number): Command {
  return (state, dispatch) => {
    const { parent } = state.selection.$from
    const has = parent.type === nodes.heading && parent.attrs['level'] === level
    return setBlockType(has ? nodes.paragraph : nodes.heading, has ? null : { level })(state, dispatch)
  }
}

function toggleList(type: NodeType): Command {
  return (state, dispatch) =>
    isInside(state, type) ? liftListItem(nodes.list_item)(state, dispatch) : wrapInList(type)(state, dispatch)
}

/** The alignment of the selected paragraph; null when the block decides. */
export function sideOf(state: EditorState, isRtl: boolean): Side | null {
  const align = alignOf(state.selection.$from.parent.attrs['keep'] as Kept)
  if (align === 'center') return 'center'
  if (align !== 'left' && align !== 'right') return null
  return (align === 'right') === isRtl ? 'start' : 'end'
}

/** Aligns the selected paragraphs; the same alignment again removes it. */
export function align(side: Side, isRtl: boolean): Command {
  return (state, dispatch) => {
    const value = side === 'center' ? 'center' : (side === 'end') === isRtl ? 'left' : 'right'
    const wanted = side === 'start' || sideOf(state, isRtl) === side ? null : value
    const { tr } = state
    state.doc.nodesBetween(state.selection.from, state.selection.to, (node, at) => {
      if (node.isTextblock && 'keep' in node.attrs)
        tr.setNodeAttribute(at, 'keep', withAlign(node.attrs['keep'] as Kept, wanted))
    })
    dispatch?.(tr)
    return true
  }
}

/** Turns the selection into plain paragraphs: no marks, headings, lists or quotes. */
export const clear: Command = (state, dispatch) => {
  const { from, to, $from } = state.selection
  const range = state.selection.empty ? { from: $from.start(), to: $from.end() } : { from, to }
  const { tr } = state
  tr.removeMark(range.from, range.to)
  tr.setBlockType(range.from, range.to, nodes.paragraph)
  // The text as a whole cannot be lifted at once, but its paragraphs can.
  tr.setSelection(TextSelection.between(tr.doc.resolve(range.from), tr.doc.resolve(range.to)))
  dispatch?.(liftAll(state, tr))
  return true
}

/** Lifts each selected paragraph to the top level of the text. */
function liftAll(state: EditorState, tr: Transaction): Transaction {
  for (;;) {
    const now = state.apply(tr)
    const inside = firstInside(now)
    if (inside === null) return tr
    const caret = now.apply(now.tr.setSelection(TextSelection.create(now.doc, inside)))
    const before = tr.steps.length
    const take = (step: Transaction) => step.steps.forEach((one) => tr.step(one))
    if (!liftListItem(nodes.list_item)(caret, take)) lift(caret, take)
    if (tr.steps.length === before) return tr
  }
}

/** The start of the first selected paragraph inside a list, a quote or a box. */
function firstInside({ doc, selection: { from, to } }: EditorState): number | null {
  let found: number | null = null
  doc.nodesBetween(from, to, (node, at) => {
    if (node.isTextblock && doc.resolve(at).depth > 0) found ??= at + 1
  })
  return found
}
