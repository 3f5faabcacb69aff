import type { Place } from '../../../shared/app-pages.ts'

/**
 * What stands around the title of a page until its script has run: words about it, of one line or of two on a narrow
 * screen, room for further buttons, which a narrow screen puts below it, tabs, a search field, a table.
 */
export type OutlinePart = 'lead' | 'long-lead' | 'actions' | 'tabs' | 'search' | 'rows'

/**
 * The outlines of pages whose title does not depend on what they show, by place and path. The parts have the places and
 * sizes that the page gives them, so that nothing moves when the script draws it.
 */
export const PAGE_OUTLINES: Readonly<Record<Place['name'], Readonly<Record<string, readonly OutlinePart[]>>>> = {
  site: {
    '/': [],
    '/campaigns': ['tabs', 'search', 'rows'],
    '/contacts': ['actions', 'search', 'rows'],
    '/segments': ['long-lead', 'rows'],
    '/lists': ['long-lead', 'rows'],
    '/fields': ['long-lead', 'rows'],
    '/suppressions': ['long-lead', 'search', 'rows'],
    '/imports': ['rows'],
    '/templates': ['lead', 'rows'],
    '/sending': ['tabs', 'rows'],
    '/pages': ['long-lead', 'tabs', 'rows'],
    '/posts': ['long-lead', 'tabs', 'search', 'rows'],
    '/directory': ['long-lead', 'rows'],
    '/forms': ['long-lead', 'rows'],
    '/mailbox': ['long-lead', 'search', 'rows'],
    '/activity': ['tabs', 'search', 'rows'],
    '/members': ['rows'],
    '/keys': ['long-lead', 'rows'],
  },
  developer: { '/': ['lead', 'rows'] },
  operator: {
    '/': ['lead', 'tabs', 'rows'],
    '/reviews': ['lead', 'tabs', 'rows'],
    '/apps': ['long-lead', 'search', 'tabs', 'rows'],
    '/projects': ['lead', 'search', 'rows'],
    '/people': ['lead', 'search', 'rows'],
  },
  account: {},
}
