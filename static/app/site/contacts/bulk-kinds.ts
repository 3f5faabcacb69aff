import type { RequestOf } from '../../api/calls.ts'
import { count } from '../../ui/format.ts'

/** The bulk actions on contacts, with labels that contain the number. */

export type BulkAction = RequestOf<'contacts/bulk'>['action']

interface Words {
  title(people: string): string
  verb(people: string): string
  /** Shown while the job runs. `list` is the list's name in quotes. */
  doing(people: string, list: string): string
  danger?: boolean
}

const WORDS: Readonly<Record<BulkAction, Words>> = {
  add_to_list: {
    title: (people) => `Add ${people} to a list`,
    verb: (people) => `Add ${people}`,
    doing: (people, list) => `Adding ${people} to ${list}`,
  },
  remove_from_list: {
    title: (people) => `Remove ${people} from a list`,
    verb: (people) => `Remove ${people}`,
    doing: (people, list) => `Removing ${people} from ${list}`,
    danger: true,
  },
  add_tags: {
    title: (people) => `Tag ${people}`,
    verb: (people) => `Tag ${people}`,
    doing: (people) => `Tagging ${people}`,
  },
  remove_tags: {
    title: (people) => `Remove tags from ${people}`,
    verb: (people) => `Untag ${people}`,
    doing: (people) => `Removing tags from ${people}`,
  },
  unsubscribe: {
    title: (people) => `Unsubscribe ${people}?`,
    verb: (people) => `Unsubscribe ${people}`,
    doing: (people) => `Unsubscribing ${people}`,
    danger: true,
  },
  delete: {
    title: (people) => `Delete ${people}?`,
    verb: (people) => `Delete ${people}`,
    doing: (people) => `Deleting ${people}`,
    danger: true,
  },
}

export function bulkWords(action: BulkAction, people: number, list = 'a list') {
  const words = WORDS[action]
  const named = action === 'delete' ? count(people, 'contact', 'contacts') : count(people, 'person', 'people')
  return {
    title: words.title(named),
    verb: words.verb(named),
    doing: words.doing(named, list),
    danger: words.danger ?? false,
  }
}

/** From this number on, the user has to type the number before deleting. */
export const TYPED_FROM = 100
