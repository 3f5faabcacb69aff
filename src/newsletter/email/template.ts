import { attributesOf, decodeEntities, escapeHtml, type Token, tokens } from './markup.ts'
import { PLACEHOLDER, readPlaceholder } from '../../shared/merge-tags.ts'
import { FORMATTING } from './join-placeholders.ts'

/**
 * The context of a value decides how it is escaped: `html` text, `attribute` an attribute value, `url` a whole link or
 * its beginning, `url_part` a part inside a link, `address_part` a part of a mailto or tel link, `text` the plain-text
 * part, `text_url` a whole link in the plain-text part, `header` a header line of the message.
 */
type Context = 'html' | 'attribute' | 'url' | 'url_part' | 'address_part' | 'text' | 'text_url' | 'header'

/** A placeholder to fill in. The fallback is already escaped. */
export interface Slot {
  readonly tag: string
  readonly context: Context
  readonly fallback: string
}

/** A compiled text: literal parts and slots in order. */
export type Template = readonly (string | Slot)[]

/** Values by merge tag. A missing or empty value gives the fallback. Only own properties are read. */
export type MergeValues = Readonly<Record<string, string | undefined>>

export interface CompileHooks extends TextHooks {
  /** Called for each placeholder with an unknown tag. */
  onUnknown?: (tag: string) => void
  /** Called for text that begins like a placeholder and is none, shortened to 60 characters. */
  onBroken?: (text: string) => void
  /** Called for each placeholder with a known tag. */
  onKnown?: (tag: string) => void
  /** Replaces the URL of an `<a href>`; may use any tags. Null keeps the URL. */
  onLink?: (url: string) => string | null
}

/** Hooks that rewrite links in the plain-text part. */
export interface TextHooks {
  /** Replaces the URL of a link; may use known tags only. */
  onTextLink?: (url: string) => string
  /** Whether an `<a>` with this URL is left out, with what is in it. */
  leavesOut?: (url: string) => boolean
}

/**
 * Fills in a template in one pass. Values are never parsed again, so braces, `$&` and markup in them are plain
 * characters.
 */
export function fillTemplate(template: Template, values: MergeValues): string {
  let filled = ''
  for (const part of template) filled += typeof part === 'string' ? part : fillSlot(part, values)
  return filled
}

function fillSlot(slot: Slot, values: MergeValues): string {
  const value = Object.hasOwn(values, slot.tag) ? values[slot.tag] : undefined
  return value ? ENCODE[slot.context](value) : slot.fallback
}

/**
 * Compiles a source. `html`: well-formed HTML, where the position of a placeholder decides its context. `url`: one URL
 * for the plain-text part. `text` and `header`: plain text.
 */
export function compileTemplate(
  source: string,
  kind: 'html' | 'text' | 'url' | 'header',
  hooks: CompileHooks = {},
): Template {
  const parts: (string | Slot)[] = []
  if (kind === 'html') compileHtml(parts, source, hooks)
  else if (kind === 'url') compileUrl(parts, { source, context: 'text_url' }, hooks)
  else compileRun(parts, { source: kind === 'header' ? oneLine(source) : source, context: kind }, hooks)
  return parts
}

/** Concatenates templates. */
export function joinTemplates(pieces: Iterable<string | Template>): Template {
  const parts: (string | Slot)[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') add(parts, piece)
    else for (const part of piece) add(parts, part)
  }
  return parts
}

function compileHtml(parts: (string | Slot)[], html: string, hooks: CompileHooks): void {
  const all = [...withoutLinks(tokens(html), hooks)]
  all.forEach((token, at) => {
    if (token.kind === 'text')
      compileRun(parts, { source: token.text, context: 'html' }, hooks, () => textAfter(all, at))
    else if (token.kind === 'open' && (token.name === 'a' || token.text.includes('{{'))) compileTag(parts, token, hooks)
    else add(parts, token.text)
  })
}

/** Tokens without the links that are left out. */
export function* withoutLinks(all: Iterable<Token>, { leavesOut }: TextHooks): Generator<Token> {
  let isLeftOut = false
  for (const token of all) {
    if (isLeftOut) {
      isLeftOut = token.kind !== 'close' || token.name !== 'a'
      continue
    }
    if (leavesOut && token.kind === 'open' && token.name === 'a')
      isLeftOut = leavesOut(attributesOf(token).get('href') ?? '')
    if (!isLeftOut) yield token
  }
}

/** Characters of a broken placeholder that a warning quotes. */
const MAX_QUOTED = 60

/** The text that follows on the same line, as far as a warning needs it to quote a broken placeholder. */
function textAfter(all: readonly Token[], at: number): string {
  let text = ''
  for (let next = at + 1; next < all.length && text.length < MAX_QUOTED; next++) {
    const token = all[next]!
    if (token.kind === 'text') text += token.text
    else if (token.kind === 'comment' || !FORMATTING.has(token.name)) break
  }
  return text
}

function compileTag(parts: (string | Slot)[], token: { name: string; attributes: string }, hooks: CompileHooks): void {
  add(parts, `<${token.name}`)
  for (const [name, value] of attributesOf(token)) {
    add(parts, ` ${name}="`)
    if (name === 'href' || name === 'src') compileLink(parts, value, token.name === 'a', hooks)
    // Placeholders are removed from CSS, where no escaping makes a value safe.
    else if (name === 'style') add(parts, escapeHtml(value.replace(PLACEHOLDER, '')))
    else compileRun(parts, { source: escapeHtml(value), context: 'attribute' }, hooks)
    add(parts, '"')
  }
  add(parts, '>')
}

function compileLink(parts: (string | Slot)[], url: string, rewritable: boolean, hooks: CompileHooks): void {
  const other = rewritable ? (hooks.onLink?.(url) ?? null) : null
  // Also a replaced URL is compiled, because that reports its placeholders.
  compileUrl(other === null ? parts : [], { source: url, context: 'url' }, hooks)
  if (other !== null) compileUrl(parts, { source: other, context: 'url' }, {}, true)
}

interface Source {
  source: string
  context: Context
}

/**
 * Compiles a source in the notation of its context: HTML for `html` and `attribute`, plain text for the others.
 * @param after the text that follows on the same line
 */
function compileRun(
  parts: (string | Slot)[],
  { source, context }: Source,
  hooks: CompileHooks,
  after = () => '',
): void {
  const read = context === 'html' || context === 'attribute' ? decodeEntities : asIs
  const slotOf = (inside: string) => slot(read(inside), context, hooks)
  compileParts(parts, { source, read, write: asIs, slotOf, after }, hooks)
}

export const asIs = (text: string): string => text

/** Adds the literals and placeholders of a source in turn. `read` decodes its notation, `write` encodes literals. */
function compileParts(
  parts: (string | Slot)[],
  {
    source,
    read,
    write,
    slotOf,
    after,
  }: Record<'read' | 'write', (text: string) => string> & {
    source: string
    slotOf: (inside: string, at: number) => string | Slot
    after: () => string
  },
  hooks: CompileHooks,
): void {
  let at = 0
  for (const match of source.matchAll(PLACEHOLDER)) {
    const literal = source.slice(at, match.index)
    reportBroken(literal, hooks, read)
    add(parts, write(literal))
    add(parts, slotOf(match[1]!, match.index))
    at = match.index + match[0].length
  }
  const rest = source.slice(at)
  if (hooks.onBroken && (rest.includes('{{') || (rest.endsWith('{') && after().startsWith('{'))))
    reportBroken(rest + after(), hooks, read)
  add(parts, write(rest))
}

/** Reports text in a literal that begins like a placeholder and is none. */
function reportBroken(literal: string, { onBroken }: CompileHooks, read: (text: string) => string): void {
  const at = onBroken ? literal.indexOf('{{') : -1
  if (at < 0) return
  const [found] = /^.*?\}\}|^.*/s.exec(literal.slice(at, at + 6 * MAX_QUOTED))!
  onBroken!(read(found).replace(/\s+/g, ' ').slice(0, MAX_QUOTED).trimEnd())
}

/** Compiles a decoded URL. Its literal parts are escaped for an attribute when `context` is `url`. */
function compileUrl(parts: (string | Slot)[], { source, context }: Source, hooks: CompileHooks, anyTag = false): void {
  if (!isSafeHref(source)) return add(parts, '#')
  const later: Context = /^(?:mailto|tel):/i.test(source) ? 'address_part' : 'url_part'
  const slotOf = (inside: string, at: number) => slot(inside, at === 0 ? context : later, hooks, anyTag)
  const write = context === 'url' ? escapeHtml : asIs
  compileParts(parts, { source, read: asIs, write, slotOf, after: () => '' }, hooks)
}

function slot(inside: string, context: Context, hooks: CompileHooks, anyTag = false): string | Slot {
  const { tag, fallback, known } = readPlaceholder(inside)
  const escaped = ENCODE[context](fallback)
  if (known) hooks.onKnown?.(tag)
  if (known || anyTag) return { tag, context, fallback: escaped }
  hooks.onUnknown?.(tag)
  return escaped
}

function add(parts: (string | Slot)[], part: string | Slot): void {
  const last = parts.at(-1)
  if (part === '') return
  if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
  else parts.push(part)
}

const SAFE_SCHEME = /^(?:https?:\/\/|mailto:|tel:)/i
const BEGINS_WITH_PLACEHOLDER = new RegExp(`^${PLACEHOLDER.source}`)

/**
 * Whether a link is allowed in an email: http, https, mailto, tel, an anchor in the message (`#…`), or a URL that
 * begins with a placeholder. The value of that placeholder is checked when it is filled in: the slot gives one of these
 * schemes or `#`, so the text after it is harmless (docs/api/campaigns.md#merge-tags).
 */
export function isSafeHref(url: string): boolean {
  return url.startsWith('#') || SAFE_SCHEME.test(url) || BEGINS_WITH_PLACEHOLDER.test(url)
}

/** How a value is escaped in each context. */
const ENCODE: Readonly<Record<Context, (value: string) => string>> = {
  html: escapeHtml,
  attribute: escapeHtml,
  url: (value) => escapeHtml(safeUrl(value)),
  text_url: (value) => safeUrl(value),
  url_part: (value) => encodeURIComponent(value.toWellFormed()),
  address_part: (value) => encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+'),
  header: (value) => oneLine(value),
  text: (value) => value.replace(UNPRINTABLE, ''),
}

const safeUrl = (value: string): string => (SAFE_SCHEME.test(value.trim()) ? value.trim().replace(/\s+/g, '%20') : '#')

// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g
// oxlint-disable-next-line no-control-regex
const LINE_BREAKERS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g

/** Replaces characters that could end a header line or hide in it (header injection). */
const oneLine = (text: string): string => text.replace(LINE_BREAKERS, ' ')
