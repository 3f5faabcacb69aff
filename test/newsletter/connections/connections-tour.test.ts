import { createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, beforeEach, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts'
import { receiveWebhook } from '../../../src/newsletter/connections/webhooks/receive.ts'
import type { Connection } from '../../../src/newsletter/connections/connection.ts'
import { connections, PROVIDERS } from '../../../src/store/tables/delivery.ts'
import { type DnsServer, openDnsServer } from '../../support/dns-server.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { selfSignedRsa, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { messageLines } from '../../support/tour-messages.ts'
import { dense } from '../../support/tour-values.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type SendingTour, tourOfSending } from '../sending-tour.ts'
import { addPeople } from '../campaigns/support.ts'
import { verdictsOn } from '../../mail/dkim-verifier.ts'

let world: World
let tour: SendingTour
let sink: SmtpSink
let dns: DnsServer
beforeEach(async () => {
  dns = await openDnsServer()
  sink = await startSmtpSink({
    auth: { user: 'harbour', password: 'anchor' },
    onRcpt: (address) => (address.startsWith('no') ? { code: 550, text: '5.1.1 Nobody' } : undefined),
  })
  world = await createWorld()
  tour = tourOfSending(world)
  tour.name(sink.port, 'relay port')
})
afterEach(async () => {
  await world.close()
  await sink.close()
  dns.close()
})

test('Answers and rows of connections and settings are those that are recorded.', async () => {
  await settings()
  await creations()
  await changes()
  await trials()
  await lookUps()
  await removals()
  expectRecorded('sending/connections.txt', tour.text())
})

async function settings(): Promise<void> {
  tour.heading('Settings')
  const update = (more: object, options = {}) => tour.call('settings/update', { ...more }, options)
  await tour.call('settings/get')
  await update({
    from_name: '  Harbour ',
    from_email: ' News@Harbour.net ',
    reply_to: 'desk@harbour.net',
    locale: 'EN-gb',
  })
  await update({
    company_name: 'Harbour Ltd',
    postal_address: 'Quay 1\nHamburg',
    footer_text: 'Foot',
    timezone: 'Asia/Tokyo',
  })
  await update({
    track_opens: false,
    confirmation_subject: 'Please',
    confirmation_text: 'Do it.',
    brand_color: '#1a2B3c',
  })
  await update({ track_clicks: false, unsubscribe_mailto: 'leave@harbour.net', confirmations_held: true })
  await update({ logo_url: 'https://harbour.net/logo.png', track_opens: true }, { as: 'administrator' })
  await update({ from_name: 'Theirs' }, { as: 'other' })
  await tour.call('settings/get', {}, { as: 'member' })
  for (const wrong of [
    {
      default_connection_id: 1,
      from_email: 'none',
      timezone: '+02:00',
      locale: 'x',
      brand_color: 'blue',
      logo_url: 'ftp://x',
    },
    { default_connection_id: 99 },
    {
      from_name: 'f'.repeat(201),
      company_name: 'c'.repeat(201),
      postal_address: 'p'.repeat(501),
      footer_text: 'f'.repeat(2001),
    },
    { confirmation_subject: 'c'.repeat(301), confirmation_text: 'c'.repeat(5001), unsubscribe_mailto: 'x' },
    { other: 1 },
  ])
    await update(wrong)
  await update({ from_name: 'x' }, { as: 'editor' })
  await update({ from_name: 'x' }, { as: await world.token('owner', ['newsletter:write']) })
  await update(
    { confirmations_held: false, postal_address: 'p'.repeat(500) },
    { as: await world.token('owner', ['newsletter:admin']) },
  )
  await update({ postal_address: 'Quay 1' })
  await tour.changes()
}

async function creations(): Promise<void> {
  tour.heading('New connections')
  const create = (more: object, options = {}) => tour.call('connections/create', { ...more }, options)
  for (const provider of PROVIDERS.slice(1)) {
    const { connection } = await world.ok('connections/create', { name: `My ${provider}`, provider })
    const { id, host, port, secure, username, verified_at } = connection
    tour.write(`${id} ${provider}: ${JSON.stringify([host, port, secure, username, verified_at])}`)
  }
  await create({ name: 'Bare', provider: 'smtp', host: 'Relay.Example' })
  await create({
    name: ' Whole ',
    provider: 'smtp',
    host: '127.0.0.1',
    port: sink.port,
    secure: 'none',
    username: 'harbour',
    password: 'anchor',
    from_domain: 'News.Harbour.net',
    bounce_domain: 'Bounces.Harbour.net',
    max_per_second: 2.5,
    max_per_day: 3000,
    max_connections: 4,
    mailbox_limits: { gmail: 5, 'example.org': 0.6 },
    message_stream: 'stream-7',
    warm_up: true,
    webhook_secret: 'hook',
  })
  for (const secure of ['tls', 'none'] as const) await create({ name: secure, provider: 'smtp', host: 'h', secure })
  await create({ name: 'Whole', provider: 'sandbox' }, { as: 'other' })
  await tour.changes()
  for (const wrong of [
    { name: 'whole', provider: 'sandbox' },
    { name: 'x', provider: 'smtp' },
    {
      name: 'x',
      provider: 'pigeon',
      port: 0,
      secure: 'ssl',
      max_connections: 51,
      max_per_day: 0,
      max_per_second: 0.009,
    },
    { name: '', provider: 'smtp', host: 'a b', from_domain: 'nodot', bounce_domain: '1.2.3.4' },
    { name: 'n'.repeat(101), provider: 'smtp', host: 'h', mailbox_limits: { aol: 1, gmail: 0 }, message_stream: 'a_b' },
    { name: 'x', provider: 'smtp', host: 'h', username: 'u'.repeat(256), webhook_secret: 'w'.repeat(4001) },
  ])
    await create(wrong)
  await create({ name: 'x', provider: 'sandbox' }, { as: 'editor' })
  await create({ name: 'x', provider: 'sandbox' }, { as: await world.token('owner', ['newsletter:send']) })
  const item = ({ id, name, usage }: any) => [id, name, usage]
  await tour.pages('connections/list', { limit: 5 }, item)
  await tour.pages('connections/list', { include: ['usage'] }, item)
  await tour.call('connections/list', { limit: 1 }, { as: 'other' })
  await tour.call('connections/list', { limit: 1 }, { as: await world.token('owner', ['newsletter:admin']) })
}

const [SES, SENDGRID, MAILGUN, POSTMARK, , BREVO, SANDBOX, BARE, WHOLE] = [1, 2, 3, 4, 5, 6, 7, 8, 9]

async function changes(): Promise<void> {
  tour.heading('Changed connections')
  const update = (connection_id: number, more: object, options = {}) =>
    tour.call('connections/update', { connection_id, ...more }, options)
  await update(BARE, {})
  await update(BARE, { name: 'Barer', secure: 'tls' })
  await update(BARE, { port: 2525, secure: 'starttls' })
  await update(BARE, { password: 'secret', username: 'me', webhook_secret: 'w' })
  await update(BARE, { host: 'RELAY.example' })
  await update(BARE, { host: 'other.example' })
  await update(BARE, { password: 'secret' })
  await update(BARE, { password: null, webhook_secret: '' })
  await update(BARE, { provider: 'sendgrid' })
  await update(BARE, { provider: 'sandbox' })
  await update(BARE, { provider: 'ses' })
  await update(SENDGRID, { provider: 'postmark', message_stream: 'broadcast' })
  await update(SENDGRID, { provider: 'smtp' })
  await update(SANDBOX, { provider: 'smtp', host: 'made.example' })
  await update(SANDBOX, { provider: 'sandbox' })
  await update(WHOLE, {
    warm_up: true,
    max_per_second: null,
    max_per_day: null,
    mailbox_limits: null,
    max_connections: 1,
  })
  await update(WHOLE, { warm_up: false, from_domain: '', bounce_domain: '' })
  await update(WHOLE, { name: 'BARER' })
  await update(WHOLE, { name: 'x' }, { as: 'other' })
  await update(WHOLE, { name: 'x' }, { as: 'editor' })
  await update(99, { name: 'x' })
  await tour.changes()
}

async function trials(): Promise<void> {
  tour.heading('Trials')
  const trial = (connection_id: number, more: object = {}, options = {}) =>
    tour.call('connections/test', { connection_id, ...more }, options)
  await trial(WHOLE)
  await trial(WHOLE, { email: ' ada@example.org ' })
  await trial(WHOLE, { email: 'nobody@example.org' })
  await tour.changes()
  await world.ok('connections/update', { connection_id: WHOLE, password: 'wrong' })
  await trial(WHOLE)
  await world.ok('connections/update', { connection_id: WHOLE, password: 'anchor' })
  await trial(WHOLE, {}, { as: 'administrator' })
  await trial(SANDBOX)
  await trial(SANDBOX, { email: 'ada@example.org' })
  await trial(SANDBOX, { email: 'none' })
  await trial(WHOLE, {}, { as: 'other' })
  await trial(WHOLE, {}, { as: 'editor' })
  await world.ok('settings/update', { from_email: '' })
  await trial(WHOLE, { email: 'ada@example.org' })
  await world.ok('settings/update', { from_email: 'news@harbour.net', from_name: 'Harbour' })
  const unnamed = (line: string) => line.replace(/req_\w+/, '<id>')
  tour.write(...messageLines([...sink.messages, ...(await tour.received())], 'short').map(unnamed))
  await tour.changes()
}

async function lookUps(): Promise<void> {
  tour.heading('DNS')
  const verify = (connection_id: number, more: object = {}, options = {}) =>
    tour.call('connections/verify-dns', { connection_id, ...more }, options)
  await verify(WHOLE)
  await verify(WHOLE, { create_dkim_key: 'ed25519-sha256' })
  world.clock.advance(MINUTE_MS)
  await verify(WHOLE, { create_dkim_key: 'ed25519-sha256' })
  const { items } = await world.ok('connections/list')
  const [newer, older] = items.find(({ id }: { id: number }) => id === WHOLE).dkim_keys
  dns.zone.set(older.name, older.value)
  dns.zone.set('_dmarc.harbour.net', 'v=DMARC1; p=reject')
  dns.zone.set('harbour.net', 'v=spf1 ip4:127.0.0.1 ~all')
  await verify(WHOLE)
  dns.zone.set(newer.name, newer.value)
  await verify(WHOLE, {}, { as: 'administrator' })
  dns.zone.set(older.name, 'v=DKIM1; k=ed25519; p=AAAA')
  await verify(WHOLE, { dkim_selector: 'own' })
  await verify(SES, { create_dkim_key: 'rsa-sha256' })
  await verify(SENDGRID, { dkim_selector: '-bad' })
  await verify(99)
  await verify(WHOLE, {}, { as: 'other' })
  await verify(WHOLE, {}, { as: 'editor' })
  await tour.changes()
  const route = (path: string, body: object = {}, role: 'administrator' | 'editor' = 'administrator') =>
    tour.route(role, `/project/dns/${path}`, { ...body })
  await route('list')
  await route('list', {}, 'editor')
  for (const [provider, host] of [
    ['smtp', 'mx.example.net'],
    ['smtp', '192.0.2.7'],
    ['postmark'],
    ['ses'],
    ['sendgrid'],
  ])
    await route('needed', { provider, domain: 'Fresh.net', ...(host !== undefined && { host }) })
  await route('verify', { domain: 'harbour.net' })
  await route('verify', { domain: 'none.net' })
  await route('create-key', { domain: 'no domain' })
  await route('create-key', { domain: 'Second.Harbour.net.', algorithm: 'ed25519-sha256' })
  await route('delete-key', { key_id: older.id })
  await route('delete-key', { key_id: older.id })
  await route('verify', { domain: 'harbour.net' })
  await tour.changes()

  tour.heading('A signed message')
  const ours = { connection_id: WHOLE, track_opens: false, track_clicks: false }
  await addPeople(world, [{ email: 'signed@example.org' }])
  const { campaign } = await world.ok('campaigns/create', {
    ...{ subject: 'Signed', audience_spec: { include: [{ type: 'all' }] }, ...ours },
    editor_json: { version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html: '<p>Hello</p>' } }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  const before = sink.messages.length
  await world.settle()
  const signed = sink.messages.slice(before)
  tour.write(...messageLines(signed, 'short'))
  const zone = Object.fromEntries(dns.zone)
  for (const { raw } of signed) tour.write(`verdicts ${(await verdictsOn(raw, zone, world.clock.now())).join(' ')}`)
}

async function removals(): Promise<void> {
  tour.heading('Addresses of webhooks, and removals')
  for (const connection_id of [SES, MAILGUN, POSTMARK, BREVO, WHOLE])
    await tour.call('connections/webhook-urls', { connection_id })
  await tour.call('connections/webhook-urls', { connection_id: SES })
  await tour.call('connections/webhook-urls', { connection_id: SES }, { as: 'editor' })
  await tour.call('connections/webhook-urls', { connection_id: SES }, { as: 'other' })
  await world.ok('settings/update', { default_connection_id: WHOLE })
  await addPeople(world, [{ email: 'ada@example.org' }])
  const text = { version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html: '<p>Hello</p>' } }] }
  const campaign = { subject: 'Waits', audience_spec: { include: [{ type: 'all' }] }, editor_json: text }
  const made = async (more: object = {}): Promise<number> =>
    (await world.ok('campaigns/create', { ...campaign, ...more })).campaign.id
  await made({ connection_id: MAILGUN })
  const [chosen, usual] = [await made({ connection_id: POSTMARK }), await made()]
  for (const campaign_id of [chosen, usual])
    await world.ok('campaigns/schedule', { campaign_id, scheduled_at: '2026-05-05T05:05', timezone: 'UTC' })
  const remove = (connection_id: number, options = {}) => tour.call('connections/delete', { connection_id }, options)
  await remove(WHOLE, { as: 'editor' })
  await remove(WHOLE, { as: 'other' })
  for (const connection_id of [WHOLE, POSTMARK, MAILGUN, BREVO, BREVO]) await remove(connection_id)
  await world.ok('campaigns/unschedule', { campaign_id: usual })
  await remove(WHOLE)
  await tour.changes()
}

const OURS = (id: string) => `<${id}@harbour.example>`

test('What providers report is applied as is recorded.', async () => {
  const { store, keys } = world.service.runtime
  const secrets = {
    sendgrid: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    amazon: selfSignedRsa('sns.amazonaws.com'),
  }
  const resend_key = Buffer.from('resend-secret')
  const secretOf: Record<string, string> = {
    sendgrid: secrets.sendgrid.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    mailgun: 'mailgun-secret',
    postmark: 'user:word',
    resend: `whsec_${resend_key.toString('base64')}`,
    brevo: 'brevo-token',
  }
  for (const provider of PROVIDERS.slice(1))
    await world.ok('connections/create', { name: provider, provider, webhook_secret: secretOf[provider] ?? null })
  const names = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida', 'jon', 'kim', 'lee']
  await addPeople(
    world,
    names.map((name) => ({ email: `${name}@example.org` })),
  )
  await addPeople(world, [{ email: 'ada@example.org' }], world.other.id)
  await tour.skip()
  let number = 0
  const fetched: string[] = []

  /** Sends a request as a provider would, `forged` with another secret, and writes what it changes. */
  const send = async (
    provider: (typeof PROVIDERS)[number],
    body: unknown,
    { forged = false, again = false, age_ms = 0, headers = {} as Record<string, string> } = {},
  ) => {
    if (!again) number += 1
    world.clock.advance(1000)
    const now = world.clock.now()
    const text = JSON.stringify(body)
    const seconds = String(Math.floor((now - age_ms) / 1000))
    const wrong = forged ? 'x' : ''
    const all: Record<string, string> = { ...headers }
    let sent = text
    if (provider === 'sendgrid') {
      all['x-twilio-email-event-webhook-timestamp'] = seconds
      const signed = Buffer.from(wrong + seconds + text)
      all['x-twilio-email-event-webhook-signature'] = sign('sha256', signed, secrets.sendgrid.privateKey).toString(
        'base64',
      )
    }
    if (provider === 'mailgun') {
      const token = `token-${number}`
      const signature = createHmac('sha256', `mailgun-secret${wrong}`)
        .update(seconds + token)
        .digest('hex')
      sent = JSON.stringify({ signature: { timestamp: seconds, token, signature }, 'event-data': body })
    }
    if (provider === 'postmark') all.authorization ??= `Basic ${Buffer.from(`user:word${wrong}`).toString('base64')}`
    if (provider === 'brevo') all.authorization ??= `Bearer brevo-token${wrong}`
    if (provider === 'resend') {
      const signature = createHmac('sha256', resend_key)
        .update(`${wrong}msg-${number}.${seconds}.${text}`)
        .digest('base64')
      Object.assign(all, {
        'svix-id': `msg-${number}`,
        'svix-timestamp': seconds,
        'svix-signature': `v0,x v1,${signature}`,
      })
    }
    if (provider === 'ses') sent = sns(body as Record<string, string>, forged, number)
    const [connection] = await store.db
      .select()
      .from(connections)
      .where(sql`provider = ${provider}`)
    const how = [forged ? ' (forged)' : '', again ? ' (again)' : '', age_ms ? ` (${age_ms} ms old)` : '']
    tour.write(`- ${provider} ${text}${how.join('')}`)
    await receiveWebhook({ store, keys }, connection as Connection, {
      headers: new Headers(all),
      body: Buffer.from(sent),
      now,
      fetchText: async (url) => {
        fetched.push(url.replace(/-\d+\.pem/, '.pem'))
        return { status: url.includes('refused') ? 403 : 200, text: secrets.amazon.cert }
      },
    }).catch((error: Error) => tour.write(`  ${error.message}`))
    tour.write(...fetched.splice(0).map((url) => `  fetched ${url}`))
    await tour.changes()
  }
  const sns = (fields: Record<string, string>, forged: boolean, id: number): string => {
    const message: Record<string, string> = {
      Type: 'Notification',
      MessageId: `sns-${id}`,
      TopicArn: 'arn:one',
      ...fields,
    }
    const signed = Object.keys(message)
      .toSorted()
      .map((name) => `${name}\n${message[name]}\n`)
    const Signature = createSign('RSA-SHA256')
      .update(signed.join('') + (forged ? 'x' : ''))
      .sign(secrets.amazon.key, 'base64')
    const SigningCertURL = `https://sns.eu-west-1.amazonaws.com/cert-${id}.pem`
    return JSON.stringify({ ...message, SignatureVersion: '2', Signature, SigningCertURL })
  }

  tour.heading('SES')
  const confirm = { Type: 'SubscriptionConfirmation', Token: 't', Message: 'm' }
  const notice = (body: object, more: object = {}) => ({ Message: JSON.stringify(body), ...more })
  const mail = { headers: [{ name: 'Message-Id', value: OURS('ses') }], commonHeaders: { messageId: OURS('other') } }
  await send('ses', notice({ notificationType: 'Delivery' }))
  await send('ses', { ...confirm, SubscribeURL: 'https://evil.example/' })
  await send('ses', { ...confirm, SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/refused' })
  await send('ses', { ...confirm, SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?a=1' }, { forged: true })
  await send('ses', { ...confirm, SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?a=1' })
  await send('ses', { ...confirm, TopicArn: 'arn:two', SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?a=2' })
  const bounced = (bounceType: string, ...bouncedRecipients: object[]) => ({
    notificationType: 'Bounce',
    mail,
    bounce: { bounceType, bounceSubType: 'General', bouncedRecipients },
  })
  const two = [
    { emailAddress: 'ada@example.org', diagnosticCode: 'smtp; 550 gone' },
    { emailAddress: 'BOB@example.org' },
  ]
  await send('ses', notice(bounced('Permanent', ...two)))
  await send('ses', notice(bounced('Permanent', ...two)), { again: true })
  await send('ses', notice({ ...bounced('Transient', two[1]!), notificationType: undefined, eventType: 'Bounce' }))
  const complained = (complaintFeedbackType: string) => ({
    notificationType: 'Complaint',
    mail: {},
    complaint: { complaintFeedbackType, complainedRecipients: [{ emailAddress: 'cleo@example.org' }] },
  })
  await send('ses', notice(complained('not-spam')))
  await send('ses', notice(complained('abuse'), { Subject: 'Amazon' }))
  await send('ses', notice({ notificationType: 'Delivery', delivery: { recipients: ['bob@example.org'] } }))
  await send('ses', { Message: 'Successfully validated SNS topic' })

  tour.heading('SendGrid')
  const event = (kind: string, email: string, more: object = {}) => ({
    event: kind,
    email,
    sg_event_id: `${kind} ${email}`,
    ...more,
  })
  await send('sendgrid', [event('bounce', 'dan@example.org', { type: 'bounce', reason: '550 gone' })], { forged: true })
  await send(
    'sendgrid',
    [
      event('bounce', 'dan@example.org', { type: 'bounce', reason: '550 gone', 'smtp-id': OURS('sg') }),
      event('bounce', 'eve@example.org', { type: 'blocked', response: 'blocked' }),
      event('dropped', 'fay@example.org', { reason: 'Spam Reporting Address' }),
      event('dropped', 'gus@example.org', { reason: 'Unsubscribed Address' }),
      event('dropped', 'hal@example.org', { reason: 'Other' }),
      event('processed', 'ida@example.org'),
      { event: 'group_unsubscribe', email: 'ida@example.org', timestamp: 7, status: 'left' },
      event('delivered', 'hal@example.org'),
    ],
    { age_ms: DAY_MS },
  )
  await send('sendgrid', { event: 'bounce' })

  tour.heading('Mailgun')
  const failed = (severity: string, more: object = {}) => ({
    event: 'failed',
    severity,
    recipient: 'jon@example.org',
    ...more,
  })
  await send('mailgun', failed('permanent'), { forged: true })
  await send('mailgun', failed('permanent'), { age_ms: 5 * MINUTE_MS + 1000 })
  await send('mailgun', failed('temporary', { id: 'mg-1', 'delivery-status': { description: 'full' } }), {
    age_ms: 5 * MINUTE_MS,
  })
  await send('mailgun', failed('permanent', { id: 'mg-2', reason: 'suppress-bounce' }))
  await send('mailgun', failed('permanent', { id: 'mg-3', 'delivery-status': { message: 'gone', description: 'x' } }), {
    again: true,
  })
  await send('mailgun', failed('permanent', { id: 'mg-3', 'delivery-status': { message: 'gone', description: 'x' } }))
  await send('mailgun', { event: 'opened', recipient: 'jon@example.org' })

  tour.heading('Postmark')
  const postmark = (RecordType: string, more: object) => ({ RecordType, Email: 'kim@example.org', ID: number, ...more })
  await send('postmark', postmark('Bounce', { Type: 'HardBounce' }), { forged: true })
  await send('postmark', postmark('Bounce', { Type: 'HardBounce' }), { headers: { authorization: 'Bearer user:word' } })
  for (const Type of ['Transient', 'AutoResponder', 'Unsubscribe', 'BadEmailAddress'])
    await send('postmark', postmark('Bounce', { Type, Details: `details of ${Type}`, Metadata: { masthead: 'x' } }))
  for (const SuppressionReason of ['SpamComplaint', 'ManualSuppression', 'HardBounce'])
    await send('postmark', {
      RecordType: 'SubscriptionChange',
      Recipient: 'lee@example.org',
      SuppressSending: true,
      SuppressionReason,
      ChangedAt: `then ${number}`,
    })
  await send('postmark', { RecordType: 'SubscriptionChange', Recipient: 'lee@example.org', SuppressSending: false })

  tour.heading('Resend')
  const resent = (type: string, more: object = {}) => ({
    type,
    data: { to: ['new@example.org', 'ada@example.org'], ...more },
  })
  await send('resend', resent('email.complained'), { forged: true })
  await send('resend', resent('email.complained'), { age_ms: 6 * MINUTE_MS })
  await send('resend', resent('email.bounced', { bounce: { type: 'Transient', subType: 'MailboxFull' } }))
  await send(
    'resend',
    resent('email.bounced', { to: 'new@example.org', bounce: { type: 'Permanent', message: 'gone' } }),
  )
  await send('resend', resent('email.sent'))

  tour.heading('Brevo')
  const brevo = (kind: string, more: object = {}) => ({
    event: kind,
    email: 'late@example.org',
    ts_epoch: number,
    ...more,
  })
  await send('brevo', brevo('spam'), { forged: true })
  await send('brevo', brevo('spam'), {
    headers: { authorization: `Basic ${Buffer.from('brevo-token').toString('base64')}` },
  })
  for (const kind of [
    'hard_bounce',
    'invalid_email',
    'soft_bounce',
    'blocked',
    'error',
    'unsubscribed',
    'request',
    'delivered',
  ])
    await send('brevo', brevo(kind, { reason: `why ${kind}`, ts: 1 }))
  await send('brevo', [
    brevo('soft_bounce', { email: 'a@example.net' }),
    brevo('soft_bounce', { email: 'b@example.net' }),
  ])

  tour.heading('Five messages in a row')
  for (let count = 1; count <= 6; count += 1)
    await send(
      'brevo',
      brevo('soft_bounce', { email: 'row@example.org', ts_epoch: 1000 + count, reason: `reason ${count}` }),
    )
  for (const days of [35, 145, 1]) {
    world.clock.advance(days * DAY_MS)
    await world.service.drain('maintenance')
    const rows = await store.db.all(sql`
      SELECT 'events' AS what, count(*) AS n FROM provider_events
      UNION ALL SELECT 'bounces', count(*) FROM soft_bounces`)
    tour.write(`After ${days} days: ${JSON.stringify(rows)}`)
  }
  const { items } = await world.ok('connections/list')
  tour.write(dense(items.map(({ name, webhook_topic }: any) => [name, webhook_topic])))
  expectRecorded('sending/webhooks.txt', tour.text())
})
