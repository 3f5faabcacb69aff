import { searchText } from '../contacts/contact.ts'

/** What `search` of campaigns/list looks in. */
export function searchKey(name: string, subject: string): string {
  return searchText(`${name}\n${subject}`)
}
