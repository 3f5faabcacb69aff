import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { obj, enumOf } from '../../schema.ts'
import { onBand } from './block-kind.ts'
import type { Look } from './look.ts'
import { blockSchema, NESTED } from './nested.ts'

const MAX_COLUMNS = 4
const MAX_IN_COLUMN = 50

const Share = Type.Integer({
  minimum: 1,
  maximum: 12,
  description: 'Share of the width in proportion to the other columns; 1 when left out.',
})

/** The schema of the block's `props` for a given schema of the blocks in its columns. */
const propsWith = <Block extends TSchema>(block: Block) =>
  obj({
    columns: Type.Array(obj({ blocks: Type.Array(block, { maxItems: MAX_IN_COLUMN }), share: Type.Optional(Share) }), {
      minItems: 2,
      maxItems: MAX_COLUMNS,
    }),
    valign: Type.Optional(enumOf(['top', 'middle', 'bottom'], { default: 'top' })),
    stack: Type.Optional(Type.Boolean({ default: true, description: 'Whether the columns are stacked on phones.' })),
    ...onBand,
  })

/** The schema of `props` with any blocks inside. Each inner block is checked by its own kind afterwards. */
export const columnsOutline = (block: TSchema): TObject => propsWith(block)

export const columns = {
  description: 'Two to four columns of blocks other than columns. They are stacked on phones.',
  props: propsWith(blockSchema(NESTED)),
}
type ColumnsProps = Static<typeof columns.props>

/** Distance between two columns in pixels. */
const GAP = 24

/** The HTML before, between and after the rows of the columns, and the look for each column. */
interface ColumnFrame {
  before: string
  between: string[]
  after: string
  looks: Look[]
}

/**
 * Columns that need no style sheet (the "hybrid" technique): inline blocks with a maximum width, which wrap where the
 * screen is too narrow. Outlook does not support inline blocks and gets a table in conditional comments.
 */
export function columnFrame(props: ColumnsProps, look: Look): ColumnFrame {
  const widths = widthsOf(props, look.inner_width + GAP)
  const looks = widths.map((width) => ({ ...look, side: 0, inner_width: width - GAP }))
  return props.stack === false ? tableFrame(props, look, widths, looks) : hybridFrame(props, look, widths, looks)
}

function hybridFrame({ valign = 'top' }: ColumnsProps, look: Look, widths: number[], looks: Look[]): ColumnFrame {
  const outlookCell = (width: number) => `<td width="${width}" valign="${valign}">`
  const column = (width: number) =>
    `<div class="m-col" style="display:inline-block;width:100%;max-width:${width}px;vertical-align:${valign};` +
    `text-align:${look.start}">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ` +
    `style="table-layout:fixed"><tr><td style="padding:0 ${GAP / 2}px">${INNER_TABLE}`
  return {
    before:
      `<tr><td class="m-cols" align="${look.start}" style="padding:0 ${look.side - GAP / 2}px;font-size:0;` +
      `text-align:${look.start}">` +
      `<!--[if mso]><table role="presentation" cellpadding="0" cellspacing="0" border="0" dir="${look.dir}"><tr>` +
      `${outlookCell(widths[0]!)}<![endif]-->${column(widths[0]!)}`,
    between: widths
      .slice(1)
      .map((width) => `${COLUMN_END}<!--[if mso]></td>${outlookCell(width)}<![endif]-->${column(width)}`),
    after: `${COLUMN_END}<!--[if mso]></td></tr></table><![endif]--></td></tr>\n`,
    looks,
  }
}

/** Columns that are never stacked are a plain table. */
function tableFrame({ valign = 'top' }: ColumnsProps, look: Look, widths: number[], looks: Look[]): ColumnFrame {
  const all = widths.reduce((sum, width) => sum + width, 0)
  const column = (width: number) =>
    `<td width="${Math.round((width / all) * 100)}%" valign="${valign}" style="padding:0 ${GAP / 2}px">${INNER_TABLE}`
  return {
    before:
      `<tr><td class="m-cols" style="padding:0 ${look.side - GAP / 2}px">` +
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ` +
      `style="table-layout:fixed"><tr>${column(widths[0]!)}`,
    between: widths.slice(1).map((width) => `</table></td>${column(width)}`),
    after: '</table></td></tr></table></td></tr>\n',
    looks,
  }
}

const INNER_TABLE =
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">\n'
const COLUMN_END = '</table></td></tr></table></div>'

/** Widths in whole pixels, rounded down: one pixel too many would wrap the last column. */
function widthsOf({ columns }: ColumnsProps, available: number): number[] {
  const shares = columns.map(({ share = 1 }) => share)
  const all = shares.reduce((sum, share) => sum + share, 0)
  return shares.map((share) => Math.floor((available * share) / all))
}
