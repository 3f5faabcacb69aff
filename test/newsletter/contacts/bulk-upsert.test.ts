import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { WAYS_IN } from '../../../src/newsletter/consent/consent-rule.ts'
import { fieldDefinitions } from '../../../src/newsletter/contacts/custom-values.ts'
import { type Incoming, bulkUpsert } from '../../../src/newsletter/contacts/bulk-upsert.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addressOf, everyStanding, outcomeOf, place } from '../consent/standings.ts'

/** Taking in many at once decides about each as contacts/upsert does about one. */

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

const WORDS = 'I agree'

const takeAll = (people: readonly Incoming[], how: Partial<Parameters<typeof bulkUpsert>[2]> = {}) =>
  world.service.runtime.store.write(async (tx) =>
    bulkUpsert(tx, people, {
      lists: [
        { id: single, double_opt_in: false },
        { id: double, double_opt_in: true },
      ],
      tag_ids: [tag],
      fields: await fieldDefinitions(tx, world.project.id),
      way: WAYS_IN.import_asking,
      update_existing: true,
      consent: {
        project_id: world.project.id,
        text: WORDS,
        source: 'import',
        now: world.clock.now(),
        address: '127.0.0.1',
        user_agent: 'test',
      },
      ...how,
    }),
  )

const person = (email: string, rest: Partial<Incoming> = {}): Incoming => ({
  email,
  first_name: null,
  last_name: null,
  custom_fields: null,
  ...rest,
})

test("whatever somebody's standing, the same becomes of them", async () => {
  const standings = everyStanding()
  await place(world, 'many', standings, [single, double])
  await place(world, 'one', standings, [single, double])
  await takeAll(
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
      consent_text: WORDS,
    })
  }
  for (const [index, standing] of standings.entries()) {
    expect({ standing, ...((await outcomeOf(world, 'many', index)) as object) }).toEqual({
      standing,
      ...((await outcomeOf(world, 'one', index)) as object),
    })
  }
})

test('who vouches for them subscribes them to double opt-in lists as well, and to nothing they have left', async () => {
  const standings = everyStanding()
  await place(world, 'vouched', standings, [single, double])
  await takeAll(
    standings.map((_, index) => person(addressOf('vouched', index))),
    { way: WAYS_IN.import_vouched },
  )
  const { db } = world.service.runtime.store
  const group = sql`c.email LIKE 'vouched%' AND c.project_id = ${world.project.id}`
  expect(await db.all(sql`SELECT 1 FROM deliveries d JOIN contacts c ON c.id = d.contact_id WHERE ${group}`)).toEqual(
    [],
  )
  const subscribedNow = await db.all<{ email: string }>(
    sql`SELECT DISTINCT c.email FROM memberships m JOIN contacts c ON c.id = m.contact_id WHERE m.subscribed_at = ${world.clock.now()} AND ${group}`,
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

describe('what it counts', () => {
  test('made, changed, left as it was', async () => {
    await world.ok('contacts/upsert', {
      email: 'known@example.com',
      first_name: 'Kay',
      last_name: 'Known',
      consent_text: WORDS,
    })
    const both = [person('Known@Example.com', { first_name: 'Kay' }), person('fresh@example.com')]
    expect(await takeAll(both, { lists: [], tag_ids: [] })).toEqual(['skipped', 'created'])
    expect(await takeAll([person('known@example.com', { first_name: 'Kim' })], { lists: [], tag_ids: [] })).toEqual([
      'updated',
    ])
    expect(await takeAll([person('known@example.com')], { lists: [] })).toEqual(['updated'])
    expect(await takeAll([person('known@example.com')])).toEqual(['updated'])
    expect(await takeAll([person('known@example.com')])).toEqual(['skipped'])
    const { contact } = await world.ok('contacts/get', { email: 'known@example.com' })
    expect(contact).toMatchObject({ email: 'known@example.com', first_name: 'Kim', last_name: 'Known', tag_ids: [tag] })
  })

  test('without update_existing nobody who is known is touched', async () => {
    const before = (await world.ok('contacts/get', { email: 'known@example.com' })).contact
    expect(
      await takeAll([person('known@example.com', { first_name: 'X', custom_fields: { town: 'X' } })], {
        update_existing: false,
      }),
    ).toEqual(['skipped'])
    expect((await world.ok('contacts/get', { email: 'known@example.com' })).contact).toEqual(before)
  })

  test('a full plan takes in as many as it has room for, and goes on changing those it knows', async () => {
    const { db, write } = world.service.runtime.store
    const [count] = await db.all<{ n: number }>(
      sql`SELECT count(*) AS n FROM contacts WHERE project_id = ${world.project.id}`,
    )
    await write((tx) => tx.run(sql`UPDATE projects SET contact_limit = ${count!.n + 1} WHERE id = ${world.project.id}`))
    const taken = await takeAll(
      [person('room1@example.com'), person('known@example.com', { first_name: 'Kit' }), person('room2@example.com')],
      { lists: [], tag_ids: [] },
    )
    await write((tx) => tx.run(sql`UPDATE projects SET contact_limit = NULL WHERE id = ${world.project.id}`))
    expect(taken).toEqual(['created', 'updated', 'no_room'])
  })
})
