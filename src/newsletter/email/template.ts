import { attributesOf, decodeEntities, escapeHtml, type Token, tokens } from './markup.ts'
import { PLACEHOLDER, readPlaceholder } from './merge-tags.ts'
import { FORMATTING } from './whole-tags.ts'

/**
 * Where a value stands decides how it is escaped:
 * `html` a text, `attribute` an attribute value, `url` a whole link or the start of one, `url_part` a piece
 * inside a link, `address_part` a piece of a mailto or tel link, `text` the plain-text part, `text_url` a
 * whole link there, `header` a line of the message's header.
 */
export type Context = 'html' | 'attribute' | 'url' | 'url_part' | 'address_part' | 'text' | 'text_url' | 'header'

/** A place to fill. The fallback is escaped already. */
export interface Slot {
  readonly tag: string
  readonly context: Context
  readonly fallback: string
}

/** A text made ready for filling: literal pieces and slots, in order. */
export type Template = readonly (string | Slot)[]

/** Merge tag to value. A tag that is missing or empty gets its fallback; only own properties count. */
export type MergeValues = Readonly<Record<string, string | undefined>>

export interface CompileHooks {
  /** Told of each placeholder that names nothing. */
  onUnknown?: (tag: string) => void
  /** Told of what begins like a placeholder and is none, up to where it is cut off. */
  onBroken?: (text: string) => void
  /** Told of each other placeholder. */
  onKnown?: (tag: string) => void
  /** Gives another address for a link of `<a href>`, with any tags it likes, or null to leave it. */
  onLink?: (url: string) => string | null
}

/**
 * The template with its values. One pass: a value is never looked at again, so braces, `$&` or markup in it
 * are only characters.
 */
export function fillTemplate(template: Template, values: MergeValues): string {
  let filled = ''
  for (const part of template) filled += typeof part === 'string' ? part : fillSlot(part, values)
  return filled
}

function fillSlot(slot: Slot, values: MergeValues): string {
  const value = Object.hasOwn(values, slot.tag) ? values[slot.tag] : undefined
  return value ? encode(value, slot.context) : slot.fallback
}

/**
 * Compiles a source. `html`: well-formed HTML, each placeholder's context found from where it stands;
 * `url`: one address, for the plain-text part; `text` and `header`: plain text.
 */
export function compileTemplate(
  source: string,
  kind: 'html' | 'text' | 'url' | 'header',
  hooks: CompileHooks = {},
): Template {
  const parts: (string | Slot)[] = []
  if (kind === 'html') compileHtml(parts, source, hooks)
  else if (kind === 'url') compileUrl(parts, source, 'text_url', hooks)
  else compileRun(parts, kind === 'header' ? oneLine(source) : source, kind, hooks)
  return parts
}

/** Several templates one after the other. */
export function joinTemplates(pieces: Iterable<string | Template>): Template {
  const parts: (string | Slot)[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') add(parts, piece)
    else for (const part of piece) add(parts, part)
  }
  return parts
}

const URL_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'src'])

function compileHtml(parts: (string | Slot)[], html: string, hooks: CompileHooks): void {
  const all = [...tokens(html)]
  all.forEach((token, at) => {
    if (token.kind === 'text') compileRun(parts, token.text, 'html', hooks, () => lettersAfter(all, at))
    else if (token.kind === 'open' && (token.name === 'a' || token.text.includes('{{'))) compileTag(parts, token, hooks)
    else add(parts, token.text)
  })
}

/** Characters by which a broken placeholder is named. */
const NAMED_BY = 60

/** What is read on the same line after a text, as far as it is needed to name what the text breaks off. */
function lettersAfter(all: readonly Token[], at: number): string {
  let letters = ''
  for (let next = at + 1; next < all.length && letters.length < NAMED_BY; next++) {
    const token = all[next]!
    if (token.kind === 'text') letters += token.text
    else if (token.kind === 'comment' || !FORMATTING.has(token.name)) break
  }
  return letters
}

function compileTag(parts: (string | Slot)[], token: { name: string; attributes: string }, hooks: CompileHooks): void {
  add(parts, `<${token.name}`)
  for (const [name, value] of attributesOf(token)) {
    add(parts, ` ${name}="`)
    if (URL_ATTRIBUTES.has(name)) compileLink(parts, value, token.name === 'a', hooks)
    // A value has no business in CSS, where no escaping would tame it.
    else if (name === 'style') add(parts, escapeHtml(value.replace(PLACEHOLDER, '')))
    else compileRun(parts, escapeHtml(value), 'attribute', hooks)
    add(parts, '"')
  }
  add(parts, '>')
}

function compileLink(parts: (string | Slot)[], url: string, rewritable: boolean, hooks: CompileHooks): void {
  const other = rewritable ? (hooks.onLink?.(url) ?? null) : null
  if (other === null) return compileUrl(parts, url, 'url', hooks)
  compileUrl([], url, 'url', hooks) // what is to be told of it
  compileUrl(parts, other, 'url', {}, true)
}

/** A source in the notation of its context: HTML for `html` and `attribute`, plain for the others. `after` is what is read after it. */
function compileRun(
  parts: (string | Slot)[],
  source: string,
  context: Context,
  hooks: CompileHooks,
  after = () => '',
): void {
  const isHtml = context === 'html' || context === 'attribute'
  let at = 0
  for (const match of source.matchAll(PLACEHOLDER)) {
    const literal = source.slice(at, match.index)
    tellBroken(literal, hooks, isHtml)
    add(parts, literal)
    add(parts, slot(isHtml ? decodeEntities(match[1]!) : match[1]!, context, hooks))
    at = match.index + match[0].length
  }
  const rest = source.slice(at)
  if (hooks.onBroken && (rest.includes('{{') || (rest.endsWith('{') && after().startsWith('{'))))
    tellBroken(rest + after(), hooks, isHtml)
  add(parts, rest)
}

/** Names what begins in a literal text like a placeholder, and is none. */
function tellBroken(literal: string, { onBroken }: CompileHooks, isHtml: boolean): void {
  const at = onBroken ? literal.indexOf('{{') : -1
  if (at < 0) return
  const [found] = /^.*?\}\}|^.*/s.exec(literal.slice(at, at + 6 * NAMED_BY))!
  onBroken!((isHtml ? decodeEntities(found) : found).replace(/\s+/g, ' ').slice(0, NAMED_BY).trimEnd())
}

/** `url` is plain; the literal pieces are escaped when it goes into an attribute (`context` is `url`). */
function compileUrl(
  parts: (string | Slot)[],
  url: string,
  context: 'url' | 'text_url',
  hooks: CompileHooks,
  anyTag = false,
): void {
  if (!isSafeHref(url)) return add(parts, '#')
  const inside: Context = /^(?:mailto|tel):/i.test(url) ? 'address_part' : 'url_part'
  const literal = (text: string) => (context === 'url' ? escapeHtml(text) : text)
  let at = 0
  for (const match of url.matchAll(PLACEHOLDER)) {
    tellBroken(url.slice(at, match.index), hooks, false)
    add(parts, literal(url.slice(at, match.index)))
    add(parts, slot(match[1]!, match.index === 0 ? context : inside, hooks, anyTag))
    at = match.index + match[0].length
  }
  tellBroken(url.slice(at), hooks, false)
  add(parts, literal(url.slice(at)))
}

function slot(inside: string, context: Context, hooks: CompileHooks, anyTag = false): string | Slot {
  const { tag, fallback, known } = readPlaceholder(inside)
  const escaped = encode(fallback, context)
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
 * Whether a link may stand in an email: http, https, mailto, tel, a place in the message (`#…`), or one that
 * begins with a placeholder, whose value is then checked when it is filled (contract-details 2C.47). What
 * follows a placeholder at the start is harmless: the slot always gives one of these schemes or `#`.
 */
export function isSafeHref(url: string): boolean {
  return url.startsWith('#') || SAFE_SCHEME.test(url) || BEGINS_WITH_PLACEHOLDER.test(url)
}

function encode(value: string, context: Context): string {
  switch (context) {
    case 'html':
    case 'attribute':
      return escapeHtml(value)
    case 'url':
      return escapeHtml(safeUrl(value))
    case 'text_url':
      return safeUrl(value)
    case 'url_part':
      return encodeURIComponent(value.toWellFormed())
    case 'address_part':
      return encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+')
    case 'header':
      return oneLine(value)
    case 'text':
      return value.replace(UNPRINTABLE, '')
  }
}

const safeUrl = (value: string): string => {
  const url = value.trim()
  return SAFE_SCHEME.test(url) ? url.replace(/\s+/g, '%20') : '#'
}

// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g
// oxlint-disable-next-line no-control-regex
const LINE_BREAKERS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g

/** Nothing that could end a header line or hide in one (contract-details 2F.76). */
const oneLine = (text: string): string => text.replace(LINE_BREAKERS, ' ')
