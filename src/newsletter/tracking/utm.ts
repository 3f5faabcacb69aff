import { PLACEHOLDER } from '../email/merge-tags.ts'

/** How a campaign names itself to the statistics of the sites it links to; an empty text is left out. */
export interface UtmTags {
  utm_source: string
  utm_medium: string
  utm_campaign: string
}

const NAMES = ['utm_source', 'utm_medium', 'utm_campaign'] as const

/** A link with the campaign's tags. What the author already says in it stays; merge tags are not touched. */
export function withUtm(url: string, tags: UtmTags): string {
  // What a merge tag falls back to may hold any character: it is none of the address's own.
  const masked = url.replace(PLACEHOLDER, (tag) => '_'.repeat(tag.length))
  const hash = masked.includes('#') ? masked.indexOf('#') : masked.length
  const [address, fragment] = [url.slice(0, hash), url.slice(hash)]
  const plain = masked.slice(0, hash)
  const present = new Set(
    plain
      .slice(plain.indexOf('?') + 1)
      .split('&')
      .map((pair) => pair.split('=')[0]),
  )
  const added = NAMES.filter((name) => tags[name] !== '' && !present.has(name)).map(
    (name) => `${name}=${encodeURIComponent(tags[name])}`,
  )
  if (added.length === 0) return url
  const separator = !plain.includes('?') ? '?' : /[?&]$/.test(plain) ? '' : '&'
  return `${address}${separator}${added.join('&')}${fragment}`
}

export function hasUtm(tags: UtmTags): boolean {
  return NAMES.some((name) => tags[name] !== '')
}
