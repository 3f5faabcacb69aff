import { data } from './data.ts'

/**
 * The pages of a project, by the name of the id in a call. When a call has several ids, the first of this list counts.
 */
const PAGES = {
  campaign_id: (id: unknown) => `/campaigns/${id}`,
  import_id: (id: unknown) => `/imports/${id}`,
  contact_id: (id: unknown) => `/contacts/${id}`,
  segment_id: (id: unknown) => `/segments/${id}`,
  connection_id: (id: unknown) => `/sending/${id}`,
  list_id: () => '/lists',
  tag_id: () => '/lists',
  field_id: () => '/fields',
  job_id: () => '/activity',
} as const

/** The address of the page for the thing that a call was about; the current page when there is none. */
export function subjectHref(body: unknown): string {
  const given = (body ?? {}) as Partial<Record<keyof typeof PAGES, unknown>>
  const name = (Object.keys(PAGES) as (keyof typeof PAGES)[]).find((known) => given[known] !== undefined)
  return name === undefined || !data.project ? location.href : data.scope + PAGES[name](given[name])
}
