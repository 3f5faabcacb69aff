import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import type { Check } from '../../../src/newsletter/campaigns/resource.ts'
import { campaigns, deliveries, sandbox_messages } from '../../../src/store/tables/delivery.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addPeople, draft, SAMPLE_DOCUMENT, readyToSend } from './support.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  await readyToSend(world)
  await addPeople(world, [
    { email: 'ada@harbour.example', first_name: 'Ada' },
    { email: 'hal@harbour.example', status: 'bounced', suppressed: 'hard_bounce' },
    { email: 'ida@harbour.example', status: 'complained', suppressed: 'complaint' },
    { email: 'kim@harbour.example', suppressed: 'manual' },
  ])
})
afterAll(() => home.close())

const db = () => world.service.runtime.store.db
const codes = (checks: Check[]) => checks.filter(({ ok }) => !ok).map(({ code }) => code)

describe('campaigns/send', () => {
  const jobsOf = (campaign_id: number) =>
    db()
      .select()
      .from(jobs)
      .where(eq(jobs.kind, 'campaign_prepare'))
      .then((rows) => rows.filter(({ payload }) => 'campaign_id' in payload && payload.campaign_id === campaign_id))

  test('campaigns/send prepares a campaign that is ready, and queues the work.', async () => {
    const { id } = await draft(world)
    const { status, body } = await world.call('campaigns/send', { campaign_id: id })
    expect(status).toBe(202)
    expect(body.data.campaign).toMatchObject({ id, status: 'preparing' })
    expect(body.data.campaign).not.toHaveProperty('editor_json')
    expect(await jobsOf(id)).toMatchObject([
      {
        status: 'queued',
        project_id: world.project.id,
        payload: { campaign_id: id },
        next_attempt_at: world.clock.now(),
      },
    ])
  })

  test('campaigns/send refuses a campaign that is not ready, with all its checks, and leaves it a draft.', async () => {
    const { id } = await draft(world, { subject: '', audience_spec: { include: [] } })
    const { status, body } = await world.call('campaigns/send', { campaign_id: id })
    expect([status, body.error.code, codes(body.error.details.checks)]).toEqual([
      409,
      'NOT_READY',
      ['subject', 'audience'],
    ])
    expect(body.error.details.checks).toHaveLength(15)
    expect((await world.ok('campaigns/get', { campaign_id: id })).campaign.status).toBe('draft')
    expect(await jobsOf(id)).toEqual([])
  })

  test('campaigns/send sends a campaign that has only warnings.', async () => {
    const { id } = await draft(world, {
      editor_json: {
        ...SAMPLE_DOCUMENT,
        blocks: [{ id: 'a', type: 'image', props: { src: 'https://harbour.example/a.png', alt: '' } }],
      },
    })
    expect((await world.call('campaigns/send', { campaign_id: id })).status).toBe(202)
  })

  test.each(['scheduled', 'preparing', 'sending', 'sent', 'paused', 'cancelled'] as const)(
    'campaigns/send refuses a campaign that is %s.',
    async (state) => {
      const { id } = await draft(world)
      await world.service.runtime.store.write((tx) =>
        tx.update(campaigns).set({ status: state }).where(eq(campaigns.id, id)),
      )
      const { status, body } = await world.call('campaigns/send', { campaign_id: id })
      expect([status, body.error.code, body.error.details]).toEqual([409, 'INVALID_STATE', { state }])
      expect(await jobsOf(id)).toEqual([])
    },
  )

  test('campaigns/send sends once when called many times at once.', async () => {
    const { id } = await draft(world)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.call('campaigns/send', { campaign_id: id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409, 409, 409])
    for (const { status, body } of answers)
      if (status === 409)
        expect([body.error.code, body.error.details]).toEqual(['INVALID_STATE', { state: 'preparing' }])
    expect(await jobsOf(id)).toHaveLength(1)
  })

  test('campaigns/send answers a repeated call from its receipt.', async () => {
    const { id } = await draft(world)
    const first = await world.call('campaigns/send', { campaign_id: id }, { key: 'send-once' })
    const again = await world.call('campaigns/send', { campaign_id: id }, { key: 'send-once' })
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([202, 'true'])
    expect(again.body).toEqual(first.body)
    expect(await jobsOf(id)).toHaveLength(1)
  })

  test('campaigns/send does not send a campaign that was changed during its checks.', async () => {
    const { id } = await draft(world)
    const { store } = world.service.runtime
    const heavy = store.heavy
    Object.assign(store, {
      heavy: async (query: never) => {
        Object.assign(store, { heavy })
        await world.ok('campaigns/update', { campaign_id: id, subject: '' })
        return heavy(query)
      },
    })
    const { status, body } = await world.call('campaigns/send', { campaign_id: id })
    expect([status, body.error.code, body.error.details]).toEqual([409, 'INVALID_STATE', { state: 'draft' }])
    expect((await world.ok('campaigns/get', { campaign_id: id })).campaign).toMatchObject({
      status: 'draft',
      subject: '',
    })
    expect(await jobsOf(id)).toEqual([])
  })
})

test('A campaign goes from its draft to its recipients.', async () => {
  const fresh = await createWorld()
  await readyToSend(fresh)
  await addPeople(fresh, [
    { email: 'ada@harbour.example', first_name: 'Ada' },
    { email: 'ben@harbour.example' },
    { email: 'hal@harbour.example', suppressed: 'manual' },
  ])
  const { id: campaign_id } = await draft(fresh, { subject: 'For {{ contact.first_name | default: you }}' })
  await fresh.ok('campaigns/send', { campaign_id })
  await fresh.settle()
  expect((await fresh.ok('campaigns/get', { campaign_id })).campaign).toMatchObject({
    status: 'sent',
    started_at: expect.any(String),
    finished_at: expect.any(String),
  })
  expect(await fresh.ok('campaigns/stats', { campaign_id })).toMatchObject({ recipients: 2, sent: 2, queued: 0 })
  const { items } = await fresh.ok('campaigns/recipients', { campaign_id })
  const kept = await fresh.service.runtime.store.db.select().from(sandbox_messages)
  const headers = kept.map(({ recipient, raw }) => [
    recipient,
    /^Message-ID: (.*?)\r?$/m.exec(raw)?.[1],
    /^Subject: (.*?)\r?$/m.exec(raw)?.[1],
  ])
  const byEmail = (one: unknown[], other: unknown[]) => (String(one[0]) < String(other[0]) ? -1 : 1)
  expect(headers.sort(byEmail)).toEqual([
    ['ada@harbour.example', items[0].message_id, 'For Ada'],
    ['ben@harbour.example', items[1].message_id, 'For you'],
  ])
  await fresh.close()
})

describe('campaigns/test-send', () => {
  let id: number
  beforeEach(async () => {
    id = (await draft(world, { subject: 'For {{ contact.first_name }}' })).id
  })
  const testsOf = (campaign_id: number) =>
    db()
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.campaign_id, campaign_id), eq(deliveries.kind, 'test')))
      .orderBy(deliveries.id)
  const ask = (emails: unknown, more: Record<string, unknown> = {}) =>
    world.call('campaigns/test-send', { campaign_id: id, emails, ...more })

  test('campaigns/test-send queues the campaign as it is now.', async () => {
    const { status, body } = await ask(['ada@harbour.example', 'someone@else.example'])
    expect([status, body.data]).toEqual([202, { queued: 2, skipped: [] }])
    const tests = await testsOf(id)
    expect(tests.map(({ email, status }) => [email, status])).toEqual([
      ['ada@harbour.example', 'queued'],
      ['someone@else.example', 'queued'],
    ])
    expect(tests[0]).toMatchObject({
      project_id: world.project.id,
      contact_id: null,
      content: {
        subject: '[Test] For {{ contact.first_name }}',
        editor_json: (await world.ok('campaigns/get', { campaign_id: id })).campaign.editor_json,
        posts: [],
      },
    })
    const { campaign } = await world.ok('campaigns/get', { campaign_id: id })
    expect(campaign.status).toBe('draft')
    const at = new Date(world.clock.now()).toISOString()
    expect(campaign.tests).toEqual([
      { email: 'someone@else.example', status: 'queued', at, error: null },
      { email: 'ada@harbour.example', status: 'queued', at, error: null },
    ])
  })

  test('campaigns/get answers the test messages that were asked for last, and no earlier ones.', async () => {
    await ask(['ada@harbour.example'])
    await world.service.runtime.store.write((tx) =>
      tx
        .update(deliveries)
        .set({ status: 'failed', last_error: '550 no' })
        .where(and(eq(deliveries.campaign_id, id), eq(deliveries.kind, 'test'))),
    )
    const tests = async () => (await world.ok('campaigns/get', { campaign_id: id })).campaign.tests
    expect(await tests()).toMatchObject([{ email: 'ada@harbour.example', status: 'failed', error: '550 no' }])
    await ask(['bo@harbour.example'])
    expect(await tests()).toMatchObject([{ email: 'bo@harbour.example', status: 'queued', error: null }])
    expect((await world.ok('campaigns/get', { campaign_id: (await draft(world)).id })).campaign.tests).toEqual([])
  })

  test('campaigns/test-send takes a contact of the project only.', async () => {
    const [ben] = await addPeople(world, [{ email: `ben${id}@harbour.example`, first_name: 'Ben' }])
    const [foreign] = await addPeople(world, [{ email: `bo${id}@harbour.example` }], world.other.id)
    expect((await ask(['ada@harbour.example'], { contact_id: ben })).status).toBe(202)
    expect((await testsOf(id))[0]).toMatchObject({ contact_id: ben })
    const { status, body } = await ask(['ada@harbour.example'], { contact_id: foreign })
    expect([status, body.error.details]).toEqual([404, [{ path: '/contact_id' }]])
  })

  test('campaigns/test-send skips suppressed addresses, and says so.', async () => {
    const { body } = await ask([
      'ada@harbour.example',
      'HAL@harbour.example',
      'ida@harbour.example',
      'kim@harbour.example',
    ])
    expect(body.data).toEqual({
      queued: 1,
      skipped: [
        { email: 'HAL@harbour.example', reason: 'hard_bounce' },
        { email: 'ida@harbour.example', reason: 'complaint' },
        { email: 'kim@harbour.example', reason: 'manual' },
      ],
    })
    const refused = await ask(['hal@harbour.example'])
    expect([refused.status, refused.body.error.code, refused.body.error.details.skipped]).toEqual([
      409,
      'NOT_READY',
      [{ email: 'hal@harbour.example', reason: 'hard_bounce' }],
    ])
  })

  test('campaigns/test-send skips who opted out and was deleted.', async () => {
    const { contact } = await world.ok('contacts/upsert', { email: 'max@harbour.example', consent_text: 'Yes.' })
    await world.ok('contacts/unsubscribe', { contact_id: contact.id })
    await world.ok('contacts/delete', { contact_id: contact.id })
    expect((await ask(['Max@harbour.example', 'own@harbour.example'])).body.data).toEqual({
      queued: 1,
      skipped: [{ email: 'Max@harbour.example', reason: 'unsubscribe' }],
    })
  })

  test('A mailbox gets 30 tests of a project in an hour, with any plus tag.', async () => {
    const bomb = (hour: string) =>
      Array.from({ length: 6 }, (_, n) => ask([0, 1, 2, 3, 4].map((m) => `vic+${hour}${n}${m}@harbour.example`)))
    for (const answer of await Promise.all(bomb('a'))) expect(answer.status).toBe(202)
    const refused = await ask(['VIC@harbour.example', 'own@harbour.example'])
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'RATE_LIMITED', '3600'],
    ])
    const { items } = await world.ok('connections/list')
    const tested = (email: string) => world.call('connections/test', { connection_id: items[0].id, email })
    expect((await tested('vic@harbour.example')).status).toBe(429)
    expect((await tested('own@harbour.example')).status).toBe(200)
    expect((await ask(['own@harbour.example'])).status).toBe(202)
    world.clock.advance(3_600_001)
    for (const answer of await Promise.all(bomb('b'))) expect(answer.status).toBe(202)
  })

  test('A new test empties the documents of the tests before it that were sent.', async () => {
    const other = (await draft(world)).id
    await world.ok('campaigns/test-send', { campaign_id: other, emails: ['own@harbour.example'] })
    for (const email of ['one@harbour.example', 'two@harbour.example']) {
      expect((await ask([email])).status).toBe(202)
      await world.settle()
    }
    const documents = (await testsOf(id)).map(({ status, content }) => [status, content !== null])
    expect(documents).toEqual([
      ['sent', false],
      ['sent', true],
    ])
    expect((await testsOf(other)).map(({ status, content }) => [status, content !== null])).toEqual([['sent', true]])
  })

  test('A project sends 300 tests in an hour.', async () => {
    world.clock.advance(3_600_001)
    const statuses: number[] = []
    for (let n = 0; n < 61; n++)
      statuses.push((await ask([0, 1, 2, 3, 4].map((m) => `p${n}.${m}@harbour.example`))).status)
    expect(statuses).toEqual([...Array(60).fill(202), 429])
    world.clock.advance(3_600_001)
  })

  test("Only the project's own suppressions keep a test from being sent.", async () => {
    await addPeople(world, [{ email: 'lou@harbour.example', suppressed: 'complaint' }], world.other.id)
    const { status, body } = await ask(['lou@harbour.example'])
    expect([status, body.data]).toEqual([202, { queued: 1, skipped: [] }])
  })

  test.each([
    [[], '/emails'],
    [['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', 'e@x.example', 'f@x.example'], '/emails'],
    [['ada@harbour.example', 'ada@harbour.example'], '/emails'],
    [['ada@harbour.example', 'Ada@harbour.example'], '/emails/1'],
    [['ada'], '/emails/0'],
    ['ada@harbour.example', '/emails'],
  ])('campaigns/test-send refuses the addresses %j.', async (emails, path) => {
    const { status, body } = await ask(emails)
    expect([status, body.error.details[0].path]).toEqual([400, path])
    expect(await testsOf(id)).toEqual([])
  })

  test('campaigns/test-send needs no more than a sender and a verified connection.', async () => {
    const { status, body } = await world.call(
      'campaigns/test-send',
      { campaign_id: (await draft(world, {}, world.keys.other)).id, emails: ['ada@harbour.example'] },
      { as: world.keys.other },
    )
    expect([status, body.error.code, codes(body.error.details.checks)]).toEqual([
      409,
      'NOT_READY',
      ['sender', 'connection_verified'],
    ])
    id = (await draft(world, { subject: '', audience_spec: { include: [] }, editor_json: undefined })).id
    expect((await ask(['ada@harbour.example'])).status).toBe(202)
  })
})
