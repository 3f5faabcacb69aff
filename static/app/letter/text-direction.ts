import type { Node, ResolvedPos } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'
import { type Direction, directionOfText } from '../../../src/shared/text-direction.ts'
import { type Kept, richSchema } from './text-schema.ts'

const { bullet_list, ordered_list, blockquote } = richSchema.nodes

/** What has a direction as a whole: the outermost list or quote around a position, else its paragraph. */
function wholeAt($at: ResolvedPos): { node: Node; at: number } {
  for (let depth = 1; depth < $at.depth; depth++) {
    const { type } = $at.node(depth)
    if (type === bullet_list || type === ordered_list || type === blockquote)
      return { node: $at.node(depth), at: $at.before(depth) }
  }
  return { node: $at.parent, at: $at.before() }
}

/** As `wholeAt`, of the first selected paragraph; null where a picture or a table is selected as a whole. */
function firstWhole({ doc, selection: { $from, from, to } }: EditorState): { node: Node; at: number } | null {
  if ($from.depth > 0) return wholeAt($from)
  let first: number | null = null
  doc.nodesBetween(from, to, (node, at) => {
    if (node.isTextblock) first ??= at + 1
    return first === null
  })
  return first === null ? null : wholeAt(doc.resolve(first))
}

/** The direction that was chosen for the selected text; null where its letters decide. */
export function chosenDirection(state: EditorState): Direction | null {
  const dir = (firstWhole(state)?.node.attrs['keep'] as Kept | undefined)?.['dir']?.toLowerCase()
  return dir === 'rtl' || dir === 'ltr' ? dir : null
}

/** The direction of the selected text: as chosen, else of its first letter; null without letters. Tags have no say. */
export function directionAt(state: EditorState): Direction | null {
  const chosen = chosenDirection(state)
  const node = firstWhole(state)?.node
  return chosen ?? (node ? directionOfText(node.textBetween(0, node.content.size, ' ', ' ')) : null)
}

/** Gives the selected paragraphs, lists and quotes a direction. The same direction again lets their letters decide. */
export function setDirection(dir: Direction): Command {
  return (state, dispatch) => {
    const next = chosenDirection(state) === dir ? null : dir
    const { tr } = state
    state.doc.nodesBetween(state.selection.from, state.selection.to, (node, at) => {
      if (!node.isTextblock) return
      const whole = wholeAt(state.doc.resolve(at + 1))
      if ('keep' in whole.node.attrs)
        tr.setNodeAttribute(whole.at, 'keep', withDir(whole.node.attrs['keep'] as Kept, next))
    })
    dispatch?.(tr)
    return true
  }
}

function withDir(kept: Kept, dir: Direction | null): Kept {
  const rest = Object.entries(kept ?? {}).filter(([name]) => name !== 'dir')
  const changed = dir === null ? rest : [...rest, ['dir', dir]]
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Kept)
}
