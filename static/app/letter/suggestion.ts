import type { EditorView } from 'prosemirror-view'

/** The typed text that opens a list of suggestions: `/` for a block, `{{` for a merge tag. */
export interface Suggestion {
  kind: 'block' | 'tag'
  query: string
  from: number
  to: number
  /** The position of the typed text in the window. */
  rect: { left: number; right: number; top: number; bottom: number }
}

/** The typed text at the caret; null when it opens no list. */
export function suggestionAt(view: EditorView, kind: 'rich' | 'line' | 'cell'): Suggestion | null {
  const { $from, empty, from } = view.state.selection
  if (!empty || !$from.parent.isTextblock) return null
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, null, '\uFFFC')
  const tag = /\{\{\s*([\w. ]*)$/.exec(before)
  const isAlone = $from.parentOffset === before.length && $from.parent.content.size === $from.parentOffset
  const slash = kind === 'rich' && isAlone && $from.depth === 1 ? /^\/([\w ]{0,20})$/.exec(before) : null
  const match = tag ?? slash
  if (!match) return null
  const start = from - match[0].length
  const { left, right, top, bottom } = view.coordsAtPos(start)
  return {
    kind: tag ? 'tag' : 'block',
    query: match[1]!.trim(),
    from: start,
    to: from,
    rect: { left, right, top, bottom },
  }
}
