import { type Column, sql, type SQL } from 'drizzle-orm'
import type { Place } from '../store/page.ts'

/** The rows of a list that come after a place in it; all of them when there is none. */
export function beyond(place: Place | null, { created_at, id }: { created_at: Column; id: Column }): SQL | undefined {
  return place ? sql`(${created_at}, ${id}) > (${place.created_at}, ${place.id})` : undefined
}
