import type { TObject } from '@sinclair/typebox'
import { type BlockKind, BLOCKS } from './blocks.ts'
import { contrast, READABLE } from './colors.ts'
import type { EmailBlock, EmailDocument } from './document.ts'
import { type FooterProps, footerHtml, footerText } from './footer.ts'
import { layOut } from './layout.ts'
import { type Brand, type Look, lookOf } from './look.ts'
import { escapeHtml } from './markup.ts'
import { PLACEHOLDER, readPlaceholder, SERVICE_TAGS } from './merge-tags.ts'
import { type CompileHooks, compileTemplate, fillTemplate, joinTemplates, type MergeValues, type Template } from './template.ts'
import { textTemplate } from './text.ts'
import { collectWarnings, type Warn, type Warning } from './warnings.ts'

export interface EmailSource {
  /** Checked by `checkDocument`. */
  document: EmailDocument
  subject: string
  /** Before the document's own. */
  preheader?: string | null
  brand: Brand
  /** BCP 47; decides language, direction and the words of the footer. */
  locale?: string | null
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
  const { document, brand } = source
  const look = lookOf(document.settings, brand, source.locale)
  const { found, about } = collectWarnings()
  const links = new Map<string, number>()
  const hooks = hooksFor(links, source.rewriteLink)

  const { column, closing } = partDocument(document.blocks)
  const drawn = column.map((block) => draw(block, look, about(block.id), hooks))
  const footer = closing && compileTemplate(footerHtml(look, closing, look.page), 'html', hooks(about()))
  const markup = drawn.map(({ markup }) => markup).join('')
  const html = layOut(look, {
    subject: source.subject,
    preheader: source.preheader?.trim() || document.settings.preheader || '',
    rows: joinTemplates(drawn.map(({ html }) => html)),
    footer,
    showLogo: /^https?:\/\//i.test(brand.logo_url ?? '') && !markup.includes(escapeHtml(brand.logo_url!)),
  }, hooks(about()))

  const texts = drawn.map(({ text }) => text).filter((text) => text.length > 0)
  warnOfWhole(look, html, column, drawn, about())
  return {
    subject: compileTemplate(source.subject, 'header', hooks(about())),
    html,
    text: joinTemplates([...texts, ...(closing ? [footerText(look, closing)] : [])].flatMap((text, at) => (at ? ['\n\n', text] : [text])).concat('\n')),
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

interface Drawn {
  markup: string
  html: Template
  text: Template
}

function draw(block: EmailBlock, look: Look, warn: Warn, hooks: (warn: Warn) => CompileHooks): Drawn {
  const kind: BlockKind<TObject> = BLOCKS[block.type]
  const markup = kind.html(block.props, look, warn)
  return {
    markup,
    html: compileTemplate(markup, 'html', hooks(warn)),
    text: kind.text ? kind.text(block.props, look) : textTemplate(markup),
  }
}

function hooksFor(links: Map<string, number>, rewriteLink: EmailSource['rewriteLink']): (warn: Warn) => CompileHooks {
  const onLink = (url: string): string | null => {
    if (!/^https?:\/\//i.test(url) || leadsHome(url)) return null
    if (!links.has(url)) links.set(url, links.size)
    return rewriteLink ? rewriteLink(url, links.get(url)!) : null
  }
  return (warn) => ({
    onLink,
    onUnknown: (tag) => warn('unknown_merge_tag', `There is no merge tag "${tag.slice(0, 60)}".`),
  })
}

const leadsHome = (url: string): boolean => [...url.matchAll(PLACEHOLDER)].some(([, inside]) => SERVICE_TAGS.has(readPlaceholder(inside!).tag))

function warnOfWhole(look: Look, html: Template, column: readonly EmailBlock[], drawn: readonly Drawn[], warn: Warn): void {
  if (contrast(look.text, look.card) < READABLE) warn('low_contrast', 'The text is hard to read on its background.')
  if (contrast(look.link, look.card) < READABLE) warn('low_contrast', 'Links are hard to read on their background.')
  const says = drawn.some(({ text }, at) => !['footer', 'divider'].includes(column[at]!.type) && text.length > 0)
  if (!says) warn('no_text', 'The message has no text that can be read.')
  const bytes = sizeBytes(fillTemplate(html, {}))
  if (bytes > CLIP_BYTES) warn('size', `The HTML has ${bytes} bytes; above ${CLIP_BYTES} Gmail cuts a message off.`)
}
