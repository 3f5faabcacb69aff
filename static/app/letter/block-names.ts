import { type Block, columnsOf } from './document.ts'
import { tableOf } from './table.ts'
import { plainText } from './html-text.ts'
import { textInWords } from './tags.ts'

const NAMES: Readonly<Record<string, string>> = {
  text: 'Text',
  heading: 'Heading',
  image: 'Image',
  button: 'Button',
  table: 'Table',
  divider: 'Line',
  spacer: 'Space',
  columns: 'Columns',
  social: 'Social links',
  cms_posts: 'Newest posts',
  html: 'HTML',
  footer: 'Footer',
}

/** The name of a type of block; a type without an entry by its own name. */
export function typeName(type: string): string {
  return NAMES[type] ?? sentence(type)
}

const MAX_WORDS = 60

/** The beginning of a block's text. */
export function firstWords(block: Block): string {
  const { props } = block
  const cells = tableOf(block)?.rows.flat().join(' ')
  const text =
    ['text', 'html', 'alt', 'src'].map((name) => props[name]).find((value) => typeof value === 'string') ?? cells
  const words = columnsOf(block).flatMap(({ blocks }) => blocks.slice(0, 1).map(firstWords))
  const plain = text === undefined ? words.filter(Boolean).join(', ') : textInWords(plainText(text as string))
  return plain.length > MAX_WORDS ? `${plain.slice(0, MAX_WORDS).trimEnd()}…` : plain
}

/** "Button: Share your first calendar". */
export function blockName(block: Block): string {
  const words = firstWords(block)
  return words === '' ? typeName(block.type) : `${typeName(block.type)}: ${words}`
}

/** `background_color` as "Background color". */
export function sentence(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
