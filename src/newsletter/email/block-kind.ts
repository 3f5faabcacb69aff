import { type Static, type TObject, Type } from '@sinclair/typebox'
import { enumOf } from '../../schema.ts'
import { Color } from './colors.ts'
import { dirAttribute, type Direction, startOf } from '../../shared/text-direction.ts'
import type { Look } from './look.ts'
import type { Template, TextHooks } from './template.ts'
import type { Warn } from './warnings.ts'

/** A kind of block: the schema of its `props`, and how it is rendered. */
export interface BlockKind<Props extends TObject> {
  description: string
  props: Props
  /** One or more complete `<tr>` elements of the message's column. */
  html(props: Static<Props>, look: Look, warn: Warn): string
  /** The plain-text part. Without it, the text of the HTML is used. */
  text?(props: Static<Props>, look: Look, hooks: TextHooks): Template
}

export const kind = <Props extends TObject>(entry: BlockKind<Props>): BlockKind<Props> => entry

/** No white space, quotes or brackets, except inside a placeholder. */
const ADDRESS = '(?:[^\\s{}"<>\\\\\\u0000-\\u001F\\u007F]|\\{\\{[^{}]{0,500}\\}\\})'
export const Href = Type.String({
  maxLength: 4000,
  pattern: `^(?:(?:[hH][tT][tT][pP][sS]?://|mailto:|tel:)${ADDRESS}+|\\{\\{[^{}]{0,500}\\}\\}${ADDRESS}*)$`,
  description: 'A URL that begins with http://, https://, mailto:, tel: or a merge tag',
})
export const Source = Type.String({
  maxLength: 4000,
  pattern: `^(?:[hH][tT][tT][pP][sS]?://${ADDRESS}+|\\{\\{[^{}]{0,500}\\}\\}${ADDRESS}*)$`,
  description: 'A URL that begins with http://, https:// or a merge tag',
})
/** `start` is left or right, depending on the direction of the text. */
export const Align = enumOf(['start', 'center', 'left', 'right'])
export type Align = Static<typeof Align>

export const sideOf = (align: Align, dir: Direction): 'left' | 'center' | 'right' =>
  align === 'start' ? startOf(dir) : align

/** The direction of a text. */
export const Dir = enumOf(['auto', 'ltr', 'rtl'], {
  default: 'auto',
  description: 'Direction of the text: left to right, right to left, or that of its first letter.',
})

/** A color, or the brand color of the project's settings. */
export const BrandColor = Type.String({
  pattern: `^brand$|${Color.pattern}`,
  description: '#rgb, #rrggbb or "brand" for the project\'s own color',
})

/** Properties of every block except the footer. Adjacent blocks of one color share one band. */
export const onBand = {
  section_color: Type.Optional(
    Type.String({
      ...BrandColor,
      description: 'A band behind the block, from edge to edge: #rgb, #rrggbb or "brand" for the project\'s own color',
    }),
  ),
}

interface CellOptions {
  /** Padding in pixels above and below. The column sets the padding at the sides. */
  above?: number
  below: number
  align?: Align
  /** The direction of the text; that of the message's language when left out. */
  dir?: Direction
  /** Keeps its colors in dark mode. */
  light?: boolean
  /** A class that scopes the rules of imported HTML. */
  scope?: string
  /** The line height grows with the font size, so that a container without a font size adds no height. */
  relativeLines?: boolean
  font?: string
}

/** One row of the message's column. */
export function cell(
  look: Look,
  content: string,
  {
    above = 0,
    below,
    align = 'start',
    dir = look.dir,
    light = false,
    scope = '',
    relativeLines = false,
    font = look.font,
  }: CellOptions,
): string {
  const classes = [look.side === 0 ? '' : 'm-side', light ? '' : look.classes.text, scope].filter(Boolean).join(' ')
  const side = sideOf(align, dir)
  return (
    `<tr><td${classes && ` class="${classes}"`}${dirAttribute(dir, look.dir)} align="${side}" ` +
    `style="padding:${above}px ${look.side}px ${below}px;${light ? `background-color:${look.background};` : ''}` +
    `font-family:${font};font-size:16px;line-height:${relativeLines ? '1.625' : '26px'};color:${look.text};` +
    `text-align:${side};` +
    `word-break:break-word">` +
    `${content}</td></tr>\n`
  )
}

/** An empty row with a height in pixels. */
export const gap = (height: number): string =>
  `<tr><td style="height:${height}px;line-height:${height}px;font-size:1px;mso-line-height-rule:exactly">&nbsp;` +
  `</td></tr>\n`
