import { contrast, luminance, readableOn } from '../../shared/contrast.ts'
import { dirAttribute } from '../../shared/text-direction.ts'
import { tintOn } from './colors.ts'
import { directionFor } from './direction.ts'
import type { Look } from './look.ts'
import { escapeHtml, escapeLines } from './markup.ts'

/**
 * The link has the padding. Outlook ignores padding on links, so the cell has `mso-padding-alt` as well. Both colors
 * are `#rrggbb`.
 */
export function buttonHtml(
  { text, href, background, foreground }: Record<'text' | 'href' | 'background' | 'foreground', string>,
  look: Look,
): string {
  const dark = darkColors(background, foreground, look)
  const turned = dirAttribute(directionFor(text, 'auto', look.dir), look.dir)
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="display:inline-table;` +
    `border-collapse:separate"><tr>` +
    `<td${turned} align="center" class="${look.dark.shade({ background: dark.background })}" bgcolor="${background}" ` +
    `style="border-radius:6px;background-color:${background};mso-padding-alt:14px 28px">` +
    `<a class="${look.dark.shade({ color: dark.foreground })}" href="${escapeHtml(href)}" ` +
    `style="display:inline-block;padding:14px 28px;font-family:${look.font};font-size:16px;` +
    `line-height:20px;font-weight:600;color:${foreground};text-decoration:none">${escapeLines(text)}</a></td>` +
    `</tr></table>`
  )
}

/** The dark-mode colors of a button: lighter ones where it would not stand out from the dark background. */
function darkColors(background: string, foreground: string, look: Look): { background: string; foreground: string } {
  if (contrast(background, look.dark_background) >= 1.9 || luminance(look.dark_background) > 0.1)
    return { background, foreground }
  const lighter = tintOn(look.dark_background, background, 2.6)
  return { background: lighter, foreground: readableOn(lighter, foreground) }
}
