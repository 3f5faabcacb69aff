import { expect, test } from 'bun:test'
import { createWorld } from '../support/world.ts'

test('An upsert and its replay cost two write transactions each, one of them the count.', async () => {
  const world = await createWorld()
  const { list } = await world.ok('lists/create', { name: 'Tides' })
  const { store } = world.service.runtime
  let writes = 0
  const write = store.write
  store.write = (work) => {
    writes++
    return write(work)
  }
  const body = { email: 'ada@example.com', first_name: 'Ada', list_ids: [list.id], consent_text: 'Yes' }
  await world.ok('contacts/upsert', body, { key: 'once' })
  expect(writes).toBe(2)
  writes = 0
  await world.ok('contacts/upsert', body, { key: 'once' })
  expect(writes).toBe(2)
  await world.close()
})
