import type { ResponseOf } from '../api/calls.ts'
import type { TagChoice } from './editor.ts'
import { splitTags, tagWords } from './tags.ts'

/** A warning for a line with a merge tag that has no fallback; null when all have one. */
export function bareTagWords(line: string): string | null {
  for (const piece of splitTags(line))
    if (typeof piece !== 'string' && mayBeEmpty(piece.name) && piece.fallback === '')
      return `Some people have no ${tagWords(piece.name)}. Say what they read in its place.`
  return null
}

function mayBeEmpty(name: string): boolean {
  return name.startsWith('contact.') && name !== 'contact.email'
}

/** The merge tags of the service, with the project's custom fields in place of KEY. */
export function tagsOf(
  schema: ResponseOf<'schema/get'>,
  fields: readonly { key: string; label: string }[],
): TagChoice[] {
  return schema.merge_tags.flatMap(({ tag, description, example }): TagChoice[] => {
    if (tag.endsWith('.KEY'))
      return fields.map(({ key, label }) => ({
        name: `contact.custom.${key}`,
        fallback: '',
        label,
        description: 'A field of your own.',
      }))
    const shown = splitTags(example).find((piece) => typeof piece !== 'string')
    const fallback = typeof shown === 'object' && shown.name === tag ? shown.fallback : ''
    return [{ name: tag, fallback, label: tagWords(tag), description }]
  })
}
