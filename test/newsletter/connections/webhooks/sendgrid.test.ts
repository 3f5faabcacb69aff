import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'bun:test'
import { OURS, SECONDS, read, said } from './delivered.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secret = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const signed = (body: string, timestamp = SECONDS) => ({
  'X-Twilio-Email-Event-Webhook-Signature': sign('sha256', Buffer.from(timestamp + body), privateKey).toString(
    'base64',
  ),
  'X-Twilio-Email-Event-Webhook-Timestamp': timestamp,
})
const event = (fields: Record<string, unknown>) => ({
  email: 'a@b.example',
  'smtp-id': OURS,
  sg_event_id: 'e1',
  timestamp: 1,
  reason: '550 gone',
  ...fields,
})

test('The webhook of SendGrid accepts signed requests of any age, with either form of the key.', async () => {
  const body = JSON.stringify([event({ event: 'bounce', type: 'bounce' })])
  expect(await said('sendgrid', { body, headers: signed(body), secret })).toEqual([
    ['hard_bounce', 'a@b.example', OURS],
  ])
  expect(
    await read('sendgrid', {
      body,
      headers: signed(body, '1600000000'),
      secret: `\n${publicKey.export({ type: 'spki', format: 'pem' }).toString()}`,
    }),
  ).not.toBeNull()
})

test('The webhook of SendGrid refuses requests that are not signed.', async () => {
  const body = JSON.stringify([event({ event: 'bounce', type: 'bounce' })])
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')
  for (const sent of [
    { body, headers: signed(body) },
    { body, headers: signed(body), secret: other },
    { body, headers: signed(body), secret: 'no key' },
    { body, secret },
    { body: `${body} `, headers: signed(body), secret },
    { body, headers: { ...signed(body), 'X-Twilio-Email-Event-Webhook-Timestamp': '1' }, secret },
    { body, headers: { ...signed(body), 'X-Twilio-Email-Event-Webhook-Signature': 'AAAA' }, secret },
    {
      body,
      headers: signed(body),
      secret: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
  ])
    expect(await read('sendgrid', sent)).toBeNull()
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const by_rsa = sign('sha256', Buffer.from(SECONDS + body), rsa.privateKey).toString('base64')
  const headers = { ...signed(body), 'X-Twilio-Email-Event-Webhook-Signature': by_rsa }
  const key = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  expect(await read('sendgrid', { body, headers, secret: key })).toBeNull()
})

test('The webhook of SendGrid reads a batch.', async () => {
  const body = JSON.stringify([
    event({ event: 'bounce', type: 'bounce' }),
    event({ event: 'bounce', type: 'blocked' }),
    event({ event: 'bounce', type: 'expired' }),
    event({ event: 'spamreport' }),
    event({ event: 'unsubscribe' }),
    event({ event: 'group_unsubscribe' }),
    event({ event: 'delivered' }),
    event({ event: 'deferred' }),
    event({ event: 'open' }),
    ...['Bounced Address', 'Invalid', 'Spam Reporting Address', 'Unsubscribed Address', 'Spam Content'].map((reason) =>
      event({ event: 'dropped', reason }),
    ),
    null,
    'x',
    [],
  ])
  expect((await said('sendgrid', { body, headers: signed(body), secret })).map(([kind]) => kind)).toEqual([
    'hard_bounce',
    'soft_bounce',
    'soft_bounce',
    'complaint',
    'unsubscribe',
    'unsubscribe',
    'delivered',
    'hard_bounce',
    'hard_bounce',
    'complaint',
    'unsubscribe',
    'soft_bounce',
  ])
})

test('The webhook of SendGrid verifies the signature over the bytes, before decoding.', async () => {
  const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('[]'), Buffer.from([0x20])])
  const timestamp = SECONDS
  const headers = {
    'X-Twilio-Email-Event-Webhook-Signature': sign(
      'sha256',
      Buffer.concat([Buffer.from(timestamp), body]),
      privateKey,
    ).toString('base64'),
    'X-Twilio-Email-Event-Webhook-Timestamp': timestamp,
  }
  await expect(read('sendgrid', { body, headers, secret })).rejects.toThrow('not valid JSON')
})

test('A report of SendGrid has an id in any case, and the best words that the event has.', async () => {
  const reported = async (fields: Record<string, unknown>) => {
    const body = JSON.stringify([event({ event: 'blocked', ...fields })])
    const [report] = (await read('sendgrid', { body, headers: signed(body), secret }))!.reports
    return [report!.kind, report!.message_id, report!.event_id, report!.response]
  }
  const soft = 'soft_bounce'
  expect(await reported({ response: '452', status: '4.2.2' })).toEqual([soft, OURS, 'e1', '550 gone'])
  const unnamed = { sg_event_id: undefined, reason: undefined, status: '4.2.2' }
  expect(await reported({ ...unnamed, response: '452' })).toEqual([soft, OURS, `blocked 1 a@b.example ${OURS}`, '452'])
  expect(await reported({ ...unnamed, 'smtp-id': '' })).toEqual([soft, null, 'blocked 1 a@b.example null', '4.2.2'])
})
