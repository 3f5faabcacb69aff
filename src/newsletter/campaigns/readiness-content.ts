import { isUnreachable } from '../../base-url.ts'
import { SAMPLE_VALUES } from '../../shared/merge-tags.ts'
import { CLIP_BYTES, type CompiledEmail, fillEmail, sizeBytes } from '../email/render.ts'
import type { Template } from '../email/template.ts'
import type { WarningCode } from '../email/warnings.ts'
import { type Check, verdict } from './resource.ts'
import { missingWords, type SiteLinks } from './site-links.ts'

/** Spam filters distrust messages of images with little text. This many characters of text per image pass. */
const TEXT_PER_IMAGE = 50

/**
 * The checks of a message that do not depend on its recipients (docs/api/campaigns.md#readiness).
 * @param own_links_problem why the links of the service itself fail at recipients, or null
 * @param own_site what the message's links find on the project's site
 */
export function contentChecks(
  { subject, editor_json }: { subject: string; editor_json: unknown },
  email: CompiledEmail,
  own_links_problem: string | null = null,
  own_site: SiteLinks = { missing: [], samples: [] },
): Record<'subject' | 'content' | 'unsubscribe_link', Check> & { warnings: Check[] } {
  const { html, text } = fillEmail(email, SAMPLE_VALUES)
  const hasText = !email.warnings.some(({ code }) => code === 'no_text')
  const images = JSON.stringify(editor_json).match(IMAGE)?.length ?? 0
  const bytes = sizeBytes(html)
  const problems = [...(own_links_problem === null ? [] : [own_links_problem]), ...linkProblems(email)]
  const { missing } = own_site
  const left = samplesLeft(email, own_site.samples.length)
  if (left !== null) problems.push(left)
  const unknownTags = email.warnings.filter(({ code }) => code === 'unknown_merge_tag').map(({ message }) => message)
  return {
    subject: verdict('subject', subject.trim() !== '', 'The message has a subject.', 'The subject is empty.'),
    content: verdict(
      'content',
      (hasText || images > 0) && missing.length === 0,
      ['The message has content.', ...unknownTags.slice(0, 5)].join(' '),
      missing.length === 0 ? 'The message has no content.' : missing.slice(0, 5).map(missingWords).join(' '),
    ),
    unsubscribe_link: verdict(
      'unsubscribe_link',
      hasUnsubscribeLink(email.html) && hasUnsubscribeLink(email.text),
      'The footer has the unsubscribe link.',
      'The message has no unsubscribe link.',
    ),
    warnings: [
      verdict(
        'size',
        bytes <= CLIP_BYTES,
        `The HTML has ${bytes} bytes.`,
        `The HTML has ${bytes} bytes; Gmail clips messages above ${CLIP_BYTES}.`,
      ),
      verdict(
        'text_ratio',
        (hasText ? ownText(text).length : 0) >= images * TEXT_PER_IMAGE,
        'The message has enough text for its images.',
        'The message has little text for its number of images.',
      ),
      verdict('links', problems.length === 0, 'No link looks broken.', problems.join(' ')),
    ].map((check) => ({ ...check, severity: 'warning' })),
  }
}

const IMAGE = /"type":"image"|<img[\s/]/gi

const hasUnsubscribeLink = (template: Template): boolean =>
  template.some((part) => typeof part !== 'string' && part.tag === 'unsubscribe_url')

/** The plain text without URLs and without the footer, which follows the last line of dashes. */
function ownText(text: string): string {
  const end = text.lastIndexOf('\n---\n')
  return text
    .slice(0, end < 0 ? 0 : end)
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** "6 links and 9 paragraphs still come from the design."; null for none. */
function samplesLeft({ warnings }: CompiledEmail, links: number): string | null {
  const paragraphs = warnings.filter(({ code }) => code === 'sample_text').length
  if (links + paragraphs === 0) return null
  const counts = [
    ...(links > 0 ? [links === 1 ? '1 link' : `${links} links`] : []),
    ...(paragraphs > 0 ? [paragraphs === 1 ? '1 paragraph' : `${paragraphs} paragraphs`] : []),
  ]
  return `${counts.join(' and ')} still ${links + paragraphs === 1 ? 'comes' : 'come'} from the design.`
}

const LINK_WARNINGS: ReadonlySet<WarningCode> = new Set([
  'link_without_text',
  'misleading_link',
  'ip_address_link',
  'shortened_link',
])

function linkProblems({ html, links, warnings }: CompiledEmail): string[] {
  // The target of a placeholder is unknown here, so only literal addresses are judged.
  const literal = html.map((part) => (typeof part === 'string' ? part : '\u0000')).join('')
  const empty = literal.match(/<a\s[^>]*href="#?"/g)?.length ?? 0
  return [
    ...(empty > 0 ? [`${empty === 1 ? 'A link has' : `${empty} links have`} no address.`] : []),
    ...links
      .filter(isUnreachable)
      .slice(0, 5)
      .map((url) => `Recipients cannot reach ${url.slice(0, 200)}.`),
    ...warnings
      .filter(({ code }) => LINK_WARNINGS.has(code))
      .map(({ message }) => message)
      .slice(0, 5),
  ]
}
