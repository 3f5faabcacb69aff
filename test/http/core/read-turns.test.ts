import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../src/errors.ts'
import { createReadTurns } from '../../../src/http/core/read-turns.ts'

const ADDRESS = '192.0.2.1'
const MIB = 1024 * 1024

function turns() {
  const unread = { bytes: 0, begun_bytes: 0, full: new Set<string>() }
  const requireRoom = (address: string) => {
    if (unread.full.has(address)) throw new AppError('TOO_MANY_UNREAD', 'Full.')
  }
  return { unread, reads: createReadTurns(Object.assign(unread, { requireRoom })) }
}

test('Reads that arrive together run one after the other, in one iteration of the event loop.', async () => {
  const { reads } = turns()
  let [running, most, iterations] = [0, 0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    for (let step = 0; step < 5; step++) await Promise.resolve()
    running--
  }
  const iteration = setImmediate().then(() => void iterations++)
  await Promise.all(Array.from({ length: 50 }, () => reads.take(ADDRESS, work)))
  expect([most, iterations]).toEqual([1, 0])
  await iteration
})

test('A read that waits for another thread delays no other read.', async () => {
  const { reads } = turns()
  const answer = Promise.withResolvers<string>()
  const slow = reads.take(ADDRESS, () => answer.promise)
  expect(await Promise.all([1, 2, 3].map((n) => reads.take(ADDRESS, async () => n)))).toEqual([1, 2, 3])
  answer.resolve('late')
  expect(await slow).toBe('late')
})

test('After a MiB of large answers further reads wait for the next iteration of the event loop.', async () => {
  const { reads, unread } = turns()
  let ran = 0
  const before_iteration = setImmediate().then(() => ran)
  const all = Array.from({ length: 5 }, () =>
    reads.take(ADDRESS, async () => {
      ran++
      unread.begun_bytes += MIB / 2
    }),
  )
  const after_one = setImmediate().then(() => ran)
  await Promise.all(all)
  expect([await before_iteration, await after_one, ran]).toEqual([2, 4, 5])
})

test('Reads of an address wait while a MiB of its answers is compressed, and delay no other address.', async () => {
  const { reads } = turns()
  const compressed = Promise.withResolvers<void>()
  const ran: string[] = []
  const read = (name: string, address: string) => reads.take(address, async () => void ran.push(name))
  const held = [1, 2].map(() => reads.hold(ADDRESS, MIB / 2, () => compressed.promise))
  const all = [read('a', ADDRESS), read('b', ADDRESS)]
  await Promise.all([read('c', '192.0.2.2'), read('d', '192.0.2.2')])
  await setImmediate()
  expect(ran).toEqual(['c', 'd'])
  compressed.resolve()
  await Promise.all([...held, ...all])
  expect(ran).toEqual(['c', 'd', 'a', 'b'])
})

test('Addresses take turns, and a waiting read is refused when answers to its address fill the budget.', async () => {
  const { reads, unread } = turns()
  const ran: string[] = []
  const refused: string[] = []
  const read = (name: string, address: string) =>
    reads.take(address, async () => void ran.push(name)).catch((error: AppError) => void refused.push(error.code))
  const first = reads.take(ADDRESS, () => setImmediate())
  const others = [read('a', ADDRESS), read('b', ADDRESS), read('c', '192.0.2.2'), read('d', '192.0.2.3')]
  unread.full.add('192.0.2.3')
  await Promise.all([first, ...others])
  expect([ran, refused]).toEqual([['a', 'c', 'b'], ['TOO_MANY_UNREAD']])
})

test('The addresses of one IPv6 holder take one turn together.', async () => {
  const { reads } = turns()
  const ran: string[] = []
  const read = (name: string, address: string) => reads.take(address, async () => void ran.push(name))
  const first = reads.take(ADDRESS, () => setImmediate())
  await Promise.all([first, read('a', '2001:db8::1'), read('b', '2001:db8::2'), read('c', '192.0.2.2')])
  expect(ran).toEqual(['a', 'c', 'b'])
})
