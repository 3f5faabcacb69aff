import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'bun:test'
import { FixedClock } from '../../src/clock.ts'
import { migrationsFolder } from '../../src/service.ts'
import { migrate, pendingMigrations } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const clock = new FixedClock(1_750_000_000_000)
const fresh = (name: string) => openStore({ url: `file:${join(folder, name)}` })

function ownMigrations(name: string): string {
  const copy = join(folder, name)
  mkdirSync(copy, { recursive: true })
  cpSync(migrationsFolder, copy, { recursive: true })
  return copy
}

test('An empty database gets all migrations once, and the report names them.', async () => {
  const store = await fresh('empty.db')
  const all = readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  expect(await pendingMigrations(store.query, migrationsFolder)).toEqual(all)
  expect((await migrate(store, migrationsFolder, clock)).applied).toEqual(all)
  expect((await migrate(store, migrationsFolder, clock)).applied).toEqual([])
  expect(await pendingMigrations(store.query, migrationsFolder)).toEqual([])
})

test('Several processes that start at once apply each migration once.', async () => {
  const url = `file:${join(folder, 'race.db')}`
  const script = join(import.meta.dir, '../support/migrating-process.ts')
  const processes = [1, 2, 3].map(() =>
    Bun.spawn([process.execPath, script, url, migrationsFolder], { stdout: 'pipe', stderr: 'inherit' }),
  )
  const applied = await Promise.all(
    processes.map(async ({ stdout }) => JSON.parse(await new Response(stdout).text()) as string[]),
  )
  expect(applied.flat().sort()).toEqual(
    readdirSync(migrationsFolder)
      .filter((name) => name.endsWith('.sql'))
      .sort(),
  )
})

test('A migration that was edited after it was applied stops the start.', async () => {
  const store = await fresh('edited.db')
  const copy = ownMigrations('edited')
  await migrate(store, copy, clock)
  const [first] = readdirSync(copy).sort()
  writeFileSync(join(copy, first!), `${readFileSync(join(copy, first!), 'utf8')}\n-- a late thought\n`)
  await expect(migrate(store, copy, clock)).rejects.toThrow('is not the one this database was made with')
})

test('A database of a newer release stops the start.', async () => {
  const store = await fresh('newer.db')
  const copy = ownMigrations('newer')
  const next = String(readdirSync(copy).length + 1).padStart(4, '0')
  writeFileSync(join(copy, `${next}_later.sql`), 'CREATE TABLE later (id INTEGER) STRICT;')
  await migrate(store, copy, clock)
  await expect(migrate(store, migrationsFolder, clock)).rejects.toThrow('newer release')
})

test('A folder that lacks a migration before its last one stops the start.', async () => {
  const store = await fresh('gap.db')
  const copy = ownMigrations('gap')
  const next = String(readdirSync(copy).length + 2).padStart(4, '0')
  writeFileSync(join(copy, `${next}_later.sql`), 'CREATE TABLE later (id INTEGER) STRICT;')
  await expect(migrate(store, copy, clock)).rejects.toThrow(`Migration ${next}_later.sql is out of order.`)
  expect(await store.query('SELECT name FROM sqlite_master')).toEqual([])
})

test('A migration that fails half way changes nothing.', async () => {
  const store = await fresh('half.db')
  const copy = ownMigrations('half')
  const next = String(readdirSync(copy).length + 1).padStart(4, '0')
  writeFileSync(
    join(copy, `${next}_broken.sql`),
    'CREATE TABLE first (id INTEGER) STRICT; CREATE TABLE first (id INTEGER) STRICT;',
  )
  await expect(migrate(store, copy, clock)).rejects.toThrow()
  expect(await store.query("SELECT name FROM sqlite_master WHERE name = 'first'")).toEqual([])
  expect(await pendingMigrations(store.query, copy)).toEqual([`${next}_broken.sql`])
})

test('The tables in the code are the tables of the migrations.', async () => {
  const store = await fresh('shape.db')
  await migrate(store, migrationsFolder, clock)
  const modules = await Promise.all(
    readdirSync(join(import.meta.dir, '../../src/store/tables')).map(
      (name) => import(`../../src/store/tables/${name}`) as Promise<Record<string, unknown>>,
    ),
  )
  const tables = modules
    .flatMap((module) => Object.values(module))
    .filter(
      (value): value is SQLiteTable =>
        typeof value === 'object' && value !== null && Symbol.for('drizzle:IsDrizzleTable') in value,
    )
  expect(tables.length).toBeGreaterThan(20)
  for (const table of tables) {
    const { name, columns } = getTableConfig(table)
    const rows = await store.query(`SELECT name, "notnull" AS required, pk FROM pragma_table_xinfo('${name}')`)
    const inDatabase = rows.map((row) => `${String(row.name)}${row.required || row.pk ? '!' : ''}`).sort()
    expect({
      name,
      columns: columns.map((column) => `${column.name}${column.notNull || column.primary ? '!' : ''}`).sort(),
    }).toEqual({ name, columns: inDatabase })
  }
})
