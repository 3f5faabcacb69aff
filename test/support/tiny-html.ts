import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { TinyDocument, TinyElement, type TinyNode } from './tiny-dom.ts'

/** HTML read as a browser reads it, into a tiny document without a window. */
export class TinyParser {
  parseFromString(html: string): TinyDocument {
    const made = new TinyDocument()
    const root = parse(html).childNodes.find((node) => node.nodeName === 'html') as DefaultTreeAdapterMap['element']
    for (const part of root.childNodes)
      if (part.nodeName === 'head' || part.nodeName === 'body') {
        const place = part.nodeName === 'head' ? made.head : made.body
        for (const { name, value } of (part as DefaultTreeAdapterMap['element']).attrs) place.setAttribute(name, value)
        fill(place, part as DefaultTreeAdapterMap['element'])
      }
    return made
  }
}

function fill(place: TinyElement, from: DefaultTreeAdapterMap['parentNode']): void {
  const { ownerDocument } = place
  for (const node of from.childNodes) {
    if (node.nodeName === '#text') place.append((node as DefaultTreeAdapterMap['textNode']).value)
    if (!('tagName' in node)) continue
    const element = ownerDocument.createElement(node.tagName)
    for (const { name, value } of node.attrs) element.setAttribute(name, value)
    fill(element, node)
    place.append(element)
  }
}

const VOID = new Set(['br', 'wbr', 'hr', 'img', 'input', 'meta', 'link', 'col'])

function innerHtml(element: TinyNode): string {
  return element.childNodes.map(outerHtml).join('')
}

function outerHtml(node: TinyNode): string {
  if (!(node instanceof TinyElement)) return escaped(node.data)
  const attributes = node.attributes.map(({ name, value }) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`)
  const opened = `<${node.localName}${attributes.join('')}>`
  return VOID.has(node.localName) ? opened : `${opened}${innerHtml(node)}</${node.localName}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00A0', '&nbsp;')
}

/** The texts of a tree one after another, as the application walks them. */
function textWalker(root: TinyNode) {
  const all = textsIn(root)
  let at = -1
  return {
    nextNode: () => ++at < all.length,
    get currentNode() {
      return all[at]
    },
  }
}

function textsIn(node: TinyNode): TinyNode[] {
  return node.nodeType === 3 ? [node] : node.childNodes.flatMap(textsIn)
}

Object.defineProperty(TinyDocument.prototype, 'createTreeWalker', { value: textWalker })
Object.defineProperties(TinyElement.prototype, {
  innerHTML: {
    get() {
      return innerHtml(this as TinyElement)
    },
  },
  outerHTML: {
    get() {
      return outerHtml(this as TinyElement)
    },
  },
})
