import type { Revision } from './revision.ts'

/** Reads about a caller through a cache, whose entries are valid until a commit changes who callers are. */
export type ReadCache = <T>(key: string, read: () => Promise<T>) => Promise<T>

export interface ReadCaches {
  readonly shared: ReadCache
  /**
   * For a transaction: answers what `shared` keeps while the transaction finds the same `credentials`, and reads anew
   * otherwise. It keeps nothing, because a transaction may be rolled back.
   */
  within(credentials: () => number | null): ReadCache
}

/** For a database that does not tell when something was committed. */
export const readAnew: ReadCache = (_, read) => read()

const MAX_ENTRIES = 10_000

/**
 * For small reads that most requests begin with: tokens, keys and clients. Cached values are shared and must not be
 * changed, but for the time of their last use. Misses (null) and errors are not cached, so guessed tokens cannot fill
 * the cache. Callers that ask during a read share it. A plain map, because emptying an LRU cache of this size takes as
 * long as a read.
 *
 * @param revision changes with every commit of any process
 * @param credentials the number that commits raise when they change a caller, by the triggers of
 *   `credentials_revision` (docs/architecture.md#triggers); null when it is not known
 */
export function createReadCache(revision: Pick<Revision, 'now'>, credentials: () => number | null): ReadCaches {
  const cache = new Map<string, Promise<unknown>>()
  let seen: { revision: number; credentials: number | null } | null = null
  const isUnchanged = (now: number): boolean => {
    if (now === seen?.revision) return true
    const before = seen?.credentials ?? null
    seen = { revision: now, credentials: credentials() }
    return before !== null && before === seen.credentials
  }
  const shared = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    // Read before the value: a commit in between can only make the value newer than its revision.
    const now = revision.now()
    if (now === null) return read()
    if (!isUnchanged(now) || cache.size >= MAX_ENTRIES) cache.clear()
    const cached = cache.get(key)
    if (cached !== undefined) return cached as Promise<T>
    const found = read()
    cache.set(key, found)
    const forget = () => {
      if (cache.get(key) === found) cache.delete(key)
    }
    found.then((value) => {
      if (value === null || value === undefined) forget()
    }, forget)
    return found
  }
  return {
    shared,
    within: (inTransaction) => (key, read) => {
      const cached = cache.get(key)
      if (cached === undefined || seen === null || seen.credentials === null) return read()
      return inTransaction() === seen.credentials ? (cached as ReturnType<typeof read>) : read()
    },
  }
}
