import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createRateLimiter, rateHeaders, rateLimited } from '../../src/operation/rate-limit.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'
import { makeLoneProject, post, withDatabase } from '../support/lone-project.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { sharedStore } from '../support/shared-store.ts'
import { createWorld } from '../support/world.ts'

test('Exactly the allowed number passes, however the callers mix, and then the next window opens.', async () => {
  const world = await createWorld({ newsletter_reads_per_minute: 20, newsletter_mutations_per_minute: 5 })
  const token = await world.token('owner')
  const callers = [world.keys.owner, world.keys.member, token]
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => world.call('lists/list', {}, { as: callers[n % 3]! })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  const refused = answers.find(({ status }) => status === 429)!
  expect(refused.body.error).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
  expect([
    refused.headers.get('retry-after'),
    refused.headers.get('ratelimit-reset'),
    refused.headers.get('ratelimit-remaining'),
  ]).toEqual(['60', '60', '0'])
  expect(refused.headers.get('ratelimit-policy')).toBe('"read";q=20;w=60')

  // Reads and mutations, and other projects, have windows of their own.
  expect((await world.call('lists/create', { name: 'Tides' })).headers.get('ratelimit-remaining')).toBe('4')
  expect((await world.call('lists/list', {}, { as: world.keys.other })).status).toBe(200)

  world.clock.advance(59_001)
  const last = await world.call('lists/list')
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1'])
  world.clock.advance(999)
  const next = await Promise.all(Array.from({ length: 25 }, () => world.call('lists/list')))
  expect(next.filter(({ status }) => status === 200)).toHaveLength(20)
  await world.close()
})

test('A request that fails validation counts, one refused before does not; a bad token floods nobody.', async () => {
  const world = await createWorld({ newsletter_mutations_per_minute: 10 })
  const remaining = async () =>
    Number((await world.call('lists/create', { surprise: 1 })).headers.get('ratelimit-remaining'))
  expect(await remaining()).toBe(9)
  await Promise.all(
    Array.from({ length: 30 }, () => world.call('lists/create', { name: 'x' }, { as: 'svc_pk_unknown' })),
  )
  await world.call('lists/create', { name: 'x' }, { as: world.keys.member })
  expect(await remaining()).toBe(8)
  const key = 'a key'
  await world.call('lists/create', { name: 'Tides' }, { key })
  const replay = await world.call('lists/create', { name: 'Tides' }, { key })
  expect([replay.headers.get('idempotent-replayed'), replay.headers.get('ratelimit-remaining')]).toEqual(['true', '6'])
  await world.close()
})

test('A costly read takes several units, all or none, and cheaper reads use what is left.', async () => {
  const world = await createWorld({ newsletter_reads_per_minute: 13 })
  const count = () => world.call('campaigns/audience-count', { audience_spec: { include: [] } })
  const left = async (call: ReturnType<typeof count>) => {
    const { status, headers } = await call
    return [status === 429 ? 429 : 'passed', headers.get('ratelimit-remaining')]
  }
  expect(await left(count())).toEqual(['passed', '8'])
  expect(await left(count())).toEqual(['passed', '3'])
  expect(await left(count())).toEqual([429, '3'])
  expect(await left(world.call('lists/list'))).toEqual(['passed', '2'])
  expect(await left(count())).toEqual([429, '2'])
  expect(await left(world.call('lists/list'))).toEqual(['passed', '1'])
  expect(await left(world.call('lists/list'))).toEqual(['passed', '0'])
  expect(await left(world.call('lists/list'))).toEqual([429, '0'])
  await world.close()
})

test('Costs that arrive at the same time never exceed the limit together.', async () => {
  const world = await createWorld({ newsletter_reads_per_minute: 203 })
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      n % 2 ? world.call('lists/list') : world.call('campaigns/audience-count', { audience_spec: { include: [] } }),
    ),
  )
  const passed = answers.filter(({ status }) => status !== 429)
  const units = answers.reduce((sum, { status }, n) => sum + (status === 429 ? 0 : n % 2 ? 1 : 5), 0)
  expect(passed.length).toBeLessThan(120)
  expect(units).toBeLessThanOrEqual(203)
  // What is left is less than the cheapest refused read.
  expect(units).toBeGreaterThanOrEqual(199)
  await world.close()
})

test('A small document renders for one unit, a large one for five.', async () => {
  const world = await createWorld()
  const render = async (text: string) => {
    const blocks = [{ id: 'a', type: 'text', props: { html: text } }]
    return world.call('render', { editor_json: { version: 1, settings: {}, blocks } })
  }
  const small = Number((await render('Tides')).headers.get('ratelimit-remaining'))
  const large = Number((await render('Tides '.repeat(2000))).headers.get('ratelimit-remaining'))
  expect(small - large).toBe(5)
  const again = Number((await render('Tides')).headers.get('ratelimit-remaining'))
  expect(large - again).toBe(1)
  await world.close()
})

test('The count outlives a restart, and a clock that was set back locks nobody out.', async () => {
  const world = await createWorld({ newsletter_reads_per_minute: 3 })
  for (let n = 0; n < 3; n++) await world.call('lists/list')
  expect((await world.call('lists/list')).status).toBe(429)
  world.clock.advance(-3_600_000)
  expect((await world.call('lists/list')).status).toBe(200)
  await world.close()
})

test('When the limit cannot be checked nothing runs: 503, retryable.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  await store.write((tx) => tx.script('ALTER TABLE rate_windows RENAME TO rate_windows_away'))
  for (const [operation, body] of [
    ['lists/list', {}],
    ['lists/create', { name: 'Tides' }],
  ] as const) {
    const answer = await world.call(operation, body)
    expect([answer.status, answer.body.error.code, answer.body.error.retryable]).toEqual([
      503,
      'RATE_LIMIT_UNAVAILABLE',
      true,
    ])
  }
  await store.write((tx) => tx.script('ALTER TABLE rate_windows_away RENAME TO rate_windows'))
  expect((await world.ok('lists/list')).items).toEqual([])
  await world.close()
})

test('In a busy window the headers count down by one, and exactly the allowed number passes.', async () => {
  const world = await createWorld({ newsletter_reads_per_minute: 300 })
  const remaining: number[] = []
  for (let round = 0; round < 50; round++) {
    const answers = await Promise.all(Array.from({ length: 7 }, () => world.call('lists/list')))
    for (const { status, headers } of answers)
      if (status === 200) remaining.push(Number(headers.get('ratelimit-remaining')))
  }
  expect(remaining.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 300 }, (_, index) => 299 - index))
  world.clock.advance(60_000)
  expect((await world.call('lists/list')).headers.get('ratelimit-remaining')).toBe('299')
  await world.close()
})

test('Quota that was taken ahead and not used goes back soon, and at once when the service stops.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-limits-'))
  const { key } = await makeLoneProject(folder)
  const service = await startServiceProcess(folder)
  const ask = async () => {
    for (let n = 0; n < 50; n++) await post(service.url, key, 'lists/list', {})
  }
  const counted = () =>
    withDatabase(
      folder,
      async (store) => (await store.db.all<{ count: number }>(sql`SELECT count FROM rate_windows`))[0]!.count,
    )
  await ask()
  while ((await counted()) !== 50) await Bun.sleep(5)
  await ask()
  expect(await service.stop()).toBe(0)
  expect(await counted()).toBe(100)
  rmSync(folder, { recursive: true })
})

test('Quota that was reserved in an ended window is not returned to the next one.', async () => {
  const store = await openStore({ url: `file:${join(scratchFolder(), 'windows.db')}` })
  await store.write((tx) =>
    tx.script(
      'CREATE TABLE rate_windows (bucket TEXT PRIMARY KEY, started_at INTEGER, count INTEGER, granted INTEGER)',
    ),
  )
  const count = async () =>
    (await store.db.all<{ count: number }>(sql`SELECT count FROM rate_windows`)).map(({ count }) => count)[0]!
  let now = 1_750_000_000_000
  const limiter = createRateLimiter(store, () => now)
  let taken = 0
  do {
    await limiter.take('bucket', 300)
    taken++
  } while ((await count()) === taken)
  now += 60_000
  // Another process begins the next window.
  await createRateLimiter(store, () => now).take('bucket', 300)
  await limiter.close()
  expect(await count()).toBe(1)
  await store.close()
})

describe('A limiter', () => {
  const START = 1_750_000_000_000
  let made = 0

  /** A limiter on the shared database, whose writes the test may hold up or refuse. */
  async function limiting() {
    const shared = await sharedStore()
    const bucket = `test-limiter-${++made}`
    const time = { now: START }
    const gate = { hold: null as Promise<void> | null, fails: null as Error | null, writes: 0 }
    const store: Store = {
      ...shared,
      write: async (work, options) => {
        gate.writes += 1
        if (gate.fails) throw gate.fails
        const result = await shared.write(work, options)
        await gate.hold
        return result
      },
    }
    const limiter = createRateLimiter(store, () => time.now)
    const take = async (limit: number, cost?: number) => {
      const { remaining, reset_seconds, allowed } = await limiter.take(bucket, limit, cost)
      return [allowed, remaining, reset_seconds]
    }
    const counted = async () =>
      (await shared.query('SELECT count FROM rate_windows WHERE bucket = ?', [bucket]))[0]?.count ?? null
    return { take, time, gate, counted, limiter, bucket }
  }

  test('A limiter says what is left and when the window ends, and a caller may cost more than one unit.', async () => {
    const { take, time, counted } = await limiting()
    expect(await take(5)).toEqual([true, 4, 60])
    time.now += 10_001
    expect([await take(5, 3), await take(5, 2)]).toEqual([
      [true, 1, 50],
      [false, 1, 50],
    ])
    time.now = START + 59_999
    expect(await take(5)).toEqual([true, 0, 1])
    expect([await take(5), await counted()]).toEqual([[false, 0, 1], 5])
    time.now = START + 60_000
    // Nothing costs more than the whole window.
    expect(await take(5, 9)).toEqual([true, 0, 60])
  })

  test('A limiter serves those who come during a write together by the next one.', async () => {
    const { take, gate } = await limiting()
    const held = Promise.withResolvers<void>()
    gate.hold = held.promise
    const first = take(9)
    while (gate.writes === 0) await new Promise(setImmediate)
    await new Promise(setImmediate)
    const later = [take(9), take(9), take(9)]
    expect(gate.writes).toBe(1)
    held.resolve()
    expect(await first).toEqual([true, 8, 60])
    expect((await Promise.all(later)).map(([, remaining]) => remaining)).toEqual([7, 6, 5])
    expect(gate.writes).toBe(2)
  })

  test('A limiter refuses everybody who waits when the database fails, and the next caller tries again.', async () => {
    const { take, gate } = await limiting()
    gate.fails = new Error('The disk is gone.')
    const refused = await Promise.all([take(9), take(9)].map((one) => one.catch((error: unknown) => error)))
    const expected = { code: 'RATE_LIMIT_UNAVAILABLE', cause: gate.fails }
    expect(refused).toMatchObject([expected, expected])
    gate.fails = null
    expect(await take(9)).toEqual([true, 8, 60])
  })

  test('A limiter of a busy window reserves quota, and returns at its end what is unused.', async () => {
    const { take, gate, counted, limiter } = await limiting()
    for (let n = 1; n <= 40; n++) expect(await take(1000)).toEqual([true, 1000 - n, 60])
    expect([gate.writes < 40, Number(await counted()) > 40]).toEqual([true, true])
    await limiter.close()
    expect(await counted()).toBe(40)
  })

  test('A limiter uses what it reserved for a costly caller, and nothing of it in the next window.', async () => {
    const { take, time, counted, gate } = await limiting()
    for (let n = 0; n < 40; n++) await take(1000)
    const reserved = Number(await counted()) - 40
    expect(reserved).toBeGreaterThan(0)
    const { writes } = gate
    expect(await take(1000, reserved + 1)).toEqual([true, 1000 - 40 - (reserved + 1), 60])
    expect(gate.writes).toBe(writes + 1)
    for (let n = 0; n < 3; n++) await take(1000)
    time.now += 60_000
    expect(await take(1000)).toEqual([true, 999, 60])
    expect(await counted()).toBe(1)
  })

  test('A limiter keeps to a window that begins up to five seconds ahead, as clocks differ.', async () => {
    const { take, time } = await limiting()
    await take(9)
    time.now -= 5_000
    expect(await take(9)).toEqual([true, 7, 60])
    time.now -= 1
    expect(await take(9)).toEqual([true, 8, 60])
  })

  test('A limiter answers from memory for a second that a window is full, and not for longer.', async () => {
    const { take, time, gate, bucket } = await limiting()
    for (let n = 0; n < 2; n++) await take(1)
    const writes = gate.writes
    time.now += 999
    expect([await take(1), gate.writes]).toEqual([[false, 0, 60], writes])
    await (await sharedStore()).write((tx) => tx.run(sql`UPDATE rate_windows SET count = 0 WHERE bucket = ${bucket}`))
    time.now += 1
    expect([await take(1), gate.writes]).toEqual([[true, 0, 59], writes + 1])
  })
})

test('The headers of a limit are those of the specification and of the draft.', () => {
  const allowance = { limit: 20, remaining: 3, reset_seconds: 7, allowed: false }
  expect(rateHeaders(allowance, 'read')).toEqual({
    'RateLimit-Limit': '20',
    'RateLimit-Remaining': '3',
    'RateLimit-Reset': '7',
    'RateLimit-Policy': '"read";q=20;w=60',
    RateLimit: '"read";r=3;t=7',
  })
  expect(rateLimited(allowance)).toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '7' } })
})
