import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import type { KnownHandover } from '../../../src/newsletter/facts.ts'
import { replayHandovers, requeueMarked } from '../../../src/newsletter/restore/handovers.ts'
import { peopleIn } from '../../../src/newsletter/restore/people.ts'
import { addressMark } from '../../../src/store/address-key.ts'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

/** What was handed over after the backup, told to a database that does not know it. */

type Row = typeof deliveries.$inferSelect
const key = 'a key of hashes'
const mark = (email: string) => addressMark(key, email)
const LATER = NOW + 60_000
let id: ProjectId
let campaign_id: number
let ada: number
beforeEach(async () => {
  id = await newProject()
  campaign_id = await newCampaign(id, { status: 'sending' })
  ada = await newContact(id, 'ada@x.example')
})

async function put(row: Partial<Row> = {}): Promise<number> {
  const values = {
    ...{ project_id: id, kind: 'campaign' as const, campaign_id, contact_id: ada, email: 'ada@x.example' },
    ...{ status: 'queued' as const, next_attempt_at: 0, created_at: NOW, ...row },
  }
  const made = await write((tx) => tx.insert(deliveries).values(values).returning({ id: deliveries.id }))
  return made[0]!.id
}
async function replay(...facts: Partial<KnownHandover>[]): Promise<number> {
  const all = facts.map((fact): KnownHandover => ({
    ...{ at: LATER, project: 'prj_x', mark: mark('ada@x.example'), what: 'handed-over', delivery_id: 999_999_999 },
    ...{ kind: 'campaign', contact_id: ada, campaign: { id: campaign_id, created_at: NOW }, ...fact },
  }))
  const { db } = await sharedStore()
  const handovers = new Map(all.map((fact, at) => [String(at), fact]))
  const people = await peopleIn(db, { id, key }, { handovers, departures: [] })
  return write((tx) => replayHandovers(tx, { id, key, people }, all))
}
/** The messages of the project, and what the log of events and the campaign say of them. */
async function known() {
  const { db } = await sharedStore()
  const rows = await db.all<Partial<Row>>(sql`
    SELECT id, status, sent_at, last_error FROM deliveries WHERE project_id = ${id} ORDER BY id`)
  const events = await db.all(sql`
    SELECT type, campaign_id, delivery_id, at, detail FROM events WHERE project_id = ${id} ORDER BY id`)
  const [campaign] = await db.all<{ handed_over: number }>(sql`
    SELECT handed_over FROM campaigns WHERE id = ${campaign_id}`)
  return { rows, events, handed_over: campaign!.handed_over }
}

test('A message that the backup has is sent at the time of its fact, or in doubt.', async () => {
  const [sent, doubtful] = [await put(), await put({ email: 'Bo@x.example', contact_id: null })]
  expect(
    await replay(
      { delivery_id: sent },
      { delivery_id: doubtful, mark: mark('bo@x.example'), contact_id: null, what: 'in-doubt' },
    ),
  ).toBe(2)
  const doubt = 'The relay did not answer before the database was lost.'
  expect(await known()).toEqual({
    rows: [
      { id: sent, status: 'sent', sent_at: LATER, last_error: null },
      { id: doubtful, status: 'uncertain', sent_at: null, last_error: doubt },
    ],
    events: [
      { type: 'sent', campaign_id, delivery_id: sent, at: LATER, detail: null },
      { type: 'uncertain', campaign_id, delivery_id: doubtful, at: LATER, detail: doubt },
    ],
    handed_over: 2,
  })
  expect(await replay({ delivery_id: sent })).toBe(0)
  expect((await known()).handed_over).toBe(2)
})

test('A row with the id of another message is left alone.', async () => {
  const none = { contact_id: null }
  const message = await put(none)
  const foreign = await put({ ...none, project_id: await newProject() })
  for (const other of [
    { mark: mark('bo@x.example') },
    { kind: 'test' as const },
    { campaign: { id: campaign_id, created_at: NOW - 1 } },
    { delivery_id: foreign },
  ])
    expect([other, await replay({ delivery_id: message, ...none, mark: mark('nobody@x.example'), ...other })]).toEqual([
      other,
      0,
    ])
  expect((await known()).rows).toMatchObject([{ id: message, status: 'queued' }])
})

test('A confirmation belongs to no campaign and counts at none.', async () => {
  const confirmation = await put({ kind: 'confirmation', campaign_id: null })
  expect(await replay({ delivery_id: confirmation, kind: 'confirmation', campaign: null })).toBe(1)
  const { events, handed_over } = await known()
  expect([events, handed_over]).toMatchObject([[{ type: 'sent', campaign_id: null }], 0])
})

test('A test of a campaign counts at none.', async () => {
  const trial = await put({ kind: 'test' })
  expect(await replay({ delivery_id: trial, kind: 'test', campaign: null })).toBe(1)
  const { events, handed_over } = await known()
  expect([events, handed_over]).toMatchObject([[{ type: 'sent', campaign_id: null }], 0])
})

test('A contact who is not in the audience yet is in it, with the message sent.', async () => {
  const bo = await newContact(id, 'bo@x.example')
  expect(
    await replay(
      // Found by the id, and made anew with the same address.
      { contact_id: ada },
      { contact_id: 999_999, mark: mark('bo@x.example') },
      { contact_id: 999_999, mark: mark('nobody@x.example') },
    ),
  ).toBe(2)
  const { db } = await sharedStore()
  const people = await db.all(sql`
    SELECT contact_id, status, sent_at FROM deliveries WHERE campaign_id = ${campaign_id} ORDER BY contact_id`)
  expect(people).toEqual([ada, bo].map((contact_id) => ({ contact_id, status: 'sent', sent_at: LATER })))
  const cy = await newContact(id, 'cy@x.example')
  const unknown = { contact_id: cy, mark: mark('cy@x.example') }
  expect(await replay({ ...unknown, campaign: { id: campaign_id, created_at: NOW + 1 } })).toBe(0)
  expect(await replay({ ...unknown, kind: 'confirmation', campaign: null })).toBe(0)
  expect((await known()).rows).toHaveLength(2)
})

test('A message that was marked and not handed over is queued again, some at a time, as if not tried.', async () => {
  const marked = { status: 'sending', attempts: 1, next_attempt_at: NOW } as const
  await put({ ...marked, worker_id: 'wrk_a', lease_id: 'prc_a' })
  await put({ ...marked, contact_id: null, worker_id: 'wrk_b', lease_id: 'prc_b' })
  await put({ contact_id: null, status: 'leased', worker_id: 'wrk_a', lease_id: 'prc_a' })
  // Other tests of the process may have left messages of theirs.
  await write((tx) =>
    tx.run(sql`UPDATE deliveries SET status = 'failed' WHERE status = 'sending' AND project_id <> ${id}`),
  )
  const requeue = () => write((tx) => requeueMarked(tx, 1))
  let rows = 0
  for (let found = await requeue(); found > 0; found = await requeue()) rows += found
  expect(rows).toBeGreaterThanOrEqual(2)
  const { db } = await sharedStore()
  const after = await db.all(sql`
    SELECT status, attempts, next_attempt_at, lease_id FROM deliveries WHERE project_id = ${id} ORDER BY id`)
  const queued = { status: 'queued', attempts: 0, next_attempt_at: 0, lease_id: null }
  expect(after).toEqual([queued, queued, { status: 'leased', attempts: 0, next_attempt_at: 0, lease_id: 'prc_a' }])
})
