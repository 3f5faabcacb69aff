import { beforeAll, expect, test } from 'bun:test'
import { inArray, sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import * as outbox from '../../../src/newsletter/outbox/outbox.ts'
import { type CampaignStatus, deliveries, type DeliveryStatus } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

/** The verbs of the outbox, called directly: which rows each changes, and how. */

type Row = typeof deliveries.$inferSelect
const OURS = { worker_id: 'wrk_ours', lease_id: 'prc_ours' }
const THEIRS = { worker_id: 'wrk_theirs', lease_id: 'prc_theirs' }
const FREE = { worker_id: null, lease_id: null }

let project_id: ProjectId
let campaign_id: number
beforeAll(async () => {
  project_id = await newProject()
  campaign_id = await campaign('sending')
})

const campaign = (status: CampaignStatus) => newCampaign(project_id, { status })

/** Puts messages into the outbox; answers their ids. */
async function put(...rows: Partial<Row>[]): Promise<number[]> {
  const usual = { project_id, kind: 'campaign' as const, campaign_id, email: 'a@x.example', status: 'queued' as const }
  const values = rows.map((row) => ({ ...usual, next_attempt_at: 0, created_at: NOW, ...row }))
  return (await write((tx) => tx.insert(deliveries).values(values).returning({ id: deliveries.id }))).map(
    ({ id }) => id,
  )
}
async function rowsOf(ids: readonly number[]): Promise<Row[]> {
  const { db } = await sharedStore()
  return db
    .select()
    .from(deliveries)
    .where(inArray(deliveries.id, [...ids]))
    .orderBy(deliveries.id)
}
const statuses = async (ids: readonly number[]) => (await rowsOf(ids)).map(({ status }) => status)
const all = (status: DeliveryStatus, ...more: Partial<Row>[]) => more.map((one) => ({ status, ...one }))
const only = <T extends { id: number }>(rows: readonly T[]) => rows.map(({ id }) => id)

test("A campaign's messages are leased when they are due, the longest due first, and no others.", async () => {
  const own = await campaign('sending')
  const ids = await put(
    { campaign_id: own, next_attempt_at: NOW },
    { campaign_id: own, next_attempt_at: NOW - 9 },
    { campaign_id: own, next_attempt_at: NOW - 9 },
    { campaign_id: own, next_attempt_at: NOW + 1 },
    { campaign_id: own, kind: 'test' },
    { campaign_id: own, status: 'sent' },
    { campaign_id },
  )
  const lease = (limit: number) => write((tx) => outbox.leaseCampaign(tx, OURS, { campaign_id: own, limit, now: NOW }))
  expect(only(await lease(2)).toSorted((a, b) => a - b)).toEqual([ids[1]!, ids[2]!])
  expect(await lease(2)).toEqual([
    {
      ...{ id: ids[0]!, project_id, kind: 'campaign', campaign_id: own, contact_id: null, email: 'a@x.example' },
      ...{ attempts: 0, content: null, created_at: NOW },
    },
  ])
  expect(await lease(2)).toEqual([])
  expect(await statuses(ids)).toEqual(['leased', 'leased', 'leased', 'queued', 'queued', 'sent', 'queued'])
  expect((await rowsOf(ids))[0]).toMatchObject(OURS)
})

test('Messages that belong to no audience are leased by their ids, while they are queued.', async () => {
  const ids = await put({ kind: 'test' }, { kind: 'test', status: 'sent' }, { kind: 'test' })
  const leased = await write((tx) => outbox.leaseTransactional(tx, OURS, ids.slice(0, 2)))
  expect(only(leased)).toEqual([ids[0]!])
  expect(await statuses(ids)).toEqual(['leased', 'sent', 'queued'])
})

test('A lease is given back by its own holder alone, at once or with a time.', async () => {
  const ids = await put(...all('leased', OURS, OURS, THEIRS), { status: 'sending', ...OURS })
  await write((tx) => outbox.release(tx, OURS, [ids[0]!, ids[2]!, ids[3]!]))
  await write((tx) =>
    outbox.defer(tx, OURS, new Map([[ids[1]!, NOW + 7], ...ids.slice(2).map((id) => [id, 5] as const)])),
  )
  expect(await rowsOf(ids)).toMatchObject([
    { status: 'queued', next_attempt_at: 0, ...FREE },
    { status: 'queued', next_attempt_at: NOW + 7, ...FREE },
    { status: 'leased', next_attempt_at: 0, ...THEIRS },
    { status: 'sending', next_attempt_at: 0, ...OURS },
  ])
})

test('Only messages that wait can be postponed or hastened.', async () => {
  const ids = await put({ next_attempt_at: 5 }, { status: 'leased', next_attempt_at: 5 })
  await write((tx) => outbox.postpone(tx, ids, { due_at: 9, reason: 'The mailbox has one.' }))
  expect(await rowsOf(ids)).toMatchObject([
    { status: 'queued', next_attempt_at: 9, last_error: 'The mailbox has one.' },
    { status: 'leased', next_attempt_at: 5, last_error: null },
  ])
  await write((tx) => outbox.hasten(tx, ids))
  expect((await rowsOf(ids)).map(({ next_attempt_at }) => next_attempt_at)).toEqual([outbox.AT_ONCE, 5])
})

test('A message is due too late beyond the longest wait of its kind, while its campaign sends.', async () => {
  const { first, first_transactional, retry } = outbox.LONGEST_WAIT_MS
  const due = (wait_ms: number, more: Partial<Row> = {}) => ({ next_attempt_at: NOW + wait_ms, ...more })
  const late = await put(
    due(first + 1),
    due(retry + 1, { attempts: 1 }),
    due(first_transactional + 1, { kind: 'confirmation', campaign_id: null }),
    due(retry + 1, { kind: 'test', attempts: 2 }),
  )
  await put(
    due(first),
    due(first + 1, { attempts: 1 }),
    due(retry, { attempts: 1 }),
    due(first_transactional, { kind: 'confirmation' }),
    due(retry + 1, { status: 'leased' }),
    due(retry + 1, { campaign_id: await campaign('paused') }),
  )
  const { db } = await sharedStore()
  const found = (await outbox.dueTooLate(db, NOW)).toSorted((one, other) => one - other)
  expect(found.filter((id) => id >= late[0]!)).toEqual(late)
})

test('A message that may go is marked and counts as an attempt, and one that may not is skipped.', async () => {
  const rows = all('leased', { ...OURS, attempts: 1, last_error: 'Later.' }, { ...OURS, email: '' }, THEIRS, OURS)
  const ids = await put(...rows, { status: 'queued' })
  const messages = ids.filter((_, at) => at !== 3).map((id) => ({ id, message_id: `${id}@x.example` }))
  const request = { messages, may_send: sql`delivery.email <> ''`, skipped_because: 'They left.' }
  const mark = (running: 0 | 1) =>
    write((tx) => outbox.mark(tx, OURS, { ...request, running: sql.raw(String(running)) }))
  expect(await mark(0)).toEqual([])
  expect((await mark(1)).toSorted((one, other) => one.id - other.id)).toEqual([
    { id: ids[0]!, status: 'sending', project_id, campaign_id, contact_id: null, email: 'a@x.example' },
    { id: ids[1]!, status: 'skipped', project_id, campaign_id, contact_id: null, email: '' },
  ])
  expect(await rowsOf(ids)).toMatchObject([
    { status: 'sending', attempts: 2, message_id: `${ids[0]}@x.example`, last_error: 'Later.', ...OURS },
    { status: 'skipped', attempts: 0, message_id: null, last_error: 'They left.', ...FREE },
    { status: 'leased', attempts: 0, ...THEIRS },
    { status: 'leased', attempts: 0, message_id: null, ...OURS },
    { status: 'queued', attempts: 0 },
  ])
})

test('Outcomes are written by the holder of the lease, and a retry of a cancelled campaign ends.', async () => {
  const stopped = await campaign('cancelled')
  const ended = { campaign_id: stopped }
  const held = { ...OURS, attempts: 2 }
  const ids = await put(
    ...all('sending', held, held, held, held),
    ...all('sending', { ...held, ...ended }, { ...held, ...ended }, { ...held, ...ended, kind: 'test' }),
    ...all('sending', THEIRS),
    ...all('leased', held),
  )
  const [sent, failed, counted, uncounted, dropped, arrived, tested, ...untouched] = ids as [
    ...[number, number, number, number, number, number, number],
  ]
  const retry = (id: number, counts: boolean) => ({ id, to: 'queued' as const, error: 'later', due_at: 77, counts })
  const settled = await write((tx) =>
    outbox.settle(
      tx,
      OURS,
      [
        { id: sent, to: 'sent', error: null },
        { id: failed, to: 'failed', error: '550 no' },
        { id: arrived, to: 'sent', error: null },
        ...[retry(counted, true), retry(uncounted, false), retry(dropped, true), retry(tested, true)],
        ...untouched.map((id) => ({ id, to: 'sent' as const, error: null })),
      ],
      { in_sandbox: false, now: NOW },
    ),
  )
  expect([...settled].toSorted((one, other) => one - other)).toEqual(ids.slice(0, 7))
  expect(await rowsOf(ids)).toMatchObject([
    { status: 'sent', sent_at: NOW, last_error: null, next_attempt_at: 0, attempts: 2, ...FREE },
    { status: 'failed', sent_at: null, last_error: '550 no', ...FREE },
    { status: 'queued', next_attempt_at: 77, attempts: 2, last_error: 'later', ...FREE },
    { status: 'queued', next_attempt_at: 77, attempts: 1, ...FREE },
    { status: 'cancelled', ...FREE },
    { status: 'sent', sent_at: NOW, ...FREE },
    { status: 'queued', ...FREE },
    { status: 'sending', ...THEIRS },
    { status: 'leased', ...OURS },
  ])
})

test('Of the messages of a dead worker only those that it had marked are in doubt and say so.', async () => {
  const error = { last_error: 'before' }
  const ids = await put({ status: 'sending', ...OURS, ...error }, { status: 'leased', ...OURS, ...error }, error)
  const { db } = await sharedStore()
  const which = sql`id >= ${ids[0]!}`
  expect(await outbox.held(db, which, 9)).toMatchObject([
    { id: ids[0]!, status: 'sending', ...OURS },
    { id: ids[1]!, status: 'leased', ...OURS },
  ])
  expect(await outbox.held(db, which, 1)).toHaveLength(1)
  expect(await write((tx) => outbox.recover(tx, ids, 'The worker died.'))).toMatchObject([
    { id: ids[0]!, status: 'uncertain' },
    { id: ids[1]!, status: 'queued' },
  ])
  expect(await rowsOf(ids)).toMatchObject([
    { status: 'uncertain', last_error: 'The worker died.', ...FREE },
    { status: 'queued', last_error: 'before', ...FREE },
    { status: 'queued', last_error: 'before' },
  ])
})

test('A campaign cancels what waits or is leased, some at a time, and no test message.', async () => {
  const own = { campaign_id: await campaign('cancelled') }
  const ids = await put(own, { ...own, status: 'leased', ...OURS }, own, { ...own, status: 'sending' })
  const others = await put({ ...own, kind: 'test' }, {})
  const cancel = () => write((tx) => outbox.cancel(tx, { ...own, limit: 2 }))
  expect([await cancel(), await cancel(), await cancel()]).toEqual([2, 1, 0])
  expect(await statuses(ids)).toEqual(['cancelled', 'cancelled', 'cancelled', 'sending'])
  expect((await rowsOf(ids))[1]).toMatchObject(FREE)
  expect(await statuses(others)).toEqual(['queued', 'queued'])
})

test('Failed messages are queued again from an id on, as if they were new.', async () => {
  const own = await campaign('sending')
  const failed = { campaign_id: own, attempts: 5, next_attempt_at: 9, last_error: 'no' }
  const ids = await put(
    ...all('failed', failed, failed, failed, failed, { ...failed, kind: 'test' }, {}),
    ...all('uncertain', failed),
  )
  const requeue = (after_id: number, status: 'failed' | 'uncertain' = 'failed') =>
    write((tx) => outbox.requeue(tx, { campaign_id: own, status, after_id, limit: 2 }))
  expect((await requeue(ids[0]!)).toSorted((a, b) => a - b)).toEqual([ids[1]!, ids[2]!])
  expect(await requeue(ids[2]!)).toEqual([ids[3]!])
  expect(await statuses(ids)).toEqual(['failed', 'queued', 'queued', 'queued', 'failed', 'failed', 'uncertain'])
  expect((await rowsOf(ids))[1]).toMatchObject({ attempts: 0, next_attempt_at: 0, last_error: null })
  expect(await requeue(0, 'uncertain')).toEqual([ids[6]!])
})

test('A report confirms what was in doubt, and changes nothing that is certain.', async () => {
  const ids = await put({ status: 'uncertain', last_error: 'lost' }, ...all('sending', OURS), ...all('failed', {}))
  expect(only(await write((tx) => outbox.confirm(tx, ids, NOW)))).toEqual(ids.slice(0, 2))
  const sent = { status: 'sent', sent_at: NOW, last_error: null, ...FREE }
  expect(await rowsOf(ids)).toMatchObject([sent, sent, { status: 'failed', sent_at: null }])
})

test('Facts of a restored database say what was sent, and what nobody knows.', async () => {
  const ids = await put({}, { status: 'leased', ...OURS }, { status: 'sent', sent_at: 3 })
  const fact = { at: 5, error: null }
  const changed = await write((tx) =>
    outbox.replay(tx, [
      { id: ids[0]!, to: 'sent', ...fact },
      { id: ids[1]!, to: 'uncertain', at: 5, error: 'No answer.' },
      { id: ids[2]!, to: 'uncertain', ...fact },
    ]),
  )
  expect(only(changed)).toEqual(ids.slice(0, 2))
  expect(await rowsOf(ids)).toMatchObject([
    { status: 'sent', sent_at: 5, last_error: null },
    { status: 'uncertain', sent_at: null, last_error: 'No answer.', ...FREE },
    { status: 'sent', sent_at: 3 },
  ])
})

test('A later bounce keeps the time at which the message was sent.', async () => {
  const ids = await put({ status: 'sent', sent_at: 3 }, { status: 'sending', ...OURS }, { status: 'failed' })
  for (const id of ids) await write((tx) => outbox.bounce(tx, { id, response: '550 gone', now: NOW }))
  expect(await rowsOf(ids)).toMatchObject([
    { status: 'bounced', sent_at: 3, last_error: '550 gone' },
    { status: 'bounced', sent_at: NOW, ...FREE },
    { status: 'failed', last_error: null },
  ])
})

test('The addresses of contacts that were deleted are forgotten, and no status changes.', async () => {
  const person = { contact_id: 4_000_001, last_error: 'a@x.example is full' }
  const ids = await put({ ...person, status: 'failed' }, { ...person, contact_id: 4_000_002 })
  await write((tx) => outbox.forgetRecipients(tx, [4_000_001]))
  expect(await rowsOf(ids)).toMatchObject([
    { email: '', last_error: null, status: 'failed' },
    { email: 'a@x.example', last_error: person.last_error },
  ])
})
