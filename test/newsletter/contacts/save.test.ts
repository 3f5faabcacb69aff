import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { CONSENT_SOURCES } from '../../../src/newsletter/consent/consent-rule.ts'
import type { Person } from '../../../src/newsletter/contacts/profile.ts'
import { findForSaving } from '../../../src/newsletter/contacts/found.ts'
import { type Arrival, type SavePolicy, saveContacts } from '../../../src/newsletter/contacts/save.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addressOf, everyStanding, outcomeOf, place } from '../consent/standings.ts'

/** Saving many people at once decides about each as contacts/upsert does about one. */

let world: World
let single: number
let double: number
let tag: number
beforeAll(async () => {
  world = await createWorld()
  single = (await world.ok('lists/create', { name: 'Single' })).list.id
  double = (await world.ok('lists/create', { name: 'Double', double_opt_in: true })).list.id
  tag = (await world.ok('tags/create', { name: 'Fair' })).tag.id
  await world.ok('custom-fields/create', { key: 'town', label: 'Town', type: 'text' })
})
afterAll(() => world.close())

const WORDING = 'I agree'

/** Saves people as an import does, to both lists unless told otherwise; answers the outcomes. */
const saveAll = (
  people: readonly Arrival[],
  { list_ids = [single, double], source = CONSENT_SOURCES.import_asking, text = WORDING, ...policy }: Options = {},
) =>
  world.service.runtime.store.write(async (tx) => {
    const emails = people.map(({ email }) => email)
    const found = await findForSaving(tx, world.project.id, {
      emails,
      list_ids,
      with_fields: true,
      consent_text: text,
      contacts_per_project: 1_000_000,
    })
    const saved = await saveContacts(tx, people, {
      found,
      tag_ids: [tag],
      known: 'update',
      known_consents_without_list: false,
      consent: {
        keys: world.service.runtime.keys,
        project_id: world.project.id,
        text,
        source,
        now: world.clock.now(),
        address: '127.0.0.1',
        user_agent: 'test',
      },
      ...policy,
    })
    return saved.map(({ outcome }) => outcome)
  })

interface Options extends Partial<Pick<SavePolicy, 'tag_ids' | 'known'>> {
  list_ids?: number[]
  text?: string
  source?: SavePolicy['consent']['source']
}

const person = (email: string, rest: Partial<Person> = {}): Person => ({
  email,
  first_name: null,
  last_name: null,
  custom_fields: null,
  ...rest,
})

test('Saving many people and upserting each of them has the same outcome for every previous status.', async () => {
  const standings = everyStanding()
  await place(world, 'many', standings, [single, double])
  await place(world, 'one', standings, [single, double])
  await saveAll(
    standings.map((_, index) =>
      person(addressOf('many', index), { first_name: 'New', custom_fields: { town: 'Porthaven' } }),
    ),
  )
  for (const index of standings.keys()) {
    await world.ok('contacts/upsert', {
      email: addressOf('one', index),
      first_name: 'New',
      custom_fields: { town: 'Porthaven' },
      list_ids: [single, double],
      tag_ids: [tag],
      consent_text: WORDING,
    })
  }
  for (const [index, standing] of standings.entries()) {
    expect({ standing, ...((await outcomeOf(world, 'many', index)) as object) }).toEqual({
      standing,
      ...((await outcomeOf(world, 'one', index)) as object),
    })
  }
})

test('A vouched import subscribes to double opt-in lists at once, but not to lists it left.', async () => {
  const standings = everyStanding()
  await place(world, 'vouched', standings, [single, double])
  await saveAll(
    standings.map((_, index) => person(addressOf('vouched', index))),
    { source: CONSENT_SOURCES.import_vouched },
  )
  const { db } = world.service.runtime.store
  const group = sql`contact.email LIKE 'vouched%' AND contact.project_id = ${world.project.id}`
  expect(
    await db.all(sql`
    SELECT 1 FROM deliveries delivery JOIN contacts contact ON contact.id = delivery.contact_id WHERE ${group}`),
  ).toEqual([])
  const subscribedNow = await db.all<{ email: string }>(
    sql`
      SELECT DISTINCT contact.email FROM memberships membership
      JOIN contacts contact ON contact.id = membership.contact_id
      WHERE membership.subscribed_at = ${world.clock.now()} AND ${group}`,
  )
  const allowed = standings.flatMap(({ status, suppression, memberships }, index) =>
    suppression === null &&
    (status === null || status === 'pending' || status === 'subscribed') &&
    memberships.some((membership) => membership === null || membership === 'pending')
      ? [addressOf('vouched', index)]
      : [],
  )
  expect(subscribedNow.map(({ email }) => email).sort()).toEqual(allowed.sort())
})

test('A known contact keeps its names where only empty parts are to be filled.', async () => {
  await saveAll([person('named@example.com', { first_name: 'Ada' })])
  await saveAll([person('named@example.com', { first_name: 'Eve', last_name: 'Lovelace' })], { known: 'fill_empty' })
  const { contact } = await world.ok('contacts/get', { email: 'named@example.com' })
  expect([contact.first_name, contact.last_name]).toEqual(['Ada', 'Lovelace'])
})

test('Of two new people only the one that is not suppressed gets the consent.', async () => {
  await world.ok('suppressions/add', { email: 'objected@example.com', reason: 'complaint' })
  await saveAll([person('agreed@example.com'), person('objected@example.com')])
  const consents = await world.service.runtime.store.db.all(sql`
    SELECT email, consent_wording_id IS NOT NULL AS has_wording, consent_source, consent_at FROM contacts
    WHERE email IN ('agreed@example.com', 'objected@example.com') ORDER BY email`)
  expect(consents).toEqual([
    { email: 'agreed@example.com', has_wording: 1, consent_source: 'import', consent_at: world.clock.now() },
    { email: 'objected@example.com', has_wording: 0, consent_source: '', consent_at: null },
  ])
})

test("Another project's suppressions and contacts do not decide.", async () => {
  for (const reason of ['complaint', 'unsubscribe'])
    await world.ok('suppressions/add', { email: `${reason}-elsewhere@example.com`, reason }, { as: world.keys.other })
  await world.ok('contacts/upsert', { email: 'elsewhere@example.com', consent_text: 'yes' }, { as: world.keys.other })
  const emails = ['complaint-elsewhere@example.com', 'unsubscribe-elsewhere@example.com', 'elsewhere@example.com']
  expect(
    await saveAll(
      emails.map((email) => person(email)),
      { list_ids: [single] },
    ),
  ).toEqual(['created', 'created', 'created'])
  for (const email of emails)
    expect((await world.ok('contacts/get', { email })).contact).toMatchObject({
      global_status: 'subscribed',
      lists: [{ list_id: single, status: 'subscribed' }],
    })
})

describe('the evidence', () => {
  const texts = async (email: string) =>
    (await world.ok('contacts/get', { email })).consents.map(({ text }: { text: string }) => text).toReversed()

  test('A contact keeps its wording when an import without wording subscribes it to another list.', async () => {
    const email = 'worded@example.com'
    await world.ok('contacts/upsert', { email, consent_text: 'First wording', list_ids: [single] })
    const how = { list_ids: [double], text: '', source: CONSENT_SOURCES.import_vouched }
    expect(await saveAll([person(email)], how)).toEqual(['updated'])
    const { contact } = await world.ok('contacts/get', { email })
    expect(contact).toMatchObject({ consent_text: 'First wording', consent_source: 'import' })
    expect(contact.lists).toHaveLength(2)
  })

  test('Consent without a list has one row for each wording, even when two wordings alternate.', async () => {
    const email = 'alternating@example.com'
    for (const consent_text of ['First', 'Second', 'First', 'Second', 'Second'])
      await world.ok('contacts/upsert', { email, consent_text })
    expect(await texts(email)).toEqual(['First', 'Second'])
  })
})

test('The outcome says whether a contact was created, updated or left unchanged.', async () => {
  await world.ok('contacts/upsert', {
    email: 'known@example.com',
    first_name: 'Kay',
    last_name: 'Known',
    consent_text: WORDING,
  })
  const both = [person('Known@Example.com', { first_name: 'Kay' }), person('fresh@example.com')]
  expect(await saveAll(both, { list_ids: [], tag_ids: [] })).toEqual(['unchanged', 'created'])
  expect(await saveAll([person('known@example.com', { first_name: 'Kim' })], { list_ids: [], tag_ids: [] })).toEqual([
    'updated',
  ])
  expect(await saveAll([person('known@example.com')], { list_ids: [] })).toEqual(['updated'])
  expect(await saveAll([person('known@example.com')])).toEqual(['updated'])
  const { contact } = await world.ok('contacts/get', { email: 'known@example.com' })
  world.clock.advance(1)
  expect(await saveAll([person('known@example.com')])).toEqual(['unchanged'])
  await world.ok('contacts/update', { contact_id: contact.id, email: contact.email, first_name: 'Kim' })
  expect((await world.ok('contacts/get', { email: 'known@example.com' })).contact).toEqual(contact)
  expect(contact).toMatchObject({ email: 'known@example.com', first_name: 'Kim', last_name: 'Known', tag_ids: [tag] })
})

test('The policy leave does not change known contacts.', async () => {
  const before = (await world.ok('contacts/upsert', { email: 'as-is@example.com', consent_text: WORDING })).contact
  expect(
    await saveAll([person('as-is@example.com', { first_name: 'X', custom_fields: { town: 'X' } })], {
      known: 'leave',
    }),
  ).toEqual(['unchanged'])
  expect((await world.ok('contacts/get', { email: 'as-is@example.com' })).contact).toEqual(before)
})

test('New contacts beyond the limit of the plan get no_room, and known contacts still change.', async () => {
  const { db, write } = world.service.runtime.store
  await world.ok('contacts/upsert', { email: 'roomy@example.com', consent_text: WORDING })
  const [count] = await db.all<{ n: number }>(
    sql`SELECT rows AS n FROM project_usage WHERE project_id = ${world.project.id} AND kind = 'contacts'`,
  )
  await write((tx) => tx.run(sql`UPDATE projects SET contact_limit = ${count!.n + 1} WHERE id = ${world.project.id}`))
  const outcomes = await saveAll(
    [person('room1@example.com'), person('roomy@example.com', { first_name: 'Kit' }), person('room2@example.com')],
    { list_ids: [], tag_ids: [] },
  )
  await write((tx) => tx.run(sql`UPDATE projects SET contact_limit = NULL WHERE id = ${world.project.id}`))
  expect(outcomes).toEqual(['created', 'updated', 'no_room'])
})

test('A known contact that is still unconfirmed elsewhere joins no list, unless the list can ask.', async () => {
  await saveAll([person('waiting@example.com')], { list_ids: [], tag_ids: [] })
  const join = async (source: SavePolicy['consent']['source']) => {
    await saveAll([{ ...person('waiting@example.com'), is_pending: true }], { source })
    return (await world.ok('contacts/get', { email: 'waiting@example.com' })).contact.lists
  }
  expect(await join(CONSENT_SOURCES.import_vouched)).toEqual([])
  expect(await join(CONSENT_SOURCES.import_asking)).toMatchObject([{ list_id: double, status: 'pending' }])
})

test('A contact who opted out, bounced and was deleted comes back as both, and nobody else does.', async () => {
  for (const email of ['left@example.com', 'gone@example.com'])
    await world.ok('suppressions/add', { email, reason: 'hard_bounce' })
  await world.ok('suppressions/add', { email: 'left@example.com', reason: 'unsubscribe' })
  await saveAll([person('left@example.com'), person('gone@example.com'), person('new@example.com')])
  const saved = await world.service.runtime.store.db.all(sql`
    SELECT email, global_status, opted_out FROM contacts
    WHERE email IN ('left@example.com', 'gone@example.com', 'new@example.com') ORDER BY email`)
  expect(saved).toEqual([
    { email: 'gone@example.com', global_status: 'bounced', opted_out: 0 },
    { email: 'left@example.com', global_status: 'bounced', opted_out: 1 },
    { email: 'new@example.com', global_status: 'subscribed', opted_out: 0 },
  ])
})
