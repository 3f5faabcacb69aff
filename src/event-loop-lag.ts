import { processMetrics } from './metrics.ts'

const LOOK_MS = 250

const lags = processMetrics.histogram(
  'masthead_event_loop_lag_seconds',
  'How late a timer of a thread runs, which is how long its other work waits.',
  [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
)

/** Measures four times a second how far the events of this thread are behind. Answers a function that ends it. */
export function watchLag(thread: string): () => void {
  let due = performance.now() + LOOK_MS
  const timer = setInterval(() => {
    const now = performance.now()
    lags.observe({ thread }, Math.max(0, now - due) / 1000)
    due = now + LOOK_MS
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
