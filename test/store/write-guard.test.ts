import { expect, test } from 'bun:test'
import type { Store } from '../../src/store/open.ts'
import { refuseNested } from '../../src/store/write-guard.ts'

test('A write inside a write throws, and one beside or after it does not.', async () => {
  const options: unknown[] = []
  const write = refuseNested((async (work: (tx: object) => unknown, given: unknown) => {
    options.push(given)
    return work({})
  }) as unknown as Store['write'])
  const plain = () => write(async () => 'written', { durable: false })
  expect(await plain()).toBe('written')
  expect(options).toEqual([{ durable: false }])
  await expect(write(plain)).rejects.toThrow('A write inside a write')
  expect(await Promise.all([write(async () => 1), write(async () => 2)])).toEqual([1, 2])
  expect(await plain()).toBe('written')
})
