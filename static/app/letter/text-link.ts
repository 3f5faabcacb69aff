import type { Mark } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'
import { richSchema } from './text-schema.ts'

const { link } = richSchema.marks

/** The link around the selection or the caret, with its range. */
export function linkAt(state: EditorState): { href: string; from: number; to: number } | null {
  const { $from, from, to, empty } = state.selection
  const at = empty ? $from : state.doc.resolve(Math.min(from + 1, to))
  const mark = link.isInSet(at.marks()) ?? link.isInSet($from.nodeAfter?.marks ?? [])
  if (!mark) return null
  const range = rangeOf(state, mark)
  return { href: String(mark.attrs['href']), ...range }
}

function rangeOf(state: EditorState, mark: Mark): { from: number; to: number } {
  const { $from } = state.selection
  const start = $from.start()
  let range = { from: state.selection.from, to: state.selection.to }
  let run: { from: number; to: number } | null = null
  $from.parent.forEach((node, offset) => {
    const has = mark.isInSet(node.marks)
    if (!has) run = null
    else run = { from: run?.from ?? start + offset, to: start + offset + node.nodeSize }
    if (run && run.from <= $from.pos && run.to >= $from.pos) range = run
  })
  return range
}

/** Links the selection, or the whole link around the caret; an empty address removes the link. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const { from, to } = linkAt(state) ?? state.selection
    const { tr } = state
    tr.removeMark(from, to, link)
    if (href !== '' && from === to) tr.insert(from, richSchema.text(href, [link.create({ href })]))
    else if (href !== '') tr.addMark(from, to, link.create({ href }))
    dispatch?.(tr)
    return true
  }
}
