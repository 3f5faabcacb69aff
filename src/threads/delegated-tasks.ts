import type { SQL } from 'drizzle-orm'
import { type DelegatedTask, type HeavyAnswer, type HeavyReads, statementOf, TaskTimeout } from './heavy.ts'
import type { HeavyReading, HeavyTask } from '../store/open.ts'
import { refuseInWrite } from '../store/write-guard.ts'

/**
 * Long reads and tasks, for a thread that has no reading threads of its own: the main thread has them run on those of
 * the process, within its limits.
 */

type Delegated = DelegatedTask | Statement
type Statement = ReturnType<typeof statementOf>
export type NumberedTask = { id: number } & Delegated

export interface TaskAnswer extends HeavyAnswer {
  /** The name of the task, when it took too long. */
  timed_out?: string
}

interface DelegatedTasks extends HeavyReading {
  /** Called with each answer of the main thread; settles the waiting task. */
  answered(answer: TaskAnswer): void
}

/** @param delegate sends a task to the main thread */
export function createDelegatedTasks(delegate: (task: NumberedTask) => void): DelegatedTasks {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last_id = 0
  const ask = (question: Delegated): Promise<unknown> => {
    refuseInWrite('A task of another thread')
    const id = ++last_id
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    delegate({ id, ...question })
    return answer.promise
  }
  return {
    read: <T>(query: SQL) => ask(statementOf(query)) as Promise<T[]>,
    run<Input, Result>(task: HeavyTask<Input, Result>, input: Input): Promise<Result> {
      const { name, timeout_ms, ownerOf, queue } = task
      return ask({ task: name, input, timeout_ms, owner: ownerOf?.(input), queue }) as Promise<Result>
    },
    answered({ id, result, error, timed_out }) {
      const { resolve, reject } = waiting.get(id)!
      waiting.delete(id)
      if (timed_out !== undefined) reject(new TaskTimeout(timed_out))
      else if (error !== undefined) reject(new Error(error))
      else resolve(result)
    },
  }
}

/** Does on the main thread what another one delegates. */
export async function answerTo(heavy: HeavyReads, { id, ...question }: NumberedTask): Promise<TaskAnswer> {
  try {
    return { id, result: await heavy.runDelegated(question) }
  } catch (error) {
    if (error instanceof TaskTimeout) return { id, timed_out: error.task }
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}
