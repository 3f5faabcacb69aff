import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { enqueueConfirmations, extendConfirmations } from '../../../src/newsletter/outbox/enqueue.ts'
import { createWorld } from '../../support/world.ts'
import { addPeople } from '../campaigns/support.ts'

test('A confirmation that waits names further lists; one that was sent does not, so another is needed.', async () => {
  const world = await createWorld()
  const { store, clock } = world.service.runtime
  const now = clock.now()
  const [contact_id] = (await addPeople(world, [{ email: 'ada@example.com' }])) as [number]
  const message = { contact_id, email: 'ada@example.com', list_ids: [1], due_at: now }
  await store.write((tx) => enqueueConfirmations(tx, world.project.id, [message], now))
  const extend = (list_ids: number[]) => store.write((tx) => extendConfirmations(tx, [{ contact_id, list_ids }]))
  expect(await extend([1, 2])).toEqual([contact_id])
  await store.write((tx) => tx.run(sql`UPDATE deliveries SET status = 'sent'`))
  expect(await extend([1, 2, 3])).toEqual([])
  expect(await store.db.all(sql`SELECT content FROM deliveries`)).toEqual([{ content: '{"list_ids":[1,2]}' }])
  await world.close()
})
