import { directionOf } from '../i18n/languages.ts'

/** The content of an account message: a few sentences and at most one link. */
export interface MessageContent {
  subject: string
  text: string
  html: string
  reply_to?: { email: string }
}

/** The parts of a message: a paragraph may have several lines; the closing stands below the link. */
export interface MessageParts {
  subject: string
  paragraphs: string[]
  link?: { label: string; address: string }
  closing: string
  /** English unless said otherwise. */
  lang?: string
}

export function resetMessage({ link, base_url }: { link: string; base_url: string }): MessageContent {
  return message(base_url, {
    subject: 'Choose a new password',
    paragraphs: [
      `A new password was requested for your account at ${hostOf(base_url)}. Choose one with this link. ` +
        'It works once, for an hour.',
    ],
    link: { label: 'Choose a new password', address: link },
    closing: 'If it was not you, ignore this message: your password stays as it is.',
  })
}

export function passwordChangedMessage({
  portal_url,
  base_url,
}: {
  portal_url: string
  base_url: string
}): MessageContent {
  return message(base_url, {
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${hostOf(base_url)} was changed just now. All other devices were signed out.`,
    ],
    closing: `If it was not you, ask for a new password at once: ${portal_url}/reset`,
  })
}

interface InvitationDetails {
  /** The inviter's name, or address when there is no name. */
  inviter: string
  project: string
  /** With its article: "an editor". */
  role: string
  link: string
  base_url: string
}

export function invitationMessage({ inviter, project, role, link, base_url }: InvitationDetails): MessageContent {
  return message(base_url, {
    // A subject is read before the message is opened, so it has no words of people who use the service.
    subject: `Invitation to a project at ${hostOf(base_url)}`,
    paragraphs: [
      `${inviter} invites you to the project “${project}” at ${hostOf(base_url)}, as ${role}. ` +
        'The link works once, for seven days.',
    ],
    link: { label: 'View the invitation', address: link },
    closing: 'If you did not expect this, ignore it.',
  })
}

/** The host of the service, as messages name it. */
export function hostOf(base_url: string): string {
  return new URL(base_url).host
}

/** Renders a message as text and HTML. */
export function message(base_url: string, { subject, paragraphs, link, closing, lang }: MessageParts): MessageContent {
  const signature = `Masthead, ${base_url}`
  const text = [...paragraphs, ...(link ? [link.address] : []), closing, signature].join('\n\n') + '\n'
  return { subject, text, html: page({ subject, paragraphs, link, closing, lang }, signature) }
}

const FONT = "font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const BUTTON =
  'display:inline-block;padding:12px 24px;background:#0b5a6e;border-radius:6px;' +
  'color:#ffffff;text-decoration:none;font-weight:600'

function page({ subject, paragraphs, link, closing, lang = 'en' }: MessageParts, signature: string): string {
  const safe = Bun.escapeHTML
  const lines = (text: string) => safe(text).replaceAll('\n', '<br>')
  const button = (address: string, label: string) =>
    `<p style="margin:24px 0"><a href="${safe(address)}" style="${BUTTON}">${safe(label)}</a></p>`
  return `<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${safe(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f5f2;color:#1c1e21;${FONT}">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${lines(paragraph)}</p>`).join('\n')}
${link ? button(link.address, link.label) : ''}
<p style="margin:0 0 16px;font-size:14px;color:#5c6066">${safe(closing)}</p>
<p style="margin:0;font-size:13px;color:#5c6066">${safe(signature)}</p>
</div></body></html>
`
}
