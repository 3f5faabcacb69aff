import { Type } from '@sinclair/typebox'
import type { Flaw } from '../../errors.ts'
import { obj, prose } from '../../schema.ts'
import { Align, cell, Dir, kind, onBand } from './block-kind.ts'
import { keepsLight, styleContent } from './content.ts'
import { checkContrast } from './content-contrast.ts'
import { startTag } from './markup.ts'
import { collectRemoved, type NoteRemoved } from './removed.ts'
import { sanitizeHtml } from './sanitize.ts'

const MAX_ROWS = 200
const MAX_CELLS = 12
const MAX_CELL = 5000

/** A table of data. One that only places things beside each other is `columns`. */
export const table = kind({
  description: 'A table of data. All rows have as many cells as the first. A wide one scrolls by itself on a phone.',
  props: obj({
    rows: Type.Array(
      Type.Array(prose(MAX_CELL, { description: 'HTML as in a text: links, emphasis, line breaks, merge tags.' }), {
        minItems: 1,
        maxItems: MAX_CELLS,
      }),
      { minItems: 1, maxItems: MAX_ROWS, description: 'The cells, row by row.' },
    ),
    header: Type.Optional(Type.Boolean({ default: true, description: 'Whether the first row names the columns.' })),
    column_align: Type.Optional(
      Type.Array(Align, {
        maxItems: MAX_CELLS,
        description: 'The alignment of each column; `start` for further ones.',
      }),
    ),
    dir: Type.Optional(Dir),
    ...onBand,
  }),
  html: ({ rows, header = true, column_align = [], dir = 'auto' }, look, warn) => {
    const { note, warnAbout } = collectRemoved()
    const written = rows.map((cells, row) => {
      const name = header && row === 0 ? 'th' : 'td'
      const made = cells.map((html, column) => {
        const attributes: [string, string][] = name === 'th' ? [['scope', 'col']] : []
        const align = column_align[column] ?? 'start'
        if (align !== 'start') attributes.push(['align', align], ['style', `text-align:${align}`])
        return `${startTag(name, attributes)}${safeCell(html, note)}</${name}>`
      })
      return `<tr>${made.join('')}</tr>`
    })
    warnAbout(warn)
    const body = header
      ? `<thead>${written[0]}</thead>${written.length > 1 ? `<tbody>${written.slice(1).join('')}</tbody>` : ''}`
      : `<tbody>${written.join('')}</tbody>`
    const markup = `<table dir="${dir}" cellpadding="0" cellspacing="0" border="0">${body}</table>`
    checkContrast(markup, look, warn)
    const light = keepsLight(markup)
    const styled = styleContent(markup, look, warn, { bare: false, light, isData: true })
    // Words stay whole, so that a table with many columns scrolls where a mail program allows it.
    return cell(look, `<div style="overflow-x:auto;word-break:normal;overflow-wrap:break-word">${styled}</div>`, {
      above: 4,
      below: 8,
      light,
    })
  },
})

/** Most cells are plain words, which need no sanitizer. A row without words is as high as one with a line. */
const safeCell = (html: string, note: NoteRemoved): string =>
  /[<>&]/.test(html) ? sanitizeHtml(html, note) : html.trim() === '' ? '&nbsp;' : html

/** An error for each row that has not as many cells as the first. */
export function unevenRows(rows: readonly unknown[]): Flaw[] {
  if (!Array.isArray(rows[0])) return []
  const { length } = rows[0]
  return rows.flatMap((cells: unknown, at) =>
    Array.isArray(cells) && cells.length !== length
      ? [{ path: `/rows/${at}`, message: `Each row of a table has as many cells as the first, which has ${length}.` }]
      : [],
  )
}
