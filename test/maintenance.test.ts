import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { DAY_MS, HOUR_MS } from '../src/clock.ts'
import { factsFolder } from '../src/instance.ts'
import { maintain, retentionRules } from '../src/maintenance.ts'
import { applyRetention, deleteWhere, type RetentionRule } from '../src/store/retention.ts'
import { createWorld, loopContext } from './support/world.ts'

test('The documented retention is the one of the rules.', () => {
  const page = readFileSync(join(import.meta.dir, '../docs/api/limits.md'), 'utf8')
  const [, documented] = /<!-- retention: begin -->\n([\s\S]*?)\n<!-- retention: end -->/.exec(page)!
  const rows = retentionRules.map(({ rows, kept }) => `| ${rows} | ${kept} |`)
  expect(documented).toBe(['| What | Kept |', '|---|---|', ...rows].join('\n'))
})

test('Every rule removes what is as old as its row of the documentation says, by the time or by the day.', () => {
  const now = 20_833.5 * DAY_MS
  const units: Record<string, number> = { second: 1000, hour: HOUR_MS, day: DAY_MS }
  const wrong = retentionRules.flatMap(({ rows, kept, statement }) => {
    const [, count, unit] = /^(\d+) (second|hour|day)/.exec(kept) ?? []
    const age = kept.startsWith('until they expire') ? 0 : Number(count) * units[unit ?? 'day']!
    const { params } = new SQLiteSyncDialect().sqlToQuery(statement(now, 1))
    return Number.isNaN(age) || params.includes(now - age) || params.includes(Math.floor((now - age) / DAY_MS))
      ? []
      : [`${rows}: ${kept}`]
  })
  expect(wrong).toEqual([])
})

test('Every rule is a statement that the database accepts, and an empty database has nothing to remove.', async () => {
  const world = await createWorld()
  expect(await applyRetention(world.service.runtime.store, retentionRules, world.clock.now())).toBe(false)
  await world.close()
})

test('A rule removes one batch of expired rows and asks to run again while a batch was full.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  const rule: RetentionRule = {
    rows: 'counters',
    kept: '1 second',
    batch: 2,
    statement: (now, limit) => deleteWhere('rate_windows', 'bucket', sql`started_at <= ${now - 1000}`, limit),
  }
  await store.write((tx) => tx.script('DELETE FROM rate_windows'))
  for (const [bucket, started_at] of [
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['fresh', 10_000],
  ] as const)
    await store.write((tx) =>
      tx.run(
        sql`INSERT INTO rate_windows (bucket, started_at, count, granted) VALUES (${bucket}, ${started_at}, 1, 1)`,
      ),
    )
  expect(await applyRetention(store, [rule], 10_000)).toBe(true)
  expect(await applyRetention(store, [rule], 10_000)).toBe(false)
  expect(await store.query('SELECT bucket FROM rate_windows')).toEqual([{ bucket: 'fresh' }])
  await world.close()
})

test('The hourly cleanup removes old facts, dead workers and imports that nobody went on with.', async () => {
  const world = await createWorld({ facts_days: 3 })
  const { runtime } = world.service
  const warnings: unknown[] = []
  const log = { ...runtime.log, warn: (...said: unknown[]) => void warnings.push(said) }
  const now = world.clock.now()
  const facts = factsFolder(runtime.config)
  const dayOf = (days_ago: number) => `${new Date(now - days_ago * DAY_MS).toISOString().slice(0, 10)}.log`
  for (const days_ago of [5, 4, 3, 2]) writeFileSync(join(facts, dayOf(days_ago)), '')
  await runtime.store.write((tx) =>
    tx.script(`
      INSERT INTO workers (id, host, pid, started_at, alive_until, loops)
      VALUES ('prc_dead', '', 1, 0, ${now}, '{}'), ('prc_alive', '', 2, 0, ${now + 1}, '{}');
      INSERT INTO imports (project_id, status, size_bytes, delimiter, columns, created_at, updated_at)
      VALUES (${world.project.id}, 'staged', 1, ',', '[]', 0, ${now - 7 * DAY_MS}),
        (${world.project.id}, 'staged', 1, ',', '[]', 0, ${now - 7 * DAY_MS + 1});
      INSERT INTO totp_factors (user_id, secret_sealed, last_step, created_at)
      VALUES ('${world.users.owner}', '00000sealed-with-a-lost-key', 0, 0)`),
  )
  expect(await maintain({ ...loopContext(runtime), log })).toBe(false)
  expect([dayOf(5), dayOf(4), dayOf(3), dayOf(2)].filter((name) => existsSync(join(facts, name)))).toEqual([
    dayOf(3),
    dayOf(2),
  ])
  expect(await runtime.store.query('SELECT id FROM workers')).toEqual([{ id: 'prc_alive' }])
  expect(await runtime.store.query('SELECT status FROM imports ORDER BY id')).toEqual([
    { status: 'cancelled' },
    { status: 'staged' },
  ])
  expect(warnings).toEqual([['stored credentials cannot be decrypted', { count: 1 }]])
  await world.close()
})
