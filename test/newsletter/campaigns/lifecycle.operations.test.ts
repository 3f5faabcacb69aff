import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { SAMPLE_DOCUMENT, manyContacts, readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let list_id: number

beforeEach(async () => {
  world = await createWorld()
  ;({ list_id } = await readyToSend(world))
})
afterEach(() => world.close())

const people = (count: number) =>
  manyContacts(world.service.runtime.store, world.project.id, list_id, count, world.clock.now())
const draft = async (): Promise<number> =>
  (
    await world.ok('campaigns/create', {
      subject: 'Tides',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list_id }] },
    })
  ).campaign.id
const get = async (campaign_id: number) => (await world.ok('campaigns/get', { campaign_id })).campaign
const stats = (campaign_id: number) => world.ok('campaigns/stats', { campaign_id })
const run = (statement: ReturnType<typeof sql>) => world.service.runtime.store.write((tx) => tx.run(statement))

/** A campaign with a frozen audience and no message sent. */
async function sending(): Promise<number> {
  const campaign_id = await draft()
  await world.ok('campaigns/send', { campaign_id })
  await world.service.drain('jobs')
  return campaign_id
}

describe('schedule', () => {
  test('a scheduled campaign is sent at its time, not before', async () => {
    await people(3)
    const campaign_id = await draft()
    const { campaign } = await world.ok('campaigns/schedule', {
      campaign_id,
      scheduled_at: '2026-01-15T11:30+01:00',
      timezone: 'Europe/Berlin',
    })
    expect(campaign).toMatchObject({
      status: 'scheduled',
      scheduled_at: '2026-01-15T10:30:00.000Z',
      timezone: 'Europe/Berlin',
    })
    await world.settle()
    expect((await get(campaign_id)).status).toBe('scheduled')
    world.clock.advance(90 * 60_000)
    await world.settle()
    expect([(await get(campaign_id)).status, (await stats(campaign_id)).sent]).toEqual(['sent', 3])
  })

  test('a scheduled campaign can be rescheduled, changed, and turned back into a draft', async () => {
    const campaign_id = await draft()
    await world.ok('campaigns/schedule', { campaign_id, scheduled_at: '2026-01-15T10:30:00Z', timezone: 'UTC' })
    const { campaign } = await world.ok('campaigns/schedule', {
      campaign_id,
      scheduled_at: '2026-01-16T10:30:00Z',
      timezone: 'UTC',
    })
    expect(campaign.scheduled_at).toBe('2026-01-16T10:30:00.000Z')
    await world.ok('campaigns/update', { campaign_id, subject: 'Later tides' })
    const back = await world.ok('campaigns/unschedule', { campaign_id })
    expect(back.campaign).toMatchObject({ status: 'draft', scheduled_at: null, timezone: null, subject: 'Later tides' })
  })

  test('a campaign that is not ready at its scheduled time fails with the checks', async () => {
    const campaign_id = await draft()
    await world.ok('campaigns/schedule', { campaign_id, scheduled_at: '2026-01-15T09:01:00Z', timezone: 'UTC' })
    world.clock.advance(60_000)
    await world.settle()
    const campaign = await get(campaign_id)
    expect([campaign.status, campaign.failure.checks.map(({ code }: { code: string }) => code)]).toEqual([
      'failed',
      expect.arrayContaining(['audience']),
    ])
  })

  test.each([
    ['in the past', '2026-01-15T08:59:59Z', 'UTC', '/scheduled_at'],
    ['less than a second ahead', '2026-01-15T09:00:00.500Z', 'UTC', '/scheduled_at'],
    ['without an offset', '2026-01-16T09:00:00', 'UTC', '/scheduled_at'],
    ['no day of the calendar', '2026-02-30T09:00:00Z', 'UTC', '/scheduled_at'],
    ['in no time zone', '2026-01-16T09:00:00Z', 'Porthaven', '/timezone'],
  ])('a time %s is refused', async (_, scheduled_at, timezone, path) => {
    const answer = await world.call('campaigns/schedule', { campaign_id: await draft(), scheduled_at, timezone })
    expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([400, path])
  })
})

describe('pause, resume and cancel', () => {
  test('a paused campaign sends nothing, and a resumed one sends the rest', async () => {
    await people(30)
    const campaign_id = await sending()
    await world.ok('campaigns/pause', { campaign_id })
    await world.settle()
    expect(await stats(campaign_id)).toMatchObject({ recipients: 30, queued: 30, sent: 0 })
    await world.ok('campaigns/resume', { campaign_id })
    await world.settle()
    expect([(await get(campaign_id)).status, (await stats(campaign_id)).sent]).toEqual(['sent', 30])
  })

  test('a cancelled campaign sends nothing more, and cancels a large audience in steps', async () => {
    await people(12_000)
    const campaign_id = await sending()
    const { campaign } = await world.ok('campaigns/cancel', { campaign_id })
    expect(campaign.status).toBe('cancelled')
    await world.settle()
    expect(await stats(campaign_id)).toMatchObject({ recipients: 12_000, cancelled: 12_000, queued: 0, sent: 0 })
  })

  test('a campaign that is cancelled during preparation adds no recipients', async () => {
    await people(100)
    const campaign_id = await draft()
    await world.ok('campaigns/send', { campaign_id })
    await world.ok('campaigns/cancel', { campaign_id })
    await world.settle()
    expect([(await get(campaign_id)).status, (await stats(campaign_id)).recipients]).toEqual(['cancelled', 0])
  })

  const moves: [string, string[]][] = [
    ['campaigns/pause', ['draft', 'scheduled', 'preparing', 'sent', 'paused', 'cancelled', 'failed']],
    ['campaigns/resume', ['draft', 'scheduled', 'preparing', 'sending', 'sent', 'cancelled', 'failed']],
    ['campaigns/cancel', ['draft', 'sent', 'cancelled', 'failed']],
    ['campaigns/unschedule', ['draft', 'preparing', 'sending', 'sent', 'paused', 'cancelled', 'failed']],
    ['campaigns/requeue-failed', ['draft', 'scheduled', 'preparing', 'sending', 'cancelled', 'failed']],
  ]
  test.each(moves)('%s is refused in every other state and changes nothing', async (operation, states) => {
    const campaign_id = await draft()
    for (const status of states) {
      await run(sql`UPDATE campaigns SET status = ${status} WHERE id = ${campaign_id}`)
      const answer = await world.call(operation, { campaign_id })
      expect([answer.status, answer.body.error?.code, answer.body.error?.details]).toEqual([
        409,
        'INVALID_STATE',
        { state: status },
      ])
      expect((await get(campaign_id)).status).toBe(status)
    }
  })
})

describe('requeue-failed', () => {
  test('failed recipients are queued again, uncertain ones only on request', async () => {
    await people(5)
    const campaign_id = await sending()
    await world.settle()
    await run(
      sql`
        UPDATE deliveries SET status = 'failed', attempts = 5 WHERE id IN (SELECT id FROM deliveries
        ORDER BY id LIMIT 2)`,
    )
    await run(sql`UPDATE deliveries SET status = 'uncertain' WHERE id = (SELECT max(id) FROM deliveries)`)
    const first = await world.ok('campaigns/requeue-failed', { campaign_id })
    expect([first.requeued, first.campaign.status]).toEqual([2, 'sending'])
    await world.settle()
    expect(await stats(campaign_id)).toMatchObject({ sent: 4, failed: 0, uncertain: 1 })
    const second = await world.ok('campaigns/requeue-failed', { campaign_id, include_uncertain: true })
    expect(second.requeued).toBe(1)
    await world.settle()
    expect([(await get(campaign_id)).status, await stats(campaign_id)]).toMatchObject([
      'sent',
      { sent: 5, uncertain: 0 },
    ])
  })

  test('of more recipients than one step takes, each is queued again once', async () => {
    await people(6_000)
    const campaign_id = await sending()
    await run(sql`UPDATE deliveries SET status = 'uncertain' WHERE campaign_id = ${campaign_id}`)
    await world.settle()
    const { requeued } = await world.ok('campaigns/requeue-failed', { campaign_id, include_uncertain: true })
    expect(requeued).toBe(6_000)
    // What was brought back first has ended in doubt again before the rest is brought back.
    await run(sql`UPDATE deliveries SET status = 'uncertain' WHERE campaign_id = ${campaign_id} AND status = 'queued'`)
    await world.settle()
    expect([(await get(campaign_id)).status, await stats(campaign_id)]).toMatchObject([
      'sent',
      { sent: 1_000, uncertain: 5_000, queued: 0 },
    ])
  })

  test('without failed recipients nothing changes', async () => {
    await people(1)
    const campaign_id = await sending()
    await world.settle()
    expect(await world.ok('campaigns/requeue-failed', { campaign_id })).toMatchObject({
      requeued: 0,
      campaign: { status: 'sent' },
    })
  })
})

test('a copy of a sent campaign is a draft with the same content', async () => {
  await people(1)
  const campaign_id = await sending()
  await world.settle()
  const original = await get(campaign_id)
  const { campaign } = await world.ok('campaigns/duplicate', { campaign_id })
  expect(campaign).toMatchObject({
    name: 'Copy of Tides',
    subject: 'Tides',
    status: 'draft',
    started_at: null,
    finished_at: null,
    editor_json: original.editor_json,
    audience_spec: original.audience_spec,
  })
  expect((await world.ok('campaigns/list', { search: 'copy of' })).items).toHaveLength(1)
})

test('many hard bounces pause a campaign automatically with the reason, and it can be resumed', async () => {
  await people(600)
  const campaign_id = await sending()
  await run(sql`UPDATE campaigns SET handed_over = 600 WHERE id = ${campaign_id}`)
  await run(sql`UPDATE deliveries SET status = 'bounced' WHERE id IN (SELECT id FROM deliveries ORDER BY id LIMIT 80)`)
  await world.settle()
  const paused = await get(campaign_id)
  expect([paused.status, paused.failure.reason]).toEqual([
    'paused',
    expect.stringContaining('do not exist (limit 5 %)'),
  ])
  await world.ok('campaigns/resume', { campaign_id })
  await world.settle()
  expect([(await get(campaign_id)).status, (await get(campaign_id)).failure]).toEqual(['sent', null])
})
