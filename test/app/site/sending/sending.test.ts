import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { ResponseOf } from '../../../../static/app/api/calls.ts'
import { data } from '../../../../static/app/api/data.ts'
import { invalidate } from '../../../../static/app/api/query.ts'
import { attention } from '../../../../static/app/attention.ts'
import { connection, page } from '../../../support/answers.ts'
import { type Answers, asked, change, flawed, flawsAt, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

const AGAIN = ['campaigns/readiness', 'connections/list', 'settings/get']

type Listed = ResponseOf<'connections/list'>['items'][number]
const check = (name: 'spf' | 'dkim' | 'dmarc', ok: boolean, found: string | null = null) => ({
  ...{ name, ok, found, expected: '', hint: `Hint of ${name}.` },
  record: name === 'dkim' ? null : { type: 'TXT' as const, name: `${name}.a.example`, value: `v=${name}` },
})
const DNS = {
  ...{ domain: 'a.example', checked_at: '2026-05-03T12:00:00.000Z' },
  checks: [check('spf', true, 'v=spf'), check('dkim', false), check('dmarc', false, 'v=other')],
}
const USAGE = { sent_in_24_hours: 1_200, limit: 5_000, limits_ahead: [300, 400, null] }

const UNREAD = 'POST /project/connections/unread-reports'

async function open(at: string, items: Listed[], { role = 'owner' as Role, answers = {} as Answers } = {}) {
  await visit(
    tab,
    `/sending${at}`,
    {
      'connections/list': { items, next_cursor: null },
      'settings/get': { settings: { default_connection_id: 1, from_email: 'news@mail.example' } },
      'connections/test': { ok: true },
      'settings/update': {},
      'connections/delete': {},
      'connections/update': { connection: items[0] },
      'connections/verify-dns': {},
      'connections/webhook-urls': { urls: [] },
      [UNREAD]: { unread_reports: [] },
      ...answers,
    },
    role,
  )
}

test('Connections stand with their state, their DNS and what they sent.', async () => {
  await open('', [
    connection({ usage: USAGE, dns: DNS }),
    connection({ id: 2, name: 'Old', provider: 'ses', verified_at: null, usage: { ...USAGE, limit: null } }),
    connection({ id: 3, name: 'Try', provider: 'sandbox', last_error: '535 no' }),
  ])
  expect(rowsOf(tab, 'Connections')).toEqual([
    ['Relay Default', 'Own server', 'Tested', '1 of 3', '1,200 of 5,000', ''],
    ['Old', 'Amazon SES', 'Not tested', 'Not checked', '1,200', ''],
    ['Try', 'Sandbox', 'Failed', 'Not needed', '', 'The server refused the user name or the password. 535 no'],
  ])
  expect(tab.button('Old').getAttribute('href')).toEndWith('/sending/2')
  expect(tab.button('Add connection').getAttribute('href')).toEndWith('/sending/new')
  expect(attention.value).toEqual({ '/sending': 'A connection or its DNS needs a look' })
})

test('Links that recipients cannot follow are told where a connection sends to them.', async () => {
  data.base_url_problem = 'Set MASTHEAD_BASE_URL.'
  await open('', [connection()])
  expect(tab.text('.callout')).toContain('Set MASTHEAD_BASE_URL.')
  await open('', [connection({ provider: 'sandbox' })])
  expect(tab.body.querySelector('.callout')).toBeNull()
  data.base_url_problem = null
})

test('A project whose mail leaves well is not marked.', async () => {
  await open('', [connection()])
  expect(attention.value).toEqual({})
})

test('The parts of sending are one press apart.', async () => {
  await open('', [connection()])
  tab.answers['POST /project/deliverability/get'] = new Refusal(403, 'FORBIDDEN')
  await tab.press('Sender')
  expect(tab.address).toBe('/sending/sender')
  await open('/sender', [connection()])
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Sender'])
  await tab.press('Connections')
  expect(tab.address).toBe('/sending')
})

test('A project without a connection is asked for one, by who may add it.', async () => {
  await open('', [])
  expect(tab.names().filter((name) => name === 'Add connection')).toHaveLength(2)
  await open('', [], { role: 'editor' })
  expect(tab.has('Add connection')).toBe(false)
  expect(tab.text('main')).toContain('Changing connections takes an administrator')
})

test('Connections that could not be loaded say so.', async () => {
  await open('', [], { answers: { 'connections/list': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('main')).toContain('Connections could not be loaded.')
  await open('/1', [], { answers: { 'connections/list': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('main')).toContain('The connection could not be loaded.')
})

test('A connection that is not there says so.', async () => {
  await open('/9', [connection()])
  expect(tab.text('main')).toContain('There is no such connection.')
})

const facts = () => tab.texts('.connection .facts dt').map((name, at) => [name, tab.texts('.connection .facts dd')[at]])

test('A connection tells how it is reached, and that it is the default.', async () => {
  await open('/1', [connection({ username: '' })])
  expect(facts().slice(0, 5)).toEqual([
    ['State', 'Tested'],
    ['Last success', '3 May 2026, 12:00'],
    ['Host', 'relay.example:587'],
    ['User', 'None'],
    ['Default', 'Campaigns that name no other leave through it.'],
  ])
  expect(tab.has('Make it the default')).toBe(false)
  expect(tab.text('main')).not.toContain('The relay did not take')
})

test('A server that could not be reached is not said to have refused anything.', async () => {
  // Of an address in a private network the service says only this.
  await open('/2', [connection({ id: 2, last_error: 'The server could not be reached.', dns: DNS })])
  expect(tab.text('.callout')).toStartWith('No mail server answers at this host and port.')
})

test('A connection that failed tells what the relay said, and becomes no default before a test succeeds.', async () => {
  await open('/2', [connection({ id: 2, last_error: '535 no', verified_at: null, dns: DNS })])
  expect(tab.text('.callout')).toContain('The server refused the user name or the password.535 no')
  expect(facts()[1]).toEqual(['Last success', 'None yet'])
  await tab.press('Make it the default')
  expect(asked(tab, 'settings/update')).toEqual([])
  await open('/2', [connection({ id: 2, dns: DNS })])
  expect(await change(tab, 'settings/update', () => tab.press('Make it the default'))).toEqual({
    busy: ['Make it the default'],
    again: AGAIN,
  })
  expect(asked(tab, 'settings/update')).toEqual([{ default_connection_id: 2 }])
  expect(tab.sent('connections/list')).toHaveLength(3)
})

test('A sandbox leads to its mailbox and needs nothing else.', async () => {
  await open('/1', [connection({ provider: 'sandbox' })])
  expect(tab.button('Open the mailbox').getAttribute('href')).toEndWith('/mailbox')
  expect(tab.texts('.card h2')).toEqual([])
  expect(facts().map(([name]) => name)).not.toContain('Host')
})

test('A connection is tested, alone and with a message to oneself.', async () => {
  await open('/1', [connection({ dns: DNS })])
  expect(await change(tab, 'connections/test', () => tab.press('Test the connection'))).toEqual({
    busy: ['Test the connection'],
    again: AGAIN,
  })
  expect(tab.text('.toasts')).toContain('The connection works.')
  expect(await change(tab, 'connections/test', () => tab.press('Send a message to me'))).toEqual({
    busy: ['Send a message to me'],
    again: AGAIN,
  })
  expect(tab.text('.toasts')).toContain('A message to ada@example.com has left.')
  expect(asked(tab, 'connections/test')).toEqual([{ connection_id: 1 }, { connection_id: 1, email: 'ada@example.com' }])
  expect(tab.sent('connections/list')).toHaveLength(3)
})

test('A connection that works becomes the default of a project without one.', async () => {
  const settings = { default_connection_id: null, from_email: 'news@mail.example' }
  await open('/1', [connection({ id: 1, dns: DNS })], { answers: { 'settings/get': { settings } } })
  await tab.press('Test the connection')
  expect(asked(tab, 'settings/update')).toEqual([{ default_connection_id: 1 }])
  expect(tab.text('.toasts')).toContain('The connection works, and is the default now.')
  await tab.type('Port', '2525')
  await tab.press('Test and save')
  expect(asked(tab, 'settings/update')).toHaveLength(2)
  expect(tab.text('.toasts')).toContain('The connection works, and is saved as the default.')
})

test('A test that failed is not said to have worked.', async () => {
  await open('/1', [connection()], { answers: { 'connections/test': { ok: false } } })
  await tab.press('Test the connection')
  await tab.press('Send a message to me')
  expect(tab.texts('.toast')).toEqual([])
  tab.answers['connections/test'] = new Refusal(429 + 1, 'LIMIT', undefined, 'Once a minute.')
  await tab.press('Test the connection')
  expect(tab.text('.flaw-summary')).toContain('Once a minute.')
})

test('Server and login are changed in place, and tested before they are saved.', async () => {
  await open('/1', [connection({ host: 'mail.a.example', password_set: true, dns: DNS })])
  await tab.press('Test and save')
  await tab.type('Host', 'smtp.b.example')
  await tab.press('Test and save')
  expect([asked(tab, 'connections/update'), tab.text('#server')]).toEqual([
    [],
    expect.stringContaining('The stored one is not sent to another host.'),
  ])
  await tab.type('Port', '2525')
  await tab.type('Password', 'new secret')
  await change(tab, 'connections/update', () => tab.press('Test and save'))
  expect(asked(tab, 'connections/update')).toEqual([
    { connection_id: 1, host: 'smtp.b.example', port: 2525, password: 'new secret', test: true },
  ])
})

test('A change that failed its test stays in the fields, with the words of the relay.', async () => {
  const refused = new Refusal(409, 'NOT_READY', undefined, '535 5.7.8 Authentication credentials invalid')
  await open('/1', [connection({ dns: DNS })], { answers: { 'connections/update': refused } })
  await tab.type('Password', 'wrong')
  await tab.press('Test and save')
  expect(tab.text('#server')).toContain('535 5.7.8 Authentication credentials invalid')
  expect(tab.field('Password').value).toBe('wrong')
})

test('A connection is deleted after a question, and its page left.', async () => {
  await open('/1', [connection()])
  await tab.press('Delete…')
  expect(await change(tab, 'connections/delete', () => tab.press('Delete 1 connection'))).toEqual({
    busy: ['Delete 1 connection'],
    again: AGAIN,
  })
  expect(asked(tab, 'connections/delete')).toEqual([{ connection_id: 1 }])
  expect(tab.address).toBe('/sending')
})

test('A person who is no administrator reads how a connection is.', async () => {
  await open('/1', [connection({ dns: DNS, max_per_day: 100, from_domain: '' })], { role: 'editor' })
  for (const name of [
    'Test the connection',
    'Send a message to me',
    'Delete…',
    'Check again',
    'Make a key',
    'Save the pace',
  ])
    expect(tab.has(name)).toBe(false)
  expect(tab.texts('.card h2')).toEqual(['DNS for a.example', 'Pace'])
  expect(facts().slice(-4)).toEqual([
    ['A second', 'no limit'],
    ['A day', '100'],
    ['Connections', '5'],
    ['Warm-up', 'off'],
  ])
})

test('A person who is no administrator reads the pace, and where it has no limit.', async () => {
  const pace = { max_per_second: 1_200, max_per_day: null, max_connections: 1_000, warm_up: true }
  await open('/1', [connection({ dns: DNS, ...pace })], { role: 'editor' })
  expect(
    facts()
      .slice(-4)
      .map(([, value]) => value),
  ).toEqual(['1,200', 'no limit', '1,000', 'on'])
})

test('The records of the domain stand with what was found of them.', async () => {
  await open('/1', [connection({ dns: DNS })])
  expect(
    rowsOf(tab, 'DNS records of a.example').map(([name, type, , value, state]) => [name, type, value, state]),
  ).toEqual([
    ['SPFwho may send for you', 'TXT', 'v=spf', 'FoundHint of spf.Found: v=spf'],
    ['DKIMa seal on each message', '', 'That of your server, or of a key of your own', 'Not foundHint of dkim.'],
    ['DMARCwhat others do with forgeries', 'TXT', 'v=dmarc', 'Other valueHint of dmarc.Found: v=other'],
  ])
  expect(tab.text('#dns')).toContain('Looked at')
  expect(tab.has('Copy as zone file')).toBe(false)
  expect(await change(tab, 'connections/verify-dns', () => tab.press('Check again'))).toEqual({
    busy: ['Check again'],
    again: ['connections/list'],
  })
  expect(asked(tab, 'connections/verify-dns')).toEqual([{ connection_id: 1 }])
})

test('Records that are missing can be copied together.', async () => {
  const spf = { ...check('spf', false), record: null }
  await open('/1', [
    connection({ provider: 'ses', dns: { ...DNS, checks: [spf, check('dkim', false), check('dmarc', false)] } }),
  ])
  expect(rowsOf(tab, 'DNS records of a.example').map((row) => row[3])).toEqual([
    'Nothing is needed',
    'As Amazon SES shows it',
    'v=dmarc',
  ])
  expect(tab.has('Copy as zone file')).toBe(true)
  expect(tab.text('#dns')).not.toContain('Own seal')
})

test('A connection without a domain is told where to add one.', async () => {
  await open('/1', [connection({ from_domain: '' })])
  expect(tab.text('#dns')).toContain('The connection names no domain yet. Add it below, under Pace.')
  expect(tab.texts('#dns h2')).toEqual(['DNS'])
  await open('/1', [connection({ from_domain: '' })], { role: 'editor' })
  expect(tab.text('#dns')).not.toContain('Add it below')
})

test('A domain that was never looked up is looked up at once, and another one again.', async () => {
  await open('/1', [connection({ from_domain: 'a.example' })])
  expect(asked(tab, 'connections/verify-dns')).toEqual([{ connection_id: 1 }])
  await open('/1', [connection({ from_domain: 'a.example', dns: DNS })])
  expect(asked(tab, 'connections/verify-dns')).toHaveLength(1)
  tab.answers['connections/list'] = { items: [connection({ from_domain: 'b.example', dns: DNS })], next_cursor: null }
  await tab.press('Test the connection')
  expect(asked(tab, 'connections/verify-dns')).toHaveLength(2)
  await open('/1', [connection({ from_domain: 'a.example' })], { role: 'editor' })
  expect(asked(tab, 'connections/verify-dns')).toHaveLength(2)
})

test('A domain whose records are found when it is first looked up is not looked up again.', async () => {
  await open('/1', [connection({ from_domain: 'a.example' })])
  const found = { ...DNS, checks: [check('spf', true, 'v=spf')] }
  tab.answers['connections/list'] = { items: [connection({ from_domain: 'a.example', dns: found })], next_cursor: null }
  await tab.press('Test the connection')
  expect(tab.text('#dns')).toContain('DNS for a.example')
  expect(asked(tab, 'connections/verify-dns')).toHaveLength(1)
})

test('Missing records are looked for again by themselves, ever less often, while the page is seen.', async () => {
  await inTime(tab, async (pass) => {
    await open('/1', [connection({ dns: DNS })])
    const looks = () => tab.sent('connections/verify-dns').length
    await pass(29_999)
    expect(looks()).toBe(0)
    await pass(1)
    expect(looks()).toBe(1)
    await pass(44_999)
    expect(looks()).toBe(1)
    await pass(1)
    expect(looks()).toBe(2)
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    await pass(67_500)
    expect(looks()).toBe(2)
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
    for (let half_hours = 0; half_hours < 48; half_hours++) await pass(30 * 60_000)
    expect(looks()).toBeGreaterThan(45)
    expect(looks()).toBeLessThan(60)
  })
})

test('Records that are all there are not looked for again.', async () => {
  await inTime(tab, async (pass) => {
    await open('/1', [connection({ dns: { ...DNS, checks: [check('spf', true, 'v=spf')] } })])
    await pass(24 * 3_600_000)
    expect(tab.sent('connections/verify-dns')).toEqual([])
  })
})

const key = (signs: boolean, verified_at: string | null) => ({
  ...{ id: 1, algorithm: 'rsa-sha256' as const, selector: 's', name: 'n', value: 'v', signs, verified_at },
  created_at: '2026-05-03T12:00:00.000Z',
})

test.each<[string, ReturnType<typeof key>[], string, boolean]>([
  ['without a key', [], 'A relay that does not sign needs a key of yours.', true],
  ['whose key waits', [key(false, null)], 'Waits for its record', false],
  ['whose key signs', [key(true, '2026-05-03T12:00:00.000Z')], 'Signs messages since 3 May 2026', false],
  ['whose key signs since nobody knows when', [key(true, null)], 'Signs messages', false],
])('A server of one’s own %s says so.', async (_, dkim_keys, said, canMake) => {
  await open('/1', [connection({ dns: DNS, dkim_keys })])
  expect(tab.text('.dns-key')).toContain(said)
  expect(tab.text('.dns-key').includes(' since ')).toBe(said.includes(' since '))
  expect(tab.has('Make a key')).toBe(canMake)
  if (!canMake) return
  expect(await change(tab, 'connections/verify-dns', () => tab.press('Make a key'))).toEqual({
    busy: ['Make a key'],
    again: ['connections/list'],
  })
  expect(asked(tab, 'connections/verify-dns')).toEqual([
    { connection_id: 1, create_dkim_key: 'rsa-sha256' },
    { connection_id: 1 },
  ])
})

test('The pace is saved as numbers, and nothing stands for no limit.', async () => {
  const limits = { gmail: 100, 'gmx.net': 5 }
  await open('/1', [
    connection({ max_per_second: 3, max_per_day: null, mailbox_limits: limits, warm_up: true, usage: USAGE }),
  ])
  expect(tab.text('#pace')).toContain('Today 5,000, used 1,200. The next days: 300, 400, no limit.')
  expect(tab.field('Gmail').value).toBe('100')
  await tab.type('Messages a second', '')
  await tab.type('Messages a day', '900')
  await tab.type('Connections at once', '')
  await tab.type('Gmail', '')
  await tab.type('Another provider', ' Proton.me ')
  await tab.key('Enter')
  await tab.type('proton.me', '7')
  await tab.check('Warm up')
  expect(await change(tab, 'connections/update', () => tab.press('Save the pace'))).toEqual({
    busy: ['Save the pace'],
    again: ['connections/list'],
  })
  expect(asked(tab, 'connections/update')).toEqual([
    {
      ...{ connection_id: 1, max_per_second: null, max_per_day: 900, max_connections: 1, from_domain: 'a.example' },
      ...{ warm_up: false, mailbox_limits: { 'gmx.net': 5, 'proton.me': 7 } },
    },
  ])
  expect(tab.text('.toasts')).toContain('Saved.')
  const changed = connection({ max_per_second: 8, updated_at: '2026-06-01T00:00:00.000Z' })
  tab.answers['connections/list'] = page(changed)
  invalidate('connections/')
  await tab.settled()
  expect(tab.field('Messages a second').value).toBe('8')
})

test('Without limits for mailbox providers none are sent.', async () => {
  await open('/1', [connection({ mailbox_limits: { gmail: 100 }, warm_up: true, usage: { ...USAGE, limit: null } })])
  expect(tab.text('#pace')).not.toContain('The next days')
  await tab.type('Gmail', '')
  await tab.type('Messages a second', '3')
  tab.answers['connections/update'] = new Refusal(400, 'X', [{ path: '/max_per_second', message: 'Too fast.' }])
  await tab.press('Save the pace')
  expect(asked(tab, 'connections/update')).toMatchObject([
    { max_per_second: 3, mailbox_limits: null, max_connections: 5 },
  ])
  expect(tab.texts('#pace .field-flaw')).toEqual(['Too fast.'])
})

test('A flaw of the pace or the secret stands at its field.', async () => {
  const parts = [
    ...['max_per_second', 'max_per_day', 'max_connections', 'from_domain', 'mailbox_limits/gmail', 'webhook_secret'],
  ]
  await open('/1', [connection({ provider: 'ses' })], { answers: { 'connections/update': flawed(...parts) } })
  const pace = ['Messages a second', 'Messages a day', 'Connections at once', 'Domain of the sender', 'Gmail']
  await tab.press('Save the pace')
  expect(flawsAt(tab, ...pace, 'Another provider')).toEqual([...parts.slice(0, 5), ''])
  await tab.type('Secret of the reports', 'x')
  await tab.press('Store the secret')
  expect(flawsAt(tab, 'Secret of the reports')).toEqual(['webhook_secret'])
  expect(tab.field('Secret of the reports').value).toBe('x')
})

const URLS = {
  provider: 'ses' as const,
  url: 'https://masthead.example/hook',
  verification: 'Is signed.',
  events: ['Bounce'],
  last_event_at: null,
}

test('Reports of bounces come in at an address, with the secret of the provider.', async () => {
  const answers: Answers = { 'connections/webhook-urls': { urls: [URLS, { ...URLS, provider: 'mime', events: [] }] } }
  await open('/1', [connection({ provider: 'sendgrid' })], { answers })
  expect(tab.texts('.bounce-address').map((text) => text.includes('Events: Bounce'))).toEqual([true, false])
  expect(tab.text('.bounce-address')).toContain('Last event: none yet. Send a test and look.')
  expect(tab.button('Store the secret').getAttribute('aria-disabled')).toBe('true')
  await tab.type('Secret of the reports', 's3cret')
  expect(await change(tab, 'connections/update', () => tab.press('Store the secret'))).toEqual({
    busy: ['Store the secret'],
    again: ['connections/list'],
  })
  expect(asked(tab, 'connections/update')).toEqual([{ connection_id: 1, webhook_secret: 's3cret' }])
  expect([tab.field('Secret of the reports').value, tab.text('.toasts')]).toEqual([
    '',
    expect.stringContaining('The secret is stored.'),
  ])
})

test('The addresses for reports are waited for, and told of when they do not come.', async () => {
  await open('/1', [connection()], { answers: { 'connections/webhook-urls': () => new Promise(() => undefined) } })
  expect([tab.texts('#bounces .skeleton').length, tab.texts('#bounces [role=alert]').length]).toEqual([1, 0])
  await open('/1', [connection()], { answers: { 'connections/webhook-urls': new Refusal(403, 'FORBIDDEN') } })
  expect([tab.texts('#bounces .skeleton').length, tab.text('#bounces').includes('could not be loaded')]).toEqual([
    0,
    true,
  ])
  await inTime(tab, async (pass) => {
    // With all records there, nothing else is looked for.
    await open('/1', [connection({ dns: { ...DNS, checks: [check('spf', true, 'v=spf')] } })])
    expect(tab.texts('#bounces .skeleton')).toEqual([])
    const before = tab.sent('connections/webhook-urls').length
    await pass(29_999)
    expect(tab.sent('connections/webhook-urls')).toHaveLength(before)
    await pass(1)
    expect(tab.sent('connections/webhook-urls')).toHaveLength(before + 1)
  })
})

test('Reports that were not understood are listed with their kind, or said to be none.', async () => {
  await open('/1', [connection()])
  expect(asked(tab, UNREAD)).toEqual([{ connection_id: 1 }])
  expect(tab.text('#bounces')).toContain('Nothing in 30 days.')
  const mail = { reason: 'no_report' as const, about: 'Offers', media_type: 'text/plain', sender_domain: 'bo.example' }
  const event = { reason: 'unknown_event' as const, about: 'moved', media_type: '', sender_domain: '' }
  const unread_reports = [mail, event].map((row) => ({
    ...row,
    bytes: 2_000,
    times: 3,
    last_at: '2026-05-03T12:00:00.000Z',
  }))
  await open('/1', [connection()], { answers: { [UNREAD]: { unread_reports } } })
  expect(rowsOf(tab, 'Reports that were not understood').map((cells) => cells.slice(0, 4))).toEqual([
    ['OffersNot a report · text/plain', 'bo.example', '2 kB', '3'],
    ['movedAn event of an unknown kind', '–', '2 kB', '3'],
  ])
  await open('/1', [connection()], { answers: { [UNREAD]: new Refusal(403, 'forbidden') } })
  expect(tab.text('#bounces')).toContain('The list could not be loaded.')
})

test('A server of one’s own has no secret, and a stored one can be replaced.', async () => {
  await open('/1', [connection()])
  expect(tab.has('Store the secret')).toBe(false)
  await open('/1', [connection({ provider: 'ses', webhook_secret_set: true })])
  expect(tab.field('Another secret of the reports')).toBeDefined()
  expect(tab.text('#bounces')).toContain('One is stored.')
})
