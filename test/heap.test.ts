import { fullGC, heapSize } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { keepHeapWithin } from '../src/heap.ts'

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
