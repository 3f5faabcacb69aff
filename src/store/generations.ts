/** A bounded cache for entries of which few are used again and again, such as the statements of a program. */
interface Generations<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  clear(): void
}

/**
 * Entries that were used since the last generation began survive the next one. It keeps at most twice `size` entries,
 * and a look-up costs no more than one in a map: an LRU cache, which notes each use, costs three times as much.
 */
export function createGenerations<Value extends {}>(size: number): Generations<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  const set = (key: string, value: Value): void => {
    if (young.size >= size) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    get(key) {
      const known = young.get(key)
      if (known !== undefined) return known
      const kept = old.get(key)
      if (kept !== undefined) {
        old.delete(key)
        set(key, kept)
      }
      return kept
    },
    set,
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
    clear() {
      young.clear()
      old.clear()
    },
  }
}
