import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import type { Store } from '../../store/open.ts'
import { factsSince } from './facts-of.ts'
import { peopleIn, type Replayed } from './people.ts'
import { replayDepartures } from './departures.ts'
import { replayHandovers, requeueMarked } from './handovers.ts'

export interface Report {
  handed_over: number
  /** People who left, complained or bounced, each counted once. */
  left: number
}

const CHUNK = 500

/**
 * Tells a restored database what cannot be undone and happened after its backup: messages that were handed over, and
 * people who left, complained or bounced (docs/operations.md#facts). It may be repeated. `is_complete`: no fact since
 * then is missing, so what the backup had marked and no fact names was not handed over.
 */
export async function replayFacts(
  store: Store,
  sources: readonly Iterable<string>[],
  { since, is_complete }: { since: number; is_complete: boolean },
): Promise<Report> {
  const facts = factsSince(sources, since)
  const report: Report = { handed_over: 0, left: 0 }
  const projects = await store.db.all<{ id: ProjectId; public_id: string; key: string }>(sql`
    SELECT project.id, project.public_id, known.key
    FROM projects project JOIN address_keys known ON known.project_id = project.id`)
  for (const { id, public_id, key } of projects) {
    const found = facts.get(public_id)
    if (!found) continue
    const project: Replayed = { id, key, people: await peopleIn(store.db, { id, key }, found) }
    const left = new Set<number | string>()
    for (const departures of chunks(found.departures))
      for (const mark of await store.write((tx) => replayDepartures(tx, project, departures)))
        left.add(project.people.countedAs(mark))
    report.left += left.size
    const handovers = [...found.handovers.values()].filter(({ what }) => what !== 'taken-back')
    for (const some of chunks(handovers))
      report.handed_over += await store.write((tx) => replayHandovers(tx, project, some))
  }
  if (is_complete) for (let found = CHUNK; found === CHUNK;) found = await store.write((tx) => requeueMarked(tx, CHUNK))
  return report
}

function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += CHUNK) yield all.slice(start, start + CHUNK)
}
