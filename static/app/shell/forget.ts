/** Storage keys of a user's work. Preferences, such as dismissed hints, stay. */
const OF_PERSON = new Set(['masthead-draft', 'masthead-letter', 'masthead-versions', 'masthead-test-addresses'])
const IMPORTS = 'masthead-import-'

/**
 * Removes a user's work from the browser at sign-out: letters, their versions, drafts of pages, posts and
 * scripts, choices for imports, test addresses.
 * Other users of the browser could read it.
 */
export function forgetWork(storage: Storage, user_id: string): void {
  for (const name of Object.keys(storage)) {
    const [what, person] = name.split(' ')
    if (name.startsWith(IMPORTS) || (person === user_id && OF_PERSON.has(what!))) storage.removeItem(name)
  }
}
