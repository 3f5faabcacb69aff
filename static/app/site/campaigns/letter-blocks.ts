import type { EmailDocument } from '../../api/operations.d.ts'

type Block = EmailDocument['blocks'][number]

const MAX = 3

/** The largest blocks, the largest first. */
export function heaviestBlocks({ blocks }: EmailDocument): Block[] {
  const size = (block: Block) => JSON.stringify(block).length
  return blocks.toSorted((a, b) => size(b) - size(a)).slice(0, MAX)
}

/** The blocks that contain one of the addresses in a text. */
export function blocksWith({ blocks }: EmailDocument, text: string): Block[] {
  const addresses = (text.match(/https?:\/\/[^\s"]+/g) ?? []).map((found) => found.replace(/[.,;]+$/, ''))
  return blocks.filter((block) => {
    const source = JSON.stringify(block).replaceAll('&amp;', '&')
    return addresses.some((address) => source.includes(address))
  })
}

/** The type of a block and the beginning of its text: "Text: High water is at noon". */
export function blockWords({ type, props }: Block): string {
  const said = Object.values(props).find((value): value is string => typeof value === 'string' && / /.test(value)) ?? ''
  const words = said
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const name = type.slice(0, 1).toUpperCase() + type.slice(1)
  return words === '' ? name : `${name}: ${words.slice(0, 48)}`
}

/** Where the address of a block is edited: a field, or the block itself. */
export function fieldOf({ props }: Block): string {
  return ['href', 'url', 'src'].find((name) => name in props) ?? 'block'
}
