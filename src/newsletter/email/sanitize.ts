import sanitize from 'sanitize-html'
import { tokens } from './markup.ts'
import { PLACEHOLDER } from './merge-tags.ts'
import { type StyleSheet, styleSheetOf } from './style-sheet.ts'
import { safeStyle } from './styles.ts'
import { isSafeHref } from './template.ts'
import { wholeTags } from './whole-tags.ts'

/**
 * An author's markup made safe to stand inside a cell of an email: known elements and attributes only,
 * links and images of safe schemes, inline CSS of the allow-list, no comments, everything closed, tables
 * whole. Placeholders survive in texts, links and attributes, and those that formatting had split are put together.
 */
export function sanitizeHtml(html: string): string {
  return wholeTags(mendTables(sanitize(html, OPTIONS)))
}

/** The same for markup that was made elsewhere: simple rules of its own style sheets become inline CSS. */
export function sanitizeImport(html: string): string {
  const sheet = styleSheetOf(html)
  if (!sheet) return sanitizeHtml(html)
  return wholeTags(
    mendTables(
      sanitize(html, {
        ...OPTIONS,
        onOpenTag: (name, attribs) => sheet.open(name, attribs),
        onCloseTag: () => sheet.close(),
        transformTags: {
          '*': (tagName, attribs) => ({ tagName, attribs: withSheet(safeAttributes(tagName, attribs), sheet) }),
        },
      }),
    ),
  )
}

/** An element's own style comes after what the sheet says, and wins. */
function withSheet(attribs: sanitize.Attributes, sheet: StyleSheet): sanitize.Attributes {
  const given = sheet.declarations()
  if (given) attribs['style'] = attribs['style'] ? `${given};${attribs['style']}` : given
  return attribs
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

/** Elements that go with all they contain: it was never meant to be read as text. */
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
const SIZE = keepIf(/^(?:1?\d{1,3}(?:px)?|2000|100%|\d{1,2}%)$/i)
const SMALL = keepIf(/^\d{1,3}$/)
const WORD = keepIf(/^[\w-]{1,30}$/)
const TEXT = (value: string): string => value.slice(0, 1000)

/** Attributes of any element; the value as it may stay, or null. */
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
  style: safeStyle,
  title: TEXT,
  type: keepIf(/^[1aAiI]$/),
  valign: keepIf(/^(?:top|middle|bottom|baseline)$/i),
  value: SMALL,
  width: SIZE,
}

/** Attributes that only mean something on one element. */
const OWNERS: Readonly<Record<string, string>> = {
  href: 'a',
  src: 'img',
  alt: 'img',
  color: 'font',
  face: 'font',
  size: 'font',
}

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  nonTextTags: SILENT_TAGS,
  allowedAttributes: { '*': Object.keys(ATTRIBUTES) },
  // Links are judged by safeHref and CSS by safeStyle; both know placeholders.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  selfClosing: ['br', 'col', 'hr', 'img', 'wbr'],
  nestingLimit: 100,
  transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: safeAttributes(tagName, attribs) }) },
}

function safeAttributes(element: string, given: sanitize.Attributes): sanitize.Attributes {
  const kept: sanitize.Attributes = {}
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(ATTRIBUTES, name) || (OWNERS[name] ?? element) !== element) continue
    const safe = ATTRIBUTES[name]!(value)
    if (safe || (safe === '' && name === 'alt')) kept[name] = safe
  }
  return kept
}

/** A link's address as it may stay, or null. */
export function safeHref(given: string): string | null {
  const url = cleanUrl(given)
  return url.length <= 4000 && isSafeHref(url) ? url : null
}

function safeSource(given: string): string | null {
  const url = safeHref(given)
  return url && /^(?:https?:|\{\{)/i.test(url) ? url : null
}

// What browsers skip in an address, or people cannot see in one.
// oxlint-disable-next-line no-control-regex, no-misleading-character-class
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g

/** Splits a text at its placeholders and keeps them, at the odd places. */
const KEPT = new RegExp(`(${PLACEHOLDER.source.replace('(', '(?:')})`)

/** Takes the invisible out of an address, but leaves its placeholders as they are. */
function cleanUrl(given: string): string {
  const url = given
    .split(KEPT)
    .map((piece, at) => (at % 2 ? piece : piece.replace(INVISIBLE, '')))
    .join('')
    .trim()
  const absolute = url.startsWith('//') ? `https:${url}` : /^www\./i.test(url) ? `https://${url}` : url
  return absolute
    .split(KEPT)
    .map((piece, at) => (at % 2 ? piece : piece.replace(/\s/g, '%20')))
    .join('')
}

const PARENTS: Readonly<Record<string, readonly string[]>> = {
  caption: ['table'],
  colgroup: ['table'],
  col: ['colgroup', 'table'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  tr: ['table', 'thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
}
const ONLY_TABLE_PARTS: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'colgroup'])

/**
 * Drops the tags of table parts outside of their table, and of anything else directly inside one. A stray
 * `<td>`, or a table begun between two rows, would make a browser close the cell that the content stands
 * in (HTML, 13.2.6.4.9 "in table"), and with it the frame of the message that carries the footer.
 */
function mendTables(html: string): string {
  const open: { name: string; kept: boolean }[] = []
  let parent = ''
  let mended = ''
  for (const token of tokens(html)) {
    if (token.kind === 'text') mended += token.text
    else if (token.kind === 'open') {
      const kept = Object.hasOwn(PARENTS, token.name)
        ? PARENTS[token.name]!.includes(parent)
        : !ONLY_TABLE_PARTS.has(parent)
      if (kept) mended += token.text
      if (token.ended) continue
      open.push({ name: token.name, kept })
      if (kept) parent = token.name
    } else if (token.kind === 'close') {
      const closed = open.pop()
      if (!closed?.kept) continue
      mended += token.text
      parent = open.findLast(({ kept }) => kept)?.name ?? ''
    }
  }
  return mended
}
