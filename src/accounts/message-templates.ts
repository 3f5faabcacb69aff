/** What the service itself writes to people: a few words, and at most one link. */
export interface Letter {
  subject: string
  text: string
  html: string
}

interface Words {
  subject: string
  paragraphs: string[]
  link?: { words: string; address: string }
  closing: string
}

export function resetLetter({ link, base_url }: { link: string; base_url: string }): Letter {
  return letter(base_url, {
    subject: 'Choose a new password',
    paragraphs: [
      `Somebody asked for a new password for your account at ${hostOf(base_url)}. With this link you choose one. It works once, for an hour.`,
    ],
    link: { words: 'Choose a new password', address: link },
    closing: 'If it was not you, you need do nothing: your password stays as it is.',
  })
}

export function passwordChangedLetter({ portal_url, base_url }: { portal_url: string; base_url: string }): Letter {
  return letter(base_url, {
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${hostOf(base_url)} was changed just now, and you were signed out everywhere else.`,
    ],
    closing: `If it was not you, ask for a new password at once: ${portal_url}/reset`,
  })
}

export interface InvitationWords {
  /** The inviter's name, or address where there is none. */
  inviter: string
  project: string
  /** With its article: "an editor". */
  role: string
  link: string
  base_url: string
}

export function invitationLetter({ inviter, project, role, link, base_url }: InvitationWords): Letter {
  return letter(base_url, {
    subject: `Invitation to the project “${project}”`,
    paragraphs: [
      `${inviter} invites you to the project “${project}” at ${hostOf(base_url)}, as ${role}. The link works once, for seven days.`,
    ],
    link: { words: 'Look at the invitation', address: link },
    closing: 'If you do not know what this is about, you need do nothing.',
  })
}

function hostOf(base_url: string): string {
  return new URL(base_url).host
}

function letter(base_url: string, { subject, paragraphs, link, closing }: Words): Letter {
  const signature = `Masthead, ${base_url}`
  const text = [...paragraphs, ...(link ? [link.address] : []), closing, signature].join('\n\n') + '\n'
  return { subject, text, html: page(subject, paragraphs, link, closing, signature) }
}

function page(title: string, paragraphs: string[], link: Words['link'], closing: string, signature: string): string {
  const safe = Bun.escapeHTML
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${safe(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f5f2;color:#1c1e21;font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${safe(paragraph)}</p>`).join('\n')}
${link ? `<p style="margin:24px 0"><a href="${safe(link.address)}" style="display:inline-block;padding:12px 24px;background:#0b5a6e;border-radius:6px;color:#ffffff;text-decoration:none;font-weight:600">${safe(link.words)}</a></p>` : ''}
<p style="margin:0 0 16px;font-size:14px;color:#5c6066">${safe(closing)}</p>
<p style="margin:0;font-size:13px;color:#5c6066">${safe(signature)}</p>
</div></body></html>
`
}
