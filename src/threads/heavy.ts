import { setImmediate } from 'node:timers/promises'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { SQL } from 'drizzle-orm'
import type { InValue } from '@libsql/client'
import type { HeavyReading, HeavyTask } from '../store/open.ts'
import { refuseInWrite } from '../store/write-guard.ts'

/**
 * Long reads (counts over an audience, exports) and tasks with a time limit (rendering a document) run on threads of
 * their own: libsql is synchronous, and no request may wait for a scan. The first thread starts with the first of them.
 * Both share the threads, and each has a limit of its own, so that a long read delays no rendering. Of the tasks with a
 * time limit one project has one at a time, so that its slow documents delay no other project's. Exports take one
 * thread together, because each thread takes 25 MB.
 */
export type HeavyRequest = { id: number } & HeavyQuestion
type HeavyQuestion = Statement | { task: string; input: unknown }

interface Statement {
  sql: string
  args: InValue[]
}

export interface HeavyAnswer {
  id: number
  /** The rows of a query, or the result of a task. */
  result?: unknown
  error?: string
}

/** A task that another thread delegates. */
export interface DelegatedTask {
  task: string
  input: unknown
  timeout_ms?: number | undefined
  owner?: number | undefined
  queue?: string | undefined
}

export interface HeavyReads extends HeavyReading {
  /** As `read` and `run`, for a statement, or a task that is known by its name. */
  runDelegated(question: DelegatedTask | Statement): Promise<unknown>
  close(): Promise<void>
}

export interface ReadingThread {
  worker: Worker
  /** Removes the listeners of the worker. */
  listening: AbortController
  /** Stops the thread after its current read. */
  stop(): Promise<void>
}

/** A task ran longer than its `timeout_ms`. */
export class TaskTimeout extends Error {
  constructor(readonly task: string) {
    super(`The task ${task} took too long and was stopped.`)
    this.name = 'TaskTimeout'
  }
}

const STOPPED = 'The service is being stopped.'
const dialect = new SQLiteAsyncDialect()

/** A query as text and arguments, which can be sent to another thread. */
export function statementOf(query: SQL): Statement {
  const { sql, params } = dialect.sqlToQuery(query)
  return { sql, args: params as InValue[] }
}

interface Waiting {
  id: number
  question: HeavyQuestion
  /** How long the question may run, from the time a thread has it. */
  timeout_ms?: number | undefined
  /** Only one limited question of an owner runs at a time. */
  owner?: number | undefined
  /** Only one question of a queue runs at a time. */
  queue?: string | undefined
  resolve(result: unknown): void
  reject(error: Error): void
}

/** The most reads and tasks that run at a time. */
interface MostAtOnce {
  /** Queries, and tasks without a time limit. */
  reads: number
  /** Tasks with a time limit. */
  limited: number
}

const isLimited = ({ timeout_ms }: Waiting): boolean => timeout_ms !== undefined

/**
 * @param start starts a thread; it is called when no thread is idle
 * @param idle_ms a thread without work for this long is stopped, which frees its memory
 */
export function createHeavyReads(start: () => ReadingThread, most: MostAtOnce, idle_ms = 30_000): HeavyReads {
  const queue: Waiting[] = []
  /** The read or task of each thread; null while it has none. */
  const current = new Map<ReadingThread, Waiting | null>()
  const idle = new Map<ReadingThread, NodeJS.Timeout>()
  /** The time limits of the questions that run. */
  const limits = new Map<ReadingThread, NodeJS.Timeout>()
  let starting: ReadingThread | null = null
  let lastId = 0
  let closed = false

  const drop = (thread: ReadingThread, reason: string): void => {
    if (starting === thread) starting = null
    clearTimeout(idle.get(thread))
    idle.delete(thread)
    clearTimeout(limits.get(thread))
    limits.delete(thread)
    current.get(thread)?.reject(new Error(reason))
    current.delete(thread)
    // No thread is left for the waiting reads. The next read starts another thread.
    if (current.size === 0) for (const { reject } of queue.splice(0)) reject(new Error(reason))
  }

  const leave = (thread: ReadingThread): void => {
    drop(thread, 'The reading thread was stopped.')
    void thread.stop()
  }

  /** Ends a thread whose question runs too long. Waiting questions get another thread. */
  const expire = (thread: ReadingThread, { question, reject }: Waiting): void => {
    reject(new TaskTimeout('task' in question ? question.task : 'query'))
    current.set(thread, null)
    const waiting = queue.splice(0)
    drop(thread, 'The reading thread was stopped.')
    thread.listening.abort()
    thread.worker.terminate()
    queue.push(...waiting)
    dispatch()
  }

  /** The index in the queue of the first question that may run now; -1 for none. */
  const firstAllowed = (): number => {
    const running = [...current.values()].filter((question) => question !== null)
    const limited = running.filter(isLimited)
    const owners = new Set(limited.map(({ owner }) => owner).filter((owner) => owner !== undefined))
    const hasRoom = { reads: running.length - limited.length < most.reads, limited: limited.length < most.limited }
    const queues = new Set(running.map(({ queue: name }) => name).filter((name) => name !== undefined))
    return queue.findIndex((question) =>
      isLimited(question)
        ? hasRoom.limited && !owners.has(question.owner!)
        : hasRoom.reads && !queues.has(question.queue!),
    )
  }

  /** Gives the first question that may run to an idle thread, or starts a thread for it. */
  const dispatch = (): void => {
    if (firstAllowed() === -1) return
    const free = [...current].find(([thread, caller]) => caller === null && thread !== starting)?.[0]
    if (free) handNext(free)
    else if (!starting) begin()
  }

  const handNext = (thread: ReadingThread): void => {
    current.set(thread, null)
    const index = firstAllowed()
    const next = index === -1 ? null : queue.splice(index, 1)[0]!
    current.set(thread, next)
    clearTimeout(idle.get(thread))
    clearTimeout(limits.get(thread))
    limits.delete(thread)
    if (next?.timeout_ms !== undefined)
      limits.set(
        thread,
        setTimeout(() => expire(thread, next), next.timeout_ms),
      )
    if (!next) idle.set(thread, setTimeout(() => leave(thread), idle_ms).unref())
    else thread.worker.postMessage({ read: { id: next.id, ...next.question } satisfies HeavyRequest })
  }

  const begin = (): void => {
    const thread = start()
    const { worker } = thread
    starting = thread
    current.set(thread, null)
    worker.addEventListener(
      'message',
      ({ data: { answer, failed, ready } }: MessageEvent<{ answer?: HeavyAnswer; failed?: string; ready?: true }>) => {
        // A stopped thread may still answer.
        if (!current.has(thread)) return
        if (failed !== undefined) {
          drop(thread, `The reading thread did not start: ${failed}`)
          worker.terminate()
        } else if (ready) {
          starting = null
          handNext(thread)
          dispatch()
        } else if (answer) {
          const caller = current.get(thread)
          if (caller?.id !== answer.id) return
          handNext(thread)
          if (answer.error !== undefined) caller.reject(new Error(answer.error))
          else caller.resolve(answer.result)
        }
      },
      thread.listening,
    )
    worker.addEventListener('close', () => drop(thread, 'The reading thread ended.'), thread.listening)
  }

  const ask = (
    question: HeavyQuestion,
    limit: Pick<Waiting, 'timeout_ms' | 'owner' | 'queue'> = {},
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      refuseInWrite('A task of another thread')
      if (closed) throw new Error(STOPPED)
      queue.push({ id: ++lastId, question, ...limit, resolve, reject })
      dispatch()
    })

  return {
    read<T>(query: SQL): Promise<T[]> {
      return ask(statementOf(query)) as Promise<T[]>
    },
    run<Input, Result>(task: HeavyTask<Input, Result>, input: Input): Promise<Result> {
      const { name, timeout_ms, ownerOf, queue: queue_name } = task
      return ask({ task: name, input }, { timeout_ms, owner: ownerOf?.(input), queue: queue_name }) as Promise<Result>
    },
    runDelegated(question) {
      if ('sql' in question) return ask(question)
      const { timeout_ms, owner, queue: queue_name, ...task } = question
      return ask(task, { timeout_ms, owner, queue: queue_name })
    },
    async close() {
      closed = true
      const ending = [...current.keys()]
      for (const thread of ending) drop(thread, STOPPED)
      await Promise.all(ending.map((thread) => thread.stop()))
    },
  }
}

/** Bytes that are copied before other requests have their turn. */
const STEP = 4 * 1024 * 1024

/** A copy in memory that threads share: a message with the bytes themselves would copy all of them at once. */
export async function sharedCopy(bytes: Uint8Array): Promise<Uint8Array> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  for (let at = 0; at < bytes.length; at += STEP) {
    copy.set(bytes.subarray(at, at + STEP), at)
    await setImmediate()
  }
  return copy
}
