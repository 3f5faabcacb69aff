import type { DelegatedTask, HeavyAnswer } from './heavy.ts'
import { TaskTimeout } from './heavy.ts'
import type { HeavyReading, HeavyTask } from '../store/open.ts'
import { refuseInWrite } from '../store/write-guard.ts'

/**
 * Tasks with a time limit, for a thread that cannot end itself: the main thread has them run on reading threads.
 */

export interface NumberedTask extends DelegatedTask {
  id: number
}

export interface TaskAnswer extends HeavyAnswer {
  /** The name of the task, when it took too long. */
  timed_out?: string
}

interface DelegatedTasks extends Pick<HeavyReading, 'run'> {
  /** Called with each answer of the main thread; settles the waiting task. */
  answered(answer: TaskAnswer): void
}

/** @param delegate sends a task to the main thread */
export function createDelegatedTasks(delegate: (task: NumberedTask) => void): DelegatedTasks {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last_id = 0
  return {
    run<Input, Result>({ name, timeout_ms = 0, ownerOf }: HeavyTask<Input, Result>, input: Input): Promise<Result> {
      refuseInWrite('A task of another thread')
      const id = ++last_id
      const answer = Promise.withResolvers<unknown>()
      waiting.set(id, answer)
      delegate({ id, task: name, input, timeout_ms, owner: ownerOf?.(input) })
      return answer.promise as Promise<Result>
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
