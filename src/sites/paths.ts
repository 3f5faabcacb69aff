import { invalid } from '../errors.ts'

const MAX_PATH = 500

/**
 * The path of a page as it is stored: letters as they are (no percent encoding), composed (NFC), without a slash at its
 * end. Null for what cannot be one.
 */
export function pagePath(text: string): string | null {
  const path = text.normalize('NFC').replace(/(?<=.)\/$/, '')
  if (path === '/') return path
  if (!path.startsWith('/') || path.length > MAX_PATH) return null
  if (/[\u0000-\u001F\u007F-\u009F\\?#%]/.test(path) || !path.isWellFormed()) return null
  const segments = path.slice(1).split('/')
  return segments.some((segment) => segment === '' || segment === '.' || segment === '..') ? null : path
}

/** As `pagePath`; VALIDATION_FAILED instead of null. */
export function requirePagePath(text: string): string {
  const path = pagePath(text)
  if (path === null)
    throw invalid(
      '/path',
      `A path begins with /, has no empty part, no . or .. as a part, none of \\ ? # %, and at most ${MAX_PATH} characters.`,
    )
  return path
}

/**
 * The paths that an address may mean, the likeliest first: links between files that were imported keep their
 * `index.html` and `.html`. Empty for an address that no page can have.
 */
export function requestedPaths(pathname: string): string[] {
  // An encoded slash is a character of a name, and no name has one.
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

/** A stored path as a part of an address. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
