import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { admitMessages } from '../../../src/newsletter/consent/message-requests.ts'
import {
  choices,
  choose,
  confirm,
  findConfirming,
  findRecipient,
  isTestMessage,
  pendingLists,
} from '../../../src/newsletter/consent/recipient.ts'
import { wordingIds } from '../../../src/newsletter/consent/wordings.ts'
import { createConfirmationToken, readConfirmationToken } from '../../../src/newsletter/tracking/tokens.ts'
import { one } from '../../../src/store/rows.ts'
import { newsletter_settings } from '../../../src/store/tables/delivery.ts'
import { KEYS, newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const BY = { keys: KEYS, now: NOW + 5, address: '::1', user_agent: 'x' }
const newMessage = (project_id: ProjectId, contact_id: number, email: string, kind = 'campaign'): Promise<number> =>
  write(
    async (tx) =>
      one(
        await tx.all<{ id: number }>(sql`
        INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at)
        VALUES (${project_id}, ${kind}, ${contact_id}, ${email}, 'sent', 0, ${NOW}) RETURNING id`),
      ).id,
  )
const statuses = async (contact_id: number) =>
  Object.fromEntries(
    (
      await (
        await sharedStore()
      ).db.all<{ list_id: number; status: string }>(
        sql`SELECT list_id, status FROM memberships WHERE contact_id = ${contact_id}`,
      )
    ).map(({ list_id, status }) => [list_id, status]),
  )
const get = async (contact_id: number) =>
  (await findRecipient((await sharedStore()).db, { contact_id, delivery_id: 0 } as never))!

test('A link leads to its contact, or to the one that has the address after that was deleted.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const now = await newContact(project, 'Ada@example.com')
  await newContact(other, 'ada@example.com')
  const delivery_id = await newMessage(project, 999_999, 'ADA@example.com')
  expect((await findRecipient(db, { contact_id: 999_999, delivery_id } as never))?.id).toBe(now)
  expect(await findRecipient(db, { contact_id: 999_999, delivery_id: 999_999 } as never)).toBeNull()
  expect(await get(now)).toMatchObject({ id: now, project_id: project, project_name: 'Harbour News', locale: null })
  expect(await isTestMessage(db, { delivery_id } as never)).toBe(false)
  expect(await isTestMessage(db, { delivery_id: await newMessage(project, now, 'a', 'test') } as never)).toBe(true)
})

test('A confirmation holds for the address that it went to.', async () => {
  const project = await newProject()
  const { db } = await sharedStore()
  const contact_id = await newContact(project, 'ada@example.com')
  const find = (email: string) =>
    findConfirming(db, readConfirmationToken(KEYS, createConfirmationToken(KEYS, { contact_id, email, list_ids: [] }))!)
  expect((await find('ada@example.com'))?.id).toBe(contact_id)
  expect(await find('bo@example.com')).toBeNull()
})

test('Confirming subscribes the named lists that wait, once, with evidence.', async () => {
  const project = await newProject()
  const asked = await newList(project, { name: 'Weekly' })
  const [waiting, left] = [await newList(project, { name: 'Daily' }), await newList(project)]
  const id = await newContact(
    project,
    'ada@example.com',
    { global_status: 'pending' },
    { [asked]: 'pending', [waiting]: 'pending', [left]: 'unsubscribed' },
  )
  const { db } = await sharedStore()
  const wordings = await write((tx) => wordingIds(tx, project, ['First.', 'Last.']))
  for (const text of ['First.', 'Last.'])
    await write((tx) =>
      tx.run(sql`
        INSERT INTO consents (project_id, contact_id, list_id, action, wording_id, source, at)
        VALUES (${project}, ${id}, ${asked}, 'given', ${wordings.get(text)!}, 'form', ${NOW})`),
    )
  const pending = async (...list_ids: number[]) =>
    (await pendingLists(db, { contact_id: id, list_ids } as never)).map((list) => list.id)
  expect(await pending(asked, left)).toEqual([asked])
  expect(await pending(asked, waiting)).toEqual([waiting, asked])
  const recipient = await get(id)
  const by = { keys: BY.keys, project_id: project, now: NOW, by_stranger: false }
  for (const kind of ['confirmation', 'link'] as const)
    await write((tx) => admitMessages(tx, { ...by, kind }, ['ada@example.com', 'bo@example.com']))
  expect(await write((tx) => confirm(tx, recipient, [asked, left], BY))).toEqual([asked])
  // The confirmations of the address are forgotten.
  expect(await db.all(sql`SELECT kind FROM message_requests WHERE project_id = ${project} ORDER BY kind`)).toEqual([
    { kind: 'confirmation' },
    { kind: 'link' },
    { kind: 'link' },
  ])
  expect(await write((tx) => confirm(tx, recipient, [asked, left], BY))).toEqual([])
  expect(await statuses(id)).toEqual({ [asked]: 'subscribed', [waiting]: 'pending', [left]: 'unsubscribed' })
  expect((await get(id)).global_status).toBe('subscribed')
  expect(
    await db.all(sql`
      SELECT list_id, wording_id, source, at, address, user_agent FROM consents
      WHERE contact_id = ${id} AND action = 'confirmed'`),
  ).toEqual([
    {
      ...{ list_id: asked, wording_id: wordings.get('Last.'), source: 'confirmation', at: BY.now },
      ...{ address: BY.address, user_agent: BY.user_agent },
    },
  ])
  expect(await db.all(sql`SELECT type, list_id, email, at, user_agent FROM events WHERE contact_id = ${id}`)).toEqual([
    { type: 'confirmed', list_id: asked, email: 'ada@example.com', at: BY.now, user_agent: BY.user_agent },
  ])
  expect((await get(id)).updated_at).toBe(BY.now)
  const blocked = await newContact(project, 'bo@example.com', { global_status: 'bounced' }, { [asked]: 'pending' })
  await write(async (tx) => confirm(tx, await get(blocked), [asked], BY))
  expect((await get(blocked)).global_status).toBe('bounced')
})

test('Open public lists are chosen from: first those that one joined, in the order of the language.', async () => {
  const project = await newProject()
  await write((tx) => tx.insert(newsletter_settings).values({ project_id: project, locale: 'sv', updated_at: NOW }))
  const list = (name: string, more = {}) => newList(project, { name, name_key: name.toLowerCase(), ...more })
  const joined = [await list('Group 10'), await list('Group 2', { double_opt_in: true })]
  // In Swedish, unlike in English, Ä is the last letter but one.
  for (const name of ['Öl', 'Älgar', 'Zebror', 'Apor']) await list(name)
  await newList(project, { public: false })
  await newList(project, { archived_at: NOW })
  await newList(await newProject())
  const id = await newContact(project, 'ada@example.com', {}, { [joined[0]!]: 'subscribed', [joined[1]!]: 'pending' })
  const shown = await choices((await sharedStore()).db, await get(id))
  expect(shown.map(({ name, double_opt_in, status }) => [name, double_opt_in, status])).toEqual([
    ['Group 2', true, 'pending'],
    ['Group 10', false, 'subscribed'],
    ...['Apor', 'Zebror', 'Älgar', 'Öl'].map((name) => [name, false, null] as [string, boolean, null]),
  ])
})

test('A recipient joins what is ticked, and who leaves the last list leaves everything.', async () => {
  const project = await newProject()
  const [one, other, waiting] = [await newList(project), await newList(project), await newList(project)]
  const id = await newContact(project, 'ada@example.com', {}, { [one]: 'subscribed', [waiting]: 'pending' })
  const message = { contact_id: id, delivery_id: await newMessage(project, id, 'ADA@example.com') } as never
  const tick = async (...lists: number[]) => {
    const recipient = await get(id)
    return write((tx) => choose(tx, recipient, { ticked: new Set(lists), message }, BY))
  }
  expect(await tick(other)).toBe(true)
  expect(await statuses(id)).toEqual({ [one]: 'unsubscribed', [other]: 'subscribed', [waiting]: 'pending' })
  expect((await get(id)).global_status).toBe('subscribed')
  expect(await tick(other)).toBe(true)
  expect((await statuses(id))[other]).toBe('subscribed')
  expect((await get(id)).global_status).toBe('subscribed')
  expect(await tick()).toBe(true)
  expect((await get(id)).global_status).toBe('unsubscribed')
  const { db } = await sharedStore()
  const by = { source: 'preferences', at: BY.now, address: BY.address, user_agent: BY.user_agent }
  expect(
    await db.all(sql`
      SELECT action, list_id, source, at, address, user_agent FROM consents WHERE contact_id = ${id} ORDER BY id`),
  ).toEqual([
    { action: 'withdrawn', list_id: one, ...by },
    { action: 'given', list_id: other, ...by },
    { action: 'withdrawn', list_id: other, ...by },
    { action: 'withdrawn', list_id: null, ...by },
  ])
})

test('A message that went to an earlier address of the contact unsubscribes and does not subscribe.', async () => {
  const project = await newProject()
  const [one, other] = [await newList(project), await newList(project)]
  const id = await newContact(project, 'new@example.com', {}, { [one]: 'subscribed' })
  const message = { contact_id: id, delivery_id: await newMessage(project, id, 'old@example.com') } as never
  const recipient = await get(id)
  expect(await write((tx) => choose(tx, recipient, { ticked: new Set([other]), message }, BY))).toBe(false)
  expect(await statuses(id)).toEqual({ [one]: 'unsubscribed' })
})

test('A contact joins at most fifty lists a day.', async () => {
  const project = await newProject()
  const list = await newList(project)
  const id = await newContact(project, 'ada@example.com')
  const message = { contact_id: id, delivery_id: await newMessage(project, id, 'ada@example.com') } as never
  const join = (count: number, at: number) =>
    write(async (tx) => {
      for (let n = 0; n < count; n++)
        await tx.run(sql`
          INSERT INTO consents (project_id, contact_id, list_id, action, source, at)
          VALUES (${project}, ${id}, ${list}, 'given', 'preferences', ${at})`)
    })
  const recipient = await get(id)
  const day = BY.now - 86_400_000
  await join(49, day + 1)
  await join(9, day)
  const tick = () => write((tx) => choose(tx, recipient, { ticked: new Set([list]), message }, BY))
  await join(1, BY.now)
  expect(await tick()).toBe(false)
  await write((tx) => tx.run(sql`DELETE FROM consents WHERE contact_id = ${id} AND at = ${BY.now}`))
  expect(await tick()).toBe(true)
})
