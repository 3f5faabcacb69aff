import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createRateLimiter, takeQuota } from '../../src/operation/rate-limit.ts'
import { openStore } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'
import { makeLoneProject, post, withDatabase } from '../support/lone-project.ts'
import { startServiceProcess } from '../support/service-process.ts'
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

test('What fails validation counts, what is refused before does not, and a bad token floods nobody.', async () => {
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

test('What was taken ahead and not used goes back soon, and at once when the service stops.', async () => {
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
  await store.write((tx) => takeQuota(tx, 'bucket', 300, now))
  await limiter.close()
  expect(await count()).toBe(1)
  await store.close()
})
