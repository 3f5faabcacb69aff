import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { mark, recover } from '../../../src/newsletter/outbox/outbox.ts'
import { createScene, OURS } from './support.ts'

test('Of the messages of a dead worker only those that it had marked are in doubt and say so.', async () => {
  const scene = await createScene(2)
  const { store } = scene.world.service.runtime
  const [marked, leased] = (await scene.lease(OURS)).map(({ id }) => id) as [number, number]
  const messages = [{ id: marked, message_id: 'marked@test.example' }]
  await store.write((tx) => mark(tx, OURS, { messages, may_send: sql`1`, running: sql`1`, skipped_because: '' }))
  await store.write((tx) => recover(tx, [marked, leased], 'The worker died.'))
  expect((await scene.rows()).map(({ id, status, last_error }) => [id, status, last_error])).toEqual([
    [marked, 'uncertain', 'The worker died.'],
    [leased, 'queued', null],
  ])
  await scene.world.close()
})
