import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { ResponseOf } from '../../../../static/app/api/calls.ts'
import type { Settings } from '../../../../static/app/api/operations.d.ts'
import { unpackRules } from '../../../../static/app/rules/address.ts'
import { attention } from '../../../../static/app/attention.ts'
import { campaign, connection, counts, list, page } from '../../../support/answers.ts'
import { type Answers, asked, change, flawed, flawsAt, plots, visit } from '../../../support/visit.ts'

const tab = useTab({ sandbox: true })

type Overview = ResponseOf<'overview'>
const STATES = { draft: 0, scheduled: 0, preparing: 0, sending: 0, sent: 0, paused: 0, cancelled: 0, failed: 0 }

interface Opened {
  people?: number
  pending?: number
  growth?: Overview['growth']
  limit?: number | null
  lists?: number[]
  total?: number
  states?: Partial<typeof STATES>
  settings?: Partial<Settings>
  connections?: ReturnType<typeof connection>[]
  campaigns?: object[]
  role?: Role
  answers?: Answers
}

function overviewOf(given: Opened) {
  const { people = 1_200, pending = 0, growth = [], limit = 5_000, lists = [1], total = 3, states = {} } = given
  return {
    contacts: { total: people + pending, by_status: { subscribed: people, pending } },
    sending: { this_month: 400, monthly_limit: limit },
    ...{ growth, campaigns_in_doubt: [], campaigns: { total, by_status: { ...STATES, ...states } } },
    lists: lists.map((id) => ({ id })),
  }
}

async function open(given: Opened = {}) {
  const { settings = {} } = given
  await visit(
    tab,
    '/',
    {
      overview: overviewOf(given) as object,
      'campaigns/list': { items: (given.campaigns ?? []) as never, next_cursor: null },
      'settings/get': {
        settings: {
          from_name: 'News',
          from_email: 'n@a.example',
          postal_address: 'Quay',
          default_connection_id: 1,
          ...settings,
        },
      },
      'connections/list': page(...(given.connections ?? [connection()])),
      'imports/list': page(),
      'POST /project/apps/overview': { apps: [], scripts: [] },
      'GET /user/invitations': { invitations: [] },
      'POST /project/deliverability/get': new Refusal(403, 'FORBIDDEN'),
      'lists/create': { list: list(9, 'Newsletter') },
      'connections/create': { connection: connection({ id: 4 }) },
      'connections/test': { ok: true },
      'settings/update': {},
      ...given.answers,
    },
    given.role,
  )
}

const tiles = () => tab.texts('.tile')
const day = (date: string, subscribed: number, unsubscribed: number) => ({ date, subscribed, unsubscribed })

test('A project is told in four numbers.', async () => {
  const sent = { ...campaign({ id: 8, status: 'sent', name: 'April' }), stats: counts() }
  await open({ campaigns: [{ ...campaign(), stats: counts() }, sent] })
  expect(tiles()).toEqual([
    'Subscribed people1,200Nobody joined or left in 30 days',
    'Sent this month400Of the limit of the monthof 5,000',
    'Clicks of the last campaign5%April',
    'Bounces and complaints–Could not be loaded',
  ])
  const hrefs = tab.all('.tile').map((tile) => (tile.querySelector('a') ?? tile).getAttribute('href'))
  expect(hrefs[2]).toEndWith('/campaigns/8')
  const filter = new URL(hrefs[0]!, 'https://x').searchParams.get('filter')
  expect(unpackRules(filter!)!.rules as unknown).toEqual([
    { field: 'global_status', operator: 'eq', value: 'subscribed' },
  ])
})

test('A project that has sent nothing is told so.', async () => {
  const total = { sent: 0, bounced: 0, complained: 0 }
  const thresholds = { bounced: { watch: 0.02, act: 0.05 }, complained: { watch: 0.001, act: 0.003 } }
  await open({
    limit: null,
    campaigns: [{ ...campaign({ status: 'sent' }), stats: counts({ sent: 0 }) }],
    answers: { 'POST /project/deliverability/get': { deliverability: { total, thresholds } } },
  })
  expect(tiles().slice(1)).toEqual([
    'Sent this month400Without a limit',
    'Clicks of the last campaign–May',
    'Bounces and complaints–No letter was sent in 30 days',
  ])
  await open({ campaigns: [{ ...campaign({ status: 'sent', name: '' }), stats: counts({ sent: 0 }) }] })
  expect(tiles()[2]).toBe('Clicks of the last campaign–High water')
  await open()
  expect(tiles()[2]).toBe('Clicks of the last campaign–Nothing was sent yet')
})

test.each([
  [10, 0, 'Fine', 'tone-good'],
  [20, 0, 'Watch', 'tone-wait'],
  [0, 3, 'Act', 'tone-bad'],
])(
  'Of a thousand messages %i that bounced and %i complaints are called %s.',
  async (bounced, complained, word, tone) => {
    const total = { sent: 1_000, bounced, complained }
    const thresholds = { bounced: { watch: 0.02, act: 0.05 }, complained: { watch: 0.001, act: 0.003 } }
    await open({ answers: { 'POST /project/deliverability/get': { deliverability: { total, thresholds } } } })
    expect(tiles()[3]).toStartWith(`Bounces and complaints${word}`)
    expect(tab.all('.tile')[3]!.getAttribute('class')).toContain(tone)
    expect(asked(tab, 'POST /project/deliverability/get').map(({ days }) => days)).toContain(30)
  },
)

test.each([
  [[day('2026-05-01', 5, 2), day('2026-05-02', 2, 0)], '5 more in 30 days', '7 joined, 2 left: 5 more'],
  [[day('2026-05-01', 0, 1_200)], '1,200 fewer in 30 days', '0 joined, 1,200 left: 1,200 fewer'],
  [[day('2026-05-01', 2, 2)], 'As many as 30 days ago', '2 joined, 2 left: as many as before'],
])('Growth %# is told as what is left of it.', async (growth, note, head) => {
  plots.length = 0
  await open({ growth })
  expect(tiles()[0]).toEndWith(note)
  expect(tab.text('main')).toContain(head)
  await tab.press('Show as table')
  expect(tab.texts('.chart-table tbody td').slice(0, 2)).toEqual([
    growth[0]!.subscribed.toLocaleString('en'),
    growth[0]!.unsubscribed.toLocaleString('en'),
  ])
})

test('A project without people draws no growth.', async () => {
  await open({ people: 0 })
  expect(tab.text('main')).not.toContain('The last 30 days')
})

test('The five newest campaigns stand with what people did.', async () => {
  const rows = Array.from({ length: 6 }, (_, at) => ({
    ...campaign({ id: at + 1, name: `No ${at + 1}` }),
    stats: counts(),
  }))
  rows[1] = { ...rows[1]!, name: '', subject: '', stats: counts({ recipients: 0, sent: 0 }) }
  await open({ campaigns: rows })
  expect(rowsOf(tab, 'Recent campaigns').slice(0, 2)).toEqual([
    ['No 1', 'Draft', '1,200', '50%', '5%'],
    ['A letter without a subject', 'Draft', '–', '–', '–'],
  ])
  expect(rowsOf(tab, 'Recent campaigns')).toHaveLength(5)
  expect(tab.button('New campaign').getAttribute('class')).toContain('button-primary')
})

test('Before the first campaign another button is the first.', async () => {
  await open()
  expect(tab.button('New campaign').getAttribute('class')).toContain('button-secondary')
  expect(tab.text('main')).toContain('No letter yet.')
})

const start = () => tab.texts('.start-steps > li > button')
const done = () => tab.all('.start-steps > li').map((step) => step.hasAttribute('data-done'))

test('A new project is led through five steps, the first open one unfolded.', async () => {
  await open({ settings: { from_email: '' }, people: 0, lists: [], total: 0, connections: [] })
  expect(start()).toEqual([
    'Say who writes',
    'Choose how mail leaves',
    'Make a list',
    'Add people',
    'Write the first letter',
  ])
  expect(tab.text('.start')).toContain('0 of 5 done. About 10 minutes left.')
  await tab.type('Address', 'ada@a.example')
  await tab.submit('.start-form')
  expect(asked(tab, 'settings/update')).toEqual([
    { from_name: 'News', from_email: 'ada@a.example', postal_address: 'Quay' },
  ])
})

test.each<[string, Opened, boolean[]]>([
  ['a sender without a name', { settings: { from_name: '' } }, [false, true, true, true, true]],
  ['a sender without a postal address', { settings: { postal_address: '' } }, [false, true, true, true, true]],
  [
    'a connection that was not tested',
    { connections: [connection({ verified_at: null })] },
    [true, false, true, true, true],
  ],
  ['no default', { settings: { default_connection_id: null } }, [true, false, true, true, true]],
  ['no list', { lists: [] }, [true, true, false, true, true]],
  ['nobody', { people: 0 }, [true, true, true, false, true]],
  ['nobody who confirmed', { people: 0, pending: 1 }, [true, true, true, false, true]],
  ['no letter', { total: 0 }, [true, true, true, true, false]],
])('With %s there is one step left.', async (_, given, wanted) => {
  await open(given)
  expect([done(), tab.text('.start')]).toEqual([wanted, expect.stringContaining('4 of 5 done. About 2 minutes left.')])
})

test('The next step takes the focus of the one that is done, and says that a person has not confirmed.', async () => {
  await open({ people: 0, pending: 1, lists: [] })
  tab.field('Name of the list').focus()
  tab.answers.overview = overviewOf({ people: 0, pending: 1 })
  await tab.submit('.start-form')
  expect(document.activeElement?.textContent).toContain('Add people')
  expect(tab.text('.start')).toContain('1 person has not confirmed yet.')
})

test('A project that has all of it is led nowhere, nor is one whose steps were hidden.', async () => {
  await open()
  expect(tab.body.querySelector('.start')).toBeNull()
  await open({ people: 0 })
  await tab.press('Hide')
  expect(tab.body.querySelector('.start')).toBeNull()
  await open({ people: 0 })
  expect(tab.body.querySelector('.start')).toBeNull()
})

test('No step is shown before it is known which ones are done.', async () => {
  for (const name of ['settings/get', 'connections/list', 'overview'] as const) {
    await open({ people: 0, answers: { [name]: () => new Promise(() => undefined) } })
    expect([name, tab.text('h1'), tab.body.querySelector('.start')]).toEqual([name, 'Home', null])
  }
})

test('A step is unfolded and folded again.', async () => {
  await open({ people: 0, total: 0 })
  expect(tab.button('Copy the sign-up form').getAttribute('href')).toEndWith('/lists/1/form')
  expect(tab.button('Add one').getAttribute('href')).toEndWith('/contacts?add=yes')
  await tab.press('Write the first letter')
  expect(tab.button('Choose a design').getAttribute('href')).toEndWith('/campaigns/new?design=letter')
  expect(tab.has('Add one')).toBe(false)
  await tab.press('Write the first letter')
  expect(tab.body.querySelector('.start-body')).toBeNull()
})

test('The sandbox is ready at once.', async () => {
  await open({ connections: [] })
  expect(await change(tab, 'connections/create', () => tab.press('Use the sandbox'))).toEqual({
    busy: ['Use the sandbox'],
    again: ['connections/list', 'settings/get'],
  })
  expect(asked(tab, 'connections/create')).toEqual([{ name: 'Sandbox', provider: 'sandbox' }])
  expect(asked(tab, 'connections/test')).toEqual([{ connection_id: 4 }])
  expect(asked(tab, 'settings/update')).toEqual([{ default_connection_id: 4 }])
  expect(tab.sent('connections/list')).toHaveLength(2)
})

test('A sandbox is made once, also when a step after it is refused and asked for again.', async () => {
  await open({ connections: [] })
  const sound = tab.answers['connections/test']
  tab.answers['connections/test'] = new Refusal(409, 'CONFLICT', undefined, 'Too many tests.')
  await tab.press('Use the sandbox')
  expect([tab.text('.start-form .callout'), tab.sent('settings/update')]).toEqual(['Too many tests.', []])
  tab.answers['connections/test'] = sound
  await tab.press('Use the sandbox')
  expect(tab.sent('connections/create')).toHaveLength(1)
  expect(asked(tab, 'connections/test')).toEqual([{ connection_id: 4 }, { connection_id: 4 }])
  expect(asked(tab, 'settings/update')).toEqual([{ default_connection_id: 4 }])
})

test.each([
  ['My provider', '/sending/new'],
  ['My own server', '/sending/new?provider=smtp'],
])('%s leads to the page of connections.', async (way, address) => {
  await open({ connections: [] })
  await tab.check(way)
  await tab.press('Go on')
  expect([tab.address, tab.sent('connections/create')]).toEqual([address, []])
})

test('Without a sandbox a provider is chosen first.', async () => {
  tab.data.sandbox = false
  await open({ connections: [] })
  expect([tab.has('Go on'), tab.has('Use the sandbox')]).toEqual([true, false])
  expect(tab.field('Try it first').hasAttribute('disabled')).toBe(true)
})

test('A list is made that asks people to confirm.', async () => {
  await open({ lists: [] })
  await tab.check('Ask people to confirm')
  await tab.check('Ask people to confirm')
  expect(await change(tab, 'lists/create', () => tab.press('Make the list'))).toEqual({
    busy: ['Make the list'],
    again: ['lists/list', 'overview'],
  })
  expect(asked(tab, 'lists/create')).toEqual([{ name: 'Newsletter', double_opt_in: true }])
})

test('A flaw of a first list or the sender stands at its field.', async () => {
  const answers: Answers = { 'lists/create': flawed('name'), 'settings/update': flawed('from_email') }
  await open({ lists: [], settings: { from_name: '' }, answers })
  // A letter without a subject of its own, letters begin with that of the project.
  expect(tab.field('Name').value).toBe('Harbour')
  await tab.press('Save')
  expect(flawsAt(tab, 'Name', 'Address')).toEqual(['', 'from_email'])
  await tab.press('Make a list')
  await tab.press('Make the list')
  expect(flawsAt(tab, 'Name of the list')).toEqual(['name'])
})

test('Steps that take an administrator say so, and a member sees none.', async () => {
  await open({ settings: { from_name: '' }, connections: [], role: 'editor' })
  expect(tab.text('.start-body')).toContain('This takes an administrator; you are an editor here.')
  await tab.press('Choose how mail leaves')
  expect(tab.text('.start-body')).toContain('This takes an administrator')
  await open({ people: 0, role: 'member' })
  expect([tab.body.querySelector('.start'), tab.has('New campaign')]).toEqual([null, false])
})

test('Things that wait for somebody stand above, with those that could not be looked at.', async () => {
  const paused = (id: number) => campaign({ id, name: `Paused ${id}`, status: 'paused' })
  await open({
    campaigns: [{ ...paused(5), stats: counts() }],
    states: { paused: 2, failed: 0 },
    connections: [connection({ last_error: '535 no' })],
    answers: {
      'imports/list': new Refusal(403, 'FORBIDDEN'),
      'campaigns/list': ({ status }) =>
        page(...(status === 'paused' ? [paused(5), paused(6)] : [{ ...paused(5), stats: counts() }])),
      'GET /user/invitations': {
        invitations: [{ id: 'inv_1', name: 'Other', place: 'an editor of', inviter: 'Bo Holm' }],
      },
    },
  })
  expect(tab.texts('.needs li > span:first-child, .needs li')[0]).toContain('“Paused 5” is paused.')
  expect(tab.texts('.needs li').map((line) => line.slice(0, 10))).toEqual([
    '“Paused 5”',
    '“Paused 6”',
    'Relay: 535',
    'Bo Holm in',
  ])
  expect(tab.text('main')).toContain('Whether anything else needs you could not be loaded.')
  expect(asked(tab, 'campaigns/list').map(({ status }) => status)).toEqual([undefined, 'paused'])
  expect(attention.value['/sending']).toBeDefined()
})

test('Where nothing waits, nothing is said.', async () => {
  await open({ states: { paused: 0 } })
  expect(tab.text('main')).not.toContain('Needs you')
  expect(tab.sent('campaigns/list')).toHaveLength(1)
})

test('A part that could not be loaded says so.', async () => {
  await open({ answers: { overview: new Refusal(403, 'FORBIDDEN'), 'campaigns/list': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('main')).toContain('The overview could not be loaded.')
  expect(tab.text('main')).toContain('Campaigns could not be loaded.')
})
