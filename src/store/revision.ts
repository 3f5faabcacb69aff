/**
 * Tells whether anything was committed to the database since the last look, by this process or another. Data that was
 * read at a revision is still current while the revision stays the same.
 */
export interface Revision {
  /** Null when the store has no revisions; then cached data must not be used. */
  now(): number | null
  /**
   * As `now`, read once for all requests that arrive in one iteration of the event loop. Only for use as a request
   * arrives: later in the same iteration, requests may run that began after a commit.
   */
  atArrival(): number | null
  close(): void
}

/** For a libSQL server, which has no revisions. */
export const noRevision: Revision = { now: () => null, atArrival: () => null, close: () => undefined }

/** @param read reads the revision from the database; may throw */
export function createRevision(read: () => number): Revision {
  let closed = false
  const now = (): number | null => {
    if (closed) return null
    try {
      return read()
    } catch {
      return null
    }
  }
  let arrival: { revision: number | null } | null = null
  return {
    now,
    atArrival() {
      if (arrival === null) {
        arrival = { revision: now() }
        setImmediate(() => {
          arrival = null
        })
      }
      return arrival.revision
    },
    close() {
      closed = true
    },
  }
}
