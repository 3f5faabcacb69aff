import { expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { processMetrics } from '../../src/metrics.ts'
import { type HeavyReads, TaskTimeout } from '../../src/threads/heavy.ts'
import { heavyThreads, startLoopThread } from '../../src/threads/start.ts'
import type { WorkerSetup } from '../../src/threads/messages.ts'
import { FakeThread, fakeThreads } from '../support/fake-thread.ts'

const SETUP = { base_url: 'https://masthead.example', scheduled: true } as Omit<WorkerSetup, 'part'>

function starting(heavy: Partial<HeavyReads> = {}) {
  const { threads, given } = fakeThreads()
  const thread = new FakeThread()
  const deaths: string[] = []
  const time = { now: 1 }
  const loops = startLoopThread(threads, thread as unknown as Worker, SETUP, {
    now: () => time.now,
    onDeath: (reason) => void deaths.push(reason),
    heavy: heavy as HeavyReads,
  })
  return { thread, given, deaths, time, loops }
}
async function started(heavy?: Partial<HeavyReads>) {
  const all = starting(heavy)
  all.thread.says({ ready: true })
  return { ...all, loops: await all.loops }
}
const turn = () => new Promise(setImmediate)

test('The loops are set up as such, and are woken and drained by their names.', async () => {
  const { thread, loops, time } = await started()
  expect(thread.told).toEqual([{ setup: { ...SETUP, part: 'loops' } }])
  loops.wake('mail')
  const drained: string[] = []
  void loops.drain('jobs').then(() => drained.push('jobs'))
  void loops.drain('delivery').then(() => drained.push('delivery'))
  expect(thread.told.slice(1)).toEqual([{ wake: 'mail' }, { drain: 'jobs', id: 1 }, { drain: 'delivery', id: 2 }])
  time.now = 7
  expect(loops.lastSeen()).toBe(1)
  thread.says({ drained: 2 })
  await turn()
  expect([drained, loops.lastSeen()]).toEqual([['delivery'], 7])
  thread.says({ drained: 2 })
  thread.says({ drained: 1 })
  await turn()
  expect(drained).toEqual(['delivery', 'jobs'])
})

test('Loops that cannot start, or end before they did, are an error and no death.', async () => {
  const refused = starting()
  refused.thread.says({ failed: 'The database is gone.' })
  await expect(refused.loops).rejects.toThrow('The database is gone.')
  const ended = starting()
  ended.thread.ends()
  await expect(ended.loops).rejects.toThrow('The thread of the loops ended.')
  const crashed = starting()
  crashed.thread.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))
  await expect(crashed.loops).rejects.toThrow('out of memory')
  expect([refused.deaths, ended.deaths, crashed.deaths]).toEqual([[], [], []])
})

test('Loops that do not start in time are an error, and those that did have no time limit.', async () => {
  const timeout = spyOn(globalThis, 'setTimeout')
  const late = starting()
  const [give_up, ms] = timeout.mock.calls.at(-1)! as unknown as [() => void, number]
  const clear = spyOn(globalThis, 'clearTimeout')
  expect(ms).toBe(20_000)
  give_up()
  await expect(late.loops).rejects.toThrow('The loops did not start.')
  await started()
  expect(clear).toHaveBeenCalledTimes(2)
  timeout.mockRestore()
  clear.mockRestore()
})

test('The death of running loops is told, and one while they stop is not.', async () => {
  const dying = await started()
  dying.thread.ends()
  expect(dying.deaths).toEqual(['The thread of the loops ended.'])
  await dying.loops.stop()
  // There is nobody left to ask.
  expect(dying.thread.told).toHaveLength(1)
  expect([dying.thread.terminated, dying.given]).toEqual([true, []])

  const stopping = await started()
  const stopped = stopping.loops.stop()
  expect(stopping.thread.told.at(-1)).toEqual({ stop: true })
  stopping.loops.wake('mail')
  expect(stopping.thread.told.at(-1)).toEqual({ stop: true })
  stopping.thread.ends()
  await stopped
  expect([stopping.deaths, stopping.thread.terminated, stopping.given]).toEqual([[], true, []])
})

test('Loops that stopped cleanly give their thread back, and are not heard any more.', async () => {
  const { thread, loops, given, deaths, time } = await started()
  const stopped = loops.stop()
  expect(given).toEqual([])
  thread.says({ stopped: true })
  await stopped
  expect([given.length, thread.terminated]).toEqual([1, false])
  time.now = 9
  thread.says({ alive: 9 })
  thread.ends()
  expect([loops.lastSeen(), deaths]).toEqual([1, []])
})

test('A campaign that the loops paused is counted by its cause.', async () => {
  const { thread } = await started()
  const count = () => Number(/_paused_total\{cause="content"\} (\d+)/.exec(processMetrics.text([]))![1])
  const before = count()
  thread.says({ paused: 'content' })
  expect(count()).toBe(before + 1)
})

test('A task that the loops delegate is answered with its result, its error or its timeout.', async () => {
  const asked: unknown[] = []
  const { thread } = await started({
    async runDelegated(question) {
      asked.push(question)
      const task = 'task' in question && question.task
      if (task === 'late') throw new TaskTimeout('late')
      if (task === 'wrong') throw new Error('broken on purpose')
      return 'done'
    },
  })
  for (const [id, task] of ['good', 'wrong', 'late'].entries())
    thread.says({ delegated: { id, task, input: 5, timeout_ms: 10 } })
  await turn()
  expect(asked[0]).toEqual({ task: 'good', input: 5, timeout_ms: 10 })
  expect(thread.told.slice(1)).toEqual([
    { answer: { id: 0, result: 'done' } },
    { answer: { id: 1, error: 'broken on purpose' } },
    { answer: { id: 2, timed_out: 'late' } },
  ])
})

test('Threads for reads are set up as such, and a thread that does not end in its time is cut off.', async () => {
  const { threads, taken, given } = fakeThreads()
  const reads = heavyThreads(threads, SETUP)
  const task = { name: 'count', run: async () => 0 }
  const row = reads.read(sql`SELECT 1`)
  expect(taken.map(({ told }) => told)).toEqual([[{ setup: { ...SETUP, part: 'reads' } }]])
  // A read of any length delays no task with a time limit.
  const limited = reads.run({ ...task, timeout_ms: 60_000 }, 5)
  taken[0]!.says({ ready: true })
  taken[1]!.says({ ready: true })
  const [slow, fast] = taken as [FakeThread, FakeThread]
  const idOf = (thread: FakeThread) => (thread.told.at(-1) as { read: { id: number } }).read.id
  fast.says({ answer: { id: idOf(fast), result: ['fast'] } })
  slow.says({ answer: { id: idOf(slow), result: ['slow'] } })
  expect((await Promise.all([row, limited])) as unknown[]).toEqual([['slow'], ['fast']])
  const timeout = spyOn(globalThis, 'setTimeout')
  const closed = reads.close()
  expect([slow.told.at(-1), fast.told.at(-1)]).toEqual([{ stop: true }, { stop: true }])
  slow.says({ stopped: true })
  const impatient = timeout.mock.calls.at(-1)! as unknown as [() => void, number]
  expect(impatient[1]).toBe(500)
  impatient[0]()
  await closed
  expect([given, slow.terminated, fast.terminated]).toEqual([[slow], false, true])
  timeout.mockRestore()
})
