/** Reads the style sheets of imported markup. Every function takes time in proportion to the length of its input. */

/** The content of each style element that has an end tag, and its `media` attribute. */
export function* styleElements(html: string): Generator<{ media: string; css: string }> {
  let media = ''
  /** Start of the content that is open, or null between style elements. */
  let start: number | null = null
  for (const { 0: tag, index } of html.matchAll(/<\/?style/gi)) {
    const isEnd = tag.startsWith('</')
    if (start === null && !isEnd) {
      const end = html.indexOf('>', index)
      if (end < 0) break
      const [, double, single] =
        /\smedia="([^"]*)"|\smedia='([^']*)'/i.exec(html.slice(index, Math.min(end, index + 500))) ?? []
      media = double ?? single ?? ''
      start = end + 1
    } else if (start !== null && isEnd && index >= start) {
      yield { media, css: withoutComments(html.slice(start, index)) }
      start = null
    }
  }
}

/** A space for each comment that is closed, and for `<!--` and `-->`. */
function withoutComments(css: string): string {
  const pieces: string[] = []
  let at = 0
  for (;;) {
    const open = css.indexOf('/*', at)
    const close = open < 0 ? -1 : css.indexOf('*/', open + 2)
    if (close < 0) break
    pieces.push(css.slice(at, open))
    at = close + 2
  }
  return [...pieces, css.slice(at)].join(' ').replace(/<!--|-->/g, ' ')
}

/** Each `selectors { body }` outside other braces. */
export function* topLevel(css: string): Generator<[selectors: string, body: string]> {
  let start = 0
  let opened = 0
  let depth = 0
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) opened = index
    else if (brace === '}' && --depth === 0) {
      const before = css.slice(start, opened)
      yield [before.slice(before.lastIndexOf(';') + 1).trim(), css.slice(opened + 1, index)]
      start = index + 1
    }
    if (depth < 0) return
  }
}

const MAX_QUERY = 300
const FEATURE =
  /^\(\s*(?:(min|max)-width\s*:\s*(\d{1,4}(?:\.\d{1,3})?(?:px|em|rem))|(prefers-color-scheme)\s*:\s*dark)\s*\)$/

/**
 * A media query in a plain notation: widths of the screen and dark mode. Empty when it is true on every screen, null
 * when it is not supported. An unsupported query in a list is left out.
 */
export function readMedia(list: string): string | null {
  if (list.length > MAX_QUERY) return null
  const queries = list
    .toLowerCase()
    .split(',')
    .map(readQuery)
    .filter((query) => query !== null)
  return queries.length === 0 ? null : queries.includes('') ? '' : queries.join(',')
}

function readQuery(query: string): string | null {
  const [first = '', ...others] = query.trim().split(/\s*\band\b\s*/)
  const hasType = /^(?:only\s+)?(?:screen|all)$|^$/.test(first)
  const features: string[] = []
  for (const feature of hasType ? others : [first, ...others]) {
    const [found, side, width] = FEATURE.exec(feature) ?? []
    if (!found) return null
    features.push(side ? `(${side}-width:${width})` : '(prefers-color-scheme:dark)')
  }
  return features.length === 0 ? '' : `only screen and ${features.join(' and ')}`
}
