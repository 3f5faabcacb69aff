import type { OtherThreads } from '../http/core/metrics.ts'
import type { Log } from '../log.ts'
import { type MetricsSnapshot, sumOfSnapshots, threadsEnded } from '../metrics.ts'
import type { LoopName } from '../runtime.ts'
import type { WriteQueue } from '../store/write-queue.ts'
import { enterHere } from '../turns.ts'
import type { AnsweringSetup, ProcessAnswers, ThreadAnswers } from './answering-messages.ts'
import { answerTo } from './delegated-tasks.ts'
import type { HeavyReads } from './heavy.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import { errorText } from './questions.ts'
import type { Threads } from './start.ts'
import { answeringWriter } from './writers.ts'

/** The threads that answer requests beside the main one, as that one sees them. */
export interface AnsweringThreads extends OtherThreads {
  /** Whether a thread does not respond; then a part of the connections has no answer. */
  isSilent(): boolean
  /** Has each of them write its request log. */
  writeLogs(): Promise<void>
  /** Resolves when each of them answers. */
  ready(): Promise<void>
  /** Waits for the running requests, at most for seconds, and ends the threads. */
  stop(): Promise<void>
}

interface Parts {
  setup: Omit<WorkerSetup, 'part' | 'answering'>
  answering: Omit<AnsweringSetup, 'thread'>
  heavy: HeavyReads
  log: Log
  queue: WriteQueue | null
  wake(name: LoopName): void
  /** What the whole process answers, for a thread that was asked. */
  answers: { [What in keyof ProcessAnswers]: () => Promise<ProcessAnswers[What]> }
  /** Forgets what a thread that ended has counted in shared memory. */
  forget(thread: number): void
  /** Called when a thread ended so that only the end of the process helps. */
  onFatal(reason: string): void
  /** The time in milliseconds since any moment. */
  now?: () => number
}

/** After this time without a message a thread counts as silent, and after the second time it is ended. */
const SILENT_MS = 5_000
const LOST_MS = 20_000
const CHECK_MS = 1_000
/** How long a thread may take to begin, and to stop beyond what its requests are given. */
const START_MS = 30_000
const STOP_MS = 7_500
/** How long the metrics and the request log wait for a thread. */
const ANSWER_MS = 500
/** Pauses before a thread begins again, when one after the other ends. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** A thread that answered for so long did not end because of how it began. */
const STEADY_MS = 60_000

interface Thread {
  number: number
  worker: Worker
  listening: AbortController
  began_at: number
  seen_at: number
  is_ready: boolean
  heap_bytes: number
  /** The ends of the turns that it has taken, by the id of its question. */
  turns: Map<number, () => void>
  /** What it had counted when it was asked last. */
  counted: MetricsSnapshot
  /** The questions that it has not answered, by their id. */
  asked: Map<number, (answer: unknown) => void>
  whenStopped: () => void
  tell(message: ToWorker): void
}

/** Starts the threads. One that ends is replaced. */
export function startAnsweringThreads(threads: Threads, parts: Parts): AnsweringThreads {
  const { log, queue, now = () => performance.now() } = parts
  const running = new Map<number, Thread>()
  const pauses = new Map<number, number>()
  const waiting = new Set<ReturnType<typeof setTimeout>>()
  /** For each number of a thread, whether the one that has it now answers. */
  const responding = new Map<number, PromiseWithResolvers<void>>()
  /** What the threads that ended had counted when they were asked last. */
  let before: MetricsSnapshot = {}
  let last_id = 0
  let stopping = false
  let checked_at = now()

  const begin = (number: number): void => {
    const worker = threads.take()
    const at = now()
    const thread: Thread = {
      number,
      worker,
      listening: new AbortController(),
      began_at: at,
      seen_at: at,
      is_ready: false,
      heap_bytes: 0,
      turns: new Map(),
      counted: {},
      asked: new Map(),
      whenStopped: () => undefined,
      tell: (message) => worker.postMessage(message),
    }
    running.set(number, thread)
    const { listening } = thread
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => heard(thread, data), listening)
    worker.addEventListener('error', (event) => lose(thread, event.message), listening)
    worker.addEventListener('close', () => lose(thread, 'It ended.'), listening)
    thread.tell({ setup: { ...parts.setup, part: 'answers', answering: { ...parts.answering, thread: number } } })
  }

  const heard = (thread: Thread, message: FromWorker): void => {
    thread.seen_at = now()
    if ('beat' in message) thread.heap_bytes = message.beat.heap_bytes
    else if ('ready' in message) {
      thread.is_ready = true
      responding.get(thread.number)!.resolve()
    } else if ('failed' in message) lose(thread, message.failed)
    else if ('wake' in message) parts.wake(message.wake)
    else if ('warn_once' in message) log.warnOnce(message.warn_once.message, message.warn_once.fields)
    else if ('delegated' in message)
      void answerTo(parts.heavy, message.delegated).then((answer) => tell(thread, { answer }))
    else if ('turn' in message) void giveTurn(thread, message.turn)
    else if ('turn_over' in message) {
      thread.turns.get(message.turn_over)?.()
      thread.turns.delete(message.turn_over)
    } else if ('asks' in message) void answer(thread, message.asks)
    else if ('thread' in message) thread.asked.get(message.thread.id)?.(message.thread.answer)
    else if ('stopped' in message) thread.whenStopped()
  }

  const isRunning = (thread: Thread): boolean => running.get(thread.number) === thread
  const tell = (thread: Thread, message: ToWorker): void => {
    if (isRunning(thread)) thread.tell(message)
  }

  const giveTurn = async (
    thread: Thread,
    { id, turns, owner }: Extract<FromWorker, { turn: unknown }>['turn'],
  ): Promise<void> => {
    const end = await enterHere(turns, owner)
    if (end === null) tell(thread, { turn: { id, given: false } })
    else if (!isRunning(thread)) end()
    else {
      thread.turns.set(id, end)
      thread.tell({ turn: { id, given: true } })
    }
  }

  const answer = async (
    thread: Thread,
    { id, what }: Extract<FromWorker, { asks: unknown }>['asks'],
  ): Promise<void> => {
    try {
      tell(thread, { process: { id, answer: await parts.answers[what]() } })
    } catch (error) {
      tell(thread, { process_failed: { id, error: errorText(error) } })
    }
  }

  /** Takes back what a thread held. */
  const release = (thread: Thread): void => {
    running.delete(thread.number)
    thread.listening.abort()
    for (const end of thread.turns.values()) end()
    thread.turns.clear()
    for (const resolve of thread.asked.values()) resolve(null)
    before = sumOfSnapshots([before, thread.counted])
    parts.forget(thread.number)
    thread.whenStopped()
  }

  const lose = (thread: Thread, reason: string): void => {
    if (!isRunning(thread)) return
    // First, so that it does not count or claim again what `release` takes back.
    thread.worker.terminate()
    release(thread)
    if (thread.is_ready) responding.set(thread.number, Promise.withResolvers())
    const isFree = queue?.leave(answeringWriter(thread.number)) ?? true
    if (stopping) return
    threadsEnded.add({})
    if (!isFree) {
      parts.onFatal(`A thread that answers requests ended while it wrote: ${reason}`)
      return
    }
    const isSteady = now() - thread.began_at > STEADY_MS
    const pause_ms = isSteady ? FIRST_PAUSE_MS : (pauses.get(thread.number) ?? FIRST_PAUSE_MS)
    pauses.set(thread.number, Math.min(LONGEST_PAUSE_MS, 2 * pause_ms))
    log.error('a thread that answers requests ended; another one begins', { thread: thread.number, reason, pause_ms })
    const timer = setTimeout(() => {
      waiting.delete(timer)
      begin(thread.number)
    }, pause_ms)
    waiting.add(timer)
  }

  const isLate = (thread: Thread, limit_ms: number): boolean => now() - thread.seen_at > limit_ms

  const check = (): void => {
    const at = now()
    // This thread itself did not run, or the machine: the messages of the others wait.
    const isLateItself = at - checked_at > 3 * CHECK_MS
    checked_at = at
    if (isLateItself) for (const thread of running.values()) thread.seen_at = at
    for (const thread of running.values())
      if (isLate(thread, thread.is_ready ? LOST_MS : START_MS)) lose(thread, 'It did not respond.')
  }
  const checks = setInterval(check, CHECK_MS)
  checks.unref()

  /** The answer of a thread; null when it does not come in time. */
  const ask = async <What extends keyof ThreadAnswers>(
    thread: Thread,
    what: What,
  ): Promise<ThreadAnswers[What] | null> => {
    const id = ++last_id
    const { promise, resolve } = Promise.withResolvers<unknown>()
    thread.asked.set(id, resolve)
    thread.tell({ asks: { id, what } })
    const impatient = setTimeout(() => resolve(null), ANSWER_MS)
    const answer = await promise
    clearTimeout(impatient)
    thread.asked.delete(id)
    return answer as ThreadAnswers[What] | null // the thread answers what it was asked
  }
  const counted = async (thread: Thread): Promise<MetricsSnapshot> => {
    thread.counted = (await ask(thread, 'counted')) ?? thread.counted
    return thread.counted
  }
  const ready = (): Thread[] => [...running.values()].filter(({ is_ready }) => is_ready)

  const stopOne = async (thread: Thread): Promise<void> => {
    const stopped = Promise.withResolvers<boolean>()
    thread.whenStopped = () => stopped.resolve(isRunning(thread))
    if (thread.is_ready) thread.tell({ stop: true })
    else stopped.resolve(false) // It answers nobody yet.
    const impatient = setTimeout(() => stopped.resolve(false), STOP_MS)
    const isClean = await stopped.promise
    clearTimeout(impatient)
    if (!isRunning(thread)) return
    release(thread)
    if (isClean) {
      threads.give(thread.worker)
      return
    }
    thread.worker.terminate()
    queue?.leave(answeringWriter(thread.number))
  }

  for (let number = 1; number < parts.answering.threads; number++) {
    responding.set(number, Promise.withResolvers<void>())
    begin(number)
  }

  return {
    async counted() {
      const present = await Promise.all(ready().map(counted))
      return [before, ...present]
    },
    states: () =>
      ready().map((thread) => ({
        thread: thread.number,
        is_silent: isLate(thread, SILENT_MS),
        heap_bytes: thread.heap_bytes,
      })),
    isSilent: () => ready().some((thread) => isLate(thread, SILENT_MS)),
    async writeLogs() {
      await Promise.all(ready().map((thread) => ask(thread, 'logs')))
    },
    async ready() {
      await Promise.all([...responding.values()].map(({ promise }) => promise))
    },
    async stop() {
      stopping = true
      clearInterval(checks)
      for (const timer of waiting) clearTimeout(timer)
      await Promise.all([...running.values()].map(stopOne))
    },
  }
}
