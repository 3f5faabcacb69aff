import { expect, test } from 'bun:test'
import { read, said } from './delivered.ts'

const secret = 'hook:pass word'
const basic = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
const event = (fields: Record<string, unknown>) =>
  JSON.stringify({ ID: 42, MessageID: '883953f4', Email: 'a@b.example', Details: '550 gone', ...fields })

test('The webhook of Postmark accepts only requests with user and password.', async () => {
  const body = event({ RecordType: 'Bounce', Type: 'HardBounce', Metadata: { masthead: '3f.0123456789abcdef' } })
  expect(await read('postmark', { body, headers: basic(secret), secret })).toEqual({
    names: ['Bounce'],
    reports: [
      {
        kind: 'hard_bounce',
        email: 'a@b.example',
        message_id: '3f.0123456789abcdef',
        event_id: 'Bounce 42',
        response: '550 gone',
      },
    ],
  })
  for (const [headers, own] of [
    [basic('hook:wrong'), secret],
    [basic(secret), ''],
    [basic(''), ''],
    // Base64 of nothing, which equals an empty secret.
    [{ Authorization: 'Basic =' }, ''],
    [{}, secret],
    [{ Authorization: 'Bearer x' }, secret],
  ] as const) {
    expect(await read('postmark', { body, headers, secret: own })).toBeNull()
  }
})

test.each([
  [{ RecordType: 'Delivery', ID: undefined, DeliveredAt: 'noon' }, 'Delivery 883953f4 noon a@b.example'],
  [
    {
      ...{ RecordType: 'SubscriptionChange', SuppressSending: true, ID: undefined, Email: undefined },
      ChangedAt: 'one',
    },
    'SubscriptionChange 883953f4 one ',
  ],
])('Without an id, the event %j of Postmark is told apart by message, time and address.', async (fields, event_id) => {
  const { reports } = (await read('postmark', { body: event(fields), headers: basic(secret), secret }))!
  expect(reports.map((one) => one.event_id)).toEqual([event_id])
})

test.each<[Record<string, unknown>, string | null]>([
  [{ RecordType: 'Bounce', Type: 'HardBounce' }, 'hard_bounce'],
  [{ RecordType: 'Bounce', Type: 'BadEmailAddress' }, 'hard_bounce'],
  [{ RecordType: 'Bounce', Type: 'SoftBounce' }, 'soft_bounce'],
  [{ RecordType: 'Bounce', Type: 'Transient' }, 'soft_bounce'],
  [{ RecordType: 'Bounce', Type: 'Blocked' }, 'soft_bounce'],
  [{ RecordType: 'Bounce', Type: 'Unsubscribe' }, 'unsubscribe'],
  ...[
    ...['AutoResponder', 'AddressChange', 'ChallengeVerification', 'Subscribe', 'OpenRelayTest', 'InboundError'],
    'Unconfirmed',
  ].map((Type): [Record<string, unknown>, null] => [{ RecordType: 'Bounce', Type }, null]),
  [{ RecordType: 'Bounce', Type: 'SpamComplaint' }, 'complaint'],
  [{ RecordType: 'SpamComplaint' }, 'complaint'],
  [
    {
      RecordType: 'SubscriptionChange',
      SuppressSending: true,
      SuppressionReason: 'HardBounce',
      Recipient: 'a@b.example',
      Email: undefined,
    },
    'hard_bounce',
  ],
  [{ RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'SpamComplaint' }, 'complaint'],
  [{ RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'ManualSuppression' }, 'unsubscribe'],
  [{ RecordType: 'SubscriptionChange', SuppressSending: false }, null],
  [{ RecordType: 'Delivery', Recipient: 'a@b.example' }, 'delivered'],
  [{ RecordType: 'Open' }, null],
])('The webhook of Postmark reads %j as %p.', async (fields, kind) => {
  expect(await said('postmark', { body: event(fields), headers: basic(secret), secret })).toEqual(
    kind === null ? [] : [[kind, 'a@b.example', '883953f4']],
  )
})

test('A report of Postmark says what the server said, or else what Postmark says of it.', async () => {
  const response = async (fields: Record<string, unknown>) => {
    const body = event({ RecordType: 'SubscriptionChange', SuppressSending: true, ...fields })
    return (await read('postmark', { body, headers: basic(secret), secret }))!.reports[0]!.response
  }
  const reasons = { Details: '550', Description: 'The server was unable', SuppressionReason: 'HardBounce' }
  expect(await response(reasons)).toBe('550')
  expect(await response({ ...reasons, Details: '' })).toBe('The server was unable')
  expect(await response({ ...reasons, Details: '', Description: undefined })).toBe('HardBounce')
})
