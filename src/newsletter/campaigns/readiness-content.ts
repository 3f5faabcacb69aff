import { SAMPLE_VALUES } from '../email/merge-tags.ts'
import { CLIP_BYTES, type CompiledEmail, fillEmail, sizeBytes } from '../email/render.ts'
import type { Template } from '../email/template.ts'
import type { WarningCode } from '../email/warnings.ts'
import type { Check } from './resource.ts'

/** Spam filters distrust a message that is pictures with hardly a word: so many characters of text a picture. */
const TEXT_PER_IMAGE = 50

/** What can be said of a message without knowing who gets it. */
export function contentChecks(
  { subject, editor_json }: { subject: string; editor_json: unknown },
  email: CompiledEmail,
): { errors: Check[]; warnings: Check[] } {
  const { html, text } = fillEmail(email, SAMPLE_VALUES)
  const source = JSON.stringify(editor_json)
  const hasText = !email.warnings.some(({ code }) => code === 'no_text')
  const pictures = source.match(PICTURE)?.length ?? 0
  const letters = hasText ? ownText(text).length : 0
  const bytes = sizeBytes(html)
  const problems = linkProblems(email)
  const tags = email.warnings.filter(({ code }) => code === 'unknown_merge_tag').map(({ message }) => message)
  return {
    errors: [
      check('error', 'subject', subject.trim() !== '', 'The subject is written.', 'The subject is empty.'),
      check(
        'error',
        'content',
        hasText || pictures > 0,
        ['The message has content.', ...tags.slice(0, 5)].join(' '),
        'The message says nothing yet.',
      ),
      check(
        'error',
        'unsubscribe_link',
        leadsOut(email.html) && leadsOut(email.text),
        'The footer has the link to unsubscribe.',
        'The message has no link to unsubscribe.',
      ),
    ],
    warnings: [
      check(
        'warning',
        'size',
        bytes <= CLIP_BYTES,
        `The HTML has ${bytes} bytes.`,
        `The HTML has ${bytes} bytes; above ${CLIP_BYTES} Gmail cuts a message off.`,
      ),
      check(
        'warning',
        'text_ratio',
        letters >= pictures * TEXT_PER_IMAGE,
        'There is enough text beside the pictures.',
        'There is little text for so many pictures.',
      ),
      check('warning', 'links', problems.length === 0, 'No link looks broken.', problems.join(' ')),
    ],
  }
}

const PICTURE = /"type":"image"|<img[\s/]/gi

const leadsOut = (template: Template): boolean =>
  template.some((part) => typeof part !== 'string' && part.tag === 'unsubscribe_url')

/** The text part without its links and what stands below the last line, the footer. */
function ownText(text: string): string {
  const end = text.lastIndexOf('\n---\n')
  return text
    .slice(0, end < 0 ? 0 : end)
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const DOUBTFUL_LINKS: ReadonlySet<WarningCode> = new Set([
  'link_without_text',
  'misleading_link',
  'ip_address_link',
  'shortened_link',
])

function linkProblems({ html, links, warnings }: CompiledEmail): string[] {
  // A placeholder may lead anywhere: only what is written out can be seen to lead nowhere.
  const written = html.map((part) => (typeof part === 'string' ? part : '\u0000')).join('')
  const nowhere = written.match(/<a\s[^>]*href="#?"/g)?.length ?? 0
  const atHome = links.filter(isUnreachable)
  return [
    ...(nowhere > 0 ? [`${nowhere === 1 ? 'A link leads' : `${nowhere} links lead`} nowhere.`] : []),
    ...atHome.slice(0, 5).map((url) => `Recipients cannot reach ${url.slice(0, 200)}.`),
    ...warnings
      .filter(({ code }) => DOUBTFUL_LINKS.has(code))
      .map(({ message }) => message)
      .slice(0, 5),
  ]
}

/** A name that only the author's own machine or network knows. A placeholder may become anything. */
function isUnreachable(url: string): boolean {
  const host = url.includes('{{') ? undefined : URL.parse(url)?.hostname
  return (
    host !== undefined &&
    (!host.includes('.') || /^(?:10|127|192\.168|169\.254)\.[\d.]+$|\.(?:local|localhost|internal)$/.test(host)) &&
    !host.startsWith('[')
  )
}

function check(severity: Check['severity'], code: Check['code'], ok: boolean, good: string, bad: string): Check {
  return { code, severity, ok, message: ok ? good : bad }
}
