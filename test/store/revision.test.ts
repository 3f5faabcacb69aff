import { expect, test } from 'bun:test'
import { createRevision, noRevision } from '../../src/store/revision.ts'

const nextTurn = () =>
  new Promise<void>((resume) => {
    setImmediate(resume)
  })

test('now() is read each time, atArrival() once in a turn of the event loop.', async () => {
  let version = 1
  const revision = createRevision(() => version)
  expect([revision.now(), revision.atArrival()]).toEqual([1, 1])
  version = 2
  expect([revision.now(), revision.atArrival()]).toEqual([2, 1])
  await nextTurn()
  expect(revision.atArrival()).toBe(2)
})

test('A database that does not answer has no revision, nor has a closed one or a server.', () => {
  const revision = createRevision(() => {
    throw new Error('locked')
  })
  expect(revision.now()).toBeNull()
  const closed = createRevision(() => 1)
  closed.close()
  expect([closed.now(), closed.atArrival()]).toEqual([null, null])
  expect([noRevision.now(), noRevision.atArrival()]).toEqual([null, null])
})
