import { AppError } from '../errors.ts'
import { type InsertionPoints } from '../store/tables/sites.ts'
import { keepBelow } from './below.ts'
import { outlineOf } from './insertion-points.ts'
import type { Made } from './site-posts.ts'
import { cut, type CutPage, type Insertions, splice } from './splice.ts'

/** A page's text, and the data for inserting scripts into it. */
export interface PageText {
  /** The id of the stored page; null for a page that is made. */
  id: number | null
  /** Changes with the text. For a generated page, a hash of its text. */
  version: number | string
  cut: CutPage
  /** The scripts inserted into the page. */
  insertions: Insertions
}

/** The text of a page that is made; its insertion points are found again only when it differs from the cached one. */
export async function textOfMade({ html }: Made, cached: PageText | undefined): Promise<Omit<PageText, 'insertions'>> {
  const version = Bun.hash(html).toString(36)
  return { id: null, version, cut: cached?.version === version ? cached.cut : cut(html, await pointsOf(html)) }
}

/** A page that nests too deep to find its body gets its scripts at its end. */
async function pointsOf(html: string): Promise<InsertionPoints> {
  try {
    return (await outlineOf(html)).points
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const end = html.length
    return { head: end, body_start: end, body_end: end, body_implied: false }
  }
}

/** Whether two pages have the same text, without comparing the text itself. */
export function isSame(a: PageText, b: PageText): boolean {
  return (
    a.cut === b.cut &&
    a.insertions.head === b.insertions.head &&
    a.insertions.body_start === b.insertions.body_start &&
    a.insertions.body_end === b.insertions.body_end
  )
}

/**
 * The bytes of a page with its insertions, and their hash.
 *
 * @param prefix the path of its site below the address of the service; empty on its own domain
 */
export function assembled(
  { cut: page, insertions }: PageText,
  prefix: string,
): { bytes: Uint8Array<ArrayBuffer>; version: string } {
  const parts = splice(page, insertions)
  const bytes = encoded(prefix === '' ? parts : [keepBelow(parts.join(''), prefix)])
  return { bytes, version: Bun.hash(bytes).toString(36) }
}

/** Parts of a text in UTF-8. They are slices of a text in memory, so joining them first would copy all of it. */
function encoded(parts: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0))
  const encoder = new TextEncoder()
  let at = 0
  for (const part of parts) at += encoder.encodeInto(part, bytes.subarray(at)).written
  return bytes
}
