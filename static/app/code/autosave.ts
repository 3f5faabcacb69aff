/**
 * Saves soon after the last change, and at most every few seconds while changes go on. Only one save runs at a time.
 */

/** 1.5 s after the last change. */
const QUIET_MS = 1_500
const LEAST_BETWEEN_MS = 5_000
/** After a save without an answer. */
const RETRY_MS = 5_000

export interface Timers {
  now(): number
  /** Runs a function later; returns one that cancels it. */
  after(ms: number, run: () => void): () => void
}

const TIMERS: Timers = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

interface Autosave {
  /** Something was changed. */
  changed(): void
  /** Saves again after a moment, because there was no answer. */
  retry(): void
  /** Saves what is not saved yet. Resolves when it is saved or was refused. */
  flush(): Promise<void>
  stop(): void
}

/** `save` must not throw: it reports its own errors. */
export function createAutosave(save: () => Promise<void>, timers: Timers = TIMERS): Autosave {
  let isDirty = false
  let running: Promise<void> | null = null
  let lastStart = -Infinity
  let giveUp: (() => void) | null = null
  let forgetRetry: (() => void) | null = null
  let isStopped = false

  const plan = () => {
    giveUp?.()
    const wait = Math.max(QUIET_MS, lastStart + LEAST_BETWEEN_MS - timers.now())
    giveUp = timers.after(wait, () => void begin())
  }
  const begin = (): Promise<void> => {
    giveUp?.()
    giveUp = null
    if (running) return running
    if (!isDirty || isStopped) return Promise.resolve()
    isDirty = false
    lastStart = timers.now()
    running = save().finally(() => {
      running = null
      if (isDirty && !isStopped) plan()
    })
    return running
  }
  const changed = () => {
    isDirty = true
    if (!running && !isStopped) plan()
  }
  return {
    changed,
    retry() {
      forgetRetry?.()
      if (!isStopped) forgetRetry = timers.after(RETRY_MS, changed)
    },
    async flush() {
      await running
      await begin()
    },
    stop() {
      isStopped = true
      giveUp?.()
      forgetRetry?.()
    },
  }
}
