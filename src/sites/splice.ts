import type { InsertionPoints } from '../store/tables/sites.ts'

/** What is put into a page, by place: the markup of its scripts in their order. */
export interface Insertions {
  head: string
  body_start: string
  body_end: string
}

export const NO_INSERTIONS: Insertions = { head: '', body_start: '', body_end: '' }

/** A page cut at its insertion points; together the parts are the page. */
export interface CutPage {
  /** Up to the end of the head. */
  head: string
  /** Up to the beginning of the body. */
  between: string
  /** Up to the end of the body; all the rest where there is none. */
  body: string
  /** What stands behind the body. */
  rest: string
  has_body: boolean
  body_implied: boolean
}

/** Cuts a page; the parts are slices and cost nothing. */
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
 * The page with the scripts in it; what is the page's own stays as it is, byte for byte. Where a browser would open
 * the body by itself, its tag is added: without it a script for the body would be taken into the head.
 */
export function splice(page: CutPage, { head, body_start, body_end }: Insertions): string {
  if (!page.has_body) return page.head + head + page.between + page.body + page.rest
  const opensBody = page.body_implied && (body_start !== '' || (body_end !== '' && page.body === ''))
  return page.head + head + page.between + (opensBody ? '<body>' : '') + body_start + page.body + body_end + page.rest
}
