import { READABLE, contrast, readableOn } from './colors.ts'
import type { Look } from './look.ts'
import { escapeLines } from './markup.ts'
import { compileTemplate, joinTemplates, type Template } from './template.ts'

export interface FooterProps {
  /** Something of the author's before the sender's own lines. */
  text?: string
  align?: 'left' | 'center' | 'right'
}

/**
 * What every message ends with: who sends it, from which postal address, and the way out. Its colours come
 * from the ground it stands on, never from the author, so that it can be read.
 */
export function footerHtml(look: Look, props: FooterProps, ground: string): string {
  const ink = footerInk(ground)
  const paragraph = (content: string) => `<p style="margin:0 0 12px">${content}</p>`
  const link = (tag: string, label: string) =>
    `<a class="m-mute" href="{{ ${tag} }}" style="color:${ink};text-decoration:underline">${label}</a>`
  const { company_name, postal_address, footer_text } = look.brand
  const sender = [company_name ? `<strong>${escapeLines(company_name)}</strong>` : '', escapeLines(postal_address ?? '')].filter(Boolean)
  return `<td class="m-side m-mute" align="${props.align ?? 'center'}" style="padding:28px 40px 20px;font-family:${look.font};`
    + `font-size:13px;line-height:20px;color:${ink};text-align:${props.align ?? 'center'};word-break:break-word">`
    + [props.text, footer_text].filter((text) => text?.trim()).map((text) => paragraph(escapeLines(text!))).join('')
    + (sender.length ? paragraph(sender.join('<br>')) : '')
    + paragraph(`${link('unsubscribe_url', look.words.unsubscribe)} &middot; ${link('preferences_url', look.words.preferences)}`)
    + '</td>'
}

/** The same lines in the plain-text part. */
export function footerText(look: Look, props: FooterProps): Template {
  const { company_name, postal_address, footer_text } = look.brand
  const sender = [company_name, postal_address].map((text) => text?.trim()).filter(Boolean).join('\n')
  const links = `${look.words.unsubscribe}: {{ unsubscribe_url }}\n${look.words.preferences}: {{ preferences_url }}`
  const paragraphs = [props.text, footer_text, sender, links].map((text) => text?.trim()).filter(Boolean)
  return joinTemplates(['---\n\n', compileTemplate(paragraphs.join('\n\n'), 'text')])
}

/** Quiet, but readable on any ground. */
function footerInk(ground: string): string {
  const quiet = ['#66666e', '#b4b4bc'].find((grey) => contrast(grey, ground) >= READABLE)
  return quiet ?? readableOn(ground, '#1f1f23')
}
