import { DOMParser as Reader, type Node } from 'prosemirror-model'
import { PLACEHOLDER } from '../../../src/newsletter/email/merge-tags.ts'
import { readTag } from './tags.ts'
import { richSchema } from './text-schema.ts'

interface Policy {
  createHTML(html: string): string
}

/**
 * The one policy of ours for trusted HTML. What it makes goes into a document without a window only, where nothing is
 * loaded and nothing runs; the editor then takes what its schema knows.
 */
const policy: Policy = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
).trustedTypes?.createPolicy('masthead-letter', { createHTML: (html) => html }) ?? { createHTML: (html) => html }

/** The elements of HTML, in a document of their own. */
export function openHtml(html: string): HTMLElement {
  return new DOMParser().parseFromString(policy.createHTML(html), 'text/html').body
}

/** The text of a block, from its HTML. */
export function readHtml(html: string): Node {
  const body = openHtml(html)
  markTags(body)
  return Reader.fromSchema(richSchema).parse(body)
}

/** Puts an element in the place of each merge tag, which the schema reads as one piece. */
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
