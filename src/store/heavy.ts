import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { SQL } from 'drizzle-orm'
import type { InValue } from '@libsql/client'

/**
 * Reads that may take long (counts over an audience, exports) run in a thread of their own: the local driver
 * is synchronous, and a request must never be behind a scan. The thread starts with the first such read.
 */
export interface HeavyRequest {
  id: number
  sql: string
  args: InValue[]
}

export interface HeavyAnswer {
  id: number
  rows?: Record<string, unknown>[]
  error?: string
}

export interface HeavyReads {
  read<T>(query: SQL): Promise<T[]>
  close(): void
}

const dialect = new SQLiteAsyncDialect()

/** @param start makes the thread that answers */
export function createHeavyReads(start: () => Worker): HeavyReads {
  const waiting = new Map<number, { resolve(rows: unknown[]): void; reject(error: Error): void }>()
  let worker: Worker | null = null
  let lastId = 0

  const begin = (): Worker => {
    const started = start()
    started.addEventListener('message', ({ data: { answer } }: MessageEvent<{ answer?: HeavyAnswer }>) => {
      if (!answer) return
      const caller = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (answer.error !== undefined) caller?.reject(new Error(answer.error))
      else caller?.resolve(answer.rows ?? [])
    })
    started.addEventListener('close', () => {
      if (worker === started) worker = null
      for (const [id, caller] of waiting) {
        waiting.delete(id)
        caller.reject(new Error('The reading thread ended.'))
      }
    })
    return started
  }

  return {
    read<T>(query: SQL): Promise<T[]> {
      worker ??= begin()
      const { sql, params } = dialect.sqlToQuery(query)
      const id = ++lastId
      return new Promise<T[]>((resolve, reject) => {
        waiting.set(id, { resolve: (rows) => resolve(rows as T[]), reject })
        worker!.postMessage({ read: { id, sql, args: params as InValue[] } satisfies HeavyRequest })
      })
    },
    close() {
      worker?.terminate()
      worker = null
    },
  }
}
