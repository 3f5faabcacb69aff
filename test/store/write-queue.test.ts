import { expect, test } from 'bun:test'
import { WriteQueue } from '../../src/store/write-queue.ts'

test('Work runs one at a time, in the order in which it came.', async () => {
  const queue = new WriteQueue()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} begins`)
    await Promise.resolve()
    log.push(`${name} ends`)
    return name
  }
  expect(await Promise.all(['a', 'b', 'c'].map((name) => queue.run(work(name))))).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('Work that fails rejects its own caller and lets the next one run.', async () => {
  const queue = new WriteQueue()
  const failed = queue.run(async () => {
    throw new Error('no')
  })
  const next = queue.run(async () => 'ran')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('ran')
})

test('Queues over the same memory, as of two threads, exclude each other and take turns.', async () => {
  const first = new WriteQueue()
  const second = new WriteQueue(first.memory)
  const log: string[] = []
  let inside = 0
  const work = (name: string) => async () => {
    expect(++inside).toBe(1)
    log.push(name)
    await new Promise<void>((resume) => {
      setImmediate(resume)
    })
    inside--
  }
  await Promise.all([
    ...[1, 2, 3].map((n) => first.run(work(`first ${n}`))),
    ...[1, 2, 3].map((n) => second.run(work(`second ${n}`))),
  ])
  expect(log).toHaveLength(6)
  // Only the head of a thread's line holds a ticket, so a long line does not push the other thread back.
  expect(log.indexOf('second 1')).toBeLessThan(log.indexOf('first 3'))
})

test('A thread that ended while it waited holds up nobody, and one that ended while it wrote is told of.', async () => {
  const first = new WriteQueue()
  const [second, third] = [new WriteQueue(first.memory, 1), new WriteQueue(first.memory, 2)]
  const writing = Promise.withResolvers<void>()
  const running = first.run(() => writing.promise)
  await Promise.resolve()
  // The work of a thread that ended never begins.
  void second.run(() => new Promise(() => undefined))
  await Promise.resolve()
  const last = third.run(async () => 'ran')
  expect([third.leave(1), third.leave(9), third.leave(0)]).toEqual([true, true, false])
  writing.resolve()
  await running
  expect(await last).toBe('ran')
})

test('The number of commits is the same for all threads.', () => {
  const first = new WriteQueue()
  const second = new WriteQueue(first.memory, 1)
  const before = first.commits
  second.committed()
  expect([first.commits, second.commits]).toEqual([before + 1, before + 1])
})
