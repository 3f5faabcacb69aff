import { ACCOUNT_PAGES } from './account/pages.ts'
import { DEVELOPER_PAGES } from './developer/pages.ts'
import { OPERATOR_PAGES } from './operator/pages.ts'
import type { Page } from './page.ts'
import { SITE_PAGES } from './site/pages.ts'

/**
 * Every page of the application. The server reads these lists to answer addresses, to preload code and to deliver first
 * answers; the script reads them to choose a component.
 */
export interface Place {
  name: 'site' | 'developer' | 'operator' | 'account'
  /** The path that the addresses of its pages begin with. */
  root: string
  pages: readonly Page[]
}

export const PLACES: readonly Place[] = [
  { name: 'site', root: '/portal/projects/:project', pages: SITE_PAGES },
  { name: 'developer', root: '/portal/developer', pages: DEVELOPER_PAGES },
  { name: 'operator', root: '/portal/operator', pages: OPERATOR_PAGES },
  { name: 'account', root: '/portal/account', pages: ACCOUNT_PAGES },
]

export interface PageMatch {
  page: Page
  params: Record<string, string>
}

/** The page of a path below a document's root, or null. The first pattern that matches counts. */
export function findPage(pages: readonly Page[], path: string): PageMatch | null {
  for (const page of pages) {
    const params = matchPath(page.path, path)
    if (params) return { page, params }
  }
  return null
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = segments(pattern)
  const given = segments(path)
  if (expected.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const text = given[index]!
    if (part.startsWith(':')) params[part.slice(1)] = text
    else if (part !== text) return null
  }
  return params
}

function segments(path: string): string[] {
  return path.split('/').filter(Boolean)
}
