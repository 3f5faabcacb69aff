import { normalForm } from '../normal-form.ts'
import { invalid } from '../errors.ts'

const MAX_PATH = 500

/** What every path of a page matches: no control characters, none of \\ ? # %, and no empty, . or .. segment. */
export const PAGE_PATH = '^/(?:$|(?:(?!\\.{1,2}(?:/|$))[^/\\\\?#%\\u0000-\\u001F\\u007F-\\u009F]+(?:/|$))+$)'

/** The stored form of a page's path: decoded, in NFC, without a trailing slash. Null for an invalid path. */
export function pagePath(text: string): string | null {
  const path = normalForm(text).replace(/(?<=.)\/$/, '')
  if (path === '/') return path
  if (!path.startsWith('/') || path.length > MAX_PATH) return null
  if (/[\u0000-\u001F\u007F-\u009F\\?#%]/.test(path) || !path.isWellFormed()) return null
  const segments = path.slice(1).split('/')
  return segments.some((segment) => segment === '' || segment === '.' || segment === '..') ? null : path
}

/** As `pagePath`, but throws VALIDATION_FAILED at `/path` for an invalid path. */
export function requirePagePath(text: string): string {
  const path = pagePath(text)
  if (path === null)
    throw invalid(
      '/path',
      `A path begins with /, has at most ${MAX_PATH} characters, none of \\ ? # %, and no empty, . or .. segment.`,
    )
  return path
}

/**
 * The stored paths that a requested path can mean, the most likely first. Links between imported files end in
 * `index.html` or `.html`. Empty when no page can have the requested path.
 */
export function requestedPaths(pathname: string): string[] {
  // An encoded slash or backslash would be part of a segment, and no stored segment contains one.
  if (/%2f|%5c/i.test(pathname)) return []
  const path = decoded(pathname)
  if (path === null) return []
  const short = path.replace(/(?:^|\/)index\.html?$|\.html?$/i, '')
  return short === path ? [path] : [path, short === '' ? '/' : short]
}

function decoded(pathname: string): string | null {
  try {
    return pagePath(decodeURIComponent(pathname))
  } catch {
    return null
  }
}

/** A stored path, percent-encoded for use in a URL. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
