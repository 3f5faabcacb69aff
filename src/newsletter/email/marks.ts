import { escapeHtml, tokens } from './markup.ts'

/** Marks that tell an editor's preview which block a cell belongs to (docs/api/campaigns.md#documents). */

/** Table rows whose own cells carry `data-block` with the block's id. Cells of tables inside them do not. */
export function markRows(rows: string, block_id: string): string {
  // Braces are written as entities, so that an id cannot be a merge tag.
  const mark = ` data-block="${escapeHtml(block_id).replaceAll('{', '&#123;')}"`
  let depth = 0
  let marked = ''
  for (const token of tokens(rows)) {
    const isTable = 'name' in token && token.name === 'table'
    if (isTable) depth += token.kind === 'open' ? 1 : -1
    const isCell = token.kind === 'open' && token.name === 'td' && depth === 0
    marked += isCell ? `<td${mark}${token.text.slice('<td'.length)}` : token.text
  }
  return marked
}

/** HTML as it is sent: without marks. */
export function withoutMarks(html: string): string {
  return html.replaceAll(/ data-block="[^"]*"/g, '')
}
