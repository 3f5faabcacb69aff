import { createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PublicContext } from '../../../src/http/core/route.ts'
import { receiveReport } from '../../../src/http/public/webhooks.routes.ts'
import { createReportQueue } from '../../../src/newsletter/connections/webhooks/report-queue.ts'
import { createRecipientToken } from '../../../src/newsletter/tracking/tokens.ts'
import { connections, deliveries, sandbox_messages } from '../../../src/store/tables/delivery.ts'
import { draft } from '../../newsletter/campaigns/support.ts'
import { SAMPLE_DOCUMENT, readyToSend } from '../../support/campaigns.ts'
import { selfSignedRsa } from '../../support/smtp-sink.ts'
import type { AppError } from '../../../src/errors.ts'
import { createUploads } from '../../../src/http/core/uploads.ts'
import { createWorld, type World } from '../../support/world.ts'

/** From a signed request to the report of a campaign, for every provider, with keys made here. */
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

let number = 0
let email: string
let contact_id: number
let campaign_id: number
/** Without its brackets. */
let message_id: string
beforeEach(async () => {
  number += 1
  email = `reader${number}@example.com`
  contact_id = (await world.ok('contacts/upsert', { email, consent_text: 'Yes' })).contact.id
  campaign_id = (await draft(world)).id
  const [row] = await world.service.runtime.store.write((tx) =>
    tx
      .insert(deliveries)
      .values({
        project_id: world.project.id,
        kind: 'campaign',
        campaign_id,
        contact_id,
        email,
        status: 'sent',
        next_attempt_at: 0,
        created_at: world.clock.now(),
        sent_at: world.clock.now(),
      })
      .returning({ id: deliveries.id }),
  )
  const token = createRecipientToken(world.service.runtime.keys, { delivery_id: row!.id, contact_id, campaign_id })
  message_id = `${row!.id.toString(36)}.${token.slice(0, 16)}@harbour.example`
})

const seconds = (off = 0) => String(Math.floor(world.clock.now() / 1000) + off)

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const svix = Buffer.from('0123456789abcdef0123456789abcdef')
const SECRETS: Record<string, string> = {
  sendgrid: ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  mailgun: 'signing-key',
  postmark: 'hook:secret',
  resend: `whsec_${svix.toString('base64')}`,
}

/** A connection of a kind, and where its webhooks go. */
async function hook(
  provider: string,
  more: Record<string, unknown> = { webhook_secret: SECRETS[provider] ?? null },
): Promise<{ connection_id: number; path: string }> {
  const relay = provider === 'smtp' ? { host: 'mail.harbour.example' } : {}
  const { connection } = await world.ok('connections/create', { name: `Hook ${++number}`, provider, ...relay, ...more })
  const {
    urls: [url],
  } = await world.ok('connections/webhook-urls', { connection_id: connection.id })
  return { connection_id: connection.id, path: url.url.slice(world.url.length) }
}

interface Signed {
  body: string
  headers: Record<string, string>
}
interface Hand {
  event: 'hard' | 'soft' | 'complaint' | 'delivered'
  id?: string
  off?: number
  forge?: boolean
}

/** What SendGrid sends. */
function signedBySendgrid(events: unknown[], off = 0, key = ec.privateKey): Signed {
  const body = JSON.stringify(events)
  return {
    body,
    headers: {
      'X-Twilio-Email-Event-Webhook-Signature': sign('sha256', Buffer.from(seconds(off) + body), key).toString(
        'base64',
      ),
      'X-Twilio-Email-Event-Webhook-Timestamp': seconds(off),
    },
  }
}

/** A provider's hand: an event about the message above, signed, or signed with a wrong key. */
const HANDS: Record<string, (hand: Hand) => Signed> = {
  sendgrid({ event, id = `sg-${number}`, off, forge }) {
    const what = {
      hard: { event: 'bounce', type: 'bounce' },
      soft: { event: 'bounce', type: 'blocked' },
      complaint: { event: 'spamreport' },
      delivered: { event: 'delivered' },
    }[event]
    const key = forge ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : ec.privateKey
    const about = { email, 'smtp-id': `<${message_id}>`, sg_event_id: id, reason: '550 gone', ...what }
    return signedBySendgrid([about], off, key)
  },
  mailgun({ event, id = `mg-${number}`, off, forge }) {
    const what = {
      hard: { event: 'failed', severity: 'permanent' },
      soft: { event: 'failed', severity: 'temporary' },
      complaint: { event: 'complained' },
      delivered: { event: 'delivered' },
    }[event]
    const [timestamp, token] = [seconds(off), `token-${id}`]
    const signature = createHmac('sha256', forge ? 'wrong' : SECRETS.mailgun!)
      .update(timestamp + token)
      .digest('hex')
    return {
      body: JSON.stringify({
        signature: { timestamp, token, signature },
        'event-data': { id, recipient: email, message: { headers: { 'message-id': message_id } }, ...what },
      }),
      headers: {},
    }
  },
  postmark({ event, id = `${number}`, forge }) {
    const what = {
      hard: { RecordType: 'Bounce', Type: 'HardBounce' },
      soft: { RecordType: 'Bounce', Type: 'Transient' },
      complaint: { RecordType: 'SpamComplaint' },
      delivered: { RecordType: 'Delivery', Recipient: email },
    }[event]
    const pair = forge ? 'hook:wrong' : SECRETS.postmark!
    return {
      body: JSON.stringify({
        ID: id,
        Email: email,
        MessageID: 'theirs',
        Metadata: { masthead: message_id.split('@')[0] },
        ...what,
      }),
      headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    }
  },
  resend({ event, id = `re-${number}`, off, forge }) {
    const what = {
      hard: { type: 'email.bounced', data: { bounce: { type: 'Permanent' } } },
      soft: { type: 'email.bounced', data: { bounce: { type: 'Transient' } } },
      complaint: { type: 'email.complained', data: {} },
      delivered: { type: 'email.delivered', data: {} },
    }[event]
    const body = JSON.stringify({ ...what, data: { ...what.data, to: [email] } })
    const signature = createHmac('sha256', forge ? 'wrong' : svix)
      .update(`${id}.${seconds(off)}.${body}`)
      .digest('base64')
    return { body, headers: { 'svix-id': id, 'svix-timestamp': seconds(off), 'svix-signature': `v1,${signature}` } }
  },
}

const post = async (path: string, { body, headers }: Signed, type = 'application/json') => {
  const answer = await world.fetch(path, { method: 'POST', body, headers: { 'Content-Type': type, ...headers } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const state = async () => {
  const { bounces, complaints, sent } = await world.ok('campaigns/stats', { campaign_id })
  const { contact, suppression } = await world.ok('contacts/get', { contact_id })
  return { ...bounces, complaints, sent, status: contact.global_status, reason: suppression?.reason ?? null }
}
const UNTOUCHED = { hard: 0, soft: 0, complaints: 0, sent: 1, status: 'subscribed', reason: null }

describe.each(Object.keys(HANDS))('%s', (provider) => {
  const hand = HANDS[provider]!

  test('A webhook records a repeated hard bounce once.', async () => {
    const { path } = await hook(provider)
    const event = hand({ event: 'hard' })
    expect(await post(path, event, 'text/plain; charset=UTF-8')).toEqual({
      status: 200,
      body: { success: true, reports: 1 },
    })
    expect((await post(path, event)).status).toBe(200)
    expect(await state()).toEqual({ ...UNTOUCHED, hard: 1, status: 'bounced', reason: 'hard_bounce' })
    expect((await world.ok('campaigns/recipients', { campaign_id })).items[0].status).toBe('bounced')
  })

  test('A webhook records a soft bounce, a delivery and a complaint.', async () => {
    const { path } = await hook(provider)
    for (const [index, event] of (['soft', 'delivered', 'complaint'] as const).entries())
      expect((await post(path, hand({ event, id: `${number}-${index}` }))).status).toBe(200)
    expect(await state()).toEqual({ ...UNTOUCHED, soft: 1, complaints: 1, status: 'complained', reason: 'complaint' })
  })

  test('A webhook with a wrong signature or without a secret changes nothing.', async () => {
    const { connection_id, path } = await hook(provider)
    expect(await post(path, hand({ event: 'hard', forge: true }))).toEqual({
      status: 401,
      body: { error: 'unauthorized', message: expect.any(String) },
    })
    expect(
      (
        await post(path, {
          ...hand({ event: 'hard' }),
          headers: {},
          ...(provider === 'mailgun' ? { body: '{"event-data":{}}' } : {}),
        })
      ).status,
    ).toBe(401)
    await world.ok('connections/update', { connection_id, webhook_secret: null })
    expect((await post(path, hand({ event: 'hard' }))).status).toBe(401)
    expect(await state()).toEqual(UNTOUCHED)
    await world.ok('connections/update', { connection_id, webhook_secret: SECRETS[provider] })
    expect((await post(path, hand({ event: 'hard' }))).status).toBe(200)
  })

  test('A webhook is refused for another provider and another connection.', async () => {
    const { path } = await hook(provider)
    const token = path.split('/').at(-1)!
    const others = ['ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'mime', 'smtp', 'x'].filter(
      (other) => other !== provider,
    )
    for (const wrong of [
      ...others.map((other) => path.replace(`/${provider}/`, `/${other}/`)),
      path.replace(token, `${token}A`),
      path.replace(token, 'svc_wh_nobody'),
    ]) {
      expect((await post(wrong, hand({ event: 'hard' }))).status).toBe(401)
    }
    expect((await world.fetch(path)).status).toBe(405)
    expect(await state()).toEqual(UNTOUCHED)
  })
})

test('An old timestamp is refused for Mailgun and Resend and accepted for SendGrid.', async () => {
  for (const [provider, status] of [
    ['mailgun', 401],
    ['resend', 401],
    ['sendgrid', 200],
  ] as const) {
    const { path } = await hook(provider)
    expect((await post(path, HANDS[provider]!({ event: 'soft', off: -301 }))).status).toBe(status)
  }
})

test('A repeated token of Mailgun is ignored, whatever its events.', async () => {
  const { path } = await hook('mailgun')
  const first = HANDS.mailgun!({ event: 'delivered' })
  expect((await post(path, first)).status).toBe(200)
  const forged = JSON.parse(first.body) as { 'event-data': Record<string, unknown> }
  forged['event-data'] = { ...forged['event-data'], id: 'another', event: 'failed', severity: 'permanent' }
  expect(await post(path, { body: JSON.stringify(forged), headers: {} })).toEqual({
    status: 200,
    body: { success: true, reports: 1 },
  })
  expect(await state()).toEqual(UNTOUCHED)
})

test('SES confirms its subscription and sends signed notifications.', async () => {
  const { path, connection_id } = await hook('ses')
  const amazon = selfSignedRsa('sns.amazonaws.com')
  const asked: string[] = []
  const fetchText = async (url: string) => {
    asked.push(url)
    return { status: 200, text: url.endsWith('.pem') ? amazon.cert : '<ok/>' }
  }
  const send = async (fields: Record<string, string>, key = amazon.key) => {
    const message: Record<string, string> = {
      TopicArn: 'arn:aws:sns:eu-west-1:1:t',
      Timestamp: new Date(world.clock.now()).toISOString(),
      MessageId: `sns-${number}`,
      ...fields,
    }
    const names = [
      'Message',
      'MessageId',
      ...(message.Type === 'Notification' ? [] : ['SubscribeURL']),
      'Timestamp',
      ...(message.Type === 'Notification' ? [] : ['Token']),
      'TopicArn',
      'Type',
    ]
    const Signature = createSign('RSA-SHA256')
      .update(names.map((name) => `${name}\n${message[name]}\n`).join(''))
      .sign(key)
      .toString('base64')
    const body = JSON.stringify({
      ...message,
      SignatureVersion: '2',
      Signature,
      SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/S-http.pem',
    })
    const [, provider, token] = /webhooks\/(\w+)\/(.+)$/.exec(path)!
    const request = new Request(world.url + path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
    })
    const { runtime } = world.service
    const context = {
      ...runtime,
      db: runtime.store.db,
      request,
      uploads: createUploads(),
      address: '192.0.2.1',
      server: null,
      now: world.clock.now(),
    } as unknown as PublicContext
    return receiveReport({ provider: provider!, token: token! }, context, { fetchText, queue: createReportQueue() })
  }
  await send({
    Type: 'SubscriptionConfirmation',
    Message: 'x',
    Token: 't',
    SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription',
  })
  expect(asked).toEqual([
    'https://sns.eu-west-1.amazonaws.com/S-http.pem',
    'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription',
  ])
  const Message = JSON.stringify({
    notificationType: 'Bounce',
    bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: email }] },
    mail: { commonHeaders: { messageId: `<${message_id}>` } },
  })
  await expect(Promise.resolve(send({ Type: 'Notification', Message }, selfSignedRsa('x').key))).rejects.toThrow(
    'signature',
  )
  expect(await state()).toEqual(UNTOUCHED)
  for (let time = 0; time < 2; time += 1) expect((await send({ Type: 'Notification', Message })).success).toBe(true)
  expect(await state()).toEqual({ ...UNTOUCHED, hard: 1, status: 'bounced', reason: 'hard_bounce' })

  // A topic of another account has a valid signature as well.
  const topic = async () => {
    const { items } = await world.ok('connections/list', { limit: 200 })
    const { urls } = await world.ok('connections/webhook-urls', { connection_id })
    return [items.find(({ id }: { id: number }) => id === connection_id).webhook_topic, urls[0].topic]
  }
  const refusal = (fields: Record<string, string>) =>
    send(fields).then(
      () => null,
      (error: AppError) => error.status,
    )
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=theirs'
  const theirs = { TopicArn: 'arn:aws:sns:eu-west-1:2:theirs', Message }
  const subscribe = { ...theirs, Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL }
  expect(await topic()).toEqual(['arn:aws:sns:eu-west-1:1:t', 'arn:aws:sns:eu-west-1:1:t'])
  expect([await refusal(subscribe), await refusal({ ...theirs, Type: 'Notification' })]).toEqual([401, 401])
  expect(asked).not.toContain(SubscribeURL)

  await world.ok('connections/update', { connection_id, webhook_topic: null })
  expect(await topic()).toEqual([null, null])
  expect(await refusal({ ...theirs, Type: 'Notification' })).toBe(401)
  expect((await send(subscribe)).success).toBe(true)
  expect(await topic()).toEqual([theirs.TopicArn, theirs.TopicArn])
  expect((await send({ ...theirs, Type: 'Notification' })).success).toBe(true)
  await world.ok('connections/update', { connection_id, provider: 'sendgrid' })
  await world.ok('connections/update', { connection_id, provider: 'ses' })
  expect(await topic()).toEqual([null, null])
})

test('A notification of SES without a signature is refused.', async () => {
  const { path } = await hook('ses')
  const forged = {
    Type: 'Notification',
    SignatureVersion: '1',
    Signature: 'AAAA',
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/x.pem',
    Message: '{}',
  }
  for (const body of [
    '{}',
    JSON.stringify(forged),
    JSON.stringify({ ...forged, SigningCertURL: 'https://evil.example/x.pem', Signature: 'A'.repeat(400) }),
  ]) {
    expect((await post(path, { body, headers: {} })).status).toBe(401)
  }
  expect((await post(path, { body: 'no json', headers: {} })).status).toBe(400)
})

test('A report of a provider is read up to 5 MiB.', async () => {
  const { path } = await hook('postmark')
  const padded = (length: number) => post(path, { body: '{}'.padEnd(length), headers: {} })
  // Unsigned: what is refused for that was read.
  expect((await padded(5 * 1024 * 1024)).status).toBe(401)
  expect((await padded(5 * 1024 * 1024 + 1)).status).toBe(413)
})

test('A report of a provider about a text that is no address suppresses nothing.', async () => {
  const { path } = await hook('resend')
  const texts = ['x@y', '@', '=1+1', 'a\0b@sea.example', 'a@b.example,c@b.example', 'a@[192.0.2.1]', { toString: 1 }]
  for (const text of [...texts, `${'x'.repeat(65)}@sea.example`, `a@${'ü.'.repeat(150_000)}example`]) {
    const id = `odd-${number++}`
    const body = JSON.stringify({ type: 'email.bounced', data: { to: [text], bounce: { type: 'Permanent' } } })
    const signature = createHmac('sha256', svix).update(`${id}.${seconds()}.${body}`).digest('base64')
    const headers = { 'svix-id': id, 'svix-timestamp': seconds(), 'svix-signature': `v1,${signature}` }
    const before = process.cpuUsage()
    expect(await post(path, { body, headers })).toEqual({ status: 200, body: { success: true, reports: 0 } })
    expect(process.cpuUsage(before).user).toBeLessThan(300_000)
  }
  expect((await world.ok('suppressions/list', { search: 'sea.example' })).items).toEqual([])
})

test('Reports that tell nothing new leave no rows, whatever their ids and however many there are.', async () => {
  const { connection_id, path } = await hook('sendgrid')
  const { store } = world.service.runtime
  const count = async (of: SQL) => {
    const [row] = await store.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM ${of}`)
    return row!.count
  }
  const rows = async () => [
    await count(sql`events WHERE project_id = ${world.project.id}`),
    await count(sql`provider_events WHERE connection_id = ${connection_id}`),
    await count(sql`audit_log WHERE target = ${`connection:${connection_id}`}`),
  ]
  const alone = `alone${number}@example.com`
  await world.ok('contacts/upsert', { email: alone, consent_text: 'Yes' })
  const about = [{ email: alone }, { email, 'smtp-id': `<${message_id}>` }, { email: `nobody${number}@example.com` }]
  let id = 0
  const send = (what: object) =>
    post(
      path,
      signedBySendgrid(
        about.flatMap((one) => Array.from({ length: 20 }, () => ({ ...one, ...what, sg_event_id: `new-${id++}` }))),
      ),
    )
  const soft = { event: 'bounce', type: 'blocked' }
  const [hard, complaint] = [{ event: 'bounce', type: 'bounce' }, { event: 'spamreport' }]
  for (const what of [soft, hard, complaint]) expect((await send(what)).body).toEqual({ success: true, reports: 60 })
  const before = await rows()
  expect(before[1]).toBeLessThan(20)
  for (const what of [soft, hard, complaint]) expect((await send(what)).body).toEqual({ success: true, reports: 60 })
  expect(await rows()).toEqual(before)
})

test('A full project takes reports about its contacts and messages, and no further addresses of nobody.', async () => {
  const { path } = await hook('sendgrid')
  const { store } = world.service.runtime
  const fillBy = (rows: number) =>
    store.write((tx) =>
      tx.run(sql`
        UPDATE project_usage SET rows = rows + ${rows}
        WHERE project_id = ${world.project.id} AND kind = 'suppressions'`),
    )
  const nobody = `stranger${number}@example.com`
  const reports = async (id: string) => {
    const bounce = { event: 'bounce', type: 'bounce' }
    const both = [nobody, email].map((address) => ({ ...bounce, email: address, sg_event_id: `${id} ${address}` }))
    return (await post(path, signedBySendgrid(both))).body.reports
  }
  await world.ok('suppressions/add', { email: `first${number}@example.com` })
  await fillBy(5_000_000)
  expect(await reports('full')).toBe(1)
  expect((await state()).reason).toBe('hard_bounce')
  expect((await world.ok('suppressions/list', { search: nobody })).items).toEqual([])
  await fillBy(-5_000_000)
  expect(await reports('with room')).toBe(2)
})

test('Large reports of a provider that arrive together are refused for now, all but a few.', async () => {
  const { path } = await hook('postmark')
  const { headers } = HANDS.postmark!({ event: 'hard' })
  const send = () => world.fetch(path, { method: 'POST', headers, body: `{"Details":"${'x'.repeat(4_000_000)}"}` })
  const answers = await Promise.all(Array.from({ length: 6 }, send))
  const retried = answers.filter(({ status }) => status === 503)
  expect(answers.filter(({ status }) => status === 200).length + retried.length).toBe(6)
  expect(retried.map(({ headers }) => headers.get('Retry-After'))).toContain('5')
  expect((await post(path, HANDS.postmark!({ event: 'hard' }))).body).toEqual({ success: true, reports: 1 })
})

describe('mime', () => {
  const dsn = () =>
    [
      'From: MAILER-DAEMON@mx.example',
      'To: bounces@harbour.example',
      `Message-ID: <dsn-${number}@mx.example>`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      `Final-Recipient: rfc822; ${email}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 gone',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: <${message_id}>`,
      'Content-Type: text/plain; charset=iso-8859-1',
      '',
      'Gr\xfc\xdfe',
      '--b--',
      '',
    ].join('\r\n')

  test('The webhook mime accepts a bounce in any of its media types, once.', async () => {
    const { path } = await hook('smtp')
    const body = Buffer.from(dsn(), 'latin1')
    for (const type of [
      'message/rfc822',
      'message/global',
      'text/plain; charset=us-ascii',
      'application/octet-stream',
    ]) {
      const answer = await world.fetch(path, { method: 'POST', body, headers: { 'Content-Type': type } })
      expect(answer.status).toBe(200)
    }
    expect((await world.fetch(path, { method: 'POST', body })).status).toBe(200)
    expect(await state()).toEqual({ ...UNTOUCHED, hard: 1, status: 'bounced', reason: 'hard_bounce' })
  })

  test('The webhook mime serves sandbox connections and refuses JSON and too large bodies.', async () => {
    const { path } = await hook('sandbox')
    expect(path).toContain('/webhooks/mime/')
    expect((await post(path, { body: '{}', headers: {} })).status).toBe(415)
    const huge = await world.fetch(path, {
      method: 'POST',
      body: Buffer.alloc(10 * 1024 * 1024 + 1, 97),
      headers: { 'Content-Type': 'message/rfc822' },
    })
    expect(huge.status).toBe(413)
    expect(
      (
        await world.fetch(path, {
          method: 'POST',
          body: Buffer.alloc(1024 * 1024, 97),
          headers: { 'Content-Type': 'message/rfc822' },
        })
      ).status,
    ).toBe(200)
    expect(await state()).toEqual(UNTOUCHED)
  })
})

test('A bounce finds its message by the return path.', async () => {
  const { connection_id, list_id } = await readyToSend(world, {
    name: 'Verp',
    provider: 'sandbox',
    bounce_domain: 'Bounces.harbour.example',
  })
  const {
    urls: [url],
  } = await world.ok('connections/webhook-urls', { connection_id })
  await world.ok('contacts/upsert', { email, list_ids: [list_id], consent_text: 'Yes' })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  const [message] = await world.service.runtime.store.db
    .select()
    .from(sandbox_messages)
    .where(eq(sandbox_messages.recipient_key, email))
  expect(message!.sender).toMatch(/^b\+[0-9a-z]+-[0-9a-v]{5}[0-9a-f]{20}@bounces\.harbour\.example$/)
  expect(message!.raw).toContain('From: Harbour News <news@harbour.example>')
  const body = [
    `Delivered-To: ${message!.sender}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx',
    '',
    'Final-Recipient: rfc822; forwarded@elsewhere.example',
    'Action: failed',
    'Status: 5.1.1',
    '',
    '--b--',
    '',
  ].join('\r\n')
  expect((await post(url.url.slice(world.url.length), { body, headers: {} }, 'message/rfc822')).status).toBe(200)
  campaign_id = campaign.id
  expect(await state()).toEqual({ ...UNTOUCHED, hard: 1, status: 'bounced', reason: 'hard_bounce' })
})

test('connections/webhook-urls returns one stable address for each connection.', async () => {
  const { connection_id, path } = await hook('mailgun')
  const { urls } = await world.ok('connections/webhook-urls', { connection_id })
  expect(urls).toEqual([
    {
      provider: 'mailgun',
      url: world.url + path,
      verification: expect.stringContaining('HMAC'),
      events: expect.arrayContaining(['permanent_fail']),
      last_event_at: null,
    },
  ])
  await post(path, HANDS['mailgun']!({ event: 'delivered', forge: true }))
  await post(path, HANDS['mailgun']!({ event: 'delivered' }))
  const after = await world.ok('connections/webhook-urls', { connection_id })
  expect(after.urls[0].last_event_at).toBe(new Date(world.clock.now()).toISOString())
  expect(Buffer.from(path.split('/').at(-1)!.replace('svc_wh_', ''), 'base64url')).toHaveLength(32)
  expect((await hook('mailgun')).path).not.toBe(path)
  const both = await Promise.all(
    [0, 1].map(async () => (await world.ok('connections/webhook-urls', { connection_id })).urls[0].url),
  )
  expect(new Set(both).size).toBe(1)
})

test('connections/webhook-urls stores nothing that reveals the address.', async () => {
  const { connection_id, path } = await hook('resend')
  const token = path.split('/').at(-1)!
  const [row] = await world.service.runtime.store.db.select().from(connections).where(eq(connections.id, connection_id))
  expect(JSON.stringify(row)).not.toContain(token)
  expect(JSON.stringify((await world.call('connections/list', { limit: 200 })).body)).not.toContain(token)
})

test('connections/webhook-urls is for administrators of the project.', async () => {
  const { connection_id } = await hook('postmark')
  expect(
    (await world.call('connections/webhook-urls', { connection_id }, { as: world.keys.administrator, key: null }))
      .status,
  ).toBe(200)
  expect(
    (await world.call('connections/webhook-urls', { connection_id }, { as: world.keys.editor })).body.error.code,
  ).toBe('INSUFFICIENT_ROLE')
  expect(
    (await world.call('connections/webhook-urls', { connection_id }, { as: world.keys.other })).body.error.code,
  ).toBe('NOT_FOUND')
  expect(
    (
      await world.call(
        'connections/webhook-urls',
        { connection_id },
        { as: await world.token('owner', ['newsletter:read']) },
      )
    ).body.error.code,
  ).toBe('INSUFFICIENT_SCOPE')
})
