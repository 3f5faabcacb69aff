import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { dueTransactional } from '../../../src/newsletter/outbox/transactional.ts'
import { altered } from '../../support/altered.ts'
import { SAMPLE_DOCUMENT, manyContacts, readyToSend } from '../../support/campaigns.ts'
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'

/** From `campaigns/send` to a mailbox, through a real SMTP server. */

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function harbour(
  options: SmtpSinkOptions = {},
  connection: Record<string, unknown> = {},
): Promise<{ world: World; sink: SmtpSink; list_id: number; connection_id: number }> {
  const sink = await startSmtpSink(options)
  open.push(() => sink.close())
  const world = await createWorld()
  open.push(() => world.close())
  const ready = await readyToSend(world, {
    name: 'Relay',
    provider: 'smtp',
    host: sink.host,
    port: sink.port,
    secure: 'none',
    ...connection,
  })
  return { world, sink, ...ready }
}

const people = (world: World, list_id: number, count: number) =>
  manyContacts(world.service.runtime.store, world.project.id, list_id, count, world.clock.now())

async function send(world: World, list_id: number): Promise<number> {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides for {{ contact.first_name }}',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  return campaign.id
}

const statusOf = async (world: World, campaign_id: number) =>
  (await world.ok('campaigns/get', { campaign_id })).campaign.status

test('A campaign arrives with both parts, merge tags, headers, and one message for each recipient.', async () => {
  const { world, sink, list_id } = await harbour()
  await world.ok('contacts/upsert', {
    email: 'Ada@Example.com',
    first_name: 'Ada <b>',
    last_name: 'Lovelace',
    list_ids: [list_id],
    consent_text: 'Yes',
  })
  await world.ok('contacts/upsert', { email: 'bo@example.com', list_ids: [list_id], consent_text: 'Yes' })
  await world.ok('contacts/upsert', { email: 'nobody@example.com', consent_text: 'Yes' })
  const campaign_id = await send(world, list_id)

  expect(sink.messages.map(({ to }) => to[0]).sort()).toEqual(['Ada@Example.com', 'bo@example.com'])
  const ada = await simpleParser(sink.messages.find(({ to }) => to[0] === 'Ada@Example.com')!.raw)
  const header = (name: string) => ada.headerLines.find(({ key }) => key === name)?.line.replace(/\r?\n\s+/g, ' ')
  expect(ada.subject).toBe('Tides for Ada <b>')
  expect(ada.html).toContain('Hello Ada &lt;b&gt;')
  expect(ada.text).toContain('Ada <b> Lovelace')
  expect(ada.text).toContain('https://example.com/tide?x=1&y=2')
  expect(ada.from?.text).toBe('"Harbour News" <news@harbour.example>')
  expect(header('list-unsubscribe')).toMatch(
    /^List-Unsubscribe: <http:\/\/127\.0\.0\.1:\d+\/general\/newsletter\/unsubscribe\/[\w-]+>$/,
  )
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(header('list-id')).toBe(`List-ID: Harbour News <list-${list_id}.harbour-news.127.0.0.1>`)
  expect(header('feedback-id')).toBe(`Feedback-ID: c${campaign_id}:${world.project.public_id}:campaign:masthead`)
  expect(header('precedence')).toBe('Precedence: bulk')
  const { items } = await world.ok('campaigns/recipients', { campaign_id })
  expect(items).toHaveLength(2)
  expect(ada.messageId).toBe(items.find((item: { email: string }) => item.email === 'Ada@Example.com').message_id)
  expect(ada.html).toContain('1 Quay Street, Porthaven')
  const bo = await simpleParser(sink.messages.find(({ to }) => to[0] === 'bo@example.com')!.raw)
  expect(bo.html).toContain('Hello reader')
  expect(await statusOf(world, campaign_id)).toBe('sent')
  expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({
    recipients: 2,
    sent: 2,
    queued: 0,
    failed: 0,
    uncertain: 0,
  })
})

test('The one-click POST unsubscribes, and the next campaign skips that contact.', async () => {
  const { world, sink, list_id } = await harbour()
  for (const name of ['ada', 'bo'])
    await world.ok('contacts/upsert', { email: `${name}@example.com`, list_ids: [list_id], consent_text: 'Yes' })
  await send(world, list_id)
  const raw = sink.messages.find(({ to }) => to[0] === 'ada@example.com')!.raw.toString()
  const path = new URL(/List-Unsubscribe: <([^>]+)>/.exec(raw.replace(/\r\n\s+/g, ' '))![1]!).pathname
  const answer = await world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(answer.status).toBe(200)
  sink.messages.length = 0
  await send(world, list_id)
  expect(sink.messages.map(({ to }) => to[0])).toEqual(['bo@example.com'])
})

test('A contact who leaves between freezing and handing over is skipped, and the log says so.', async () => {
  const { world, sink, list_id } = await harbour()
  const people = await Promise.all(
    ['ada', 'bo', 'cy', 'di'].map(
      async (name) =>
        (await world.ok('contacts/upsert', { email: `${name}@example.com`, list_ids: [list_id], consent_text: 'Yes' }))
          .contact,
    ),
  )
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Late',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.service.drain('jobs')
  await world.ok('contacts/unsubscribe', { contact_id: people[0].id })
  await world.ok('suppressions/add', { email: 'bo@example.com', reason: 'manual' })
  await world.ok('contacts/delete', { contact_id: people[2].id })
  await world.settle()
  expect(sink.messages.map(({ to }) => to[0])).toEqual(['di@example.com'])
  expect(await world.ok('campaigns/stats', { campaign_id: campaign.id })).toMatchObject({
    recipients: 4,
    sent: 1,
    skipped: 3,
  })
  const { items } = await world.ok('campaigns/events', { campaign_id: campaign.id })
  expect(items.map(({ type }: { type: string }) => type).sort()).toEqual(['sent', 'skipped', 'skipped', 'skipped'])
})

test('The answer of a relay decides: retried, bounced and suppressed, failed, uncertain.', async () => {
  const answers: Record<string, { code: number; text: string } | 'drop'> = {
    'gone@example.com': { code: 550, text: '5.1.1 no such user' },
    'full@example.com': { code: 452, text: '4.2.2 mailbox full' },
    'refused@example.com': { code: 554, text: '5.7.1 we do not like you' },
  }
  const tries: Record<string, number> = {}
  const { world, sink, list_id } = await harbour({
    onRcpt: (email) => {
      tries[email] = (tries[email] ?? 0) + 1
      return answers[email]
    },
    onData: ({ to }) => (to[0] === 'lost@example.com' ? 'drop' : undefined),
  })
  for (const name of ['fine', 'gone', 'full', 'refused', 'lost'])
    await world.ok('contacts/upsert', { email: `${name}@example.com`, list_ids: [list_id], consent_text: 'Yes' })
  const campaign_id = await send(world, list_id)
  const states = async () =>
    Object.fromEntries(
      (await world.ok('campaigns/recipients', { campaign_id })).items.map((item: { email: string; status: string }) => [
        item.email.split('@')[0],
        item.status,
      ]),
    )
  expect(await states()).toEqual({
    fine: 'sent',
    gone: 'bounced',
    full: 'queued',
    refused: 'failed',
    lost: 'uncertain',
  })
  expect(await statusOf(world, campaign_id)).toBe('sending')
  for (const minutes of [1, 5, 15, 30]) {
    world.clock.advance(minutes * 60_000)
    await world.settle()
  }
  expect(tries['full@example.com']).toBe(5)
  expect(await states()).toMatchObject({ full: 'failed', lost: 'uncertain' })
  expect(tries['lost@example.com']).toBe(1)
  expect(await statusOf(world, campaign_id)).toBe('sent')
  expect(sink.messages.map(({ to }) => to[0])).toContain('fine@example.com')
  expect((await world.ok('contacts/get', { email: 'gone@example.com' })).contact.global_status).toBe('bounced')
  expect((await world.ok('suppressions/list')).items).toMatchObject([
    { email: 'gone@example.com', reason: 'hard_bounce' },
  ])
  expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({
    recipients: 5,
    sent: 2,
    failed: 2,
    uncertain: 1,
    bounces: { hard: 1, soft: 0 },
  })
})

test('A relay that cannot be reached costs no try; the campaign goes on when it is back.', async () => {
  const { world, sink, list_id } = await harbour()
  await people(world, list_id, 30)
  const { port } = sink
  await sink.close()
  const campaign_id = await send(world, list_id)
  const rows = await world.service.runtime.store.db.select().from(deliveries)
  expect(rows.every(({ status, attempts }) => status === 'queued' && attempts === 0)).toBe(true)
  expect((await world.ok('connections/list')).items[0].last_error).toBeString()
  const back = await startSmtpSink({ port })
  open.push(() => back.close())
  world.clock.advance(60_000)
  await world.settle()
  expect(back.messages).toHaveLength(30)
  expect(await statusOf(world, campaign_id)).toBe('sent')
})

test("How long a relay may be out of reach counts from when it was, not from the campaign's age.", async () => {
  const { world, sink, list_id } = await harbour()
  await people(world, list_id, 30)
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Paused',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.service.drain('jobs')
  world.clock.advance(100 * 3_600_000)
  await sink.close()
  await world.settle()
  const stats = () => world.ok('campaigns/stats', { campaign_id: campaign.id })
  expect([await statusOf(world, campaign.id), await stats()]).toMatchObject(['sending', { queued: 30, failed: 0 }])
  world.clock.advance(71 * 3_600_000)
  await world.settle()
  expect(await stats()).toMatchObject({ queued: 30, failed: 0 })
  world.clock.advance(2 * 3_600_000)
  await world.settle()
  // The brake keeps the rest from failing as well.
  expect([await statusOf(world, campaign.id), await stats()]).toMatchObject(['paused', { queued: 20, failed: 10 }])
})

test('A message refused for now while its campaign is cancelled is not kept for another try.', async () => {
  let cancel: () => Promise<unknown> = async () => undefined
  const { world, list_id } = await harbour({
    onRcpt: async () => {
      await cancel()
      return { code: 451, text: 'Later' }
    },
  })
  await people(world, list_id, 3)
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Ended',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.service.drain('jobs')
  let cancelled: Promise<unknown> | null = null
  cancel = () => (cancelled ??= world.ok('campaigns/cancel', { campaign_id: campaign.id }))
  await world.settle()
  expect([
    await statusOf(world, campaign.id),
    await world.ok('campaigns/stats', { campaign_id: campaign.id }),
  ]).toMatchObject(['cancelled', { cancelled: 3, queued: 0, sent: 0 }])
})

test("Many confirmations that cannot leave hold up nobody else's.", async () => {
  const { world, sink } = await harbour()
  const full = await world.ok('lists/create', { name: 'Double', double_opt_in: true })
  // The other project has no connection at all.
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
    INSERT INTO deliveries (project_id, kind, email, status, next_attempt_at, created_at, content)
    SELECT (SELECT min(id) FROM projects
      WHERE id <> ${world.project.id}), 'confirmation', 'x' || value || '@example.com', 'queued', 0, 0,
      '{"list_ids":[1]}' FROM generate_series(1, 11000)`),
  )
  await world.ok('contacts/upsert', { email: 'ada@example.com', list_ids: [full.list.id], consent_text: 'Yes please' })
  const due = await dueTransactional(world.service.runtime.store.db, world.clock.now())
  expect(due.map(({ project_id, ids }) => [project_id === world.project.id, ids.length])).toEqual([
    [false, 100],
    [true, 1],
  ])
  await world.settle()
  expect(sink.messages.map(({ to }) => to[0])).toEqual(['ada@example.com'])
})

test('The pace of a connection is kept.', async () => {
  const { world, sink, list_id } = await harbour({}, { max_per_second: 20 })
  await people(world, list_id, 50)
  await send(world, list_id)
  for (let quarter = 0; quarter < 4; quarter++) {
    world.clock.advance(250)
    await world.service.drain('delivery')
  }
  // Those of the next half second are on their way before it.
  expect(sink.messages.length).toBe(10 + 20)
})

test("The day's limit of a connection holds, and the rest is sent the next day.", async () => {
  const { world, sink, list_id, connection_id } = await harbour({}, { max_per_day: 40 })
  await people(world, list_id, 25)
  const campaign_id = await send(world, list_id)
  expect(sink.messages).toHaveLength(25)
  const second = await world.ok('campaigns/create', {
    subject: 'Second',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  const refused = await world.call('campaigns/send', { campaign_id: second.campaign.id })
  expect(refused.body.error.code).toBe('NOT_READY')

  // A limit that is lowered while the campaign is under way holds the rest back for a day.
  await world.ok('connections/update', { connection_id, max_per_day: 50 })
  await world.ok('campaigns/send', { campaign_id: second.campaign.id })
  await world.service.drain('jobs')
  await world.ok('connections/update', { connection_id, max_per_day: 40 })
  await world.settle()
  expect(sink.messages).toHaveLength(40)
  expect(await statusOf(world, second.campaign.id)).toBe('sending')
  world.clock.advance(25 * 3_600_000)
  await world.settle()
  expect(sink.messages).toHaveLength(50)
  expect([await statusOf(world, campaign_id), await statusOf(world, second.campaign.id)]).toEqual(['sent', 'sent'])
})

test("The day's limit counts a whole day, however late in its hour a message left.", async () => {
  const { world, list_id } = await harbour({}, { max_per_day: 40 })
  await people(world, list_id, 25)
  world.clock.advance(59 * 60_000)
  await send(world, list_id)
  const second = await world.ok('campaigns/create', {
    subject: 'Second',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  const refused = async () =>
    (await world.ok('campaigns/readiness', { campaign_id: second.campaign.id })).checks
      .filter(({ ok, severity }: { ok: boolean; severity: string }) => !ok && severity === 'error')
      .map((check: { code: string }) => check.code)
  world.clock.advance(23.5 * 3_600_000)
  expect(await refused()).toEqual(['provider_limit'])
  world.clock.advance(3_600_000)
  expect(await refused()).toEqual([])
})

describe('a list of addresses that do not exist', () => {
  const gone = (count: number) => ({
    onRcpt: (email: string) =>
      Number(/\d+/.exec(email)![0]) % 10 < count ? { code: 550, text: '5.1.1 no such user' } : undefined,
  })

  test('A campaign pauses by itself after 500 addresses, and says why, when most of them do not exist.', async () => {
    const { world, list_id } = await harbour(gone(8))
    await people(world, list_id, 520)
    const campaign_id = await send(world, list_id)
    const { campaign } = await world.ok('campaigns/get', { campaign_id })
    expect([campaign.status, campaign.failure.reason]).toEqual([
      'paused',
      expect.stringContaining('80 % of the addresses do not exist (limit 5 %)'),
    ])
    expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({
      queued: 20,
      bounces: { hard: 400 },
    })
    // A campaign that people resumed is paused again only when its share has grown.
    await world.ok('campaigns/resume', { campaign_id })
    await world.settle()
    expect(await statusOf(world, campaign_id)).toBe('sent')
  })

  test('Fewer than 500 messages do not pause a campaign.', async () => {
    const { world, list_id } = await harbour(gone(9))
    await people(world, list_id, 499)
    const campaign_id = await send(world, list_id)
    expect([await statusOf(world, campaign_id), await world.ok('campaigns/stats', { campaign_id })]).toMatchObject([
      'sent',
      { bounces: { hard: 450 } },
    ])
  })

  test('A refusal by the relay for another reason says nothing about the addresses.', async () => {
    const { world, list_id } = await harbour({ onRcpt: () => ({ code: 554, text: '5.7.1 not from you' }) })
    await people(world, list_id, 600)
    const campaign_id = await send(world, list_id)
    // The brake stops it first. The messages that were in flight then count as failed too.
    const { bounces, failed, queued } = await world.ok('campaigns/stats', { campaign_id })
    expect([await statusOf(world, campaign_id), bounces, failed + queued]).toEqual([
      'paused',
      { hard: 0, soft: 0 },
      600,
    ])
    expect(failed).toBeWithin(10, 100)
  })
})

test('Confirmation messages go out, and their link works.', async () => {
  const { world, sink } = await harbour()
  const { list } = await world.ok('lists/create', { name: 'Double', double_opt_in: true })
  await world.ok('contacts/upsert', { email: 'ada@example.com', list_ids: [list.id], consent_text: 'Yes please' })
  await world.settle()
  const message = await simpleParser(sink.messages[0]!.raw)
  const link = /http\S+\/confirm\/[\w-]+/.exec(message.text!)![0]
  expect(message.headers.get('auto-submitted')).toBe('auto-generated')
  const page = await world.fetch(new URL(link).pathname)
  expect(page.status).toBe(200)
  expect((await world.ok('contacts/get', { email: 'ada@example.com' })).contact.lists[0].status).toBe('pending')
  await world.fetch(new URL(link).pathname, { method: 'POST' })
  expect((await world.ok('contacts/get', { email: 'ada@example.com' })).contact.lists[0].status).toBe('subscribed')
})

test('A suppressed address gets no confirmation and no test, however it is spelled.', async () => {
  const { world, sink, list_id } = await harbour()
  const { list } = await world.ok('lists/create', { name: 'Double', double_opt_in: true })
  await world.ok('contacts/upsert', { email: 'Ada@Example.com', list_ids: [list.id], consent_text: 'Yes please' })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/test-send', { campaign_id: campaign.id, emails: ['Bea@Example.com'] })
  // After they were queued, and by a reason that withdraws no queued message.
  for (const email of ['ada@example.com', 'bea@example.com']) await world.ok('suppressions/add', { email })
  await world.settle()
  expect(sink.messages).toEqual([])
  const rows = await world.service.runtime.store.db.select().from(deliveries)
  expect(rows.map(({ kind, email, status }) => [kind, email, status])).toEqual([
    ['confirmation', 'Ada@Example.com', 'skipped'],
    ['test', 'Bea@Example.com', 'skipped'],
  ])
})

test('A test message is as the real one, and its links act on nobody.', async () => {
  const { world, sink, list_id } = await harbour()
  const { contact } = await world.ok('contacts/upsert', {
    ...{ email: 'ada@example.com', first_name: 'Grace', list_ids: [list_id], consent_text: 'Yes' },
  })
  const footer = { id: 'end', type: 'footer', props: { view_link: true } }
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides for {{ contact.first_name }}',
    editor_json: { ...SAMPLE_DOCUMENT, blocks: [...SAMPLE_DOCUMENT.blocks, footer] },
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  const campaign_id = campaign.id
  await world.ok('campaigns/test-send', { campaign_id, emails: ['me@example.com'], contact_id: contact.id })
  await world.ok('campaigns/update', { campaign_id, subject: 'Changed since' })
  await world.ok('campaigns/test-send', { campaign_id, emails: ['you@example.com'] })
  await world.settle()
  const mails = await Promise.all(sink.messages.map(({ raw }) => simpleParser(raw)))
  const mail = mails.find(({ text }) => text?.includes('Grace'))!
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(['[Test] Changed since', '[Test] Tides for Grace'])
  expect(mails.find((other) => other !== mail)!.text).toContain('Hello Ada')
  const names = mail.headerLines.map(({ key }) => key)
  expect(names).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'list-id', 'feedback-id']))
  const linkTo = (page: string) =>
    new RegExp(`/general/newsletter/${page}/[\\w.-]+`).exec(`${mail.html}${mail.text}`)![0]
  const click = await world.fetch(linkTo('click'))
  expect([click.status, click.headers.get('location')]).toEqual([302, expect.stringContaining('example.com/tide')])
  expect((await world.fetch(linkTo('open'))).status).toBe(200)
  for (const page of ['unsubscribe', 'preferences', 'view'])
    expect(await (await world.fetch(linkTo(page))).text()).toContain('This was a test message')
  await world.fetch(linkTo('unsubscribe'), { method: 'POST' })
  expect((await world.ok('contacts/get', { contact_id: contact.id })).contact.global_status).toBe('subscribed')
  expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({ recipients: 0, opens: 0, clicks: 0 })
})

test('The web version shows the message as it was sent, and gives no power over the subscription.', async () => {
  const { world, sink, list_id } = await harbour()
  const person = { email: 'ada@example.com', first_name: 'Ada <b>', list_ids: [list_id], consent_text: 'Yes' }
  const { contact } = await world.ok('contacts/upsert', person)
  const footer = { id: 'end', type: 'footer', props: { view_link: true } }
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides for {{ contact.last_name | default: you }}',
    editor_json: { ...SAMPLE_DOCUMENT, blocks: [...SAMPLE_DOCUMENT.blocks, footer] },
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  const { text = '' } = await simpleParser(sink.messages[0]!.raw)
  const token = /\/view\/([\w.-]+)/.exec(text)![1]!
  await world.ok('contacts/update', { contact_id: contact.id, first_name: 'Grace' })
  await world.ok('campaigns/delete', { campaign_id: campaign.id })
  const page = await world.fetch(`/general/newsletter/view/${token}`)
  const html = await page.text()
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining('sandbox')])
  expect(html).toContain('Hello Ada &lt;b&gt;')
  expect(html).toContain(`/general/newsletter/own-link/${world.project.public_id}`)
  expect(html).not.toMatch(/\/(unsubscribe|preferences)\//)
  // Neither token opens the pages of the other.
  const personal = /\/unsubscribe\/([\w.-]+)/.exec(text)![1]!
  for (const path of [`unsubscribe/${token}`, `preferences/${token}`, `view/${personal}`, `view/${altered(token)}`])
    expect([path, (await world.fetch(`/general/newsletter/${path}`)).status]).toEqual([path, 404])
  await world.ok('contacts/delete', { contact_id: contact.id })
  expect((await world.fetch(`/general/newsletter/view/${token}`)).status).toBe(410)
})
