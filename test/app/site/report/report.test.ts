import { beforeEach, expect, mock, spyOn, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { ResponseOf } from '../../../../static/app/api/calls.ts'
import type { Campaign } from '../../../../static/app/api/operations.d.ts'
import { unpackRules } from '../../../../static/app/rules/address.ts'
import '../../../../static/app/site/report/events.tsx'
import '../../../../static/app/site/report/letter.tsx'
import '../../../../static/app/site/report/people.tsx'
import { campaign, connection, counts, page } from '../../../support/answers.ts'
import { type Answers, asked, change, inTime, plots, visit } from '../../../support/visit.ts'

const tab = useTab()

const CAMPAIGNS = ['campaigns/get', 'campaigns/list', 'campaigns/readiness']

/** Whether the tab gets the lock of the one that asks often. */
let isFirstTab = true
beforeEach(() => {
  const request = (_: string, __: object, run: () => Promise<void>) =>
    isFirstTab ? run() : new Promise(() => undefined)
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
})

type Stats = ResponseOf<'campaigns/stats'>
const AT = '2026-05-03T12:00:00.000Z'
const moment = (at: string, sent = 1) => ({ at, sent, opens: 2, clicks: 3 })
const stats = (more: Partial<Stats> = {}): Stats =>
  ({ ...counts(more), links: [], timeline: [], minutes: [], waiting: null, ...more }) as Stats

interface Opened {
  numbers?: Partial<Stats> | Refusal
  role?: Role
  at?: string
  answers?: Answers
}

async function open(
  more: Partial<Campaign> = {},
  { numbers = {}, role = 'owner', at = '', answers = {} }: Opened = {},
) {
  const thresholds = { bounced: { watch: 0.02, act: 0.05 }, complained: { watch: 0.001, act: 0.003 } }
  await visit(
    tab,
    `/campaigns/5${at}`,
    {
      'campaigns/get': { campaign: campaign({ status: 'sent', started_at: AT, finished_at: AT, ...more }) },
      'campaigns/stats': numbers instanceof Refusal ? numbers : stats(numbers),
      'campaigns/duplicate': { campaign: { id: 6 } },
      'POST /project/deliverability/get': { deliverability: { thresholds } },
      'settings/get': { settings: { default_connection_id: 1 } },
      'connections/list': page(connection({ max_per_second: 10 })),
      'campaigns/pause': {},
      'campaigns/resume': {},
      'campaigns/cancel': {},
      'campaigns/requeue-failed': { requeued: 1 },
      ...answers,
    },
    role,
  )
}

const tiles = () => tab.texts('.tile')

test('The results of a campaign are told in numbers and shares of those reached.', async () => {
  await open({}, { numbers: { bounces: { hard: 150, soft: 50 }, unsubscribes: 20, complaints: 1, unique_clicks: 1 } })
  expect(tiles()).toEqual([
    'Reached1,000of 1,200',
    'Opened by people60%600 people',
    'Clicked0.1%1 person',
    'Left202%',
    'Bounced200150 hard, 50 soft',
    'Complained10.1%. Watch from 0.1%.',
  ])
  const tones = tab.all('.tile').map((tile) => /tone-\w+/.exec(tile.getAttribute('class')!)?.[0])
  expect(tones).toEqual([undefined, undefined, undefined, undefined, 'tone-bad', undefined])
  expect(tab.text('h1')).toBe('May')
  expect(tab.text('main')).toContain('Sent · 3 May 2026, 12:00 · High water')
})

test.each([
  [23, 1, undefined, undefined],
  [24, 1, 'tone-wait', undefined],
  [59, 2, 'tone-wait', 'tone-wait'],
  [60, 3, 'tone-bad', 'tone-wait'],
  [0, 4, undefined, 'tone-bad'],
])('Of 1,200 messages %i that bounced and %i complaints are marked.', async (hard, complaints, bounced, complained) => {
  await open({}, { numbers: { bounces: { hard, soft: 0 }, complaints } })
  const tones = tab.all('.tile').map((tile) => /tone-\w+/.exec(tile.getAttribute('class')!)?.[0])
  expect(tones.slice(4)).toEqual([bounced, complained])
})

test('Opens by machines are told apart.', async () => {
  await open({ subject: 'May' }, { numbers: { machine_opens: 1_300 } })
  expect(tiles()[1]).toContain('Mail programs that open by themselves are counted apart: 1,300.')
  expect(tab.text('main')).toContain('Sent · 3 May 2026, 12:00Reached'.slice(0, 24))
  expect(tab.text('main')).not.toContain('12:00 · May')
})

test('A campaign that nobody got tells who is left out now.', async () => {
  const excluded = { excluded_by_rule: 0, suppressed: 2, unsubscribed: 31, pending: 0, bounced: 0, complained: 0 }
  await open(
    {},
    { numbers: counts({ recipients: 0, sent: 0 }), answers: { 'campaigns/audience-count': { count: 0, excluded } } },
  )
  expect(tab.text('main')).toContain('Nobody got this campaign. Left out now: 31 unsubscribed, 2 suppressed.')
  expect(tiles()).toEqual([])
})

test('A person who only looks at a new campaign is told that nobody has done anything yet.', async () => {
  const nothing = { unique_opens: 0, unique_clicks: 0, opens: 0, clicks: 0 }
  await open({}, { numbers: nothing })
  expect(tab.text('main')).toContain('Nobody has opened it or followed a link yet.')
  const { sent } = counts()
  for (const more of [{ machine_opens: 1 }, { bounces: { hard: sent, soft: 0 } }]) {
    await open({}, { numbers: { ...nothing, ...more } })
    expect(tab.text('main')).not.toContain('Nobody has opened it')
  }
})

test.each([
  ['of whom it is not certain', { uncertain: 1_500 }, 'Send again to these 1,500…', 'Send again to 1,500 people', true],
  ['whose messages failed', { failed: 1 }, 'Try again for 1 person…', 'Send to 1 person', false],
] as const)('People %s are sent to again after a question.', async (_, numbers, ask, verb, include_uncertain) => {
  await open({}, { numbers })
  expect(tab.button('See them').getAttribute('href')).toEndWith(
    `/campaigns/5?tab=people&status=${include_uncertain ? 'uncertain' : 'failed'}`,
  )
  await tab.press(ask)
  expect(await change(tab, 'campaigns/requeue-failed', () => tab.press(verb))).toEqual({
    busy: [verb],
    again: [...CAMPAIGNS, 'overview'],
  })
  expect(asked(tab, 'campaigns/requeue-failed')).toEqual([{ campaign_id: 5, include_uncertain }])
  expect(tab.text('.toasts')).toContain('1 message is queued again.')
  expect(tab.sent('campaigns/stats')).toHaveLength(2)
})

test('A member sends nothing again.', async () => {
  await open({}, { numbers: { uncertain: 2, failed: 2 }, role: 'member' })
  expect(tab.names().filter((name) => /^(Send|Try|Duplicate)/.test(name))).toEqual([])
  await tab.press('More')
  expect(tab.texts('.menu-item')).toEqual(['Print'])
})

const link = { url: 'https://a.example/x', unique_clicks: 60, clicks: 1_000 }

test('Links stand with who followed them, and an editor makes a segment of those.', async () => {
  await open({}, { numbers: { links: [link] } })
  expect(rowsOf(tab, 'Links')[0]!.slice(0, 4)).toEqual(['https://a.example/x', '60', '1,000', '5%'])
  const href = new URL(tab.button('Make a segment').getAttribute('href')!, 'https://x')
  expect(unpackRules(href.searchParams.get('filter')!)).toEqual({
    op: 'and',
    rules: [{ field: 'clicked', value: { campaign_id: 5, url: link.url } }],
  } as never)
  await open({}, { numbers: { links: [link] }, role: 'member' })
  expect(tab.has('Make a segment of who clicked https://a.example/x')).toBe(false)
})

test('Minutes are drawn while there are few of them, and hours later.', async () => {
  await open({}, { numbers: { timeline: [moment(AT)], minutes: [moment(AT), moment('2026-05-03T12:01:00.000Z')] } })
  expect(tab.texts('.card h2')).toEqual(['By minute'])
  const hours = [moment(AT), moment('2026-05-03T14:00:00.000Z')]
  await open({}, { numbers: { timeline: hours, minutes: [moment(AT), moment('2026-05-03T13:59:00.000Z')] } })
  expect(tab.texts('.card h2')).toEqual(['By minute'])
  await open({}, { numbers: { timeline: hours, minutes: hours } })
  expect(tab.texts('.card h2')).toEqual(['By hour'])
  await open({}, { numbers: { timeline: hours, minutes: [] } })
  expect(tab.texts('.card h2')).toEqual(['By hour'])
  await tab.press('Show as table')
  expect(tab.texts('.chart-table tbody tr').map((row) => row.slice(-3))).toEqual(['123', '123'])
  await open({}, { numbers: { timeline: [moment(AT)], minutes: [moment(AT)] } })
  expect(tab.texts('.card h2')).toEqual([])
})

test.each([
  ['who opened', [{ field: 'opened' }]],
  ['who did not open', [{ field: 'received' }, { field: 'not_opened' }]],
  ['who clicked', [{ field: 'clicked' }]],
])('A segment is made of %s.', async (who, rules) => {
  await open()
  tab.answers['schema/get'] = new Refusal(403, 'FORBIDDEN')
  await tab.press('More')
  await tab.press(`Make a segment: ${who}`)
  const filter = new URL(`https://x${tab.address}`).searchParams.get('filter')!
  expect(tab.address).toStartWith('/segments/new?')
  expect(unpackRules(filter)!.rules).toEqual(rules.map((rule) => ({ ...rule, value: { campaign_id: 5 } })) as never)
})

test('A campaign is duplicated and opened, or it is said why not.', async () => {
  await open()
  // The editor of the copy would leave a campaign that has begun.
  tab.answers['campaigns/get'] = { campaign: campaign({ id: 6, status: 'draft' }) }
  expect(await change(tab, 'campaigns/duplicate', () => tab.press('Duplicate'))).toEqual({
    busy: ['Duplicate'],
    again: [...CAMPAIGNS, 'overview'],
  })
  expect([asked(tab, 'campaigns/duplicate'), tab.address]).toEqual([[{ campaign_id: 5 }], '/campaigns/6/edit'])
  await open({}, { answers: { 'campaigns/duplicate': new Refusal(409, 'LIMIT', undefined, 'Too many.') } })
  await tab.press('Duplicate')
  expect(tab.text('.flaw-summary')).toContain('The campaign could not be duplicated.')
})

test('A campaign that has not begun is opened instead.', async () => {
  await open({ status: 'scheduled', started_at: null, finished_at: null })
  expect(tab.button('Open it').getAttribute('href')).toEndWith('/campaigns/5/review')
  await tab.press('More')
  expect(tab.texts('.menu-item')).toEqual(['Print'])
  expect(tab.has('Duplicate')).toBe(false)
})

const UNDER_WAY = { status: 'sending', finished_at: null } as const

test('People whose messages are not on the way yet wait.', async () => {
  for (const status of ['preparing', 'paused'] as const) {
    await open({ ...UNDER_WAY, status }, { numbers: { queued: 900 } })
    expect(tab.texts('.progress-entry')).toContain('Waiting 900')
  }
})

test('A campaign that leaves tells how far it is, and is stopped.', async () => {
  await open(UNDER_WAY, { numbers: { sent: 300, queued: 900, skipped: 2, cancelled: 1, failed: 4, uncertain: 5 } })
  expect(tab.text('.progress-head')).toBe('300 messages have left')
  expect(tab.texts('.progress-entry')).toEqual(['Sent 300', 'On the way 900', 'Failed 4', 'Skipped 3', 'Not certain 5'])
  expect(await change(tab, 'campaigns/pause', () => tab.press('Pause'))).toEqual({
    busy: ['Pause'],
    again: [...CAMPAIGNS, 'jobs/get', 'jobs/list', 'overview'],
  })
  expect(asked(tab, 'campaigns/pause')).toEqual([{ campaign_id: 5 }])
  expect(tab.sent('campaigns/get')).toHaveLength(2)
  await tab.press('Stop for good…')
  expect(tab.text('dialog')).toContain('300 have it, 900 will not get it.')
  expect(await change(tab, 'campaigns/cancel', () => tab.press('Cancel 900 messages'))).toEqual({
    busy: ['Cancel 900 messages'],
    again: [...CAMPAIGNS, 'jobs/get', 'jobs/list', 'overview'],
  })
  expect(asked(tab, 'campaigns/cancel')).toEqual([{ campaign_id: 5 }])
})

test('A campaign that is prepared has no numbers yet.', async () => {
  await open({ status: 'preparing', started_at: null, finished_at: null }, { numbers: { recipients: 0 } })
  expect(tab.text('.running')).toContain('Counting people and preparing their messages')
})

test('A campaign that leaves can be stopped before its numbers are known.', async () => {
  await open(UNDER_WAY, { answers: { 'campaigns/stats': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('.running')).toContain('Counting people and preparing their messages')
  expect([tab.has('Pause'), tab.body.querySelector('.running .chart')]).toEqual([true, null])
  await tab.press('Stop for good…')
  expect([tab.text('dialog').includes('0 have it, 0 will not get it.'), tab.has('Cancel 0 messages')]).toEqual([
    true,
    true,
  ])
})

test('A paused campaign is resumed, and mended where it failed.', async () => {
  await open({ ...UNDER_WAY, status: 'paused' }, { numbers: { queued: 900 } })
  expect(tab.text('.callout')).toContain('This campaign is paused.Nothing leaves until it is resumed.')
  expect([tab.has('Test the connection'), tab.has('Pause')]).toEqual([false, false])
  expect(await change(tab, 'campaigns/resume', () => tab.press('Resume for 900 people'))).toEqual({
    busy: ['Resume for 900 people'],
    again: [...CAMPAIGNS, 'jobs/get', 'jobs/list', 'overview'],
  })
  expect(asked(tab, 'campaigns/resume')).toEqual([{ campaign_id: 5 }])
  await open({ ...UNDER_WAY, status: 'paused', failure: { reason: 'Too many bounces.' } })
  expect(tab.text('.callout')).toContain('Too many bounces.')
  expect(tab.has('Test the connection')).toBe(true)
})

test('A campaign that a restore paused is resumed by the number of people who may get it twice.', async () => {
  const reason = 'Paused by a restore. The backup is of noon.'
  const resume = ({ acknowledge_doubles }: { acknowledge_doubles?: boolean }) =>
    acknowledge_doubles ? {} : new Refusal(409, 'NOT_READY', { checks: [], required: 'acknowledge_doubles' })
  const paused = { ...UNDER_WAY, status: 'paused', failure: { reason } } as const
  const answers = { 'campaigns/resume': resume, 'campaigns/audience-count': { count: 1_200 } }
  for (const [started_at, people] of [
    [AT, '900'],
    [null, '1,200'],
  ] as const) {
    await open({ ...paused, started_at }, { numbers: { queued: 900 }, answers })
    await tab.press('Resume for 900 people')
    expect(tab.text('dialog')).toContain(reason)
    const before = asked(tab, 'campaigns/resume').length
    await tab.press(`Resume for ${people} people`)
    expect(asked(tab, 'campaigns/resume').length).toBe(before)
    await tab.type('Type the number of people', people)
    await tab.press(`Resume for ${people} people`)
    expect(asked(tab, 'campaigns/resume').at(-1)).toEqual({ campaign_id: 5, acknowledge_doubles: true })
    expect(tab.all('dialog')).toEqual([])
  }
})

test('A person who has just begun a campaign can take it back for ten seconds.', async () => {
  await inTime(tab, async (pass) => {
    await open(UNDER_WAY, { at: '?sent=now', numbers: { queued: 900 } })
    expect(tab.text('.callout')).toContain('Sending has begun.')
    expect([tab.has('Pause now'), tab.has('Pause')]).toEqual([true, false])
    await pass(9_999)
    expect(tab.has('Pause now')).toBe(true)
    await pass(1)
    expect([tab.has('Pause now'), tab.has('Pause')]).toEqual([false, true])
  })
})

test('A member watches.', async () => {
  await open(UNDER_WAY, { role: 'member' })
  expect(tab.text('.running')).toContain('Pausing takes an editor; you are a member here.')
  expect([tab.has('Pause'), tab.has('Stop for good…')]).toEqual([false, false])
})

test('Only an editor takes back what was just begun, and only while it leaves.', async () => {
  await open(UNDER_WAY, { role: 'member', at: '?sent=now' })
  expect([tab.text('.callout').includes('Sending has begun.'), tab.has('Pause now')]).toEqual([true, false])
  await open({ ...UNDER_WAY, status: 'paused' }, { at: '?sent=now' })
  expect(tab.text('main')).not.toContain('Sending has begun.')
})

test('A refusal to pause is told.', async () => {
  await open(UNDER_WAY, { answers: { 'campaigns/pause': new Refusal(409, 'INVALID_STATE', undefined, 'It is over.') } })
  await tab.press('Pause')
  expect(tab.text('.flaw-summary')).toContain('It is over.')
})

test.each([
  ['plan_limit', 'This month'],
  ['daily_limit', 'The connection'],
  ['warm_up', 'The connection is warming up'],
  ['relay', 'The relay cannot be reached now.'],
  ['mailbox_limit', 'Mailbox providers get only so many at once.'],
  ['retry', 'Some messages are tried again later.'],
] as const)('A campaign that waits for %s says so.', async (reason, title) => {
  const waiting = { reason, until: '2020-05-04T12:00:00.000Z', error: '421 slow', held_back: { gmail: 1_200 } }
  await open(UNDER_WAY, { numbers: { waiting } })
  expect(tab.text('.callout')).toStartWith(title)
  expect(tab.text('.callout')).toContain(
    'It goes on by itself at 4 May 2020, 12:00. It said: 421 slow Held back: gmail 1,200.',
  )
})

test('A message that waits until today is told by the clock; one that waits for nothing known goes on.', async () => {
  const until = new Date().toISOString()
  await open(UNDER_WAY, { numbers: { waiting: { reason: 'retry', until, error: null, held_back: {} } } })
  expect(tab.texts('.callout p').at(-1)).toMatch(/^It goes on by itself at \d\d:\d\d\.$/)
  await open(UNDER_WAY, { numbers: { waiting: { reason: 'retry', until: null, error: null, held_back: {} } } })
  expect(tab.texts('.callout p').at(-1)).toBe('It goes on by itself.')
})

test('A campaign under way is asked for every two seconds while it is young, then every ten.', async () => {
  await inTime(tab, async (pass) => {
    let sent = 100
    const young = { ...UNDER_WAY, started_at: new Date().toISOString() }
    await open(young, { answers: { 'campaigns/stats': () => stats({ sent: (sent += 20), queued: 600 }) } })
    const asks = () => tab.sent('campaigns/stats').length
    expect(asks()).toBe(1)
    expect(tab.text('.running')).not.toContain('a second now')
    await pass(2_000)
    expect(asks()).toBe(2)
    for (const ms of [2_000, 2_000]) await pass(ms)
    expect(tab.text('.running')).toContain('10 a second now, of at most 10. It ends at about')
    await pass(60_000)
    const before = asks()
    await pass(9_000)
    expect(asks() - before).toBeLessThanOrEqual(1)
  })
})

test('The pace is at most that of the connection of the campaign, which may have no limit.', async () => {
  await inTime(tab, async (pass) => {
    const speed = async (connection_id: number | null, of: { max_per_second: number | null }) => {
      let sent = 100
      await open(
        { ...UNDER_WAY, connection_id, started_at: new Date().toISOString() },
        {
          answers: {
            'campaigns/stats': () => stats({ sent: (sent += 25), queued: 600 }),
            'connections/list': page(connection({ max_per_second: 10 }), connection({ id: 2, ...of })),
          },
        },
      )
      for (const ms of [2_000, 2_000, 2_000]) await pass(ms)
      return tab.texts('.running p.quiet').find((text) => text.includes('a second now'))!
    }
    expect(await speed(null, { max_per_second: 20 })).toStartWith('10 a second now, of at most 10. It ends at about')
    expect(await speed(2, { max_per_second: 20 })).toStartWith('12.5 a second now, of at most 20. It ends at about')
    expect(await speed(2, { max_per_second: null })).toStartWith('12.5 a second now. It ends at about')
  })
})

test('Another tab asks less often, and a campaign that ended is asked for no more.', async () => {
  isFirstTab = false
  await inTime(tab, async (pass) => {
    await open({ ...UNDER_WAY, started_at: new Date().toISOString() })
    await pass(9_000)
    expect(tab.sent('campaigns/stats')).toHaveLength(1)
    await pass(1_000)
    expect(tab.sent('campaigns/stats')).toHaveLength(2)
    await open()
    await pass(60_000)
    expect(tab.sent('campaigns/stats')).toHaveLength(3)
  })
  isFirstTab = true
})

test('The messages that left are drawn by minute, minutes without any included, and by hour later.', async () => {
  plots.length = 0
  await open(UNDER_WAY, { numbers: { minutes: [moment(AT, 5), moment('2026-05-03T12:03:00.000Z', 7)] } })
  expect(tab.text('.running .chart-title')).toBe('Messages that left, by minute')
  await tab.press('Show as table')
  expect(tab.texts('.running tbody td')).toEqual(['5', '0', '0', '7'])
  await open(UNDER_WAY, { numbers: { timeline: [moment(AT, 5), moment('2026-05-03T14:00:00.000Z', 7)] } })
  expect(tab.text('.running .chart-title')).toBe('Messages that left, by hour')
  await tab.press('Show as table')
  expect(tab.texts('.running tbody td')).toEqual(['5', '0', '7'])
  await open(UNDER_WAY, { numbers: { minutes: [moment(AT)] } })
  expect(tab.text('.running .chart-title')).toBe('Messages that left, by minute')
})

const recipient = (id: number, more: object = {}) => ({
  ...{ id, contact_id: id + 100, email: `p${id}@a.example`, status: 'sent' as const, sent_at: AT, last_error: null },
  ...more,
})

test('Recipients stand with what the relay said, and lead to who they are.', async () => {
  const gone = recipient(2, { contact_id: null, email: null, sent_at: null, last_error: '550 no', status: 'failed' })
  await open({}, { at: '?tab=people', answers: { 'campaigns/recipients': { items: [recipient(1), gone] } } })
  expect(rowsOf(tab, 'Recipients')).toEqual([
    ['p1@a.example', 'Sent', '3 May 2026, 12:00', ''],
    ['deleted', 'Failed', '–', '550 no'],
  ])
  expect(tab.button('p1@a.example').getAttribute('href')).toEndWith('/contacts/101')
  expect(tab.has('deleted')).toBe(false)
  expect(asked(tab, 'campaigns/recipients')).toEqual([{ campaign_id: 5, limit: 50 }])
  expect(tab.has('Next')).toBe(false)
  await tab.type('State', 'failed')
  expect(tab.address).toBe('/campaigns/5?tab=people&status=failed')
  expect(asked(tab, 'campaigns/recipients').at(-1)).toEqual({ campaign_id: 5, limit: 50, status: 'failed' })
  await tab.type('State', '')
  expect(tab.address).toBe('/campaigns/5?tab=people')
})

test('A full page of recipients leads to the next ones.', async () => {
  const items = Array.from({ length: 50 }, (_, at) => recipient(at + 1))
  await open({}, { at: '?tab=people&status=sent&after=9', answers: { 'campaigns/recipients': { items } } })
  expect(asked(tab, 'campaigns/recipients')).toEqual([{ campaign_id: 5, limit: 50, status: 'sent', after_id: 9 }])
  await tab.press('Next')
  expect(tab.address).toBe('/campaigns/5?tab=people&status=sent&after=50')
})

test('An empty table tells whether there is nobody at all.', async () => {
  await open({}, { at: '?tab=people', answers: { 'campaigns/recipients': { items: [] } } })
  expect(tab.text('main')).toContain('Nobody yet.')
  await open({}, { at: '?tab=people&status=failed', answers: { 'campaigns/recipients': { items: [] } } })
  expect(tab.text('main')).toContain('Nobody is in this state.')
})

test('All recipients of a state are exported, page by page, and formulas do no harm.', async () => {
  const files: Blob[] = []
  const made = spyOn(URL, 'createObjectURL').mockImplementation((file) => (files.push(file as Blob), 'blob:x'))
  try {
    const first = Array.from({ length: 200 }, (_, at) => recipient(at + 1))
    const last = [
      recipient(300, { email: '=1+1', last_error: 'a "b"' }),
      recipient(301, { email: null, sent_at: null }),
    ]
    await open(
      {},
      {
        at: '?tab=people&status=sent',
        answers: {
          'campaigns/recipients': ({ limit, after_id }) => ({ items: limit === 50 ? last : after_id ? last : first }),
        },
      },
    )
    await tab.press('Export CSV')
    await tab.settled()
    while (files.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    expect(asked(tab, 'campaigns/recipients').slice(1)).toEqual([
      { campaign_id: 5, status: 'sent', limit: 200 },
      { campaign_id: 5, status: 'sent', limit: 200, after_id: 200 },
    ])
    const lines = (await files[0]!.text()).split('\r\n')
    expect([lines.length, lines[0], ...lines.slice(-3)]).toEqual([
      204,
      'email,status,sent_at,relay',
      `'=1+1,sent,${AT},"a ""b"""`,
      ',sent,,',
      '',
    ])
  } finally {
    made.mockRestore()
  }
})

const event = (id: number, more: object = {}) => ({
  ...{ id, contact_id: 7, email: 'p@a.example', type: 'open' as const, at: AT },
  ...more,
})

test('Events are told, those by machines as such, with their address or the answer of the relay.', async () => {
  const bounce = (kind: string, response?: string) => event(1, { type: 'bounce', detail: { kind, response } })
  const items = [
    event(1, { machine: true as const }),
    event(2, { type: 'click', url: 'https://a.example' }),
    { ...bounce('hard', '550 no'), id: 3 },
    { ...bounce('soft'), id: 4, contact_id: null, email: null },
    event(5, { type: 'failed', detail: 'Given up.' }),
  ]
  await open({}, { at: '?tab=events', answers: { 'campaigns/events': { items } } })
  expect(rowsOf(tab, 'Events, the latest first').map(([who, what, , detail]) => [who, what, detail])).toEqual([
    ['p@a.example', 'Opened by a machine', ''],
    ['p@a.example', 'Clicked', 'https://a.example'],
    ['p@a.example', 'Bounced', 'For good: 550 no'],
    ['deleted', 'Bounced', 'For now'],
    ['p@a.example', 'Failed', 'Given up.'],
  ])
  expect(asked(tab, 'campaigns/events')).toEqual([{ campaign_id: 5, order: 'newest', limit: 50 }])
  await tab.type('What', 'bounce')
  expect(tab.address).toBe('/campaigns/5?tab=events&type=bounce')
})

test('A full page of events leads to older ones of the same kind.', async () => {
  const items = Array.from({ length: 50 }, (_, at) => event(90 - at))
  await open({}, { at: '?tab=events&type=open&after=99', answers: { 'campaigns/events': { items } } })
  expect(asked(tab, 'campaigns/events')).toEqual([
    { campaign_id: 5, order: 'newest', limit: 50, type: 'open', after_id: 99 },
  ])
  await tab.press('Older')
  expect(tab.address).toBe('/campaigns/5?tab=events&type=open&after=41')
})

test('How far an export is is told, and why there is none.', async () => {
  const held = Promise.withResolvers<void>()
  const items = Array.from({ length: 200 }, (_, at) => recipient(at + 1))
  const answer = async ({ limit, after_id }: { limit: number; after_id?: number }) => {
    if (limit === 50 || after_id === undefined) return { items }
    await held.promise
    return new Refusal(403, 'FORBIDDEN', undefined, 'Not yours.')
  }
  await open({}, { at: '?tab=people', answers: { 'campaigns/recipients': answer } })
  await tab.press('Export CSV')
  await tab.settled()
  expect([
    tab.text('.report').includes('200 people so far'),
    tab.button('Export CSV').getAttribute('aria-busy'),
  ]).toEqual([true, 'true'])
  held.resolve()
  await tab.settled()
  expect(tab.text('.flaw-summary')).toContain('Nothing was exported.')
  expect(tab.text('.report')).not.toContain('so far')
})

test('A report is printed.', async () => {
  const printed = mock(() => undefined)
  Object.assign(globalThis, { print: printed })
  tab.atEnd(() => Reflect.deleteProperty(globalThis, 'print'))
  await open()
  await tab.press('More')
  await tab.press('Print')
  expect(printed).toHaveBeenCalledTimes(1)
})

test('Parts of the report are in the address.', async () => {
  await open({}, { at: '?tab=people&sent=now', answers: { 'campaigns/recipients': { items: [] } } })
  await tab.press('Overview')
  expect(tab.address).toBe('/campaigns/5?sent=now')
  tab.answers['campaigns/events'] = { items: [] }
  await tab.press('Events')
  expect(tab.address).toBe('/campaigns/5?sent=now&tab=events')
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Events'])
  tab.answers['render'] = { html: '<p>Hi</p>' }
  await tab.press('Letter')
  expect(tab.address).toBe('/campaigns/5?sent=now&tab=letter')
  expect(tab.text('.report')).toContain('The number at a link says how many people clicked it.')
  // The back button leaves the report.
  expect(tab.pushed).toEqual([])
})

test('A report that could not be loaded says so.', async () => {
  const refusal = new Refusal(403, 'FORBIDDEN')
  await open({}, { numbers: refusal })
  expect(tab.text('main')).toContain('The numbers could not be loaded.')
  await open({}, { at: '?tab=people', answers: { 'campaigns/recipients': refusal } })
  expect(tab.text('main')).toContain('Recipients could not be loaded.')
  await open({}, { at: '?tab=events', answers: { 'campaigns/events': refusal } })
  expect(tab.text('main')).toContain('Events could not be loaded.')
  await open({}, { answers: { 'campaigns/get': refusal } })
  expect(tab.text('main')).toContain('The campaign could not be loaded.')
})
