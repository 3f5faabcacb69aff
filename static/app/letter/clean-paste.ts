import type { PasteReport } from './pasted-words.ts'
import { markTags, openHtml } from './read-html.ts'
import { withoutRedirect } from './redirects.ts'

/** Pasted content in the markup that the service accepts. */
interface Pasted extends PasteReport {
  html: string
  /** Pictures that the content holds as data, or that were copied with it, to be uploaded. */
  pictures: File[]
}

/**
 * Cleans content pasted from Word, Google Docs and web pages. Structure, emphasis, links and pictures stay, in the
 * markup that the service accepts; fonts, sizes, colors and classes are removed. Content copied inside the editor is
 * unchanged.
 * @param files the pictures that were copied beside the markup
 */
export function cleanPaste(html: string, files: readonly File[] = []): Pasted {
  if (html.includes('data-pm-slice')) return { html, pictures: [], lost: [], unwrapped: 0 }
  const body = openHtml(html)
  const { pictures, lost } = takePictures(body, files)
  const unwrapped = unwrapLinks(body)
  for (const element of body.querySelectorAll('style, script, title, meta, link, xml, template, noscript'))
    element.remove()
  joinWordLists(body)
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) clean(element)
  unwrapLayout(body)
  markTags(body)
  return { html: body.innerHTML, pictures, lost, unwrapped }
}

const KEPT: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'alt'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}
const EVERYWHERE: ReadonlySet<string> = new Set(['dir', 'lang'])

function clean(element: HTMLElement): void {
  const name = element.localName
  const style = element.getAttribute('style') ?? ''
  const isHeading = /^h[1-6]$/.test(name)
  // Google Docs wraps copied content in a bold element that is not bold.
  if (/^(?:b|strong)$/.test(name) && /font-weight:\s*(?:normal|[1-4]00)/i.test(style)) return unwrap(element)
  if (name === 'a' && !/^(?:https?:|mailto:|tel:|\{\{)/i.test(element.getAttribute('href') ?? ''))
    return unwrap(element)
  const dir = /(?:^|[;\s])direction:\s*(rtl|ltr)/i.exec(style)?.[1]
  const align = /text-align:\s*(center|right)/i.exec(style)?.[1]
  for (const { name: attribute } of [...element.attributes])
    if (!EVERYWHERE.has(attribute) && !(KEPT[name] ?? []).includes(attribute)) element.removeAttribute(attribute)
  if (align !== undefined && /^(?:p|div|h[1-6])$/.test(name))
    element.setAttribute('style', `text-align:${align.toLowerCase()}`)
  if (dir !== undefined && !element.hasAttribute('dir') && name !== 'span')
    element.setAttribute('dir', dir.toLowerCase())
  if (name !== 'span' && name !== 'font' && !element.tagName.includes(':')) return
  if (!isHeading && !element.closest('h1, h2, h3, h4, h5, h6') && /font-weight:\s*(?:bold|[6-9]00)/i.test(style))
    wrapInside(element, 'strong')
  if (/font-style:\s*italic/i.test(style)) wrapInside(element, 'em')
  if (/text-decoration[^;]*line-through/i.test(style)) wrapInside(element, 's')
  else if (/text-decoration[^;]*underline/i.test(style) && !element.closest('a')) wrapInside(element, 'u')
  unwrap(element)
}

/** Takes redirects out of links, also where the text of the link is its address. Returns how many had one. */
function unwrapLinks(body: HTMLElement): number {
  let unwrapped = 0
  for (const link of body.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href')!
    const target = withoutRedirect(href)
    if (target === href) continue
    unwrapped += 1
    if (link.textContent.trim() === href) link.textContent = target
    link.setAttribute('href', target)
  }
  return unwrapped
}

/**
 * Takes the pictures without an address on the web, and what a letter cannot show, out of pasted content. Pictures of
 * other programs have addresses that nobody else can open; their files may have been copied as well, in the same order.
 */
function takePictures(body: HTMLElement, files: readonly File[]): Omit<Pasted, 'html' | 'unwrapped'> {
  const images = [...body.querySelectorAll('img')]
  // A picture that was copied alone, as with "Copy image" of browsers.
  const isAlone = images.length === 1 && files.length === 1 && body.textContent.trim() === ''
  const away = images.filter((image) => isAlone || !/^https?:/i.test(sourceOf(image)))
  const closed = away.filter((image) => isAlone || !/^data:/i.test(sourceOf(image)))
  const copied = closed.length === files.length ? files : []
  const pictures: File[] = []
  const reasons: Reason[] = []
  for (const image of away) {
    const file = copied[closed.indexOf(image)] ?? fileOf(sourceOf(image), image.getAttribute('alt') ?? '')
    if (typeof file === 'string') reasons.push(file)
    else pictures.push(file)
    image.remove()
  }
  const media = [...body.querySelectorAll('video, audio, iframe, object, embed, canvas, svg')]
  const fields = [...body.querySelectorAll('form, input, select, textarea')]
  for (const element of [...media, ...fields.filter(({ localName }) => localName !== 'form')]) element.remove()
  const lost = [
    ...REASONS.flatMap(([reason, one, many]) => {
      const times = reasons.filter((found) => found === reason).length
      return times === 0 ? [] : [times === 1 ? one : `${times} ${many}`]
    }),
    ...(media.length === 0 ? [] : ['videos, drawings and frames']),
    ...(fields.length === 0 ? [] : ['fields of a form']),
  ]
  return { pictures, lost }
}

const sourceOf = (image: Element): string => image.getAttribute('src')?.trim() ?? ''

/** Why a picture is left out. */
type Reason = 'closed' | 'large' | 'kind'
const REASONS: readonly (readonly [Reason, string, string])[] = [
  ['closed', 'a picture on your computer', 'pictures on your computer'],
  ['large', 'a picture of more than 5 MB', 'pictures of more than 5 MB'],
  ['kind', 'a picture that is no PNG, JPEG, GIF or WebP', 'pictures that are no PNG, JPEG, GIF or WebP'],
]
/** What the project's files take. */
const MAX_BYTES = 5 * 1024 * 1024

/** A picture from a data URL, or why there is none. */
function fileOf(source: string, name: string): File | Reason {
  if (!/^data:/i.test(source)) return 'closed'
  const [, type, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([\w+/=\s]+)$/i.exec(source) ?? []
  if (type === undefined) return 'kind'
  if (data!.length * 0.75 > MAX_BYTES) return 'large'
  try {
    const bytes = Uint8Array.from(atob(data!), (letter) => letter.charCodeAt(0))
    return new File([bytes], name || 'picture', { type: type.toLowerCase() })
  } catch {
    return 'kind'
  }
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes)
}

function wrapInside(element: HTMLElement, tag: string): void {
  const inside = element.ownerDocument.createElement(tag)
  inside.append(...element.childNodes)
  element.append(inside)
}

/** Word writes list items as paragraphs with a bullet of their own. */
function joinWordLists(body: HTMLElement): void {
  for (const item of [...body.querySelectorAll<HTMLElement>('p[style*="mso-list"]')]) {
    const sign = [...item.querySelectorAll<HTMLElement>('span')].find((span) =>
      /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
    )
    const tag = /^\s*(?:\d+|[a-z])[.)]/i.test(sign?.textContent ?? item.textContent) ? 'ol' : 'ul'
    sign?.remove()
    const previous = item.previousElementSibling
    const list =
      previous?.localName === tag && previous.hasAttribute('data-word')
        ? previous
        : body.ownerDocument.createElement(tag)
    list.setAttribute('data-word', '')
    const entry = item.ownerDocument.createElement('li')
    if (list !== previous) item.before(list)
    entry.append(...item.childNodes)
    list.append(entry)
    item.remove()
  }
}

/** The first row of a table of data names its columns, so that it is read out as a table and drawn as one. */
function nameColumns(table: HTMLTableElement): void {
  if (table.querySelector('th')) return
  for (const cell of [...table.rows[0]!.cells]) {
    const header = table.ownerDocument.createElement('th')
    for (const name of ['colspan', 'rowspan']) {
      const value = cell.getAttribute(name)
      if (value !== null) header.setAttribute(name, value)
    }
    header.append(...cell.childNodes)
    cell.replaceWith(header)
  }
}

/** What stands on lines of its own. */
const BOXES = 'p, div, ul, ol, table, img, h1, h2, h3, h4, h5, h6, blockquote, pre, hr'

/** A layout table is replaced by its content; a table of data stays. */
function unwrapLayout(body: HTMLElement): void {
  for (const table of [...body.querySelectorAll('table')].toReversed()) {
    const rows = [...table.querySelectorAll('tr')]
    const isData =
      rows.length > 1 && rows.every(({ cells }) => cells.length > 1) && !table.querySelector('table, img, h1, h2, ul')
    if (isData) {
      nameColumns(table)
      continue
    }
    // The cells of a nested table of data stay in it.
    const cells = [...table.querySelectorAll('td, th, caption')].filter((cell) => cell.closest('table') === table)
    // One row of cells with nothing but text, as of a spreadsheet, is one line.
    if (rows.length === 1 && cells.length > 1 && cells.every((cell) => cell.querySelector(BOXES) === null)) {
      const line = body.ownerDocument.createElement('div')
      for (const cell of cells) line.append(...(line.hasChildNodes() ? [' '] : []), ...cell.childNodes)
      table.replaceWith(line)
      continue
    }
    const boxes = cells.map((cell) => {
      const box = body.ownerDocument.createElement('div')
      box.append(...cell.childNodes)
      return box
    })
    table.replaceWith(...boxes)
  }
}
