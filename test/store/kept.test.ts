import { Database } from 'bun:sqlite'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'bun:test'
import { configOf } from '../../src/config.ts'
import { migrationsFolder, startService } from '../../src/service.ts'
import { mastheadHere } from '../cli/masthead.ts'
import { scratchFolder } from '../support/folder.ts'

/**
 * A database of each version, named by its last migration, with a row in every table. After a release with a new
 * migration, `RECORD=1 bun test test/store/kept.test.ts` stores the newest one again as that migration leaves it; rows
 * for its new tables are added by hand.
 */
const kept = join(import.meta.dir, 'kept')
const SECRET_KEY = 'kept-database-of-the-first-baseline-0001'
const API_KEY = 'svc_pk_Y3XdgLDiYHmPYp2gy6aoIUJz30LIMqFfQH_enhALzkw'

/** Tables whose rows a start or the cleanup may remove. */
const PASSING = new Set(['workers', 'rate_windows', 'sessions', 'password_resets'])

const scratch = scratchFolder()
const last = readdirSync(migrationsFolder).toSorted().at(-1)!.slice(0, 4)
const versions = readdirSync(kept).map((name) => name.slice(0, 4))

function unpack(version: string, name: string): string {
  mkdirSync(join(scratch, name))
  const file = join(scratch, name, 'masthead.db')
  writeFileSync(file, Bun.zstdDecompressSync(readFileSync(join(kept, `${version}.db.zst`))))
  return file
}

function inFile<T>(file: string, work: (database: Database) => T): T {
  const database = new Database(file)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Tables that have a row, or none. */
const tables = (file: string, has: 'rows' | 'none'): string[] =>
  inFile(file, (database) =>
    database
      .query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .values()
      .map(([name]) => String(name))
      .filter((name) => database.query(`SELECT 1 FROM "${name}" LIMIT 1`).values().length === (has === 'rows' ? 1 : 0)),
  )

const problems = (file: string): unknown[] =>
  inFile(file, (database) => [
    ...database.query('PRAGMA integrity_check').values().flat(),
    ...database.query('PRAGMA foreign_key_check').values(),
  ])

const command = (...words: string[]) => mastheadHere(scratch, [...words, '--secret-key', SECRET_KEY])

describe.each(versions)('Of the kept database of version %s:', (version) => {
  test('Every table has a row.', () => {
    expect(tables(unpack(version, `full-${version}`), 'none')).toEqual([])
  })

  test('A start upgrades it, and everybody finds what was there.', async () => {
    const file = unpack(version, `start-${version}`)
    const full = new Set(tables(file, 'rows'))
    const data_dir = join(scratch, `start-${version}`)
    const config = configOf({ data_dir, secret_key: SECRET_KEY, port: 0, log_level: 'error', sandbox: true })
    const service = await startService(config, { loops: 'still' })
    const call = async (operation: string, body: object = {}) => {
      const url = `${service.url}/general/api/v1/newsletter/${operation}`
      const headers = { Authorization: API_KEY, 'Content-Type': 'application/json', 'Idempotency-Key': operation }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await answer.json()) as { data: Record<string, any> }).data
    }
    const { items } = (await call('contacts/list')) as { items: { email: string; status: string }[] }
    expect(items.map(({ email }) => email)).toContain('ada@readers.example')
    const { items: sent } = (await call('campaigns/list')) as { items: { id: number; name: string; status: string }[] }
    expect(sent.map(({ name, status }) => [name, status])).toContainEqual(['Spring', 'sent'])
    const { items: left } = (await call('suppressions/list')) as { items: { email: string }[] }
    expect(left.map(({ email }) => email)).toContain('never@readers.example')
    expect((await fetch(`${service.url}/sites/harbour-news/`)).status).toBe(200)
    await service.close()
    expect(problems(file)).toEqual(['ok'])
    expect(tables(file, 'none').filter((name) => full.has(name) && !PASSING.has(name))).toEqual([])
  })

  test('A restore upgrades it, and its contacts and suppressions are exported.', async () => {
    const file = unpack(version, `old-${version}`)
    const data = ['--data-dir', join(scratch, `restored-${version}`)]
    const restored = await command('restore', file, ...data)
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('Restored ')])
    const exported = await command('contacts', 'export', 'harbour-news', ...data)
    expect(exported.stdout).toContain('ada@readers.example')
    expect(
      (await command('suppressions', 'export', 'harbour-news', join(scratch, `${version}.csv`), ...data)).code,
    ).toBe(0)
    expect(readFileSync(join(scratch, `${version}.csv`), 'utf8')).toContain('never@readers.example')
    const took = readdirSync(join(scratch, `restored-${version}`)).filter((name) => name.includes('-before-'))
    expect(took).toHaveLength(version === last ? 0 : 1)
  })
})

if (process.env.RECORD === '1' && !versions.includes(last))
  test('The newest version is kept.', async () => {
    const file = unpack(versions.toSorted().at(-1)!, 'newest')
    expect((await command('migrate', '--data-dir', join(scratch, 'newest'))).code).toBe(0)
    inFile(file, (database) => database.run('VACUUM'))
    writeFileSync(join(kept, `${last}.db.zst`), Bun.zstdCompressSync(readFileSync(file), { level: 19 }))
  })
