import { expect, test } from 'bun:test'
import { engagementQuery, linkQuery, recipientCounts } from '../../../src/newsletter/campaigns/stats.ts'
import { events } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newProject, sharedStore, write } from '../../support/shared-store.ts'
import { createWorld, START } from '../../support/world.ts'
import { draft } from './support.ts'

test('Each click of a deleted recipient is a unique click, and a click of a machine is none.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  const { id: campaign_id } = await draft(world)
  const click = { project_id: world.project.id, type: 'click' as const, campaign_id, at: START, url: '/tides' }
  await store.write((tx) =>
    tx
      .insert(events)
      .values([click, click, { ...click, delivery_id: 7 }, { ...click, delivery_id: 7 }, { ...click, machine: true }]),
  )
  expect(await store.db.all(linkQuery(campaign_id))).toEqual([{ url: '/tides', clicks: 4, unique_clicks: 3 }])
  expect(await store.db.all(engagementQuery([campaign_id]))).toEqual([
    { campaign_id, type: 'click', events: 4, machine_events: 1, recipients: 3 },
  ])
  await world.close()
})

test('The links of a report come by their clicks, and those with as many by their address.', async () => {
  const project_id = await newProject()
  const campaign_id = await newCampaign(project_id)
  const clicks = [
    ...['/quay', '/quay', '/tides', '/tides', '/fog'].map((url) => ({ url, delivery_id: 7 })),
    ...['/fog', '/ebb'].map((url) => ({ url, delivery_id: 8 })),
    { url: '/quay', delivery_id: 7 },
  ]
  await write((tx) =>
    tx
      .insert(events)
      .values(clicks.map((click) => ({ ...click, project_id, type: 'click' as const, campaign_id, at: START }))),
  )
  const rows = await (await sharedStore()).db.all<{ url: string }>(linkQuery(campaign_id))
  expect(rows.map(({ url }) => url)).toEqual(['/quay', '/fog', '/tides', '/ebb'])
})

test('A bounced message counts as sent, and every message as a recipient.', () => {
  const counts = recipientCounts([
    { status: 'sent', messages: 5 },
    { status: 'bounced', messages: 2 },
    { status: 'leased', messages: 1 },
    { status: 'queued', messages: 3 },
  ])
  expect(counts).toMatchObject({ recipients: 11, sent: 7, queued: 4, failed: 0 })
})
