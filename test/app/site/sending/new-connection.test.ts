import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import { connection } from '../../../support/answers.ts'
import { type Answers, asked, change, inTime, visit } from '../../../support/visit.ts'
import '../../../../static/app/site/sending/connection.tsx' // Loaded, it is drawn as soon as a connection is saved.

const tab = useTab({ sandbox: true })

async function open(at = '', answers: Answers = {}) {
  await visit(tab, `/sending/new${at}`, {
    'connections/create': { connection: connection({ id: 4 }) },
    'connections/test': { ok: true },
    'connections/list': { items: [connection({ id: 4 })], next_cursor: null },
    'settings/update': {},
    'settings/get': { settings: { from_email: 'news@Mail.Example' } },
    'POST /project/dns/needed': ({ domain }) => ({
      domain,
      records: [{ purpose: 'spf', record: { type: 'TXT', name: domain, value: 'v=spf1' } }],
    }),
    'connections/verify-dns': {},
    'connections/webhook-urls': { urls: [] },
    'POST /project/connections/unread-reports': { unread_reports: [] },
    ...answers,
  })
}
const labels = () => tab.texts('.connection-form .field-label').slice(1)

test('Nothing is asked before a provider is chosen.', async () => {
  await open()
  expect(tab.has('Save and test')).toBe(false)
  expect(tab.text('#dns')).toContain('Choose how mail leaves.')
  await tab.submit()
  expect(tab.sent('connections/create')).toEqual([])
  await open('?provider=nonsense')
  expect(tab.has('Save and test')).toBe(false)
})

test('A sandbox is saved by a name, tested and made the default.', async () => {
  await open()
  await tab.check('Sandbox')
  expect(labels()).toEqual(['Name'])
  expect(tab.body.querySelector('#dns')).toBeNull()
  expect(await change(tab, 'connections/create', () => tab.press('Save and test'))).toEqual({
    busy: ['Save and test'],
    again: ['connections/list', 'settings/get'],
  })
  expect(asked(tab, 'connections/create')).toEqual([{ name: 'Sandbox', provider: 'sandbox' }])
  expect(asked(tab, 'connections/test')).toEqual([{ connection_id: 4 }])
  expect(asked(tab, 'settings/update')).toEqual([{ default_connection_id: 4 }])
  expect(tab.address).toBe('/sending/4')
})

test('A service without a sandbox offers none.', async () => {
  tab.data.sandbox = false
  await open()
  expect(tab.field('Sandbox').hasAttribute('disabled')).toBe(true)
  expect(tab.text('main')).toContain('The sandbox is off on this service.')
})

test.each([
  ['ses', ['Name', 'Host', 'SMTP user name', 'SMTP password', 'Domain of the sender']],
  ['sendgrid', ['Name', 'API key', 'Domain of the sender']],
  ['mailgun', ['Name', 'Host', 'SMTP login', 'SMTP password', 'Domain of the sender']],
  ['postmark', ['Name', 'Server API token', 'Server API token, again', 'Domain of the sender']],
  ['smtp', ['Name', 'Host', 'Port', 'Encryption', 'User name', 'Password', 'Domain of the sender']],
])('The fields that %s needs are asked for.', async (provider, wanted) => {
  await open(`?provider=${provider}`)
  expect(labels()).toEqual(wanted)
})

test('Everything that was written of a server is sent.', async () => {
  await open('?provider=smtp')
  await tab.type('Name', 'Mine')
  await tab.type('Host', 'relay.example')
  await tab.type('Port', '465')
  await tab.type('Encryption', 'tls')
  await tab.type('User name', 'ada')
  await tab.type('Password', 'secret')
  await tab.type('Domain of the sender', 'a.example')
  await tab.check('Use it for every campaign that names no other')
  await tab.press('Save and test')
  expect(asked(tab, 'connections/create')).toEqual([
    {
      ...{ name: 'Mine', provider: 'smtp', host: 'relay.example', port: 465, secure: 'tls' },
      ...{ username: 'ada', password: 'secret', from_domain: 'a.example' },
    },
  ])
  expect(tab.sent('settings/update')).toEqual([])
})

test('A field left empty, or of another provider, is left to the service.', async () => {
  await open('?provider=smtp')
  await tab.type('Host', 'relay.example')
  await tab.type('User name', 'ada')
  await tab.press('Save and test')
  await open('?provider=smtp')
  await tab.type('Host', 'relay.example')
  await tab.type('User name', 'ada')
  await tab.check('SendGrid')
  await tab.type('API key', 'k')
  await tab.press('Save and test')
  expect(asked(tab, 'connections/create')).toEqual([
    // The domain is that of the sender until another is typed.
    {
      ...{ name: 'Own server', provider: 'smtp', host: 'relay.example', username: 'ada', secure: 'starttls' },
      from_domain: 'mail.example',
    },
    { name: 'SendGrid', provider: 'sendgrid', password: 'k', from_domain: 'mail.example' },
  ])
})

test('A flaw of a connection stands beside its field, and nothing is tested.', async () => {
  const flaws = ['host', 'port', 'username', 'password', 'from_domain'].map((name) => ({
    path: `/${name}`,
    message: name,
  }))
  await open('?provider=smtp', { 'connections/create': new Refusal(400, 'VALIDATION_FAILED', flaws) })
  await tab.press('Save and test')
  const port = 'A port is a number from 1 to 65,535.'
  expect(tab.texts('.field-flaw')).toEqual(['host', port, 'username', 'password', 'from_domain'])
  expect([tab.sent('connections/test'), tab.address]).toEqual([[], '/sending/new?provider=smtp'])
})

test.each(['connections/test', 'settings/update'] as const)(
  'A connection is saved once, also when %s is refused after it.',
  async (step) => {
    await open('?provider=sendgrid', { [step]: new Refusal(409, 'CONFLICT', undefined, 'Too many tests.') })
    expect((await change(tab, step, () => tab.press('Save and test'))).again).toEqual([
      'connections/list',
      'settings/get',
    ])
    expect([tab.address, tab.has('Save and test')]).toEqual(['/sending/4', false])
    expect(tab.text('.toasts')).toContain('The connection is saved. The rest failed: Too many tests.')
    expect(tab.sent('connections/create')).toHaveLength(1)
  },
)

test('A connection that fails its test becomes no default, and its page shows the words of the relay.', async () => {
  await open('?provider=sendgrid', { 'connections/test': { ok: false, error: '535 no such key' } })
  await tab.press('Save and test')
  expect([tab.address, asked(tab, 'settings/update')]).toEqual(['/sending/4', []])
  expect(tab.texts('.toast')).toEqual([])
})

test('While a saved connection is tested it is not saved again.', async () => {
  await open('?provider=sendgrid')
  const made = await change(tab, 'connections/test', async () => {
    await tab.press('Save and test')
    await tab.submit()
  })
  expect(made.busy).toEqual(['Save and test'])
  expect(tab.sent('connections/create')).toHaveLength(1)
})

test('The records that a provider needs are told once nobody types any more.', async () => {
  await inTime(tab, async (pass) => {
    await open('?provider=ses')
    await pass(400)
    expect(asked(tab, 'POST /project/dns/needed')).toEqual([{ provider: 'ses', domain: 'mail.example' }])
    expect(tab.texts('#dns h2')).toEqual(['DNS for mail.example'])
    expect(rowsOf(tab, 'DNS records of mail.example').map((row) => [row[1], row[3], row[4]])).toEqual([
      ['TXT', 'v=spf1', 'Looked for once it is saved'],
    ])
    await tab.type('Domain of the sender', 'A.example')
    await tab.type('Host', 'relay.example ')
    await pass(399)
    expect(tab.sent('POST /project/dns/needed')).toHaveLength(1)
    await pass(1)
    expect(asked(tab, 'POST /project/dns/needed').at(-1)).toEqual({
      ...{ provider: 'ses', domain: 'a.example', host: 'relay.example' },
    })
  })
})

test('A relay that nobody may name gets no host.', async () => {
  await inTime(tab, async (pass) => {
    await open('?provider=smtp')
    await tab.type('Host', 'relay.example')
    await tab.check('SendGrid')
    await pass(400)
    expect(asked(tab, 'POST /project/dns/needed')).toEqual([{ provider: 'sendgrid', domain: 'mail.example' }])
  })
})

test('A server of one’s own is told no records before it has a host.', async () => {
  await open('?provider=smtp')
  expect(tab.text('#dns')).toContain('Name the host and the domain of the sender.')
  expect(tab.sent('POST /project/dns/needed')).toEqual([])
  await open('?provider=ses', { 'settings/get': { settings: { from_email: '' } } })
  expect(tab.texts('#dns h2')).toEqual(['DNS'])
})

test('Records that could not be told say so.', async () => {
  await inTime(tab, async (pass) => {
    await open('?provider=ses', { 'POST /project/dns/needed': new Refusal(403, 'FORBIDDEN') })
    await pass(400)
    expect(tab.text('#dns')).toContain('The records could not be told.')
  })
})
