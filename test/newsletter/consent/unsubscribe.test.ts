import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import {
  isOnAnyList,
  optOut,
  recordUnsubscribe,
  unsubscribeAll,
  unsubscribeFromAll,
  unsubscribeFromLists,
  type UnsubscribingContact,
} from '../../../src/newsletter/consent/unsubscribe.ts'
import { findSuppression, suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import type { GlobalStatus, SuppressionReason } from '../../../src/store/tables/audience.ts'
import { SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World

beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

test("A campaign's report counts each message once, and every message.", async () => {
  const { store, clock } = world.service.runtime
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'all' }] },
  })
  const campaign_id: number = campaign.id
  const through = async (email: string, delivery_id: number, times: number) => {
    const { contact } = await world.ok('contacts/upsert', { email, consent_text: 'Yes' })
    const leaving: UnsubscribingContact = { ...contact, project_id: world.project.id }
    const link = { campaign_id, delivery_id }
    for (let time = 0; time < times; time++)
      await store.write((tx) => recordUnsubscribe(tx, leaving, clock.now(), { through: link, detail: 'lists' }))
  }
  await through('ada@example.com', 1, 2)
  await through('bea@example.com', 2, 1)
  expect(
    await store.db.all(sql`
      SELECT email, campaign_id, delivery_id, detail FROM events
      WHERE project_id = ${world.project.id} AND type = 'unsubscribe' ORDER BY id`),
  ).toEqual([
    { email: 'ada@example.com', campaign_id, delivery_id: 1, detail: 'lists' },
    { email: 'ada@example.com', campaign_id: null, delivery_id: null, detail: 'lists' },
    { email: 'bea@example.com', campaign_id, delivery_id: 2, detail: 'lists' },
  ])
})

test('A contact that complained stays so when it unsubscribes, also after the suppression was lifted.', async () => {
  const email = 'cleo@example.com'
  const { contact } = await world.ok('contacts/upsert', { email, consent_text: 'Yes' })
  await world.ok('suppressions/add', { email, reason: 'complaint' })
  await world.ok('suppressions/remove', { email, confirm: true })
  const { contact: left } = await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  expect(left.global_status).toBe('complained')
})

test('A contact that unsubscribes from everything gets no confirmation request that still waits.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Confirmed', double_opt_in: true })
  const { contact } = await world.ok('contacts/upsert', { email: 'dora@example.com', consent_text: 'Yes' })
  const waiting = () =>
    world.service.runtime.store.db.all(sql`
      SELECT status FROM deliveries WHERE contact_id = ${contact.id} AND kind = 'confirmation'`)
  const membership = { contact_id: contact.id, list_id: list.id }
  await world.ok('contacts/membership', { ...membership, action: 'subscribe', consent_text: 'Yes' })
  expect(await waiting()).toEqual([{ status: 'queued' }])
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  expect(await waiting()).toEqual([])
})

const LATER = NOW + 1000
const ACT = { now: LATER, source: 'link', address: '192.0.2.1', user_agent: 'Cat', campaign_id: 7 }
const rows = async <T>(query: ReturnType<typeof sql>) => (await sharedStore()).db.all<T>(query)
type Joined = Record<number, 'pending' | 'subscribed' | 'unsubscribed'>

async function person(
  project_id: ProjectId,
  email: string,
  global_status: GlobalStatus = 'subscribed',
  joined: Joined = {},
) {
  const id = await newContact(project_id, email, { global_status }, joined)
  return { id, project_id, email, global_status }
}
/** What the store has of a contact: its status, whether it counts as updated, its memberships, history and evidence. */
async function after({ id }: { id: number }) {
  const [contact] = await rows<{ global_status: string; updated_at: number }>(
    sql`SELECT global_status, updated_at FROM contacts WHERE id = ${id}`,
  )
  const memberships = await rows<{ status: string; at: number | null }>(
    sql`SELECT status, unsubscribed_at AS at FROM memberships WHERE contact_id = ${id} ORDER BY list_id`,
  )
  const events = await rows<{ type: string; list_id: number | null }>(
    sql`SELECT type, list_id FROM events WHERE contact_id = ${id} AND at = ${LATER} AND email <> '' ORDER BY id`,
  )
  const withdrawn = await rows<{ list_id: number | null }>(sql`
    SELECT list_id FROM consents
    WHERE contact_id = ${id} AND action = 'withdrawn' AND at = ${LATER} AND source = 'link' ORDER BY id`)
  return {
    status: contact!.global_status,
    updated: contact!.updated_at === LATER,
    memberships: memberships.map(({ status, at }) => (at === null ? status : [status, at])),
    events: events.map(({ type, list_id }) => [type, list_id]),
    withdrawn: withdrawn.map(({ list_id }) => list_id),
  }
}

test('Contacts leave the named lists that they are on, with evidence, and keep their status.', async () => {
  const project = await newProject()
  const [a, b, c] = [await newList(project), await newList(project), await newList(project)]
  const ada = await person(project, 'ada@example.com', 'subscribed', {
    [a]: 'subscribed',
    [b]: 'pending',
    [c]: 'subscribed',
  })
  const bo = await person(project, 'bo@example.com', 'subscribed', { [a]: 'unsubscribed' })
  const left = await write((tx) => unsubscribeFromLists(tx, [ada, bo], [a, b], ACT))
  expect(left.toSorted()).toEqual([a, b])
  const gone = ['unsubscribed', LATER]
  const { events, withdrawn, ...rest } = await after(ada)
  expect(rest).toEqual({ status: 'subscribed', updated: true, memberships: [gone, gone, 'subscribed'] })
  expect([events.toSorted(), withdrawn.toSorted()]).toEqual([
    [
      ['left_list', a],
      ['left_list', b],
    ],
    [a, b],
  ])
  const untouched = { status: 'subscribed', updated: false, memberships: ['unsubscribed'], events: [], withdrawn: [] }
  expect(await after(bo)).toEqual(untouched)
  expect(await write((tx) => unsubscribeFromLists(tx, [ada], [], ACT))).toEqual([])
  expect(await write((tx) => unsubscribeFromLists(tx, [], [c], ACT))).toEqual([])
})

test.each<[GlobalStatus, GlobalStatus]>([
  ['subscribed', 'unsubscribed'],
  ['pending', 'unsubscribed'],
  ['bounced', 'unsubscribed'],
  ['complained', 'complained'],
  ['unsubscribed', 'unsubscribed'],
])('A contact that is %s and leaves everything becomes %s, on no list.', async (before, status) => {
  const project = await newProject()
  const joined: Joined = { [await newList(project)]: 'subscribed', [await newList(project)]: 'pending' }
  const [ada, many] = [
    await person(project, 'ada@example.com', before, joined),
    await person(project, 'bo@example.com', before, joined),
  ]
  const left = ['unsubscribed', LATER]
  const gone = { status, updated: true, memberships: [left, left], events: [['unsubscribe', null]], withdrawn: [null] }
  expect(await write((tx) => unsubscribeFromAll(tx, ada, ACT))).toBe(true)
  await write((tx) => unsubscribeAll(tx, [many], ACT))
  expect([await after(ada), await after(many)]).toEqual([gone, gone])
  expect(await write((tx) => unsubscribeFromAll(tx, { ...ada, global_status: status }, ACT))).toBe(false)
  expect(await findSuppression((await sharedStore()).db, project, 'ada@example.com')).toBeNull()
})

test.each<[SuppressionReason | null, unknown, boolean]>([
  [null, ['unsubscribe', 1], true],
  ['unsubscribe', ['unsubscribe', 1], false],
  ['manual', ['manual', 0], false],
  ['hard_bounce', ['hard_bounce', 1], true],
  ['complaint', ['complaint', 1], true],
])('A contact who left already and opts out with the suppression %p has then %p.', async (reason, stored, changed) => {
  const project = await newProject()
  const ada = await person(project, 'ada@example.com', 'unsubscribed')
  if (reason) await write((tx) => suppressAddresses(tx, project, [{ email: ada.email, reason }], NOW))
  expect(await write((tx) => optOut(tx, ada, ACT))).toBe(changed)
  const found = await findSuppression((await sharedStore()).db, project, ada.email)
  expect([found!.reason, found!.opted_out] as unknown).toEqual(stored)
})

test('A contact is on a list that is in use, besides those that are named.', async () => {
  const project = await newProject()
  const [a, b] = [await newList(project), await newList(project)]
  const archived = await newList(project, { archived_at: NOW })
  const on = async (joined: Joined, besides?: number[]) => {
    const { id } = await person(project, `${Bun.randomUUIDv7()}@example.com`, 'subscribed', joined)
    return isOnAnyList((await sharedStore()).db, id, besides)
  }
  expect([await on({ [a]: 'subscribed' }), await on({ [a]: 'subscribed', [b]: 'subscribed' }, [a])]).toEqual([
    true,
    true,
  ])
  expect([await on({}), await on({ [a]: 'pending' }), await on({ [a]: 'unsubscribed' })]).toEqual([false, false, false])
  expect([await on({ [a]: 'subscribed' }, [a]), await on({ [archived]: 'subscribed' })]).toEqual([false, false])
})
