import { findPage, type PageMatch, type Place } from '../../../src/shared/app-pages.ts'
import { data } from '../api/data.ts'
import { PLACES } from '../pages.ts'

/** The place of the application that this document shows. Links to another place or project load a new document. */
export function place(): Place {
  return PLACES.find(({ root }) => hasRoot(root))!
}

function hasRoot(root: string): boolean {
  const fixed = root.split('/:')[0]!
  return data.scope === fixed || data.scope.startsWith(`${fixed}/`)
}

/** The addresses that this document can show. */
export function scopePattern(): RegExp {
  return new RegExp(`^${data.scope.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:[/?]|$)`)
}

/** The page of an address of this document, or null. */
export function pageOf(path: string): PageMatch | null {
  return findPage(place().pages, path.slice(data.scope.length))
}
