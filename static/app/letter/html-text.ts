/** The words of some HTML, without its tags. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', middot: '·' }

/** The text of some HTML on one line. */
export function plainText(html: string): string {
  return decoded(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The text of some HTML, one paragraph, entry or row a line. A link is followed by its address, a picture by its own. */
export function textLines(html: string): string {
  const marked = html
    .replaceAll(/<a\b[^>]*?\bhref="([^"]*)"[^>]*>([^<]*(?:<(?!\/a>)[^<]*)*)<\/a>/gi, '$2 ($1)')
    .replaceAll(/<img\b[^>]*?\bsrc="([^"]*)"[^>]*>/gi, '[$1]')
    .replaceAll(/<\/(?:td|th)>/gi, '  ')
    .replaceAll(/<\/(?:p|li|h\d|blockquote|div|pre|tr)>|<br\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
  const lines = decoded(marked).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
