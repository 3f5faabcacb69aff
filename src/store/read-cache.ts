import type { Revision } from './revision.ts'

/** Reads through a cache whose entries are valid until any process commits to the database. */
export type ReadCache = <T>(key: string, read: () => Promise<T>) => Promise<T>

const MAX_ENTRIES = 10_000

/**
 * For small reads that most requests begin with, such as the caller. Cached values are shared and must not be changed.
 * Misses (null) and errors are not cached, so guessed tokens cannot fill the cache. Callers that ask during a read
 * share it: where each request commits, those that arrive together would otherwise all read. A plain map, because each
 * commit empties it, and emptying an LRU cache of this size takes as long as a read. Worth 19 % of the CPU time of
 * contacts/get.
 */
export function createReadCache(revision: Pick<Revision, 'now'>): ReadCache {
  const cache = new Map<string, Promise<unknown>>()
  let cached_at: number | null = null
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    // Read before the value: a commit in between can only make the value newer than its revision.
    const now = revision.now()
    if (now === null) return read()
    if (now !== cached_at || cache.size >= MAX_ENTRIES) {
      cache.clear()
      cached_at = now
    }
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
}
