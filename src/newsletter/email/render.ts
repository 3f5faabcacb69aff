import type { EmailPost } from '../../store/tables/email-document.ts'
import type { EmailBlock } from './blocks.ts'
import { contrast, READABLE } from '../../shared/contrast.ts'
import type { EmailDocument } from './document.ts'
import { drawBlock, type Drawn, MESSAGE_SPACING, paragraphs, stack } from './draw.ts'
import { type FooterProps, footerHtml, footerText } from './footer.ts'
import { layout } from './layout.ts'
import { type Brand, type Look, lookOf, lookOnPage } from './look.ts'
import { escapeHtml, tokens } from './markup.ts'
import { markRows, withoutMarks } from './marks.ts'
import { PLACEHOLDER, readPlaceholder, SERVICE_TAGS } from '../../shared/merge-tags.ts'
import {
  type CompileHooks,
  compileTemplate,
  fillTemplate,
  joinTemplates,
  type MergeValues,
  type Template,
} from './template.ts'
import { collectWarnings, type Warn, type Warning } from './warnings.ts'
import { checkWording } from './wording.ts'

export interface EmailSource {
  /** Checked by `checkDocument`. */
  document: EmailDocument
  subject: string
  /** Replaces the preheader of the document. */
  preheader?: string | null
  brand: Brand
  /** BCP 47: the language and direction of the message and its footer. */
  locale?: string | null
  /** The posts for `cms_posts`, newest first: at least those of `postsWanted`. */
  posts?: readonly EmailPost[]
  /** The keys of the project's custom fields. Other custom tags are warned about. All keys are valid when left out. */
  custom_fields?: readonly string[]
  /** Each block's outermost cells carry `data-block` with its id, for an editor's preview. */
  mark_blocks?: boolean
  /** Warns about texts that still come from a design of the gallery. */
  find_samples?: boolean
  /** The message has no recipient, so a recipient's links to this service are left out with their texts. */
  for_everybody?: boolean
  /** Changes an http or https link that does not lead to this service, in the HTML and in the plain text. */
  tagLink?: ((url: string) => string) | undefined
  /**
   * Replaces such a link in the HTML. Called with the URL that `tagLink` gives, including placeholders, and its index
   * in `links`. The result may contain any tag that is filled in later.
   */
  rewriteLink?: (url: string, index: number) => string
}

/** A rendered message, ready to be filled in for any number of recipients. */
export interface CompiledEmail {
  subject: Template
  html: Template
  text: Template
  /** The distinct http and https links in order, without links to this service. */
  links: string[]
  warnings: Warning[]
  /** The content contains `campaign.subject`, so the subject must be filled in first. */
  shows_subject: boolean
}

export interface FilledEmail {
  subject: string
  html: string
  text: string
}

/** Gmail clips messages above this size in bytes, which hides the footer. */
export const CLIP_BYTES = 102_400

/** The size of a text in UTF-8. */
export const sizeBytes = (text: string): number => Buffer.byteLength(text)

/** Renders a document once for all recipients. The same source always gives the same message. */
export function compileEmail(source: EmailSource): CompiledEmail {
  const { document, brand, subject, locale, posts, for_everybody, mark_blocks = false, find_samples = false } = source
  const preheader = source.preheader?.trim() || document.settings.preheader || ''
  const look = lookOf({ settings: document.settings, brand, locale, posts, for_everybody })
  const { found, about } = collectWarnings()
  const links = new Map<string, number>()
  const hooks = hooksFor(links, source)

  const { column, closing } = partDocument(document.blocks)
  const drawn = column.map((block) => drawBlock(block, look, { about, hooks, mark_blocks, find_samples }))
  const footer = closing && compileTemplate(footerCell(look, closing, mark_blocks), 'html', hooks(about()))
  const html = layout(
    look,
    {
      subject,
      preheader,
      rows: stack(drawn, look, MESSAGE_SPACING),
      footer,
      showLogo:
        /^https?:\/\//i.test(brand.logo_url ?? '') &&
        !drawn.some(({ markup }) => markup.includes(escapeHtml(brand.logo_url!))),
    },
    hooks(about()),
  )

  warnAboutMessage({ look, html, column, drawn, subject, preheader }, about())
  return {
    subject: compileTemplate(subject, 'header', hooks(about())),
    html,
    text: joinTemplates([
      paragraphs([...drawn, ...(closing ? [{ text: footerText(look, closing.props) }] : [])]),
      '\n',
    ]),
    links: [...links.keys()],
    warnings: found,
    shows_subject: html.some((part) => typeof part !== 'string' && part.tag === 'campaign.subject'),
  }
}

/** Fills in a message for one recipient. The values need not contain `campaign.subject`. */
export function fillEmail(compiled: CompiledEmail, values: MergeValues): FilledEmail {
  const subject = fillTemplate(compiled.subject, values)
  const all = compiled.shows_subject ? { ...values, 'campaign.subject': subject } : values
  return { subject, html: fillTemplate(compiled.html, all), text: fillTemplate(compiled.text, all) }
}

/** The footer below the column. The default footer has no id. */
interface Closing {
  id: string | null
  props: FooterProps
}

/**
 * Separates a footer at the end, or the default footer of a document without one, which is placed below the column. A
 * footer in the middle stays a block of the column.
 */
function partDocument(blocks: readonly EmailBlock[]): {
  column: readonly EmailBlock[]
  closing: Closing | null
} {
  const last = blocks.at(-1)
  return last?.type === 'footer'
    ? { column: blocks.slice(0, -1), closing: last }
    : { column: blocks, closing: blocks.some(({ type }) => type === 'footer') ? null : { id: null, props: {} } }
}

function footerCell(look: Look, { id, props }: Closing, mark_blocks: boolean): string {
  const cell = footerHtml(lookOnPage(look), props)
  return mark_blocks && id !== null ? markRows(cell, id) : cell
}

function hooksFor(
  links: Map<string, number>,
  { tagLink, rewriteLink, custom_fields, for_everybody }: EmailSource,
): (warn: Warn) => CompileHooks {
  const leadsElsewhere = (url: string) => /^https?:\/\//i.test(url) && !leadsToService(url)
  const onLink = (url: string): string | null => {
    if (!leadsElsewhere(url)) return null
    if (!links.has(url)) links.set(url, links.size)
    const tagged = tagLink?.(url)
    return rewriteLink ? rewriteLink(tagged ?? url, links.get(url)!) : (tagged ?? null)
  }
  const fields = custom_fields && new Set(custom_fields.map((key) => `contact.custom.${key}`))
  return (warn) => ({
    onLink,
    ...(tagLink && { onTextLink: (url: string) => (leadsElsewhere(url) ? tagLink(url) : url) }),
    ...(for_everybody && { leavesOut: leadsToService }),
    onUnknown: (tag) => warn('unknown_merge_tag', `There is no merge tag "${tag.slice(0, 60)}".`),
    onBroken: (text) => warn('unknown_merge_tag', `A merge tag is incomplete and stays as it is: "${text}".`),
    ...(fields && {
      onKnown: (tag) => {
        if (tag.startsWith('contact.custom.') && !fields.has(tag))
          warn('unknown_merge_tag', `The project has no custom field for the merge tag "${tag.slice(0, 60)}".`)
      },
    }),
  })
}

const leadsToService = (url: string): boolean =>
  [...url.matchAll(PLACEHOLDER)].some(([, inside]) => SERVICE_TAGS.has(readPlaceholder(inside!).tag))

/** A message with an image and less text than this counts as image only. */
const MIN_CHARACTERS = 40

function warnAboutMessage(
  {
    look,
    html,
    column,
    drawn,
    subject,
    preheader,
  }: {
    look: Look
    html: Template
    column: readonly EmailBlock[]
    drawn: readonly Drawn[]
    subject: string
    preheader: string
  },
  warn: Warn,
): void {
  if (contrast(look.text, look.card) < READABLE) warn('low_contrast', 'The text is hard to read on its background.')
  if (contrast(look.link, look.card) < READABLE) warn('low_contrast', 'Links are hard to read on their background.')
  const content = drawn.filter((_, at) => !['footer', 'divider'].includes(column[at]!.type))
  const written = content.map(({ markup }) => textOf(markup)).join(' ')
  if (content.every(({ text }) => text.length === 0)) warn('no_text', 'The message has no text that can be read.')
  else if (written.length < MIN_CHARACTERS && content.some(({ markup }) => markup.includes('<img '))) {
    warn(
      'image_only',
      'The message is an image with little text. Spam filters distrust that, and it is empty where images are off.',
    )
  }
  checkWording({ subject, preheader, text: written }, warn)
  const bytes = sizeBytes(withoutMarks(fillTemplate(html, {})))
  if (bytes > CLIP_BYTES) warn('size', `The HTML has ${bytes} bytes; Gmail clips messages above ${CLIP_BYTES}.`)
}

/** The text between the tags, without alternative texts of images. */
function textOf(markup: string): string {
  const texts = [...tokens(markup)].map(({ kind, text }) => (kind === 'text' ? text : ''))
  return texts
    .join('')
    .replace(/&nbsp;|\s+/g, ' ')
    .trim()
}
