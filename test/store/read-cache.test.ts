import { expect, test } from 'bun:test'
import { createRecall } from '../../src/store/read-cache.ts'

test('what was read is answered again until something is committed', async () => {
  let revision: number | null = 1
  let reads = 0
  const recall = createRecall({ now: () => revision })
  const read = (key: string) => recall(key, async () => `${key} ${++reads}`)
  expect([await read('a'), await read('a'), await read('b'), await read('a')]).toEqual(['a 1', 'a 1', 'b 2', 'a 1'])
  revision = 2
  expect([await read('a'), await read('b'), await read('b')]).toEqual(['a 3', 'b 4', 'b 4'])
  revision = null // a server cannot tell
  expect([await read('a'), await read('a')]).toEqual(['a 5', 'a 6'])
})

test('neither a failure is remembered, nor that there is nothing', async () => {
  let reads = 0
  const recall = createRecall({ now: () => 1 })
  const nothing = () =>
    recall('a', async () => {
      reads++
      return null
    })
  expect([await nothing(), await nothing(), reads]).toEqual([null, null, 2])
  await expect(
    recall('b', async () => {
      throw new Error('broken')
    }),
  ).rejects.toThrow('broken')
  expect(await recall('b', async () => 'mended')).toBe('mended')
})

test('what was read before a commit that others saw is not kept beyond it', async () => {
  let revision = 1
  const recall = createRecall({ now: () => revision })
  const slow = Promise.withResolvers<string>()
  const before = recall('a', () => slow.promise)
  revision = 2
  expect(await recall('b', async () => 'other')).toBe('other')
  slow.resolve('old')
  expect(await before).toBe('old')
  expect(await recall('a', async () => 'new')).toBe('new')
})
