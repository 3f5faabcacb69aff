import type { Role } from './roles.ts'
import type { FirstCall } from './app-document.ts'

/** A page of the application. Its component is the default export of its source, which `loaders.ts` names. */
export interface AppPage {
  /** The address below the document's root: `/campaigns/:id/edit`; `/` for its first page. */
  path: string
  /** The source path below `static/app`, without its extension. */
  source: string
  title: string
  /** The least role that the page is for. A member with a lower role sees who may use it instead. */
  role?: Role
  /** A style sheet beside `app.css` that the page needs. */
  style?: 'letter' | 'code'
  /** Calls whose answers are delivered with the document. */
  first?(at: { params: Record<string, string>; query: Record<string, string> }): FirstCall[]
}

/** A part of the application with its own pages and side bar. */
export interface Place {
  name: 'site' | 'developer' | 'operator' | 'account'
  /** The path that the addresses of its pages begin with. */
  root: string
  pages: readonly AppPage[]
}

export interface PageMatch {
  page: AppPage
  params: Record<string, string>
}

/** The page of a path below a document's root, or null. The first pattern that matches counts. */
export function findPage(pages: readonly AppPage[], path: string): PageMatch | null {
  const given = segments(path)
  for (const page of pages) {
    const params = matchPath(page.path, given)
    if (params) return { page, params }
  }
  return null
}

function matchPath(pattern: string, given: readonly string[]): Record<string, string> | null {
  const expected = segments(pattern)
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
