import type { HeavyRequest } from './store/heavy.ts'
import type { Store } from './store/open.ts'
import type { MainThread, ToWorker, WorkerSetup } from './thread-messages.ts'
import { loadTask } from './thread-tasks.ts'
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
      (error: unknown) => tell({ answer: { id, error: error instanceof Error ? error.message : String(error) } }),
    )
  }
}

async function answer(store: Store, asked: HeavyRequest): Promise<unknown> {
  if ('task' in asked) {
    const task = await loadTask(asked.task)
    return task.run(store.db, asked.input as never)
  }
  return store.query(asked.sql, asked.args)
}
