import { expect, test } from 'bun:test'
import { writePending } from '../../src/store/commit-work.ts'
import type { CommitWork, Tx } from '../../src/store/open.ts'

test('Each kind of work is called once with all of its entries, in the order of the first of each.', async () => {
  const calls: unknown[] = []
  const tx = {} as Tx
  const kind = (name: string) =>
    (async (given: Tx, entries: unknown) => {
      await Promise.resolve()
      calls.push([name, given === tx, entries])
    }) as unknown as CommitWork<never>
  const [one, other] = [kind('one'), kind('other')]
  await writePending(tx, [
    { write: one, entry: 1 },
    { write: other, entry: 2 },
    { write: one, entry: 3 },
  ])
  expect(calls).toEqual([
    ['one', true, [1, 3]],
    ['other', true, [2]],
  ])
  await writePending(tx, [])
  expect(calls).toHaveLength(2)
})
