import { availableParallelism } from 'node:os'
import { campaignsPaused, type MetricsSnapshot } from '../metrics.ts'
import { answerTo } from './delegated-tasks.ts'
import { createHeavyReads, type HeavyReads, type ReadingThread } from './heavy.ts'
import type { LoopName } from '../runtime.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'

/** The thread of the loops, as the main thread sees it. */
export interface LoopThread {
  wake(name: LoopName): void
  drain(name: LoopName): Promise<void>
  /** Time of the last message from the loops, in milliseconds of the service's clock. */
  lastSeen(): number
  /** What the loops have counted, as of their last heartbeat. */
  counted(): MetricsSnapshot
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 20_000
/** Limit of long reads at a time; fewer on a machine with fewer cores. */
const MAX_READING = 4
/** Limit of tasks with a time limit at a time. */
const MAX_LIMITED = 2
/** How long a running read may take at shutdown. */
const READ_GRACE_MS = 500

/** Creates and reuses threads. */
export interface Threads {
  /** A thread that loads its code and then waits for its setup. */
  take(): Worker
  /** Returns a thread that stopped cleanly and can be set up again. */
  give(thread: Worker): void
}

/** In the executable this file is part of one at its root, and the entry point keeps its folder. */
const WORKER = new URL(Bun.isStandaloneExecutable ? './threads/worker.ts' : './worker.ts', import.meta.url).href

export const newThreads: Threads = {
  take: () => new Worker(WORKER),
  give: (thread) => thread.terminate(),
}

/** A thread for the loops, which loads their code while the main thread does something else. */
export function takeLoopThread(threads: Threads = newThreads): Worker {
  const worker = threads.take()
  worker.postMessage({ load: 'loops' } satisfies ToWorker)
  return worker
}

/** Starts the loops in a thread and waits until they run. `onDeath` is called when it ends unexpectedly. */
export async function startLoopThread(
  threads: Threads,
  worker: Worker,
  setup: Omit<WorkerSetup, 'part'>,
  { now, onDeath, heavy }: { now: () => number; onDeath: (reason: string) => void; heavy: HeavyReads },
): Promise<LoopThread> {
  const drains = new Map<number, () => void>()
  let counted: MetricsSnapshot = {}
  let lastId = 0
  let seen = now()
  let started = false
  let stopping = false
  let dead = false
  let stopped = (): void => undefined
  const listening = new AbortController()
  const ready = Promise.withResolvers<void>()

  const heard = ({ data }: MessageEvent<FromWorker>): void => {
    seen = now()
    if ('ready' in data) ready.resolve()
    else if ('failed' in data) ready.reject(new Error(data.failed))
    else if ('drained' in data) drains.get(data.drained)?.()
    else if ('counted' in data) counted = data.counted
    else if ('paused' in data) campaignsPaused.add({ cause: data.paused })
    else if ('delegated' in data) void answerTo(heavy, data.delegated).then((answer) => tell({ answer }))
    else if ('stopped' in data) stopped()
  }
  const died = (reason: string) => {
    dead = true
    stopped()
    ready.reject(new Error(reason))
    if (started && !stopping) onDeath(reason)
  }
  worker.addEventListener('message', heard, listening)
  worker.addEventListener('error', (event) => died(event.message), listening)
  worker.addEventListener('close', () => died('The thread of the loops ended.'), listening)
  const tell = (message: ToWorker) => worker.postMessage(message)
  tell({ setup: { ...setup, part: 'loops' } })

  const timer = setTimeout(() => ready.reject(new Error('The loops did not start.')), START_TIMEOUT_MS)
  await ready.promise.finally(() => clearTimeout(timer))
  started = true

  return {
    wake: (name) => {
      if (!stopping) tell({ wake: name })
    },
    drain: (name) =>
      new Promise((resolve) => {
        const id = ++lastId
        drains.set(id, () => {
          drains.delete(id)
          resolve()
        })
        tell({ drain: name, id })
      }),
    lastSeen: () => seen,
    counted: () => counted,
    async stop() {
      stopping = true
      if (!dead)
        await new Promise<void>((resolve) => {
          stopped = resolve
          tell({ stop: true })
        })
      listening.abort()
      if (dead) worker.terminate()
      else threads.give(worker)
    },
  }
}

/** Threads for long reads and for tasks with a time limit. They start when they are needed. */
export function heavyThreads(threads: Threads, setup: Omit<WorkerSetup, 'part'>): HeavyReads {
  const start = (): ReadingThread => {
    const worker = threads.take()
    const tell = (message: ToWorker) => worker.postMessage(message)
    const listening = new AbortController()
    const ended = Promise.withResolvers<boolean>()
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<FromWorker>) => {
        if ('stopped' in data) ended.resolve(true)
      },
      listening,
    )
    tell({ setup: { ...setup, part: 'reads' } })
    return {
      worker,
      listening,
      async stop() {
        tell({ stop: true })
        const impatient = setTimeout(() => ended.resolve(false), READ_GRACE_MS)
        const clean = await ended.promise
        clearTimeout(impatient)
        listening.abort()
        if (clean) threads.give(worker)
        else worker.terminate()
      },
    }
  }
  return createHeavyReads(start, { reads: Math.min(MAX_READING, availableParallelism()), limited: MAX_LIMITED })
}
