import { type Static, type TObject, Type } from '@sinclair/typebox'
import { enumOf } from '../../schema.ts'
import { Color } from './colors.ts'
import type { Look } from './look.ts'
import type { Template } from './template.ts'
import type { Warn } from './warnings.ts'

/** A kind of block: what its `props` may be, and how it is drawn. */
export interface BlockKind<Props extends TObject> {
  description: string
  props: Props
  /** One or more `<tr>` of the column; each is whole, and gets what it needs from `look`. */
  html(props: Static<Props>, look: Look, warn: Warn): string
  /** The plain-text part, where it is more than the text of the HTML. */
  text?(props: Static<Props>, look: Look): Template
}

export const kind = <Props extends TObject>(entry: BlockKind<Props>): BlockKind<Props> => entry

/** Everything but blanks, quotes and brackets; blanks inside a placeholder. */
const ADDRESS = '(?:[^\\s{}"<>\\\\\\u0000-\\u001F\\u007F]|\\{\\{[^{}]{0,500}\\}\\})'
export const Href = Type.String({
  maxLength: 4000,
  pattern: `^(?:(?:[hH][tT][tT][pP][sS]?://|mailto:|tel:)${ADDRESS}+|\\{\\{[^{}]{0,500}\\}\\}${ADDRESS}*)$`,
  description: 'An address that begins with http://, https://, mailto:, tel: or a merge tag',
})
export const Source = Type.String({
  maxLength: 4000,
  pattern: `^(?:[hH][tT][tT][pP][sS]?://${ADDRESS}+|\\{\\{[^{}]{0,500}\\}\\}${ADDRESS}*)$`,
  description: 'An address that begins with http://, https:// or a merge tag',
})
/** `start` is where a line begins in the language of the message. */
export const Align = enumOf(['start', 'center', 'left', 'right'])
export type Align = Static<typeof Align>

export const sideOf = (align: Align, look: Look): 'left' | 'center' | 'right' =>
  align === 'start' ? look.start : align

/** A colour, or the one that the settings give the project. */
export const BrandColor = Type.String({
  pattern: `^brand$|${Color.pattern}`,
  description: '#rgb, #rrggbb or "brand" for the project\'s own colour',
})

/** For every block but the footer. Blocks of one colour that follow each other stand on one band. */
export const onBand = {
  section_color: Type.Optional(
    Type.String({
      ...BrandColor,
      description: 'A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project\'s own colour',
    }),
  ),
}

interface CellOptions {
  /** Pixels above and below; the sides are the column's. */
  above?: number
  below: number
  align?: Align
  /** Stays as it is in dark mode. */
  light?: boolean
  font?: string
}

/** One row of the column. */
export function cell(
  look: Look,
  content: string,
  { above = 0, below, align = 'start', light = false, font = look.font }: CellOptions,
): string {
  const classes = [look.side === 0 ? '' : 'm-side', light ? '' : look.classes.text].filter(Boolean).join(' ')
  const side = sideOf(align, look)
  return (
    `<tr><td${classes && ` class="${classes}"`} align="${side}" style="padding:${above}px ${look.side}px ${below}px;${light ? `background-color:${look.ground};` : ''}` +
    `font-family:${font};font-size:16px;line-height:26px;color:${look.text};text-align:${side};word-break:break-word">` +
    `${content}</td></tr>\n`
  )
}

/** An empty row, so many pixels high. */
export const gap = (height: number): string =>
  `<tr><td style="height:${height}px;line-height:${height}px;font-size:1px;mso-line-height-rule:exactly">&nbsp;</td></tr>\n`
