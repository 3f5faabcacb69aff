/**
 * Lets callers that ask for the same thing at the same time share one answer: the first does the work, the others get
 * its promise. Nothing is kept after that.
 */
export function createSharedWork<Value>(): (key: string, work: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Promise<Value>>()
  return (key, work) => {
    const begun = running.get(key)
    if (begun) return begun
    const made = work().finally(() => running.delete(key))
    running.set(key, made)
    return made
  }
}
