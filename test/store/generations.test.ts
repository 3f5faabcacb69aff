import { expect, test } from 'bun:test'
import { createGenerations } from '../../src/store/generations.ts'

test('An entry that is used stays, however many others come, and one that is not used goes.', () => {
  const cache = createGenerations<number>(2)
  cache.set('used', 1)
  cache.set('unused', 2)
  for (let other = 0; other < 10; other++) {
    cache.set(`other ${other}`, other)
    expect(cache.get('used')).toBe(1)
  }
  expect(cache.get('unused')).toBeUndefined()
})

test('A deleted entry is in no generation, and neither is any after clear.', () => {
  const cache = createGenerations<number>(2)
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.delete('a')
  cache.delete('c')
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 1, undefined])
  cache.clear()
  expect(cache.get('b')).toBeUndefined()
})

test('A cache keeps at most two generations.', () => {
  const cache = createGenerations<number>(10)
  for (let key = 0; key < 100; key++) cache.set(String(key), key)
  const kept = Array.from({ length: 100 }, (_, key) => cache.get(String(key))).filter((value) => value !== undefined)
  expect(kept.length).toBeLessThanOrEqual(20)
})
