import type { FirstCall } from '../api/document.ts'
import type { Page } from '../page.ts'
import { PAGE } from '../rules/page-size.ts'
import { listBody, readQuery, whoOf } from './contacts/query.ts'

/** The names that contacts and rules show. */
const NAMES: readonly FirstCall[] = [
  { operation: 'lists/list', body: { include_archived: true, limit: PAGE } },
  { operation: 'tags/list', body: { limit: PAGE } },
  { operation: 'custom-fields/list', body: { limit: PAGE } },
]

/** The pages about the people of a project. */
export const AUDIENCE_PAGES: readonly Page[] = [
  {
    path: '/contacts',
    source: 'site/contacts/contacts',
    title: 'Contacts',
    first: ({ query }) => {
      const asked = readQuery(query)
      // A filter may look at everybody; the document does not wait for that.
      const isFiltered = Object.keys(whoOf(asked)).length > 0
      return [...NAMES, ...(isFiltered ? [] : [{ operation: 'contacts/list', body: { ...listBody(asked) } }])]
    },
  },
  {
    path: '/contacts/:id',
    source: 'site/contact/contact',
    title: 'Contact',
    first: ({ params }) => [...NAMES, { operation: 'contacts/get', body: { contact_id: Number(params.id) } }],
  },
]
