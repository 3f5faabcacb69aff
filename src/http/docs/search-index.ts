import { namesIn, type Schema, type Schemas } from '../../shared/schema-fields.ts'
import { SCOPES } from '../../shared/scopes.ts'
import { EXPLAINED_ERRORS } from './errors-page.ts'
import { GUIDES, headingsOf } from './guides.ts'
import { allCalls, type Reference } from './reference.ts'

/** What the search of the pages reads: static/docs/docs.ts. Short names keep it small. */
export interface SearchIndex {
  /** The pages: title and address. */
  pages: [title: string, href: string][]
  /** What can be found: title, index of its page, anchor on it, and further words. */
  entries: [title: string, page: number, anchor: string, words: string][]
}

/** Every page, heading, call, scope and error code of the documentation. */
export function searchIndex(reference: Reference): SearchIndex {
  const pages: SearchIndex['pages'] = [
    ['Quick start', '/docs'],
    ['Scopes', '/docs/scopes'],
    ['Errors', '/docs/errors'],
  ]
  const entries: SearchIndex['entries'] = [
    ['Quick start', 0, 'quick-start', 'first call key curl begin'],
    ['How calls work', 0, 'conventions', 'authorization header cursor limit rate openapi'],
    ['Scopes', 1, '', 'permissions'],
    ...Object.entries(SCOPES).map(([name, { label }]): SearchIndex['entries'][number] => [name, 1, name, label]),
    ['Errors', 2, '', 'codes refusals'],
    ...[...EXPLAINED_ERRORS.service, ...EXPLAINED_ERRORS.oauth].map(
      ({ code, says }): SearchIndex['entries'][number] => [code, 2, code, says],
    ),
  ]
  for (const [name, guide] of GUIDES) {
    const page = pages.push([guide.title, `/docs/guides/${name}`]) - 1
    entries.push([guide.title, page, '', 'guide'])
    for (const { anchor, title } of headingsOf(guide)) entries.push([title, page, anchor, guide.title])
  }
  const pageOf = new Map<string, number>()
  for (const { call, group } of allCalls(reference)) {
    let page = pageOf.get(group.href)
    if (page === undefined) {
      pageOf.set(group.href, (page = pages.push([group.title, group.href]) - 1))
      entries.push([group.title, page, '', ''])
    }
    const fields = call.body === null ? [] : fieldNames(call.body, group.schemas)
    const parameters = call.parameters.map(({ name }) => name)
    entries.push([call.name, page, call.anchor, [call.summary, ...new Set([...parameters, ...fields])].join(' ')])
  }
  return { pages, entries }
}

/** The names of the fields of a request, where they say more than the ids that most have. */
function fieldNames(body: Schema, schemas: Schemas): string[] {
  const [name] = body.$ref === undefined ? [] : namesIn(body)
  const { properties = {} } = name ? schemas[name]! : body
  return Object.keys(properties).filter((field) => field !== 'project_id' && field !== 'idempotency_key')
}
