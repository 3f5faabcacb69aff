import { DOMParser as Reader, type Node } from 'prosemirror-model'
import { PLACEHOLDER } from '../../../src/shared/merge-tags.ts'
import { readTag } from './tags.ts'
import { richSchema } from './text-schema.ts'

interface Policy {
  createHTML(html: string): string
}

/**
 * The application's one policy for trusted HTML. Its result goes into a document without a window, where nothing loads
 * and nothing runs; the editor then reads what its schema allows.
 */
const policy: Policy = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
).trustedTypes?.createPolicy('masthead-letter', { createHTML: (html) => html }) ?? { createHTML: (html) => html }

/** The elements of some HTML, in a separate document. */
export function openHtml(html: string): HTMLElement {
  return new DOMParser().parseFromString(policy.createHTML(html), 'text/html').body
}

/** The text of a block, from its HTML. */
export function readHtml(html: string): Node {
  const body = openHtml(html)
  markTags(body)
  return Reader.fromSchema(richSchema).parse(body)
}

/** Replaces each merge tag by an element, which the schema reads as one node. */
export function markTags(body: Element): void {
  const { ownerDocument } = body
  const walker = ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const pieces = text.data.split(PLACEHOLDER)
    if (pieces.length === 1 || text.parentElement?.closest('table, dl, pre, [data-tag]')) continue
    const nodes = pieces.map((piece, at) => {
      if (at % 2 === 0) return ownerDocument.createTextNode(piece)
      const { name, fallback } = readTag(piece)
      const element = ownerDocument.createElement('span')
      element.dataset['tag'] = name
      element.dataset['fallback'] = fallback
      return element
    })
    text.replaceWith(...nodes)
  }
}
