import type { projects } from '../../store/tables/accounts.ts'
import { directionOf } from '../../i18n/languages.ts'
import type { NewsletterSettings } from '../connections/settings.operations.ts'
import { brandColor, contrast, READABLE_LARGE, readableOn } from '../../shared/contrast.ts'
import { directionOfText, partOfLine, startOf } from '../../shared/text-direction.ts'

/** The project that a message comes from. */
export interface ActionSender {
  project: Pick<typeof projects.$inferSelect, 'name'>
  settings: Pick<NewsletterSettings, 'company_name' | 'postal_address' | 'brand_color'>
}

/** The texts of a message that asks the recipient for one action. */
export interface ActionTexts {
  lang: string
  subject: string
  /** The first line: what the message is about. */
  heading?: string
  request: string
  /** Names that stand in a list below the request. */
  names: string[]
  url: string
  button: string
  closing: string
}

/** A message with one button, in the project's color and with its signature, as text and as HTML. */
export function actionMessage(
  { project, settings }: ActionSender,
  texts: ActionTexts,
): { subject: string; text: string; html: string } {
  const { subject, heading, request, names, button, url, closing } = texts
  const signature = [settings.company_name || project.name, settings.postal_address].filter(Boolean)
  const list = names.map((name) => `- ${name}`).join('\n')
  const paragraphs = [heading, request, list, `${button}: ${url}`, closing, signature.join('\n')].filter(Boolean)
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: page(brandColor(settings.brand_color), { ...texts, signature }),
  }
}

const CARD = '#ffffff'
const FONTS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** The project's own text runs in the direction of its letters, which may not be that of the page. */
function page(color: string, parts: ActionTexts & { signature: string[] }): string {
  const { lang, subject: title } = parts
  const safe = Bun.escapeHTML
  const dir = directionOf(lang)
  const own = (text: string, style: string, content: string) => {
    const turned = directionOfText(text) ?? dir
    const side = turned === dir ? '' : `;text-align:${startOf(turned)}`
    return `<p dir="${turned}" style="${style}${side}">${content}</p>`
  }
  const lines = (text: string) => safe(text).replace(/\r?\n/g, '<br>')
  const paragraphs = (text: string) =>
    text
      .split(/\r?\n\s*\r?\n/)
      .map((paragraph) => own(paragraph, 'margin:0 0 16px', lines(paragraph)))
      .join('')
  const signature = parts.signature.join(' ')
  const around = directionOfText(signature) ?? dir
  const signed = parts.signature.map((part) => partOfLine(lines(part), directionOfText(part) ?? around, around))
  const edge = contrast(CARD, color) >= READABLE_LARGE ? color : '#5a6270'
  const ink = readableOn(color, '#ffffff')
  return `<!doctype html>
<html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${safe(title)}</title></head>
<body style="margin:0;background:#f4f5f7"><div lang="${lang}" dir="${dir}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"
  style="background:#f4f5f7"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"
  style="max-width:520px;background:${CARD};border-radius:8px"><tr><td
  style="padding:36px;font:16px/1.6 ${FONTS};color:#1d2129;text-align:${startOf(dir)}">
${
  parts.heading === undefined
    ? ''
    : own(parts.heading, 'margin:0 0 16px;font-size:20px;line-height:1.4', `<strong>${safe(parts.heading)}</strong>`)
}
${paragraphs(parts.request)}
${
  parts.names.length > 0
    ? `<ul style="margin:0 0 16px;padding-inline-start:20px">` +
      `${parts.names.map((name) => `<li><bdi>${safe(name)}</bdi></li>`).join('')}</ul>`
    : ''
}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td
  style="background:${color};border:2px solid ${edge};border-radius:6px"><a href="${safe(parts.url)}"
  style="display:inline-block;padding:10px 26px;color:${ink};text-decoration:none;font-weight:600">${safe(
    parts.button,
  )}</a></td></tr></table>
<p style="margin:0 0 24px;font-size:14px;color:#5a6270">${safe(parts.closing)}</p>
${own(signature, 'margin:0;font-size:13px;color:#5a6270', signed.join('<br>'))}
</td></tr></table></td></tr></table></div></body></html>
`
}
