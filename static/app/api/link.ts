import { data } from './data.ts'

/** The address of a page: `link('/campaigns', { status: 'draft' })`. Empty values of the query are left out. */
export function link(path: string, query: Record<string, string | number | null | undefined> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${data.scope}${path === '/' ? '' : path}${text === '' ? '' : `?${text}`}`
}
