import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createHeavyReads, type HeavyReads, type HeavyRequest, TaskTimeout } from '../../src/threads/heavy.ts'
import { refuseNested } from '../../src/store/write-guard.ts'

/** A thread whose answers the test gives. */
interface Thread {
  asked: HeavyRequest[]
  ready(): void
  fail(reason: string): void
  /** What was asked last, unless `id` names another. */
  answer(result: unknown, id?: number): void
  refuse(error: string): void
  end(): void
  left: Promise<void>
  stops: number
  terminated: boolean
}

function fleet(most: number, idle_ms?: number, limited = most): { reads: HeavyReads; threads: Thread[] } {
  const threads: Thread[] = []
  const reads = createHeavyReads(
    () => {
      const events = new EventTarget()
      const asked: HeavyRequest[] = []
      const left = Promise.withResolvers<void>()
      const tell = (data: object) => events.dispatchEvent(new MessageEvent('message', { data }))
      const worker = Object.assign(events, {
        postMessage: ({ read }: { read: HeavyRequest }) => {
          asked.push(read)
        },
        terminate: () => {
          thread.terminated = true
        },
      })
      const thread: Thread = {
        asked,
        stops: 0,
        terminated: false,
        ready: () => tell({ ready: true }),
        fail: (failed) => tell({ failed }),
        answer: (result, id = asked.at(-1)!.id) => tell({ answer: { id, result } }),
        refuse: (error) => tell({ answer: { id: asked.at(-1)!.id, error } }),
        end: () => events.dispatchEvent(new Event('close')),
        left: left.promise,
      }
      threads.push(thread)
      return {
        worker: worker as unknown as Worker,
        listening: new AbortController(),
        async stop() {
          thread.stops++
          left.resolve()
        },
      }
    },
    { reads: most, limited },
    idle_ms,
  )
  return { reads, threads }
}

test('A question waits for no scan while another thread may begin; beyond that they wait their turn.', async () => {
  const { reads, threads } = fleet(2)
  const answers = [1, 2, 3].map((n) => reads.read(sql`SELECT ${n}`))
  expect(threads).toHaveLength(1)
  threads[0]!.ready()
  const fourth = reads.read(sql`SELECT 4`)
  expect(threads).toHaveLength(2)
  threads[1]!.ready()
  expect(threads.map(({ asked }) => asked.length)).toEqual([1, 1])
  threads[1]!.answer(['second'])
  threads[1]!.answer(['third'])
  threads[0]!.answer(['first'])
  threads[1]!.answer(['fourth'])
  expect(await Promise.all([...answers, fourth])).toEqual([['first'], ['second'], ['third'], ['fourth']])
})

test('A thread that cannot begin is told to those who wait, and the next question tries again.', async () => {
  const { reads, threads } = fleet(1)
  const lost = reads.read(sql`SELECT 1`)
  threads[0]!.fail('no memory')
  await expect(lost).rejects.toThrow('no memory')
  const found = reads.read(sql`SELECT 1`)
  threads[1]!.ready()
  threads[1]!.answer([])
  expect(await found).toEqual([])
})

test('A thread that is not asked leaves, and another begins when it is needed.', async () => {
  const { reads, threads } = fleet(1, 1)
  const first = reads.read(sql`SELECT 1`)
  threads[0]!.ready()
  threads[0]!.answer([])
  await first
  await threads[0]!.left
  void reads.read(sql`SELECT 2`)
  expect(threads).toHaveLength(2)
})

test('A thread that was let go may answer late: it is not taken back, and not stopped again.', async () => {
  const { reads, threads } = fleet(1, 1)
  const lost = reads.read(sql`SELECT 1`)
  threads[0]!.ready()
  const closed = reads.close()
  await expect(lost).rejects.toThrow('being stopped')
  await closed
  threads[0]!.answer([])
  const { reads: others, threads: theirs } = fleet(1, 1) // idle after ours would have been
  const first = others.read(sql`SELECT 1`)
  theirs[0]!.ready()
  theirs[0]!.answer([])
  await first
  await theirs[0]!.left
  expect(threads[0]!.stops).toBe(1)
  await expect(reads.read(sql`SELECT 2`)).rejects.toThrow('being stopped')
  expect(threads).toHaveLength(1)
})

test("An answer to what was asked before is nobody else's.", async () => {
  const { reads, threads } = fleet(1)
  const answer = reads.read(sql`SELECT 1`)
  threads[0]!.ready()
  threads[0]!.answer(['stray'], 0)
  threads[0]!.answer(['mine'])
  expect(await answer).toEqual(['mine'])
})

test('A task over its time limit ends with its thread, and what waits gets another thread.', async () => {
  const { reads, threads } = fleet(1)
  const task = { name: 'endless', timeout_ms: 1, run: async () => null }
  const endless = reads.run(task, {})
  const waiting = reads.read(sql`SELECT 2`)
  threads[0]!.ready()
  const error: unknown = await endless.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TaskTimeout)
  expect(threads[0]!.terminated).toBe(true)
  expect(threads).toHaveLength(2)
  threads[1]!.ready()
  threads[1]!.answer(['second'])
  expect(await waiting).toEqual(['second'])
})

test('A task over its time limit behind which nothing waits begins no other thread.', async () => {
  const { reads, threads } = fleet(2)
  const endless = reads.run({ name: 'endless', timeout_ms: 1, run: async () => null }, {})
  threads[0]!.ready()
  await expect(endless).rejects.toThrow('The task endless took too long and was stopped.')
  expect(threads).toHaveLength(1)
  const next = reads.read(sql`SELECT 2`)
  expect(threads).toHaveLength(2)
  threads[1]!.ready()
  threads[1]!.answer(['second'])
  expect(await next).toEqual(['second'])
})

test('A question that fails is an error of its caller alone, and its thread takes the next one.', async () => {
  const { reads, threads } = fleet(1)
  const [wrong, right] = [reads.read(sql`SELECT x`), reads.read(sql`SELECT 2`)]
  threads[0]!.ready()
  threads[0]!.refuse('no such column: x')
  await expect(wrong).rejects.toThrow('no such column: x')
  threads[0]!.answer(['second'])
  expect(await right).toEqual(['second'])
})

test('A thread that ends takes only its own question with it, unless it was the last one.', async () => {
  const { reads, threads } = fleet(2)
  const [first, second, third] = [1, 2, 3].map((n) => reads.read(sql`SELECT ${n}`)) as [Promise<unknown[]>, ...never[]]
  threads[0]!.ready()
  const [fourth, fifth] = [reads.read(sql`SELECT 4`), reads.read(sql`SELECT 5`)]
  threads[1]!.ready()
  threads[0]!.end()
  await expect(first).rejects.toThrow('The reading thread ended.')
  threads[1]!.answer(['second'])
  expect((await second) as unknown).toEqual(['second'])
  threads[1]!.answer(['third'])
  expect((await third) as unknown).toEqual(['third'])
  threads[1]!.end()
  for (const lost of [fourth, fifth]) await expect(lost).rejects.toThrow('The reading thread ended.')
})

test('A task within its time limit is answered, and its thread stays.', async () => {
  const { reads, threads } = fleet(1)
  const answer = reads.run({ name: 'quick', timeout_ms: 60_000, run: async () => null }, {})
  threads[0]!.ready()
  threads[0]!.answer('done')
  expect((await answer) as unknown).toBe('done')
  expect(threads[0]!.terminated).toBe(false)
})

test('A thread that was idle is not stopped while it answers the next question.', async () => {
  const { reads, threads } = fleet(1, 1)
  const first = reads.read(sql`SELECT 1`)
  threads[0]!.ready()
  threads[0]!.answer([])
  await first
  const second = reads.read(sql`SELECT 2`)
  // The idle time of this thread ends after that of ours.
  const other = fleet(1, 1)
  const asked = other.reads.read(sql`SELECT 1`)
  other.threads[0]!.ready()
  other.threads[0]!.answer([])
  await asked
  await other.threads[0]!.left
  expect(threads[0]!.stops).toBe(0)
  threads[0]!.answer(['second'])
  expect(await second).toEqual(['second'])
  await reads.close()
})

test('A task with a time limit runs beside all the long reads that may run, and shares their threads.', async () => {
  const { reads, threads } = fleet(1, undefined, 1)
  const first = reads.read(sql`SELECT 1`)
  const second = reads.read(sql`SELECT 2`)
  const rendered = reads.run({ name: 'render', timeout_ms: 60_000, run: async () => null }, {})
  threads[0]!.ready()
  threads[1]!.ready()
  expect(threads.map(({ asked }) => asked)).toMatchObject([[{ sql: 'SELECT 1' }], [{ task: 'render' }]])
  threads[1]!.answer('drawn')
  expect((await rendered) as unknown).toBe('drawn')
  // Only one read may run at a time, so the second waits although a thread is idle.
  expect(threads[1]!.asked).toHaveLength(1)
  threads[0]!.answer(['first'])
  expect(await first).toEqual(['first'])
  threads[0]!.answer(['second'])
  expect(await second).toEqual(['second'])
  expect(threads).toHaveLength(2)
})

test('A task that waits for room runs on an idle thread once a task over its time limit has made room.', async () => {
  const { reads, threads } = fleet(1, undefined, 1)
  const read = reads.read(sql`SELECT 1`)
  threads[0]!.ready()
  const endless = reads.run({ name: 'endless', timeout_ms: 1, run: async () => null }, {})
  threads[1]!.ready()
  threads[0]!.answer(['read'])
  await read
  const waiting = reads.run({ name: 'waiting', timeout_ms: 60_000, run: async () => null }, {})
  await endless.catch(() => null)
  threads[0]!.answer('done')
  expect((await waiting) as unknown).toBe('done')
  expect(threads).toHaveLength(2)
})

test('A question inside a write is refused, because every other write would wait for the answer.', async () => {
  const { reads } = fleet(1)
  const write = refuseNested((work) => work(null as never))
  await expect(write(() => reads.read(sql`SELECT 1`))).rejects.toThrow('inside a write')
})

test('Of the tasks of one project with a time limit one runs at a time, and delays no other project.', async () => {
  const { reads, threads } = fleet(1, undefined, 2)
  const task = {
    name: 'compile',
    timeout_ms: 60_000,
    ownerOf: (input: { project: number }) => input.project,
    run: echo,
  }
  const slow = reads.run(task, { project: 1 })
  threads[0]!.ready()
  const next = reads.run(task, { project: 1 })
  expect(threads).toHaveLength(1)
  const delegated = reads.runDelegated({ task: 'compile', input: 'theirs', timeout_ms: 60_000, owner: 2 })
  threads[1]!.ready()
  threads[1]!.answer('theirs')
  expect(await delegated).toBe('theirs')
  threads[0]!.answer('first')
  threads.find(({ asked }) => asked.length === 2)!.answer('second')
  expect(await Promise.all([slow, next])).toEqual(['first', 'second'])
})

test('Of the tasks of one queue one runs at a time, and delays no other read.', async () => {
  const { reads, threads } = fleet(2)
  const task = { name: 'export_page', queue: 'exports', run: echo }
  const pages = [1, 2].map((page) => reads.run(task, page))
  threads[0]!.ready()
  expect(threads).toHaveLength(1)
  const other = reads.read(sql`SELECT 1`)
  threads[1]!.ready()
  threads[1]!.answer(['read'])
  expect([await other, threads[1]!.asked.length]).toEqual([['read'], 1])
  threads[0]!.answer('first')
  threads.find(({ asked }) => asked.length === 2)!.answer('second')
  expect(await Promise.all(pages)).toEqual(['first', 'second'])
})

const echo = async (_: unknown, input: unknown): Promise<unknown> => input
