import { expect, test } from 'bun:test'
import type { ProjectId } from '../../../../src/ids.ts'
import { createReportQueue } from '../../../../src/newsletter/connections/webhooks/report-queue.ts'
import { countedAlone, countsMemory, createCounts } from '../../../../src/shared-counts.ts'

const [ONE, TWO] = [1 as ProjectId, 2 as ProjectId]

test('The work of a project runs in order, one at a time, beside that of others and after a failure.', async () => {
  const queue = createReportQueue()
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = queue.take(ONE, 1, async () => {
    await gate.promise
    log.push('first')
    throw new Error('failed')
  })
  const second = queue.take(ONE, 1, async () => log.push('second'))
  await queue.take(TWO, 1, async () => log.push('other'))
  gate.resolve()
  await expect(first).rejects.toThrow('failed')
  await second
  expect(log).toEqual(['other', 'first', 'second'])
})

test('Work beyond what may wait is refused, for a project and for all, until there is room.', async () => {
  const queue = createReportQueue(countedAlone, { project: 10, all: 15 })
  const gate = Promise.withResolvers<void>()
  const waiting = queue.take(ONE, 8, () => gate.promise)
  const refused = { code: 'TOO_MANY_UPLOADS', headers: { 'Retry-After': '5' } }
  await expect(queue.take(ONE, 3, async () => 0)).rejects.toMatchObject(refused)
  await expect(queue.take(TWO, 8, async () => 0)).rejects.toMatchObject(refused)
  gate.resolve()
  await waiting
  expect(await queue.take(TWO, 8, async () => 'room')).toBe('room')
})

test('Threads refuse together what would exceed the bounds of one.', async () => {
  const counts_memory = countsMemory(2)
  const queueOf = (thread: number) =>
    createReportQueue(createCounts({ counts_memory, thread, threads: 2 }), { project: 10, all: 15 })
  const [here, there] = [queueOf(0), queueOf(1)]
  const gate = Promise.withResolvers<void>()
  const waiting = here.take(ONE, 8, () => gate.promise)
  const refused = { code: 'TOO_MANY_UPLOADS' }
  await expect(there.take(ONE, 3, async () => 0)).rejects.toMatchObject(refused)
  await expect(there.take(TWO, 8, async () => 0)).rejects.toMatchObject(refused)
  gate.resolve()
  await waiting
  expect(await there.take(TWO, 8, async () => 'room')).toBe('room')
})
