import { createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import { AppError } from '../../../../src/errors.ts'
import { readMailReports } from '../../../../src/mail/reports.ts'
import { READERS, type WebhookKind, webhookKind } from '../../../../src/newsletter/connections/webhooks/receive.ts'
import { type FetchText, parseBody, type Verified } from '../../../../src/newsletter/connections/webhooks/report.ts'
import { selfSigned, selfSignedRsa } from '../../../support/smtp-sink.ts'

const NOW = Date.UTC(2026, 4, 1, 12)
const SECONDS = String(NOW / 1000)
const OURS = '<3f.0123456789abcdef@harbour.example>'

interface Sent {
  headers?: Record<string, string>
  body: string | Buffer
  secret?: string
  topic?: string | null
  now?: number
  fetchText?: FetchText
}

const TOPIC = 'arn:aws:sns:eu-west-1:1:t'

const nothingFetched: FetchText = async (url) => {
  throw new Error(`no fetch of ${url} is expected`)
}
const read = (
  kind: WebhookKind,
  { headers = {}, body, secret = '', topic = TOPIC, now = NOW, fetchText = nothingFetched }: Sent,
): Promise<Verified | null> =>
  READERS[kind].read({
    readJson: async () => parseBody(Buffer.from(body as Buffer)),
    readMail: readMailReports,
    headers: new Headers(headers),
    body: Buffer.from(body as Buffer),
    secret,
    topic,
    now,
    fetchText,
  })

/** The reports of a request in short: kind, address, message. */
const said = async (kind: WebhookKind, sent: Sent) =>
  (await read(kind, sent))!.reports.map(({ kind: what, email, message_id }) => [what, email, message_id])

test('every provider has a kind of webhook', () => {
  expect(
    (['smtp', 'sandbox', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'brevo'] as const).map(webhookKind),
  ).toEqual(['mime', 'mime', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'brevo'])
})

describe('SES, through SNS', () => {
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
  ])('The webhook of SES refuses %s', async (_, body) => {
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
    'file:///etc/x.pem',
    'x',
    '',
  ])('fetches no certificate from %p', async (SigningCertURL) => {
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

  test('fetches a certificate once, and asks for a retry when it cannot be fetched', async () => {
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
  ])('The webhook of SES reads %s', async (Message, kinds) => {
    expect((await said('ses', { body: sns({ Message }), fetchText: certificates() })).map(([kind]) => kind)).toEqual(
      kinds,
    )
  })
})

describe('SendGrid', () => {
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
        secret: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
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
  })

  test('The webhook of SendGrid reads a batch.', async () => {
    const body = JSON.stringify([
      event({ event: 'bounce', type: 'bounce' }),
      event({ event: 'bounce', type: 'blocked' }),
      event({ event: 'spamreport' }),
      event({ event: 'unsubscribe' }),
      event({ event: 'group_unsubscribe' }),
      event({ event: 'delivered' }),
      event({ event: 'deferred' }),
      event({ event: 'open' }),
      ...['Bounced Address', 'Invalid', 'Spam Reporting Address', 'Unsubscribed Address', 'Spam Content'].map(
        (reason) => event({ event: 'dropped', reason }),
      ),
      null,
      'x',
      [],
    ])
    expect((await said('sendgrid', { body, headers: signed(body), secret })).map(([kind]) => kind)).toEqual([
      'hard_bounce',
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
})

describe('Brevo', () => {
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
})

describe('Mailgun', () => {
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
  ])('The webhook of Mailgun reads %j as %s', async (event, kind) => {
    expect(await said('mailgun', { body: mailgun(event), secret })).toEqual([[kind, 'a@b.example', OURS.slice(1, -1)]])
  })
})

describe('Postmark', () => {
  const secret = 'hook:pass word'
  const basic = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
  const event = (fields: Record<string, unknown>) =>
    JSON.stringify({ ID: 42, MessageID: '883953f4', Email: 'a@b.example', Details: '550 gone', ...fields })

  test('The webhook of Postmark accepts only requests with user and password.', async () => {
    const body = event({ RecordType: 'Bounce', Type: 'HardBounce', Metadata: { masthead: '3f.0123456789abcdef' } })
    expect(await read('postmark', { body, headers: basic(secret), secret })).toEqual({
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
    [{ RecordType: 'Bounce', Type: 'HardBounce' }, 'hard_bounce'],
    [{ RecordType: 'Bounce', Type: 'BadEmailAddress' }, 'hard_bounce'],
    [{ RecordType: 'Bounce', Type: 'SoftBounce' }, 'soft_bounce'],
    [{ RecordType: 'Bounce', Type: 'Transient' }, 'soft_bounce'],
    [{ RecordType: 'Bounce', Type: 'Blocked' }, 'soft_bounce'],
    [{ RecordType: 'Bounce', Type: 'AutoResponder' }, null],
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
    [
      { RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'ManualSuppression' },
      'unsubscribe',
    ],
    [{ RecordType: 'SubscriptionChange', SuppressSending: false }, null],
    [{ RecordType: 'Delivery', Recipient: 'a@b.example' }, 'delivered'],
    [{ RecordType: 'Open' }, null],
  ])('The webhook of Postmark reads %j as %p', async (fields, kind) => {
    expect(await said('postmark', { body: event(fields), headers: basic(secret), secret })).toEqual(
      kind === null ? [] : [[kind, 'a@b.example', '883953f4']],
    )
  })
})

describe('Resend', () => {
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
      [signed(body, { by: Buffer.from('other') }), secret],
      [{ ...signed(body), 'svix-id': 'msg_2' }, secret],
      [{}, secret],
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
  ])('The webhook of Resend reads %s %j as %p', async (type, data, kind) => {
    const body = event(type, data)
    expect(await said('resend', { body, headers: signed(body), secret })).toEqual(
      kind === null ? [] : [[kind, 'a@b.example', OURS]],
    )
  })
})

describe('mail from other servers', () => {
  const LINES = (...lines: string[]) => lines.join('\r\n')
  const report = (type: string, part: string, quoted: string[], head: string[] = []) =>
    LINES(
      'From: MAILER-DAEMON@mx.example',
      'To: bounces@harbour.example',
      ...head,
      'Subject: Undelivered',
      'Message-ID: <report-1@mx.example>',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=${type}; boundary="=b"`,
      '',
      '--=b',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--=b',
      part,
      '--=b',
      ...quoted,
      '--=b--',
      '',
    )
  const QUOTED = [
    'Content-Type: message/rfc822',
    '',
    'From: news@harbour.example',
    'To: a@b.example',
    `Message-ID:\t${OURS}`,
    'Subject: Tides',
    '',
    'Hello',
  ]
  const dsn = (recipient: string[], quoted = QUOTED, head: string[] = []) =>
    report(
      'delivery-status',
      LINES('Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example', '', ...recipient, ''),
      quoted,
      head,
    )
  const RECIPIENT = ['Original-Recipient: rfc822;A@b.example', 'Final-Recipient: rfc822; other@elsewhere.example']

  test.each([
    [['Action: failed', 'Status: 5.1.1'], 'hard_bounce'],
    [['Action: failed', 'Status: 5.7.1 (refused)'], 'hard_bounce'],
    [['Action: Failed', 'Status: 4.4.7'], 'soft_bounce'],
    [['Action: delayed', 'Status: 4.4.1'], null],
    [['Action: relayed', 'Status: 2.0.0'], null],
    [['Action: delivered', 'Status: 2.1.5'], 'delivered'],
  ])('a status notification with %j is %p', async (fields, kind) => {
    expect(await said('mime', { body: dsn([...RECIPIENT, ...fields]) })).toEqual(
      kind === null ? [] : [[kind, 'A@b.example', OURS]],
    )
  })

  test('a status notification reports the answer of the server for each recipient', async () => {
    const body = dsn(
      [
        'Final-Recipient: rfc822; a@b.example',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1',
        '  no such user',
        '',
        'Final-Recipient: rfc822; c@d.example',
        'Action: failed',
        'Status: 4.2.2',
      ],
      ['Content-Type: text/rfc822-headers', '', `message-id: ${OURS}`, 'Subject: Tides'],
      ['Delivered-To: b+3f-00112233445566778899@bounces.harbour.example'],
    )
    expect((await read('mime', { body }))!.reports).toEqual([
      {
        kind: 'hard_bounce',
        email: 'a@b.example',
        message_id: OURS,
        return_path: expect.stringContaining('b+3f-'),
        event_id: '<report-1@mx.example> a@b.example',
        response: '550 5.1.1 no such user',
      },
      {
        kind: 'soft_bounce',
        email: 'c@d.example',
        message_id: OURS,
        return_path: expect.any(String),
        event_id: '<report-1@mx.example> c@d.example',
        response: '4.2.2',
      },
    ])
  })

  test('international addresses come in parts of their own kind (RFC 6533)', async () => {
    const body = dsn([...RECIPIENT, 'Action: failed', 'Status: 5.1.1'])
      .replace('message/delivery-status', 'message/global-delivery-status')
      .replace('message/rfc822', 'message/global')
    expect(await said('mime', { body })).toEqual([['hard_bounce', 'A@b.example', OURS]])
  })

  const arf = (fields: string[], quoted = QUOTED) =>
    report(
      'feedback-report',
      LINES('Content-Type: message/feedback-report', '', 'User-Agent: Feedback/1.0', 'Version: 1', ...fields, ''),
      quoted,
    )

  test.each([
    ['abuse', 'complaint'],
    ['fraud', 'complaint'],
    ['Abuse', 'complaint'],
    ['opt-out', 'unsubscribe'],
    ['not-spam', null],
    ['auth-failure', null],
  ])('feedback of type %s is %p', async (type, kind) => {
    expect(await said('mime', { body: arf([`Feedback-Type: ${type}`, 'Original-Rcpt-To: <a@b.example>']) })).toEqual(
      kind === null ? [] : [[kind, 'a@b.example', OURS]],
    )
  })

  test('feedback without an address is for the recipient in the message header or return path', async () => {
    const [found] = (await read('mime', {
      body: arf(['Feedback-Type: abuse', 'Original-Mail-From: <b+3f-00112233445566778899@bounces.harbour.example>']),
    }))!.reports
    expect(found).toMatchObject({ email: 'a@b.example', return_path: expect.stringContaining('b+3f-0011') })
  })

  test.each([
    [
      'an answer of somebody on holiday',
      LINES(
        'From: a@b.example',
        'Subject: Away',
        'Auto-Submitted: auto-replied',
        '',
        'Action: failed',
        'Status: 5.1.1',
        '',
      ),
    ],
    [
      'a message that quotes a report in its text',
      LINES(
        'From: a@b.example',
        'Content-Type: text/plain',
        '',
        dsn([...RECIPIENT, 'Action: failed', 'Status: 5.1.1']),
      ),
    ],
    ['nothing', ''],
    ['noise', Buffer.from([0, 1, 2, 255, 254]).toString('latin1')],
  ])('%s reports nothing', async (_, body) => {
    expect(await read('mime', { body })).toEqual({ reports: [] })
  })
})
