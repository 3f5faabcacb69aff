import type { IconName } from '../ui/icon.tsx'
import type { BlockType } from './block-types.ts'
import { mayStand, type Within } from './document.ts'
import { typeName } from './words.ts'

/** A type of block to add. */
export interface BlockChoice {
  type: string
  label: string
  description: string
  icon: IconName
}

const ICONS: Readonly<Record<string, IconName>> = {
  text: 'text',
  heading: 'heading',
  image: 'image',
  button: 'pointer',
  divider: 'minus',
  spacer: 'arrow-down',
  columns: 'columns',
  social: 'users',
  cms_posts: 'file-text',
  html: 'code',
  footer: 'info',
}

/** Other words that people type for a block. */
const ALSO: Readonly<Record<string, string>> = {
  image: 'picture photo',
  divider: 'rule separator',
  spacer: 'gap',
  button: 'call to action',
  text: 'paragraph list quote',
}

/** The icon of a type of block. */
export function blockIcon(type: string): IconName {
  return ICONS[type] ?? 'file'
}

/** The types that may stand in a list of blocks and whose names hold what was typed. */
export function blockChoices(types: readonly BlockType[], within: Within, query: string): BlockChoice[] {
  const words = query.trim().toLowerCase()
  return types
    .filter(({ type }) => mayStand(type, within))
    .filter(({ type }) => `${typeName(type)} ${ALSO[type] ?? ''} ${type}`.toLowerCase().includes(words))
    .map(({ type, description }) => ({ type, label: typeName(type), description, icon: blockIcon(type) }))
}
