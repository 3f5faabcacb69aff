import { PLACEHOLDER } from '../../shared/merge-tags.ts'

/** The campaign's tags for the analytics of the sites that it links to; empty ones are left out. */
export interface UtmTags {
  utm_source: string
  utm_medium: string
  utm_campaign: string
}

const NAMES = ['utm_source', 'utm_medium', 'utm_campaign'] as const

/** Adds the campaign's tags to a link. Parameters that the link has stay, and merge tags are not changed. */
export function withUtm(url: string, tags: UtmTags): string {
  // A merge tag's fallback may contain any character, so it is masked while the address is parsed.
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
