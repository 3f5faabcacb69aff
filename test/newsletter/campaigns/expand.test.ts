import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { prepareCampaign } from '../../../src/newsletter/campaigns/expand.ts'
import { enqueueJob, type Job, type Progress } from '../../../src/newsletter/jobs/queue.ts'
import { campaigns } from '../../../src/store/tables/delivery.ts'
import { SAMPLE_DOCUMENT, manyContacts, readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let list_id: number
let campaign_id: number
let job: Job<'campaign_prepare'>
beforeEach(async () => {
  world = await createWorld()
  ;({ list_id } = await readyToSend(world))
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  campaign_id = campaign.id
  await setStatus('preparing')
  const payload = { campaign_id }
  const queued = await write((tx) =>
    enqueueJob(tx, { project_id: world.project.id, kind: 'campaign_prepare', payload, now: 0 }),
  )
  job = { ...queued, payload }
})
afterEach(() => world.close())

const write: World['service']['runtime']['store']['write'] = (work) => world.service.runtime.store.write(work)
const setStatus = (status: 'preparing' | 'cancelled') =>
  write((tx) => tx.update(campaigns).set({ status }).where(eq(campaigns.id, campaign_id)))
const step = (): Promise<Progress> =>
  write((tx) => prepareCampaign.step(tx, job, world.service.runtime, world.clock.now()))
const stateOf = async () => {
  const { status, started_at, failure } = (await world.ok('campaigns/get', { campaign_id })).campaign
  const { recipients, queued } = await world.ok('campaigns/stats', { campaign_id })
  return { status, started: started_at !== null, failure, recipients, queued }
}

test('Each step takes two thousand contacts, and the last one starts the campaign.', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 2_100, 5)
  // Neither the ids nor the steps follow the times at which the contacts were made.
  await write((tx) => tx.run(sql`UPDATE contacts SET created_at = 10000 - id`))
  const first = await step()
  expect(first).toMatchObject({ state: 'more', processed: 2_000 })
  expect(await stateOf()).toMatchObject({ status: 'preparing', recipients: 2_000 })
  job = { ...job, position: first.position!, payload: first.payload as typeof job.payload }
  const second = await step()
  expect(second).toMatchObject({ state: 'more', processed: 100 })
  job = { ...job, position: second.position!, payload: second.payload as typeof job.payload }
  expect(await step()).toEqual({ state: 'completed', processed: 0 })
  expect(await stateOf()).toEqual({ status: 'sending', started: true, failure: null, recipients: 2_100, queued: 2_100 })
})

test('Every step judges by the moment at which the campaign was sent.', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 3, 0)
  const rules = [{ field: 'created_at', operator: 'in_last_days', value: 30 }]
  const { segment } = await world.ok('segments/create', { name: 'New', rules: { op: 'and', rules } })
  const audience_spec = { include: [{ type: 'segment' as const, id: segment.id }] }
  await write((tx) => tx.update(campaigns).set({ audience_spec }))
  expect(await step()).toMatchObject({ processed: 3 })
})

test('A campaign that was cancelled or deleted cancels its job and adds no recipients.', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 3, 5)
  await setStatus('cancelled')
  expect(await step()).toEqual({ state: 'cancelled' })
  expect((await stateOf()).recipients).toBe(0)
  await write((tx) => tx.run(sql`DELETE FROM campaigns WHERE id = ${campaign_id}`))
  expect(await step()).toEqual({ state: 'cancelled' })
})

test('A failed preparation fails the campaign with the reason and cancels its recipients.', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 3, 5)
  await step()
  await write((tx) => prepareCampaign.onFailure!(tx, job, 'It broke.', world.clock.now()))
  await world.settle()
  expect(await stateOf()).toEqual({
    status: 'failed',
    started: false,
    failure: { reason: 'It broke.' },
    recipients: 3,
    queued: 0,
  })
  const { finished_at } = (await world.ok('campaigns/get', { campaign_id })).campaign
  expect(finished_at).toBe(new Date(world.clock.now()).toISOString())
})
