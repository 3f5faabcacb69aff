import { HOUR_MS } from '../../clock.ts'
import { type Departure, type KnownHandover, readFact } from '../facts.ts'

/** The facts of one project that a backup may not have. */
export interface ProjectFacts {
  /** The last known handover of each message. */
  handovers: Map<string, KnownHandover>
  /** Unsubscriptions and suppressions, in the order of time. */
  departures: Departure[]
}

/** A write stamps its facts before it commits, so some that are older than the backup may be missing in it. */
const DEPARTURE_MARGIN_MS = 60_000
/** A message may have been handed over so long before its relay answered, which the backup does not know. */
const HANDOVER_MARGIN_MS = HOUR_MS

/**
 * Reads the facts that a backup of `since` may not have, by the public id of their project. Each source has the facts
 * of one folder: all that follow its first such one count, whatever their time, because a clock may have been set back.
 */
export function factsSince(sources: readonly Iterable<string>[], since: number): Map<string, ProjectFacts> {
  const projects = new Map<string, ProjectFacts>()
  for (const lines of sources) readSource(lines, since, projects)
  return projects
}

function readSource(lines: Iterable<string>, since: number, projects: Map<string, ProjectFacts>): void {
  const begun = { handovers: false, departures: false }
  for (const line of lines) {
    const fact = readFact(line)
    if (!fact) continue
    begun.handovers ||= fact.at >= since - HANDOVER_MARGIN_MS
    begun.departures ||= fact.at >= since - DEPARTURE_MARGIN_MS
    if (!begun.handovers) continue
    const known: ProjectFacts = projects.get(fact.project) ?? { handovers: new Map(), departures: [] }
    projects.set(fact.project, known)
    if ('delivery_id' in fact) keepLatest(known.handovers, fact)
    else if (begun.departures) known.departures.push(fact)
  }
}

function keepLatest(handovers: ProjectFacts['handovers'], fact: KnownHandover): void {
  const message = `${fact.delivery_id} ${fact.mark}`
  if (fact.at >= (handovers.get(message)?.at ?? fact.at)) handovers.set(message, fact)
}
