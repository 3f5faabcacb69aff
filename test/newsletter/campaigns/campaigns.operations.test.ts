import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { pageQuery } from '../../../src/newsletter/campaigns/campaigns.operations.ts'
import { campaigns, type CampaignStatus } from '../../../src/store/tables/delivery.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { addList, addTag, draft, SAMPLE_DOCUMENT, planOf } from './support.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const put = (id: number, change: Partial<typeof campaigns.$inferSelect>) =>
  world.service.runtime.store.write((tx) => tx.update(campaigns).set(change).where(eq(campaigns.id, id)))
const everybody = { include: [{ type: 'all' }] }
/** Operations that take `campaign_id` and need nothing else. */
const OF_ONE_CAMPAIGN = [
  'get',
  'update',
  'delete',
  'send',
  'readiness',
  'stats',
  'events',
  'recipients',
  'audience-count',
]

test('campaigns/create drafts a campaign from a subject and an audience.', async () => {
  const { campaign } = await world.ok('campaigns/create', { subject: 'Low tide', audience_spec: everybody })
  expect(campaign).toEqual({
    id: expect.any(Number),
    name: 'Low tide',
    subject: 'Low tide',
    preheader: '',
    editor_json: { version: 1, settings: {}, blocks: [] },
    audience_spec: everybody,
    template_id: null,
    connection_id: null,
    from_name: '',
    from_email: '',
    reply_to: '',
    track_opens: true,
    track_clicks: true,
    utm_source: '',
    utm_medium: '',
    utm_campaign: '',
    status: 'draft',
    scheduled_at: null,
    timezone: null,
    started_at: null,
    finished_at: null,
    failure: null,
    created_at: new Date(START).toISOString(),
    updated_at: new Date(START).toISOString(),
  })
})

test('campaigns/create stores every given property.', async () => {
  const { connection } = await world.ok('connections/create', { name: 'Box', provider: 'sandbox' })
  const [list, tag] = [await addList(world, 'weekly'), await addTag(world, 'vip')]
  const given = {
    name: 'January',
    subject: 'Hello {{ contact.first_name }}',
    preheader: 'Inside',
    editor_json: SAMPLE_DOCUMENT,
    connection_id: connection.id,
    from_name: 'Pier',
    from_email: 'pier@harbour.example',
    reply_to: 'office@harbour.example',
    track_opens: false,
    track_clicks: false,
    audience_spec: { include: [{ type: 'list', id: list }], exclude: [{ type: 'tag', id: tag }] },
  }
  const { campaign } = await world.ok('campaigns/create', { ...given, from_email: ' pier@harbour.example ' })
  expect(campaign).toMatchObject(given)
  expect((await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign).toEqual({
    updated_by: expect.objectContaining({ kind: 'api_key' }),
    ...campaign,
    waiting: null,
    tests: [],
  })
})

test('campaigns/create takes an empty subject only when it is given, and a name of its own.', async () => {
  expect(await draft(world, { subject: '', name: 'Later' })).toMatchObject({ subject: '', name: 'Later' })
  expect(await draft(world, { subject: '' })).toMatchObject({ subject: '', name: '' })
})

test('campaigns/create uses the tracking of the settings by default.', async () => {
  await world.ok('settings/update', { track_opens: false })
  expect(await draft(world)).toMatchObject({ track_opens: false, track_clicks: true })
  expect(await draft(world, { track_opens: true, track_clicks: false })).toMatchObject({
    track_opens: true,
    track_clicks: false,
  })
  await world.ok('settings/update', { track_opens: true })
})

test.each([
  [{ subject: undefined }, '/subject'],
  [{ audience_spec: undefined }, '/audience_spec'],
  [{ subject: 'a\r\nBcc: b' }, '/subject'],
  [{ subject: 'x'.repeat(301) }, '/subject'],
  [{ preheader: 'a\nb' }, '/preheader'],
  [{ name: 'a\u007fb' }, '/name'],
  [{ from_email: 'x' }, '/from_email'],
  [{ reply_to: 'a@harbour.example\n' }, '/reply_to'],
  [{ reply_to: 'rép@harbour.example' }, '/reply_to'],
  [{ from_email: 'nëws@harbour.example' }, '/from_email'],
  [{ connection_id: 'one' }, '/connection_id'],
  [{ track_opens: 1 }, '/track_opens'],
  [{ audience_spec: {} }, '/audience_spec/include'],
  [{ audience_spec: { include: [{ type: 'all', id: 1 }] } }, '/audience_spec/include/0/id'],
  [{ audience_spec: { include: [{ type: 'list' }] } }, '/audience_spec/include/0/id'],
  [{ audience_spec: { include: [], also: [] } }, '/audience_spec/also'],
  [{ audience_spec: { include: Array.from({ length: 51 }, () => ({ type: 'all' })) } }, '/audience_spec/include'],
  [{ editor_json: 'text' }, '/editor_json'],
  [{ editor_json: { version: 2, settings: {}, blocks: [] } }, '/editor_json/version'],
  [{ editor_json: { version: 1, settings: { colour: 'red' }, blocks: [] } }, '/editor_json/settings/colour'],
  [
    {
      editor_json: {
        version: 1,
        settings: {},
        blocks: [{ id: 'a', type: 'heading', props: { text: 'Tide', level: 9 } }],
      },
    },
    '/editor_json/blocks/0/props/level',
  ],
  [{ status: 'sent' }, '/status'],
  [{ scheduled_at: null }, '/scheduled_at'],
])('campaigns/create refuses %j.', async (wrong, path) => {
  const { status, body } = await world.call('campaigns/create', {
    subject: 'Tide',
    audience_spec: everybody,
    ...wrong,
  })
  expect(status).toBe(400)
  expect(body.error).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: expect.arrayContaining([expect.objectContaining({ path })]),
  })
})

test("campaigns/create finds no list, tag, segment or connection that is not the project's.", async () => {
  const [list, foreign] = [await addList(world, 'mine'), await addList(world, 'theirs', world.other.id)]
  const { connection } = await world.ok(
    'connections/create',
    { name: 'Theirs', provider: 'sandbox' },
    { as: world.keys.other },
  )
  const include = [
    { type: 'list', id: list },
    { type: 'list', id: foreign },
  ]
  const exclude = [
    { type: 'tag', id: 999_999 },
    { type: 'segment', id: list },
  ]
  const refused = await world.call('campaigns/create', { subject: 'Tide', audience_spec: { include, exclude } })
  expect([refused.status, refused.body.error.code]).toEqual([404, 'NOT_FOUND'])
  expect(refused.body.error.details).toEqual([
    { path: '/audience_spec/include/1/id' },
    { path: '/audience_spec/exclude/0/id' },
    { path: '/audience_spec/exclude/1/id' },
  ])
  for (const connection_id of [connection.id, 999_999]) {
    const { status, body } = await world.call('campaigns/create', {
      subject: 'Tide',
      audience_spec: everybody,
      connection_id,
    })
    expect([status, body.error.details]).toEqual([404, [{ path: '/connection_id' }]])
  }
})

test('campaigns/update changes the given properties only.', async () => {
  const { id } = await draft(world, { from_name: 'Pier', name: 'First' })
  const { campaign } = await world.ok('campaigns/update', {
    campaign_id: id,
    subject: 'High tide',
    preheader: 'New',
    from_email: 'pier@harbour.example',
  })
  expect(campaign).toMatchObject({
    name: 'First',
    subject: 'High tide',
    preheader: 'New',
    from_name: 'Pier',
    from_email: 'pier@harbour.example',
    editor_json: SAMPLE_DOCUMENT,
    status: 'draft',
  })
  const cleared = await world.ok('campaigns/update', {
    campaign_id: id,
    from_email: '',
    from_name: '',
    editor_json: { version: 1, settings: {}, blocks: [] },
  })
  expect(cleared.campaign).toMatchObject({
    from_email: '',
    from_name: '',
    editor_json: { blocks: [] },
    subject: 'High tide',
  })
  expect((await world.ok('campaigns/get', { campaign_id: id })).campaign).toEqual({
    updated_by: expect.objectContaining({ kind: 'api_key' }),
    ...cleared.campaign,
    waiting: null,
    tests: [],
  })
  expect(
    (await world.ok('campaigns/list', { search: 'HIGH t' })).items.map((item: { id: number }) => item.id),
  ).toContain(id)
})

test('Drafts, scheduled and failed campaigns can be changed, and no others.', async () => {
  const { id } = await draft(world)
  for (const status of ['preparing', 'sending', 'sent', 'paused', 'cancelled'] as const) {
    await put(id, { status })
    const { status: http, body } = await world.call('campaigns/update', { campaign_id: id, subject: 'Changed' })
    expect([http, body.error.code, body.error.details]).toEqual([409, 'INVALID_STATE', { state: status }])
  }
  await put(id, { status: 'scheduled' })
  expect((await world.ok('campaigns/update', { campaign_id: id, subject: 'Changed' })).campaign).toMatchObject({
    subject: 'Changed',
    status: 'scheduled',
  })
})

test('campaigns/update refuses the inputs that create refuses, and then changes nothing.', async () => {
  const campaign = await draft(world)
  const wrong: [Record<string, unknown>, number][] = [
    [{ editor_json: { version: 1 } }, 400],
    [{ subject: 'a\nb' }, 400],
    [{ status: 'sent' }, 400],
    [{ connection_id: 999_999 }, 404],
    [{ audience_spec: { include: [{ type: 'list', id: 999_999 }] } }, 404],
  ]
  for (const [change, expected] of wrong)
    expect(
      (await world.call('campaigns/update', { campaign_id: campaign.id, name: 'Changed', ...change })).status,
    ).toBe(expected)
  expect((await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign).toEqual({
    updated_by: expect.objectContaining({ kind: 'api_key' }),
    ...campaign,
    waiting: null,
    tests: [],
  })
})

describe('campaigns/list', () => {
  let fresh: World
  beforeAll(async () => {
    fresh = await createWorld()
    for (const subject of ['Ärger', 'Spring', 'Summer']) {
      await draft(fresh, { subject, name: `${subject} issue` })
      fresh.clock.advance(1000)
    }
    await draft(fresh, { subject: 'Elsewhere' }, fresh.keys.other)
  })
  afterAll(() => fresh.close())
  const subjects = async (filters: Record<string, unknown>) =>
    (await fresh.ok('campaigns/list', filters)).items.map(({ subject }: { subject: string }) => subject)

  test("campaigns/list shows a project's campaigns without their documents, oldest first.", async () => {
    const { items, next_cursor } = await fresh.ok('campaigns/list')
    expect(items.map(({ subject }: { subject: string }) => subject)).toEqual(['Ärger', 'Spring', 'Summer'])
    expect(items[0]).not.toHaveProperty('editor_json')
    expect(next_cursor).toBeNull()
  })

  test('campaigns/list pages, and binds the cursor to the filters.', async () => {
    const first = await fresh.ok('campaigns/list', { limit: 2 })
    const last = await fresh.ok('campaigns/list', { limit: 1, cursor: first.next_cursor })
    expect(last).toMatchObject({ items: [{ subject: 'Summer' }], next_cursor: null })
    for (const [more, as] of [
      [{ status: 'draft' }, fresh.keys.owner],
      [{ search: 'x' }, fresh.keys.owner],
      [{}, fresh.keys.other],
    ] as const) {
      expect((await fresh.call('campaigns/list', { cursor: first.next_cursor, ...more }, { as })).body.error.code).toBe(
        'INVALID_CURSOR',
      )
    }
  })

  test('campaigns/list filters by a part of the name or subject, and by status.', async () => {
    expect(await subjects({ search: 'äRG' })).toEqual(['Ärger'])
    expect(await subjects({ search: ' ISSUE ' })).toEqual(['Ärger', 'Spring', 'Summer'])
    expect(await subjects({ search: '%' })).toEqual([])
    const [{ id, name }] = (await fresh.ok('campaigns/list', { search: 'spring' })).items
    await fresh.ok('campaigns/update', { campaign_id: id, subject: 'Neap' })
    expect(await subjects({ search: 'neap' })).toEqual(['Neap'])
    await fresh.ok('campaigns/update', { campaign_id: id, name: 'Tides' })
    expect([await subjects({ search: 'neap' }), await subjects({ search: 'tides' })]).toEqual([['Neap'], ['Neap']])
    await fresh.ok('campaigns/update', { campaign_id: id, name, subject: 'Spring' })
    expect(await subjects({ search: '' })).toHaveLength(3)
    expect(await subjects({ status: 'sent' })).toEqual([])
    expect(await subjects({ status: 'draft', search: 'sum' })).toEqual(['Summer'])
    expect((await fresh.call('campaigns/list', { status: 'unknown' })).body.error.details[0].path).toBe('/status')
    expect((await fresh.call('campaigns/list', { limit: 201 })).status).toBe(400)
  })

  test.each([
    [{ search: 'x' }, 'campaigns_in_order (project_id=? AND created_at>?)'],
    [{ search: '', status: 'sent' as const }, 'campaigns_by_status (status=? AND project_id=? AND created_at>?)'],
  ])('campaigns/list is read in the order of an index with %j, from either end.', async (filters, index) => {
    const of = { project_id: fresh.project.id, ...filters }
    const after = { created_at: START, id: 5 }
    const newest = pageQuery(fresh.service.runtime.store.db, of, { after, most: 51, order: 'newest' })
    const backwards = index.replace('created_at>', 'created_at<')
    expect(await planOf(fresh, newest.getSQL())).toEqual([`SEARCH campaigns USING INDEX ${backwards}`])
    const query = pageQuery(fresh.service.runtime.store.db, of, { after, most: 51 })
    expect(await planOf(fresh, query.getSQL())).toEqual([`SEARCH campaigns USING INDEX ${index}`])
  })
})

test.each(['draft', 'scheduled', 'sent', 'cancelled', 'failed'] as CampaignStatus[])(
  'campaigns/delete removes a campaign that is %s.',
  async (status) => {
    const { id } = await draft(world)
    await put(id, { status })
    expect((await world.ok('campaigns/delete', { campaign_id: id })).campaign).toMatchObject({ id, status })
    for (const operation of OF_ONE_CAMPAIGN) {
      const { status: http, body } = await world.call(`campaigns/${operation}`, { campaign_id: id })
      expect([operation, http, body.error.code]).toEqual([operation, 404, 'NOT_FOUND'])
    }
    expect((await world.call('campaigns/test-send', { campaign_id: id, emails: ['a@harbour.example'] })).status).toBe(
      404,
    )
    expect((await world.call('render', { campaign_id: id })).status).toBe(404)
    expect(
      (await world.ok('campaigns/list', { limit: 200 })).items.map((item: { id: number }) => item.id),
    ).not.toContain(id)
    const [kept] = await world.service.runtime.store.db.select().from(campaigns).where(eq(campaigns.id, id))
    expect(kept!.deleted_at).not.toBeNull()
  },
)

test.each(['preparing', 'sending', 'paused'] as CampaignStatus[])(
  'campaigns/delete refuses a campaign that is %s.',
  async (status) => {
    const { id } = await draft(world)
    await put(id, { status })
    const { status: http, body } = await world.call('campaigns/delete', { campaign_id: id })
    expect([http, body.error.code, body.error.details]).toEqual([409, 'INVALID_STATE', { state: status }])
    expect((await world.call('campaigns/get', { campaign_id: id })).status).toBe(200)
  },
)

test('A campaign of another project is not found by any operation.', async () => {
  const { id } = await draft(world, {}, world.keys.other)
  for (const operation of OF_ONE_CAMPAIGN) {
    const { status, body } = await world.call(`campaigns/${operation}`, { campaign_id: id })
    expect([operation, status, body.error.code]).toEqual([operation, 404, 'NOT_FOUND'])
  }
  expect((await world.ok('campaigns/get', { campaign_id: id }, { as: world.keys.other })).campaign.status).toBe('draft')
})
