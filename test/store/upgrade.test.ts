import { Database } from 'bun:sqlite'
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { FixedClock } from '../../src/clock.ts'
import { migrationsFolder } from '../../src/service.ts'
import { openStore } from '../../src/store/open.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { upgrade } from '../../src/store/upgrade.ts'
import { scratchFolder } from '../support/folder.ts'

const scratch = scratchFolder()

/** A database with one user, and a folder with the migrations and room for further ones. */
async function database(name: string) {
  const path = join(scratch, name, 'masthead.db')
  const folder = join(scratch, name, 'migrations')
  mkdirSync(folder, { recursive: true })
  cpSync(migrationsFolder, folder, { recursive: true })
  const clock = new FixedClock(1_800_000_000_000)
  const said: string[] = []
  const run = async (beside?: string) => {
    const store = await openStore({ url: `file:${path}` })
    const options = { folder, clock, url: `file:${path}`, ...(beside && { beside }) }
    try {
      return await upgrade(store, { ...options, say: (message) => void said.push(message) })
    } finally {
      await store.close()
    }
  }
  await run()
  const store = await openStore({ url: `file:${path}` })
  const at = { created_at: 0, updated_at: 0 }
  await store.write((tx) => tx.insert(users).values({ id: 'u', email: 'a@b.example', email_key: 'a@b.example', ...at }))
  await store.close()
  let next = readdirSync(folder).filter((file) => file.endsWith('.sql')).length
  const ship = (sql: string) => {
    next += 1
    writeFileSync(join(folder, `${String(next).padStart(4, '0')}_added.sql`), sql)
    return { number: String(next).padStart(4, '0'), fix: (text: string) => (next--, ship(text)) }
  }
  const snapshots = () =>
    readdirSync(join(scratch, name))
      .filter((file) => file.includes('-before-'))
      .toSorted()
  return { path, folder, clock, said, run, ship, snapshots }
}

const tablesIn = (file: string): string[] => {
  const opened = new Database(file, { readonly: true })
  const rows = opened.query("SELECT name FROM sqlite_master WHERE name LIKE 'added%' ORDER BY name").values()
  opened.close()
  return rows.map(([name]) => String(name))
}

test('A database with data is copied before it is migrated, and the newest two copies stay.', async () => {
  const { clock, said, run, ship, snapshots } = await database('kept')
  expect([said, snapshots()]).toEqual([[], []])
  const taken: string[] = []
  for (const name of ['added_1', 'added_2', 'added_3']) {
    const { number } = ship(`CREATE TABLE ${name} (id INTEGER) STRICT;`)
    clock.advance(1000)
    const { snapshot } = await run()
    expect(snapshot).toContain(`masthead-before-${number}-`)
    expect([statSync(snapshot!).mode & 0o777, tablesIn(snapshot!).includes(name)]).toEqual([0o600, false])
    taken.push(snapshot!)
  }
  expect(snapshots().map((name) => join(scratch, 'kept', name))).toEqual(taken.slice(1))
  expect(said).toHaveLength(3)
  expect((await run()).snapshot).toBeNull()
})

test('An upgrade that was interrupted goes on and keeps the copy from before it.', async () => {
  const { path, run, ship, snapshots, clock } = await database('interrupted')
  ship('CREATE TABLE added_1 (id INTEGER) STRICT;')
  const broken = ship('CREATE TABLE added_1 (id INTEGER) STRICT;')
  await expect(run()).rejects.toThrow()
  const first = snapshots()
  expect(tablesIn(path)).toEqual(['added_1'])
  broken.fix('CREATE TABLE added_2 (id INTEGER) STRICT;')
  clock.advance(1000)
  const { snapshot } = await run()
  expect(snapshots()).toEqual(first)
  expect([tablesIn(snapshot!), tablesIn(path)]).toEqual([[], ['added_1', 'added_2']])
  ship('CREATE TABLE added_3 (id INTEGER) STRICT;')
  clock.advance(1000)
  expect(tablesIn((await run()).snapshot!)).toEqual(['added_1', 'added_2'])
})

test('A refusal names the release that can still export the database, or the commit of its baseline.', async () => {
  const { path, ship, run } = await database('refused')
  ship('CREATE TABLE added_1 (id INTEGER) STRICT;')
  await run()
  const store = await openStore({ url: `file:${path}` })
  const refusal = () =>
    upgrade(store, { folder: migrationsFolder, clock: new FixedClock(0), url: '', say() {} }).then(
      () => '',
      (error: Error) => error.message,
    )
  expect(await refusal()).toContain(
    'Only masthead 0.1.0 (from a checkout) or a later one can start, back up and export',
  )
  await store.write((tx) =>
    tx.script(
      "DELETE FROM schema_migrations WHERE version > 1; UPDATE schema_migrations SET checksum = 'SWf0yTRbTNeYx', " +
        'applied_by = NULL',
    ),
  )
  expect(await refusal()).toContain('The build of commit af7eabb0 (2026-11-22) can still start and export it')
  await store.close()
})
