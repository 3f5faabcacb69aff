/** Runs costly work for a few at a time. Others wait for their turn, in the order in which they came. */
export interface Turns {
  /** Runs `work` when it is its turn. `refuse` makes the error that is thrown when too many wait already. */
  take<T>(work: () => Promise<T>, refuse?: () => Error): Promise<T>
}

/**
 * @param at_once how much work runs at the same time
 * @param max_waiting how many may wait; without it, any number
 */
export function createTurns(at_once: number, max_waiting = Infinity): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async take(work, refuse = () => new Error('Too many wait.')) {
      if (running < at_once) running++
      else if (waiting.length >= max_waiting) throw refuse()
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
