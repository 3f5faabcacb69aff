import { defaultTreeAdapter, html, parseFragment } from 'parse5'
import { AppError, invalid } from '../errors.ts'
import { type Part, parsePlaceholders } from './placeholders.ts'

export const CODE_MAX_BYTES = 64 * 1024

/** A range of code, in UTF-16 code units. */
export interface CodeRange {
  from: number
  to: number
}

/** Why code cannot be inserted into a page. */
interface CodeFlaw {
  message: string
  /** Null when no single range is at fault. */
  at: CodeRange | null
}

/**
 * Returns the code when it is safe to insert into a page.
 * Throws VALIDATION_FAILED at `/code` when it is empty, too large, contains NUL, or would absorb the markup after it.
 */
export function checkCode(code: string): string {
  const flaw = flawOfCode(code)
  if (flaw) throw invalid('/code', flaw.message)
  return code
}

/** What `checkCode` refuses about code; null when it is safe. */
export function flawOfCode(code: string): CodeFlaw | null {
  if (code.trim() === '') return { message: 'Code is required.', at: null }
  if (Buffer.byteLength(code) > CODE_MAX_BYTES)
    return { message: `Code can have at most ${CODE_MAX_BYTES} bytes.`, at: null }
  const nul = code.indexOf('\0')
  if (nul !== -1) return { message: 'Code cannot contain a NUL character.', at: { from: nul, to: nul + 1 } }
  if (absorbsFollowingMarkup(code))
    return {
      message: 'The code leaves a tag or a comment open and would absorb the rest of the page. Close it.',
      at: openRange(code),
    }
  const at = escapedPlaceholder(code)
  return at && { message: 'A placeholder in a string cannot directly follow a backslash.', at }
}

/** Length of `<p>`, the shortest tag that creates an element. */
const SHORTEST_ELEMENT = 3

/**
 * More elements than markup needs. Without this limit short markup could create billions: the parser reopens unclosed
 * formatting elements in every paragraph.
 */
export const maxElements = (markup: string): number => 50_000 + markup.length / SHORTEST_ELEMENT

/** The most elements of parameter values, which tokens can send: the limit bounds the time of parsing them. */
const RENDERED_MAX_ELEMENTS = 25_000

/** Whether parameter values or rendered code leave nothing open, and have at most RENDERED_MAX_ELEMENTS elements. */
export function isClosed(markup: string): boolean {
  try {
    return !absorbsFollowingMarkup(markup, RENDERED_MAX_ELEMENTS)
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

const PROBE = 'masthead-after'

/**
 * Whether markup after the code would become part of it (docs/api/scripts.md#definitions). A probe element is parsed
 * after the code: it must become a separate, last sibling of the code's own elements.
 */
export function absorbsFollowingMarkup(code: string, max_elements = maxElements(code)): boolean {
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, [])
  const last = parseFragment(body, `${code}x<${PROBE}>`, {
    treeAdapter: boundedTreeAdapter(max_elements),
  }).childNodes.at(-1)
  return !(
    last !== undefined &&
    'tagName' in last &&
    last.tagName === PROBE &&
    last.attrs.length === 0 &&
    last.childNodes.length === 0
  )
}

/** Throws VALIDATION_FAILED for more elements. The default is as many as the code can contain tags, plus a margin. */
function boundedTreeAdapter(max_elements: number): typeof defaultTreeAdapter {
  let elements = 0
  return {
    ...defaultTreeAdapter,
    createElement(...element) {
      if (++elements > max_elements)
        throw invalid('/code', 'The code makes the browser reopen unclosed elements too often. Close them.')
      return defaultTreeAdapter.createElement(...element)
    },
  }
}

/** The tag or comment that code leaves open: the outermost element, else what no parser made a node of. */
function openRange(code: string): CodeRange {
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, [])
  const whole = parseFragment(body, `${code}x<${PROBE}>`, {
    treeAdapter: boundedTreeAdapter(maxElements(code)),
    sourceCodeLocationInfo: true,
  })
  const { length } = code
  let end = 0
  for (let node = whole.childNodes.at(-1); node; node = 'childNodes' in node ? node.childNodes.at(-1) : undefined) {
    const location = node.sourceCodeLocation
    if (!location) continue
    const tag = ('startTag' in location && location.startTag) || location
    const last = ('endTag' in location && location.endTag) || tag
    // An element without an end tag, such as `<img>`, ends with its start tag.
    const isOpen = last === tag && (location.endOffset > length || location.endOffset < tag.endOffset)
    if (isOpen && node.nodeName !== '#text') return { from: tag.startOffset, to: Math.min(tag.endOffset, length) }
    end = last.endOffset
    if (last !== tag) break
  }
  return { from: Math.min(end, length), to: length }
}

/** A placeholder after a backslash, which with an empty value would escape the string's closing quote. */
function escapedPlaceholder(code: string): CodeRange | null {
  let offset = 0
  let before: Part = ''
  for (const part of parsePlaceholders(code, () => true)) {
    const length = typeof part === 'string' ? part.length : `{{${part.key}}}`.length
    if (typeof part !== 'string' && part.context.string !== null && typeof before === 'string')
      if (/(?:^|[^\\])(?:\\\\)*\\$/.test(before)) return { from: offset - 1, to: offset + length }
    offset += length
    before = part
  }
  return null
}
