import type { InsertionPoints } from '../store/tables/sites.ts'

/** The markup to insert at each insertion point of a page. */
export interface Insertions {
  head: string
  body_start: string
  body_end: string
}

export const NO_INSERTIONS: Insertions = { head: '', body_start: '', body_end: '' }

/** A page cut at its insertion points. The parts joined are the page. */
export interface CutPage {
  /** Text up to the end of the head. */
  head: string
  /** Text from there to the beginning of the body. */
  between: string
  /** The body; without a body, all the rest. */
  body: string
  /** Text after the body. */
  rest: string
  has_body: boolean
  body_implied: boolean
}

/** Cuts a page at its insertion points. The parts are slices, so this copies no text. */
export function cut(html: string, { head, body_start, body_end, body_implied }: InsertionPoints): CutPage {
  const has_body = body_start !== null && body_end !== null
  const [from, to] = has_body ? [body_start, body_end] : [head, html.length]
  return {
    head: html.slice(0, head),
    between: html.slice(head, from),
    body: html.slice(from, to),
    rest: html.slice(to),
    has_body,
    body_implied,
  }
}

/**
 * The page with its insertions, in parts to be joined. The page's own text stays byte for byte. When the `<body>` tag
 * is implied, it is written out, because a browser would move a script before the implied tag into the head.
 */
export function splice(page: CutPage, { head, body_start, body_end }: Insertions): string[] {
  if (!page.has_body) return [page.head, head, page.between, page.body, page.rest]
  const opensBody = page.body_implied && (body_start !== '' || (body_end !== '' && page.body === ''))
  const opening = opensBody ? '<body>' : ''
  return [page.head, head, page.between, opening, body_start, page.body, body_end, page.rest]
}
