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
  expect(verified).toMatchObject({
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
  expect(await read('mailgun', { body: mailgun({ event: 'opened' }), secret })).toMatchObject({
    token: 't1',
    reports: [],
  })
})

test('The webhook of Mailgun refuses unsigned requests and those five minutes off.', async () => {
  for (const [body, own] of [
    [mailgun(failed, { key: 'other' }), secret],
    [mailgun(failed), ''],
    [mailgun(failed, { key: '' }), ''],
    [mailgun(failed, { token: '' }), secret],
    [mailgun(failed, { timestamp: 'x' }), secret],
    [mailgun(failed, { timestamp: String(NOW / 1000 - 301) }), secret],
    [mailgun(failed, { timestamp: String(NOW / 1000 + 301) }), secret],
    [JSON.stringify({ 'event-data': failed }), secret],
    ['null', secret],
  ] as const)
    expect(await read('mailgun', { body, secret: own })).toBeNull()
  for (const seconds of [-300, 300])
    expect(
      await read('mailgun', { body: mailgun(failed, { timestamp: String(NOW / 1000 + seconds) }), secret }),
    ).not.toBeNull()
  const capitals = mailgun(failed).replace(/"signature":"\w+"/, (text) =>
    text.toUpperCase().replace('SIGNATURE', 'signature'),
  )
  expect(await read('mailgun', { body: capitals, secret })).not.toBeNull()
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

test('A report of Mailgun has an id in any case, and the best words that the event has.', async () => {
  const reported = async (more: Record<string, unknown>) => {
    const [report] = (await read('mailgun', { body: mailgun({ ...failed, ...more }), secret }))!.reports
    return [report!.event_id, report!.response]
  }
  const unnamed = { id: undefined, timestamp: 7.5 }
  expect(await reported(unnamed)).toEqual([`failed 7.5 a@b.example ${OURS.slice(1, -1)}`, '550 gone'])
  expect(await reported({ ...unnamed, message: undefined })).toEqual(['failed 7.5 a@b.example null', '550 gone'])
  const said = { message: '', description: 'Not there' }
  expect(await reported({ 'delivery-status': said, reason: 'bounce' })).toEqual(['e1', 'Not there'])
  expect(await reported({ 'delivery-status': {}, reason: 'bounce' })).toEqual(['e1', 'bounce'])
})
