import type { FirstCall } from '../../../src/shared/app-document.ts'
import type { AppPage } from '../../../src/shared/app-pages.ts'
import { PAGE } from '../rules/page-size.ts'
import { listBody, readQuery, whoOf } from './contacts/query.ts'
import { suppressionsBody } from './suppressions/query.ts'

/** The calls for the names in contacts and rules. */
const LISTS: FirstCall = { operation: 'lists/list', body: { include_archived: true, limit: PAGE } }
const TAGS: FirstCall = { operation: 'tags/list', body: { limit: PAGE } }
const FIELDS: FirstCall = { operation: 'custom-fields/list', body: { limit: PAGE } }
const NAMES: readonly FirstCall[] = [LISTS, TAGS, FIELDS]

/** The calls for what rules can refer to. */
const RULES: FirstCall[] = [
  ...NAMES,
  { operation: 'schema/get', body: {} },
  { operation: 'segments/list', body: { limit: PAGE } },
]

/** The pages about the contacts of a project. */
export const AUDIENCE_PAGES: readonly AppPage[] = [
  {
    path: '/contacts',
    source: 'site/contacts/contacts',
    title: 'Contacts',
    first: ({ query }) => {
      const asked = readQuery(query)
      // Counting a filter may read all contacts, so the document does not wait for it.
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
  { path: '/segments', source: 'site/segments/segments', title: 'Segments', first: () => RULES },
  {
    path: '/segments/new',
    source: 'site/segments/segment',
    title: 'New segment',
    role: 'editor',
    first: () => RULES,
  },
  {
    path: '/segments/:id',
    source: 'site/segments/segment',
    title: 'Segment',
    first: ({ params }) => [...RULES, { operation: 'segments/get', body: { segment_id: Number(params.id) } }],
  },
  {
    path: '/lists',
    source: 'site/lists/lists',
    title: 'Lists & tags',
    first: () => [LISTS, TAGS],
  },
  {
    path: '/fields',
    source: 'site/fields/fields',
    title: 'Fields',
    first: () => [FIELDS, { operation: 'segments/list', body: { limit: PAGE } }],
  },
  {
    path: '/suppressions',
    source: 'site/suppressions/suppressions',
    title: 'Suppressions',
    first: ({ query }) => [{ operation: 'suppressions/list', body: { ...suppressionsBody(query) } }],
  },
  {
    path: '/lists/:id/form',
    source: 'site/sign-up-form/sign-up-form',
    title: 'Sign-up form',
    first: () => [LISTS, FIELDS],
  },
]
