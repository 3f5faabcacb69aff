import { type Static, type TObject, Type } from '@sinclair/typebox'
import { line, obj, prose, words } from '../../schema.ts'
import { Color, contrast, longHex, READABLE, readableOn } from './colors.ts'
import { bringsColors, dressContent, HEADINGS } from './content.ts'
import { footerHtml, footerText } from './footer.ts'
import { type Look, SIDE } from './look.ts'
import { escapeHtml, escapeLines } from './markup.ts'
import { sanitizeHtml } from './sanitize.ts'
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

const kind = <Props extends TObject>(entry: BlockKind<Props>): BlockKind<Props> => entry

/** Everything but blanks, quotes and brackets; blanks inside a placeholder. */
const ADDRESS = '(?:[^\\s{}"<>\\\\\\u0000-\\u001F\\u007F]|\\{\\{[^{}]{0,500}\\}\\})'
const Href = Type.String({
  maxLength: 4000,
  pattern: `^(?:(?:[hH][tT][tT][pP][sS]?://|mailto:|tel:)${ADDRESS}+|\\{\\{[^{}]{0,500}\\}\\}${ADDRESS}*)$`,
  description: 'An address that begins with http://, https://, mailto:, tel: or a merge tag',
})
const Source = Type.String({
  maxLength: 4000,
  pattern: `^(?:[hH][tT][tT][pP][sS]?://${ADDRESS}+|\\{\\{[^{}]{0,500}\\}\\}${ADDRESS}*)$`,
  description: 'An address that begins with http://, https:// or a merge tag',
})
const Align = words(['left', 'center', 'right'])

/** Every kind of block. A new one is an entry here. */
export const BLOCKS = {
  text: kind({
    description: 'Formatted text: paragraphs, headings, lists, links, images. Sanitized HTML with merge tags.',
    props: obj({ html: prose(200_000) }),
    html: ({ html }, look, warn) => {
      const safe = sanitizeHtml(html)
      return cell(look, dressContent(safe, look, warn), { padding: '0 0 8px', light: bringsColors(safe) })
    },
  }),

  html: kind({
    description: 'Imported markup, sanitized: tables and inline styles stay; scripts, forms, style sheets and comments go.',
    props: obj({ html: prose(200_000) }),
    html: ({ html }, look, warn) => {
      const safe = sanitizeHtml(html)
      return cell(look, dressContent(safe, look, warn, true), { padding: '0 0 16px', light: bringsColors(safe) })
    },
  }),

  heading: kind({
    description: 'A heading of level 1, 2 or 3.',
    props: obj({ text: line(500, { min: 1 }), level: Type.Integer({ minimum: 1, maximum: 3 }), align: Type.Optional(Align) }),
    html: ({ text, level, align }, look) => {
      const [size, height, weight] = HEADINGS[level as 1 | 2 | 3]
      const style = `margin:0;font-size:${size}px;line-height:${height}px;font-weight:${weight};letter-spacing:-0.01em`
      return cell(look, `<h${level} class="m-h${level}" style="${style}">${escapeHtml(text)}</h${level}>`, { padding: '0 0 16px', align })
    },
  }),

  button: kind({
    description: 'A link drawn as a button.',
    props: obj({
      text: line(200, { min: 1 }),
      href: Href,
      background_color: Type.Optional(Color),
      text_color: Type.Optional(Color),
      align: Type.Optional(Align),
    }),
    html: (props, look, warn) => {
      const ground = longHex(props.background_color) ?? look.accent
      const ink = longHex(props.text_color) ?? readableOn(ground, '#ffffff')
      if (contrast(ground, ink) < READABLE) warn('low_contrast', 'The text of a button is hard to read on its colour.')
      return cell(look, button(props.text, props.href, ground, ink, look), { padding: '8px 0 26px', align: props.align })
    },
  }),

  image: kind({
    description: 'A picture, as wide as the column unless `width` (pixels) says less. `alt` is read out; empty for decoration.',
    props: obj({
      src: Source,
      alt: line(1000),
      width: Type.Optional(Type.Integer({ minimum: 1, maximum: 1600 })),
      href: Type.Optional(Href),
      align: Type.Optional(Align),
    }),
    html: ({ src, alt, width, href, align }, look, warn) => {
      const shown = Math.min(width ?? look.inner_width, look.inner_width)
      const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" width="${shown}" `
        + `style="display:inline-block;width:100%;max-width:${shown}px;height:auto;border:0;vertical-align:top">`
      if (href && !alt.trim()) warn('link_without_text', 'A picture is a link and has no alternative text.')
      const linked = href ? `<a href="${escapeHtml(href)}" style="text-decoration:none">${image}</a>` : image
      return cell(look, linked, { padding: '4px 0 24px', align: align ?? 'center' })
    },
  }),

  divider: kind({
    description: 'A line across the column.',
    props: obj({ color: Type.Optional(Color), thickness: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Pixels.' })) }),
    html: ({ color, thickness }, look) => {
      const rule = `border-top:${thickness ?? 1}px solid ${longHex(color) ?? '#dededf'};font-size:1px;line-height:1px;height:1px`
      const inner = `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>`
        + `<td${color ? '' : ' class="m-rule"'} style="${rule}">&nbsp;</td></tr></table>`
      return cell(look, inner, { padding: '12px 0 28px' })
    },
    text: () => ['---'],
  }),

  footer: kind({
    description: 'Sender, postal address and the way to unsubscribe. Added at the end where a document has none.',
    props: obj({ text: Type.Optional(prose(2000)), align: Type.Optional(Align) }),
    html: (props, look) => `<tr>${footerHtml(look, props, look.card)}</tr>`,
    text: (props, look) => footerText(look, props),
  }),
}

export type BlockType = keyof typeof BLOCKS

/** The block types of `schema/get`; `props` is JSON Schema. */
export const BLOCK_TYPES: readonly { type: BlockType; description: string; props: TObject }[] =
  Object.entries(BLOCKS).map(([type, { description, props }]) => ({ type: type as BlockType, description, props }))

interface CellOptions {
  /** Above, right, below, left; the sides are the column's. */
  padding: string
  align?: 'left' | 'center' | 'right'
  /** Stays light in dark mode. */
  light?: boolean
}

/** One row of the column. */
function cell(look: Look, content: string, { padding, align = look.start, light = false }: CellOptions): string {
  const [above, , below] = padding.split(' ')
  const ground = light ? `background-color:${look.card};` : ''
  return `<tr><td class="m-side${light ? '' : ' m-ink'}" align="${align}" style="padding:${above} ${SIDE}px ${below};${ground}`
    + `font-family:${look.font};font-size:16px;line-height:26px;color:${look.text};text-align:${align};word-break:break-word">`
    + `${content}</td></tr>\n`
}

/** Padding on the link for all, and `mso-padding-alt` on the cell for Outlook, which knows no padding on links. */
function button(text: string, href: string, ground: string, ink: string, look: Look): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="display:inline-table;border-collapse:separate"><tr>`
    + `<td align="center" bgcolor="${ground}" style="border-radius:6px;background-color:${ground};mso-padding-alt:14px 28px">`
    + `<a href="${escapeHtml(href)}" style="display:inline-block;padding:14px 28px;font-family:${look.font};font-size:16px;`
    + `line-height:20px;font-weight:600;color:${ink};text-decoration:none">${escapeLines(text)}</a></td></tr></table>`
}
