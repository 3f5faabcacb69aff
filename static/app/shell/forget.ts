/** What holds the work of a person in a browser; choices such as dismissed hints are no work. */
const OF_PERSON = new Set(['masthead-letter', 'masthead-versions', 'masthead-test-addresses'])
const IMPORTS = 'masthead-import-'

/**
 * Removes what a browser keeps of a person's work, as they leave it: letters, their versions, the choices of imports and
 * addresses of tests. Whoever uses the browser next could read them.
 */
export function forgetWork(storage: Storage, user_id: string): void {
  for (const name of Object.keys(storage)) {
    const [what, person] = name.split(' ')
    if (name.startsWith(IMPORTS) || (person === user_id && OF_PERSON.has(what!))) storage.removeItem(name)
  }
}
