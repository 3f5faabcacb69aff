import { attributesOf, decodeEntities, startTag, type Token, tokens } from './markup.ts'
import type { NoteRemoved } from './removed.ts'
import { hasFixedSize, TINY_FONT } from './styles.ts'

/**
 * Keeps `font-size:0` where no text would vanish. Containers of columns side by side use it, because a browser shows
 * the white space between two columns as a gap that leaves no room for the last one. The font size of each text
 * decides: where text has no size of its own, all elements around it lose their tiny one. Expects sanitized HTML.
 */
export function keepTinyFonts(html: string, note: NoteRemoved): string {
  if (!/font-size:\s*[0-3]/.test(html)) return html
  const all = [...tokens(html)]
  const hiding = new Set<number>()
  const open: Around[] = []
  all.forEach((token, at) => {
    if (token.kind === 'open' && !token.ended) {
      const font = fontOf(token)
      open.push({
        at: font === 'tiny' ? at : null,
        isTiny: font === 'inherits' ? !!open.at(-1)?.isTiny : font === 'tiny',
      })
    } else if (token.kind === 'close') open.pop()
    else if (token.kind === 'text' && open.at(-1)?.isTiny && isVisible(token.text)) markHiding(open, hiding)
  })
  if (hiding.size > 0) note('property', 'font-size:0 (around text)')
  return all.map((token, at) => (hiding.has(at) ? withoutTinyFont(token as Open) : token.text)).join('')
}

type Open = Token & { kind: 'open' }

interface Around {
  /** Index of the token that sets a tiny font size, or null. */
  at: number | null
  isTiny: boolean
}

/** The elements whose tiny font sizes reach the text at this point. */
function markHiding(open: readonly Around[], hiding: Set<number>): void {
  for (let depth = open.length - 1; depth >= 0 && open[depth]!.isTiny; depth--) {
    const { at } = open[depth]!
    if (at !== null) hiding.add(at)
  }
}

/** A relative size of a tiny size is tiny, so it counts as inherited. */
function fontOf(token: Open): 'tiny' | 'fixed' | 'inherits' {
  if (token.attributes === '') return 'inherits'
  const attributes = attributesOf(token)
  const [property, value] = lastFont(attributes.get('style') ?? '')
  if (TINY_FONT.test(value)) return 'tiny'
  if (property !== '') return hasFixedSize(property, value) ? 'fixed' : 'inherits'
  return token.name === 'font' && attributes.has('size') ? 'fixed' : 'inherits'
}

/** The last font or font size of inline CSS. */
function lastFont(style: string): [property: string, value: string] {
  const last = style.split(';').findLast((declaration) => /^font(?:-size)?:/.test(declaration)) ?? ''
  const colon = last.indexOf(':')
  return [last.slice(0, Math.max(colon, 0)), last.slice(colon + 1)]
}

/** Characters that leave no mark: white space and invisible ones. */
const isVisible = (text: string): boolean => /[^\s\u00AD\u200B-\u200F\u2060-\u2064]/.test(decodeEntities(text))

function withoutTinyFont(token: Open): string {
  const attributes = attributesOf(token)
  const declarations = (attributes.get('style') ?? '').split(';')
  const others = declarations.filter((declaration) => {
    const [property, value] = lastFont(declaration)
    return property !== 'font-size' || !TINY_FONT.test(value)
  })
  if (others.length > 0) attributes.set('style', others.join(';'))
  else attributes.delete('style')
  return startTag(token.name, attributes)
}
