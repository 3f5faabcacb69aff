import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createDelivery } from '../../../src/newsletter/campaigns/dispatch.ts'
import {
  continueRecipientUpdates,
  recipientsToRequeue,
  updateRecipients,
} from '../../../src/newsletter/campaigns/recipient-updates.ts'
import { requeue } from '../../../src/newsletter/outbox/outbox.ts'
import { campaigns } from '../../../src/store/tables/delivery.ts'
import { createScene, type OutboxScene } from '../outbox/support.ts'

let scene: OutboxScene
beforeEach(async () => {
  scene = await createScene(6)
})
afterEach(() => scene.world.close())

const store = () => scene.world.service.runtime.store
const setStatuses = (status: string, where = sql`1`) =>
  store().write((tx) =>
    tx.run(sql`UPDATE deliveries SET status = ${status}, attempts = 5, last_error = 'no' WHERE ${where}`),
  )
const campaign = async () => (await store().db.select().from(campaigns).where(eq(campaigns.id, scene.campaign_id)))[0]!

test('A requeued recipient starts with no attempts and no error, so that its next refusal is not final.', async () => {
  await setStatuses('failed')
  await store().write((tx) => updateRecipients(tx, scene.campaign_id, 'requeue'))
  expect((await scene.rows()).map(({ status, attempts, last_error }) => [status, attempts, last_error])).toEqual(
    Array.from({ length: 6 }, () => ['queued', 0, null]),
  )
})

test('Only failed recipients are requeued, and those in doubt only when people ask for it.', async () => {
  const [first] = await scene.rows()
  await setStatuses('failed', sql`id <= ${first!.id + 1}`)
  await setStatuses('uncertain', sql`id = ${first!.id + 2}`)
  await setStatuses('sent', sql`id > ${first!.id + 2}`)
  expect(await store().write((tx) => recipientsToRequeue(tx, scene.campaign_id, false))).toBe(2)
  expect(await store().write((tx) => recipientsToRequeue(tx, scene.campaign_id, true))).toBe(3)
  await store().write((tx) => updateRecipients(tx, scene.campaign_id, 'requeue'))
  expect(await scene.statuses()).toEqual({ queued: 2, uncertain: 1, sent: 3 })
  await store().write((tx) => updateRecipients(tx, scene.campaign_id, 'requeue_with_uncertain'))
  expect(await scene.statuses()).toEqual({ queued: 3, sent: 3 })
})

test('A step requeues a bounded number in the order of their ids, and goes on after the last of them.', async () => {
  await setStatuses('failed')
  const ids = (await scene.rows()).map(({ id }) => id)
  const step = (after_id: number) =>
    store().write((tx) => requeue(tx, { campaign_id: scene.campaign_id, status: 'failed', after_id, limit: 4 }))
  expect((await step(0)).toSorted()).toEqual(ids.slice(0, 4))
  await setStatuses('failed', sql`id = ${ids[0]!}`)
  // The first failed again meanwhile: it is not queued a second time by the same update.
  expect((await step(ids[3]!)).toSorted()).toEqual(ids.slice(4))
})

test('An update that was left unfinished is continued, one that fails does not stop the others.', async () => {
  await setStatuses('failed')
  await store().write((tx) => tx.update(campaigns).set({ recipient_update: 'requeue', recipient_update_after: 0 }))
  expect(await continueRecipientUpdates(scene.failingAt(1))).toBe(false)
  expect(await scene.statuses()).toEqual({ failed: 6 })
  expect(await continueRecipientUpdates(scene.context)).toBe(true)
  expect([await scene.statuses(), (await campaign()).recipient_update]).toEqual([{ queued: 6 }, null])
  expect(await continueRecipientUpdates(scene.context)).toBe(false)
})

test('A campaign whose recipients are all final is not due while an update has still to reach them.', async () => {
  await setStatuses('failed')
  await store().write((tx) => tx.update(campaigns).set({ recipient_update: 'requeue', recipient_update_after: 0 }))
  // The first write of a tick without dead workers is the step of the update.
  await createDelivery().tick(scene.failingAt(1))
  expect([(await campaign()).status, await scene.statuses()]).toEqual(['sending', { failed: 6 }])
  await scene.world.settle()
  expect([(await campaign()).status, await scene.statuses()]).toEqual(['sent', { sent: 6 }])
})

test('A campaign is not closed when an update begins while its last messages are handed over.', async () => {
  await setStatuses('failed', sql`id % 2 = 0`)
  for (const statement of [
    sql`CREATE TABLE closed_early (id)`,
    sql`CREATE TRIGGER update_begins AFTER UPDATE OF status ON deliveries WHEN new.status = 'sent' BEGIN
      UPDATE campaigns SET recipient_update = 'requeue', recipient_update_after = 0; END`,
    sql`CREATE TRIGGER closes AFTER UPDATE OF status ON campaigns
      WHEN new.status = 'sent' AND old.recipient_update IS NOT NULL BEGIN
      INSERT INTO closed_early VALUES (new.id); END`,
  ])
    await store().write((tx) => tx.run(statement))
  const delivery = createDelivery()
  while (await delivery.tick(scene.context)) {
    /* there is more to do */
  }
  expect(await store().db.all(sql`SELECT * FROM closed_early`)).toEqual([])
  expect([(await campaign()).status, await scene.statuses()]).toEqual(['sent', { sent: 6 }])
})
