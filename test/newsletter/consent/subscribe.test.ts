import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { type ConsentSource, CONSENT_SOURCES, plan } from '../../../src/newsletter/consent/consent-rule.ts'
import { subscribe as subscribeMany, subscribeContact } from '../../../src/newsletter/consent/subscribe.ts'
import { getContact } from '../../../src/newsletter/contacts/contact.ts'
import { findSuppression, suppress } from '../../../src/newsletter/suppressions/suppression.ts'
import type { SuppressionReason } from '../../../src/store/tables/audience.ts'
import { KEYS, newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A project with a list that asks for confirmation, one that does not, and ways to subscribe to them. */
async function setUp() {
  const project_id = await newProject()
  const [plain, asking, other] = [await newList(project_id), ...(await twoAsking(project_id))]
  const kinds = new Map([plain, asking, other].map((id) => [id, { id, double_opt_in: id !== plain }]))
  const { db } = await sharedStore()
  return {
    project_id,
    lists: { plain, asking, other } as Record<'plain' | 'asking' | 'other', number>,
    subscribe: (
      contact_id: number,
      list_ids: number[],
      { at = NOW, source = CONSENT_SOURCES.form as ConsentSource, text = 'Yes.' } = {},
    ) =>
      write(async (tx) =>
        subscribeContact(
          tx,
          await getContact(tx, project_id, contact_id),
          list_ids.map((id) => kinds.get(id)!),
          {
            keys: KEYS,
            project_id,
            text,
            source,
            now: at,
            address: '::1',
            user_agent: 'x',
          },
        ),
      ),
    stored: (contact_id: number) => getContact(db, project_id, contact_id),
    events: async (contact_id: number) =>
      (
        await db.all<{ type: string; list_id: number | null }>(
          sql`SELECT type, list_id FROM events WHERE contact_id = ${contact_id} ORDER BY id`,
        )
      ).map(({ type, list_id }) => [type, list_id] as const),
    queued: async (contact_id: number) =>
      (
        await db.all<{ at: number; content: string }>(sql`
        SELECT next_attempt_at AS at, content FROM deliveries
        WHERE contact_id = ${contact_id} AND kind = 'confirmation' AND status = 'queued' ORDER BY id`)
      ).map(({ at, content }) => ({
        at,
        list_ids: (JSON.parse(content) as { list_ids: number[] }).list_ids,
      })),
    sendAll: () => write((tx) => tx.run(sql`DELETE FROM deliveries WHERE project_id = ${project_id}`)),
  }
}

async function twoAsking(project_id: ProjectId): Promise<[number, number]> {
  return [await newList(project_id, { double_opt_in: true }), await newList(project_id, { double_opt_in: true })]
}

test('A contact joins a list with evidence, and what is answered is what is stored.', async () => {
  const { project_id, lists, subscribe, stored, events } = await setUp()
  const id = await newContact(project_id, 'ada@example.com')
  const { contact, changed, confirms } = await subscribe(id, [lists.plain], { at: NOW + 1 })
  expect([changed, confirms]).toEqual([true, false])
  expect(contact).toEqual(await stored(id))
  expect(contact).toMatchObject({
    consent_text: 'Yes.',
    consent_source: 'form',
    consent_at: NOW + 1,
    updated_at: NOW + 1,
    memberships: [{ list_id: lists.plain, status: 'subscribed', subscribed_at: NOW + 1, unsubscribed_at: null }],
  })
  expect(await events(id)).toEqual([['subscribed', lists.plain]])
  // The same again changes nothing, and another wording is evidence.
  expect(await subscribe(id, [lists.plain], { at: NOW + 2 })).toMatchObject({ changed: false, confirms: false })
  const { db } = await sharedStore()
  const evidence = async () => (await db.all(sql`SELECT 1 FROM consents WHERE contact_id = ${id}`)).length
  expect(await evidence()).toBe(1)
  await subscribe(id, [lists.plain], { at: NOW + 3, text: 'Yes, weekly.' })
  expect(await evidence()).toBe(2)
  expect((await stored(id)).updated_at).toBe(NOW + 1)
  expect(await events(id)).toHaveLength(1)
})

test('A new contact without a list has evidence of its own, and one that was skipped has none.', async () => {
  const { project_id, subscribe, lists } = await setUp()
  const { db } = await sharedStore()
  const evidence = async (id: number) => (await db.all(sql`SELECT 1 FROM consents WHERE contact_id = ${id}`)).length
  const add = async (email: string, suppression: SuppressionReason | null) => {
    const id = await newContact(project_id, email)
    const decided = plan({ global_status: null, suppression }, new Map(), [], CONSENT_SOURCES.form)
    const contact = await getContact(db, project_id, id)
    const given = {
      keys: KEYS,
      project_id,
      text: 'Yes.',
      source: CONSENT_SOURCES.form,
      now: NOW,
      address: '::1',
      user_agent: 'x',
    }
    await write((tx) => subscribeMany(tx, [{ contact, status_before: null, plan: decided }], given))
    return id
  }
  expect(await evidence(await add('new@example.com', null))).toBe(1)
  expect(await evidence(await add('bounced@example.com', 'hard_bounce'))).toBe(0)
  // The list says it already.
  const id = await newContact(project_id, 'ada@example.com')
  await subscribe(id, [lists.plain])
  expect(await evidence(id)).toBe(1)
})

test('An opt-out ends only where the source reverses it, and other memberships stay.', async () => {
  const { project_id, lists, subscribe, stored } = await setUp()
  const { db } = await sharedStore()
  const leave = async (email: string) => {
    const id = await newContact(project_id, email, {}, { [lists.plain]: 'subscribed', [lists.other]: 'subscribed' })
    await write((tx) => suppress(tx, { project_id, email, reason: 'unsubscribe', now: NOW }))
    return id
  }
  const [kept, back] = [await leave('bo@example.com'), await leave('cy@example.com')]
  await subscribe(kept, [lists.plain])
  await subscribe(back, [lists.plain], { source: CONSENT_SOURCES.resubscribe })
  const suppressed = async (email: string) => (await findSuppression(db, project_id, email)) !== null
  expect([await suppressed('bo@example.com'), await suppressed('cy@example.com')]).toEqual([true, false])
  expect((await stored(back)).memberships.map(({ status }) => status)).toEqual(['subscribed', 'unsubscribed'])
  const { contact } = await subscribe(back, [lists.plain], { source: CONSENT_SOURCES.resubscribe })
  expect(contact).toEqual(await stored(back))
})

test('A message names the lists that wait, and none that was confirmed.', async () => {
  const { project_id, lists, subscribe, queued } = await setUp()
  const id = await newContact(
    project_id,
    'ada@example.com',
    {},
    { [lists.plain]: 'subscribed', [lists.other]: 'pending' },
  )
  await subscribe(id, [lists.asking])
  expect((await queued(id)).map(({ list_ids }) => list_ids)).toEqual([[lists.other, lists.asking]])
})

test('An empty wording keeps the stored one.', async () => {
  const { project_id, lists, subscribe, stored } = await setUp()
  const id = await newContact(project_id, 'ada@example.com')
  await subscribe(id, [lists.plain])
  const { contact } = await subscribe(id, [lists.asking], { text: '', at: NOW + 5 })
  expect(contact).toMatchObject({ consent_text: 'Yes.', consent_at: NOW + 5 })
  expect((await stored(id)).consent_text).toBe('Yes.')
})

test('A contact who comes back is resubscribed, to the lists that are named or to those that are left.', async () => {
  const { project_id, lists, subscribe, stored, events } = await setUp()
  const source = CONSENT_SOURCES.resubscribe
  const left = await newContact(
    project_id,
    'bo@example.com',
    { global_status: 'unsubscribed' },
    { [lists.plain]: 'unsubscribed' },
  )
  await subscribe(left, [lists.plain], { source })
  expect(await events(left)).toEqual([['resubscribed', lists.plain]])
  expect(await stored(left)).toMatchObject({
    global_status: 'subscribed',
    memberships: [{ status: 'subscribed', subscribed_at: NOW, unsubscribed_at: null }],
  })
  const kept = await newContact(
    project_id,
    'cy@example.com',
    { global_status: 'unsubscribed' },
    { [lists.plain]: 'subscribed' },
  )
  await subscribe(kept, [lists.plain], { source })
  expect(await events(kept)).toEqual([['resubscribed', null]])
  // Nothing new was agreed to, so the stored consent stays.
  expect(await stored(kept)).toMatchObject({
    global_status: 'subscribed',
    ...{ consent_text: '', consent_source: '', consent_at: null },
  })
  const asked = await newContact(
    project_id,
    'fay@example.com',
    { global_status: 'unsubscribed' },
    { [lists.plain]: 'subscribed' },
  )
  await subscribe(asked, [lists.asking], { source })
  expect(await events(asked)).toEqual([
    ['resubscribed', null],
    ['confirmation_sent', lists.asking],
  ])
  const former = await newContact(project_id, 'di@example.com', {}, { [lists.plain]: 'unsubscribed' })
  await subscribe(former, [lists.plain], { source })
  expect(await events(former)).toEqual([['resubscribed', lists.plain]])
  // Who left a list and is asked again agrees anew.
  const again = await newContact(project_id, 'gil@example.com', {}, { [lists.asking]: 'unsubscribed' })
  await subscribe(again, [lists.asking], { source, at: NOW + 1 })
  expect(await stored(again)).toMatchObject({ consent_text: 'Yes.', consent_source: 'api', consent_at: NOW + 1 })
  const back = await newContact(project_id, 'ed@example.com', { global_status: 'bounced' })
  await subscribe(back, [lists.plain], { source })
  expect(await events(back)).toEqual([['resubscribed', lists.plain]])
})

test('A list with double opt-in makes the membership pending, and one message names all lists that wait.', async () => {
  const { project_id, lists, subscribe, stored, queued, events, sendAll } = await setUp()
  const id = await newContact(project_id, 'ada@example.com')
  expect(await subscribe(id, [lists.asking])).toMatchObject({ changed: true, confirms: true })
  const [{ at } = { at: 0 }] = await queued(id)
  expect(at).toBeLessThanOrEqual(NOW)
  expect((await stored(id)).memberships).toMatchObject([
    { status: 'pending', subscribed_at: null, confirmation_sent_at: NOW },
  ])
  expect(await events(id)).toEqual([['confirmation_sent', lists.asking]])
  await subscribe(id, [lists.other], { at: NOW + MINUTE })
  expect((await queued(id)).map(({ list_ids }) => list_ids)).toEqual([[lists.asking, lists.other]])
  // The message that was extended counts as one: nothing more is due an hour later.
  await sendAll()
  await subscribe(id, [lists.other], { at: NOW + MINUTE + 1 })
  expect(await queued(id)).toEqual([])
})

test('A list that waits is asked about again after an hour and not before.', async () => {
  const { project_id, lists, subscribe, queued, sendAll, stored } = await setUp()
  const id = await newContact(project_id, 'ada@example.com')
  await subscribe(id, [lists.asking])
  await sendAll()
  expect(await subscribe(id, [lists.asking], { at: NOW + HOUR - 1 })).toMatchObject({ changed: false, confirms: false })
  expect(await queued(id)).toEqual([])
  expect(await subscribe(id, [lists.asking], { at: NOW + HOUR })).toMatchObject({ confirms: true })
  expect(await queued(id)).toHaveLength(1)
  expect((await stored(id)).memberships[0]!.confirmation_sent_at).toBe(NOW + HOUR)
})

test('A contact who may get no further message waits without one, and the answer and the history say so.', async () => {
  const { project_id, lists, subscribe, queued, sendAll, events, stored } = await setUp()
  const id = await newContact(project_id, 'ada@example.com')
  for (const hours of [0, 2, 4]) {
    await subscribe(id, [lists.asking], { at: NOW + hours * HOUR })
    await sendAll()
  }
  expect(await subscribe(id, [lists.asking, lists.other], { at: NOW + 6 * HOUR })).toMatchObject({ confirms: false })
  expect(await queued(id)).toEqual([])
  expect(await events(id)).toHaveLength(3)
  expect((await stored(id)).memberships).toMatchObject([
    { list_id: lists.asking, status: 'pending', confirmation_sent_at: NOW + 4 * HOUR },
    { list_id: lists.other, status: 'pending', confirmation_sent_at: null },
  ])
})
