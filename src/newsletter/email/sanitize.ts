import type sanitize from 'sanitize-html'
import { once } from '../../once.ts'
import { joinPlaceholders } from './join-placeholders.ts'
import { PLACEHOLDER } from '../../shared/merge-tags.ts'
import { conditionalComments, placeTables, setTablesAside, withoutMarks } from './outlook-tables.ts'
import { ignoreRemoved, type NoteRemoved } from './removed.ts'
import { type StyleSheet, styleSheetOf } from './style-sheet.ts'
import { readStyle, styleText } from './styles.ts'
import { mendTables } from './tables.ts'
import { isSafeHref } from './template.ts'
import { keepTinyFonts } from './tiny-fonts.ts'

/**
 * Makes an author's HTML safe for a table cell of an email: only known elements and attributes, links and images with
 * safe schemes, inline CSS of the allow-list, no comments, balanced tags, complete tables. Placeholders stay in texts,
 * links and attributes; a placeholder that formatting had split is joined.
 */
export const sanitizeHtml = (html: string, note: NoteRemoved = ignoreRemoved): string =>
  joinPlaceholders(mendTables(sanitizer()(html, optionsFor({ note, tinyFonts: false }, null))))

/** Imported markup, safe for a cell that has the class `scope`. */
interface Imported {
  html: string
  /** Rules with media queries for the elements inside. */
  css: string
  /** Some of these rules are for dark mode. */
  has_dark: boolean
}

/**
 * As `sanitizeHtml`, for imported markup: style sheets apply, see `StyleSheet`; conditional comments with the tags of
 * tables for Outlook stay, see `placeTables`; containers may have no font size, see `keepTinyFonts`.
 */
export function sanitizeImport(html: string, scope: string, note: NoteRemoved = ignoreRemoved): Imported {
  const sheet = styleSheetOf(withoutConditional(html), scope, note)
  const quiet = { note: ignoreRemoved, tinyFonts: false }
  const aside = setTablesAside(html, (element, given) => safeAttributes(element, given, quiet), note)
  const safe = mendTables(sanitizer()(aside.html, optionsFor({ note, tinyFonts: true }, sheet)))
  const placed = joinPlaceholders(placeTables(safe, aside.comments, note))
  return { html: keepTinyFonts(placed, note), ...(sheet?.mediaRules() ?? { css: '', has_dark: false }) }
}

const sanitizer = once(() => require('sanitize-html') as typeof sanitize)

/** Style sheets for Outlook only do not apply. */
function withoutConditional(html: string): string {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of conditionalComments(html)) {
    pieces.push(html.slice(at, start))
    at = end
  }
  return [...pieces, html.slice(at)].join('')
}

const TAGS = [
  'a',
  'abbr',
  'address',
  'article',
  'aside',
  'b',
  'bdi',
  'bdo',
  'big',
  'blockquote',
  'br',
  'caption',
  'center',
  'cite',
  'code',
  'col',
  'colgroup',
  'dd',
  'del',
  'dfn',
  'div',
  'dl',
  'dt',
  'em',
  'figcaption',
  'figure',
  'font',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'i',
  'img',
  'ins',
  'kbd',
  'li',
  'main',
  'mark',
  'ol',
  'p',
  'pre',
  'q',
  's',
  'samp',
  'section',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'time',
  'tr',
  'tt',
  'u',
  'ul',
  'var',
  'wbr',
]

/** Elements that are removed with their content, which is not text for readers. */
const SILENT_TAGS = [
  'applet',
  'audio',
  'canvas',
  'embed',
  'frameset',
  'iframe',
  'math',
  'noembed',
  'noframes',
  'noscript',
  'object',
  'option',
  'plaintext',
  'script',
  'select',
  'style',
  'svg',
  'template',
  'textarea',
  'title',
  'video',
  'xmp',
]

const keepIf =
  (pattern: RegExp) =>
  (value: string): string | null =>
    pattern.test(value) ? value : null
const COLOR = keepIf(/^(?:#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]{3,20})$/i)
const SIZE = keepIf(/^(?:1?\d{1,3}(?:px)?|2000|100%|\d{1,2}%|auto)$/i)
const SMALL = keepIf(/^\d{1,3}$/)
const WORD = keepIf(/^[\w-]{1,30}$/)
const TEXT = (value: string): string => value.slice(0, 1000)

/** The allowed attributes. Each function returns the safe value, or null to remove the attribute. */
const ATTRIBUTES: Readonly<Record<string, (value: string) => string | null>> = {
  abbr: TEXT,
  align: keepIf(/^(?:left|right|center|justify)$/i),
  alt: TEXT,
  'aria-label': TEXT,
  bgcolor: COLOR,
  border: SMALL,
  cellpadding: SMALL,
  cellspacing: SMALL,
  color: COLOR,
  colspan: SMALL,
  dir: keepIf(/^(?:ltr|rtl|auto)$/i),
  face: keepIf(/^[\w\s,-]{1,200}$/),
  height: SIZE,
  href: safeHref,
  lang: WORD,
  nowrap: () => 'nowrap',
  role: keepIf(/^(?:presentation|none)$/i),
  rowspan: SMALL,
  scope: WORD,
  size: keepIf(/^[+-]?[1-7]$/),
  span: SMALL,
  src: safeSource,
  start: SMALL,
  title: TEXT,
  type: keepIf(/^[1aAiI]$/),
  valign: keepIf(/^(?:top|middle|bottom|baseline)$/i),
  value: SMALL,
  width: SIZE,
}

/** Attributes that are allowed on one element only. */
const OWNERS: Readonly<Record<string, string>> = {
  href: 'a',
  src: 'img',
  alt: 'img',
  color: 'font',
  face: 'font',
  size: 'font',
}

interface Rules {
  note: NoteRemoved
  tinyFonts: boolean
}

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  nonTextTags: SILENT_TAGS,
  allowedAttributes: { '*': ['class', 'style', ...Object.keys(ATTRIBUTES)] },
  // safeHref checks links and readStyle checks CSS; both allow placeholders.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  selfClosing: ['br', 'col', 'hr', 'img', 'wbr'],
  nestingLimit: 100,
}

/** Elements whose removal takes nothing away from a message. The rules of style sheets are noted one by one. */
const QUIET_TAGS: ReadonlySet<string> = new Set(['html', 'head', 'body', 'meta', 'title', 'style'])
const KNOWN_TAGS: ReadonlySet<string> = new Set([...TAGS, ...QUIET_TAGS])

function optionsFor(rules: Rules, sheet: StyleSheet | null): sanitize.IOptions {
  const transform: sanitize.Transformer = (name, given) => {
    if (!KNOWN_TAGS.has(name)) rules.note('element', `<${name}>`)
    const attribs = safeAttributes(name, given, rules)
    if (sheet) applySheet(attribs, sheet)
    // The body of a whole document keeps its style.
    return { tagName: sheet && name === 'body' && attribs['style'] ? 'div' : name, attribs }
  }
  return {
    ...OPTIONS,
    transformTags: { '*': transform },
    ...(sheet && { onOpenTag: (name, attribs) => sheet.open(name, attribs), onCloseTag: () => sheet.close() }),
  }
}

/** The element's own style follows the rules of the sheet and wins. */
function applySheet(attribs: sanitize.Attributes, sheet: StyleSheet): void {
  const own = attribs['style'] ?? ''
  const { style, classes } = sheet.forElement(own)
  if (style) attribs['style'] = own ? `${style};${own}` : style
  if (classes) attribs['class'] = classes
}

/** Attributes without an effect in an email, or that the style sheets have used. */
const QUIET_ATTRIBUTES = /^(?:id|class|name|target|rel|role|tabindex|(?:aria|data|xmlns)\b.*|.*:.*)$/

function safeAttributes(element: string, given: sanitize.Attributes, rules: Rules): sanitize.Attributes {
  const kept: sanitize.Attributes = {}
  for (const [name, marked] of Object.entries(given)) {
    const value = withoutMarks(marked)
    const safe = name === 'style' ? styleText(readStyle(value, rules.note, rules)) : safeAttribute(element, name, value)
    if (safe || (safe === '' && name === 'alt')) kept[name] = safe
    else if (safe === null && KNOWN_TAGS.has(element) && !QUIET_TAGS.has(element) && !QUIET_ATTRIBUTES.test(name))
      rules.note('attribute', value ? `${name}="${value}"` : name)
  }
  return kept
}

/** The safe value of an attribute other than style, or null to remove the attribute. */
function safeAttribute(element: string, name: string, value: string): string | null {
  if (!Object.hasOwn(ATTRIBUTES, name) || (OWNERS[name] ?? element) !== element) return null
  return ATTRIBUTES[name]!(value)
}

/** The URL without invisible characters, or null when its scheme is not allowed. */
export function safeHref(given: string): string | null {
  const url = cleanUrl(given)
  return url.length <= 4000 && isSafeHref(url) ? url : null
}

function safeSource(given: string): string | null {
  const url = safeHref(given)
  return url && /^(?:https?:|\{\{)/i.test(url) ? url : null
}

// Characters that browsers ignore in a URL, or that people cannot see.
// oxlint-disable-next-line no-control-regex, no-misleading-character-class
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g

/** Splits a text at its placeholders, which become the parts with an odd index. */
const KEPT = new RegExp(`(${PLACEHOLDER.source.replace('(', '(?:')})`)

/** Removes invisible characters from a URL, except inside placeholders. */
function cleanUrl(given: string): string {
  const outside = (text: string, change: (piece: string) => string): string =>
    text
      .split(KEPT)
      .map((piece, at) => (at % 2 ? piece : change(piece)))
      .join('')
  const url = outside(given, (piece) => piece.replace(INVISIBLE, '')).trim()
  const scheme = url.startsWith('//') ? 'https:' : /^www\./i.test(url) ? 'https://' : ''
  return outside(scheme + url, (piece) => piece.replace(/\s/g, '%20'))
}
