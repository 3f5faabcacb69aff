import type { IconName } from '../ui/icon.tsx'
import type { BlockType } from './block-types.ts'
import { mayStand, type Within } from './document.ts'
import { typeName } from './block-names.ts'

/** A type of block that can be added. */
interface BlockChoice {
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
  table: 'table',
  columns: 'columns',
  social: 'users',
  cms_posts: 'file-text',
  html: 'code',
  footer: 'info',
}

/** Further search terms for a block. */
const ALSO: Readonly<Record<string, string>> = {
  image: 'picture photo',
  divider: 'rule separator',
  spacer: 'gap',
  button: 'call to action',
  table: 'rows cells spreadsheet',
  text: 'paragraph list quote',
}

/** The purpose of each block type. A type without an entry has the description of the service. */
const HINTS: Readonly<Record<string, string>> = {
  text: 'Paragraphs, lists and links',
  heading: 'A title, large or small',
  image: 'A picture, with words for those who cannot see it',
  button: 'A link that stands out',
  table: 'Rows and columns, with a row that names them',
  divider: 'A line across the letter',
  spacer: 'Room between two blocks',
  columns: 'Two to four beside each other',
  social: 'Your profiles elsewhere',
  cms_posts: 'The newest posts when it is sent',
  html: 'Markup from elsewhere, such as MJML',
  footer: 'Sender, address and the way to leave',
}

/** The icon of a type of block. */
export function blockIcon(type: string): IconName {
  return ICONS[type] ?? 'file'
}

/** The types that may be added to a list of blocks and whose names contain the search text. */
export function blockChoices(types: readonly BlockType[], within: Within, query: string): BlockChoice[] {
  const words = query.trim().toLowerCase()
  return types
    .filter(({ type }) => mayStand(type, within))
    .filter(({ type }) => `${typeName(type)} ${ALSO[type] ?? ''} ${type}`.toLowerCase().includes(words))
    .map(({ type, description }) => ({
      type,
      label: typeName(type),
      description: HINTS[type] ?? description,
      icon: blockIcon(type),
    }))
    .toSorted((one, other) => placeOf(one.type) - placeOf(other.type))
}

/** The most used types first; types without an entry last. */
function placeOf(type: string): number {
  const place = Object.keys(HINTS).indexOf(type)
  return place === -1 ? 99 : place
}
