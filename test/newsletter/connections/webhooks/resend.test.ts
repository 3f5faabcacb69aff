import { createHmac } from 'node:crypto'
import { expect, test } from 'bun:test'
import { NOW, OURS, SECONDS, read, said } from './delivered.ts'

const key = Buffer.from('0123456789abcdef0123456789abcdef')
const secret = `whsec_${key.toString('base64')}`
const signed = (body: string, { id = 'msg_1', timestamp = SECONDS, by = key } = {}) => ({
  'svix-id': id,
  'svix-timestamp': timestamp,
  'svix-signature': `v1,AAAA v1,${createHmac('sha256', by).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
})
const event = (type: string, data: Record<string, unknown> = {}) =>
  JSON.stringify({ type, data: { to: ['a@b.example'], headers: [{ name: 'Message-ID', value: OURS }], ...data } })

test('The webhook of Resend accepts only signed requests.', async () => {
  const body = event('email.bounced', { bounce: { type: 'Permanent', subType: 'General', message: 'gone' } })
  expect(await read('resend', { body, headers: signed(body), secret })).toEqual({
    names: ['email.bounced'],
    reports: [
      {
        kind: 'hard_bounce',
        email: 'a@b.example',
        message_id: OURS,
        event_id: 'msg_1 a@b.example',
        response: 'gone',
      },
    ],
  })
  for (const [headers, own] of [
    [signed(body), ''],
    [signed(body), 'whsec_'],
    [signed(body, { by: Buffer.alloc(0) }), 'whsec_'],
    [signed(body, { id: '' }), secret],
    [signed(body, { by: Buffer.from('other') }), secret],
    [{ ...signed(body), 'svix-id': 'msg_2' }, secret],
    [{}, secret],
    [{ ...signed(body), 'svix-signature': signed(body)['svix-signature'].replaceAll('v1,', 'v2,') }, secret],
    [{ ...signed(body), 'svix-signature': 'v1' }, secret],
    [signed(body, { timestamp: String(NOW / 1000 - 301) }), secret],
    [signed(body, { timestamp: String(NOW / 1000 + 301) }), secret],
  ] as const)
    expect(await read('resend', { body, headers, secret: own })).toBeNull()
  expect(await read('resend', { body: `${body} `, headers: signed(body), secret })).toBeNull()
})

test.each([
  ['email.bounced', { bounce: { type: 'Permanent' } }, 'hard_bounce'],
  ['email.bounced', { bounce: { type: 'Transient' } }, 'soft_bounce'],
  ['email.bounced', {}, 'soft_bounce'],
  ['email.complained', {}, 'complaint'],
  ['email.delivered', {}, 'delivered'],
  ['email.opened', {}, null],
])('The webhook of Resend reads %s %j as %p.', async (type, data, kind) => {
  const body = event(type, data)
  expect(await said('resend', { body, headers: signed(body), secret })).toEqual(
    kind === null ? [] : [[kind, 'a@b.example', OURS]],
  )
})

test('Each recipient of an event of Resend has a report, with the best words.', async () => {
  const reports = async (data: Record<string, unknown>) => {
    const body = event('email.bounced', data)
    return (await read('resend', { body, headers: signed(body), secret }))!.reports
  }
  expect(
    (await reports({ to: ['a@b.example', 'c@d.example'] })).map(({ email, event_id }) => [email, event_id]),
  ).toEqual([
    ['a@b.example', 'msg_1 a@b.example'],
    ['c@d.example', 'msg_1 c@d.example'],
  ])
  const said = {
    to: 'a@b.example',
    headers: [{ name: 'X-Other', value: 'x' }],
    message_id: 'own',
    bounce: { subType: 'General' },
  }
  expect(await reports(said)).toMatchObject([{ email: 'a@b.example', message_id: 'own', response: 'General' }])
  const lower = [{ name: 'message-id', value: OURS }]
  expect(await reports({ headers: lower, message_id: 'own' })).toMatchObject([{ message_id: OURS, response: '' }])
  expect(await reports({ headers: [] })).toMatchObject([{ message_id: null }])
})
