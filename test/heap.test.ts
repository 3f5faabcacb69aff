import { fullGC, heapSize } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { collectAfterContent, keepHeapWithin } from '../src/heap.ts'

const MIB = 1024 * 1024

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, text: `row ${id}` }))

test('The heap may grow from its size after any collection, also after one that the engine made by itself.', () => {
  const lookAtMany = () => {
    const many = rows(400_000)
    keepHeapWithin(MIB)
    return many.length
  }
  expect(lookAtMany()).toBe(400_000)
  fullGC()
  keepHeapWithin(MIB)
  const rest = heapSize()
  let most = 0
  for (let round = 0; round < 60; round++) {
    rows(20_000)
    keepHeapWithin(MIB)
    most = Math.max(most, heapSize())
  }
  expect(most - rest).toBeLessThan(2 * MIB)
})

test('Contents that are let go do not stay until as much is made again.', async () => {
  const size = 4 * MIB
  const used: Uint8Array[] = []
  const changed = async (change: () => void) => {
    change()
    collectAfterContent(size, () => used.length * size)
    await new Promise((resolve) => setImmediate(resolve))
  }
  fullGC()
  const rest = heapSize()
  for (let made = 0; made < 16; made++) await changed(() => used.push(new Uint8Array(size).fill(1)))
  expect(heapSize() - rest).toBeGreaterThan(15 * size)
  while (used.length > 0) await changed(() => used.pop())
  expect(heapSize() - rest).toBeLessThan(4 * size)
})
