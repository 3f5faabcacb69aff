import { invalid } from '../errors.ts'
import { normalForm } from '../normal-form.ts'

export const MAX_TAGS = 20

/**
 * The tags that a request gives a post, each once; undefined when it names none. A `category` takes the place of the
 * first tag, and an empty one removes it (docs/api/sites.md#posts). VALIDATION_FAILED when both are given and differ.
 */
export function tagsOf(
  { tags, category }: { tags?: readonly string[]; category?: string },
  present: readonly string[] = [],
): string[] | undefined {
  const first = category?.trim()
  if (tags === undefined) return first === undefined ? undefined : distinct([first, ...present.slice(1)])
  const named = distinct(tags)
  if (first !== undefined && keyOf(first) !== keyOf(named[0] ?? ''))
    throw invalid('/category', 'The category is the first tag: leave it out, or make them the same.')
  return named
}

function distinct(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags.map((each) => each.trim()))
    if (tag !== '' && !byKey.has(keyOf(tag))) byKey.set(keyOf(tag), tag)
  return [...byKey.values()]
}

const keyOf = (tag: string): string => normalForm(tag).toLowerCase()
