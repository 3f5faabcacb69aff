import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import type { Departure } from '../../../src/newsletter/facts.ts'
import { replayDepartures } from '../../../src/newsletter/restore/departures.ts'
import { peopleIn } from '../../../src/newsletter/restore/people.ts'
import { addressMark } from '../../../src/store/address-key.ts'
import { newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

/** Who left after the backup, told to a database that does not know it. */

const key = 'a key of hashes'
const mark = (email: string) => addressMark(key, email)
let id: ProjectId
let weekly: number
let daily: number
let number = 0
beforeAll(async () => {
  id = await newProject()
  ;[weekly, daily] = [await newList(id), await newList(id)]
})

async function person() {
  const email = `ada${(number += 1)}@x.example`
  const contact_id = await newContact(id, email, {}, { [weekly]: 'subscribed', [daily]: 'subscribed' })
  return { email, contact_id, mark: mark(email) }
}
async function replay(...departures: Partial<Departure>[]): Promise<string[]> {
  const { db } = await sharedStore()
  const all = departures.map((one) => ({ at: NOW, project: 'prj_x', ...one }) as Departure)
  const people = await peopleIn(db, { id, key }, { handovers: new Map(), departures: all })
  return write((tx) => replayDepartures(tx, { id, key, people }, all))
}
/** The global status, the status in both lists, and the reason of a suppression. */
async function state({ email, contact_id }: { email: string; contact_id: number }) {
  const { db } = await sharedStore()
  const [row] = await db.all<Record<string, unknown>>(sql`
    SELECT global_status,
      (SELECT status FROM memberships WHERE contact_id = contacts.id AND list_id = ${weekly}) AS weekly,
      (SELECT status FROM memberships WHERE contact_id = contacts.id AND list_id = ${daily}) AS daily,
      (SELECT reason FROM suppressions WHERE project_id = ${id} AND email_key = ${email}) AS reason
    FROM contacts WHERE id = ${contact_id}`)
  return [row!.global_status, row!.weekly, row!.daily, row!.reason]
}
const agree = (contact_id: number, at: number, list_id: number | null, action = 'given') =>
  write((tx) =>
    tx.run(sql`
      INSERT INTO consents (project_id, contact_id, list_id, action, source, at)
      VALUES (${id}, ${contact_id}, ${list_id}, ${action}, 'form', ${at})`),
  )

test('A contact who left one list leaves it again, and one who left everything leaves everything.', async () => {
  const [ada, bo] = [await person(), await person()]
  const left = await replay(
    { what: 'left', ...ada, list_id: weekly },
    { what: 'left', contact_id: bo.contact_id, mark: bo.mark, list_id: null },
  )
  expect(left).toEqual([ada.mark, bo.mark])
  expect(await state(ada)).toEqual(['subscribed', 'unsubscribed', 'subscribed', null])
  expect(await state(bo)).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed', null])
})

test('A contact is found by its address when it was made anew, and one of another project is not found.', async () => {
  const ada = await person()
  expect(await replay({ what: 'left', contact_id: 999_999, mark: ada.mark, list_id: weekly })).toEqual([ada.mark])
  expect((await state(ada))[1]).toBe('unsubscribed')
  const foreign = await newContact(await newProject(), 'far@x.example')
  const nobody = { what: 'left', contact_id: foreign, mark: mark('nobody@x.example') } as const
  expect(await replay({ ...nobody, list_id: weekly })).toEqual([])
  const { db } = await sharedStore()
  const known = await db.all(
    sql`SELECT email FROM suppressions WHERE project_id = ${id} AND email_key = ${nobody.mark}`,
  )
  expect(known).toEqual([])
  // Of an address that is not there now its hash stays suppressed.
  expect(await replay({ ...nobody, list_id: null })).toEqual([nobody.mark])
  const [kept] = await db.all(sql`
    SELECT email, reason, opted_out FROM suppressions WHERE project_id = ${id} AND email_key = ${nobody.mark}`)
  expect(kept).toEqual({ email: '', reason: 'unsubscribe', opted_out: 1 })
})

test('A later consent of the backup counts more than a departure, for its own list or for all.', async () => {
  const cases: [of: 'weekly' | 'daily' | 'all', after_ms: number, action: string, leaves: boolean][] = [
    ['weekly', 1, 'given', false],
    ['weekly', 1, 'confirmed', false],
    ['all', 1, 'given', false],
    ['daily', 1, 'given', true],
    ['weekly', 0, 'given', true],
    ['weekly', 1, 'withdrawn', true],
  ]
  for (const [of, after_ms, action, leaves] of cases) {
    const ada = await person()
    await agree(ada.contact_id, NOW + after_ms, { weekly, daily, all: null }[of], action)
    const replayed = await replay({ what: 'left', contact_id: ada.contact_id, mark: ada.mark, list_id: weekly })
    expect([of, after_ms, action, replayed.length > 0]).toEqual([of, after_ms, action, leaves])
    expect((await state(ada))[1]).toBe(leaves ? 'unsubscribed' : 'subscribed')
  }
  const bo = await person()
  await agree(bo.contact_id, NOW + 1, daily)
  expect(await replay({ what: 'left', contact_id: bo.contact_id, mark: bo.mark, list_id: null })).toEqual([])
})

test('A suppressed contact is suppressed again, and only an opt-out gives way to a later consent.', async () => {
  const [ada, bo, cy] = [await person(), await person(), await person()]
  for (const { contact_id } of [ada, bo]) await agree(contact_id, NOW + 1, weekly)
  const suppressed = { what: 'suppressed', opted_out: false } as const
  expect(
    await replay(
      { ...suppressed, mark: ada.mark, reason: 'complaint' },
      { ...suppressed, mark: bo.mark, reason: 'unsubscribe', opted_out: true },
      { ...suppressed, mark: cy.mark, reason: 'unsubscribe', opted_out: true },
      { ...suppressed, mark: mark('late@x.example'), reason: 'hard_bounce' },
    ),
  ).toEqual([ada.mark, cy.mark, mark('late@x.example')])
  expect((await state(ada)).slice(0, 1)).toEqual(['complained'])
  expect((await state(ada))[3]).toBe('complaint')
  expect(await state(bo)).toEqual(['subscribed', 'subscribed', 'subscribed', null])
  expect((await state(cy))[3]).toBe('unsubscribe')
})

test('A contact who opted out before a bounce has left everything again; a bounce ends no membership.', async () => {
  const [ada, bo] = [await person(), await person()]
  const bounced = { what: 'suppressed', reason: 'hard_bounce' } as const
  await replay({ ...bounced, mark: ada.mark, opted_out: true }, { ...bounced, mark: bo.mark, opted_out: false })
  expect(await state(ada)).toEqual(['bounced', 'unsubscribed', 'unsubscribed', 'hard_bounce'])
  expect(await state(bo)).toEqual(['bounced', 'subscribed', 'subscribed', 'hard_bounce'])
})
