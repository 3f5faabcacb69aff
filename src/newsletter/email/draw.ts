import type { TObject } from '@sinclair/typebox'
import { type BlockKind, gap } from './block-kind.ts'
import { BLOCKS, type EmailBlock } from './blocks.ts'
import { columnFrame } from './columns.ts'
import { checkLinks } from './link-check.ts'
import { type Look, lookOn } from './look.ts'
import { markRows } from './marks.ts'
import { checkSamples } from './samples.ts'
import type { NestedBlock } from './nested.ts'
import { type CompileHooks, compileTemplate, joinTemplates, type Template } from './template.ts'
import { textTemplate } from './text.ts'
import type { Warn } from './warnings.ts'

/** A rendered block: its table rows, and its part of the plain text. */
export interface Drawn {
  /** The look of the background behind the block. */
  look: Look
  markup: string
  html: Template
  text: Template
}

/** The parameters of rendering in addition to the design. */
interface DrawContext {
  about(block_id: string): Warn
  hooks(warn: Warn): CompileHooks
  /** Each block's cells carry its id. */
  mark_blocks: boolean
  /** Warns about texts that still come from a design of the gallery. */
  find_samples: boolean
}

export function drawBlock(block: EmailBlock | NestedBlock, look: Look, context: DrawContext): Drawn {
  const on = 'section_color' in block.props ? lookOn(look, block.props.section_color) : look
  return block.type === 'columns' ? drawColumns(block, on, context) : drawSimple(block, on, context)
}

function drawSimple(block: Exclude<EmailBlock, { type: 'columns' }>, look: Look, context: DrawContext): Drawn {
  const warn = context.about(block.id)
  const kind: BlockKind<TObject> = BLOCKS[block.type]
  const hooks = context.hooks(warn)
  const markup = kind.html(block.props, look, warn)
  checkLinks(markup, warn)
  if (context.find_samples) checkSamples(markup, warn)
  return {
    look,
    markup,
    html: compileTemplate(context.mark_blocks ? markRows(markup, block.id) : markup, 'html', hooks),
    text: kind.text ? kind.text(block.props, look, hooks) : textTemplate(markup, hooks),
  }
}

function drawColumns({ id, props }: Extract<EmailBlock, { type: 'columns' }>, look: Look, context: DrawContext): Drawn {
  const frame = columnFrame(props, look)
  const before = context.mark_blocks ? markRows(frame.before, id) : frame.before
  const columns = props.columns.map(({ blocks }, at) =>
    blocks.map((block) => drawBlock(block, insideOf(frame.looks[at]!, block), context)),
  )
  const html = columns.flatMap((drawn, at): (string | Template)[] => [
    at === 0 ? before : frame.between[at - 1]!,
    stack(drawn, look, COLUMN_SPACING),
  ])
  const all = columns.flat()
  return {
    look,
    markup: all.map(({ markup }) => markup).join(''),
    html: joinTemplates([...html, frame.after]),
    text: paragraphs(all),
  }
}

/** Padding in pixels inside a band in a column. */
const INSET = 20

/** A band in a column gets padding, because it does not reach the edges of the message. */
function insideOf(look: Look, block: NestedBlock): Look {
  return lookOn(look, block.props.section_color) !== look
    ? { ...look, side: INSET, inner_width: look.inner_width - 2 * INSET }
    : look
}

/** The plain texts of blocks, separated by empty lines. */
export function paragraphs(drawn: readonly { text: Template }[]): Template {
  return joinTemplates(
    drawn
      .map(({ text }) => text)
      .filter((text) => text.length > 0)
      .flatMap((text, at) => (at === 0 ? [text] : ['\n\n', text])),
  )
}

/** Distances in pixels around a stack of blocks. */
interface Spacing {
  /** Above the first block and below the last. */
  top: number
  bottom: number
  /** Above and below the content of a band, and between a band and blocks without one. */
  band_top: number
  band_bottom: number
  /** Below a band at the end. */
  after_band: number
  /** Corner radius of a band at the beginning or end, and the class that removes it on phones. */
  radius: number
  corners: string
}

export const MESSAGE_SPACING: Spacing = {
  top: 40,
  bottom: 16,
  band_top: 32,
  band_bottom: 12,
  after_band: 0,
  radius: 8,
  corners: 'm-card ',
}
const COLUMN_SPACING: Spacing = {
  top: 0,
  bottom: 0,
  band_top: INSET,
  band_bottom: 12,
  after_band: 16,
  radius: 6,
  corners: '',
}

/**
 * Stacks blocks. Adjacent blocks of one color share a band, which is a table of its own: rows with a background each
 * would show thin gaps between them on screens with fractional scaling.
 */
export function stack(drawn: readonly Drawn[], around: Look, spacing: Spacing): Template {
  const bands = bandsOf(drawn)
  if (bands.length === 0) return [gap(spacing.top + spacing.bottom + 1)]
  return joinTemplates(
    bands.flatMap(({ look, rows }, at) => {
      const isFirst = at === 0
      const isLast = at === bands.length - 1
      if (look.background === around.background)
        return [
          gapOf(isFirst ? spacing.top : spacing.band_top),
          ...rows,
          gapOf(isLast ? spacing.bottom : spacing.band_bottom),
        ]
      const above = isFirst ? Math.max(spacing.top, spacing.band_top) : spacing.band_top
      const below = isLast ? spacing.bottom + spacing.band_bottom : spacing.band_bottom
      const [top, bottom] = [isFirst, isLast].map((isEnd) => (isEnd ? spacing.radius : 0))
      return [
        `<tr><td class="${spacing.corners}${look.classes.background}" bgcolor="${look.background}" ` +
          `style="padding:${above}px 0 ${below}px;background-color:${look.background};` +
          `border-radius:${top}px ${top}px ${bottom}px ${bottom}px"><table role="presentation" width="100%" ` +
          `cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">\n`,
        ...rows,
        '</table></td></tr>\n',
        gapOf(isLast ? spacing.after_band : 0),
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
    if (last?.look.background === look.background) last.rows.push(html)
    else bands.push({ look, rows: [html] })
  }
  return bands
}
