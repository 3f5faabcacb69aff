import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts'
import type { AppError } from '../../../src/errors.ts'
import { CONSENT_SOURCES, plan, planNew } from '../../../src/newsletter/consent/consent-rule.ts'
import { admitMessages, countTests, requireFewTests } from '../../../src/newsletter/consent/message-requests.ts'
import { GLOBAL_STATUSES, MEMBERSHIP_STATUSES, SUPPRESSION_REASONS } from '../../../src/store/tables/audience.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type PeopleTour, tourOfPeople } from '../people-tour.ts'

let world: World
let tour: PeopleTour
beforeAll(async () => {
  world = await createWorld()
  tour = tourOfPeople(world)
})

test('What the consent rule decides is what is recorded.', () => {
  const tour = tourOfPeople(world)
  decisions(tour)
  expectRecorded('people/consent-rule.txt', tour.text())
})

test('When confirmations leave, and whom they name, is what is recorded.', async () => {
  await prepare()
  await blocked()
  await limits()
  await addresses()
  await admission()
  expectRecorded('people/confirmations.txt', tour.text())
})

/** A letter for what happens to a list or an address. */
const ACTS = {
  subscribe: '+',
  ask: '?',
  keep: '=',
  suppressed: 'x',
  unsubscribed: 'u',
  bounced: 'b',
  complained: 'c',
  left_list: 'l',
}

/** What happens and the status afterwards, such as `+S`; `!` stands for the end of a suppression. */
function told({ decisions, global_status, lifts_suppression }: ReturnType<typeof plan>): string {
  const acts = decisions.map(({ decision }) => ACTS[decision.act === 'skip' ? decision.reason : decision.act])
  return `${acts.join('')}${global_status[0]!.toUpperCase()}${lifts_suppression ? '!' : ''}`
}

/** For each source, suppression and status: memberships of an open list, of one that asks, both, and no list. */
function decisions(tour: PeopleTour): void {
  const open = { id: 1, double_opt_in: false }
  const asking = { id: 2, double_opt_in: true }
  const memberships = [null, ...MEMBERSHIP_STATUSES]
  tour.write(
    `${JSON.stringify(ACTS)}, then the status; ! ends the suppression`,
    `open and asking list: no membership, then ${MEMBERSHIP_STATUSES.join(', ')}`,
    'both lists, no list: without a membership, with one that waits, with one of each',
    'new contacts: open list, asking list, both, none; the same of those who wait',
  )
  for (const [name, source] of Object.entries(CONSENT_SOURCES)) {
    tour.heading(`${name}: ${JSON.stringify(source)}`)
    for (const suppression of [null, ...SUPPRESSION_REASONS]) {
      const lists = [[open], [asking], [open, asking], []]
      const created = [false, true].map((waits) => lists.map((on) => told(planNew(suppression, on, source, waits))))
      tour.write(`${suppression ?? 'none'}, new: ${created.map((parts) => parts.join(' ')).join(' | ')}`)
      for (const global_status of GLOBAL_STATUSES) {
        const status = { global_status, suppression }
        const each = [open, asking].map((list) =>
          memberships.map((held) => told(plan(status, new Map(held ? [[list.id, held]] : []), [list], source))),
        )
        const held = [
          [],
          [[2, 'pending']],
          [
            [1, 'subscribed'],
            [2, 'pending'],
            [3, 'unsubscribed'],
          ],
        ] as const
        const whole = [[open, asking], []].map((on) => held.map((of) => told(plan(status, new Map(of), on, source))))
        tour.write(
          `${suppression ?? 'none'}, ${global_status}: ${[...each, ...whole].map((of) => of.join(' ')).join(' | ')}`,
        )
      }
    }
  }
}

const [ASKING, SECOND, THIRD, OPEN] = [1, 2, 3, 4]
const upsert = (sentence: string, email: string, ...list_ids: number[]) =>
  tour.call(sentence, 'contacts/upsert', { email, consent_text: 'Yes.', list_ids })

async function prepare(): Promise<void> {
  for (const name of ['Asking', 'Second', 'Third']) await world.ok('lists/create', { name, double_opt_in: true })
  await world.ok('lists/create', { name: 'Open' })
  await tour.skip()
}

async function blocked(): Promise<void> {
  tour.heading('What keeps confirmations back')
  await upsert('No connection.', 'ada@example.org', ASKING, OPEN)
  await world.ok('connections/create', {
    name: 'Relay',
    provider: 'smtp',
    host: 'relay.example',
    from_domain: 'a.example',
  })
  await upsert('A connection that was not tested.', 'ada@example.org', SECOND)
  await world.ok('connections/delete', { connection_id: 1 })
  await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await upsert('No sender.', 'ada@example.org', THIRD)
  await world.ok('settings/update', {
    from_name: 'Harbour',
    from_email: 'news@harbour.example',
    confirmations_held: true,
  })
  await upsert('Held.', 'bob@example.org', THIRD, ASKING)
  await world.ok('settings/update', { confirmations_held: false })
  await world.service.runtime.store.write((tx) => tx.run(sql`UPDATE projects SET monthly_limit = 0 WHERE id = 101`))
  await upsert('The plan of the month is used up.', 'cleo@example.org', ASKING)
  await world.service.runtime.store.write((tx) => tx.run(sql`UPDATE projects SET monthly_limit = NULL WHERE id = 101`))
  await tour.changes()
  await tour.messages()
  await tour.skip()
}

async function limits(): Promise<void> {
  tour.heading('Again and again')
  const steps: (readonly [number, string, ...number[]])[] = [
    [10 * MINUTE_MS, 'The same list within the hour.', ASKING],
    [10 * MINUTE_MS, 'Another list within the hour.', ASKING, SECOND],
    [10 * MINUTE_MS, 'A third, while that waits.', THIRD],
    [31 * MINUTE_MS, 'After the hour.', ASKING],
    [2 * HOUR_MS, 'While that waits still.', SECOND],
    [2 * HOUR_MS, 'The third message of the day.', THIRD],
    [2 * HOUR_MS, 'A fourth of the day.', ASKING],
    [DAY_MS, 'The fourth of all, on the next day.', ASKING],
    [2 * HOUR_MS, 'The fifth of all.', SECOND],
    [2 * HOUR_MS, 'A sixth of all.', THIRD],
    [31 * DAY_MS, 'A month later.', THIRD],
  ]
  for (const [after, sentence, ...list_ids] of steps) {
    world.clock.advance(after)
    const { contact, confirmations_queued } = await upsert(sentence, 'dan@example.org', ...list_ids)
    const rows = await world.service.runtime.store.db.all<{ list_id: number; sent: number | null }>(sql`
      SELECT list_id, confirmation_sent_at AS sent FROM memberships WHERE contact_id = ${contact.id}`)
    const sent = rows.map((row) => `${row.list_id} ${row.sent === null ? '-' : new Date(row.sent).toISOString()}`)
    tour.write(`  queued ${confirmations_queued}; ${sent.join(', ')}`)
    await tour.messages()
  }
  await tour.changes()
  world.clock.advance(400 * DAY_MS)
  await world.service.drain('maintenance')
  await tour.changes()
  await upsert('After 400 days.', 'dan@example.org', THIRD)
  await tour.messages()
}

async function addresses(): Promise<void> {
  tour.heading('One mailbox')
  await tour.skip()
  await upsert('An address.', 'eve@example.org', ASKING)
  await upsert('The same mailbox.', 'eve+shop@example.org', ASKING)
  await tour.call('A membership that waits moves to another address.', 'contacts/update', {
    contact_id: 5,
    email: 'Eva@example.org',
  })
  await tour.changes()
  await world.ok('contacts/unsubscribe', { contact_id: 6 })
  await world.ok('suppressions/add', { email: 'eva@example.org', reason: 'complaint' })
  await tour.messages()
  await tour.changes()
  await upsert('A contact on three lists, two of them new.', 'fay@example.org', ASKING, OPEN)
  await world.ok('contacts/membership', { contact_id: 7, list_id: ASKING, action: 'unsubscribe' })
  world.clock.advance(HOUR_MS)
  await tour.call('A waiting list that was left is asked for again.', 'contacts/membership', {
    contact_id: 7,
    list_id: ASKING,
    action: 'subscribe',
    consent_text: 'Again.',
  })
  await tour.call('A list more, while that waits.', 'contacts/membership', {
    contact_id: 7,
    list_id: SECOND,
    action: 'subscribe',
    consent_text: 'And this.',
  })
  await tour.changes()
  const [text = ''] = await tour.messages()
  const link = /\/general\/newsletter\/confirm\/[\w-]+/.exec(text)?.[0] ?? ''
  await tour.visit('Both are confirmed.', link, { method: 'POST' })
  await tour.changes()
}

/** How many messages strangers and others can have sent. */
async function admission(): Promise<void> {
  tour.heading('Messages that are admitted')
  const { store, keys } = world.service.runtime
  const project_id = world.other.id
  const people = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `person${from + index}@example.org`)
  const start = world.clock.now()
  const ask = async (
    sentence: string,
    emails: string[],
    {
      kind = 'confirmation',
      after = 0,
      by_stranger = false,
    }: { kind?: 'confirmation' | 'link'; after?: number; by_stranger?: boolean } = {},
  ) => {
    const now = start + after
    const admitted = await store.write((tx) => admitMessages(tx, { keys, project_id, kind, now, by_stranger }, emails))
    const first = [...admitted].slice(0, 3).map(([email, at]) => `${email} +${(at - start) / MINUTE_MS}`)
    tour.write(`- ${sentence}`, `  ${emails.length} asked, ${admitted.size} admitted: ${first.join(', ')}`)
  }
  await ask('By strangers.', people(0, 998), { by_stranger: true })
  await ask('More than the hour has room for.', people(998, 1003), { by_stranger: true })
  await ask('By somebody who is known.', people(1000, 1003))
  await ask('Of another kind, by strangers.', people(0, 2), { kind: 'link', by_stranger: true })
  await ask('An hour later, by strangers.', people(1002, 1004), { after: HOUR_MS, by_stranger: true })
  await ask('A link.', ['zoe@example.org', 'Zoe+1@example.org', 'max@example.org'], { kind: 'link', after: HOUR_MS })
  await ask('A link within the hour.', ['zoe@example.org'], { kind: 'link', after: 2 * HOUR_MS - 1 })
  await ask('A link after the hour.', ['zoe@example.org'], { kind: 'link', after: 2 * HOUR_MS })
  await ask('A third.', ['zoe@example.org'], { kind: 'link', after: 4 * HOUR_MS })
  await ask('A fourth of the day.', ['zoe@example.org'], { kind: 'link', after: 24 * HOUR_MS })
  await ask('A day after the first.', ['zoe@example.org'], { kind: 'link', after: 25 * HOUR_MS })
  await ask('A confirmation.', ['zoe@example.org'], { after: 26 * HOUR_MS })
  await ask('A confirmation that is due in an hour.', ['zoe@example.org'], { after: 26 * HOUR_MS + MINUTE_MS })
  await ask('While that waits.', ['zoe@example.org'], { after: 26 * HOUR_MS + 2 * MINUTE_MS })
  await ask('Nobody.', [])

  tour.heading('Test messages that are admitted')
  const tests = async (sentence: string, emails: string[], after: number) => {
    const sender = { keys, project_id, now: start + after }
    const refused = await requireFewTests(store.db, sender, emails).catch((error: AppError) => error)
    tour.write(
      `- ${sentence}`,
      `  ${emails.length} ${refused ? `${refused.message} ${JSON.stringify(refused.headers)}` : 'admitted'}`,
    )
    if (!refused) await store.write((tx) => countTests(tx, sender, emails))
  }
  const same = (count: number) => Array.from({ length: count }, (_, index) => `tom+${index}@example.org`)
  await tests('Thirty to a mailbox.', same(30), 5000)
  await tests('One more.', ['TOM@example.org'], 6000)
  await tests('Another.', ['tim@example.org'], 7000)
  await tests('Both.', ['tim@example.org', 'tom@example.org'], 8000)
  await tests('269 to others.', people(0, 269), 9000)
  await tests('One more than three hundred.', ['max@example.org'], 10_500)
  await tests('When the first are an hour old, less a millisecond.', ['tom@example.org'], HOUR_MS + 4999)
  await tests('When they are an hour old.', same(30), HOUR_MS + 5000)
  await tests('Nobody.', [], HOUR_MS + 5000)
  const kept = await store.db.all(sql`
    SELECT kind, count(*) AS count, min(at) - ${start} AS first, max(at) - ${start} AS last FROM message_requests
    WHERE project_id = ${project_id} GROUP BY kind ORDER BY kind`)
  tour.write(JSON.stringify(kept))
}
