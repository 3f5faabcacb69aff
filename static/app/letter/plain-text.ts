import { Fragment, Slice } from 'prosemirror-model'
import { splitTags } from './tags.ts'
import { richSchema } from './text-schema.ts'
import { readLine } from './write-html.ts'

/** Plain text: lines become paragraphs, and merge tags become nodes. */
export function textSlice(text: string, kind: 'rich' | 'line'): Slice {
  if (kind === 'line') return new Slice(readLine(text.replaceAll(/\s+/g, ' ').trim()).content, 0, 0)
  const paragraphs = text.split(/\r?\n(?:\s*\r?\n)*/).map((line) => {
    const pieces = splitTags(line).map((piece) =>
      typeof piece === 'string' ? richSchema.text(piece) : richSchema.node('merge_tag', { ...piece }),
    )
    return richSchema.node('paragraph', null, pieces)
  })
  return new Slice(Fragment.from(paragraphs), 1, 1)
}

/** What is pasted into a cell of a table: its paragraphs as lines, without lists, quotes and headings around them. */
export function linesOf({ content }: Slice): Slice {
  const lines: Fragment[] = []
  content.descendants((node) => {
    if (node.isTextblock) lines.push(node.content)
    return !node.isTextblock
  })
  if (lines.length === 0) return new Slice(content, 0, 0)
  const [first, ...rest] = lines
  return new Slice(
    rest.reduce((all, line) => all.addToEnd(richSchema.node('hard_break')).append(line), first!),
    0,
    0,
  )
}
