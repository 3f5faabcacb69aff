import { expect, test } from 'bun:test'
import { addressKey, addressMark, findAddressKey } from '../../src/store/address-key.ts'
import { newProject, sharedStore, write } from '../support/shared-store.ts'

test('A project gets one key of its own, which never changes.', async () => {
  const [one, other] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  expect(await findAddressKey(db, one)).toBeNull()
  const key = await write((tx) => addressKey(tx, one))
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(await write((tx) => addressKey(tx, one))).toBe(key)
  expect(await findAddressKey(db, one)).toBe(key)
  expect(await write((tx) => addressKey(tx, other))).not.toBe(key)
})

test('A mark depends on key and address, and begins like no address.', () => {
  expect(addressMark('k', 'ada@example.com')).toMatch(/^#[\w-]{43}$/)
  expect(addressMark('k', 'ada@example.com')).not.toBe(addressMark('l', 'ada@example.com'))
  expect(addressMark('k', 'ada@example.com')).not.toBe(addressMark('k', 'bo@example.com'))
})
