import { expect, test } from 'bun:test'
import { createRevision, noRevision } from '../../src/store/revision.ts'

const nextTurn = () =>
  new Promise<void>((resume) => {
    setImmediate(resume)
  })

test('A commit of this process is seen at once, one of another in the next turn of the event loop.', async () => {
  let [version, commits] = [1, 0]
  const revision = createRevision(
    () => version,
    () => commits,
  )
  expect(revision.now()).toBe(1)
  version = 2
  expect(revision.now()).toBe(1)
  await nextTurn()
  expect(revision.now()).toBe(2)
  ;[version, commits] = [3, 1]
  expect(revision.now()).toBe(3)
  version = 4
  expect(revision.now()).toBe(3)
  await nextTurn()
  expect(revision.now()).toBe(4)
})

test('A database that does not answer has no revision, nor has a closed one or a server.', () => {
  const none = () => 0
  const revision = createRevision(() => {
    throw new Error('locked')
  }, none)
  expect(revision.now()).toBeNull()
  const closed = createRevision(() => 1, none)
  closed.close()
  expect([closed.now(), noRevision.now()]).toEqual([null, null])
})
