import { Database } from 'bun:sqlite'
import { beforeAll, expect, mock, test } from 'bun:test'
import * as files from 'node:fs'
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { doctor } from '../../src/cli/doctor.ts'
import { migrateNow } from '../../src/cli/database.ts'
import { scratchFolder } from '../support/folder.ts'

const parent = scratchFolder()
const folder = join(parent, 'data')
const settings = (more: object = {}) => ({ flags: { data_dir: folder, port: '0', ...more }, file: undefined })
const call = (more?: object) => ({ flags: {}, args: [], json: true, settings: settings(more) })

/** The checks by name, and the exit code. */
async function examine(more?: object): Promise<Record<string, unknown>> {
  const { code, data } = await doctor.run(call(more))
  const { ok, checks } = data as { ok: boolean; checks: { name: string; ok: boolean; message: string }[] }
  expect(code).toBe(ok ? 0 : 1)
  return { code, ...Object.fromEntries(checks.map((check) => [check.name, check.ok || check.message])) }
}

/** Changes the database between two examinations, which see it after it was closed. */
function change(statement: string): void {
  const database = new Database(join(folder, 'masthead.db'))
  database.run(statement)
  database.close()
}

beforeAll(async () => {
  expect(await examine()).toEqual({ code: 0, data_folder: true, secret_key: true, database: true, port: true })
  expect(existsSync(folder)).toBe(false)
  const mask = process.umask(0o077) // as the program sets it
  await migrateNow.run(call())
  process.umask(mask)
})

test('Nothing is wrong with a migrated data folder.', async () => {
  const checks = await examine()
  expect(Object.values(checks).filter((value) => value !== true)).toEqual([0])
  expect(Object.keys(checks)).toContain('migrations')
})

test.each([
  [500, true],
  [499, '499 MB free.'],
])('Of a disk with %i MB free, this is said: %p.', async (free, said) => {
  const before = { ...files }
  const statfsSync = () => ({ bavail: free * 256, bsize: 4096 })
  await mock.module('node:fs', () => ({ ...before, statfsSync }))
  const { disk_space } = await examine().finally(() => mock.module('node:fs', () => before))
  expect(disk_space).toBe(said)
})

test('A port that is left to the service is not tried.', async () => {
  const { checks } = (await doctor.run(call())).data as { checks: { name: string; message: string }[] }
  expect(checks.find(({ name }) => name === 'port')!.message).toBe('The service picks a free port.')
})

test('The largest tables are told with their sizes.', async () => {
  const { checks } = (await doctor.run(call())).data as { checks: { name: string; message: string }[] }
  expect(checks.find(({ name }) => name === 'table_sizes')!.message).toMatch(
    /^The largest tables: (\w+ \d+\.\d MB, ){4}\w+ \d+\.\d MB\. /,
  )
})

test('A data folder that everybody can open is reported.', async () => {
  chmodSync(folder, 0o755)
  const { code, data_folder } = await examine()
  expect([code, data_folder]).toEqual([1, expect.stringContaining(`chmod 700 ${folder}`)])
  chmodSync(folder, 0o700)
})

test('Another key than the one of the database is reported, and a key that is missing.', async () => {
  expect(await examine({ secret_key: 'x'.repeat(64) })).toMatchObject({
    code: 1,
    secret_key: expect.stringContaining('is not the secret key that the database was made with'),
  })
  const { secret_key } = await withoutKey(() => examine())
  expect(secret_key).toContain('is missing, but the database needs the key it was made with')
})

test('A mailbox of the sandbox that others can reach is reported, and one of this machine is not.', async () => {
  const sandbox = async (more: object) => (await examine({ sandbox: 'true', ...more })).sandbox
  const reached = expect.stringContaining('can read the mailbox of the sandbox')
  expect(await sandbox({ base_url: 'https://news.example.com' })).toEqual(reached)
  expect(await sandbox({ host: '0.0.0.0', base_url: 'http://localhost:8787' })).toEqual(reached)
  for (const own of [{}, { host: '::1' }, { base_url: 'http://localhost:8787' }])
    expect([own, await sandbox(own)]).toEqual([own, undefined])
})

test('Links that recipients cannot follow are reported once a project has a relay.', async () => {
  const base_url = async (more: object = {}) => (await examine(more)).base_url
  expect(await base_url()).toBeUndefined()
  change(`
    INSERT INTO connections (project_id, name, name_key, provider, created_at, updated_at)
    VALUES (1, 'Relay', 'relay', 'smtp', 0, 0)`)
  expect(await base_url()).toEqual(expect.stringContaining('MASTHEAD_BASE_URL'))
  expect(await base_url({ base_url: 'http://news.example.com' })).toEqual(expect.stringContaining('needs https'))
  expect(await base_url({ base_url: 'https://news.example.com' })).toBe(true)
  change('DELETE FROM connections')
})

test('A port that is in use is reported.', async () => {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  expect(await examine({ port: String(listener.port), host: '127.0.0.1' })).toMatchObject({
    code: 1,
    port: expect.stringContaining(`Cannot listen on port ${listener.port}`),
  })
  listener.stop(true)
})

test('A damaged database is reported.', async () => {
  const damaged = join(parent, 'damaged.db')
  writeFileSync(damaged, 'no database '.repeat(500))
  expect(await examine({ database_url: `file:${damaged}` })).toMatchObject({
    code: 1,
    database: expect.stringContaining('does not respond'),
  })
  const copy = join(parent, 'copy.db')
  copyFileSync(join(folder, 'masthead.db'), copy)
  const database = new Database(copy, { readonly: true })
  const [[page]] = database.query("SELECT rootpage FROM sqlite_schema WHERE name = 'pages'").values() as [[number]]
  database.close()
  const bytes = readFileSync(copy)
  writeFileSync(copy, bytes.fill(0xff, (page - 1) * 4096, page * 4096), { mode: 0o600 })
  expect(await examine({ database_url: `file:${copy}` })).toMatchObject({
    code: 1,
    integrity: expect.stringContaining('The database is damaged'),
    migrations: true,
  })
})

async function withoutKey<T>(work: () => Promise<T>): Promise<T> {
  const path = join(folder, 'secret.key')
  const key = await Bun.file(path).text()
  rmSync(path)
  try {
    return await work()
  } finally {
    writeFileSync(path, key, { mode: 0o600 })
  }
}

test('A database that was put back is reported, with what the next start does.', async () => {
  change("INSERT INTO database_place VALUES (1, '1.1@')")
  expect((await examine()).facts).toContain('or was moved to another disk or machine. The next start replays the facts')
  change('DELETE FROM database_place')
  expect((await examine()).facts).toBe(true)
})

test('A break in the audit log is reported with its row.', async () => {
  expect((await examine()).audit_log).toBe(true)
  change("INSERT INTO audit_log (id, at, actor, action, outcome, hash) VALUES (1, 0, 'x', 'x', 'done', 'x')")
  expect(await examine()).toMatchObject({ code: 1, audit_log: expect.stringContaining('breaks at row 1.') })
  change('DELETE FROM audit_log')
})

test('Keys and databases that others can read are reported, whoever they are.', async () => {
  const key = join(folder, 'secret.key')
  chmodSync(key, 0o640)
  expect(await examine()).toMatchObject({
    code: 1,
    secret_key: `Other users can read ${key}. Run chmod 600 ${key}.`,
    file_modes: `Other users can read ${key}. Run chmod 600 ${key}.`,
  })
  chmodSync(key, 0o600)
  writeFileSync(join(folder, 'old.db'), '', { mode: 0o644 })
  chmodSync(join(folder, 'old.db'), 0o604)
  expect((await examine()).file_modes).toContain(join(folder, 'old.db'))
  rmSync(join(folder, 'old.db'))
  expect(await examine()).toMatchObject({ code: 0, file_modes: true, secret_key: true })
})
