import { defaultTreeAdapter, html, parseFragment } from 'parse5'
import { AppError, invalid } from '../errors.ts'
import { parsePlaceholders } from './placeholders.ts'

export const CODE_MAX_BYTES = 64 * 1024

/**
 * Returns the code when it is safe to insert into a page.
 * Throws VALIDATION_FAILED at `path` when it is empty, too large, contains NUL, or would absorb the markup after it.
 */
export function checkCode(code: string, path = '/code'): string {
  if (code.trim() === '') throw invalid(path, 'Code is required.')
  if (Buffer.byteLength(code) > CODE_MAX_BYTES) throw invalid(path, `Code can have at most ${CODE_MAX_BYTES} bytes.`)
  if (code.includes('\0')) throw invalid(path, 'Code cannot contain a NUL character.')
  if (absorbsFollowingMarkup(code))
    throw invalid(path, 'The code leaves a tag or a comment open and would absorb the rest of the page. Close it.')
  if (escapesPlaceholder(code)) throw invalid(path, 'A placeholder in a string cannot directly follow a backslash.')
  return code
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

/** A backslash before a placeholder with an empty value would escape the string's closing quote. */
function escapesPlaceholder(code: string): boolean {
  const parts = parsePlaceholders(code, () => true)
  return parts.some((part, index) => {
    const before = parts[index - 1]
    if (typeof part === 'string' || part.context.string === null || typeof before !== 'string') return false
    return /(?:^|[^\\])(?:\\\\)*\\$/.test(before)
  })
}
