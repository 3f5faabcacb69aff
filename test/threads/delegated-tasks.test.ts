import { expect, test } from 'bun:test'
import { createDelegatedTasks, type NumberedTask } from '../../src/threads/delegated-tasks.ts'
import { TaskTimeout } from '../../src/threads/heavy.ts'

const task = { name: 'compile', timeout_ms: 5000, run: async () => 'here' }

test('A task is delegated to the main thread, and gets its own answer, error or timeout.', async () => {
  const asked: NumberedTask[] = []
  const tasks = createDelegatedTasks((one) => asked.push(one))
  const outcomes = ['first', 'second', 'third'].map((input) =>
    tasks.run(task, input as never).catch((error: unknown) => error),
  )
  expect(asked).toEqual([
    { id: 1, task: 'compile', input: 'first', timeout_ms: 5000 },
    { id: 2, task: 'compile', input: 'second', timeout_ms: 5000 },
    { id: 3, task: 'compile', input: 'third', timeout_ms: 5000 },
  ])
  tasks.answered({ id: 3, timed_out: 'compile' })
  tasks.answered({ id: 2, error: 'No thread starts.' })
  tasks.answered({ id: 1, result: 'there' })
  expect(await Promise.all(outcomes)).toEqual([
    'there' as never,
    new Error('No thread starts.'),
    new TaskTimeout('compile'),
  ])
})
