import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import type { Leased } from '../../../src/newsletter/outbox/outbox.ts'
import { dueTransactional, transactionalStream } from '../../../src/newsletter/outbox/transactional.ts'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, loopContext, START, type World } from '../../support/world.ts'
import { addPeople, draft } from '../campaigns/support.ts'

/** Confirmations, personal links and tests, from the rows that are due to the messages. */

type Row = typeof deliveries.$inferSelect
let world: World
let ready: { list_id: number; connection_id: number }
let campaign_id: number
let ada: number
beforeEach(async () => {
  world = await createWorld()
  ready = await readyToSend(world)
  campaign_id = (await draft(world, { reply_to: 'draft@harbour.example' })).id
  const people = [{ email: 'ada@x.example', lists: { [ready.list_id]: 'pending' as const } }]
  ada = (await addPeople(world, people))[0]!
})
afterEach(() => world.close())

const store = () => world.service.runtime.store
const run = (statement: SQL) => store().write((tx) => tx.run(statement))
/** Puts messages into the outbox; answers their ids. */
async function put(...rows: Partial<Row>[]): Promise<number[]> {
  const usual = { project_id: world.project.id, kind: 'confirmation' as const, contact_id: ada, email: 'ada@x.example' }
  const content = { list_ids: [ready.list_id] }
  const values = rows.map((row) => ({
    ...{ ...usual, content, status: 'queued' as const, next_attempt_at: START, created_at: START },
    ...row,
  }))
  const made = await store().write((tx) => tx.insert(deliveries).values(values).returning({ id: deliveries.id }))
  return made.map(({ id }) => id)
}
const due = () => dueTransactional(store().db, START)
const open = async (of: number | null = null) => {
  const batch = (await due()).find((one) => one.campaign_id === of)!
  return transactionalStream(loopContext(world.service.runtime), batch, async () => () => null)
}
const lease = async (): Promise<Leased[]> => {
  const stream = (await open())!
  const ours = { worker_id: 'wrk_ours', lease_id: 'prc_ours' }
  return store().write((tx) => stream.lease(tx, ours, 9, START))
}

test('Due messages are read by project and campaign, the longest due first, at most 100 of each.', async () => {
  const project_id = world.other.id
  const [late, first, tested, foreign] = await put(
    {},
    { next_attempt_at: START - 1 },
    { kind: 'test', campaign_id, next_attempt_at: START - 2 },
    { project_id },
  )
  await put({ next_attempt_at: START + 1 }, { status: 'sent' }, { kind: 'campaign', campaign_id })
  expect(await due()).toEqual([
    expect.objectContaining({ project_id: world.project.id, campaign_id, ids: [tested!] }),
    expect.objectContaining({ project_id: world.project.id, campaign_id: null, ids: [first!, late!] }),
    expect.objectContaining({ project_id, campaign_id: null, ids: [foreign!] }),
  ])
  await put(...Array.from({ length: 99 }, () => ({ next_attempt_at: START - 9 })))
  const own = (await due()).find((batch) => batch.project_id === world.project.id && batch.campaign_id === null)!
  expect([own.ids.length, own.ids.at(-1)]).toEqual([100, first!])
})

test.each([
  ['no sender', 'UPDATE newsletter_settings SET from_email = ', "''", 'The settings have no sender address.'],
  ['an untested connection', 'UPDATE connections SET verified_at = ', 'NULL', 'The connection was not tested.'],
  ['no connection', 'UPDATE newsletter_settings SET default_connection_id = ', '999', 'The project has no connection'],
  ['held confirmations', 'UPDATE newsletter_settings SET confirmations_held = ', '1', 'held since a restore'],
])('Of a project with %s the messages wait for a minute, with the reason.', async (_, set, value, reason) => {
  const column = /SET (\w+)/.exec(set)![1]!
  const ids = await put({}, { kind: 'test', campaign_id })
  await run(sql.raw(`${set}${value}`))
  expect(await open()).toBeNull()
  const rows = await store().db.select().from(deliveries)
  expect(rows.map(({ id, next_attempt_at, last_error }) => [id, next_attempt_at, last_error])).toEqual([
    [ids[0]!, START + 60_000, expect.stringContaining(reason)],
    [ids[1]!, START, null],
  ])
  // A test does not wait for the release of confirmations.
  expect((await open(campaign_id)) === null).toBe(column !== 'confirmations_held')
})

test('A confirmation and a personal link are written as the project, a row without its content is not.', async () => {
  await world.ok('settings/update', { from_name: 'Harbour', reply_to: 'office@harbour.example' })
  await put(
    {},
    { kind: 'link', content: null },
    { content: null },
    { contact_id: null },
    { content: { list_ids: [ready.list_id, 999_999] } },
  )
  const rows = (await lease()).toSorted((one, other) => one.id - other.id)
  const compose = await (await put({}), (await open())!).compose(rows)
  const [confirmation, link, none, nobody, partly] = rows.map((row) => compose(row))
  expect([none, nobody]).toEqual([null, null])
  // A list that is gone is left out.
  const subjects = [confirmation!, partly!].map(async ({ message }) => (await simpleParser(message as Buffer)).subject)
  expect(new Set(await Promise.all(subjects)).size).toBe(1)
  const mails = await Promise.all([confirmation!, link!].map(({ message }) => simpleParser(message as Buffer)))
  for (const [at, mail] of mails.entries()) {
    expect(mail.from!.text).toBe('"Harbour" <news@harbour.example>')
    expect(mail.replyTo!.text).toBe('office@harbour.example')
    expect(mail.date!.getTime()).toBe(START)
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
    const kind = ['confirmation', 'link'][at]!
    expect(mail.headers.get('feedback-id')).toBe(`${kind}:${world.project.public_id}:single:masthead`)
    expect(mail.messageId).toBe(`<${(at === 0 ? confirmation : link)!.message_id}>`)
  }
  expect(confirmation!.envelope).toEqual({ from: 'news@harbour.example', to: 'ada@x.example' })
  expect(mails[0]!.text).toContain('/confirm/')
  expect(mails[1]!.text).toContain('/preferences/')
  await world.ok('settings/update', { reply_to: '' })
  const again = (await (await open())!.compose(rows))(rows[0]!)
  expect((await simpleParser(again!.message as Buffer)).replyTo).toBeUndefined()
})

test('A test goes from the sender of its campaign, and its Message-ID names the campaign.', async () => {
  await world.ok('campaigns/update', { campaign_id, from_email: 'draft@harbour.example' })
  await put({ kind: 'test', campaign_id, contact_id: null }, {})
  const [tests, others] = [(await open(campaign_id))!, (await open())!]
  expect([tests.beyond_limit, others.beyond_limit]).toEqual([false, true])
  // Its tests are no messages that the campaign handed over.
  expect([tests.campaign_id, others.campaign_id]).toEqual([null, null])
  const row = { id: 1, contact_id: null, campaign_id } as Leased
  expect(tests.messageId(row)).toEndWith('@harbour.example')
  expect(tests.messageId(row)).not.toBe(tests.messageId({ ...row, campaign_id: null }))
  expect(tests.messageId(row)).not.toBe(tests.messageId({ ...row, contact_id: 5 }))
})

test('Each kind of message may go while its recipient waits for it.', async () => {
  const [list] = [ready.list_id]
  const people = await addPeople(world, [
    { email: 'in@x.example', lists: { [list]: 'subscribed' } },
    { email: 'out@x.example', status: 'unsubscribed', lists: { [list]: 'pending' } },
    { email: 'bad@x.example', suppressed: 'manual', lists: { [list]: 'pending' } },
    { email: 'wait@x.example', status: 'pending', lists: { [list]: 'pending' } },
    { email: 'back@x.example', status: 'bounced', lists: { [list]: 'subscribed' } },
  ])
  const [member, left, bad, waiting, bounced] = people as [number, number, number, number, number]
  const of = (contact_id: number | null, email: string, kind: Row['kind']) => ({ contact_id, email, kind })
  const cases: [Partial<Row>, boolean][] = [
    [of(ada, 'ada@x.example', 'confirmation'), true],
    [of(ada, 'Ada@X.example', 'confirmation'), true],
    [of(ada, 'old@x.example', 'confirmation'), false],
    [{ ...of(ada, 'ada@x.example', 'confirmation'), content: { list_ids: [999_999] } }, false],
    [of(member, 'in@x.example', 'confirmation'), false],
    [of(member, 'in@x.example', 'link'), true],
    [of(member, 'old@x.example', 'link'), false],
    [of(left, 'out@x.example', 'link'), false],
    [of(waiting, 'wait@x.example', 'link'), true],
    [of(bounced, 'back@x.example', 'link'), false],
    [of(left, 'out@x.example', 'confirmation'), true],
    [of(bad, 'BAD@x.example', 'confirmation'), false],
    [of(bad, 'bad@x.example', 'link'), false],
    [of(null, 'bad@x.example', 'test'), false],
    [of(null, 'any@x.example', 'test'), true],
  ]
  const ids = await put(...cases.map(([row]) => row))
  const { may_send } = (await open())!
  const rows = await store().db.all<{ id: number }>(sql`SELECT id FROM deliveries delivery WHERE ${may_send}`)
  const may = new Set(rows.map(({ id }) => id))
  expect(cases.map(([row], at) => [row, may.has(ids[at]!)])).toEqual(cases)
})

test('Each message of a batch is leased once, however often the batch is asked.', async () => {
  const ids = await put({}, {}, {})
  const stream = (await open())!
  const take = (limit: number) =>
    store().write((tx) => stream.lease(tx, { worker_id: 'wrk_ours', lease_id: 'prc_ours' }, limit, START))
  const taken = [await take(2), await take(2), await take(2)].map((rows) =>
    rows.map(({ id }) => id).toSorted((a, b) => a - b),
  )
  expect(taken).toEqual([ids.slice(0, 2), ids.slice(2), []])
})
