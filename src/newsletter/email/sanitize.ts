import sanitize from 'sanitize-html'
import { tokens } from './markup.ts'
import { PLACEHOLDER } from './merge-tags.ts'
import { type StyleSheet, styleSheetOf } from './style-sheet.ts'
import { safeStyle } from './styles.ts'
import { isSafeHref } from './template.ts'
import { joinPlaceholders } from './join-placeholders.ts'

/**
 * Makes an author's HTML safe for a table cell of an email: only known elements and attributes, links and images with
 * safe schemes, inline CSS of the allow-list, no comments, balanced tags, complete tables. Placeholders stay in texts,
 * links and attributes; a placeholder that formatting had split is joined.
 */
export function sanitizeHtml(html: string, options: sanitize.IOptions | null = null): string {
  return joinPlaceholders(mendTables(sanitize(html, options ?? OPTIONS)))
}

/** As `sanitizeHtml`, for imported markup: simple rules of its style sheets become inline CSS. */
export function sanitizeImport(html: string): string {
  const sheet = styleSheetOf(html)
  return sanitizeHtml(
    html,
    sheet && {
      ...OPTIONS,
      onOpenTag: (name, attribs) => sheet.open(name, attribs),
      onCloseTag: () => sheet.close(),
      transformTags: {
        '*': (tagName, attribs) => ({ tagName, attribs: withSheet(safeAttributes(tagName, attribs), sheet) }),
      },
    },
  )
}

/** The element's own style follows the rules of the sheet and wins. */
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
const SIZE = keepIf(/^(?:1?\d{1,3}(?:px)?|2000|100%|\d{1,2}%)$/i)
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
  style: safeStyle,
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

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  nonTextTags: SILENT_TAGS,
  allowedAttributes: { '*': Object.keys(ATTRIBUTES) },
  // safeHref checks links and safeStyle checks CSS; both allow placeholders.
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
 * Removes the tags of table parts outside a table, and of other elements directly inside one. Otherwise a stray `<td>`,
 * or a table between two rows, would make a browser close the cell around the content (HTML, 13.2.6.4.9 "in table"),
 * and with it the table that contains the footer.
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
