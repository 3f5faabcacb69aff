import type { Warn } from './warnings.ts'

const REMOVED = {
  element: 'HTML elements',
  attribute: 'HTML attributes',
  comment: 'conditional comments',
  at_rule: 'at-rules of style sheets',
  selector: 'rules of style sheets',
  property: 'CSS declarations',
}

/** Notes something that the sanitizer removes, with an example for the author. */
export type NoteRemoved = (kind: keyof typeof REMOVED, example: string) => void

export const ignoreRemoved: NoteRemoved = () => undefined

const MAX_EXAMPLES = 3
const MAX_EXAMPLE = 60

/** Collects what the sanitizer removes from one piece of markup: one warning for each kind of thing, with examples. */
export function collectRemoved(): { note: NoteRemoved; warnAbout(warn: Warn): void } {
  const found = new Map<keyof typeof REMOVED, Set<string>>()
  return {
    note(kind, example) {
      const examples = found.get(kind) ?? new Set()
      found.set(kind, examples)
      // One more than the warning quotes tells that there are others.
      if (examples.size <= MAX_EXAMPLES) examples.add(shortened(example))
    },
    warnAbout(warn) {
      for (const [kind, examples] of found) {
        const quoted = [...examples].slice(0, MAX_EXAMPLES).join(', ')
        const others = examples.size > MAX_EXAMPLES ? ' and others' : ''
        warn('removed_markup', `Some ${REMOVED[kind]} are removed: ${quoted}${others}.`)
      }
    },
  }
}

function shortened(example: string): string {
  const line = example
    .slice(0, 4 * MAX_EXAMPLE)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > MAX_EXAMPLE ? `${line.slice(0, MAX_EXAMPLE - 1).trimEnd()}…` : line
}
