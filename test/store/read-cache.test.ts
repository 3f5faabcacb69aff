import { expect, test } from 'bun:test'
import { createReadCache } from '../../src/store/read-cache.ts'

test('A read is answered again until a commit changes who callers are.', async () => {
  let revision: number | null = 1
  let credentials: number | null = 7
  let reads = 0
  const { shared: readCache } = createReadCache({ now: () => revision }, () => credentials)
  const read = (key: string) => readCache(key, async () => `${key} ${++reads}`)
  expect([await read('a'), await read('a'), await read('b'), await read('a')]).toEqual(['a 1', 'a 1', 'b 2', 'a 1'])
  revision = 2 // a commit that concerns no caller
  expect(await read('a')).toBe('a 1')
  ;[revision, credentials] = [3, 8]
  expect([await read('a'), await read('b'), await read('b')]).toEqual(['a 3', 'b 4', 'b 4'])
  ;[revision, credentials] = [4, null] // a database that does not count them
  expect([await read('a'), await read('a')]).toEqual(['a 5', 'a 5'])
  revision = 5
  expect(await read('a')).toBe('a 6')
  revision = null // a server cannot tell
  expect([await read('a'), await read('a')]).toEqual(['a 7', 'a 8'])
})

test('Callers that ask during a read share it, and all of them get its failure.', async () => {
  let reads = 0
  const { shared: readCache } = createReadCache({ now: () => 1 }, () => 1)
  const read = (key: string, outcome: Promise<string>) =>
    readCache(key, () => {
      reads++
      return outcome
    })
  const slow = Promise.withResolvers<string>()
  const both = [read('a', slow.promise), read('a', slow.promise)]
  slow.resolve('read once')
  expect([await Promise.all(both), reads]).toEqual([['read once', 'read once'], 1])

  const failing = Promise.withResolvers<string>()
  const failed = [read('b', failing.promise), read('b', failing.promise)].map((one) => one.catch(String))
  failing.reject(new Error('broken'))
  expect([await Promise.all(failed), reads]).toEqual([['Error: broken', 'Error: broken'], 2])
})

test('Neither a failure is remembered, nor that there is nothing.', async () => {
  let reads = 0
  const { shared: readCache } = createReadCache({ now: () => 1 }, () => 1)
  const nothing = () =>
    readCache('a', async () => {
      reads++
      return null
    })
  expect([await nothing(), await nothing(), reads]).toEqual([null, null, 2])
  await expect(
    readCache('b', async () => {
      throw new Error('broken')
    }),
  ).rejects.toThrow('broken')
  expect(await readCache('b', async () => 'mended')).toBe('mended')
})

test('A read from before a commit that others saw is not kept beyond it.', async () => {
  let revision = 1
  const { shared: readCache } = createReadCache({ now: () => revision }, () => revision)
  const slow = Promise.withResolvers<string>()
  const before = readCache('a', () => slow.promise)
  revision = 2
  expect(await readCache('b', async () => 'other')).toBe('other')
  slow.resolve('old')
  expect(await before).toBe('old')
  expect(await readCache('a', async () => 'new')).toBe('new')
})

test('A transaction is answered from the cache only while callers are what they were when it was filled.', async () => {
  let reads = 0
  let found: number | null = 7
  const { shared, within } = createReadCache({ now: () => 1 }, () => 7)
  const read = async () => ++reads
  const readIn = within(() => found)
  expect([await readIn('a', read), await readIn('a', read)]).toEqual([1, 2])
  await shared('a', read)
  expect([await readIn('a', read), await readIn('b', read)]).toEqual([3, 4])
  found = 8 // the transaction changed a caller
  expect([await readIn('a', read), await shared('a', read)]).toEqual([5, 3])
  found = null
  expect(await readIn('a', read)).toBe(6)
})
