import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { settleArrived } from '../../../src/newsletter/outbox/arrival.ts'
import { deliveries, events } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('A message in doubt that arrived was sent now, and a test is no event of its campaign.', async () => {
  const project_id = await newProject()
  const campaign_id = await newCampaign(project_id)
  const contact_id = await newContact(project_id, 'a@x.example')
  const row = {
    project_id,
    campaign_id,
    email: 'a@x.example',
    next_attempt_at: 0,
    created_at: 0,
    last_error: 'lost',
  }
  const rows = await write((tx) =>
    tx
      .insert(deliveries)
      .values([
        { ...row, kind: 'campaign', contact_id, status: 'uncertain' },
        { ...row, kind: 'test', status: 'uncertain' },
        { ...row, kind: 'campaign', status: 'failed' },
        { ...row, kind: 'campaign', status: 'uncertain' },
      ])
      .returning({ id: deliveries.id }),
  )
  const ids = rows.map(({ id }) => id)
  await write((tx) => settleArrived(tx, ids.slice(0, 3), NOW))
  const { db } = await sharedStore()
  const after = await db.select().from(deliveries).where(eq(deliveries.project_id, project_id)).orderBy(deliveries.id)
  expect(after.map(({ status, sent_at, last_error }) => [status, sent_at, last_error])).toEqual([
    ['sent', NOW, null],
    ['sent', NOW, null],
    ['failed', null, 'lost'],
    ['uncertain', null, 'lost'],
  ])
  const told = await db.select().from(events).where(eq(events.project_id, project_id)).orderBy(events.delivery_id)
  expect(told).toMatchObject([
    { type: 'sent', campaign_id, delivery_id: ids[0]!, contact_id, email: 'a@x.example', at: NOW },
    { type: 'sent', campaign_id: null, delivery_id: ids[1]!, contact_id: null, at: NOW },
  ])
  expect(told).toHaveLength(2)
})
