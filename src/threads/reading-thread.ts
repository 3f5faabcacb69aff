import type { HeavyRequest } from './heavy.ts'
import type { Store } from '../store/open.ts'
import type { MainThread, ToWorker, WorkerSetup } from './messages.ts'
import { errorText } from './questions.ts'
import { loadTask } from './tasks.ts'
import { openThreadStore } from './thread-store.ts'

/** Opens the store. Returns what handles further messages: each asks for a query or a task. */
export async function answerReads(
  setup: WorkerSetup,
  { tell, onStop }: MainThread,
): Promise<(message: ToWorker) => void> {
  const store = await openThreadStore(setup)
  return (message) => {
    if ('stop' in message) {
      onStop()
      return void store.close().then(() => tell({ stopped: true }))
    }
    if (!('read' in message)) return
    const { id } = message.read
    answer(store, message.read).then(
      (result) => tell({ answer: { id, result } }),
      (error: unknown) => tell({ answer: { id, error: errorText(error) } }),
    )
  }
}

async function answer(store: Store, question: HeavyRequest): Promise<unknown> {
  if ('task' in question) {
    const task = await loadTask(question.task)
    return task.run(store.db, question.input as never)
  }
  return store.query(question.sql, question.args)
}
