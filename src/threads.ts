import { createHeavyReads, type HeavyReads } from './store/heavy.ts'
import type { LoopName } from './store/runtime.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './worker.ts'

/** The threads of a service, seen from the main one. */
export interface LoopThread {
  wake(name: LoopName): void
  drain(name: LoopName): Promise<void>
  /** When the loops were last heard of, in milliseconds of the service's clock. */
  lastSeen(): number
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 20_000

/** A thread that loads its code from now on, and does nothing before it is set up. */
export function loadThread(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url).href)
}

function start(setup: WorkerSetup, worker = loadThread()): Worker {
  worker.postMessage({ setup } satisfies ToWorker)
  return worker
}

/** Starts the loops in a thread and waits until they run. `onDeath` is called when it ends without being asked to. */
export async function startLoopThread(thread: Worker, setup: Omit<WorkerSetup, 'part'>, now: () => number, onDeath: (reason: string) => void): Promise<LoopThread> {
  const worker = start({ ...setup, part: 'loops' }, thread)
  const drains = new Map<number, () => void>()
  let lastId = 0
  let seen = now()
  let started = false
  let stopping = false
  let dead = false
  let stopped = (): void => undefined
  const ready = Promise.withResolvers<void>()

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    seen = now()
    if ('ready' in data) ready.resolve()
    else if ('failed' in data) ready.reject(new Error(data.failed))
    else if ('drained' in data) drains.get(data.drained)?.()
    else if ('stopped' in data) stopped()
  })
  const died = (reason: string) => {
    dead = true
    stopped()
    ready.reject(new Error(reason))
    if (started && !stopping) onDeath(reason)
  }
  worker.addEventListener('error', (event) => died(event.message))
  worker.addEventListener('close', () => died('The thread of the loops ended.'))

  const timer = setTimeout(() => ready.reject(new Error('The loops did not start.')), START_TIMEOUT_MS)
  await ready.promise.finally(() => clearTimeout(timer))
  started = true
  const tell = (message: ToWorker) => worker.postMessage(message)

  return {
    wake: (name) => { if (!stopping) tell({ wake: name }) },
    drain: (name) => new Promise((resolve) => {
      const id = ++lastId
      drains.set(id, () => { drains.delete(id); resolve() })
      tell({ drain: name, id })
    }),
    lastSeen: () => seen,
    async stop() {
      stopping = true
      if (!dead) await new Promise<void>((resolve) => { stopped = resolve; tell({ stop: true }) })
      worker.terminate()
    },
  }
}

/** Heavy reads for a database file; the thread starts with the first of them. */
export function heavyThread(setup: Omit<WorkerSetup, 'part'>): HeavyReads {
  return createHeavyReads(() => start({ ...setup, part: 'reads' }))
}
