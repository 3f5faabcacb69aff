import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { SQL } from 'drizzle-orm'
import type { InValue } from '@libsql/client'
import type { HeavyReading, HeavyTask } from './open.ts'

/**
 * Reads that may take long (counts over an audience, exports) run in a thread of their own: the local driver
 * is synchronous, and a request must never be behind a scan. The thread starts with the first such read.
 */
export type HeavyRequest = { id: number } & HeavyQuestion
type HeavyQuestion = { sql: string; args: InValue[] } | { task: string; input: unknown }

export interface HeavyAnswer {
  id: number
  /** The rows, or what the task answered. */
  result?: unknown
  error?: string
}

export interface HeavyReads extends HeavyReading {
  close(): Promise<void>
}

export interface ReadingThread {
  worker: Worker
  /** Its signal ends what listens to the worker. */
  listening: AbortController
  /** Lets the read under way end. */
  stop(): Promise<void>
}

const dialect = new SQLiteAsyncDialect()

/** @param start makes the thread that answers */
export function createHeavyReads(start: () => ReadingThread): HeavyReads {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let thread: ReadingThread | null = null
  let lastId = 0

  const drop = (reason: string): void => {
    thread = null
    for (const [id, caller] of waiting) {
      waiting.delete(id)
      caller.reject(new Error(reason))
    }
  }

  const begin = (): ReadingThread => {
    const started = start()
    const { worker } = started
    worker.addEventListener('message', ({ data: { answer, failed } }: MessageEvent<{ answer?: HeavyAnswer; failed?: string }>) => {
      if (failed !== undefined) {
        // It could not begin; the next read tries with another.
        drop(`The reading thread did not begin: ${failed}`)
        worker.terminate()
      }
      if (!answer) return
      const caller = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (answer.error !== undefined) caller?.reject(new Error(answer.error))
      else caller?.resolve(answer.result)
    }, started.listening)
    worker.addEventListener('close', () => {
      if (thread === started) drop('The reading thread ended.')
    }, started.listening)
    return started
  }

  const ask = (question: HeavyQuestion): Promise<unknown> => {
    thread ??= begin()
    const id = ++lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      thread!.worker.postMessage({ read: { id, ...question } satisfies HeavyRequest })
    })
  }

  return {
    read<T>(query: SQL): Promise<T[]> {
      const { sql, params } = dialect.sqlToQuery(query)
      return ask({ sql, args: params as InValue[] }) as Promise<T[]>
    },
    run<Input, Result>({ name }: HeavyTask<Input, Result>, input: Input): Promise<Result> {
      return ask({ task: name, input }) as Promise<Result>
    },
    async close() {
      const ending = thread
      drop('The service is being stopped.')
      await ending?.stop()
    },
  }
}
