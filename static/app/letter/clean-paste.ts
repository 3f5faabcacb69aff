import { markTags, openHtml } from './read-html.ts'
import { withoutRedirect } from './redirects.ts'

/** Pasted content in the markup that the service accepts. */
interface Pasted {
  html: string
  /** Pictures that the content holds as data, to be uploaded. */
  pictures: File[]
  /** What could not be kept, in words for people. */
  lost: string[]
}

/**
 * Cleans content pasted from Word, Google Docs and web pages. Structure, emphasis, links and pictures stay, in the
 * markup that the service accepts; fonts, sizes, colors and classes are removed. Content copied inside the editor is
 * unchanged.
 */
export function cleanPaste(html: string): Pasted {
  if (html.includes('data-pm-slice')) return { html, pictures: [], lost: [] }
  const body = openHtml(html)
  const { pictures, lost } = takePictures(body)
  for (const element of body.querySelectorAll('style, script, title, meta, link, xml, template, noscript'))
    element.remove()
  joinWordLists(body)
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) clean(element)
  unwrapLayout(body)
  markTags(body)
  return { html: body.innerHTML, pictures, lost }
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
  if (name === 'a') element.setAttribute('href', withoutRedirect(element.getAttribute('href')!))
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

/** Takes the pictures without an address on the web, and what a letter cannot show, out of pasted content. */
function takePictures(body: HTMLElement): Omit<Pasted, 'html'> {
  const pictures: File[] = []
  let unreadable = 0
  for (const image of body.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? ''
    if (/^https?:/i.test(source)) continue
    const file = fileOf(source, image.getAttribute('alt') ?? '')
    if (file) pictures.push(file)
    else unreadable += 1
    image.remove()
  }
  const media = [...body.querySelectorAll('video, audio, iframe, object, embed, canvas, svg')]
  const fields = [...body.querySelectorAll('form, input, select, textarea')]
  for (const element of [...media, ...fields.filter(({ localName }) => localName !== 'form')]) element.remove()
  const lost = [
    ...(unreadable === 0
      ? []
      : [unreadable === 1 ? 'a picture on your computer' : `${unreadable} pictures on your computer`]),
    ...(media.length === 0 ? [] : ['videos, drawings and frames']),
    ...(fields.length === 0 ? [] : ['fields of a form']),
  ]
  return { pictures, lost }
}

/** A picture from a data URL; null for any other address. */
function fileOf(source: string, name: string): File | null {
  const [, type, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([\w+/=\s]+)$/i.exec(source) ?? []
  if (type === undefined) return null
  try {
    const bytes = Uint8Array.from(atob(data!), (letter) => letter.charCodeAt(0))
    return new File([bytes], name || 'picture', { type: type.toLowerCase() })
  } catch {
    return null
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
    const boxes = cells.map((cell) => {
      const box = body.ownerDocument.createElement('div')
      box.append(...cell.childNodes)
      return box
    })
    table.replaceWith(...boxes)
  }
}
