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
      /** The largest entry that there may be: each thread has room for it, because answers share what is cached. */
      largest?: number
      /** An entry above this size is not cached. */
      max_entry_size?: number
      sizeOf: (value: Value, key: Key) => number
    }

export function createCache<Key extends {}, Value extends {}>(bound: CacheBound<Key, Value>): Cache<Key, Value> {
  let made: LRUCache<Key, Value> | undefined
  /** Made when it is used first: a cache of a module is declared before the number of threads is known. */
  const entries = (): LRUCache<Key, Value> => (made ??= newEntries(bound))
  return {
    get: (key) => entries().get(key),
    set: (key, value) => void entries().set(key, value),
    getOrMake(key, make) {
      const cached = entries().get(key)
      if (cached !== undefined) return cached
      const value = make()
      entries().set(key, value)
      return value
    },
    delete: (key) => void entries().delete(key),
    clear: () => entries().clear(),
    get size() {
      return entries().size
    },
  }
}

function newEntries<Key extends {}, Value extends {}>(bound: CacheBound<Key, Value>): LRUCache<Key, Value> {
  if ('max_entries' in bound) return new LRUCache<Key, Value>({ max: bound.max_entries })
  const maxSize = Math.max(shareOf(bound.max_size), bound.largest ?? 0)
  return new LRUCache<Key, Value>({
    maxSize,
    maxEntrySize: Math.min(bound.max_entry_size ?? maxSize, maxSize),
    sizeCalculation: (value, key) => Math.max(1, bound.sizeOf(value, key)),
  })
}
