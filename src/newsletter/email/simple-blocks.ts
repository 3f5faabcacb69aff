import { Type } from '@sinclair/typebox'
import { line, obj, prose } from '../../schema.ts'
import { Align, BrandColor, cell, Dir, gap, Href, kind, onBand, Source } from './block-kind.ts'
import { buttonHtml } from './button.ts'
import { contrast, longHex, luminance, READABLE, READABLE_LARGE, readableOn } from '../../shared/contrast.ts'
import { Color, tintOn } from './colors.ts'
import { styleContent, HEADINGS, keepsLight } from './content.ts'
import { checkContrast } from './content-contrast.ts'
import { darkForeground } from './dark.ts'
import { directionFor, directionOfLine } from './direction.ts'
import type { Direction } from '../../shared/text-direction.ts'
import { FontFamily, type Look } from './look.ts'
import { buttonColors } from '../../shared/letter-colors.ts'
import { escapeHtml } from './markup.ts'
import { collectRemoved } from './removed.ts'
import { sanitizeHtml, sanitizeImport } from './sanitize.ts'
import type { Warn } from './warnings.ts'

/** Blocks with the author's own text and images, and no blocks inside. */

export const text = kind({
  description: 'Formatted text: paragraphs, headings, lists, links, images. Sanitized HTML with merge tags.',
  props: obj({ html: prose(200_000), align: Type.Optional(Align), ...onBand }),
  html: ({ html, align }, look, warn) => {
    const { note, warnAbout } = collectRemoved()
    const safe = sanitizeHtml(html, note)
    warnAbout(warn)
    const dir = directionOfLine(safe) ?? look.dir
    return authored(safe, look, warn, { below: 8, align, dir, light: keepsLight(safe) })
  },
})

export const html = kind({
  description:
    'Imported HTML, sanitized: tables, inline styles, media queries and columns for Outlook stay, simple rules of ' +
    'style sheets become inline styles, scripts, forms and comments are removed.',
  props: obj({ html: prose(200_000), ...onBand }),
  html: ({ html }, look, warn) => {
    const scope = look.imported.nextScope()
    const { note, warnAbout } = collectRemoved()
    const { html: safe, css, has_dark } = sanitizeImport(html, scope, note)
    warnAbout(warn)
    look.imported.add(css)
    const light = keepsLight(safe)
    // With dark rules of its own, a design goes dark with the message.
    return authored(safe, look, warn, {
      below: 16,
      bare: true,
      light,
      lightCell: light && !has_dark,
      scope: css && scope,
    })
  },
})

interface Authored {
  below: number
  align?: Align
  dir?: Direction
  bare?: boolean
  /** The content keeps its colors in dark mode, and the cell around it as well unless `lightCell` is false. */
  light: boolean
  lightCell?: boolean
  scope?: string
}

function authored(
  safe: string,
  look: Look,
  warn: Warn,
  { bare = false, light, lightCell = light, ...around }: Authored,
): string {
  checkContrast(safe, look, warn)
  const aligned = (around.align ?? 'start') !== 'start'
  const styled = styleContent(safe, look, warn, { bare, light, aligned, around: around.dir })
  return cell(look, styled, { ...around, light: lightCell, relativeLines: bare })
}

export const heading = kind({
  description: 'A heading of level 1, 2 or 3.',
  props: obj({
    text: line(500, { min: 1 }),
    level: Type.Integer({ minimum: 1, maximum: 3 }),
    align: Type.Optional(Align),
    dir: Type.Optional(Dir),
    size: Type.Optional(
      Type.Integer({
        minimum: 12,
        maximum: 80,
        description: 'Pixels; depends on the level when left out. Large headings are smaller on phones.',
      }),
    ),
    color: Type.Optional(BrandColor),
    font_family: Type.Optional(FontFamily),
    ...onBand,
  }),
  html: ({ text, level, align, dir: chosen, size, color, font_family }, look, warn) => {
    const dir = directionFor(text, chosen, look.dir)
    const [own, height, weight] = HEADINGS[level as 1 | 2 | 3]
    const foreground = color === 'brand' ? readableOn(look.background, look.accent) : longHex(color)
    if (foreground && contrast(foreground, look.background) < READABLE_LARGE)
      warn('low_contrast', 'A heading is hard to read on its background.')
    const classes = [
      size ? phoneSize(size) : `m-h${level}`,
      foreground ? look.dark.shade({ color: darkForeground(look.dark_background, foreground) }) : '',
    ]
      .filter(Boolean)
      .join(' ')
    const style =
      `margin:0;font-size:${size ?? own}px;line-height:${size ? Math.round(size * 1.16 + 4) : height}px;` +
      `font-weight:${weight}` +
      (dir === 'rtl' ? '' : ';letter-spacing:-0.015em') + // it would separate joined letters
      (foreground ? `;color:${foreground}` : '')
    return cell(
      look,
      `<h${level}${classes && ` class="${classes}"`} style="${style}">${escapeHtml(text)}</h${level}>`,
      {
        below: 16,
        align,
        dir,
        font: font_family?.replaceAll('"', "'"),
      },
    )
  },
})

/** The class that makes large text smaller on phones, where a long word would not fit. */
const phoneSize = (size: number): string => (size > 60 ? 'm-h00' : size > 36 ? 'm-h0' : '')

export const button = kind({
  description: 'A link shown as a button.',
  props: obj({
    text: line(200, { min: 1 }),
    href: Href,
    background_color: Type.Optional(Color),
    text_color: Type.Optional(Color),
    align: Type.Optional(Align),
    ...onBand,
  }),
  html: ({ text, href, background_color, text_color, align }, look, warn) => {
    const { background, foreground } = buttonColors({ background_color, text_color }, look, look.accent)
    if (contrast(background, foreground) < READABLE)
      warn('low_contrast', 'The text of a button is hard to read on its background.')
    return cell(look, buttonHtml({ text, href, background, foreground }, look), { above: 8, below: 26, align })
  },
})

export const image = kind({
  description:
    'An image, as wide as the column or `width` pixels. Screen readers read `alt`; leave it empty for decoration.',
  props: obj({
    src: Source,
    alt: line(1000),
    width: Type.Optional(Type.Integer({ minimum: 1, maximum: 1600 })),
    href: Type.Optional(Href),
    align: Type.Optional(Align),
    ...onBand,
  }),
  html: ({ src, alt, width, href, align }, look) => {
    const shown = Math.min(width ?? look.inner_width, look.inner_width)
    const image =
      `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" width="${shown}" ` +
      `style="display:inline-block;width:100%;max-width:${shown}px;height:auto;border:0;vertical-align:top">`
    return cell(
      look,
      href ? `<a href="${escapeHtml(href)}" style="text-decoration:none;color:${look.link}">${image}</a>` : image,
      { above: 4, below: 24, align: align ?? 'center' },
    )
  },
})

export const divider = kind({
  description: 'A line across the column.',
  props: obj({
    color: Type.Optional(Color),
    thickness: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Pixels.' })),
    ...onBand,
  }),
  html: ({ color, thickness = 1 }, look) => {
    const line = longHex(color) ?? (luminance(look.background) > 0.4 ? '#dededf' : look.quiet)
    const dark =
      color && contrast(line, look.dark_background) >= 1.6
        ? line
        : tintOn(look.dark_background, color ? line : look.dark_background, color ? READABLE_LARGE : 1.4)
    const inner =
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>` +
      `<td class="${look.dark.shade({ background: dark })}" bgcolor="${line}" ` +
      `style="height:${thickness}px;line-height:${thickness}px;font-size:1px;mso-line-height-rule:exactly;` +
      `background-color:${line}">&nbsp;</td></tr></table>`
    return cell(look, inner, { above: 12, below: 28 })
  },
  text: () => ['---'],
})

export const spacer = kind({
  description: 'Empty space with a height in pixels.',
  props: obj({ height: Type.Integer({ minimum: 1, maximum: 200 }), ...onBand }),
  html: ({ height }) => gap(height),
})
