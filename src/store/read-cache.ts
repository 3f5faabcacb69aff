import type { Revision } from './revision.ts'

/** What was read before may be answered again for as long as nothing was committed, by this process or another. */
export type ReadCache = <T>(key: string, read: () => Promise<T>) => Promise<T>

const MOST_KEPT = 10_000

/**
 * For small reads that most requests begin with. What is recalled is shared: nobody may change it. That there is
 * nothing is not kept: whoever guesses could fill it with guesses.
 */
export function createReadCache(revision: Pick<Revision, 'now'>): ReadCache {
  const kept = new Map<string, unknown>()
  let kept_at: number | null = null
  return async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    // Looked at before anything is read: what is committed meanwhile can only make the answer newer than its mark.
    const now = revision.now()
    if (now === null) return read()
    if (now !== kept_at) {
      kept.clear()
      kept_at = now
    }
    const known = kept.get(key)
    if (known !== undefined) return known as T
    const found = await read()
    if (kept_at === now && found !== null) {
      if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!)
      kept.set(key, found)
    }
    return found
  }
}
