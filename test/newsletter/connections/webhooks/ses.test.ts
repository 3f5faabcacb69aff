import { createSign } from 'node:crypto'
import { expect, test } from 'bun:test'
import { AppError } from '../../../../src/errors.ts'
import { type FetchText } from '../../../../src/newsletter/connections/webhooks/report.ts'
import { selfSigned, selfSignedRsa } from '../../../support/smtp-sink.ts'
import { NOW, OURS, TOPIC, read, said } from './delivered.ts'

const amazon = selfSignedRsa('sns.amazonaws.com')
const CERTIFICATE = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123.pem'
const certificates =
  (pem = amazon.cert): FetchText =>
  async (url) => {
    asked.push(url)
    return { status: 200, text: pem }
  }
let asked: string[] = []
let number = 0

/** An SNS message as Amazon signs it; `more` replaces fields after the signature. */
function sns(
  fields: Record<string, string>,
  { version = '2', key = amazon.key, ...more }: { version?: string; key?: string } & Record<string, unknown> = {},
): string {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: `sns-${++number}`,
    TopicArn: TOPIC,
    Timestamp: new Date(NOW).toISOString(),
    ...fields,
  }
  const names =
    message.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names
    .filter((name) => name in message)
    .map((name) => `${name}\n${message[name]}\n`)
    .join('')
  const Signature = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
    .update(text)
    .sign(key)
    .toString('base64')
  // Each message names another certificate: none is known from the test before.
  return JSON.stringify({
    ...message,
    SignatureVersion: version,
    Signature,
    SigningCertURL: CERTIFICATE.replace('0123', String(number)),
    ...more,
  })
}
const mail = {
  messageId: 'ses-1',
  commonHeaders: { messageId: OURS },
  headers: [
    { name: 'From', value: 'x' },
    { name: 'Message-ID', value: OURS },
  ],
}
const bounce = (bounceType: string, extra = {}) =>
  JSON.stringify({
    notificationType: 'Bounce',
    bounce: {
      bounceType,
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'a@b.example', diagnosticCode: 'smtp; 550 gone' }],
    },
    mail,
    ...extra,
  })

test('The webhook of SES accepts signed notifications of both versions.', async () => {
  for (const version of ['1', '2']) {
    expect(
      await said('ses', { body: sns({ Message: bounce('Permanent') }, { version }), fetchText: certificates() }),
    ).toEqual([['hard_bounce', 'a@b.example', OURS]])
  }
  expect(
    await said('ses', {
      body: sns({ Message: bounce('Permanent'), Subject: 'Amazon SES' }),
      fetchText: certificates(),
    }),
  ).toHaveLength(1)
})

test.each([
  ['another key', () => sns({ Message: bounce('Permanent') }, { key: selfSignedRsa('x').key })],
  ['another message', () => sns({ Message: bounce('Permanent') }, { Message: bounce('Permanent', { x: 1 }) })],
  ['another type', () => sns({ Message: 'x' }, { Type: 'UnsubscribeConfirmation' })],
  ['a short signature', () => sns({ Message: 'x' }, { Signature: 'AAAA' })],
  ['an unknown version', () => sns({ Message: 'x' }, { SignatureVersion: '3' })],
  ['no signature', () => JSON.stringify({ Type: 'Notification', Message: bounce('Permanent') })],
  ['no object', () => '[]'],
])('The webhook of SES refuses %s.', async (_, body) => {
  expect(await read('ses', { body: body(), fetchText: certificates() })).toBeNull()
})

test.each([
  'https://sns.eu-west-1.amazonaws.com.evil.example/x.pem',
  'https://evil.example/sns.eu-west-1.amazonaws.com/x.pem',
  'http://sns.eu-west-1.amazonaws.com/x.pem',
  'https://sns.eu-west-1.amazonaws.com:8443/x.pem',
  'https://a@sns.eu-west-1.amazonaws.com/x.pem',
  'https://sns.eu-west-1.amazonaws.com/x.crt',
  'https://s3.amazonaws.com/x.pem',
  'https://sns.a.b.amazonaws.com/x.pem',
  'https://sns.eu-west-1.amazonaws.com/x.pem?Action=GetTopicAttributes',
  'file:///etc/x.pem',
  'x',
  '',
])('The webhook of SES takes no certificate from %p.', async (SigningCertURL) => {
  expect(await read('ses', { body: sns({ Message: bounce('Permanent') }, { SigningCertURL }) })).toBeNull()
})

test('The webhook of SES refuses an expired or malformed certificate.', async () => {
  for (const now of [Date.UTC(2019, 0), Date.UTC(2050, 0)])
    expect(await read('ses', { body: sns({ Message: 'x' }), fetchText: certificates(), now })).toBeNull()
  expect(await read('ses', { body: sns({ Message: 'x' }), fetchText: certificates('no certificate') })).toBeNull()
  expect(await read('ses', { body: sns({ Message: 'x' }), fetchText: certificates(selfSigned('x').cert) })).toBeNull()
  expect(
    await read('ses', { body: sns({ Message: 'x' }), fetchText: async () => ({ status: 404, text: amazon.cert }) }),
  ).toBeNull()
})

test('A certificate is fetched once, and a retry is asked for when it cannot be fetched.', async () => {
  asked = []
  const bodies = [
    sns({ Message: bounce('Permanent') }, { SigningCertURL: CERTIFICATE }),
    sns({ Message: bounce('Permanent') }, { SigningCertURL: CERTIFICATE }),
  ]
  for (const body of bodies) await read('ses', { body, fetchText: certificates() })
  expect(asked).toEqual([CERTIFICATE])
  const failed = await read('ses', { body: sns({ Message: 'x' }) }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(AppError)
  expect((failed as AppError).status).toBe(500)
})

test('The webhook of SES confirms a signed subscription, and only at addresses of Amazon.', async () => {
  asked = []
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
  const body = sns({ Type: 'SubscriptionConfirmation', Message: 'You have chosen …', Token: 't', SubscribeURL })
  expect(await read('ses', { body, topic: null, fetchText: certificates() })).toEqual({ reports: [], topic: TOPIC })
  expect(await read('ses', { body, fetchText: certificates() })).toEqual({ reports: [], topic: TOPIC })
  expect(asked.at(-1)).toBe(SubscribeURL)
  const refusing: FetchText = async (url) =>
    url.endsWith('.pem') ? { status: 200, text: amazon.cert } : { status: 403, text: '' }
  await expect(read('ses', { body, fetchText: refusing })).rejects.toThrow('did not accept the confirmation')
  asked = []
  const elsewhere = sns({
    Type: 'SubscriptionConfirmation',
    Message: 'x',
    Token: 't',
    SubscribeURL: 'https://169.254.169.254/latest',
  })
  await expect(read('ses', { body: elsewhere, fetchText: certificates() })).rejects.toThrow('not Amazon')
  const forged = sns(
    { Type: 'SubscriptionConfirmation', Message: 'x', Token: 't', SubscribeURL },
    { key: selfSignedRsa('x').key },
  )
  expect(await read('ses', { body: forged, fetchText: certificates() })).toBeNull()
  expect(asked.filter((url) => !url.endsWith('.pem'))).toEqual([])
})

test('The webhook of SES accepts one topic, and asks Amazon for nothing on behalf of another.', async () => {
  asked = []
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
  const confirmation = { Type: 'SubscriptionConfirmation', Message: 'x', Token: 't', SubscribeURL }
  const TopicArn = 'arn:aws:sns:eu-west-1:2:theirs'
  for (const body of [
    sns({ ...confirmation, TopicArn }),
    sns({ Message: bounce('Permanent'), TopicArn }),
    sns({ ...confirmation, TopicArn: '' }),
  ])
    expect(await read('ses', { body, fetchText: certificates() })).toBeNull()
  const early = [sns({ Message: bounce('Permanent') }), sns({ ...confirmation, TopicArn: '' })]
  for (const body of early) expect(await read('ses', { body, topic: null, fetchText: certificates() })).toBeNull()
  expect(asked).toEqual([])
})

test.each([
  [bounce('Permanent'), ['hard_bounce']],
  [bounce('Transient'), ['soft_bounce']],
  [bounce('Undetermined'), ['soft_bounce']],
  [bounce('Permanent', { notificationType: undefined, eventType: 'Bounce' }), ['hard_bounce']],
  [
    JSON.stringify({
      notificationType: 'Complaint',
      mail,
      complaint: {
        complainedRecipients: [{ emailAddress: 'a@b.example' }, { emailAddress: 'c@d.example' }],
        complaintFeedbackType: 'abuse',
      },
    }),
    ['complaint', 'complaint'],
  ],
  [
    JSON.stringify({
      notificationType: 'Complaint',
      mail,
      complaint: { complainedRecipients: [{ emailAddress: 'a@b.example' }], complaintFeedbackType: 'not-spam' },
    }),
    [],
  ],
  [
    JSON.stringify({
      notificationType: 'Delivery',
      mail,
      delivery: { recipients: ['a@b.example'], smtpResponse: '250 ok' },
    }),
    ['delivered'],
  ],
  [JSON.stringify({ eventType: 'Open', mail, open: {} }), []],
  ['Successfully validated SNS topic for Amazon SES event publishing.', []],
  [JSON.stringify({ notificationType: 'Bounce' }), []],
])('The webhook of SES reads %s.', async (Message, kinds) => {
  expect((await said('ses', { body: sns({ Message }), fetchText: certificates() })).map(([kind]) => kind)).toEqual(
    kinds,
  )
})

test('A report of SES says what the server said, or else what kind of bounce it is.', async () => {
  const reportOf = async (bounced: object) => {
    const Message = JSON.stringify({ notificationType: 'Bounce', mail, bounce: bounced })
    const body = sns({ Message, MessageId: 'sns-x' })
    const [report] = (await read('ses', { body, fetchText: certificates() }))!.reports
    return [report!.event_id, report!.response]
  }
  const bouncedRecipients = [{ emailAddress: 'a@b.example' }]
  const id = 'sns-x a@b.example'
  expect(await reportOf({ bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients })).toEqual([
    ...[id, 'Permanent General'],
  ])
  expect(await reportOf({ bounceType: 'Transient', bouncedRecipients })).toEqual([id, 'Transient'])
  const said = [{ emailAddress: 'a@b.example', diagnosticCode: '550 gone' }]
  expect(await reportOf({ bounceType: 'Permanent', bouncedRecipients: said })).toEqual([id, '550 gone'])
})

test('Amazon signs in China, too, and names its certificate in either spelling.', async () => {
  const url = 'https://sns.cn-north-1.amazonaws.com.cn/a.pem'
  for (const more of [{ SigningCertURL: url }, { SigningCertURL: undefined, SigningCertUrl: url }])
    expect(await said('ses', { body: sns({ Message: bounce('Permanent') }, more), fetchText: certificates() })).toEqual(
      [['hard_bounce', 'a@b.example', OURS]],
    )
})

test('A report of SES names the message that was sent, and says what a complaint and a delivery say.', async () => {
  const reports = async (notice: object) => {
    const body = sns({ Message: JSON.stringify(notice) })
    return (await read('ses', { body, fetchText: certificates() }))!.reports
  }
  const complaint = { complainedRecipients: [{ emailAddress: 'a@b.example' }], complaintFeedbackType: 'abuse' }
  const unnamed = { commonHeaders: { messageId: '<own@x>' } }
  expect(await reports({ notificationType: 'Complaint', mail: unnamed, complaint })).toMatchObject([
    { kind: 'complaint', message_id: '<own@x>', response: 'abuse' },
  ])
  const delivery = { recipients: ['a@b.example'], smtpResponse: '250 ok' }
  expect(await reports({ notificationType: 'Delivery', mail: {}, delivery })).toMatchObject([
    { email: 'a@b.example', message_id: null, response: '250 ok' },
  ])
})
