import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

test('The temporary file is made beyond the keys in memory and deleted at the end.', () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('masthead-import-'))
  const before = folders()
  const made = () => folders().filter((name) => !before.includes(name)).length
  const seen = seenKeys(2)
  for (const key of ['a', 'b', 'b']) seen.add(key)
  expect(made()).toBe(0)
  seen.add('c')
  expect(made()).toBe(1)
  seen.close()
  expect(made()).toBe(0)
})
