import { PLACEHOLDER } from '../../shared/merge-tags.ts'
import { type Direction, directionOfText } from '../../shared/text-direction.ts'
import { attributesOf, decodeEntities, startTag, tokens } from './markup.ts'

/**
 * The direction of the author's texts. Not every mail program knows `dir="auto"`, so a message carries the direction
 * that a browser would find: that of the first letter (HTML, 3.2.6.4 "the dir attribute"). The value of a merge tag is
 * not known when a message is compiled and has no say.
 */

/** The direction of the first letter outside merge tags; null for a text without letters. */
const directionOf = (text: string): Direction | null => directionOfText(text.replaceAll(PLACEHOLDER, ' '))

/** The direction chosen for a text, else that of its first letter, else the one around it. */
export const directionFor = (text: string, chosen: Direction | 'auto' | undefined, around: Direction): Direction =>
  chosen === 'ltr' || chosen === 'rtl' ? chosen : (directionOf(text) ?? around)

/** Elements of text whose lines begin at the side of their direction. */
export const TEXT_BLOCKS: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre figcaption address'.split(' '),
)
/** Elements that find a direction of their own. The items of a list follow the list. */
const PARAGRAPHS: ReadonlySet<string> = new Set([...TEXT_BLOCKS, 'caption', 'td', 'th'])
const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl'])

interface Opened {
  dir: Direction | 'auto' | null
  /** The direction of the first letter inside, without elements that have a `dir` attribute. */
  found: Direction | null
}

/**
 * Sanitized HTML in which every element whose direction differs from the one around it has a `dir` attribute of `ltr`
 * or `rtl`, and no other element has one.
 */
export function withDirections(html: string, around: Direction): string {
  const found = foundIn(html)
  const open: { dir: Direction; isSet: boolean }[] = []
  let next = 0
  let written = ''
  for (const token of tokens(html)) {
    if (token.kind === 'close') open.pop()
    if (token.kind !== 'open') {
      written += token.text
      continue
    }
    const own = found[next++]!
    const outside = open.at(-1) ?? { dir: around, isSet: false }
    const looks = own.dir === 'auto' || (PARAGRAPHS.has(token.name) && !outside.isSet)
    const dir = own.dir === 'ltr' || own.dir === 'rtl' ? own.dir : looks ? (own.found ?? outside.dir) : outside.dir
    if (own.dir === null && dir === outside.dir) written += token.text
    else {
      const attributes = attributesOf(token)
      attributes.delete('dir')
      if (dir !== outside.dir) attributes.set('dir', dir)
      written += startTag(token.name, attributes)
    }
    const isSet = outside.isSet || LISTS.has(token.name) || own.dir === 'ltr' || own.dir === 'rtl'
    if (!token.ended) open.push({ dir, isSet })
  }
  return written
}

/** What each element of the HTML says and holds, in the order of their start tags. */
function foundIn(html: string): Opened[] {
  const all: Opened[] = []
  const open: Opened[] = []
  for (const token of tokens(html)) {
    if (token.kind === 'close') open.pop()
    else if (token.kind === 'open') {
      const dir = token.attributes.includes('dir=') ? attributesOf(token).get('dir')?.toLowerCase() : undefined
      const opened: Opened = { dir: (dir as Opened['dir'] | undefined) ?? null, found: null }
      all.push(opened)
      if (!token.ended) open.push(opened)
    } else if (token.kind === 'text') {
      const direction = directionOf(decodeEntities(token.text))
      if (direction === null) continue
      for (const element of open.toReversed()) {
        element.found ??= direction
        if (element.dir !== null) break
      }
    }
  }
  return all
}

/** The direction of sanitized HTML that has no paragraphs; null for any other, whose paragraphs have their own. */
export function directionOfLine(html: string): Direction | null {
  let text = ''
  for (const token of tokens(html)) {
    if (token.kind === 'open' && PARAGRAPHS.has(token.name)) return null
    if (token.kind === 'text') text += decodeEntities(token.text)
  }
  return directionOf(text)
}
