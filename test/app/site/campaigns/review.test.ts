import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { Campaign, ReadinessCheck } from '../../../../static/app/api/operations.d.ts'
import { unpackRules } from '../../../../static/app/rules/address.ts'
import { entryOf, optionOf } from '../../../../static/app/site/campaigns/audience-options.ts'
import { flawOf } from '../../../../static/app/site/campaigns/when-card.tsx'
import { campaign, connection, counts, list, page, segment, tag } from '../../../support/answers.ts'
import { type Answers, asked, change, flawed, flawsAt, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

const CAMPAIGNS = ['campaigns/get', 'campaigns/list', 'campaigns/readiness']
const MENDED = ['campaigns/readiness', 'connections/list', 'settings/get']

const NOBODY = { excluded_by_rule: 0, suppressed: 0, unsubscribed: 0, pending: 0, bounced: 0, complained: 0 }
const SETTINGS = {
  ...{ from_name: 'Harbour News', from_email: 'news@a.example', reply_to: '', postal_address: 'Quay 1' },
  ...{ default_connection_id: 1, timezone: 'UTC' },
}
const flaw = (code: ReadinessCheck['code'], more: Partial<ReadinessCheck> = {}): ReadinessCheck => ({
  ...{ code, ok: false, severity: 'error', message: `Flaw of ${code}.` },
  ...more,
})

interface Opened {
  checks?: ReadinessCheck[]
  people?: number
  role?: Role
  at?: string
  lists?: number[]
  answers?: Answers
}

async function open(
  more: Partial<Campaign> = {},
  { checks = [], people = 312, role = 'owner', at = '', lists = [1, 2], answers = {} }: Opened = {},
) {
  const kept = campaign(more)
  await visit(
    tab,
    `/campaigns/5/review${at}`,
    {
      'campaigns/get': { campaign: kept },
      'settings/get': { settings: SETTINGS },
      'connections/list': page(connection()),
      'campaigns/audience-count': { count: people, excluded: NOBODY },
      'campaigns/readiness': { checks: [flaw('content', { ok: true, message: 'There is a letter.' }), ...checks] },
      'lists/list': page(...lists.map((id) => list(id, `List ${id}`))),
      'tags/list': page(tag(5, 'VIP')),
      'segments/list': page(segment(4, 'Lapsed')),
      'campaigns/list': page({ ...campaign({ id: 4, status: 'sent' }), stats: counts() }),
      'campaigns/update': (body) => ({ campaign: { ...kept, ...body, updated_at: '2026-06-01T00:00:00.000Z' } }),
      render: { html: '<p>Hi</p>', text: '', subject: '', size_bytes: 1, warnings: [] },
      'campaigns/send': {},
      'campaigns/schedule': {},
      'campaigns/unschedule': {},
      'campaigns/stats': new Refusal(403, 'FORBIDDEN'),
      ...answers,
    },
    role,
  )
}

const bar = () => tab.text('.review-bar')
const SEND = 'Send to 312 people'

test('A campaign that is ready is sent to as many as were counted again.', async () => {
  await open()
  expect(tab.text('#audience')).toContain('312 people See themNobody is left out.')
  expect(tab.text('#sender')).toContain('Harbour News <news@a.example>, through Relay')
  expect(bar()).toBe('May · 312 people · nowSend to 312 people')
  await tab.press(SEND)
  expect(tab.text('dialog h2')).toBe('Send “May” to 312 people?')
  expect(tab.text('dialog')).toContain(
    'From Harbour News <news@a.example>, through Relay, starting now. It leaves as fast as the relay takes it.',
  )
  expect(tab.body.querySelector('dialog input')).toBeNull()
  expect(await change(tab, 'campaigns/send', () => tab.press(SEND))).toEqual({
    busy: [SEND],
    again: [...CAMPAIGNS, 'jobs/get', 'jobs/list', 'overview'],
  })
  expect(asked(tab, 'campaigns/send')).toEqual([{ campaign_id: 5 }])
  expect(tab.address).toBe('/campaigns/5?sent=now')
})

test('A number that changed is told, and nothing is sent before another press.', async () => {
  await open()
  await tab.press(SEND)
  tab.answers['campaigns/audience-count'] = { count: 320, excluded: NOBODY }
  await tab.press(SEND)
  expect(tab.text('dialog .callout')).toContain('It was 312 when you looked; it is 320 now.')
  expect(tab.sent('campaigns/send')).toEqual([])
  await tab.press('Send to 320 people')
  expect(tab.sent('campaigns/send')).toHaveLength(1)
})

test('A send without an answer is asked for again with its key.', async () => {
  await inTime(tab, async (pass) => {
    await open({}, { answers: { 'campaigns/send': new Refusal(503, 'UNAVAILABLE', undefined, 'Gone.') } })
    await tab.press(SEND)
    for (let presses = 0; presses < 2; presses++) {
      await tab.press(SEND)
      await pass(500)
      await pass(2_000)
      expect(tab.text('dialog')).toContain('No answer yet. Press the button again to ask: it cannot happen twice.')
    }
    const keys = tab.sent('campaigns/send').map((body) => body.idempotency_key)
    expect([keys.length, new Set(keys).size]).toEqual([6, 1])
  })
})

test('People who could not be counted are counted again by the button.', async () => {
  await open()
  tab.answers['campaigns/audience-count'] = new Refusal(403, 'FORBIDDEN')
  await tab.press(SEND)
  expect(tab.text('dialog')).toContain('People could not be counted.')
  tab.answers['campaigns/audience-count'] = { count: 312, excluded: NOBODY }
  await tab.press(SEND)
  expect([tab.text('dialog').includes('could not be counted'), tab.sent('campaigns/send')]).toEqual([false, []])
})

test.each([
  ['ten thousand people', 10_000, 9_000, true],
  ['fewer, as often before', 9_999, 9_000, false],
  ['twenty times the last', 2_000, 100, true],
  ['not quite twenty times the last', 1_999, 100, false],
  ['a first campaign', 9_999, 0, false],
])('The number is typed before a letter leaves to %s.', async (_, people, recipients, isTyped) => {
  const answers: Answers = { 'campaigns/list': { items: [{ stats: counts({ recipients }) }], next_cursor: null } }
  await open({}, { people, answers })
  const verb = `Send to ${people.toLocaleString('en')} people`
  await tab.press(verb)
  expect(tab.body.querySelector('dialog input') !== null).toBe(isTyped)
  if (!isTyped) return
  await tab.press(verb)
  expect(tab.sent('campaigns/send')).toEqual([])
  await tab.type('Type the number of people', people.toLocaleString('en'))
  await tab.press(verb)
  expect(tab.sent('campaigns/send')).toHaveLength(1)
})

test('A campaign is scheduled by the clock of the project.', async () => {
  await open()
  await tab.check('At a time')
  expect(bar()).toContain('May · 312 people · at a time')
  expect(bar()).toContain('Choose a time first')
  await tab.type('Date and time', '2020-01-01T10:00')
  expect(tab.text('#when')).toContain('Choose a time that is at least a minute ahead.')
  await tab.type('Date and time', '2099-01-01T10:00')
  expect(bar()).toContain('1 Jan 2099, 10:00')
  await tab.press('Schedule for 312 people')
  expect(tab.text('dialog')).toContain('at 1 Jan 2099, 10:00 (UTC).')
  expect(tab.text('dialog')).toContain('You can change or cancel it until then.')
  await tab.press('Schedule for 312 people')
  expect(asked(tab, 'campaigns/schedule')).toEqual([
    { campaign_id: 5, scheduled_at: '2099-01-01T10:00:00.000Z', timezone: 'UTC' },
  ])
  expect(tab.address).toBe('/campaigns')
})

test('A moment is a minute ahead.', () => {
  const at = (ms: number) => flawOf({ kind: 'at', at: new Date(Date.now() + ms).toISOString(), zone: 'UTC' })
  expect([at(50_000) === null, at(70_000) === null]).toEqual([false, true])
  expect(flawOf({ kind: 'now', at: '2020-01-01T00:00:00.000Z', zone: 'UTC' })).toBeNull()
})

test('A scheduled campaign tells when it leaves, and can be made a draft again.', async () => {
  await open({ status: 'scheduled', scheduled_at: '2099-01-01T10:00:00.000Z', timezone: 'Asia/Tokyo' })
  expect(tab.text('main')).toContain('It leaves on 1 Jan 2099, 19:00 (Asia/Tokyo).')
  expect(tab.button('Campaigns').getAttribute('href')).toEndWith('/campaigns')
  expect(tab.field('Date and time').value).toBe('2099-01-01T19:00')
  expect(await change(tab, 'campaigns/unschedule', () => tab.press('Make it a draft again'))).toEqual({
    busy: ['Make it a draft again'],
    again: [...CAMPAIGNS, 'overview'],
  })
  expect(asked(tab, 'campaigns/unschedule')).toEqual([{ campaign_id: 5 }])
})

test('A campaign that has begun leads to its report.', async () => {
  await open({ status: 'sending' })
  expect(tab.text('main')).toContain('This campaign has begun.')
  expect(tab.button('Show it').getAttribute('href')).toEndWith('/campaigns/5')
  await open({ status: 'failed', name: '' })
  expect(tab.text('h1')).toBe('High water')
  expect(bar()).toContain(SEND)
})

test('A member looks, and sends nothing.', async () => {
  await open({ status: 'scheduled', scheduled_at: '2099-01-01T10:00:00.000Z', timezone: 'UTC' }, { role: 'member' })
  expect(bar()).toContain('Sending takes an editor; you are a member here.')
  expect([tab.has('Make it a draft again'), tab.has('Schedule for 312 people')]).toEqual([false, false])
})

test.each<[ReadinessCheck['code'], string]>([
  ['subject', 'Write a subject first'],
  ['content', 'Write the letter first'],
  ['sender', 'Say who writes first'],
  ['connection_verified', 'Test the connection first'],
  ['postal_address', 'Set the postal address first'],
  ['audience', 'Choose people first'],
  ['plan_limit', 'Too many people for this month'],
  ['provider_limit', 'Too many people for a day'],
  ['links', 'Mend the letter first'],
])('The thing that %s lacks stands in the place of the verb.', async (code, first) => {
  await open({}, { checks: [flaw(code)] })
  expect(bar()).toEndWith(`${first}Flaw of ${code}.`)
  await tab.press(first)
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Without a connection one is chosen first.', async () => {
  await open({ connection_id: 9 }, { checks: [flaw('connection_verified')] })
  expect(bar()).toContain('Choose a connection first')
  expect(tab.text('#sender')).toContain('no connection yet')
  expect(tab.button('Add a connection').getAttribute('href')).toEndWith('/sending/new')
})

test('Checks stand by how grave they are, those that passed out of the way.', async () => {
  await open(
    {},
    {
      checks: [
        flaw('spf', { severity: 'warning' }),
        flaw('subject'),
        flaw('size', { ok: true, skipped: true, message: 'Was not weighed.' }),
      ],
    },
  )
  const lines = tab.all('#checks .check-line').map((line) => line.getAttribute('class'))
  expect(lines).toEqual([
    'check-line tone-bad',
    'check-line tone-wait',
    'check-line tone-good',
    'check-line tone-quiet',
  ])
  expect(tab.text('#checks summary')).toBe('1 check passed, 1 not made')
  expect(tab.texts('#checks details li')).toEqual(['There is a letter.', 'Was not weighed.'])
  await tab.press('Check again')
  expect(tab.sent('campaigns/readiness')).toHaveLength(2)
})

test('Nothing is sent before the checks and the number of people have come.', async () => {
  for (const late of ['campaigns/readiness', 'campaigns/audience-count']) {
    let come = () => {}
    const answer = late === 'campaigns/readiness' ? { checks: [] } : { count: 312, excluded: NOBODY }
    await open({}, { answers: { [late]: () => new Promise((resolve) => (come = () => resolve(answer))) } })
    const button = () => tab.find('.review-bar .button-primary')
    button().click()
    await tab.settled()
    expect([late, button().getAttribute('aria-disabled'), tab.all('dialog').length]).toEqual([late, 'true', 0])
    come()
    await tab.settled()
    expect([late, button().hasAttribute('aria-disabled')]).toEqual([late, false])
  }
})

test('The checks run again when somebody comes back to the page, and not when they leave it.', async () => {
  await open()
  const seen = (state: string) =>
    tab.act(() => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
  tab.atEnd(() => Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true }))
  const looks = tab.sent('campaigns/readiness').length
  await seen('hidden')
  expect(tab.sent('campaigns/readiness')).toHaveLength(looks)
  await seen('visible')
  expect(tab.sent('campaigns/readiness')).toHaveLength(looks + 1)
})

test('A warning does not keep a campaign.', async () => {
  await open({}, { checks: [flaw('spf', { severity: 'warning' })] })
  expect(bar()).toContain(SEND)
})

const mend = () => tab.find('#checks .checks')
const href = (name: string) => tab.button(name).getAttribute('href')

test('Each flaw leads to where it is mended.', async () => {
  await open(
    {},
    { checks: [flaw('subject'), flaw('audience'), flaw('plan_limit'), flaw('provider_limit'), flaw('text_ratio')] },
  )
  expect(href('Write a subject')).toEndWith('/campaigns/5/edit?field=subject')
  expect(href('Choose people')).toBe('?field=audience')
  expect(href('Look at the usage')).toEndWith('/settings')
  expect(href('Change the limit')).toEndWith('/sending/1?field=max_per_day')
  expect(href('Write the letter')).toEndWith('/campaigns/5/edit?field=letter')
})

test('A person who is no administrator is told who mends.', async () => {
  const codes = ['sender', 'postal_address', 'connection_verified', 'provider_limit'] as const
  await open({}, { checks: codes.map((code) => flaw(code)), role: 'editor' })
  expect(href('Say who writes')).toBe('?field=from_email')
  expect(href('Look at the limit')).toEndWith('/sending/1?field=max_per_day')
  expect(mend().textContent).toContain('Writing the postal address takes an administrator')
  expect(mend().textContent).toContain('Testing connections takes an administrator')
  await open(
    { connection_id: 9 },
    { checks: [flaw('connection_verified'), flaw('provider_limit'), flaw('spf')], role: 'editor' },
  )
  expect(mend().textContent).toContain('Adding connections takes an administrator')
  expect(href('Look at the limit')).toEndWith('/sending?field=max_per_day')
  await open({}, { checks: [flaw('spf')], role: 'editor' })
  expect([tab.has('All records'), tab.has('Show the record')]).toEqual([true, false])
})

test('The sender and the postal address are written in place.', async () => {
  const saved: Answers = { 'settings/update': {} }
  await open({}, { checks: [flaw('sender'), flaw('postal_address')], answers: saved })
  await tab.type('Postal address', 'Quay 2')
  expect(await change(tab, 'settings/update', () => tab.press('Save the address'))).toEqual({
    busy: ['Save the address'],
    again: MENDED,
  })
  await tab.press('Say who writes')
  expect(tab.field('Name').value).toBe('Harbour News')
  await tab.type('Address', 'new@a.example')
  expect(await change(tab, 'settings/update', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['campaigns/readiness', 'settings/get'],
  })
  expect(asked(tab, 'settings/update')).toEqual([
    { postal_address: 'Quay 2' },
    { from_name: 'Harbour News', from_email: 'new@a.example', postal_address: 'Quay 1' },
  ])
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(tab.sent('campaigns/readiness').length).toBeGreaterThan(1)
})

test('A connection is tested in place, and says what the relay said.', async () => {
  await open(
    {},
    { checks: [flaw('connection_verified')], answers: { 'connections/test': { ok: false, error: '535 no' } } },
  )
  expect(await change(tab, 'connections/test', () => tab.press('Test the connection'))).toEqual({
    busy: ['Test the connection'],
    again: MENDED,
  })
  await import('../../../../static/app/relay-words.ts')
  await tab.settled()
  expect(mend().textContent).toContain('The server refused the user name or the password. 535 no')
  tab.answers['connections/test'] = { ok: false, error: null }
  await tab.press('Test the connection')
  expect(mend().textContent).toContain('The relay said: The relay refused.')
  tab.answers['connections/test'] = { ok: true, error: null }
  await tab.press('Test the connection')
  expect(mend().textContent).not.toContain('The relay said')
})

test('A record that is missing is shown, or looked for to be shown.', async () => {
  await open({}, { checks: [flaw('spf')], answers: { 'connections/verify-dns': {} } })
  expect(await change(tab, 'connections/verify-dns', () => tab.press('Show the record'))).toEqual({
    busy: ['Show the record'],
    again: MENDED,
  })
  expect(asked(tab, 'connections/verify-dns')).toEqual([{ connection_id: 1 }])
  const check = { name: 'spf' as const, ok: false, found: null, expected: 'v=spf1', record: null, hint: '' }
  const known = connection({ dns: { domain: 'a.example', checked_at: '2026-05-03T12:00:00.000Z', checks: [check] } })
  await open({}, { checks: [flaw('spf')], answers: { 'connections/list': page(known) } })
  expect(mend().textContent).toContain('Expected SPF recordv=spf1')
  expect(tab.has('Look again')).toBe(true)
})

const block = (id: string, type: string, props: object) => ({ id, type, props })
const LETTER = {
  blocks: [
    block('a', 'text', { html: '<p>High water is at noon</p>' }),
    block('b', 'button', { href: 'https://x.example/a?b=1&amp;c', label: 'Go' }),
    block('c', 'image', {
      src: 'https://y.example/i.png',
      alt: 'A very long description of a ship on the sea, at noon',
    }),
    block('d', 'line', {}),
  ],
} as unknown as Campaign['editor_json']

test('A letter that is too long names its heaviest blocks, one with a bad link those with it.', async () => {
  await open({ editor_json: LETTER }, { checks: [flaw('size')] })
  expect(
    [...mend().querySelectorAll('li a')].map((a) => [a.textContent, a.getAttribute('href')!.split('?')[1]]),
  ).toEqual([
    ['Image: A very long description of a ship on the sea, at', 'block=c&field=block'],
    ['Button', 'block=b&field=block'],
    ['Text: High water is at noon', 'block=a&field=block'],
  ])
  await open({ editor_json: LETTER }, { checks: [flaw('links', { message: 'See https://x.example/a?b=1&c.' })] })
  expect([...mend().querySelectorAll('li a')].map((a) => a.getAttribute('href')!.split('?')[1])).toEqual([
    'block=b&field=href',
  ])
  await open({ editor_json: LETTER }, { checks: [flaw('links', { message: 'Some link.' })] })
  expect(href('Open the letter')).toEndWith('/campaigns/5/edit?field=letter')
  tab.data.base_url_problem = 'The operator sets MASTHEAD_BASE_URL.'
  await open({ editor_json: LETTER }, { checks: [flaw('links', { message: 'The operator sets MASTHEAD_BASE_URL.' })] })
  expect(href('Look at the sending')).toEndWith('/sending')
})

test('The people to include and to leave out are stored at once.', async () => {
  await open({ audience_spec: { include: [{ type: 'list', id: 1 }], exclude: [{ type: 'tag', id: 5 }] } })
  expect(tab.texts('#audience .chip')).toEqual(['List 1', 'VIP'])
  await tab.choose('Include', 'Lapsed')
  const sent = () => asked(tab, 'campaigns/update').at(-1)
  expect(sent()).toEqual({
    ...{ campaign_id: 5, expected_updated_at: '2026-05-03T12:00:00.000Z', return: 'summary' },
    audience_spec: {
      include: [
        { type: 'list', id: 1 },
        { type: 'segment', id: 4 },
      ],
      exclude: [{ type: 'tag', id: 5 }],
    },
  })
  await tab.press('Remove VIP')
  const include = [
    { type: 'list', id: 1 },
    { type: 'segment', id: 4 },
  ]
  expect(sent().audience_spec).toEqual({ include, exclude: [] })
  expect(sent().expected_updated_at).toBe('2026-06-01T00:00:00.000Z')
})

test('Everybody is never left out.', async () => {
  await open()
  await tab.key('ArrowDown', {}, tab.field('But not'))
  expect(tab.texts('[role=option]')).toEqual(['List 1List', 'List 2List', 'LapsedSegment', 'VIPTag'])
})

test('A change that crossed another one is told.', async () => {
  await open({}, { answers: { 'campaigns/update': new Refusal(409, 'CONFLICT', undefined, 'Crossed.') } })
  await tab.choose('Include', 'Everybody')
  expect(tab.text('.flaw-summary')).toContain('Somebody else has changed this campaign.')
})

test('Those who are left out are counted by the reason, and can be looked at.', async () => {
  const excluded = { ...NOBODY, unsubscribed: 31, suppressed: 2, excluded_by_rule: 1_000 }
  const answers: Answers = { 'campaigns/audience-count': { count: 1, excluded } }
  await open({ audience_spec: { include: [{ type: 'list', id: 1 }], exclude: [{ type: 'tag', id: 5 }] } }, { answers })
  expect(tab.text('#audience .audience-count')).toBe(
    '1 person See themLeft out: 1,000 excluded by you · 31 unsubscribed · 2 suppressed',
  )
  expect(href('2 suppressed')).toEndWith('/suppressions')
  const rules = (name: string) =>
    JSON.stringify(unpackRules(new URL(href(name)!, 'https://x').searchParams.get('filter')!))
  expect(rules('1,000 excluded by you')).toContain('"tag"')
  expect(rules('31 unsubscribed')).toContain('unsubscribed')
  expect(rules('See them')).toContain('subscribed')
  await open({ audience_spec: { include: [{ type: 'list', id: 1 }], exclude: [{ type: 'tag', id: 5 }] } })
  expect(tab.text('#audience')).toContain('Nobody else is left out.')
})

test('People who could not be counted are not called none.', async () => {
  await open({}, { answers: { 'campaigns/audience-count': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('#audience')).toContain('People could not be counted.')
  expect(bar()).toContain('May · people · now')
})

test('The only list of a project is offered to a campaign without people, and stored once it is sent.', async () => {
  await open({ audience_spec: { include: [] } }, { lists: [1], checks: [flaw('audience')] })
  expect(tab.texts('#audience .chip')).toEqual(['List 1'])
  expect(tab.text('#checks')).not.toContain('Flaw of audience.')
  await tab.press(SEND)
  expect(asked(tab, 'campaigns/update').at(-1).audience_spec).toEqual({ include: [{ type: 'list', id: 1 }] })
  expect(tab.text('dialog h2')).toBe('Send “May” to 312 people?')
})

test('Nothing is offered where there are several lists, or where the person only looks.', async () => {
  await open({ audience_spec: { include: [] } }, { lists: [1, 2] })
  expect(tab.text('#audience')).toContain('Nobody is chosen yet.')
  expect(bar()).toContain('May · 0 people · now')
  expect(tab.sent('campaigns/audience-count')).toEqual([])
  await open({ audience_spec: { include: [] } }, { lists: [1], role: 'member' })
  expect(tab.text('#audience')).toContain('Nobody is chosen yet.')
})

test('The sender of one campaign is written where it differs.', async () => {
  await open({ from_name: 'Ada', reply_to: 'ada@a.example' })
  expect(tab.text('#sender')).toContain('Ada <news@a.example>, answers to ada@a.example, through Relay')
  await tab.press('Change')
  expect(tab.field('Address').getAttribute('placeholder')).toBe('news@a.example')
  await tab.type('Connection', '1')
  expect(await change(tab, 'campaigns/update', () => tab.press('Save the sender'))).toEqual({
    busy: ['Save the sender', SEND],
    again: ['campaigns/list', 'campaigns/readiness', 'overview'],
  })
  expect(asked(tab, 'campaigns/update').at(-1)).toMatchObject({
    ...{ from_name: 'Ada', from_email: '', reply_to: 'ada@a.example', connection_id: 1 },
  })
  await tab.type('Connection', '')
  await tab.press('Save the sender')
  expect(asked(tab, 'campaigns/update').at(-1).connection_id).toBeNull()
  await tab.press('Close')
  expect(tab.has('Save the sender')).toBe(false)
})

test('A flaw of a sender stands at its field.', async () => {
  await open(
    {},
    {
      checks: [flaw('sender')],
      answers: {
        'campaigns/update': flawed('reply_to', 'from_email', 'from_name'),
        'settings/update': flawed('postal_address', 'from_email', 'from_name'),
      },
    },
  )
  await tab.press('Change')
  await tab.press('Save the sender')
  expect(flawsAt(tab, 'Name', 'Address', 'Answers go to')).toEqual(['from_name', 'from_email', 'reply_to'])
  await tab.press('Say who writes')
  await tab.press('Save')
  expect(flawsAt(tab, 'Name', 'Address', 'Postal address')).toEqual(['from_name', 'from_email', 'postal_address'])
})

test('A campaign without a sender leads to where one is set, or opens its own fields.', async () => {
  const none: Answers = { 'settings/get': { settings: { ...SETTINGS, from_name: '', from_email: '' } } }
  await open({ subject: '' }, { answers: none, at: '?field=from_email' })
  expect(tab.text('#sender')).toContain('No sender yetNo subject yet')
  expect(href('Say who writes')).toEndWith('/sending/sender')
  expect(tab.has('Save the sender')).toBe(true)
})

test('A campaign that could not be loaded says so.', async () => {
  await open({}, { answers: { 'campaigns/get': new Refusal(404, 'NOT_FOUND') } })
  expect(tab.text('main')).toContain('The campaign could not be loaded.')
  await open({}, { answers: { 'settings/get': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('main')).toContain('The campaign could not be loaded.')
})

test('An entry of an audience is an option, and the other way round.', () => {
  expect(['all', 'tag:9'].map(entryOf).map(optionOf)).toEqual(['all', 'tag:9'])
  expect(entryOf('segment:4')).toEqual({ type: 'segment', id: 4 })
})

test('The review shows the letter, and what became of the last test messages.', async () => {
  await open({ tests: [] } as object)
  expect(tab.text('#letter')).toContain('Nobody got a test message of this letter yet.')
  expect(tab.find('#letter iframe').getAttribute('src')).toBe('/portal/preview-frame')
  expect(asked(tab, 'render')).toEqual([{ campaign_id: 5 }])
  const tests = [
    { email: 'bo@a.example', status: 'failed', at: '2026-05-03T11:00:00.000Z', error: 'no such mailbox' },
    { email: 'ada@a.example', status: 'sent', at: '2026-05-03T11:00:00.000Z', error: 'try later' },
    { email: 'cleo@a.example', status: 'queued', at: '2026-05-03T11:00:00.000Z', error: null },
  ]
  await open({ tests, updated_at: '2026-05-03T10:00:00.000Z' } as object)
  expect(tab.text('#letter')).toContain('with this letter:')
  expect(tab.texts('#letter li')).toEqual([
    'bo@a.example: not sent, because no such mailbox',
    'ada@a.example: sent',
    'cleo@a.example: under way',
  ])
  await open({ tests, updated_at: '2026-05-03T12:00:00.000Z' } as object)
  expect(tab.text('#letter')).toContain('before the last change of the letter:')
})
