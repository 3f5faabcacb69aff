import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { auditedStore } from '../../../src/audit/record.ts'
import { receiveReports } from '../../../src/newsletter/connections/bounces.ts'
import { eraseDeleted } from '../../../src/newsletter/contacts/erasure.ts'
import type { Connection } from '../../../src/newsletter/connections/connection.ts'
import { messageId } from '../../../src/newsletter/tracking/tokens.ts'
import { outgoing, readReturnPath, returnPath } from '../../../src/newsletter/outbox/outgoing.ts'
import type { Report } from '../../../src/mail/reports.ts'
import { connections, deliveries, type DeliveryStatus } from '../../../src/store/tables/delivery.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'
import { draft } from '../campaigns/support.ts'

const DAY_MS = 86_400_000

let world: World
let connection: Connection
beforeAll(async () => {
  world = await createWorld()
  const { connection_id } = await readyToSend(world)
  connection = (
    await world.service.runtime.store.db.select().from(connections).where(eq(connections.id, connection_id))
  )[0]!
})
afterAll(() => world.close())

const now = () => world.clock.now()
let number = 0
let ada: { id: number; email: string }
beforeEach(async () => {
  ada = (await world.ok('contacts/upsert', { email: `Ada${++number}@example.com`, consent_text: 'Yes' })).contact
})

interface Message {
  id: number
  campaign_id: number
  message_id: string
}

async function message({
  status = 'sent',
  kind = 'campaign',
  contact_id = ada.id,
  email = ada.email,
  campaign_id,
}: {
  status?: DeliveryStatus
  kind?: 'campaign' | 'test'
  contact_id?: number | null
  email?: string
  campaign_id?: number
} = {}): Promise<Message> {
  const campaign = campaign_id ?? (await draft(world)).id
  const [row] = await world.service.runtime.store.write((tx) =>
    tx
      .insert(deliveries)
      .values({
        project_id: world.project.id,
        kind,
        campaign_id: campaign,
        contact_id,
        email,
        status,
        next_attempt_at: 0,
        created_at: now(),
        sent_at: status === 'sent' ? now() : null,
      })
      .returning({ id: deliveries.id }),
  )
  const id = row!.id
  const recipient = { delivery_id: id, contact_id: contact_id ?? 0, campaign_id: campaign }
  const message_id = messageId(world.service.runtime.keys, recipient, 'news@harbour.example')
  return { id, campaign_id: campaign, message_id: `<${message_id}>` }
}

let reported = 0
const report = (kind: Report['kind'], more: Partial<Report> = {}): Report => ({
  kind,
  email: ada.email,
  message_id: null,
  event_id: `event-${++reported}`,
  response: '550 gone',
  ...more,
})
const receive = (...reports: Report[]) =>
  receiveReports(
    { store: world.service.runtime.store, keys: world.service.runtime.keys, connection },
    { reports },
    now(),
  )

const statusOf = async ({ id }: Message) =>
  (await world.service.runtime.store.db.select().from(deliveries).where(eq(deliveries.id, id)))[0]!.status
const eventsOf = (campaign_id: number) =>
  world.service.runtime.store.db.all<{ type: string; detail: string | null; email: string; contact_id: number }>(
    sql`SELECT type, detail, email, contact_id FROM events WHERE campaign_id = ${campaign_id} ORDER BY id`,
  )
const suppressionOf = async (email: string) =>
  (await world.ok('suppressions/list', { search: email.toLowerCase() })).items[0] ?? null
const contactStatus = async (contact_id: number) =>
  (await world.ok('contacts/get', { contact_id })).contact.global_status
const stats = (campaign_id: number) => world.ok('campaigns/stats', { campaign_id })

test('A hard bounce suppresses the address, and appears on the recipient, in events and report.', async () => {
  const sent = await message()
  await receive(report('hard_bounce', { message_id: sent.message_id }))
  expect(await statusOf(sent)).toBe('bounced')
  expect(await eventsOf(sent.campaign_id)).toEqual([
    { type: 'bounce', detail: '{"kind":"hard","response":"550 gone"}', email: ada.email, contact_id: ada.id },
  ])
  expect(await suppressionOf(ada.email)).toMatchObject({ reason: 'hard_bounce', note: '550 gone' })
  expect(await contactStatus(ada.id)).toBe('bounced')
  expect(await stats(sent.campaign_id)).toMatchObject({ recipients: 1, sent: 1, bounces: { hard: 1, soft: 0 } })
  const { items } = await world.ok('campaigns/recipients', { campaign_id: sent.campaign_id })
  expect(items[0]).toMatchObject({ status: 'bounced', last_error: '550 gone' })
})

test('A hard bounce counts once: sent twice, reported twice, or known already.', async () => {
  const sent = await message()
  const first = report('hard_bounce', { message_id: sent.message_id })
  await receive(first)
  await receive(first, report('hard_bounce', { message_id: sent.message_id }))
  expect((await stats(sent.campaign_id)).bounces).toEqual({ hard: 1, soft: 0 })
  const refused = await message({ status: 'bounced' })
  await receive(report('hard_bounce', { message_id: refused.message_id }))
  expect(await statusOf(refused)).toBe('bounced')
})

test('A hard bounce of an uncertain message proves that it was sent.', async () => {
  const doubtful = await message({ status: 'uncertain' })
  await receive(report('hard_bounce', { message_id: doubtful.message_id }))
  expect(await statusOf(doubtful)).toBe('bounced')
  expect((await eventsOf(doubtful.campaign_id)).map(({ type }) => type)).toEqual(['sent', 'bounce'])
  const waiting = await message({ status: 'queued' })
  await receive(report('hard_bounce', { message_id: waiting.message_id }))
  expect(await statusOf(waiting)).toBe('queued')
})

test('A hard bounce before the answer of the relay proves that the relay accepted the message.', async () => {
  const leaving = await message({ status: 'sending' })
  await receive(report('hard_bounce', { message_id: leaving.message_id }))
  expect(await statusOf(leaving)).toBe('bounced')
  expect((await eventsOf(leaving.campaign_id)).map(({ type }) => type)).toEqual(['sent', 'bounce'])
})

test('A hard bounce of a transactional message suppresses the address, and is in no report.', async () => {
  const trial = await message({ kind: 'test' })
  await receive(
    report('hard_bounce', { message_id: trial.message_id }),
    report('hard_bounce', { message_id: trial.message_id }),
  )
  expect([await statusOf(trial), await eventsOf(trial.campaign_id)]).toEqual(['bounced', []])
  expect(await suppressionOf(ada.email)).toMatchObject({ reason: 'hard_bounce' })
  const { activity } = await world.ok('contacts/get', { contact_id: ada.id })
  expect(activity.filter(({ type }: { type: string }) => type === 'bounce')).toHaveLength(1)
})

test('Of two test messages that left before the address bounced, both are shown as bounced.', async () => {
  const tests = [await message({ kind: 'test', contact_id: null }), await message({ kind: 'test', contact_id: null })]
  for (const { message_id } of [...tests, ...tests]) await receive(report('hard_bounce', { message_id }))
  expect(await Promise.all(tests.map(statusOf))).toEqual(['bounced', 'bounced'])
  const events = await world.service.runtime.store.query(`SELECT delivery_id FROM events WHERE email = '${ada.email}'
    AND type = 'bounce' ORDER BY id`)
  expect(events.map(({ delivery_id }) => delivery_id)).toEqual(tests.map(({ id }) => id))
})

test.each<[Report['kind'], string]>([
  ['hard_bounce', `550 ${'x'.repeat(495)}😀`],
  ['soft_bounce', `450 ${'x'.repeat(495)}😀`],
  ['complaint', `${'x'.repeat(499)}😀`],
  ['complaint', 'half \ud83d of it'],
])('A %s whose text ends in half a surrogate pair is stored.', async (kind, response) => {
  const sent = await message()
  await receive(report(kind, { message_id: sent.message_id, response }))
  const texts = [
    await world.ok('contacts/get', { contact_id: ada.id }),
    await world.ok('campaigns/events', { campaign_id: sent.campaign_id }),
    await world.ok('campaigns/recipients', { campaign_id: sent.campaign_id }),
    await suppressionOf(ada.email),
  ].map((answer) => JSON.stringify(answer))
  expect(texts.join('')).toContain('\ufffd')
  expect(await stats(sent.campaign_id)).toMatchObject({ recipients: 1 })
})

test('A complaint suppresses the address permanently.', async () => {
  const sent = await message()
  await receive(
    report('complaint', { message_id: sent.message_id, response: 'abuse' }),
    report('complaint', { message_id: sent.message_id, response: 'abuse' }),
  )
  expect(await statusOf(sent)).toBe('sent')
  expect(await stats(sent.campaign_id)).toMatchObject({ complaints: 1, unsubscribes: 0 })
  expect([await contactStatus(ada.id), (await suppressionOf(ada.email)).reason]).toEqual(['complained', 'complaint'])
  await receive(report('hard_bounce', { message_id: sent.message_id }))
  expect((await suppressionOf(ada.email)).reason).toBe('complaint')
})

test('An unsubscription reported by the provider unsubscribes the contact.', async () => {
  const sent = await message()
  await receive(report('unsubscribe', { message_id: sent.message_id }))
  expect(await stats(sent.campaign_id)).toMatchObject({ unsubscribes: 1, complaints: 0 })
  // Its detail would say from what the person unsubscribed.
  expect(await eventsOf(sent.campaign_id)).toMatchObject([{ type: 'unsubscribe', detail: null }])
  expect([await contactStatus(ada.id), (await suppressionOf(ada.email)).reason]).toEqual([
    'unsubscribed',
    'unsubscribe',
  ])
})

describe('soft bounces', () => {
  const soft = async (given?: Message) => {
    const sent = given ?? (await message())
    await receive(report('soft_bounce', { message_id: sent.message_id, response: '452 full' }))
    return sent
  }

  test('Soft bounces are counted, and suppress the address after five messages in a row.', async () => {
    const sent = await soft()
    expect(await statusOf(sent)).toBe('sent')
    expect(await stats(sent.campaign_id)).toMatchObject({ sent: 1, bounces: { hard: 0, soft: 1 } })
    for (let more = 0; more < 3; more += 1) await soft()
    expect([await suppressionOf(ada.email), await contactStatus(ada.id)]).toEqual([null, 'subscribed'])
    await soft()
    expect(await suppressionOf(ada.email)).toMatchObject({
      reason: 'hard_bounce',
      note: '5 messages in a row bounced softly, the last with: 452 full',
    })
    expect(await contactStatus(ada.id)).toBe('bounced')
    await world.ok('suppressions/remove', { email: ada.email })
    await soft()
    expect(await suppressionOf(ada.email)).toBeNull()
  })

  test('Soft bounces of one message count once, however often its delivery is delayed.', async () => {
    const sent = await message()
    for (let more = 0; more < 6; more += 1) await soft(sent)
    expect((await stats(sent.campaign_id)).bounces).toEqual({ hard: 0, soft: 1 })
    expect(await suppressionOf(ada.email)).toBeNull()
    await receive(report('hard_bounce', { message_id: sent.message_id }))
    expect((await stats(sent.campaign_id)).bounces).toEqual({ hard: 1, soft: 0 })
  })

  test('Soft bounces start from zero after a delivered message.', async () => {
    for (let more = 0; more < 4; more += 1) await soft()
    await message()
    for (let more = 0; more < 4; more += 1) await soft()
    expect(await suppressionOf(ada.email)).toBeNull()
    await receive(report('delivered', { email: ada.email.toUpperCase() }))
    for (let more = 0; more < 4; more += 1) await soft()
    expect(await suppressionOf(ada.email)).toBeNull()
    await soft()
    expect((await suppressionOf(ada.email)).reason).toBe('hard_bounce')
  })

  test('A message that was not delivered starts no new row.', async () => {
    for (let more = 0; more < 4; more += 1) await soft()
    for (const status of ['skipped', 'failed', 'uncertain', 'queued'] as const) await message({ status })
    expect(await suppressionOf(ada.email)).toBeNull()
    await soft()
    expect((await suppressionOf(ada.email)).reason).toBe('hard_bounce')
  })
})

test('A hard bounce ends a row of soft bounces, and a delivery of another project does not.', async () => {
  const { store, keys } = world.service.runtime
  const softly = async () => receive(report('soft_bounce', { message_id: (await message()).message_id }))
  for (let more = 0; more < 4; more += 1) await softly()
  await receive(report('hard_bounce', { message_id: (await message()).message_id }))
  await world.ok('suppressions/remove', { email: ada.email })
  for (let more = 0; more < 4; more += 1) await softly()
  expect(await suppressionOf(ada.email)).toBeNull()
  const foreign = { ...connection, project_id: world.other.id }
  await receiveReports({ store, keys, connection: foreign }, { reports: [report('delivered')] }, now())
  await softly()
  expect(await suppressionOf(ada.email)).not.toBeNull()
})

test('A report that another connection had before counts, and one without words leaves none.', async () => {
  const { store, keys } = world.service.runtime
  const sent = await message()
  const complaint = report('complaint', { message_id: sent.message_id, response: '' })
  const other = await world.ok('connections/create', { name: `Other ${number}`, provider: 'sandbox' })
  const before = { ...connection, id: other.connection.id, project_id: world.other.id }
  await receiveReports({ store, keys, connection: before }, { reports: [complaint] }, now())
  await receive(complaint)
  expect(await eventsOf(sent.campaign_id)).toMatchObject([{ type: 'complaint', detail: null }])
})

test('A report of delivery before the answer of the relay leaves the message sent.', async () => {
  const leaving = await message({ status: 'sending' })
  await receive(report('delivered', { message_id: leaving.message_id }))
  expect(await statusOf(leaving)).toBe('sent')
  expect((await eventsOf(leaving.campaign_id)).map(({ type }) => type)).toEqual(['sent'])
})

test('A report of delivery makes an uncertain message sent, and writes nothing for others.', async () => {
  const [doubtful, sent] = [await message({ status: 'uncertain' }), await message()]
  await receive(
    report('delivered', { message_id: doubtful.message_id }),
    report('delivered', { message_id: sent.message_id }),
  )
  expect(await statusOf(doubtful)).toBe('sent')
  expect(await stats(doubtful.campaign_id)).toMatchObject({ sent: 1, uncertain: 0 })
  expect([(await eventsOf(doubtful.campaign_id)).map(({ type }) => type), await eventsOf(sent.campaign_id)]).toEqual([
    ['sent'],
    [],
  ])
  const forged = await message({ status: 'uncertain' })
  const forgery = report('delivered', { message_id: forged.message_id.replace(/.{20}@/, '0123456789abcdef0123@') })
  await receive(forgery)
  const other = await message({ status: 'uncertain' })
  await receive({ ...forgery, event_id: 'again' }, report('delivered', { message_id: other.message_id }))
  expect([await statusOf(forged), await statusOf(other)]).toEqual(['uncertain', 'sent'])
})

test('The message of a report is found by its Message-ID; its recipient counts, not the address given.', async () => {
  const { contact: bo } = await world.ok('contacts/upsert', { email: `bo${number}@example.com`, consent_text: 'Yes' })
  const sent = await message()
  await message({ contact_id: bo.id, email: bo.email })
  await receive(report('hard_bounce', { message_id: sent.message_id.slice(1, -1), email: bo.email }))
  expect([await contactStatus(ada.id), await contactStatus(bo.id)]).toEqual(['bounced', 'subscribed'])
})

test('The message of a report is found by its return path, in any case.', async () => {
  const sent = await message()
  const path = returnPath(world.service.runtime.keys, sent.id, 'bounces.harbour.example')
  expect(path.split('@')[0]!.length).toBeLessThanOrEqual(64)
  await receive(report('hard_bounce', { email: '', return_path: `To: <${path.toUpperCase()}>` }))
  expect(await statusOf(sent)).toBe('bounced')
  expect(
    readReturnPath(
      world.service.runtime.keys,
      path.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')),
    ),
  ).toBeNull()
})

test('The message of a report is the last one to the address without either of them.', async () => {
  const [before, last] = [await message(), await message()]
  await message({ status: 'queued' })
  await receive(report('complaint', { email: ada.email.toLowerCase(), message_id: '<somebody@else.example>' }))
  expect([(await stats(before.campaign_id)).complaints, (await stats(last.campaign_id)).complaints]).toEqual([0, 1])
  for (const status of ['bounced', 'uncertain'] as const) {
    const known = await message({ status, email: ada.email })
    await message({ kind: 'test' })
    await receive(report('complaint'))
    expect([status, (await stats(known.campaign_id)).complaints]).toEqual([status, 1])
  }
  world.clock.advance(31 * DAY_MS)
  await receive(report('hard_bounce'))
  expect(await statusOf(last)).toBe('sent')
  expect(await contactStatus(ada.id)).toBe('complained')
})

test('The message of a report is not found by an unknown Message-ID or one of another project.', async () => {
  const sent = await message()
  await world.service.runtime.store.write((tx) =>
    tx.update(deliveries).set({ project_id: world.other.id }).where(eq(deliveries.id, sent.id)),
  )
  const own = await message()
  for (const message_id of [sent.message_id, own.message_id.replace(/.{20}@/, '0123456789abcdef0123@')])
    await receive(report('hard_bounce', { email: 'stranger@example.com', message_id }))
  expect([await statusOf(sent), await statusOf(own), await contactStatus(ada.id)]).toEqual([
    'sent',
    'sent',
    'subscribed',
  ])
  expect(await suppressionOf('stranger@example.com')).toMatchObject({ reason: 'hard_bounce' })
  expect(await suppressionOf(ada.email)).toBeNull()
})

test('A report of a message whose address was forgotten is about the address in the report.', async () => {
  const sent = await message()
  await world.ok('contacts/delete', { contact_id: ada.id })
  await world.service.runtime.store.write((tx) => eraseDeleted(tx))
  await receive(report('complaint', { message_id: sent.message_id }))
  const { items } = await world.ok('suppressions/list', { limit: 200 })
  expect(items.filter(({ email }: { email: string | null }) => email === null)).toEqual([])
  expect(await suppressionOf(ada.email)).toMatchObject({ reason: 'complaint' })
})

test('A report without an address or a message changes nothing.', async () => {
  await receive(report('hard_bounce', { email: '' }), report('hard_bounce', { email: 'no address' }))
  expect(await suppressionOf('no address')).toBeNull()
})

test('A long batch is applied completely, and has no effect when it is repeated.', async () => {
  const campaign_id = (await draft(world)).id
  const reports: Report[] = []
  for (let person = 0; person < 130; person += 1)
    reports.push(
      report('hard_bounce', {
        email: `many${person}@example.com`,
        message_id: (await message({ contact_id: 100_000 + person, email: `many${person}@example.com`, campaign_id }))
          .message_id,
      }),
    )
  await receive(...reports)
  await receive(...reports)
  expect(await stats(campaign_id)).toMatchObject({ recipients: 130, bounces: { hard: 130, soft: 0 } })
})

test('Ids of reports are told apart however long they are.', async () => {
  const long = `event-${'x'.repeat(100)}`
  const bounced = async (event_id: string) => {
    const sent = await message()
    await receive(report('soft_bounce', { message_id: sent.message_id, event_id }))
    return (await stats(sent.campaign_id)).bounces.soft
  }
  expect([await bounced(`${long}1`), await bounced(`${long}2`), await bounced(`${long}1`)]).toEqual([1, 1, 0])
})

test('A report that names no message is about the last one of thirty days, if any.', async () => {
  const sent = await message()
  const complaints = async () => (await stats(sent.campaign_id)).complaints
  world.clock.advance(30 * DAY_MS)
  await receive(report('complaint'))
  expect([await complaints(), await contactStatus(ada.id)]).toEqual([0, 'complained'])
  world.clock.advance(-1)
  await receive(report('complaint'))
  expect(await complaints()).toBe(1)
})

test('A provider leaves one audit row for each transaction, with the number of its reports.', async () => {
  const { store, keys } = world.service.runtime
  const { db } = store
  const origin = { keys, at: now(), actor: 'visitor', action: 'webhooks', ip: null, request_id: null }
  const audited = auditedStore(store, () => origin, true)
  const rows = () =>
    db.all<{ id: number; target: string; project_id: number; details: string }>(
      sql`SELECT id, target, project_id, details FROM audit_log
        WHERE actor = 'provider:sandbox' ORDER BY id DESC LIMIT 2`,
    )
  const [before] = await rows()
  const people = Array.from({ length: 51 }, (_, person) =>
    report('complaint', { email: `audited${person}@example.com` }),
  )
  const reports = [...people, report('delivered')]
  await receiveReports({ store: audited, keys, connection }, { reports }, now())
  const row = { target: `connection:${connection.id}`, project_id: world.project.id }
  expect((await rows()).map(({ details, ...others }) => ({ ...others, ...JSON.parse(details) }))).toMatchObject([
    { ...row, reports: 1 },
    { ...row, reports: 50 },
  ])
  expect((await rows())[1]!.id).toBeGreaterThan(before?.id ?? 0)
})

test('The counts of soft bounces are deleted 180 days after the last one.', async () => {
  await receive(report('soft_bounce', { message_id: (await message()).message_id }))
  const counted = async () => {
    await world.service.drain('maintenance')
    return world.service.runtime.store.db.all(
      sql`SELECT bounces FROM soft_bounces WHERE email_key = ${ada.email.toLowerCase()}`,
    )
  }
  world.clock.advance(180 * DAY_MS - 1)
  expect(await counted()).toEqual([{ bounces: 1 }])
  world.clock.advance(1)
  expect(await counted()).toEqual([])
})

test('Report ids are deleted after 35 days.', async () => {
  await receive(report('hard_bounce'))
  const kept = async () =>
    (
      await world.service.runtime.store.db.all<{ events: number }>(sql`SELECT count(*) AS events FROM provider_events`)
    )[0]!.events
  world.clock.advance(34 * DAY_MS)
  await world.service.drain('maintenance')
  expect(await kept()).toBeGreaterThan(0)
  world.clock.advance(2 * DAY_MS)
  await world.service.drain('maintenance')
  expect(await kept()).toBe(0)
})

describe('a message for a relay', () => {
  const composed = {
    envelope: { from: 'news@harbour.example', to: 'a@b.example' },
    message: Buffer.from('From: x\r\n\r\nHello'),
    message_id: '3f.0123456789abcdef@harbour.example',
  }
  const handed = (provider: Connection['provider'], bounce_domain = '', kind: 'campaign' | 'link' = 'campaign') => {
    const connection = { provider, bounce_domain, message_stream: provider === 'postmark' ? 'broadcasts' : '' }
    return outgoing(world.service.runtime.keys, connection, { id: 123, kind }, composed)
  }

  test('A message for a relay is unchanged without a bounce domain or a known provider.', () => {
    expect(handed('smtp')).toEqual({ envelope: composed.envelope, message: composed.message })
  })

  test('A message for a relay has a return path of its own where bounces have a domain.', () => {
    const { envelope } = handed('smtp', 'bounces.harbour.example')
    expect(envelope).toEqual({
      from: expect.stringMatching(/^b\+3f-[0-9a-v]{5}[0-9a-f]{20}@bounces\.harbour\.example$/),
      to: 'a@b.example',
    })
    expect(readReturnPath(world.service.runtime.keys, envelope.from)).toBe(123)
  })

  test('A message for a relay has the headers that its provider returns in reports.', () => {
    expect(handed('postmark').message.toString()).toBe(
      'X-PM-KeepID: true\r\nX-PM-Metadata-masthead: 3f.0123456789abcdef\r\nX-PM-Message-Stream: broadcasts\r\n' +
        'From: x\r\n\r\nHello',
    )
    expect(handed('postmark', '', 'link').message.toString()).not.toContain('X-PM-Message-Stream')
    expect(handed('brevo').message.toString()).toBe(
      'X-Mailin-custom: 3f.0123456789abcdef@harbour.example\r\nFrom: x\r\n\r\nHello',
    )
    expect(handed('resend').message.toString()).toBe(
      'Resend-Idempotency-Key: 3f.0123456789abcdef@harbour.example\r\nFrom: x\r\n\r\nHello',
    )
  })
})

test('A request whose token was used before changes nothing, also one that only reported deliveries.', async () => {
  const { store, keys } = world.service.runtime
  const receiveOnce = (token: string, ...reports: Report[]) =>
    receiveReports({ store, keys, connection }, { reports, token }, now())
  const sent = await message()
  const bounce = report('hard_bounce', { message_id: sent.message_id })
  await receiveOnce('a', report('delivered'))
  await receiveOnce('a', bounce)
  expect(await statusOf(sent)).toBe('sent')
  await receiveOnce('b', bounce)
  expect(await statusOf(sent)).toBe('bounced')
})
