import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { registerWorker } from '../../../src/store/lease.ts'
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

test('A scheduled campaign is sent at its time, not before.', async () => {
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

test('A scheduled campaign can be rescheduled, changed, and turned back into a draft.', async () => {
  const campaign_id = await draft()
  // A second ahead is enough.
  await world.ok('campaigns/schedule', { campaign_id, scheduled_at: '2026-01-15T09:00:01Z', timezone: 'UTC' })
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

test('A campaign that is not ready at its scheduled time fails with the checks.', async () => {
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

test('A time without an offset is read in the time zone, and the date in the message is of that zone.', async () => {
  await people(1)
  const campaign_id = await draft()
  await world.ok('campaigns/update', { campaign_id, subject: 'Tides of {{ date }}' })
  const { campaign } = await world.ok('campaigns/schedule', {
    campaign_id,
    scheduled_at: '2026-01-16T08:30',
    timezone: 'Pacific/Auckland',
  })
  expect(campaign.scheduled_at).toBe('2026-01-15T19:30:00.000Z')
  expect((await world.ok('render', { campaign_id })).subject).toBe('Tides of January 15, 2026')
  world.clock.advance(11 * 3_600_000)
  await world.settle()
  const mailbox = (await (await world.fetch('/general/sandbox/mailbox')).json()) as {
    messages: { subject: string }[]
  }
  expect(mailbox.messages.map(({ subject }) => subject)).toEqual(['Tides of January 16, 2026'])
})

test('A flaw that waiting cannot mend is refused at once, and an empty audience is not.', async () => {
  const campaign_id = await draft()
  const schedule = () =>
    world.call('campaigns/schedule', { campaign_id, scheduled_at: '2026-01-16T09:00', timezone: 'UTC' })
  expect((await schedule()).status).toBe(202)
  await world.ok('campaigns/unschedule', { campaign_id })
  await world.ok('settings/update', { postal_address: '', from_email: '' })
  const { status, body } = await schedule()
  const failed = body.error.details.checks.filter(({ ok }: { ok: boolean }) => !ok)
  expect([status, body.error.code, failed.map(({ code }: { code: string }) => code)]).toEqual([
    ...[409, 'NOT_READY', ['sender', 'postal_address']],
  ])
  expect((await get(campaign_id)).status).toBe('draft')
})

test('A campaign that failed can be changed, and is then sent or scheduled again.', async () => {
  const campaign_id = await draft()
  await world.ok('campaigns/schedule', { campaign_id, scheduled_at: '2026-01-15T09:01:00Z', timezone: 'UTC' })
  world.clock.advance(60_000)
  await world.settle()
  expect((await get(campaign_id)).status).toBe('failed')
  await people(2)
  await world.ok('campaigns/update', { campaign_id, subject: 'Tides at last' })
  const { campaign } = await world.ok('campaigns/send', { campaign_id })
  expect(campaign).toMatchObject({ status: 'preparing', failure: null, finished_at: null })
  await world.settle()
  expect([(await get(campaign_id)).status, (await stats(campaign_id)).sent]).toEqual(['sent', 2])
})

test('An audience that could not be prepared is prepared again, each person once.', async () => {
  await people(3)
  const campaign_id = await draft()
  await world.ok('campaigns/send', { campaign_id })
  await world.service.drain('jobs')
  await run(sql`UPDATE deliveries SET status = 'cancelled' WHERE campaign_id = ${campaign_id}`)
  await run(sql`UPDATE campaigns SET status = 'failed', recipient_update = 'cancel' WHERE id = ${campaign_id}`)
  expect((await world.call('campaigns/send', { campaign_id })).body.error.code).toBe('INVALID_STATE')
  await run(sql`UPDATE campaigns SET recipient_update = NULL WHERE id = ${campaign_id}`)
  await world.ok('campaigns/send', { campaign_id })
  await world.settle()
  expect(await stats(campaign_id)).toMatchObject({ recipients: 3, sent: 3, cancelled: 0 })
})

test('A copy keeps its template, whose subject a new campaign takes when it has none.', async () => {
  const { template } = await world.ok('templates/create', {
    name: 'Weekly',
    subject: 'The week in {{ project.name }}',
    editor_json: SAMPLE_DOCUMENT,
  })
  const audience_spec = { include: [{ type: 'all' }] }
  const { campaign } = await world.ok('campaigns/create', { template_id: template.id, audience_spec })
  expect([campaign.subject, campaign.name]).toEqual(Array(2).fill('The week in {{ project.name }}'))
  const copy = (await world.ok('campaigns/duplicate', { campaign_id: campaign.id })).campaign
  expect(copy.template_id).toBe(template.id)
  const { status, body } = await world.call('campaigns/create', { audience_spec })
  expect([status, body.error.details]).toEqual([400, [{ path: '/subject', message: 'Required.' }]])
})

test('A project with 20,000 campaigns gets neither a new one nor a copy.', async () => {
  const campaign_id = await draft()
  const create = () => world.call('campaigns/create', { subject: 'Tides', audience_spec: { include: [] } })
  const copy = () => world.call('campaigns/duplicate', { campaign_id })
  await run(sql`
    WITH RECURSIVE n(n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM n WHERE n < 20000)
    INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens, track_clicks,
      status, created_at, updated_at)
    SELECT ${world.project.id}, '', '', '', '{}', '{}', 0, 0, 'draft', 0, 0 FROM n`)
  expect((await copy()).status).toBe(200)
  for (const more of [copy, create])
    expect((await more()).body.error).toMatchObject({
      code: 'INVALID_STATE',
      details: { state: 'full', limit: 20_000 },
    })
})

test('The name of a copy says so once, and is cut between characters.', async () => {
  const copyOf = async (name: string): Promise<string> => {
    const { campaign } = await world.ok('campaigns/create', {
      subject: 'x',
      name,
      audience_spec: { include: [{ type: 'all' }] },
    })
    return (await world.ok('campaigns/duplicate', { campaign_id: campaign.id })).campaign.name
  }
  expect(await copyOf('June')).toBe('Copy of June')
  expect(await copyOf('Copy of June')).toBe('Copy of June')
  expect(await copyOf('June, a Copy of ')).toBe('Copy of June, a Copy of ')
  expect(await copyOf(`${'x'.repeat(191)}😀yz`)).toBe(`Copy of ${'x'.repeat(191)}😀`)
})

test.each([
  ['in the past', '2026-01-15T08:59:59Z', 'UTC', '/scheduled_at'],
  ['less than a second ahead', '2026-01-15T09:00:00.500Z', 'UTC', '/scheduled_at'],
  ['with an offset that the zone does not have', '2026-01-16T09:00:00+02:00', 'Europe/Berlin', '/scheduled_at'],
  ['on no day of the calendar', '2026-02-30T09:00:00Z', 'UTC', '/scheduled_at'],
  ['in no time zone', '2026-01-16T09:00:00Z', 'Porthaven', '/timezone'],
])('A time %s is refused.', async (_, scheduled_at, timezone, path) => {
  const answer = await world.call('campaigns/schedule', { campaign_id: await draft(), scheduled_at, timezone })
  expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([400, path])
})

describe('pause, resume and cancel', () => {
  test('The loop that goes on is woken: the delivery, or the jobs while the audience is not prepared.', async () => {
    await people(1)
    const campaign_id = await sending()
    const wake = spyOn(world.service.runtime, 'wake')
    const woken = async (operation: string) => {
      wake.mockClear()
      await world.ok(operation, { campaign_id })
      return wake.mock.calls.map(([loop]) => loop)
    }
    expect(await woken('campaigns/pause')).toEqual([])
    expect(await woken('campaigns/resume')).toEqual(['delivery'])
    await run(sql`UPDATE campaigns SET status = 'paused', started_at = NULL WHERE id = ${campaign_id}`)
    expect(await woken('campaigns/resume')).toEqual(['jobs'])
    expect(await woken('campaigns/cancel')).toEqual(['delivery'])
    wake.mockRestore()
  })

  test('A paused campaign sends nothing, and a resumed one sends the rest.', async () => {
    await people(30)
    const campaign_id = await sending()
    await world.ok('campaigns/pause', { campaign_id })
    await world.settle()
    expect(await stats(campaign_id)).toMatchObject({ recipients: 30, queued: 30, sent: 0 })
    await world.ok('campaigns/resume', { campaign_id })
    await world.settle()
    expect([(await get(campaign_id)).status, (await stats(campaign_id)).sent]).toEqual(['sent', 30])
  })

  test('A cancelled campaign sends nothing more, and cancels a large audience in steps.', async () => {
    await people(10_050)
    const campaign_id = await sending()
    const { campaign } = await world.ok('campaigns/cancel', { campaign_id })
    expect(campaign.status).toBe('cancelled')
    await world.settle()
    expect(await stats(campaign_id)).toMatchObject({ recipients: 10_050, cancelled: 10_050, queued: 0, sent: 0 })
  })

  test('A campaign that is cancelled during preparation adds no recipients.', async () => {
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
  test.each(moves)('%s is refused in every other state and changes nothing.', async (operation, states) => {
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

test('Failed recipients are queued again, uncertain ones only on request.', async () => {
  await people(5)
  const campaign_id = await sending()
  await world.settle()
  await run(
    sql`
      UPDATE deliveries SET status = 'failed', attempts = 5 WHERE id IN (SELECT id FROM deliveries
      ORDER BY id LIMIT 2)`,
  )
  await run(sql`UPDATE deliveries SET status = 'uncertain' WHERE id = (SELECT max(id) FROM deliveries)`)
  await run(sql`UPDATE newsletter_settings SET from_email = ''`)
  expect((await world.call('campaigns/requeue-failed', { campaign_id })).body.error.code).toBe('NOT_READY')
  await world.ok('settings/update', { from_email: 'news@harbour.example' })
  const first = await world.ok('campaigns/requeue-failed', { campaign_id })
  expect([first.requeued, first.campaign.status, first.campaign.finished_at]).toEqual([2, 'sending', null])
  await world.settle()
  expect(await stats(campaign_id)).toMatchObject({ sent: 4, failed: 0, uncertain: 1 })
  const second = await world.ok('campaigns/requeue-failed', { campaign_id, include_uncertain: true })
  expect(second.requeued).toBe(1)
  await world.settle()
  expect([(await get(campaign_id)).status, await stats(campaign_id)]).toMatchObject(['sent', { sent: 5, uncertain: 0 }])
})

test('A paused campaign queues its failed recipients again and stays paused.', async () => {
  await people(2)
  const campaign_id = await sending()
  await world.ok('campaigns/pause', { campaign_id })
  await run(sql`
    UPDATE deliveries SET status = 'failed' WHERE id = (SELECT max(id) FROM deliveries WHERE kind = 'campaign')`)
  // What sending needs is asked when the campaign is resumed.
  await run(sql`UPDATE newsletter_settings SET from_email = ''`)
  const { requeued, campaign } = await world.ok('campaigns/requeue-failed', { campaign_id })
  expect([requeued, campaign.status]).toEqual([1, 'paused'])
  await world.settle()
  expect(await stats(campaign_id)).toMatchObject({ queued: 2, sent: 0 })
})

test('A campaign is not closed while a message of it is being handed over.', async () => {
  await people(2)
  const campaign_id = await sending()
  const other = { id: 'prc_other', host: 'there', pid: 1 }
  await world.service.runtime.store.write((tx) => registerWorker(tx, other, 'server', world.clock.now()))
  await run(sql`
    UPDATE deliveries SET worker_id = ${other.id}, lease_id = 'of another batch',
      status = iif(id = (SELECT max(id) FROM deliveries), 'sending', 'failed')
    WHERE campaign_id = ${campaign_id}`)
  await world.settle()
  expect((await get(campaign_id)).status).toBe('sending')
})

test('Of more failed recipients than one step takes, each is queued again once.', async () => {
  await people(5_100)
  const campaign_id = await sending()
  await run(sql`UPDATE deliveries SET status = 'uncertain' WHERE campaign_id = ${campaign_id}`)
  await world.settle()
  const { requeued } = await world.ok('campaigns/requeue-failed', { campaign_id, include_uncertain: true })
  expect(requeued).toBe(5_100)
  // What was brought back first has ended in doubt again before the rest is brought back.
  await run(sql`UPDATE deliveries SET status = 'uncertain' WHERE campaign_id = ${campaign_id} AND status = 'queued'`)
  await world.settle()
  expect([(await get(campaign_id)).status, await stats(campaign_id)]).toMatchObject([
    'sent',
    { sent: 100, uncertain: 5_000, queued: 0 },
  ])
})

test('campaigns/requeue-failed changes nothing without failed recipients.', async () => {
  await people(1)
  const campaign_id = await sending()
  await world.settle()
  expect(await world.ok('campaigns/requeue-failed', { campaign_id })).toMatchObject({
    requeued: 0,
    campaign: { status: 'sent' },
  })
})

test('A copy of a sent campaign is a draft with the same content.', async () => {
  await people(1)
  const campaign_id = await draft()
  const { default_connection_id: connection_id } = (await world.ok('settings/get')).settings
  await world.ok('campaigns/update', {
    ...{ campaign_id, connection_id, preheader: 'High water', track_opens: true, track_clicks: false },
    ...{ from_name: 'Quay', from_email: 'quay@harbour.example', reply_to: 'office@harbour.example' },
    ...{ utm_source: 'source', utm_medium: 'medium', utm_campaign: 'campaign' },
  })
  await world.ok('campaigns/send', { campaign_id })
  await world.settle()
  const original = await get(campaign_id)
  world.clock.advance(1000)
  const { campaign } = await world.ok('campaigns/duplicate', { campaign_id })
  const now = new Date(world.clock.now()).toISOString()
  for (const shown_by_get of ['waiting', 'updated_by', 'tests']) delete original[shown_by_get]
  expect(campaign).toEqual({
    ...{ ...original, id: campaign.id, name: 'Copy of Tides', status: 'draft' },
    ...{ started_at: null, finished_at: null, created_at: now, updated_at: now },
  })
  expect((await world.ok('campaigns/list', { search: 'copy of' })).items).toHaveLength(1)
})

test('Many hard bounces pause a campaign automatically with the reason, and it can be resumed.', async () => {
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
