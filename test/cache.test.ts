import { expect, test } from 'bun:test'
import { createCache } from '../src/cache.ts'
import { shareAmong } from '../src/share.ts'

test('A full cache evicts the entry that was used least recently.', () => {
  const cache = createCache<string, number>({ max_entries: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  expect(cache.size).toBe(2)
})

test('A cache bounded by size evicts until the new entry fits, and replaces the size of an overwritten entry.', () => {
  const cache = createCache<string, { size: number }>({
    max_size: 80,
    max_entry_size: 10,
    sizeOf: ({ size }) => size,
  })
  for (let index = 0; index < 8; index++) cache.set(`k${index}`, { size: 10 })
  expect(cache.get('k0')).toBeDefined()
  cache.set('k8', { size: 10 })
  expect([cache.get('k0'), cache.get('k1'), cache.get('k8')].map(Boolean)).toEqual([true, false, true])
  cache.set('k8', { size: 1 })
  cache.set('k9', { size: 9 })
  expect([cache.get('k2'), cache.get('k8')].map(Boolean)).toEqual([true, true])
})

test('An entry above the largest entry size is not cached, and the value it would replace is gone.', () => {
  const cache = createCache<string, string>({ max_size: 80, max_entry_size: 10, sizeOf: (text) => text.length })
  cache.set('key', 'short')
  cache.set('key', 'longer than ten')
  expect(cache.get('key')).toBeUndefined()
  expect(cache.size).toBe(0)
})

test('An empty value counts as size 1.', () => {
  const cache = createCache<string, string>({ max_size: 2, sizeOf: (text) => text.length })
  for (const key of ['a', 'b', 'c']) cache.set(key, '')
  expect(cache.size).toBe(2)
})

test('getOrMake makes a value once and caches it; what throws is not cached.', () => {
  const cache = createCache<string, number>({ max_entries: 2 })
  let made = 0
  expect(cache.getOrMake('a', () => ++made)).toBe(1)
  expect(cache.getOrMake('a', () => ++made)).toBe(1)
  expect(() =>
    cache.getOrMake('b', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(cache.get('b')).toBeUndefined()
  cache.delete('a')
  expect(cache.getOrMake('a', () => ++made)).toBe(2)
  cache.clear()
  expect(cache.size).toBe(0)
})

test('A cache that threads divide still has room for the largest entry.', () => {
  shareAmong(8)
  try {
    const entries = (largest?: number) =>
      createCache<string, number>({ max_size: 80, sizeOf: (value) => value, ...(largest && { largest }) })
    const [divided, roomy] = [entries(), entries(40)]
    for (const cache of [divided, roomy]) for (const size of [10, 40]) cache.set(`of ${size}`, size)
    expect([divided.get('of 10'), divided.get('of 40')]).toEqual([10, undefined])
    expect([roomy.get('of 10'), roomy.get('of 40')]).toEqual([undefined, 40])
  } finally {
    shareAmong(1)
  }
})
