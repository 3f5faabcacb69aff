import { expect, test } from 'bun:test'
import { SilentDatabase } from '../../src/errors.ts'
import type { Store, Tx } from '../../src/store/open.ts'
import { writeInSet } from '../../src/store/write-sets.ts'

/** A store whose writes begin in the next iteration of the event loop. */
function waitingStore() {
  const sets: Store['sets'] = new Map()
  const write: Store['write'] = async (work) => {
    await new Promise(setImmediate)
    return work({} as Tx)
  }
  return { sets, write }
}

test('Members that wait run as one, and one that has to run alone does so afterwards.', async () => {
  const store = waitingStore()
  const runs: number[][] = []
  const run = async (_: Tx, members: readonly number[]) => {
    runs.push([...members])
    return members.map((member) => (member === 2 && members.length > 1 ? null : member * 10))
  }
  const first = [1, 2, 3].map((member) => writeInSet(store, 'a', member, run))
  const other = writeInSet(store, 'b', 4, run)
  expect(await Promise.all([...first, other])).toEqual([10, 20, 30, 40])
  expect(await writeInSet(store, 'a', 5, run)).toBe(50)
  expect([runs, store.sets.size]).toEqual([[[1, 2, 3], [4], [2], [5]], 0])
  const many = await Promise.all(Array.from({ length: 130 }, (_, member) => writeInSet(store, 'a', member, run)))
  expect([many.at(-1), runs.slice(4).map(({ length }) => length)]).toEqual([1290, [64, 64, 2, 1]])
})

test('When a set fails each member runs alone, and only one that fails there is refused.', async () => {
  const store = waitingStore()
  const run = async (_: Tx, members: readonly string[]) => {
    if (members.includes('bad')) throw new Error(`${members.length} failed`)
    return members
  }
  const outcomes = await Promise.allSettled(['one', 'bad', 'two'].map((member) => writeInSet(store, 'a', member, run)))
  expect(outcomes.map((one) => ('value' in one ? one.value : one.reason.message))).toEqual(['one', '1 failed', 'two'])
})

test('When the server does not say what came of a set, all members fail and none runs again.', async () => {
  const store = waitingStore()
  let runs = 0
  const run = async (): Promise<never> => {
    runs += 1
    throw new SilentDatabase('Nothing was heard.')
  }
  const outcomes = await Promise.allSettled([1, 2].map((member) => writeInSet(store, 'a', member, run)))
  expect([outcomes.map(({ status }) => status), runs]).toEqual([['rejected', 'rejected'], 1])
})
