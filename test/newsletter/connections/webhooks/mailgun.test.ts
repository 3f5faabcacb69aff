import { createHmac } from 'node:crypto'
import { expect, test } from 'bun:test'
import { NOW, OURS, SECONDS, read, said } from './delivered.ts'

const secret = 'key-1234'
const mailgun = (event: Record<string, unknown>, { timestamp = SECONDS, token = 't1', key = secret } = {}) =>
  JSON.stringify({
    signature: {
      timestamp,
      token,
      signature: createHmac('sha256', key)
        .update(timestamp + token)
        .digest('hex'),
    },
    'event-data': {
      id: 'e1',
      recipient: 'a@b.example',
      message: { headers: { 'message-id': OURS.slice(1, -1) } },
      'delivery-status': { message: '550 gone' },
      ...event,
    },
  })
const failed = { event: 'failed', severity: 'permanent' }

test('The webhook of Mailgun accepts signed requests, and returns their one-time token.', async () => {
  const verified = await read('mailgun', { body: mailgun(failed), secret })
  expect(verified).toEqual({
    token: 't1',
    reports: [
      {
        kind: 'hard_bounce',
        email: 'a@b.example',
        message_id: OURS.slice(1, -1),
        event_id: 'e1',
        response: '550 gone',
      },
    ],
  })
  expect(await read('mailgun', { body: mailgun({ event: 'opened' }), secret })).toEqual({ token: 't1', reports: [] })
})

test('The webhook of Mailgun refuses unsigned requests and those five minutes off.', async () => {
  for (const [body, own] of [
    [mailgun(failed, { key: 'other' }), secret],
    [mailgun(failed), ''],
    [mailgun(failed, { token: '' }), secret],
    [mailgun(failed, { timestamp: 'x' }), secret],
    [mailgun(failed, { timestamp: String(NOW / 1000 - 301) }), secret],
    [mailgun(failed, { timestamp: String(NOW / 1000 + 301) }), secret],
    [JSON.stringify({ 'event-data': failed }), secret],
    ['null', secret],
  ] as const)
    expect(await read('mailgun', { body, secret: own })).toBeNull()
  expect(
    await read('mailgun', { body: mailgun(failed, { timestamp: String(NOW / 1000 - 299) }), secret }),
  ).not.toBeNull()
  await expect(read('mailgun', { body: '{', secret })).rejects.toThrow('not valid JSON')
})

test.each([
  [failed, 'hard_bounce'],
  [{ ...failed, reason: 'bounce' }, 'hard_bounce'],
  [{ ...failed, reason: 'suppress-bounce' }, 'soft_bounce'],
  [{ ...failed, severity: 'temporary' }, 'soft_bounce'],
  [{ event: 'complained' }, 'complaint'],
  [{ event: 'unsubscribed' }, 'unsubscribe'],
  [{ event: 'delivered' }, 'delivered'],
])('The webhook of Mailgun reads %j as %s.', async (event, kind) => {
  expect(await said('mailgun', { body: mailgun(event), secret })).toEqual([[kind, 'a@b.example', OURS.slice(1, -1)]])
})
