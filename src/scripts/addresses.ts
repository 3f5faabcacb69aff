/*
 * Addresses in attributes. An address with the scheme `javascript` runs when it is followed, so the value of a
 * placeholder must not give an address this scheme (docs/api/scripts.md#placeholders).
 */

/** `scheme`: the value can be a part of the scheme. `script`: the value is inside an address that is a script. */
export type AddressPart = 'scheme' | 'script'

/** Attributes that browsers follow, and those with which SVG animates them. */
const ADDRESSES = new Set(['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'to', 'from', 'by', 'values'])

export function isAddress(attribute: string): boolean {
  return ADDRESSES.has(attribute)
}

/** Browsers ignore these at the beginning of an address, some of them everywhere in it. */
// oxlint-disable-next-line no-control-regex
const IGNORED = /[\u0000-\u0020]/g
const SCRIPT = /(?:java|vb)script$/i

/**
 * What each placeholder, written as `word`, is in an address; null behind the scheme of an ordinary address.
 *
 * @param address the value with its character references decoded
 */
export function addressParts(address: string, word: string): (AddressPart | null)[] {
  let before = ''
  return address
    .split(word)
    .slice(0, -1)
    .map((piece) => {
      before = (before + piece).replace(IGNORED, '')
      // The list of SVG's `values` begins a new address at each semicolon.
      const last = before.slice(before.lastIndexOf(';') + 1)
      if (isScript(before) || isScript(last)) return 'script'
      // An incomplete reference, such as `&#`, may be continued by the value.
      return /[:/?#]/.test(last.replace(/&#?[A-Za-z0-9]*$/, '')) ? null : 'scheme'
    })
}

function isScript(address: string): boolean {
  const end = address.search(/[:/?#]/)
  return address[end] === ':' && SCRIPT.test(address.slice(0, end))
}

/** A reference that could write a part of a scheme. `&amp;` could not. */
const REFERENCE = /&(?=#|[A-Za-z][A-Za-z0-9]*(?:;|$)|$)(?!amp;)/g

/**
 * The value so that it neither becomes nor completes the scheme `javascript`. Ordinary addresses stay as they are.
 *
 * @param before the output directly before the value
 */
export function escapeInAddress(value: string, part: AddressPart, before: string): string {
  if (part === 'script') return value.replace(/[^\w .-]/g, unicodeEscapes)
  let text = value.replace(/[\t\n\r]/g, '').replace(REFERENCE, '&amp;')
  const continues = /&#?[A-Za-z0-9]*$/.test(before) && /^[#A-Za-z0-9;]/.test(text)
  if (continues) text = `%${text.charCodeAt(0).toString(16).toUpperCase()}${text.slice(1)}`
  return text.replace(/:/g, (colon, at: number) =>
    SCRIPT.test((before + text.slice(0, at)).replace(IGNORED, '')) ? '%3A' : colon,
  )
}

/** Browsers decode references and percent signs of such an address before they run it; these escapes stay. */
function unicodeEscapes(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
