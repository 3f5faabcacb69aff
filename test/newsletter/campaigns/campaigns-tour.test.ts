import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, test } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts'
import { projects } from '../../../src/store/tables/accounts.ts'
import { segments } from '../../../src/store/tables/segments.ts'
import { campaigns, sandbox_messages } from '../../../src/store/tables/delivery.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { messageLines } from '../../support/tour-messages.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type SendingTour, tourOfSending } from '../sending-tour.ts'
import { addPeople } from './support.ts'

let world: World
let tour: SendingTour
beforeEach(async () => {
  world = await createWorld()
  tour = tourOfSending(world)
})
afterEach(() => world.close())

/** Ids of what `prepare` makes. */
const [OPEN, CLOSED, LEFT, NEIGHBORS] = [1, 2, 3, 4]
const [GOLD, SILVER, NEIGHBORS_TAG] = [1, 2, 3]
const [ADAS, NOBODY, NEIGHBORS_SEGMENT] = [1, 2, 3]
const [SANDBOX, SECOND, NEIGHBORS_RELAY] = [1, 2, 3]
const [PLAIN, NEIGHBORS_TEMPLATE] = [1, 2]
const campaign = { mine: 0 }

const text = (html: string, id = 'a') => ({ version: 1, settings: {}, blocks: [{ id, type: 'text', props: { html } }] })

async function prepare(): Promise<void> {
  const other = { as: world.keys.other }
  for (const name of ['Open', 'Closed', 'Left']) await world.ok('lists/create', { name })
  await world.ok('lists/create', { name: 'Open' }, other)
  for (const name of ['gold', 'silver']) await world.ok('tags/create', { name })
  await world.ok('tags/create', { name: 'gold' }, other)
  const named = (value: string) => ({ op: 'and', rules: [{ field: 'email', operator: 'contains', value }] })
  await world.ok('segments/create', { name: 'Adas', rules: named('a@') })
  await world.ok('segments/create', { name: 'Nobody', rules: named('nobody') })
  await world.ok('segments/create', { name: 'Adas', rules: named('a@') }, other)
  for (const [name, options] of [
    ['Sandbox', {}],
    ['Second', {}],
    ['Sandbox', other],
  ] as const)
    await world.ok('connections/create', { name, provider: 'sandbox' }, options)
  await world.ok('templates/create', { name: 'Plain', subject: 'Plain words', editor_json: text('<p>Plain</p>') })
  await world.ok('templates/create', { name: 'Plain', editor_json: text('<p>Theirs</p>') }, other)
  await addPeople(world, [
    { email: 'ada@example.org', first_name: 'Ada', lists: { [OPEN]: 'subscribed' }, tags: [GOLD] },
    { email: 'bob@example.org', first_name: 'Bob', lists: { [OPEN]: 'subscribed', [CLOSED]: 'subscribed' } },
    { email: 'cleo@example.org', first_name: 'Cleo', lists: { [OPEN]: 'pending', [LEFT]: 'subscribed' } },
    { email: 'dan@example.org', first_name: 'Dan', lists: { [OPEN]: 'unsubscribed' }, tags: [GOLD, SILVER] },
    { email: 'eve@example.org', lists: { [OPEN]: 'subscribed' }, status: 'unsubscribed' },
    { email: 'fay@example.org', lists: { [OPEN]: 'subscribed' }, suppressed: 'manual', tags: [SILVER] },
    { email: 'gus@example.org', lists: { [OPEN]: 'subscribed' }, status: 'bounced' },
    { email: 'hal@example.org', lists: { [CLOSED]: 'subscribed' }, status: 'complained' },
    { email: 'ida@example.org', first_name: 'Ada', lists: { [CLOSED]: 'pending' }, status: 'pending' },
    { email: 'jon@example.org', first_name: 'Jon' },
  ])
  await addPeople(
    world,
    [
      { email: 'ada@example.org', first_name: 'Ada', lists: { [NEIGHBORS]: 'subscribed' }, tags: [NEIGHBORS_TAG] },
      { email: 'zoe@example.org', first_name: 'Zoe', lists: { [OPEN]: 'subscribed' }, tags: [GOLD] },
    ],
    world.other.id,
  )
  await tour.skip()
}

const all = { include: [{ type: 'all' }] }
const list = (id: number) => ({ type: 'list', id })

test('Answers and rows of the life of drafts are those that are recorded.', async () => {
  await prepare()
  await drafts()
  await changes()
  await reads()
  await audiences()
  await duplicatesAndDeletions()
  expectRecorded('sending/drafts.txt', tour.text())
})

async function drafts(): Promise<void> {
  tour.heading('Drafts')
  const mine = await tour.call('campaigns/create', { subject: 'Bare', audience_spec: { include: [] } })
  campaign.mine = mine.campaign.id
  await tour.call('campaigns/create', {
    name: 'Everything',
    subject: 'All of it, {{ contact.first_name }}',
    preheader: 'A line before',
    editor_json: text('<p>Whole</p>'),
    template_id: PLAIN,
    audience_spec: {
      include: [list(OPEN), { type: 'tag', id: GOLD }, { type: 'segment', id: ADAS }],
      exclude: [list(LEFT), { type: 'tag', id: SILVER }, { type: 'segment', id: NOBODY }],
    },
    connection_id: SECOND,
    from_name: '  Harbour  Desk ',
    from_email: ' Desk@Harbour.example',
    reply_to: 'answers@harbour.example ',
    track_opens: false,
    track_clicks: false,
    utm_source: 'source-1',
    utm_medium: 'medium-2',
    utm_campaign: 'campaign-3',
  })
  await tour.call('settings/update', { track_opens: false })
  await tour.call('campaigns/create', { template_id: PLAIN, audience_spec: all })
  await tour.call('settings/update', { track_opens: true, track_clicks: false })
  await tour.call('campaigns/create', { template_id: PLAIN, subject: 'Own', name: 'Named', audience_spec: all })
  await tour.call('settings/update', { track_clicks: true })
  const { campaign: made } = await world.ok('campaigns/create', { template_id: 'builtin:letter', audience_spec: all })
  tour.write(
    `From the gallery: ${JSON.stringify([made.name, made.subject, made.template_id, made.editor_json.blocks.length])}`,
  )
  await tour.call('campaigns/create', { subject: '', audience_spec: all, connection_id: null })
  await tour.call('campaigns/create', { subject: 'Theirs', audience_spec: all }, { as: 'other' })
  await tour.changes()

  tour.heading('Refused drafts')
  const refused = (more: object, options = {}) =>
    tour.call('campaigns/create', { subject: 'x', audience_spec: all, ...more }, options)
  await tour.call('campaigns/create', { audience_spec: all })
  await tour.call('campaigns/create', { subject: 'x' })
  await refused({ template_id: NEIGHBORS_TEMPLATE })
  await refused({ template_id: 99 })
  await refused({ template_id: 'builtin:none' })
  await refused({ template_id: 'letter' })
  await refused({ connection_id: NEIGHBORS_RELAY })
  await refused({ connection_id: 0 })
  await refused({ from_email: 'no address' })
  await refused({ reply_to: 'zoë@harbour.example' })
  await refused({ from_name: 'Two\nlines' })
  await refused({ name: 'n'.repeat(301) })
  await refused({ subject: 's'.repeat(301), preheader: 'p'.repeat(301), utm_source: 'u'.repeat(101) })
  await refused({ utm_medium: 'u'.repeat(101), utm_campaign: 'u'.repeat(101), from_name: 'f'.repeat(201) })
  await refused({ editor_json: { version: 2 } })
  await refused({ status: 'sent' })
  await refused({
    audience_spec: { include: [list(OPEN), list(NEIGHBORS)], exclude: [{ type: 'tag', id: NEIGHBORS_TAG }] },
  })
  await refused({ audience_spec: { include: [{ type: 'segment', id: NEIGHBORS_SEGMENT }], exclude: [list(99)] } })
  await refused({ audience_spec: { include: [{ type: 'list' }] } })
  await refused({ audience_spec: { include: [{ type: 'group', id: 1 }], exclude: null } })
  await refused({ audience_spec: { include: Array.from({ length: 51 }, () => list(OPEN)) } })
  const many = (count: number) => Array.from({ length: count }, () => ({ type: 'segment', id: ADAS }))
  await refused({ audience_spec: { include: many(6), exclude: many(5) } })
  await refused({}, { as: 'member' })
  await refused({}, { as: await world.token('editor', ['newsletter:read']) })
  await refused({}, { as: await world.token('editor', ['newsletter:write']) })
  await refused({}, { as: 'svc_pk_unknown' })
  await refused({}, { key: null })
  await refused({ name: 'n'.repeat(300), preheader: 'p'.repeat(300), utm_source: 'u'.repeat(100) }, { as: 'editor' })
  await tour.changes()
}

async function changes(): Promise<void> {
  tour.heading('Changes')
  const campaign_id = campaign.mine
  const update = (more: object, options = {}) => tour.call('campaigns/update', { campaign_id, ...more }, options)
  const { campaign: before } = await world.ok('campaigns/get', { campaign_id })
  await update({})
  await update({ name: 'Barer' })
  await update({ subject: 'More {{ contact.email }}' }, { as: 'administrator' })
  await update({ preheader: 'Read on', from_name: 'Desk ', from_email: 'desk@harbour.example', return: 'summary' })
  await update({ reply_to: 're@harbour.example', utm_source: 'a', utm_medium: 'b', utm_campaign: 'c', return: 'full' })
  await update({ track_opens: false, track_clicks: false, connection_id: SANDBOX })
  await update({ editor_json: text('<p>Mine</p>'), template_id: PLAIN })
  await update({ template_id: PLAIN, track_opens: true })
  await update({ audience_spec: { include: [list(OPEN)], exclude: [] }, connection_id: null, from_email: '' })
  const { campaign: now } = await world.ok('campaigns/get', { campaign_id })
  await update({ subject: 'Late', expected_updated_at: before.updated_at })
  await update({ subject: 'In time', expected_updated_at: now.updated_at })
  await update({ expected_updated_at: 'yesterday' })
  await update({ return: 'nothing' })
  await update({ audience_spec: { include: [list(CLOSED), list(NEIGHBORS)] } })
  await update({ connection_id: NEIGHBORS_RELAY })
  await update({ template_id: NEIGHBORS_TEMPLATE })
  await update({ editor_json: { version: 1, settings: {}, blocks: [{ id: 'a', type: 'none', props: {} }] } })
  await update({ subject: 'Not mine' }, { as: 'other' })
  await update({ subject: 'Not allowed' }, { as: 'member' })
  await tour.call('campaigns/update', { campaign_id: 999, subject: 'None' })
  // A clock that stands still or was set back does not keep an earlier change's time.
  const at = world.clock.now()
  world.clock.advance(-HOUR_MS)
  await update({ name: 'Barest' })
  world.clock.advance(at - world.clock.now())
  // What is gone stays in an audience that names it.
  await update({ audience_spec: { include: [list(OPEN), { type: 'segment', id: NOBODY }] } })
  await world.service.runtime.store.write((tx) => tx.delete(segments).where(eq(segments.id, NOBODY)))
  await update({ audience_spec: { include: [{ type: 'segment', id: NOBODY }, list(CLOSED)] } })
  await tour.call('campaigns/create', { subject: 'x', audience_spec: { include: [{ type: 'segment', id: NOBODY }] } })
  await tour.changes()
}

async function reads(): Promise<void> {
  tour.heading('Reads')
  const campaign_id = campaign.mine
  await tour.call('campaigns/get', { campaign_id })
  await tour.call('campaigns/get', { campaign_id: 2 }, { as: 'member' })
  await tour.call('campaigns/get', { campaign_id }, { as: 'other' })
  await tour.call('campaigns/get', { campaign_id }, { as: await world.token('owner', ['newsletter:write']) })
  await tour.call('campaigns/get', { campaign_id }, { as: await world.token('member', ['newsletter:read']) })
  await tour.call('campaigns/get', {})
  await tour.call('campaigns/list', {})
  const name = (item: any) => [item.id, item.name]
  await tour.pages('campaigns/list', { limit: 3 }, name)
  await tour.pages('campaigns/list', { limit: 3, order: 'newest' }, name)
  await tour.pages('campaigns/list', { limit: 3, order: 'oldest' }, name)
  await tour.pages('campaigns/list', { search: ' OWN ' }, name)
  await tour.pages('campaigns/list', { search: 'plain' }, name)
  await tour.pages('campaigns/list', { search: 'zebra' }, name)
  for (const status of ['draft', 'scheduled', 'sent']) await tour.pages('campaigns/list', { status, limit: 2 }, name)
  await tour.call('campaigns/list', { limit: 1, include: ['stats'] })
  for (const wrong of [
    { status: 'gone' },
    { limit: 0 },
    { limit: 101 },
    { order: 'name' },
    { cursor: 'x' },
    { include: ['a'] },
  ])
    await tour.call('campaigns/list', wrong)
}

async function audiences(): Promise<void> {
  const campaign_id = campaign.mine
  tour.heading('Readiness')
  await tour.call('campaigns/readiness', { campaign_id })
  await tour.call('campaigns/readiness', { campaign_id: 2 }, { as: 'member' })
  await tour.call('campaigns/readiness', { campaign_id }, { as: 'other' })
  const { store, config } = world.service.runtime
  await store.write((tx) => tx.update(campaigns).set({ connection_id: 99 }).where(eq(campaigns.id, 2)))
  await tour.call('campaigns/readiness', { campaign_id: 2 })
  await store.write((tx) => tx.update(campaigns).set({ connection_id: SECOND }).where(eq(campaigns.id, 2)))
  Object.assign(config, { sandbox: false })
  await tour.call('campaigns/readiness', { campaign_id: 2 })
  await tour.call('campaigns/send', { campaign_id: 2 })
  Object.assign(config, { sandbox: true })

  tour.heading('Audiences')
  const entries = {
    open: list(OPEN),
    closed: list(CLOSED),
    left: list(LEFT),
    gold: { type: 'tag', id: GOLD },
    silver: { type: 'tag', id: SILVER },
    adas: { type: 'segment', id: ADAS },
    all: { type: 'all' },
  }
  type Name = keyof typeof entries
  const counted = async (include: Name[], exclude: Name[] = []) => {
    const spec = { include: include.map((one) => entries[one]), exclude: exclude.map((one) => entries[one]) }
    const { count, excluded } = await world.ok('campaigns/audience-count', { audience_spec: spec })
    tour.write(
      `${include.join(' + ')}${exclude.map((one) => ` - ${one}`).join('')}: ${count} ${JSON.stringify(excluded)}`,
    )
  }
  await counted(['all'])
  for (const one of ['open', 'closed', 'left', 'gold', 'silver', 'adas'] as const) {
    await counted([one])
    await counted(['all'], [one])
    await counted(['open', one], ['silver'])
    await counted([one, 'left'], ['adas'])
  }
  await counted([])
  await counted(['open'], ['all'])
  await tour.call('campaigns/audience-count', { campaign_id: 2 })
  await tour.call('campaigns/audience-count', { campaign_id: 2, audience_spec: all })
  await tour.call('campaigns/audience-count', {})
  await tour.call('campaigns/audience-count', { audience_spec: { include: [list(NEIGHBORS)] } })
  await tour.call('campaigns/audience-count', { campaign_id: 2 }, { as: 'other' })
}

async function duplicatesAndDeletions(): Promise<void> {
  tour.heading('Copies and deletions')
  await tour.call('campaigns/duplicate', { campaign_id: 2 })
  const { campaign: copy } = await tour.call('campaigns/duplicate', { campaign_id: campaign.mine })
  await tour.call('campaigns/duplicate', { campaign_id: copy.id }, { as: 'editor' })
  await world.ok('campaigns/update', { campaign_id: copy.id, name: 'é'.repeat(250) })
  await tour.call('campaigns/duplicate', { campaign_id: copy.id })
  await tour.call('campaigns/duplicate', { campaign_id: copy.id }, { as: 'other' })
  await tour.call('campaigns/duplicate', { campaign_id: copy.id }, { as: 'member' })
  await tour.call('campaigns/delete', { campaign_id: copy.id }, { as: 'member' })
  await tour.call('campaigns/delete', { campaign_id: copy.id }, { as: 'other' })
  await tour.call('campaigns/delete', { campaign_id: copy.id })
  await tour.call('campaigns/delete', { campaign_id: copy.id })
  for (const operation of [
    'get',
    'update',
    'duplicate',
    'send',
    'readiness',
    'stats',
    'events',
    'recipients',
    'cancel',
  ])
    await tour.call(`campaigns/${operation}`, { campaign_id: copy.id })
  await tour.pages('campaigns/list', { limit: 5 }, (item) => item.id)
  await tour.changes()
  await world.service.drain('maintenance')
  await tour.changes()
}

const connected = {
  from_name: 'Harbour',
  from_email: 'news@harbour.example',
  postal_address: 'Quay 1, Hamburg',
  company_name: 'Harbour Ltd',
}

test('Answers and rows of the states of campaigns are those that are recorded.', async () => {
  await prepare()
  await world.ok('settings/update', { ...connected, default_connection_id: SANDBOX, timezone: 'Europe/Oslo' })
  await times()
  await schedules()
  await sends()
  await afterwards()
  expectRecorded('sending/states.txt', tour.text())
})

const draft = async (more: object = {}): Promise<number> =>
  (
    await world.ok('campaigns/create', {
      subject: 'Tides',
      audience_spec: { include: [list(OPEN), list(CLOSED)] },
      editor_json: text('<p>High water on {{ date }}.</p>'),
      ...more,
    })
  ).campaign.id

async function times(): Promise<void> {
  tour.heading('Times to schedule')
  const campaign_id = await draft()
  await tour.skip()
  const at = async (scheduled_at: string, timezone = 'Europe/Oslo') => {
    const { status, body } = await world.call('campaigns/schedule', { campaign_id, scheduled_at, timezone })
    const { data, error } = body
    const [flaw] = error?.details ?? []
    const said = data?.campaign.scheduled_at ?? `${flaw.path} ${flaw.message.slice(0, 90)}`
    tour.write(`${scheduled_at} ${timezone}: ${status} ${said}`)
  }
  for (const local of ['2026-03-28T02:30', '2026-03-29T01:59:59', '2026-03-29T02:30', '2026-03-29T03:00'])
    for (const offset of ['', 'Z', '+01:00', '+02:00', '+0100']) await at(local + offset)
  for (const local of ['2026-10-25T02:30', '2026-10-25T02:30:15.250', '2026-10-25T03:00'])
    for (const offset of ['', 'Z', '+01:00', '+02:00']) await at(local + offset)
  for (const local of ['2026-10-31T23:30', '2026-11-01T01:30', '2027-02-28T12:00', '2028-02-29T12:00'])
    for (const zone of ['America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC']) await at(local, zone)
  for (const wrong of ['2027-02-29T12:00', '2026-04-31T12:00', '2026-13-01T12:00', '2026-01-15', '2026-05-01T24:00'])
    await at(wrong)
  for (const zone of ['Mars/Base', '+01:00', 'Europe', 'utc', '']) await at('2026-05-01T12:00', zone)
  await at('2026-05-01T12:00-03:30', 'America/St_Johns')
  await at('2026-05-01T12:00-02:30', 'America/St_Johns')
  await at('2026-05-01T12:00+05:45', 'Asia/Kathmandu')
  const now = world.clock.now()
  for (const ms of [-1, 999, 1000, 1001]) await at(new Date(now + ms).toISOString(), 'UTC')
  await tour.changes()
}

async function schedules(): Promise<void> {
  tour.heading('Scheduled campaigns')
  const soon = (minutes: number) => new Date(world.clock.now() + minutes * MINUTE_MS).toISOString()
  const at = (campaign_id: number, minutes: number, options = {}) =>
    tour.call('campaigns/schedule', { campaign_id, scheduled_at: soon(minutes), timezone: 'Europe/Oslo' }, options)
  const one = await draft({ subject: 'Early tides' })
  const two = await draft({ subject: 'No content', editor_json: undefined })
  const three = await draft({ subject: 'No audience', audience_spec: { include: [list(OPEN)], exclude: [list(OPEN)] } })
  const four = await draft({ subject: 'Late tides', connection_id: SECOND })
  const five = await draft({ subject: 'Own sender', from_email: 'desk@harbour.example', from_name: 'Desk' })
  await at(one, 60)
  await at(one, 30, { as: 'editor' })
  await at(one, 45, { as: 'member' })
  await at(one, 45, { as: 'other' })
  await at(one, 45, { as: await world.token('owner', ['newsletter:write']) })
  await at(two, 30)
  await at(three, 29)
  await at(four, 45, { as: await world.token('editor', ['newsletter:send']) })
  await at(five, 31)
  await tour.call('campaigns/send', { campaign_id: one })
  await tour.call('campaigns/pause', { campaign_id: one })
  await tour.call('campaigns/resume', { campaign_id: one })
  await tour.call('campaigns/requeue-failed', { campaign_id: one })
  await tour.call('campaigns/unschedule', { campaign_id: two })
  await tour.call('campaigns/unschedule', { campaign_id: five }, { as: 'member' })
  await tour.call('campaigns/unschedule', { campaign_id: five }, { as: 'other' })
  await tour.call('campaigns/unschedule', { campaign_id: five })
  await tour.call('campaigns/unschedule', { campaign_id: five })
  await tour.call('campaigns/update', { campaign_id: one, preheader: 'Changed while it waits', return: 'summary' })
  await tour.pages('campaigns/list', { status: 'scheduled' }, ({ id, scheduled_at, timezone }) => [
    id,
    scheduled_at,
    timezone,
  ])
  await tour.changes()
  world.clock.advance(28 * MINUTE_MS)
  await world.settle()
  await tour.changes()
  world.clock.advance(MINUTE_MS)
  await world.settle()
  await tour.changes()
  world.clock.advance(MINUTE_MS)
  await world.settle()
  await tour.changes()
  tour.write(...messageLines(await tour.received()))
  await tour.call('connections/delete', { connection_id: SECOND })
  await tour.call('campaigns/get', { campaign_id: three })
  await tour.call('campaigns/send', { campaign_id: three })
  await tour.call('campaigns/update', {
    campaign_id: three,
    audience_spec: { include: [list(LEFT)] },
    return: 'summary',
  })
  await at(three, 5)
  await tour.call('campaigns/cancel', { campaign_id: three }, { as: 'member' })
  await tour.call('campaigns/cancel', { campaign_id: three })
  await tour.call('campaigns/cancel', { campaign_id: three })
  await at(three, 5)
  await tour.call('campaigns/update', { campaign_id: three, subject: 'x' })
  await tour.call('campaigns/delete', { campaign_id: four })
  world.clock.advance(HOUR_MS)
  await world.settle()
  await tour.changes()
}

async function sends(): Promise<void> {
  tour.heading('Sending')
  const id = await draft({ subject: 'Sent at once', audience_spec: all })
  const empty = await draft({ subject: ' ', audience_spec: { include: [] }, editor_json: undefined })
  const limited = await draft({ subject: 'Beyond the plan', audience_spec: all })
  await tour.call('campaigns/send', { campaign_id: id }, { as: 'member' })
  await tour.call('campaigns/send', { campaign_id: id }, { as: await world.token('owner', ['newsletter:write']) })
  await tour.call('campaigns/send', { campaign_id: empty })
  await tour.call('campaigns/test-send', { campaign_id: empty, emails: ['own@harbour.example'] })
  await tour.call('campaigns/send', { campaign_id: id }, { as: 'editor' })
  for (const operation of ['send', 'pause', 'resume', 'delete', 'unschedule', 'requeue-failed'])
    await tour.call(`campaigns/${operation}`, { campaign_id: id })
  await tour.call('campaigns/update', { campaign_id: id, subject: 'Too late' })
  await world.service.drain('jobs')
  await tour.changes()
  for (const operation of ['send', 'resume', 'delete', 'pause', 'pause'])
    await tour.call(`campaigns/${operation}`, { campaign_id: id })
  await tour.call('campaigns/stats', { campaign_id: id })
  await world.settle()
  await tour.changes()
  await tour.call('campaigns/resume', { campaign_id: id }, { as: 'member' })
  await tour.call('campaigns/resume', { campaign_id: id })
  await world.settle()
  await tour.changes()
  tour.write(...messageLines(await tour.received()))
  for (const operation of ['send', 'resume', 'pause', 'cancel', 'requeue-failed'])
    await tour.call(`campaigns/${operation}`, { campaign_id: id })
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(projects).set({ monthly_limit: 15 }).where(eq(projects.id, world.project.id)))
  await tour.call('campaigns/readiness', { campaign_id: limited })
  await tour.call('campaigns/send', { campaign_id: limited })
  await tour.call('campaigns/update', {
    campaign_id: limited,
    audience_spec: { include: [list(OPEN)] },
    return: 'summary',
  })
  await tour.call('campaigns/send', { campaign_id: limited })
  await world.service.drain('jobs')
  await tour.call('campaigns/cancel', { campaign_id: limited })
  await world.settle()
  await store.write((tx) => tx.update(projects).set({ monthly_limit: null }).where(eq(projects.id, world.project.id)))
  await tour.changes()
}

async function afterwards(): Promise<void> {
  tour.heading('Afterwards')
  for (const status of ['draft', 'scheduled', 'preparing', 'sending', 'sent', 'paused', 'cancelled', 'failed'])
    await tour.pages('campaigns/list', { status }, ({ id, name }) => [id, name])
  await tour.call('campaigns/list', { include: ['stats'], status: 'sent' })
  await tour.pages('campaigns/recipients', { campaign_id: 2 }, (item) => item)
  await tour.call('overview', {})
  for (const days of [1, 28, 31, 400]) {
    world.clock.advance(days * DAY_MS)
    await world.service.drain('maintenance')
    tour.write(`After ${days} days: ${await world.service.runtime.store.db.$count(sandbox_messages)} messages`)
    await tour.changes()
  }
}
