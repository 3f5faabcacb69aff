import { expect, jest, test } from 'bun:test'
import { createLog } from '../../src/log.ts'
import { WriteQueue } from '../../src/store/write-queue.ts'
import { type AnsweringThreads, startAnsweringThreads } from '../../src/threads/answering.ts'
import type { HeavyReads } from '../../src/threads/heavy.ts'
import type { WorkerSetup } from '../../src/threads/messages.ts'
import { type FakeThread, fakeThreads } from '../support/fake-thread.ts'

const PASSWORDS = { name: 'a room of the test', at_once: 1, max_waiting: 1 }
/** The messages of a kind that a thread was sent. */
const heard = ({ told }: FakeThread, kind: string) => told.filter((message) => kind in message)

async function begun(count = 2) {
  const { threads, taken, given } = fakeThreads()
  const [lines, fatal, woken, forgotten]: [string[], string[], string[], number[]] = [[], [], [], []]
  const queue = new WriteQueue()
  const time = { now: 0 }
  const memory = new SharedArrayBuffer(8)
  const answering: AnsweringThreads = startAnsweringThreads(threads, {
    setup: { base_url: 'https://masthead.example' } as Omit<WorkerSetup, 'part'>,
    answering: { port: 8787, threads: count + 1, counts_memory: memory, quota_memory: memory, claims_memory: memory },
    heavy: { runDelegated: async (task) => ['done', task] } as Partial<HeavyReads> as HeavyReads,
    log: createLog(
      'warn',
      'json',
      () => 0,
      (line) => lines.push(line),
    ),
    queue,
    wake: (name) => woken.push(name),
    answers: {
      readiness: async () => 'not yet',
      metrics: async () => 'all metrics',
      logs: () => Promise.reject(new Error('The disk is full.')),
    },
    forget: (thread) => forgotten.push(thread),
    onFatal: (reason) => fatal.push(reason),
    now: () => time.now,
  })
  for (const thread of taken) thread.says({ ready: true })
  await answering.ready()
  return { answering, taken, given, lines, fatal, woken, forgotten, queue, time }
}
const turn = () => new Promise(setImmediate)

test('Each thread gets its number, and the main one does for it what only that one can.', async () => {
  const { taken, woken, lines } = await begun()
  const numbers = taken.map(
    ({ told: [first] }) => 'setup' in first! && [first.setup.part, first.setup.answering?.thread],
  )
  expect(numbers).toEqual([
    ['answers', 1],
    ['answers', 2],
  ])
  const [first] = taken as [FakeThread]
  first.says({ wake: 'mail' })
  for (let round = 0; round < 2; round++) first.says({ warn_once: { message: 'Look at the proxy.', fields: {} } })
  first.says({ delegated: { id: 1, sql: 'SELECT 1', args: [] } })
  first.says({ asks: { id: 2, what: 'readiness' } })
  first.says({ asks: { id: 3, what: 'metrics' } })
  first.says({ asks: { id: 4, what: 'logs' } })
  await turn()
  expect([woken, lines.length]).toEqual([['mail'], 1])
  expect(first.told.slice(1)).toEqual([
    { process: { id: 2, answer: 'not yet' } },
    { process: { id: 3, answer: 'all metrics' } },
    { process_failed: { id: 4, error: 'The disk is full.' } },
    { answer: { id: 1, result: ['done', { sql: 'SELECT 1', args: [] }] } },
  ])
})

test('Threads take turns with each other, and one that ends leaves its turn to the next.', async () => {
  jest.useFakeTimers()
  try {
    const { taken, forgotten } = await begun()
    const [first, second] = taken as [FakeThread, FakeThread]
    first.says({ turn: { id: 1, turns: PASSWORDS, owner: '' } })
    second.says({ turn: { id: 1, turns: PASSWORDS, owner: '' } })
    second.says({ turn: { id: 2, turns: PASSWORDS, owner: '' } })
    await turn()
    expect(heard(first, 'turn')).toEqual([{ turn: { id: 1, given: true } }])
    expect(heard(second, 'turn')).toEqual([{ turn: { id: 2, given: false } }])
    first.ends()
    await turn()
    expect(heard(second, 'turn').slice(1)).toEqual([{ turn: { id: 1, given: true } }])
    expect(forgotten).toEqual([1])
    second.says({ turn_over: 1 })
  } finally {
    jest.useRealTimers()
  }
})

test('The metrics keep what a thread that ended had counted.', async () => {
  const { answering, taken } = await begun(1)
  const counted = answering.counted()
  const snapshot = { letters: [{ labels: {}, count: 3, sum: 0, buckets: [] }] }
  taken[0]!.says({ thread: { id: 1, answer: snapshot } })
  expect(await counted).toEqual([{}, snapshot])
  taken[0]!.ends()
  expect(await answering.counted()).toEqual([snapshot])
  await answering.stop()
})

test('A thread that ends is replaced after a pause that grows.', async () => {
  jest.useFakeTimers()
  try {
    const { taken, lines } = await begun(1)
    taken[0]!.ends()
    jest.advanceTimersByTime(99)
    expect(taken).toHaveLength(1)
    jest.advanceTimersByTime(1)
    taken[1]!.says({ failed: 'The port is gone.' })
    jest.advanceTimersByTime(199)
    expect([taken.length, taken[1]!.terminated]).toEqual([2, true])
    jest.advanceTimersByTime(1)
    expect(taken).toHaveLength(3)
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['It ended.', 'The port is gone.'])
  } finally {
    jest.useRealTimers()
  }
})

test('A thread that does not respond is told of, and ended later, but not because nothing ran.', async () => {
  jest.useFakeTimers()
  try {
    const { taken, time, answering } = await begun(1)
    const pass = (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        time.now += 1000
        jest.advanceTimersByTime(1000)
      }
    }
    pass(5)
    expect(answering.isSilent()).toBe(false)
    pass(1)
    expect([answering.isSilent(), answering.states()[0]!.is_silent]).toEqual([true, true])
    taken[0]!.says({ beat: { heap_bytes: 7 } })
    expect(answering.states()).toEqual([{ thread: 1, is_silent: false, heap_bytes: 7 }])
    // The whole process stood still.
    time.now += 60_000
    pass(21)
    expect(taken[0]!.terminated).toBe(false)
    pass(1)
    expect(taken[0]!.terminated).toBe(true)
  } finally {
    jest.useRealTimers()
  }
})

test('A thread that ends while it writes ends the process, because it holds the lock of the database.', async () => {
  const { taken, fatal, queue, answering } = await begun(1)
  const own = new WriteQueue(queue.memory, 2)
  const writing = Promise.withResolvers<void>()
  const held = own.run(() => writing.promise)
  await turn()
  taken[0]!.ends()
  expect(fatal).toEqual(['A thread that answers requests ended while it wrote: It ended.'])
  writing.resolve()
  await held
  await answering.stop()
})

test('At the end every thread stops its own requests; one that does not, or has not begun, is ended.', async () => {
  jest.useFakeTimers()
  try {
    const { answering, taken, given } = await begun()
    taken[0]!.ends()
    jest.advanceTimersByTime(100)
    const stopping = answering.stop()
    expect(taken.slice(1).map((thread) => heard(thread, 'stop').length)).toEqual([1, 0])
    taken[1]!.says({ stopped: true })
    await stopping
    expect([given, taken.slice(1).map(({ terminated }) => terminated)]).toEqual([[taken[1]!], [false, true]])
  } finally {
    jest.useRealTimers()
  }
})
