import type { Keys } from '../../secrets.ts'
import type { projects } from '../../store/tables/accounts.ts'
import { directionOf, translationsFor } from '../../i18n/languages.ts'
import { contrast, longHex, READABLE_LARGE, readableOn } from '../email/colors.ts'
import { publicUrl } from '../tracking/links.ts'
import { createConfirmationToken } from '../tracking/tokens.ts'
import type { NewsletterSettings } from '../connections/settings.operations.ts'

interface ConfirmationParts {
  project: Pick<typeof projects.$inferSelect, 'name'>
  settings: Pick<
    NewsletterSettings,
    'confirmation_subject' | 'confirmation_text' | 'company_name' | 'postal_address' | 'locale' | 'brand_color'
  >
  keys: Keys
  base_url: string
  contact_id: number
  email: string
  lists: { id: number; name: string }[]
}

/**
 * The message that asks a contact to confirm memberships: the project's own text, one link and the sender's name.
 * See docs/api/consent.md#double-opt-in.
 */
export function confirmationMessage(parts: ConfirmationParts): { subject: string; text: string; html: string } {
  const { project, settings } = parts
  const { lang, confirmation } = translationsFor(settings.locale)
  const url = publicUrl(
    parts.base_url,
    'confirm',
    createConfirmationToken(parts.keys, {
      contact_id: parts.contact_id,
      email: parts.email,
      list_ids: parts.lists.map(({ id }) => id),
    }),
  )
  const subject = settings.confirmation_subject || confirmation.subject(project.name)
  const request = settings.confirmation_text || confirmation.request(project.name)
  const names = parts.lists.map(({ name }) => name)
  const signature = [settings.company_name || project.name, settings.postal_address].filter(Boolean)
  return {
    subject,
    text:
      [
        request,
        ...(names.length > 0 ? [names.map((name) => `- ${name}`).join('\n')] : []),
        `${confirmation.button}: ${url}`,
        confirmation.closing,
        signature.join('\n'),
      ].join('\n\n') + '\n',
    html: page(lang, subject, longHex(settings.brand_color) ?? BRAND, {
      request,
      names,
      url,
      button: confirmation.button,
      closing: confirmation.closing,
      signature,
    }),
  }
}

interface Parts {
  request: string
  names: string[]
  url: string
  button: string
  closing: string
  signature: string[]
}

const BRAND = '#1f4b99'
const CARD = '#ffffff'
const FONTS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** The project's own text has `dir="auto"`: it may run in another direction than the language of the page. */
function page(lang: string, title: string, color: string, parts: Parts): string {
  const safe = Bun.escapeHTML
  const dir = directionOf(lang)
  const lines = (text: string) => safe(text).replace(/\r?\n/g, '<br>')
  const paragraphs = (text: string) =>
    text
      .split(/\r?\n\s*\r?\n/)
      .map((paragraph) => `<p dir="auto" style="margin:0 0 16px">${lines(paragraph)}</p>`)
      .join('')
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
  style="padding:36px;font:16px/1.6 ${FONTS};color:#1d2129;text-align:${dir === 'rtl' ? 'right' : 'left'}">
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
<p dir="auto" style="margin:0;font-size:13px;color:#5a6270">${parts.signature.map(lines).join('<br>')}</p>
</td></tr></table></td></tr></table></div></body></html>
`
}
