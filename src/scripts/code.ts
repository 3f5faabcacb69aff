import { defaultTreeAdapter, html, parseFragment } from 'parse5'
import { invalid } from '../errors.ts'
import { takeApart } from './placeholders.ts'

export const CODE_MAX_BYTES = 64 * 1024

/** VALIDATION_FAILED for code that cannot be put into a page. */
export function checkCode(code: string, path = '/code'): string {
  if (code.trim() === '') throw invalid(path, 'Code is required.')
  if (Buffer.byteLength(code) > CODE_MAX_BYTES) throw invalid(path, `Code has at most ${CODE_MAX_BYTES} bytes.`)
  if (code.includes('\0')) throw invalid(path, 'Code has no NUL character.')
  if (leavesSomethingOpen(code))
    throw invalid(path, 'The code leaves a tag or a comment open: it would swallow the page that follows.')
  if (hidesAPlaceholder(code)) throw invalid(path, 'A placeholder in a string cannot stand right behind a backslash.')
  return code
}

/** Unclosed formatting elements are opened again in each paragraph: a short code can ask for billions of elements. */
const MAX_REOPENED = 50_000
/** `<p>`: no element of the code's own is shorter. */
const SHORTEST_ELEMENT = 3

const AFTER = 'masthead-after'

/**
 * Whether what follows the code would become part of it (contract-details 81): an element that is put behind it
 * must be seen, and stand beside the code's own, not within one of them.
 */
export function leavesSomethingOpen(code: string): boolean {
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, [])
  const last = parseFragment(body, `${code}x<${AFTER}>`, { treeAdapter: frugal(code.length) }).childNodes.at(-1)
  return !(
    last !== undefined &&
    'tagName' in last &&
    last.tagName === AFTER &&
    last.attrs.length === 0 &&
    last.childNodes.length === 0
  )
}

/** Builds what a code of this length may ask for; VALIDATION_FAILED beyond. */
function frugal(length: number): typeof defaultTreeAdapter {
  let elements = 0
  return {
    ...defaultTreeAdapter,
    createElement(...element) {
      if (++elements > MAX_REOPENED + length / SHORTEST_ELEMENT)
        throw invalid('/code', 'The code opens the same unclosed elements too often.')
      return defaultTreeAdapter.createElement(...element)
    },
  }
}

/** A backslash takes the character behind it: with an empty value that would be the string's own quote. */
function hidesAPlaceholder(code: string): boolean {
  const parts = takeApart(code, () => true)
  return parts.some((part, index) => {
    const before = parts[index - 1]
    if (typeof part === 'string' || part.place.string === null || typeof before !== 'string') return false
    return /(?:^|[^\\])(?:\\\\)*\\$/.test(before)
  })
}
