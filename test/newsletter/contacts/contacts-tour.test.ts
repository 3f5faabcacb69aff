import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type PeopleTour, tourOfPeople } from '../people-tour.ts'

let world: World
let tour: PeopleTour
beforeAll(async () => {
  world = await createWorld({ contacts_per_project: 13 })
  tour = tourOfPeople(world)
})

/** Ids of what `prepare` makes. */
const [OPEN, ASKING, PRIVATE, ARCHIVED, NEIGHBORS] = [1, 2, 3, 4, 5]
const [GOLD, SILVER, TIN] = [1, 2, 3]

test("Answers and rows of a contact's life are those that are recorded.", async () => {
  await prepare()
  await arrivals()
  await profiles()
  await reads()
  expectRecorded('people/contacts.txt', tour.text())
  await leaving()
  await deleting()
  expectRecorded('people/contacts-leaving.txt', tour.text())
})

async function prepare(): Promise<void> {
  for (const [name, more] of [
    ['Open', {}],
    ['Asking', { double_opt_in: true }],
    ['Private', { public: false }],
    ['Archived', {}],
  ] as const)
    await world.ok('lists/create', { name, ...more })
  await world.ok('lists/update', { list_id: ARCHIVED, archived: true })
  for (const name of ['gold', 'silver', 'tin']) await world.ok('tags/create', { name })
  await world.ok('custom-fields/create', { key: 'boat', label: 'Boat', type: 'text' })
  await world.ok('custom-fields/create', { key: 'length', label: 'Length', type: 'number' })
  const as = { as: world.keys.other }
  await world.ok('lists/create', { name: 'Open' }, as)
  await world.ok('tags/create', { name: 'gold' }, as)
  for (const email of ['ada@example.org', 'new@example.org'])
    await world.ok(
      'contacts/upsert',
      { email, consent_text: 'Of a neighbor.', first_name: 'Adah', list_ids: [NEIGHBORS], tag_ids: [4] },
      as,
    )
  await tour.skip()
}

const consent_text = 'News, please.'
const upsert = (sentence: string, email: string, more: object = {}) =>
  tour.call(sentence, 'contacts/upsert', { email, consent_text, ...more })

async function arrivals(): Promise<void> {
  tour.heading('Arrivals')
  await upsert('A contact with its address and consent alone.', ' Ada@Example.org ')
  await upsert('A contact with everything.', 'bob@example.org', {
    first_name: ' Bob ',
    last_name: 'Byrd',
    list_ids: [PRIVATE, OPEN, ARCHIVED],
    tag_ids: [TIN, GOLD],
    custom_fields: { boat: 'Fram', length: 39 },
    consent: {
      at: '2025-11-03T10:20:30+02:00',
      ip: '2001:db8::7',
      user_agent: 'Paper/1.0',
      source: 'Fair in Bergen',
    },
    resubscribe: false,
  })
  await tour.changes()
  await upsert('A contact who is asked.', 'cleo@example.org', { list_ids: [ASKING], last_name: 'Clay' })
  await upsert('A contact who is asked, and subscribed elsewhere.', 'dan@example.org', { list_ids: [ASKING, OPEN] })
  await upsert('The same call again.', 'dan@example.org', { list_ids: [ASKING, OPEN] })
  await upsert('The same with other words.', 'dan@example.org', {
    list_ids: [OPEN, ASKING],
    consent_text: 'I want it still.',
  })
  await upsert('The same, told from elsewhere.', 'dan@example.org', {
    list_ids: [OPEN],
    consent: { ip: '192.0.2.44' },
  })
  await upsert('Told again.', 'dan@example.org', { list_ids: [OPEN], consent: { ip: '192.0.2.44' } })
  await upsert('Told of another list.', 'dan@example.org', { list_ids: [ASKING], consent: { ip: '192.0.2.44' } })
  await upsert('Told with a time.', 'dan@example.org', { list_ids: [OPEN], consent: { at: '2025-12-24T18:00:00Z' } })
  await upsert('Told with the same time again.', 'dan@example.org', {
    list_ids: [OPEN],
    consent: { at: '2025-12-24T18:00:00.000Z' },
  })
  await upsert('A list more, a tag more, and a name.', 'ADA@example.org', {
    first_name: 'Ada',
    list_ids: [OPEN],
    tag_ids: [SILVER, SILVER],
    consent_text: 'And the list.',
  })
  await upsert('A name is emptied.', 'bob@example.org', { first_name: '', tag_ids: [GOLD, SILVER] })
  await tour.changes()

  tour.heading('Refused arrivals')
  await upsert('No address.', 'ada')
  await upsert('An empty wording.', 'eve@example.org', { consent_text: '  ' })
  await upsert('A wording that is too long.', 'eve@example.org', { consent_text: 'w'.repeat(4001) })
  await upsert("A neighbor's list.", 'eve@example.org', { list_ids: [OPEN, NEIGHBORS] })
  await upsert("A neighbor's tag.", 'eve@example.org', { tag_ids: [GOLD, TIN, 4] })
  await upsert('A name that is too long.', 'eve@example.org', { first_name: 'n'.repeat(201) })
  await upsert('A name of two lines.', 'eve@example.org', { last_name: 'E\nve' })
  await upsert('Custom values that do not fit.', 'eve@example.org', {
    custom_fields: { boat: 9, __proto__: 1, a: 'b' },
  })
  await upsert('A consent of the next second.', 'eve@example.org', { consent: { at: '2026-01-15T10:00:00Z' } })
  await upsert('A day that is none.', 'eve@example.org', { consent: { at: '2025-02-30T10:00:00Z' } })
  await upsert('An address of a network that is none.', 'eve@example.org', {
    consent: { ip: '192.0.2.256', source: '' },
  })
  await upsert('Unknown properties.', 'eve@example.org', { status: 'subscribed', phone: '1' })
  await tour.changes()
}

async function profiles(): Promise<void> {
  tour.heading('Profiles')
  const update = (sentence: string, contact_id: number, more: object = {}) =>
    tour.call(sentence, 'contacts/update', { contact_id, ...more })
  await update('Nothing changes.', 3)
  await update('The same values.', 3, { first_name: 'Ada ', email: ' Ada@Example.org' })
  await update('Names.', 3, { first_name: ' Ada Augusta', last_name: 'King ' })
  await update('Custom values.', 4, { custom_fields: { boat: null, length: 40.5 } })
  await update('Custom values that do not fit.', 4, { custom_fields: { boat: true, crew: 3 } })
  await update('The address in other case.', 4, { email: 'BOB@example.org' })
  await update('Another address, while a confirmation waits.', 5, { email: 'Cleopatra@example.org' })
  await update('The address of another contact.', 6, { email: 'ada@EXAMPLE.org' })
  await update("A neighbor's contact.", 1, { first_name: 'Mine' })
  await update('No contact.', 99, { first_name: 'Nobody' })
  await tour.changes()

  tour.heading('Tags of a contact')
  const tags = (sentence: string, contact_id: number, change: object) =>
    tour.call(sentence, 'contacts/tags', { contact_id, ...change })
  await tags('Added and removed.', 4, { add: [SILVER], remove: [GOLD] })
  await tags('What it has, and what it has not.', 4, { add: [SILVER], remove: [GOLD] })
  await tags('Only added.', 6, { add: [TIN, GOLD] })
  await tags('Only removed.', 4, { remove: [TIN, SILVER] })
  await tags('Nothing named.', 4, {})
  await tags('Empty.', 4, { add: [], remove: [] })
  await tags('Both.', 4, { add: [GOLD, TIN], remove: [SILVER, TIN] })
  await tags("A neighbor's tag is added.", 4, { add: [GOLD, 4] })
  await tags("A neighbor's tag is removed.", 4, { remove: [4] })
  await tags("A neighbor's contact.", 1, { add: [GOLD] })
  await tour.changes()
}

async function reads(): Promise<void> {
  tour.heading('A contact and its history')
  const get = (sentence: string, which: object) => tour.call(sentence, 'contacts/get', { ...which })
  await get('By its id.', { contact_id: 6 })
  await get('By its address.', { email: ' BOB@example.org' })
  await get('The pages after.', { contact_id: 6, activity_after_id: 6, consents_after_id: 10 })
  await get('By an address that it had.', { email: 'cleo@example.org' })
  await get("A neighbor's id.", { contact_id: 1 })
  await get("A neighbor's address.", { email: 'new@example.org' })
  await get('Both.', { contact_id: 3, email: 'ada@example.org' })
  await get('Neither.', {})
  await get('After nothing.', { contact_id: 3, activity_after_id: 0 })
}

async function leaving(): Promise<void> {
  tour.heading('Memberships')
  const membership = (sentence: string, contact_id: number, list_id: number, more: object) =>
    tour.call(sentence, 'contacts/membership', { contact_id, list_id, ...more })
  const join = { action: 'subscribe', consent_text: 'By telephone.' }
  await membership('A list is left.', 4, OPEN, { action: 'unsubscribe' })
  await membership('It is left already.', 4, OPEN, { action: 'unsubscribe' })
  await membership('A list that the contact never was on.', 4, ASKING, { action: 'unsubscribe' })
  await membership('A list that waits is left.', 5, ASKING, { action: 'unsubscribe' })
  await tour.changes()
  await membership('Back on a list that was left.', 4, OPEN, join)
  await membership('On it already.', 4, OPEN, join)
  await membership('A list that asks.', 3, ASKING, join)
  await membership('A list that asked within the hour.', 3, ASKING, join)
  await membership('Without words.', 4, ASKING, { action: 'subscribe' })
  await membership('Words for leaving.', 4, OPEN, { action: 'unsubscribe', consent_text: 'No.' })
  await membership("A neighbor's list.", 4, NEIGHBORS, join)
  await membership("A neighbor's contact.", 1, OPEN, join)
  await tour.changes()

  tour.heading('Opting out and coming back')
  const unsubscribe = (sentence: string, contact_id: number) =>
    tour.call(sentence, 'contacts/unsubscribe', { contact_id })
  await unsubscribe('From everything.', 4)
  await unsubscribe('Again.', 4)
  await unsubscribe('Without a list that is left.', 5)
  await unsubscribe("A neighbor's contact.", 1)
  await membership('A list for somebody who left everything.', 4, OPEN, join)
  await upsert('An upsert does not bring back.', 'bob@example.org', {
    list_ids: [OPEN, ASKING, PRIVATE],
    last_name: 'B.',
  })
  await upsert('Without a list neither.', 'bob@example.org')
  await tour.changes()
  await upsert('It does where it says so.', 'bob@example.org', { list_ids: [PRIVATE, ASKING], resubscribe: true })
  await upsert('Without a list.', 'cleopatra@example.org', { resubscribe: true })
  await upsert('Whom nothing keeps away.', 'dan@example.org', { list_ids: [PRIVATE], resubscribe: true })
  await tour.changes()

  tour.heading('Bounces and complaints')
  const suppress = (email: string, reason: string, note = '') => world.ok('suppressions/add', { email, reason, note })
  const reset = (sentence: string, contact_id: number) => tour.call(sentence, 'contacts/reset-status', { contact_id })
  await suppress('bob@example.org', 'hard_bounce')
  await suppress('cleopatra@example.org', 'unsubscribe')
  await suppress('cleopatra@example.org', 'hard_bounce')
  await suppress('dan@example.org', 'complaint')
  await upsert('A contact that waits.', 'eve@example.org', { list_ids: [ASKING] })
  await suppress('eve@example.org', 'hard_bounce')
  await tour.changes()
  for (const [who, contact_id] of [
    ['Whose address is suppressed', 3],
    ['Who bounced', 4],
    ['Who left and bounced', 5],
    ['Who complained', 6],
  ] as const) {
    if (contact_id === 3) await suppress('ada@example.org', 'manual', 'ada@example.org asked by telephone.')
    await membership(`${who}, to a list.`, contact_id, OPEN, join)
    await upsert(
      `${who}, by an upsert that brings back.`,
      ['ada', 'bob', 'cleopatra', 'dan'][contact_id - 3] + '@example.org',
      {
        list_ids: [OPEN],
        resubscribe: true,
      },
    )
  }
  await tour.changes()
  await tour.call('With its suppression.', 'contacts/get', { contact_id: 6 })
  await reset('Who bounced.', 4)
  await reset('Who left and bounced.', 5)
  await reset('Who waited and bounced.', 7)
  await reset('Who complained.', 6)
  await reset('Who is subscribed.', 4)
  await reset("A neighbor's contact.", 1)
  await tour.changes()
  await world.ok('contacts/upsert', { email: 'zed@example.org', consent_text })
  await suppress('zed@example.org', 'hard_bounce')
  await world.ok('suppressions/remove', { email: 'zed@example.org' })
  await world.ok('suppressions/remove', { email: 'dan@example.org', confirm: true })
  await tour.skip()
  for (const [who, contact_id] of [
    ['zed', 8],
    ['dan', 6],
  ] as const) {
    await membership('Whose suppression was removed, to a list.', contact_id, OPEN, join)
    await upsert('By an upsert.', `${who}@example.org`, { list_ids: [OPEN, ASKING] })
  }
  await upsert('By an upsert that brings back.', 'dan@example.org', { list_ids: [ASKING], resubscribe: true })
  await suppress('dan@example.org', 'complaint')
  await tour.changes()
}

async function deleting(): Promise<void> {
  tour.heading('New addresses of those who left')
  const move = (sentence: string, contact_id: number, email: string) =>
    tour.call(sentence, 'contacts/update', { contact_id, email })
  const suppress = (email: string, reason: string) => world.ok('suppressions/add', { email, reason })
  await suppress('by-hand@example.org', 'manual')
  await suppress('bounced@example.org', 'hard_bounce')
  await suppress('left@example.org', 'unsubscribe')
  await tour.skip()
  await move('Of one who complained.', 6, 'danny@example.org')
  await move('Of one who unsubscribed.', 5, 'cleo@new.example')
  await move('Of one who waits.', 7, 'evelyn@example.org')
  await tour.changes()
  await move('To an address that is blocked by hand, of one who waits.', 7, 'by-hand@example.org')
  await move('To an address that bounced, of one who unsubscribed.', 5, 'bounced@example.org')
  await move('To an address that left, of one who bounced.', 8, 'left@example.org')
  await tour.changes()

  tour.heading('A full plan')
  for (const name of ['fay', 'gus', 'hal', 'ian', 'jim', 'kim', 'lou'])
    await world.ok('contacts/upsert', { email: `${name}@example.org`, consent_text })
  await upsert('One too many.', 'mia@example.org')
  await upsert('One who is known.', 'lou@example.org', { first_name: 'Lou' })
  await tour.skip()

  tour.heading('The end of contacts')
  const remove = (sentence: string, contact_id: number) => tour.call(sentence, 'contacts/delete', { contact_id })
  await remove('Subscribed, under a block by hand.', 3)
  await remove('Subscribed.', 4)
  await remove('Unsubscribed.', 5)
  await remove('Who complained.', 6)
  await remove('Who waits.', 7)
  await remove('It is gone.', 7)
  await remove("A neighbor's contact.", 1)
  await tour.changes()
  await tour.call('What is left of their addresses.', 'suppressions/list')
  world.clock.advance(61 * MINUTE_MS)
  await world.service.drain('maintenance')
  tour.write('- An hour later, after the cleanup.')
  await tour.changes()
  await upsert('Back after a deletion.', 'Cleopatra@example.org', { list_ids: [OPEN] })
  await upsert('Back where it says so.', 'cleopatra@example.org', { list_ids: [OPEN], resubscribe: true })
  await upsert('Back after a complaint.', 'dan@example.org', { list_ids: [OPEN], resubscribe: true })
  await upsert('Back after nothing that would keep away.', 'bob@example.org', { list_ids: [OPEN] })
  await tour.changes()

  tour.heading('After 31 and 400 days')
  await world.service.runtime.store.write((tx) => tx.run(sql`UPDATE projects SET contact_limit = 3 WHERE id = 101`))
  await upsert('The limit of the plan itself.', 'mia@example.org')
  for (const days of [31, 369]) {
    world.clock.advance(days * DAY_MS)
    await world.service.drain('maintenance')
    tour.write(`- After ${days} days more.`)
    await tour.changes()
  }
}
