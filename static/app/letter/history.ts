/** Undo and redo. Each step is a whole state. */
export interface History<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  /** What the latest step changed. Quick further changes of the same thing join it. */
  key: string | null
  /** When the latest step began, and its last change; in ms. */
  began: number
  at: number
}

const MAX_STEPS = 200
/** Changes of one thing within this time are one step. */
const JOIN_MS = 1_000
/** A step takes in no change that comes later than this after its first. */
const STEP_MS = 2_000

/** A step that no change joins. */
const ENDED = { key: null, began: 0, at: 0 } as const

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [], ...ENDED }
}

/** Adds a step. A key names what is changed, such as a block's text; null makes a separate step. */
export function record<T>(history: History<T>, present: T, key: string | null, now: number): History<T> {
  const joins =
    key !== null &&
    key === history.key &&
    now - history.at < JOIN_MS &&
    now - history.began < STEP_MS &&
    history.past.length > 0
  const past = joins ? history.past : [...history.past, history.present].slice(-MAX_STEPS)
  return { past, present, future: [], key, began: joins ? history.began : now, at: now }
}

/** One step back; the same history when there is none. */
export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    ...ENDED,
  }
}

/** One step forward; the same history when there is none. */
export function redo<T>(history: History<T>): History<T> {
  const [after, ...future] = history.future
  if (after === undefined) return history
  return { past: [...history.past, history.present], present: after, future, ...ENDED }
}
