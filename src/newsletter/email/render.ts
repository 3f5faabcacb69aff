import type { EmailBlock } from './blocks.ts'
import { contrast, READABLE } from './colors.ts'
import type { EmailDocument } from './document.ts'
import { drawBlock, type Drawn, IN_LETTER, paragraphs, stack } from './draw.ts'
import { type FooterProps, footerHtml, footerText } from './footer.ts'
import { layOut } from './layout.ts'
import { type Brand, type EmailPost, type Look, lookOf, lookOnPage } from './look.ts'
import { escapeHtml, tokens } from './markup.ts'
import { PLACEHOLDER, readPlaceholder, SERVICE_TAGS } from './merge-tags.ts'
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
  /** Before the document's own. */
  preheader?: string | null
  brand: Brand
  /** BCP 47; decides language, direction and the words of the footer. */
  locale?: string | null
  /** What `cms_posts` shows, newest first: at least what `postsWanted` says. */
  posts?: readonly EmailPost[]
  /** The keys of the project's custom fields; a tag of any other is warned of. All are known when left out. */
  custom_fields?: readonly string[]
  /**
   * Another address for a link to http or https that does not lead to this service: called with the address
   * (placeholders included) and its place in `links`. The answer may use any tag that is filled later.
   */
  rewriteLink?: (url: string, index: number) => string
}

/** A message ready to be filled for any number of recipients. */
export interface CompiledEmail {
  subject: Template
  html: Template
  text: Template
  /** The distinct http and https targets, in order, without those of this service. */
  links: string[]
  warnings: Warning[]
  /** The content shows its own subject, which has to be filled first. */
  shows_subject: boolean
}

export interface FilledEmail {
  subject: string
  html: string
  text: string
}

/** Above this many bytes Gmail cuts a message, and with it the footer. */
export const CLIP_BYTES = 102_400

/** Bytes of a text as it is sent, in UTF-8. */
export const sizeBytes = (text: string): number => Buffer.byteLength(text)

/** Draws a document once for all recipients. The same source always gives the same message. */
export function compileEmail(source: EmailSource): CompiledEmail {
  const { document, brand, subject } = source
  const preheader = source.preheader?.trim() || document.settings.preheader || ''
  const look = lookOf({ settings: document.settings, brand, locale: source.locale, posts: source.posts })
  const { found, about } = collectWarnings()
  const links = new Map<string, number>()
  const hooks = hooksFor(links, source)

  const { column, closing } = partDocument(document.blocks)
  const drawn = column.map((block) => drawBlock(block, look, { about, hooks }))
  const footer = closing && compileTemplate(footerHtml(lookOnPage(look), closing), 'html', hooks(about()))
  const html = layOut(
    look,
    {
      subject,
      preheader,
      rows: stack(drawn, look, IN_LETTER),
      footer,
      showLogo:
        /^https?:\/\//i.test(brand.logo_url ?? '') &&
        !drawn.some(({ markup }) => markup.includes(escapeHtml(brand.logo_url!))),
    },
    hooks(about()),
  )

  warnOfWhole({ look, html, column, drawn, subject, preheader }, about())
  return {
    subject: compileTemplate(subject, 'header', hooks(about())),
    html,
    text: joinTemplates([paragraphs([...drawn, ...(closing ? [{ text: footerText(look, closing) }] : [])]), '\n']),
    links: [...links.keys()],
    warnings: found,
    shows_subject: html.some((part) => typeof part !== 'string' && part.tag === 'campaign.subject'),
  }
}

/** The message for one recipient. `campaign.subject` need not be among the values. */
export function fillEmail(compiled: CompiledEmail, values: MergeValues): FilledEmail {
  const subject = fillTemplate(compiled.subject, values)
  const all = compiled.shows_subject ? { ...values, 'campaign.subject': subject } : values
  return { subject, html: fillTemplate(compiled.html, all), text: fillTemplate(compiled.text, all) }
}

/**
 * A footer that comes last, or is not there at all, stands below the column; one in the middle is a block
 * like others.
 */
function partDocument(blocks: readonly EmailBlock[]): { column: readonly EmailBlock[]; closing: FooterProps | null } {
  const last = blocks.at(-1)
  if (last?.type === 'footer') return { column: blocks.slice(0, -1), closing: last.props }
  return { column: blocks, closing: blocks.some(({ type }) => type === 'footer') ? null : {} }
}

function hooksFor(
  links: Map<string, number>,
  { rewriteLink, custom_fields }: EmailSource,
): (warn: Warn) => CompileHooks {
  const onLink = (url: string): string | null => {
    if (!/^https?:\/\//i.test(url) || leadsHome(url)) return null
    if (!links.has(url)) links.set(url, links.size)
    return rewriteLink ? rewriteLink(url, links.get(url)!) : null
  }
  const fields = custom_fields && new Set(custom_fields.map((key) => `contact.custom.${key}`))
  return (warn) => ({
    onLink,
    onUnknown: (tag) => warn('unknown_merge_tag', `There is no merge tag "${tag.slice(0, 60)}".`),
    onBroken: (text) => warn('unknown_merge_tag', `A merge tag is not whole, and stays as it is written: "${text}".`),
    ...(fields && {
      onKnown: (tag) => {
        if (tag.startsWith('contact.custom.') && !fields.has(tag))
          warn('unknown_merge_tag', `The project has no custom field for the merge tag "${tag.slice(0, 60)}".`)
      },
    }),
  })
}

const leadsHome = (url: string): boolean =>
  [...url.matchAll(PLACEHOLDER)].some(([, inside]) => SERVICE_TAGS.has(readPlaceholder(inside!).tag))

interface Whole {
  look: Look
  html: Template
  column: readonly EmailBlock[]
  drawn: readonly Drawn[]
  subject: string
  preheader: string
}

/** Fewer letters than this beside a picture, and the picture is all there is. */
const FEW_LETTERS = 40

function warnOfWhole({ look, html, column, drawn, subject, preheader }: Whole, warn: Warn): void {
  if (contrast(look.text, look.card) < READABLE) warn('low_contrast', 'The text is hard to read on its background.')
  if (contrast(look.link, look.card) < READABLE) warn('low_contrast', 'Links are hard to read on their background.')
  const content = drawn.filter((_, at) => !['footer', 'divider'].includes(column[at]!.type))
  const says = content.some(({ text }) => text.length > 0)
  const written = content.map(({ markup }) => lettersOf(markup)).join(' ')
  if (!says) warn('no_text', 'The message has no text that can be read.')
  else if (written.length < FEW_LETTERS && content.some(({ markup }) => markup.includes('<img '))) {
    warn(
      'image_only',
      'The message is a picture with hardly a word: spam filters distrust that, and it says nothing where pictures are off.',
    )
  }
  checkWording({ subject, preheader, text: written }, warn)
  const bytes = sizeBytes(fillTemplate(html, {}))
  if (bytes > CLIP_BYTES) warn('size', `The HTML has ${bytes} bytes; above ${CLIP_BYTES} Gmail cuts a message off.`)
}

/** The texts between the tags, without the alternative texts of pictures. */
function lettersOf(markup: string): string {
  let letters = ''
  for (const token of tokens(markup)) if (token.kind === 'text') letters += token.text
  return letters.replace(/&nbsp;|\s+/g, ' ').trim()
}
