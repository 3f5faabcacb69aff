import { LRUCache } from 'lru-cache'
import { shareOf } from './share.ts'

/** A bounded in-memory cache. The least recently used entry is evicted first. */
export interface Cache<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  /** The cached value, or the one that `make` returns, which is cached. `make` runs synchronously. */
  getOrMake(key: Key, make: () => Value): Value
  delete(key: Key): void
  clear(): void
  readonly size: number
}

/**
 * A bound on the number of entries, or on the sum of their sizes, each at least 1. The threads that answer requests
 * divide sums among themselves, because each has caches of its own.
 */
type CacheBound<Key, Value> =
  | { max_entries: number }
  | {
      max_size: number
      /** An entry above this size is not cached. */
      max_entry_size?: number
      sizeOf: (value: Value, key: Key) => number
    }

export function createCache<Key extends {}, Value extends {}>(bound: CacheBound<Key, Value>): Cache<Key, Value> {
  const max_size = 'max_size' in bound ? shareOf(bound.max_size) : 0
  const entries =
    'max_entries' in bound
      ? new LRUCache<Key, Value>({ max: bound.max_entries })
      : new LRUCache<Key, Value>({
          maxSize: max_size,
          maxEntrySize: Math.min(bound.max_entry_size ?? max_size, max_size),
          sizeCalculation: (value, key) => Math.max(1, bound.sizeOf(value, key)),
        })
  return {
    get: (key) => entries.get(key),
    set: (key, value) => void entries.set(key, value),
    getOrMake(key, make) {
      const cached = entries.get(key)
      if (cached !== undefined) return cached
      const made = make()
      entries.set(key, made)
      return made
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    get size() {
      return entries.size
    },
  }
}
