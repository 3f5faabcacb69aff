import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { getContact } from '../../../src/newsletter/contacts/contact.ts'
import { admitMessages } from '../../../src/newsletter/consent/message-requests.ts'
import { changeAddress, deleteContacts, resetBounce } from '../../../src/newsletter/contacts/edit-contacts.ts'
import { hideSuppressions } from '../../../src/newsletter/suppressions/address-marks.ts'
import { findSuppression, suppress, suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import type { GlobalStatus, SuppressionReason } from '../../../src/store/tables/audience.ts'
import { KEYS, newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const LATER = NOW + 1000
const EMAIL = 'ada@example.com'
const all = async <T>(query: ReturnType<typeof sql>) => (await sharedStore()).db.all<T>(query)
const contact = async (project: ProjectId, id: number) => getContact((await sharedStore()).db, project, id)
const suppressionOf = async (project: ProjectId, email = EMAIL): Promise<unknown> => {
  const found = await findSuppression((await sharedStore()).db, project, email)
  return found && [found.reason, found.opted_out, found.note]
}
const block = (project_id: ProjectId, reason: SuppressionReason, note = '') =>
  write((tx) => suppress(tx, { project_id, email: EMAIL, reason, note, now: NOW }))

const reset = async (project: ProjectId, id: number) => {
  const before = await contact(project, id)
  await write((tx) => resetBounce(tx, project, before, LATER))
  return all(sql`SELECT global_status, opted_out, updated_at FROM contacts WHERE id = ${id}`)
}

test.each<[string, ('pending' | 'subscribed' | 'unsubscribed')[], GlobalStatus]>([
  ['no list', [], 'subscribed'],
  ['a confirmed list', ['subscribed'], 'subscribed'],
  ['a list that waits', ['pending'], 'pending'],
  ['a list that waits and a confirmed one', ['pending', 'subscribed'], 'subscribed'],
  ['a list that waits and one that was left', ['unsubscribed', 'pending'], 'pending'],
])('The end of a bounce gives back the status before it: %s.', async (_, statuses, global_status) => {
  const project = await newProject()
  const joined: Record<number, 'pending' | 'subscribed' | 'unsubscribed'> = {}
  for (const status of statuses) joined[await newList(project)] = status
  const id = await newContact(project, EMAIL, {}, joined)
  await block(project, 'hard_bounce')
  expect(await reset(project, id)).toEqual([{ global_status, opted_out: 0, updated_at: LATER }])
  expect(await suppressionOf(project)).toBeNull()
})

test('The end of a bounce keeps an opt-out, without the note about the bounce.', async () => {
  const project = await newProject()
  const id = await newContact(project, EMAIL)
  await block(project, 'unsubscribe')
  await block(project, 'hard_bounce', '550 unknown')
  expect(await reset(project, id)).toEqual([{ global_status: 'unsubscribed', opted_out: 0, updated_at: LATER }])
  expect(await suppressionOf(project)).toEqual(['unsubscribe', 1, ''])
})

test('The end of a bounce keeps an opt-out of the contact alone, and a suppression of another reason.', async () => {
  const project = await newProject()
  await write((tx) => suppressAddresses(tx, project, [{ email: EMAIL, reason: 'manual' }], NOW))
  const id = await newContact(project, EMAIL, { global_status: 'bounced', opted_out: true })
  expect(await reset(project, id)).toEqual([{ global_status: 'unsubscribed', opted_out: 0, updated_at: LATER }])
  expect(await suppressionOf(project)).toEqual(['manual', 0, ''])
})

test.each<[GlobalStatus, boolean, unknown]>([
  ['pending', false, null],
  ['subscribed', false, null],
  ['unsubscribed', false, ['unsubscribe', 1, '']],
  ['bounced', false, ['hard_bounce', 0, '']],
  ['bounced', true, ['hard_bounce', 1, '']],
  ['complained', false, ['complaint', 0, '']],
])('A deleted contact that was %s, opted out %p, leaves its block behind and no address.', async (...given) => {
  const [global_status, opted_out, left] = given
  const project = await newProject()
  const id = await newContact(project, EMAIL, { global_status, opted_out })
  await write((tx) => deleteContacts(tx, project, [{ id, email: EMAIL, global_status }], NOW))
  expect(await all(sql`SELECT id FROM contacts WHERE id = ${id}`)).toEqual([])
  expect(await all(sql`SELECT email_key FROM erasures WHERE contact_id = ${id}`)).toEqual([{ email_key: EMAIL }])
  expect(await all(sql`SELECT rows FROM project_usage WHERE project_id = ${project} AND kind = 'contacts'`)).toEqual([
    { rows: 0 },
  ])
  expect(await suppressionOf(project)).toEqual(left)
  expect(await all(sql`SELECT email FROM suppressions WHERE project_id = ${project}`)).toEqual(
    left === null ? [] : [{ email: '' }],
  )
})

/** What a new address does to a contact with lists of these statuses. */
async function move(
  global_status: GlobalStatus,
  lists: readonly ('pending' | 'subscribed' | 'unsubscribed')[],
  suppressed?: SuppressionReason,
  in_project?: ProjectId,
) {
  const project = in_project ?? (await newProject())
  const list_ids: number[] = []
  const joined: Record<number, (typeof lists)[number]> = {}
  for (const status of lists) {
    const id = await newList(project)
    list_ids.push(id)
    joined[id] = status
  }
  const id = await newContact(project, EMAIL, { global_status }, joined)
  const email = 'new@example.com'
  if (suppressed) await write((tx) => suppressAddresses(tx, project, [{ email, reason: suppressed }], NOW))
  const before = await contact(project, id)
  await write((tx) => tx.run(sql`UPDATE contacts SET email = ${email}, email_key = ${email} WHERE id = ${id}`))
  const asks = await write((tx) => changeAddress(tx, before, { keys: KEYS, project_id: project, email, now: LATER }))
  const [queued] = await all<{ email: string; content: string }>(
    sql`SELECT email, content FROM deliveries WHERE contact_id = ${id} AND status = 'queued'`,
  )
  const after = await contact(project, id)
  return { project, list_ids, asks, queued: queued && [queued.email, JSON.parse(queued.content).list_ids], after }
}

test('A new address is asked to confirm the lists that wait, and no others.', async () => {
  const { list_ids, asks, queued, after } = await move('subscribed', ['subscribed', 'pending', 'unsubscribed'])
  expect([asks, queued]).toEqual([true, ['new@example.com', [list_ids[1]]]])
  expect(after.memberships.map(({ confirmation_sent_at }) => confirmation_sent_at)).toEqual([null, LATER, null])
})

test('A new address without lists that wait, of a blocked contact or suppressed is asked nothing.', async () => {
  for (const moved of [
    await move('subscribed', ['subscribed']),
    await move('bounced', ['pending']),
    await move('unsubscribed', ['pending']),
    await move('pending', ['pending'], 'manual'),
  ])
    expect([moved.asks, moved.queued]).toEqual([false, undefined])
})

test('A new address that got as many messages as it may is asked nothing, and the lists go on waiting.', async () => {
  const project = await newProject()
  for (const hours of [3, 2, 1]) {
    const by = { keys: KEYS, project_id: project, kind: 'confirmation' as const, by_stranger: false }
    await write((tx) => admitMessages(tx, { ...by, now: NOW - hours * 3_600_000 }, ['new@example.com']))
  }
  const { asks, queued, after } = await move('subscribed', ['pending'], undefined, project)
  expect([asks, queued]).toEqual([false, undefined])
  expect(after.memberships).toMatchObject([{ status: 'pending', confirmation_sent_at: null }])
})

test('A hidden suppression shows its address again when a contact takes it.', async () => {
  const project = await newProject()
  const email = 'new@example.com'
  await write(async (tx) => {
    await suppressAddresses(tx, project, [{ email, reason: 'manual' }], NOW)
    await hideSuppressions(tx, project, [email])
  })
  await move('subscribed', [], undefined, project)
  expect(await all(sql`SELECT email, reason FROM suppressions WHERE project_id = ${project}`)).toEqual([
    { email, reason: 'manual' },
  ])
})

test('A new address takes the status of its suppression, and that of a block on the old one.', async () => {
  const bounced = await move('subscribed', ['subscribed'], 'hard_bounce')
  expect(bounced.after.global_status).toBe('bounced')
  const complained = await move('complained', [])
  expect(await suppressionOf(complained.project, 'new@example.com')).toEqual([
    ...['complaint', 0, `The contact complained as ${EMAIL}.`],
  ])
  const left = await move('unsubscribed', [])
  expect([await suppressionOf(left.project), await suppressionOf(left.project, 'new@example.com')]).toEqual([
    ['unsubscribe', 1, ''],
    null,
  ])
  const events = await all(sql`SELECT type, email, detail, at FROM events WHERE project_id = ${left.project}`)
  expect(events).toEqual([{ type: 'address_changed', email: 'new@example.com', detail: EMAIL, at: LATER }])
})
