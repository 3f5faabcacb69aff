import { expect, test } from 'bun:test'
import { SECONDS, read, said, type Sent } from './delivered.ts'

const event = (name: string, more: Record<string, unknown> = {}) => ({
  event: name,
  email: 'ada@example.com',
  id: 26224,
  date: '2026-01-15 10:00:00',
  ts_event: Number(SECONDS),
  'message-id': '<202601150900.1@smtp-relay.mailin.fr>',
  ...more,
})
const secret = 'a-token-of-our-own'
const bearer = { Authorization: `Bearer ${secret}` }
const body = Buffer.from(JSON.stringify(event('hard_bounce', { reason: '550 no such user' })))

test('The webhook of Brevo is verified by its token, or by user and password.', async () => {
  expect(await read('brevo', { body, headers: bearer, secret })).toMatchObject({
    reports: [{ kind: 'hard_bounce', email: 'ada@example.com', response: '550 no such user' }],
  })
  const basic = { Authorization: `Basic ${Buffer.from('us:er').toString('base64')}` }
  expect(await read('brevo', { body, headers: basic, secret: 'us:er' })).not.toBeNull()
  const shouted = { Authorization: basic.Authorization.replace('Basic', 'BASIC') }
  expect(await read('brevo', { body, headers: shouted, secret: 'us:er' })).not.toBeNull()
  const others: Sent[] = [
    { body, headers: { 'X-Other': 'x' }, secret },
    { body, headers: { Authorization: 'Bearer other' }, secret },
    { body, headers: { Authorization: 'Bearer ' }, secret: '' },
  ]
  for (const sent of others) expect(await read('brevo', sent)).toBeNull()
})

test('The events of Brevo name the message by the header that it returns.', async () => {
  const names = 'delivered hard_bounce invalid_email soft_bounce blocked error spam unsubscribed request opened click'
  const events = names.split(' ').map((name) => event(name, { 'X-Mailin-custom': '7b.0123456789abcdef@x.example' }))
  const sent = { body: Buffer.from(JSON.stringify(events)), headers: bearer, secret }
  const said_of = await said('brevo', sent)
  expect(said_of.map(([kind]) => kind)).toEqual([
    'delivered',
    'hard_bounce',
    'hard_bounce',
    'soft_bounce',
    'soft_bounce',
    'soft_bounce',
    'complaint',
    'unsubscribe',
  ])
  expect(new Set(said_of.map(([, , message_id]) => message_id))).toEqual(new Set(['7b.0123456789abcdef@x.example']))
})

test('An event of Brevo is named by what it is, when it was, and whom it is about.', async () => {
  const reports = async (more: Record<string, unknown>) => {
    const sent = { body: Buffer.from(JSON.stringify(event('spam', more))), headers: bearer, secret }
    const [report] = (await read('brevo', sent))!.reports
    return [report!.message_id, report!.event_id, report!.response]
  }
  const own = '<202601150900.1@smtp-relay.mailin.fr>'
  const named = (time: unknown, id: string | null) => `spam ${time} ada@example.com ${id}`
  expect(await reports({})).toEqual([own, named(SECONDS, own), ''])
  expect(await reports({ 'message-id': undefined, ts_epoch: 7 })).toEqual([null, named(7, null), ''])
  expect(await reports({ ts_event: undefined, ts: 8, reason: 'why' })).toEqual([own, named(8, own), 'why'])
})
