import { tokens } from './markup.ts'

/** The elements that each part of a table may stand in. */
export const TABLE_PARENTS: Readonly<Record<string, readonly string[]>> = {
  caption: ['table'],
  colgroup: ['table'],
  col: ['colgroup', 'table'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  tr: ['table', 'thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
}
/** Elements that hold parts of a table and nothing else. */
export const ONLY_TABLE_PARTS: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'colgroup'])

/**
 * Removes the tags of table parts outside a table, and of other elements directly inside one. Otherwise a stray `<td>`,
 * or a table between two rows, would make a browser close the cell around the content (HTML, 13.2.6.4.9 "in table"),
 * and with it the table that contains the footer.
 */
export function mendTables(html: string): string {
  const open: { name: string; kept: boolean }[] = []
  let parent = ''
  let mended = ''
  for (const token of tokens(html)) {
    if (token.kind === 'text') mended += token.text
    else if (token.kind === 'open') {
      const kept = Object.hasOwn(TABLE_PARENTS, token.name)
        ? TABLE_PARENTS[token.name]!.includes(parent)
        : !ONLY_TABLE_PARTS.has(parent)
      if (kept) mended += token.text
      if (token.ended) continue
      open.push({ name: token.name, kept })
      if (kept) parent = token.name
    } else if (token.kind === 'close') {
      const closed = open.pop()
      if (!closed?.kept) continue
      mended += token.text
      parent = open.findLast(({ kept }) => kept)?.name ?? ''
    }
  }
  return mended
}
