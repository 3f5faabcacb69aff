import { type Align, sideOf } from './block-kind.ts'
import type { Look } from './look.ts'
import { directionFor } from './direction.ts'
import { dirAttribute, partOfLine, startOf } from '../../shared/text-direction.ts'
import { escapeLines } from './markup.ts'
import { joinTemplates, type Template } from './template.ts'
import { textLines } from './text.ts'

export interface FooterProps {
  /** The author's text above the sender's lines. */
  text?: string
  align?: Align
  /** Adds a link that opens the message in the browser. */
  view_link?: boolean
}

/**
 * The end of every message: sender, postal address and, for a recipient, the unsubscribe link. Its colors follow from
 * the background and never from the author, so it is always readable.
 */
export function footerHtml(look: Look, props: FooterProps): string {
  // The sender's text may have another direction than the language of the message.
  const own = (content: string, text: string) => {
    const dir = directionFor(text, 'auto', look.dir)
    const turned = dirAttribute(dir, look.dir)
    const side = turned && props.align === 'start' ? `;text-align:${startOf(dir)}` : ''
    return `<p${turned} style="margin:0 0 12px${side}">${content}</p>`
  }
  const link = ([tag, label]: readonly [string, string]) =>
    `<a class="${look.classes.quiet}" href="{{ ${tag} }}" style="color:${look.quiet};text-decoration:underline">` +
    `${label}</a>`
  const { company_name, postal_address, footer_text } = look.brand
  const links = linksOf(look, props).map(link).join(' &middot; ')
  const address = postal_address ?? ''
  const senderText = `${company_name ?? ''} ${address}`
  const around = directionFor(senderText, 'auto', look.dir)
  const sender = [
    company_name ? `<strong>${escapeLines(company_name)}</strong>` : '',
    partOfLine(escapeLines(address), directionFor(address, 'auto', around), around),
  ].filter(Boolean)
  const side = sideOf(props.align ?? 'center', look.dir)
  return (
    `<td class="m-side ${look.classes.quiet}" align="${side}" style="padding:28px 40px 20px;font-family:${look.font};` +
    `font-size:13px;line-height:20px;color:${look.quiet};text-align:${side};word-break:break-word">` +
    [props.text, footer_text]
      .filter((text) => text?.trim())
      .map((text) => own(escapeLines(text!), text!))
      .join('') +
    (sender.length ? own(sender.join('<br>'), senderText) : '') +
    (links ? `<p style="margin:0 0 12px">${links}</p>` : '') +
    '</td>'
  )
}

/** The footer of the plain-text part. */
export function footerText(look: Look, props: FooterProps): Template {
  const { company_name, postal_address, footer_text } = look.brand
  const joined = (texts: (string | null | undefined)[], separator: string) =>
    texts
      .map((text) => text?.trim())
      .filter(Boolean)
      .join(separator)
  const links = linksOf(look, props).map(([tag, label]) => `${label}: {{ ${tag} }}`)
  const paragraphs = [props.text, footer_text, joined([company_name, postal_address], '\n'), links.join('\n')]
  return joinTemplates(['---\n\n', ...textLines(joined(paragraphs, '\n\n'))])
}

function linksOf(
  { translations, for_everybody }: Look,
  { view_link }: FooterProps,
): (readonly [tag: string, label: string])[] {
  if (for_everybody) return []
  return [
    ['unsubscribe_url', translations.unsubscribe],
    ['preferences_url', translations.preferences],
    ...(view_link ? [['view_url', translations.view] as const] : []),
  ]
}
