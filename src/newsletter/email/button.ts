import { contrast, luminance, readableOn, tintOn } from './colors.ts'
import type { Look } from './look.ts'
import { escapeHtml, escapeLines } from './markup.ts'

export interface ButtonParts {
  text: string
  href: string
  /** `#rrggbb`, both. */
  ground: string
  ink: string
}

/** Padding on the link for all, and `mso-padding-alt` on the cell for Outlook, which knows no padding on links. */
export function buttonHtml({ text, href, ground, ink }: ButtonParts, look: Look): string {
  const dark = inTheDark(ground, ink, look)
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="display:inline-table;border-collapse:separate"><tr>` +
    `<td align="center" class="${look.dark.shade({ background: dark.ground })}" bgcolor="${ground}" style="border-radius:6px;background-color:${ground};mso-padding-alt:14px 28px">` +
    `<a class="${look.dark.shade({ color: dark.ink })}" href="${escapeHtml(href)}" style="display:inline-block;padding:14px 28px;font-family:${look.font};font-size:16px;` +
    `line-height:20px;font-weight:600;color:${ink};text-decoration:none">${escapeLines(text)}</a></td></tr></table>`
  )
}

/** A button as dark as what it stands on would be lost: then it is drawn lighter, and its letters follow. */
function inTheDark(ground: string, ink: string, look: Look): { ground: string; ink: string } {
  const stands = contrast(ground, look.dark_ground) >= 1.9 || luminance(look.dark_ground) > 0.1
  if (stands) return { ground, ink }
  const lighter = tintOn(look.dark_ground, ground, 2.6)
  return { ground: lighter, ink: readableOn(lighter, ink) }
}
