import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { NO_TEXTS } from '../../../src/shared/contact-fields.ts'
import { sql } from 'drizzle-orm'
import { readyToSend } from '../../support/campaigns.ts'
import { upsertContact } from '../../../src/newsletter/contacts/upsert.operations.ts'
import { checker } from '../../../src/schema.ts'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
let news: number
let club: number
let secret: number
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  await readyToSend(world)
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
  secret = (await world.ok('lists/create', { name: 'Secret' }, { as: world.keys.other })).list.id
  await world.ok('custom-fields/create', { key: 'country', label: 'Country', type: 'text' })
})
afterAll(() => home.close())

const AT = expect.stringMatching(/^2026-01-15T/)
const upsert = (body: Record<string, unknown>) => world.ok('contacts/upsert', { consent_text: 'I agree', ...body })
const query = <T>(statement: ReturnType<typeof sql>) => world.service.runtime.store.db.all<T>(statement)
const messagesTo = (email: string) =>
  query<{ contact_id: number; status: string; content: string }>(
    sql`
      SELECT contact_id, status, content FROM deliveries WHERE kind = 'confirmation' AND email = ${email} ORDER BY id`,
  )
const activity = async (contact_id: number) => (await world.ok('contacts/get', { contact_id })).activity

describe('consent that was given somewhere else', () => {
  const told = { at: '2025-11-03T10:15:00+01:00', ip: '2001:db8::7', user_agent: 'Kiosk/2', source: 'fair' }
  const consentsOf = async (contact_id: number) => (await world.ok('contacts/get', { contact_id })).consents

  test('Consent is kept as it is told, with the caller beside it, for new and for known contacts.', async () => {
    const at = '2025-11-03T09:15:00.000Z'
    const { contact } = await upsert({ email: 'fair@example.com', list_ids: [news], consent: told })
    expect(contact).toMatchObject({ consent_source: 'fair', consent_at: at, created_at: AT })
    expect((await world.ok('contacts/get', { contact_id: contact.id })).contact).toEqual(contact)
    const caller = { ip: expect.any(String), user_agent: expect.stringContaining('Bun') }
    const entry = { ...told, at, action: 'given', text: 'I agree', caller }
    expect(await consentsOf(contact.id)).toMatchObject([{ ...entry, list_id: news }])
    await upsert({ email: 'fair@example.com', list_ids: [club], consent: { source: 'stall' } })
    expect(await consentsOf(contact.id)).toMatchObject([
      { source: 'stall', at: AT, ip: null, user_agent: null, list_id: club, caller },
      { ...entry, list_id: news },
    ])
  })

  test('A time to come, a day that does not exist and an address that is none are refused.', async () => {
    const refusal = async (consent: Record<string, unknown>) => {
      const { status, body } = await world.call('contacts/upsert', { email: 'x@x.se', consent_text: 'x', consent })
      return [status, body.error.details[0]?.path ?? body.error.details]
    }
    expect(await refusal({ at: '2027-01-01T00:00:00Z' })).toEqual([400, '/consent/at'])
    expect(await refusal({ at: '2025-02-30T00:00:00Z' })).toEqual([400, '/consent/at'])
    expect(await refusal({ ip: 'harbour' })).toEqual([400, '/consent/ip'])
    expect(await refusal({ referrer: 'x' })).toEqual([400, '/consent/referrer'])
  })
})

test('A new contact has exactly the fields of a contact.', async () => {
  const tag = (await world.ok('tags/create', { name: 'VIP' })).tag.id
  const answer = await upsert({
    email: '  Ada@Example.com ',
    first_name: ' Ada ',
    last_name: 'Lovelace',
    list_ids: [news],
    tag_ids: [tag],
    custom_fields: { country: 'uk' },
  })
  const contact = {
    id: expect.any(Number),
    email: 'Ada@Example.com',
    ...NO_TEXTS,
    first_name: 'Ada',
    last_name: 'Lovelace',
    full_name: 'Ada Lovelace',
    global_status: 'subscribed',
    custom_fields: { country: 'uk' },
    lists: [{ list_id: news, status: 'subscribed', subscribed_at: AT, unsubscribed_at: null }],
    tag_ids: [tag],
    consent_text: 'I agree',
    consent_source: 'api',
    consent_at: AT,
    created_at: AT,
    updated_at: AT,
  }
  expect(answer).toEqual({ contact, created: true, confirmations_queued: 0, skipped: [] })
  expect((await world.ok('contacts/get', { contact_id: answer.contact.id })).contact).toEqual(answer.contact)
})

test('A new contact is subscribed without a membership when no list is named.', async () => {
  const { contact } = await upsert({ email: 'nolist@example.com' })
  expect(contact).toMatchObject({
    global_status: 'subscribed',
    lists: [],
    first_name: '',
    full_name: '',
    custom_fields: {},
  })
})

test('A new contact on a double opt-in list is pending until it confirms.', async () => {
  const { contact, confirmations_queued } = await upsert({ email: 'double@example.com', list_ids: [club] })
  expect(confirmations_queued).toBe(1)
  expect(contact).toMatchObject({
    global_status: 'pending',
    lists: [{ list_id: club, status: 'pending', subscribed_at: null, unsubscribed_at: null }],
    consent_text: 'I agree',
  })
  expect(await messagesTo('double@example.com')).toEqual([
    { contact_id: contact.id, status: 'queued', content: JSON.stringify({ list_ids: [club] }) },
  ])
  const again = await upsert({ email: 'double@example.com' })
  expect([again.contact.global_status, again.confirmations_queued, again.skipped]).toEqual(['pending', 0, []])
})

test('A new contact on a list of each kind is subscribed globally and pending on one list.', async () => {
  const { contact, confirmations_queued } = await upsert({ email: 'both@example.com', list_ids: [club, news, news] })
  expect(confirmations_queued).toBe(1)
  expect(contact.global_status).toBe('subscribed')
  expect(contact.lists.map(({ list_id, status }: any) => [list_id, status])).toEqual([
    [news, 'subscribed'],
    [club, 'pending'],
  ])
})

test('A new contact gets one confirmation message for two double opt-in lists.', async () => {
  const second = (await world.ok('lists/create', { name: 'Club 2', double_opt_in: true })).list.id
  const { confirmations_queued } = await upsert({ email: 'twice@example.com', list_ids: [club, second] })
  expect(confirmations_queued).toBe(1)
  expect((await messagesTo('twice@example.com')).map(({ content }) => JSON.parse(content))).toEqual([
    { list_ids: [club, second] },
  ])
})

test('A known contact is found whatever the case, keeps its spelling, and only what is given changes.', async () => {
  const { contact } = await upsert({
    email: 'Grace@Example.com',
    first_name: 'Grace',
    last_name: 'Hopper',
    custom_fields: { country: 'us' },
  })
  world.clock.advance(1000)
  const again = await upsert({ email: 'gRACE@example.COM', last_name: 'H.' })
  expect(again.created).toBe(false)
  expect(again.contact).toEqual({
    ...contact,
    last_name: 'H.',
    full_name: 'Grace H.',
    updated_at: new Date(world.clock.now()).toISOString(),
  })
})

test('A known contact does not change when the same request is repeated.', async () => {
  const first = await upsert({
    email: 'same@example.com',
    first_name: 'S',
    list_ids: [news],
    custom_fields: { country: 'fr' },
  })
  world.clock.advance(60_000)
  const second = await upsert({
    email: 'same@example.com',
    first_name: 'S',
    list_ids: [news],
    custom_fields: { country: 'fr' },
  })
  expect(second).toEqual({ ...first, created: false })
  expect((await activity(first.contact.id)).map(({ type }: any) => type)).toEqual(['subscribed'])
})

test('A known contact gets its custom values merged; null removes one.', async () => {
  await world.ok('custom-fields/create', { key: 'plan', label: 'Plan', type: 'text' })
  await upsert({ email: 'merge@example.com', custom_fields: { country: 'at', plan: 'pro' } })
  expect((await upsert({ email: 'merge@example.com', custom_fields: { plan: 'free' } })).contact.custom_fields).toEqual(
    { country: 'at', plan: 'free' },
  )
  expect(
    (await upsert({ email: 'merge@example.com', custom_fields: { country: null } })).contact.custom_fields,
  ).toEqual({ plan: 'free' })
})

test('A known contact keeps its tags when others are added.', async () => {
  const [a, b] = [
    (await world.ok('tags/create', { name: 'a' })).tag.id,
    (await world.ok('tags/create', { name: 'b' })).tag.id,
  ]
  await upsert({ email: 'tags@example.com', tag_ids: [b] })
  expect((await upsert({ email: 'tags@example.com', tag_ids: [a, b, a] })).contact.tag_ids).toEqual([a, b])
})

test('A known contact shows the wording of the latest consent; earlier ones stay as evidence.', async () => {
  const first = await upsert({ email: 'words@example.com', list_ids: [news], consent_text: 'First words' })
  world.clock.advance(1000)
  const same = await upsert({ email: 'words@example.com', list_ids: [news], consent_text: 'Second words' })
  expect(same.contact).toEqual(first.contact)
  await upsert({ email: 'words@example.com', list_ids: [news], consent_text: 'Second words' })
  world.clock.advance(1000)
  const more = await upsert({ email: 'words@example.com', list_ids: [club], consent_text: 'Third words' })
  expect(more.contact).toMatchObject({
    consent_text: 'Third words',
    consent_at: new Date(world.clock.now()).toISOString(),
  })
  const { consents: evidence } = await world.ok('contacts/get', { contact_id: first.contact.id })
  expect(evidence.map(({ text, list_id }: any) => [text, list_id])).toEqual([
    ['Third words', club],
    ['Second words', news],
    ['First words', news],
  ])
  expect(evidence[0]).toEqual({
    id: expect.any(Number),
    at: more.contact.consent_at,
    list_id: club,
    action: 'given',
    text: 'Third words',
    source: 'api',
    ip: null,
    user_agent: null,
    campaign_id: null,
    caller: { ip: '127.0.0.1', user_agent: expect.stringContaining('Bun') },
  })
})

test('A known contact is asked again for a pending membership after an hour, not before.', async () => {
  const ask = async () => (await upsert({ email: 'again@example.com', list_ids: [club] })).confirmations_queued
  expect(await ask()).toBe(1)
  expect(await ask()).toBe(0)
  world.clock.advance(60 * 60_000 - 1)
  expect(await ask()).toBe(0)
  world.clock.advance(1)
  expect(await ask()).toBe(1)
  expect(await ask()).toBe(0)
  // The first message had not left, so the second request adds none.
  expect(await messagesTo('again@example.com')).toHaveLength(1)
})

test('A known contact becomes subscribed to a list that no longer requires confirmation.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Was double', double_opt_in: true })
  await upsert({ email: 'switch@example.com', list_ids: [list.id] })
  await world.ok('lists/update', { list_id: list.id, double_opt_in: false })
  const { contact, confirmations_queued } = await upsert({ email: 'switch@example.com', list_ids: [list.id] })
  expect(confirmations_queued).toBe(0)
  expect(contact).toMatchObject({ global_status: 'subscribed', lists: [{ list_id: list.id, status: 'subscribed' }] })
})

test('An unsubscribed contact is updated and skipped, and subscribed again only with resubscribe.', async () => {
  const { contact } = await upsert({ email: 'out@example.com', list_ids: [news] })
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  const kept = await upsert({ email: 'out@example.com', first_name: 'New', list_ids: [news, club] })
  expect(kept.skipped).toEqual([
    { list_id: news, reason: 'unsubscribed' },
    { list_id: club, reason: 'unsubscribed' },
  ])
  expect(kept.contact).toMatchObject({
    first_name: 'New',
    global_status: 'unsubscribed',
    lists: [{ list_id: news, status: 'unsubscribed' }],
  })
  for (const more of [{}, { resubscribe: false }])
    expect((await upsert({ email: 'out@example.com', ...more })).skipped).toEqual([
      { list_id: null, reason: 'unsubscribed' },
    ])

  world.clock.advance(1000)
  const back = await upsert({
    email: 'out@example.com',
    list_ids: [news],
    resubscribe: true,
    consent_text: 'Back again',
  })
  expect(back.skipped).toEqual([])
  expect(back.contact).toMatchObject({
    global_status: 'subscribed',
    consent_text: 'Back again',
    lists: [
      {
        list_id: news,
        status: 'subscribed',
        subscribed_at: new Date(world.clock.now()).toISOString(),
        unsubscribed_at: null,
      },
    ],
  })
  expect((await activity(contact.id)).map(({ type }: any) => type)).toEqual([
    'resubscribed',
    'unsubscribe',
    'subscribed',
  ])
})

test('Resubscribing to a double opt-in list requires a confirmation, even at once.', async () => {
  const { contact } = await upsert({ email: 'backdouble@example.com', list_ids: [club] })
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  expect(await messagesTo('backdouble@example.com')).toEqual([])
  const back = await upsert({ email: 'backdouble@example.com', list_ids: [club], resubscribe: true })
  expect(back).toMatchObject({
    confirmations_queued: 1,
    contact: { global_status: 'pending', lists: [{ list_id: club, status: 'pending' }] },
  })
})

test('Resubscribing to one list changes no other membership.', async () => {
  const other = (await world.ok('lists/create', { name: 'Other' })).list.id
  const { contact } = await upsert({ email: 'onlyone@example.com', list_ids: [news, other] })
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  const back = await upsert({ email: 'onlyone@example.com', list_ids: [other], resubscribe: true })
  expect(back.contact.lists.map(({ list_id, status }: any) => [list_id, status])).toEqual([
    [news, 'unsubscribed'],
    [other, 'subscribed'],
  ])
})

test('A suppressed address becomes a contact with the status of its suppression, without lists.', async () => {
  for (const [reason, status] of [
    ['hard_bounce', 'bounced'],
    ['complaint', 'complained'],
    ['unsubscribe', 'unsubscribed'],
    ['manual', 'subscribed'],
  ] as const) {
    const email = `new-${reason}@example.com`
    await world.ok('suppressions/add', { email: email.toUpperCase(), reason })
    const answer = await upsert({ email, first_name: 'X', list_ids: [news, club] })
    expect(answer.skipped).toEqual([
      { list_id: news, reason: 'suppressed' },
      { list_id: club, reason: 'suppressed' },
    ])
    expect(answer).toMatchObject({
      created: true,
      confirmations_queued: 0,
      contact: {
        first_name: 'X',
        global_status: status,
        lists: [],
        ...(reason === 'manual' ? { consent_text: 'I agree' } : { consent_text: '', consent_at: null }),
      },
    })
  }
})

test('Resubscribe lifts a suppression of reason unsubscribe and no other.', async () => {
  for (const reason of ['hard_bounce', 'complaint', 'manual', 'unsubscribe'] as const) {
    const email = `lift-${reason}@example.com`
    await upsert({ email, list_ids: [news] })
    await world.ok('suppressions/add', { email, reason })
    const back = await upsert({ email, list_ids: [news], resubscribe: true })
    const { suppression } = await world.ok('contacts/get', { email })
    if (reason === 'unsubscribe') {
      expect(back).toMatchObject({
        skipped: [],
        contact: { global_status: 'subscribed', lists: [{ list_id: news, status: 'subscribed' }] },
      })
      expect(suppression).toBeNull()
    } else {
      expect(back.skipped).toEqual([{ list_id: news, reason: 'suppressed' }])
      expect(suppression).toEqual({ reason, note: '', created_at: expect.any(String) })
    }
  }
})

test('A contact whose complaint was removed is subscribed again by resubscribe only.', async () => {
  await upsert({ email: 'sorry@example.com', list_ids: [news] })
  await world.ok('suppressions/add', { email: 'sorry@example.com', reason: 'complaint' })
  await world.ok('suppressions/remove', { email: 'sorry@example.com', confirm: true })
  expect((await upsert({ email: 'sorry@example.com', list_ids: [news] })).skipped).toEqual([
    { list_id: news, reason: 'complained' },
  ])
  expect(
    (await upsert({ email: 'sorry@example.com', list_ids: [news], resubscribe: true })).contact.global_status,
  ).toBe('subscribed')
})

test('An unknown list or tag refuses the whole request.', async () => {
  for (const [body, path] of [
    [{ list_ids: [news, 999_999] }, '/list_ids/1'],
    [{ list_ids: [secret] }, '/list_ids/0'],
    [{ tag_ids: [424_242] }, '/tag_ids/0'],
  ] as const) {
    const answer = await world.call('contacts/upsert', { email: 'whole@example.com', consent_text: 'x', ...body })
    expect(answer.status).toBe(404)
    expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', details: [{ path }] })
  }
  expect((await world.call('contacts/get', { email: 'whole@example.com' })).status).toBe(404)
})

test('Invalid values of a property are refused.', async () => {
  const long = 'x'.repeat(10_000)
  for (const [body, path] of [
    [{ consent_text: undefined }, '/consent_text'],
    [{ consent_text: ' \n\t ' }, '/consent_text'],
    [{ consent_text: long }, '/consent_text'],
    [{ email: 'not an address' }, '/email'],
    [{ email: 'a@b' }, '/email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, '/email'],
    [{ email: `${long}@example.com` }, '/email'],
    [{ first_name: long }, '/first_name'],
    [{ first_name: 'a\nb' }, '/first_name'],
    [{ last_name: 7 }, '/last_name'],
    [{ list_ids: ['1'] }, '/list_ids/0'],
    [{ list_ids: Array.from({ length: 101 }, (_, index) => index + 1) }, '/list_ids'],
    [{ custom_fields: { country: { deep: true } } }, '/custom_fields/country'],
    [{ global_status: 'subscribed' }, '/global_status'],
  ] as const) {
    const answer = await world.call('contacts/upsert', { email: 'field@example.com', consent_text: 'x', ...body })
    expect({ body, status: answer.status, code: answer.body.error?.code }).toEqual({
      body,
      status: 400,
      code: 'VALIDATION_FAILED',
    })
    expect(answer.body.error.details.map((flaw: { path: string }) => flaw.path)).toContain(path)
  }
})

test('A hundred lists and a hundred tags can be named at once.', () => {
  const ids = Array.from({ length: 100 }, (_, index) => index + 1)
  const request = { email: 'a@example.com', consent_text: 'x', list_ids: ids, tag_ids: ids }
  expect(checker(upsertContact.request).Check(request)).toBe(true)
  expect(checker(upsertContact.request).Check({ ...request, tag_ids: [...ids, 101] })).toBe(false)
})

test('Refusals names in any script, with quotes or percent signs, are stored unchanged.', async () => {
  const first_name = `Zoë 𝒳 "O'Brien" %_\\ <b>`
  const { contact } = await upsert({ email: 'zoë@exämple.com', first_name, last_name: '李小龍' })
  expect((await world.ok('contacts/get', { email: 'ZOË@EXÄMPLE.COM' })).contact).toEqual(contact)
  expect(contact).toMatchObject({ first_name, full_name: `${first_name} 李小龍` })
})

test('Lone surrogates are refused, because the database cannot store them.', async () => {
  const answer = await world.call('contacts/upsert', {
    email: 'half@example.com',
    first_name: 'A\ud800',
    consent_text: 'Yes \udc00.',
  })
  expect([answer.status, answer.body.error.details.map(({ path }: { path: string }) => path).sort()]).toEqual([
    400,
    ['/consent_text', '/first_name'],
  ])
})

test("The plan's limit stops new contacts, not known ones.", async () => {
  const small = await createWorld()
  try {
    const project = small.project.id
    await small.service.runtime.store.write((tx) =>
      tx.run(sql`UPDATE projects SET contact_limit = 2 WHERE id = ${project}`),
    )
    for (const email of ['a@example.com', 'b@example.com'])
      await small.ok('contacts/upsert', { email, consent_text: 'x' })
    const refused = await small.call('contacts/upsert', { email: 'c@example.com', consent_text: 'x' }, { key: 'third' })
    expect(refused.status).toBe(403)
    expect(refused.body.error).toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED', details: { limit: 2 } })
    await small.service.runtime.store.write((tx) =>
      tx.run(sql`UPDATE projects SET contact_limit = 1 WHERE id = ${project}`),
    )
    const fewer = await small.call('contacts/upsert', { email: 'c@example.com', consent_text: 'x' }, { key: 'fourth' })
    expect(fewer.body.error.details).toEqual({ limit: 1 })
    await small.service.runtime.store.write((tx) =>
      tx.run(sql`UPDATE projects SET contact_limit = 2 WHERE id = ${project}`),
    )
    await small.ok('contacts/upsert', { email: 'A@example.com', consent_text: 'x', first_name: 'A' })
    const { contact } = await small.ok('contacts/get', { email: 'b@example.com' })
    await small.ok('contacts/delete', { contact_id: contact.id })
    await small.ok('contacts/upsert', { email: 'c@example.com', consent_text: 'x' }, { key: 'third' })
  } finally {
    await small.close()
  }
})

test('Two hundred concurrent upserts of one address create one contact.', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      upsert({ email: index % 2 ? 'race@example.com' : 'RACE@example.com', list_ids: [club] }),
    ),
  )
  expect(new Set(answers.map(({ contact }) => contact.id)).size).toBe(1)
  expect(answers.filter(({ created }) => created)).toHaveLength(1)
  expect(answers.reduce((sum, { confirmations_queued }) => sum + confirmations_queued, 0)).toBe(1)
})
