import { expect, test } from 'bun:test'
import { dropText, storedText, storeText } from '../../../src/newsletter/imports/storage.ts'
import { createWorld } from '../../support/world.ts'

test('A letter whose bytes are stored in two pieces is read as one letter.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  const text = `${'x\n'.repeat(128 * 1024 - 1)}xé${'y\n'.repeat(256 * 1024)}`
  const import_id: number = (await world.ok('imports/create', { csv: 'email\nada@example.com\n' })).import.id
  await store.write(async (tx) => {
    await dropText(tx, import_id)
    await storeText(tx, import_id, Buffer.from(text))
  })
  const pieces = await Array.fromAsync(storedText(store.db, import_id))
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.join('') === text).toBe(true)
  await world.close()
})
