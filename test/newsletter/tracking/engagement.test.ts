import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createEngagementLog, type EngagementEvent } from '../../../src/newsletter/tracking/engagement.ts'
import { createScene } from '../outbox/support.ts'

test('Of one message 500 opens are stored and 500 clicks: opens do not use up the clicks.', async () => {
  const scene = await createScene(1)
  const { store, clock } = scene.world.service.runtime
  const [row] = await scene.rows()
  const log = createEngagementLog(store)
  const { campaign_id } = scene
  const about = { campaign_id, delivery_id: row!.id, at: clock.now(), user_agent: '', machine: false }
  const many = (event: Pick<EngagementEvent, 'type' | 'url'>, times: number) =>
    Promise.all(Array.from({ length: times }, () => log.record({ ...about, ...event })))
  await many({ type: 'open', url: null }, 500)
  await many({ type: 'open', url: null }, 1)
  await many({ type: 'click', url: 'https://harbour.example/' }, 1)
  expect(
    await store.db.all(sql`
      SELECT type, count(*) AS events FROM events WHERE type IN ('open', 'click') GROUP BY type ORDER BY type`),
  ).toEqual([
    { type: 'click', events: 1 },
    { type: 'open', events: 500 },
  ])
  await scene.world.close()
})
