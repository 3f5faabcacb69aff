import type { SQL } from 'drizzle-orm'
import { type DelegatedTask, type HeavyAnswer, type HeavyReads, statementOf, TaskTimeout } from './heavy.ts'
import type { HeavyReading, HeavyTask } from '../store/open.ts'
import { refuseInWrite } from '../store/write-guard.ts'
import { createQuestions, errorText } from './questions.ts'

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
  const questions = createQuestions()
  const ask = <T>(question: Delegated): Promise<T> => {
    refuseInWrite('A task of another thread')
    return questions.ask((id) => delegate({ id, ...question }))
  }
  return {
    read: <T>(query: SQL) => ask<T[]>(statementOf(query)),
    run<Input, Result>(task: HeavyTask<Input, Result>, input: Input): Promise<Result> {
      const { name, timeout_ms, ownerOf, queue } = task
      return ask({ task: name, input, timeout_ms, owner: ownerOf?.(input), queue })
    },
    answered({ id, result, error, timed_out }) {
      if (timed_out !== undefined) questions.failed(id, new TaskTimeout(timed_out))
      else if (error !== undefined) questions.failed(id, new Error(error))
      else questions.answered(id, result)
    },
  }
}

/** Does on the main thread what another one delegates. */
export async function answerTo(heavy: HeavyReads, { id, ...question }: NumberedTask): Promise<TaskAnswer> {
  try {
    return { id, result: await heavy.runDelegated(question) }
  } catch (error) {
    if (error instanceof TaskTimeout) return { id, timed_out: error.task }
    return { id, error: errorText(error) }
  }
}
