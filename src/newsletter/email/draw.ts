import type { TObject } from '@sinclair/typebox'
import { type BlockKind, gap } from './block-kind.ts'
import { BLOCKS, type EmailBlock } from './blocks.ts'
import { columnFrame } from './columns.ts'
import { checkLinks } from './link-check.ts'
import { type Look, lookOn } from './look.ts'
import type { NestedBlock } from './nested.ts'
import { type CompileHooks, compileTemplate, joinTemplates, type Template } from './template.ts'
import { textTemplate } from './text.ts'
import type { Warn } from './warnings.ts'

/** A block as it stands in the message: rows of a table, and its part of the plain text. */
export interface Drawn {
  /** What it stands on. */
  look: Look
  markup: string
  html: Template
  text: Template
}

/** What drawing needs beside the look. */
export interface Desk {
  about(block_id: string): Warn
  hooks(warn: Warn): CompileHooks
}

export function drawBlock(block: EmailBlock | NestedBlock, look: Look, desk: Desk): Drawn {
  const on = 'section_color' in block.props ? lookOn(look, block.props.section_color) : look
  return block.type === 'columns' ? drawColumns(block, on, desk) : drawSimple(block, on, desk)
}

function drawSimple(block: Exclude<EmailBlock, { type: 'columns' }>, look: Look, { about, hooks }: Desk): Drawn {
  const warn = about(block.id)
  const kind: BlockKind<TObject> = BLOCKS[block.type]
  const markup = kind.html(block.props, look, warn)
  checkLinks(markup, warn)
  return {
    look,
    markup,
    html: compileTemplate(markup, 'html', hooks(warn)),
    text: kind.text ? kind.text(block.props, look) : textTemplate(markup),
  }
}

function drawColumns({ props }: Extract<EmailBlock, { type: 'columns' }>, look: Look, desk: Desk): Drawn {
  const frame = columnFrame(props, look)
  const columns = props.columns.map(({ blocks }, at) =>
    blocks.map((block) => drawBlock(block, insideOf(frame.looks[at]!, block), desk)),
  )
  const html = columns.flatMap((drawn, at): (string | Template)[] => [
    at === 0 ? frame.before : frame.between[at - 1]!,
    stack(drawn, look, IN_COLUMN),
  ])
  const all = columns.flat()
  return {
    look,
    markup: all.map(({ markup }) => markup).join(''),
    html: joinTemplates([...html, frame.after]),
    text: paragraphs(all),
  }
}

/** Pixels inside of a band that does not reach the edges of the message. */
const INSET = 20

/** A band in a column keeps its words off its edges. */
function insideOf(look: Look, block: NestedBlock): Look {
  const isBand = lookOn(look, block.props.section_color) !== look
  return isBand ? { ...look, side: INSET, inner_width: look.inner_width - 2 * INSET } : look
}

/** The texts of blocks below each other. */
export function paragraphs(drawn: readonly { text: Template }[]): Template {
  const texts = drawn.map(({ text }) => text).filter((text) => text.length > 0)
  return joinTemplates(texts.flatMap((text, at) => (at === 0 ? [text] : ['\n\n', text])))
}

/** Pixels around blocks that stand below each other. */
interface Air {
  /** Above the first and below the last. */
  top: number
  bottom: number
  /** Inside of a band, above and below its words; the same where the plain ground goes on after it. */
  band_top: number
  band_bottom: number
  /** Below a band that comes last. */
  after_band: number
  /** The corners of a band that comes first or last, and the class that takes them away on phones. */
  radius: number
  corners: string
}

export const IN_LETTER: Air = {
  top: 40,
  bottom: 16,
  band_top: 32,
  band_bottom: 12,
  after_band: 0,
  radius: 8,
  corners: 'm-card ',
}
const IN_COLUMN: Air = { top: 0, bottom: 0, band_top: INSET, band_bottom: 12, after_band: 16, radius: 6, corners: '' }

/**
 * Blocks below each other. Those of one colour stand on one band, a table of its own: rows that each brought
 * their colour would show hairs of what is behind them where a screen enlarges by a fraction.
 */
export function stack(drawn: readonly Drawn[], around: Look, air: Air): Template {
  const bands = bandsOf(drawn)
  if (bands.length === 0) return [gap(air.top + air.bottom + 1)]
  return joinTemplates(
    bands.flatMap(({ look, rows }, at) => {
      const isFirst = at === 0
      const isLast = at === bands.length - 1
      if (look.ground === around.ground)
        return [gapOf(isFirst ? air.top : air.band_top), ...rows, gapOf(isLast ? air.bottom : air.band_bottom)]
      const above = isFirst ? Math.max(air.top, air.band_top) : air.band_top
      const below = isLast ? air.bottom + air.band_bottom : air.band_bottom
      const [top, bottom] = [isFirst, isLast].map((isEnd) => (isEnd ? air.radius : 0))
      return [
        `<tr><td class="${air.corners}${look.classes.ground}" bgcolor="${look.ground}" style="padding:${above}px 0 ${below}px;background-color:${look.ground};` +
          `border-radius:${top}px ${top}px ${bottom}px ${bottom}px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">\n`,
        ...rows,
        '</table></td></tr>\n',
        gapOf(isLast ? air.after_band : 0),
      ]
    }),
  )
}

const gapOf = (height: number): string => (height > 0 ? gap(height) : '')

function bandsOf(drawn: readonly Drawn[]): { look: Look; rows: Template[] }[] {
  const bands: { look: Look; rows: Template[] }[] = []
  for (const { look, html } of drawn) {
    if (html.length === 0) continue
    const last = bands.at(-1)
    if (last?.look.ground === look.ground) last.rows.push(html)
    else bands.push({ look, rows: [html] })
  }
  return bands
}
