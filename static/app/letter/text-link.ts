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

/** The words that a link has or gets: of the link around the caret, or of the selection. Null where they hold more. */
export function linkText(state: EditorState): string | null {
  const { from, to } = linkAt(state) ?? state.selection
  let isText = true
  let parents = 0
  state.doc.nodesBetween(from, to, (node) => {
    if (node.isTextblock) parents += 1
    else if (node.isInline && !node.isText) isText = false
  })
  return isText && parents <= 1 ? state.doc.textBetween(from, to) : null
}

/**
 * Links the selection, or the whole link around the caret; an empty address removes the link.
 * @param text other words for the link; without it, or empty, the words stay
 */
export function setLink(href: string, text: string | null = null): Command {
  return (state, dispatch) => {
    const { from, to } = linkAt(state) ?? state.selection
    const { tr } = state
    if (href !== '' && text && text !== linkText(state)) {
      const marks = (state.doc.nodeAt(from)?.marks ?? []).filter(({ type }) => type !== link)
      tr.replaceWith(from, to, richSchema.text(text, from === to ? [] : marks))
      tr.addMark(from, from + text.length, link.create({ href }))
      dispatch?.(tr.removeStoredMark(link))
      return true
    }
    tr.removeMark(from, to, link)
    if (href !== '' && from === to) tr.insert(from, richSchema.text(href, [link.create({ href })]))
    else if (href !== '') tr.addMark(from, to, link.create({ href }))
    dispatch?.(tr)
    return true
  }
}
