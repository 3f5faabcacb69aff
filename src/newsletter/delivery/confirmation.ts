import type { Keys } from '../../secrets.ts'
import type { projects } from '../../store/tables/accounts.ts'
import { confirmationToken, confirmUrl } from './links.ts'
import type { NewsletterSettings } from './settings.ts'

interface ConfirmationParts {
  project: Pick<typeof projects.$inferSelect, 'name'>
  settings: Pick<NewsletterSettings, 'confirmation_subject' | 'confirmation_text' | 'company_name' | 'postal_address' | 'locale' | 'brand_color'>
  keys: Keys
  base_url: string
  contact_id: number
  email: string
  lists: { id: number; name: string }[]
}

/** The message that asks somebody to confirm a subscription (double opt-in): the owner's words, one link, who asks. */
export function confirmationMessage(parts: ConfirmationParts): { subject: string; text: string; html: string } {
  const { project, settings } = parts
  const url = confirmUrl(parts.base_url, confirmationToken(parts.keys, { contact_id: parts.contact_id, email: parts.email, list_ids: parts.lists.map(({ id }) => id) }))
  const subject = settings.confirmation_subject || `Please confirm your subscription to ${project.name}`
  const request = settings.confirmation_text || `You asked to receive messages from ${project.name}. Please confirm that this is your address.`
  const names = parts.lists.map(({ name }) => name)
  const closing = 'If you did not ask for this, you need do nothing: without your confirmation nothing will be sent.'
  const signature = [settings.company_name || project.name, settings.postal_address].filter(Boolean)
  return {
    subject,
    text: [request, ...(names.length > 0 ? [names.map((name) => `- ${name}`).join('\n')] : []), `Confirm: ${url}`, closing, signature.join('\n')].join('\n\n') + '\n',
    html: page(settings.locale, subject, settings.brand_color || '#1f4b99', { request, names, url, closing, signature }),
  }
}

interface Words {
  request: string
  names: string[]
  url: string
  closing: string
  signature: string[]
}

function page(locale: string, title: string, color: string, words: Words): string {
  const safe = Bun.escapeHTML
  const dir = /^(ar|he|fa|ur)\b/i.test(locale) ? 'rtl' : 'ltr'
  const paragraphs = (text: string) => text.split(/\r?\n\s*\r?\n/).map((paragraph) => `<p style="margin:0 0 16px">${safe(paragraph).replace(/\r?\n/g, '<br>')}</p>`).join('')
  return `<!doctype html>
<html lang="${safe(locale)}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${safe(title)}</title></head>
<body style="margin:0;background:#f4f5f7"><div lang="${safe(locale)}" dir="${dir}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f5f7"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#ffffff;border-radius:8px"><tr><td style="padding:36px;font:16px/1.6 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1d2129">
${paragraphs(words.request)}
${words.names.length > 0 ? `<ul style="margin:0 0 16px;padding-inline-start:20px">${words.names.map((name) => `<li>${safe(name)}</li>`).join('')}</ul>` : ''}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td style="background:${safe(color)};border-radius:6px"><a href="${safe(words.url)}" style="display:inline-block;padding:12px 28px;color:#ffffff;text-decoration:none;font-weight:600">Confirm my subscription</a></td></tr></table>
<p style="margin:0 0 24px;font-size:14px;color:#5a6270">${safe(words.closing)}</p>
<p style="margin:0;font-size:13px;color:#5a6270">${words.signature.map((line) => safe(line).replace(/\r?\n/g, '<br>')).join('<br>')}</p>
</td></tr></table></td></tr></table></div></body></html>
`
}
