import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { domainOf } from '../../../src/address.ts'
import { mailboxProviders } from '../../../src/newsletter/outbox/mailbox-providers.ts'
import { createPace } from '../../../src/newsletter/outbox/pace.ts'
import { dailyLimit, takeTokens } from '../../../src/newsletter/outbox/quota.ts'
import { SAMPLE_DOCUMENT, manyContacts, readyToSend } from '../../support/campaigns.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { DAY_MS } from '../../../src/clock.ts'
import { unevenDelays } from '../../support/fast-sink.ts'
import { arrivals } from './paced-relay.ts'
import { createScene } from './support.ts'
import { MAILBOX_PROVIDERS } from '../../../src/store/tables/delivery.ts'

test('Mailboxes are told apart by their domain, else by where its mail goes.', async () => {
  const asked: string[] = []
  const providers = mailboxProviders(async (domain) => {
    asked.push(domain)
    if (domain === 'gone.example') throw new Error('ENOTFOUND')
    return [
      {
        exchange:
          (
            {
              'school.example': 'aspmx.l.google.com',
              'firm.example': 'firm-example.mail.protection.outlook.com',
              'club.example': 'mta5.am0.YahooDNS.net',
            } as Record<string, string>
          )[domain] ?? 'mail.own.example',
      },
    ]
  })
  const domains = [
    'gmail.com',
    'hotmail.co.uk',
    'yahoo.fr',
    'school.example',
    'firm.example',
    'club.example',
    'own.example',
    'gone.example',
    'notgmail.com',
  ]
  const found = await providers.of(new Set(domains), MAILBOX_PROVIDERS, START)
  expect(domains.map((domain) => found.get(domain))).toEqual([
    'gmail',
    'outlook',
    'yahoo',
    'gmail',
    'outlook',
    'yahoo',
    null,
    null,
    null,
  ])
  expect(asked).not.toContain('gmail.com')
  asked.length = 0
  await providers.of(new Set(domains), MAILBOX_PROVIDERS, START + 60_000)
  expect(asked).toEqual([])
  await providers.of(new Set(domains), MAILBOX_PROVIDERS, START + 20 * 60_000)
  expect(asked).toEqual(['gone.example'])
  expect(domainOf('A@B@Example.COM')).toBe('example.com')

  // Limits that the operator names by a domain of addresses or of mail exchangers.
  const names = ['gmail', 'own.example', 'protection.outlook.com', 'hotmail.co.uk', 'co.uk']
  const limits = await providers.of(new Set(domains), names, START)
  expect(domains.map((domain) => limits.get(domain))).toEqual([
    'gmail',
    'hotmail.co.uk',
    'own.example',
    'gmail',
    'protection.outlook.com',
    null,
    'own.example',
    null,
    'own.example',
  ])
})

test('A warm-up grows from 200 to 200,000 messages a day, and ends.', () => {
  const on = (day: number, max_per_day: number | null = null) =>
    dailyLimit({ max_per_day, warm_up_started_at: START }, START + day * DAY_MS)
  expect([on(0), on(41), on(42), on(0, 50), on(30, 1000)]).toEqual([200, 200_000, null, 50, 1000])
  for (let day = 1; day < 42; day++) expect(on(day)! / on(day - 1)!).toBeWithin(1.1, 1.25)
  expect(dailyLimit({ max_per_day: 7, warm_up_started_at: null }, START)).toBe(7)
})

describe("a connection's pace in real time", () => {
  /** When messages leave that are due at these times, with a clock that moves while something waits for it. */
  async function leave(
    per_second: number,
    due: readonly number[],
    held_up: (at: number) => number = () => 0,
  ): Promise<number[]> {
    let time = 0
    const pace = createPace(per_second, {
      now: () => time,
      sleep: async (ms) => {
        time += ms
      },
    })
    const times: number[] = []
    for (const at of due) {
      time += held_up(time)
      await pace.leave(at)
      times.push(time)
    }
    return times
  }
  const mostWithin = (ms: number, times: readonly number[]) =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))
  const mostWithinASecond = (times: readonly number[]) => mostWithin(1_000, times)

  test.each([1, 2.5, 20, 500])(
    "A connection's pace of %d a second is kept in every second, however late all of them are.",
    async (per_second) => {
      const times = await leave(per_second, Array(Math.ceil(per_second * 4)).fill(0))
      // Messages do not take the same time to arrive at the relay.
      expect(mostWithin(1_010, times)).toBeLessThanOrEqual(Math.ceil(per_second))
      expect(times.at(-1)).toBeLessThan(4_050)
    },
  )

  test('Late messages catch up where the limit has room.', async () => {
    const due = Array.from({ length: 200 }, (_, place) => place * 50.5)
    let stalled = false
    const times = await leave(20, due, (at) => (at > 3_000 && !stalled ? ((stalled = true), 400) : 0))
    expect(mostWithinASecond(times)).toBeLessThanOrEqual(20)
    expect(Math.max(...times.map((at, place) => at - due[place]!))).toBeWithin(300, 401)
    expect(times.at(-1)! - due.at(-1)!).toBeLessThan(250)
  })

  test('A message is begun as long before its send time as the relay lately took to ask for the content.', async () => {
    let time = 0
    const pace = createPace(10, { now: () => time, sleep: async (ms) => void (time += ms) })
    const begunAt = async (send_at: number) => {
      await pace.begin(send_at)
      return time
    }
    expect(await begunAt(1_000)).toBe(1_000)
    pace.noteBegun(120)
    expect(await begunAt(2_000)).toBe(1_880)
    for (let quick = 0; quick < 200; quick++) pace.noteBegun(3)
    expect(await begunAt(3_000)).toBe(2_997)
    // A batch is not leased much earlier, so a longer lead would be in vain.
    pace.noteBegun(5_000)
    expect(await begunAt(4_000)).toBe(3_800)
  })

  test.each<[string, () => number, (at: number) => number]>([
    ['at once', () => 0, () => 0],
    ['after 250 ms', () => 0, () => 250],
    ['after 100 to 400 ms', () => 0, unevenDelays()],
    ['after a second', () => 0, () => 1_000],
    ['at once, later after 400 ms', () => 0, (at) => (at < 8_000 ? 0 : 400)],
    ['after a second, and asks for each content after 100 to 400 ms', unevenDelays(), () => 1_000],
  ])(
    'A relay that answers %s gets 20 messages a second, within two percent and never more.',
    async (_, asks_ms, answers_ms) => {
      const scene = await createScene(400, { max_per_second: 20 })
      const times = await arrivals(scene, { asks_ms, answers_ms })
      await scene.world.close()
      expect(times).toHaveLength(400)
      const steady = times.filter((at) => at > times[0]! + 1_000)
      expect((steady.length - 1) / ((steady.at(-1)! - steady[0]!) / 1_000)).toBeWithin(19.6, 20.01)
      expect(mostWithinASecond(times)).toBeLessThanOrEqual(20)
    },
  )
})

let world: World
let list_id: number
let connection_id: number
beforeEach(async () => {
  world = await createWorld()
  ;({ list_id, connection_id } = await readyToSend(world))
})
afterEach(() => world.close())

const sent = async (like: string): Promise<number> => {
  const [row] = await world.service.runtime.store.db.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM deliveries WHERE status = 'sent' AND email LIKE ${like}`,
  )
  return row!.n
}

test('A held-back provider gets its pace and holds up nobody else.', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 60, world.clock.now())
  await world.service.runtime.store.write(async (tx) => {
    await tx.run(
      sql`
          UPDATE contacts SET email = replace(email, 'example.com', 'gmail.com'),
            email_key = replace(email_key, 'example.com', 'gmail.com') WHERE id % 2 = 0`,
    )
    await tx.run(
      sql`
          UPDATE contacts SET email = replace(email, 'example.com', 'yahoo.com'),
            email_key = replace(email_key, 'example.com', 'yahoo.com') WHERE id % 2 = 1`,
    )
  })
  const { connection } = await world.ok('connections/update', { connection_id, mailbox_limits: { gmail: 4 } })
  expect(connection.mailbox_limits).toEqual({ gmail: 4 })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  expect([await sent('%yahoo.com'), await sent('%gmail.com')]).toEqual([30, 1])
  for (let quarter = 0; quarter < 8; quarter++) {
    world.clock.advance(250)
    await world.service.drain('delivery')
  }
  expect(await sent('%gmail.com')).toBe(9)
  world.clock.advance(10_000)
  await world.service.drain('delivery')
  expect((await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign.status).toBe('sending')
})

test('A held-back provider leaves its pace of the connection to the others.', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 100, world.clock.now())
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
    UPDATE contacts SET email = replace(email, 'example.com', v.domain), email_key = replace(email_key, 'example.com',
      v.domain)
    FROM (SELECT 0 AS rest, 'gmail.com' AS domain UNION ALL SELECT 1, 'yahoo.com') v WHERE id % 2 = v.rest`),
  )
  await world.ok('connections/update', { connection_id, max_per_second: 20, mailbox_limits: { gmail: 1 } })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  // Those of the next half second are on their way already.
  expect([await sent('%yahoo.com'), await sent('%gmail.com')]).toEqual([9, 1])
  world.clock.advance(490)
  await world.service.drain('delivery')
  expect([await sent('%yahoo.com'), await sent('%gmail.com')]).toEqual([19, 1])
  world.clock.advance(500)
  await world.service.drain('delivery')
  expect((await sent('%yahoo.com')) + (await sent('%gmail.com'))).toBe(30)
})

describe("a connection's tokens", () => {
  const take = (per_second: number, ahead_ms = 0) =>
    world.service.runtime.store.write((tx) =>
      takeTokens(tx, { connection_id, lane: '', per_second }, { wanted: 1_000_000, now: world.clock.now(), ahead_ms }),
    )

  test.each([0.5, 3, 20, 500])(
    'Tokens come at %d a second in the long run, however often they are taken.',
    async (per_second) => {
      let taken = 0
      const seconds = Math.max(60, 200 / per_second)
      for (let ms = 0, step = 0; ms < seconds * 1000; step++) {
        taken += (await take(per_second, 500)).send_in_ms.length
        const pause_ms = [30, 170, 250, 90][step % 4]!
        world.clock.advance(pause_ms)
        ms += pause_ms
      }
      expect(taken / seconds / per_second).toBeWithin(0.98, 1.02)
    },
  )

  test('Tokens are due evenly, and after a rest no more than one is there at once.', async () => {
    const first = await take(20, 500)
    expect(first.send_in_ms.map(Math.round)).toEqual([0, 51, 102, 152, 203, 254, 305, 355, 406, 457])
    world.clock.advance(3_600_000)
    expect((await take(20, 500)).send_in_ms).toEqual(first.send_in_ms)
    expect((await take(20)).send_in_ms).toEqual([])
  })

  test('Tokens owed at another limit are forgiven.', async () => {
    await take(1000, 500)
    const { wait_ms } = await take(0.5)
    expect(wait_ms).toBeLessThan(6_000)
  })
})

test('A warm-up spreads a campaign over days.', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 300, world.clock.now())
  expect((await world.ok('connections/update', { connection_id, warm_up: true })).connection.warm_up).toBe(true)
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  expect(await sent('%')).toBe(200)
  world.clock.advance(DAY_MS + 3_600_000)
  await world.settle()
  expect([await sent('%'), (await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign.status]).toEqual([
    300,
    'sent',
  ])
})
