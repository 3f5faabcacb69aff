/**
 * Tells whether anything was committed to the database since the last look, by this process or another. Data that was
 * read at a revision is still current while the revision stays the same.
 */
export interface Revision {
  /**
   * Null when the store has no revisions; then cached data must not be used. A commit of this process changes it at
   * once. The commits of others are looked for once in each iteration of the event loop: a request that arrives after
   * one is read in a later iteration.
   */
  now(): number | null
  close(): void
}

/** For a libSQL server, which has no revisions. */
export const noRevision: Revision = { now: () => null, close: () => undefined }

/**
 * @param read reads the revision from the database; may throw
 * @param commits how many commits the threads of this process have made
 */
export function createRevision(read: () => number, commits: () => number): Revision {
  let closed = false
  const look = (): number | null => {
    try {
      return read()
    } catch {
      return null
    }
  }
  let seen: { revision: number | null; commits: number } | null = null
  return {
    now() {
      if (closed) return null
      // Read before the revision: a commit in between can only make the revision newer.
      const ended = commits()
      if (seen === null)
        setImmediate(() => {
          seen = null
        })
      if (seen?.commits !== ended) seen = { revision: look(), commits: ended }
      return seen.revision
    },
    close() {
      closed = true
    },
  }
}
