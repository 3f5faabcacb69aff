import { expect, test } from 'bun:test'
import { seenKeys } from '../../../src/newsletter/imports/seen.ts'

test.each([1000, 10])('An address that repeats is noticed, in memory and beyond it (%d keys in memory).', (most) => {
  const seen = seenKeys(most)
  try {
    const keys = Array.from({ length: 100 }, (_, index) => `p${index}@example.com`)
    expect(keys.map((key) => seen.add(key))).toEqual(keys.map(() => false))
    expect(keys.map((key) => seen.add(key))).toEqual(keys.map(() => true))
  } finally {
    seen.close()
  }
})
