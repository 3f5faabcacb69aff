import type { Node } from 'prosemirror-model'
import { openHtml, readHtml } from './read-html.ts'
import { MAX_COLUMNS, MAX_ROWS, type Piece } from './table.ts'
import { writeCell, writeHtml } from './write-html.ts'

/**
 * A text and the tables in it, in order; null for a text without a table that can be a block. A table with cells over
 * several rows or columns stays in its text.
 */
export function piecesOf(doc: Node): Piece[] | null {
  const pieces: Piece[] = []
  let before: Node[] = []
  const end = () => {
    const html = writeHtml(doc.type.create(null, before))
    if (before.length > 0 && html !== '') pieces.push({ html })
    before = []
  }
  doc.forEach((node) => {
    const table = node.type.name === 'raw' ? readTable(String(node.attrs['html'])) : null
    if (table === null) before.push(node)
    else {
      end()
      pieces.push(table)
    }
  })
  end()
  return pieces.some((piece) => 'rows' in piece) ? pieces : null
}

/** The cells of HTML that holds one table and nothing else; null for any other. */
export function onlyTable(html: string): string[][] | null {
  const pieces = piecesOf(readHtml(html))
  const [first] = pieces ?? []
  return pieces?.length === 1 && first !== undefined && 'rows' in first ? first.rows : null
}

function readTable(html: string): Extract<Piece, { rows: unknown }> | null {
  const table = openHtml(html).querySelector('table')
  if (!table || table.querySelector('table, caption, [colspan]:not([colspan="1"]), [rowspan]:not([rowspan="1"])'))
    return null
  const lines = [...table.rows].map(({ cells }) => [...cells])
  const width = lines[0]?.length ?? 0
  if (width === 0 || width > MAX_COLUMNS || lines.length > MAX_ROWS) return null
  if (lines.some((cells) => cells.length !== width)) return null
  return {
    rows: lines.map((cells) => cells.map((cell) => writeCell(readHtml(cell.innerHTML)))),
    header: lines[0]!.every(({ localName }) => localName === 'th'),
  }
}
