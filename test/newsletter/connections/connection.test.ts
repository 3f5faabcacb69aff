import dns from 'node:dns/promises'
import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test'
import { configOf } from '../../../src/config.ts'
import {
  type Connection,
  forCampaigns,
  relayOptions,
  relayRefused,
  unsealConnectionPassword,
  unsealWebhookSecret,
} from '../../../src/newsletter/connections/connection.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'
import { SEALED, seal } from '../../../src/store/sealed.ts'

let lookup: Mock<typeof dns.lookup>
beforeEach(() => {
  lookup = spyOn(dns, 'lookup')
})
afterEach(() => lookup.mockRestore())

const keys = new Keys(newMasterKey())
const row = {
  ...{ id: 1, project_id: 1, provider: 'smtp', host: 'relay.net', port: 587, secure: 'starttls', username: '' },
  ...{ password_sealed: null, webhook_secret_sealed: null },
} as Connection
const options = (connection: Partial<Connection> = {}, config: Parameters<typeof configOf>[0] = {}) =>
  relayOptions({ config: configOf(config), keys }, { ...row, ...connection })
/** Where a connection to relay.net goes when its name has these addresses. */
const located = (addresses: string[], allow_private_relays = false) => {
  lookup.mockResolvedValue(addresses.map((address) => ({ address, family: 0 })) as never)
  return options({}, { allow_private_relays }).locate('relay.net')
}

test('A connection to a relay is made to its IPv4 address, or else to its first one.', async () => {
  expect(await located(['2606:4700::1111', '8.8.8.8', '8.8.4.4'])).toBe('8.8.8.8')
  expect(await located(['2606:4700::1111', '2606:4700::1112'])).toBe('2606:4700::1111')
  expect(await located([], true)).toBe('relay.net')
})

test('One private address among those of a relay closes it, unless private networks are allowed.', async () => {
  expect(located(['8.8.8.8', '10.0.0.1'])).rejects.toThrow('not allowed')
  expect(located([])).rejects.toThrow('not allowed')
  expect(await located(['10.0.0.1', '8.8.8.8'], true)).toBe('10.0.0.1')
  lookup.mockResolvedValue([{ address: '8.8.8.8' }, { address: '10.0.0.1' }] as never)
  expect(await relayRefused(configOf({ allow_private_relays: false }), 'relay.net')).toContain('not allowed')
  lookup.mockRejectedValue(new Error('no answer'))
  expect(await relayRefused(configOf({ allow_private_relays: false }), 'relay.net')).toBeNull()
})

test('An address is not looked up.', async () => {
  expect(await options({}, { allow_private_relays: false }).locate('2606:4700::1111')).toBe('2606:4700::1111')
  expect(lookup).not.toHaveBeenCalled()
})

test('A relay has as long as the service waits, and 15 seconds at most to greet.', () => {
  expect(options({}, { relay_silence_seconds: 60 })).toMatchObject({
    ...{ host: 'relay.net', port: 587, secure: 'starttls', username: null, password: null },
    ...{ connect_timeout_ms: 15_000, greeting_timeout_ms: 15_000 },
    ...{ socket_timeout_ms: 60_000, message_timeout_ms: 300_000 },
  })
  expect(options({}, { relay_silence_seconds: 10 })).toMatchObject({
    ...{ connect_timeout_ms: 10_000, greeting_timeout_ms: 10_000 },
    ...{ socket_timeout_ms: 10_000, message_timeout_ms: 50_000 },
  })
})

test('Only Postmark takes its password for a user name.', () => {
  const password_sealed = seal(keys, SEALED.relay_password, 'token', row)
  const namedBy = (provider: Connection['provider']) => options({ provider, password_sealed }).username
  expect((['postmark', 'ses', 'sendgrid', 'mailgun', 'brevo', 'resend', 'smtp'] as const).map(namedBy)).toEqual([
    ...['token', null, null, null, null, null, null],
  ])
})

test('Sealed secrets belong to their project and their key.', () => {
  const [password_sealed, webhook_secret_sealed] = [
    seal(keys, SEALED.relay_password, 'word', row),
    seal(keys, SEALED.webhook_secret, 'secret', row),
  ]
  const own = { ...row, password_sealed, webhook_secret_sealed }
  expect([unsealConnectionPassword(keys, own), unsealWebhookSecret(keys, own)]).toEqual(['word', 'secret'])
  expect([unsealConnectionPassword(keys, row), unsealWebhookSecret(keys, row)]).toEqual([null, ''])
  const moved = { ...own, project_id: 2 } as Connection
  expect(() => unsealConnectionPassword(keys, moved)).toThrow('cannot be decrypted')
  expect(unsealWebhookSecret(keys, moved)).toBe('')
})

test.each([
  ['10.1.2.3', true],
  ['127.0.0.1', true],
  ['169.254.169.254', true],
  ['172.31.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['::1', true],
  ['fe80::1', true],
  ['fd12::1', true],
  ['::ffff:10.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['localhost', true],
  ['172.32.0.1', false],
  ['8.8.8.8', false],
  ['2606:4700::1111', false],
])('The address %s is private: %p.', async (host, isPrivate) => {
  expect((await relayRefused(configOf({ allow_private_relays: false }), host)) !== null).toBe(isPrivate)
  expect(await relayRefused(configOf(), host)).toBeNull()
})

test("Only campaigns with a stream, through Postmark's own host, go to its host for broadcasts.", () => {
  const postmark = { provider: 'postmark', host: 'smtp.postmarkapp.com', message_stream: 'news' } as Connection
  expect(forCampaigns(postmark).host).toBe('smtp-broadcasts.postmarkapp.com')
  for (const other of [{ message_stream: '' }, { host: 'relay.harbour.example' }, { provider: 'smtp' as const }]) {
    const connection = { ...postmark, ...other }
    expect(forCampaigns(connection)).toBe(connection)
  }
})
