import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { FixedClock } from '../src/clock.ts'
import { type Config, ConfigError, configOf } from '../src/config.ts'
import {
  databaseUrl,
  dataFolder,
  factsFolder,
  followKeyFile,
  forgetKey,
  journalFolder,
  keyProblem,
  keysOf,
  openKeys,
  recordedKeys,
  recordFactFolder,
  rotateKeys,
  sandboxProblem,
} from '../src/instance.ts'
import type { Log } from '../src/log.ts'
import { Keys, newMasterKey } from '../src/secrets.ts'
import { migrationsFolder } from '../src/service.ts'
import type { FactLog } from '../src/store/facts.ts'
import { migrate } from '../src/store/migrate.ts'
import { openStore, type Store } from '../src/store/open.ts'
import { scratchFolder } from './support/folder.ts'

const NOW = 1_750_000_000_000
const folder = scratchFolder()
let made = 0
let data_dir: string
let config: Config
let store: Store
const file = () => join(data_dir, 'secret.key')
const ring = () => readFileSync(file(), 'utf8').trimEnd().split('\n')
const idOf = (master: string) => new Keys(master).newest_id
const recorded = async () => (await recordedKeys(store.query)).map(({ key_id }) => key_id)

beforeEach(async () => {
  data_dir = join(folder, `data-${++made}`)
  config = configOf({ data_dir })
  dataFolder(config)
  store = await openStore({ url: databaseUrl(config) })
  await migrate(store, migrationsFolder, new FixedClock(NOW))
})
afterEach(() => store.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('A mailbox of the sandbox is a problem when others than this machine can reach it, by either name.', () => {
  const problem = (more: Partial<Config>) => sandboxProblem(configOf({ sandbox: true, host: '127.0.0.1', ...more }))
  expect(problem({})).toBeNull()
  expect(problem({ host: '::1', base_url: 'http://localhost:8080' })).toBeNull()
  expect(problem({ base_url: 'https://news.example' })).toContain('Anyone who reaches news.example can read')
  expect(problem({ host: '0.0.0.0' })).toContain('Anyone who reaches 0.0.0.0 can read')
  expect(problem({ host: '0.0.0.0', sandbox: false })).toBeNull()
})

test('The first start makes a key and records it, and later starts use it.', async () => {
  const keys = await openKeys(config, store, NOW)
  expect([ring().map(idOf), await recorded()]).toEqual([[keys.newest_id], [keys.newest_id]])
  const again = await openKeys(config, store, NOW + 1)
  expect(again.newest_id).toBe(keys.newest_id)
  expect(await recordedKeys(store.query)).toMatchObject([{ key_id: keys.newest_id, created_at: NOW }])
})

test('The first start makes the folder of the key when the database is elsewhere.', async () => {
  data_dir = join(folder, `data-${++made}`)
  const { newest_id } = await openKeys(configOf({ data_dir }), store, NOW)
  expect(ring().map(idOf)).toEqual([newest_id])
})

test('A database whose key is missing, or that was made with another one, is refused with its source.', async () => {
  const { newest_id } = await openKeys(config, store, NOW)
  rmSync(file())
  await expect(openKeys(config, store, NOW)).rejects.toThrow(`${file()} is missing. The database needs the key`)
  expect(existsSync(file())).toBe(false)
  writeFileSync(file(), newMasterKey(), { mode: 0o600 })
  const strange = `${file()} is not the secret key that the database was made with. The database needs the key`
  await expect(openKeys(config, store, NOW)).rejects.toThrow(`${strange} ${newest_id}.`)
  expect(await recorded()).toEqual([newest_id])
  const environment = configOf({ data_dir, secret_key: newMasterKey() })
  await expect(openKeys(environment, store, NOW)).rejects.toThrow('MASTHEAD_SECRET_KEY is not the secret key')
})

test('A previous key that nothing sealed needs is warned about, and one that something needs is fatal.', async () => {
  const keys = await openKeys(config, store, NOW)
  const [old] = ring() as [string]
  await rotateKeys(config, store, keys, NOW + 1)
  const [newest] = ring() as [string]
  expect(ring()).toEqual([newest, old])
  expect(await recorded()).toEqual([idOf(old), idOf(newest)])
  writeFileSync(file(), newest)
  const warnings: string[] = []
  await openKeys(config, store, NOW, (message) => warnings.push(message))
  expect(warnings).toEqual([expect.stringContaining(`lacks the previous key ${idOf(old)}. Links that were made`)])
  await store.write((tx) =>
    tx.script(`INSERT INTO account_messages (kind, recipient, content_sealed, state, next_attempt_at, expires_at,
      created_at) VALUES ('sign_up', 'x', '${idOf(old)}sealed', 'queued', 0, 0, 0)`),
  )
  const lacking = `lacks the previous key ${idOf(old)}, which credentials in the database are sealed with.`
  await expect(openKeys(config, store, NOW)).rejects.toThrow(lacking)
  expect(await keyProblem(store.query, new Keys([newest, old]), config)).toBeNull()
})

test('A forgotten key leaves the database and the key file, and no other does.', async () => {
  const keys = await openKeys(config, store, NOW)
  await rotateKeys(config, store, keys, NOW + 1)
  const [newest, old] = ring() as [string, string]
  await store.write((tx) => forgetKey(tx, config, idOf(old)))
  expect([ring(), await recorded()]).toEqual([[newest], [idOf(newest)]])
  const environment = configOf({ data_dir, secret_key: newest })
  await store.write((tx) => forgetKey(tx, environment, idOf(newest)))
  expect([ring(), await recorded()]).toEqual([[newest], []])
})

test('A token with an unknown key makes the ring read the file again, but never a damaged one.', async () => {
  const keys = await openKeys(config, store, NOW)
  const other = newMasterKey()
  const signed = new Keys(other).sign('cursor', 'text')
  expect(keys.verify('cursor', signed)).toBeNull()
  const [own] = ring() as [string]
  writeFileSync(file(), 'short')
  expect(keys.verify('cursor', signed)).toBeNull()
  expect(String(keys.verify('cursor', keys.sign('cursor', 'mine')))).toBe('mine')
  writeFileSync(file(), `${own}\n${other}\n`)
  expect(String(keysOf(config).verify('cursor', signed))).toBe('text')
  const environment = configOf({ data_dir, secret_key: own })
  expect(keysOf(environment).verify('cursor', signed)).toBeNull()
})

test('A changed key file is followed, unless it cannot read the database, which is logged once.', async () => {
  const keys = await openKeys(config, store, NOW)
  const [own] = ring() as [string]
  let follow: () => void = () => undefined
  const interval = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, ms: number) => {
    expect(ms).toBe(1000)
    follow = work
    return { unref: () => undefined }
  }) as never)
  const logged: unknown[][] = []
  const log = {
    info: (...given: unknown[]) => void logged.push(['info', ...given]),
    error: (message: string, fields: object) => void logged.push(['error', message, fields]),
  } as unknown as Log
  const write = spyOn(store, 'write')
  const unfollow = followKeyFile({ keys, config, store, log, clock: new FixedClock(NOW + 7) })
  const look = async () => {
    follow()
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
  }
  await look()
  expect([logged, write.mock.calls.length]).toEqual([[], 0])

  const next = newMasterKey()
  writeFileSync(file(), `${next}\n${own}\n`)
  follow()
  while (logged.length === 0) await new Promise(setImmediate)
  expect(keys.newest_id).toBe(idOf(next))
  expect(logged).toEqual([['info', 'the key ring changed', { newest: idOf(next) }]])
  expect(await recordedKeys(store.query)).toMatchObject([{}, { key_id: idOf(next), created_at: NOW + 7 }])

  writeFileSync(file(), newMasterKey())
  await look()
  await look()
  expect([logged.length, keys.newest_id]).toEqual([2, idOf(next)])
  expect(logged[1]).toMatchObject(['error', 'the changed key file is not used', {}])
  rmSync(file())
  await look()
  expect(JSON.stringify(logged[2])).toContain('secret.key is missing.')
  writeFileSync(file(), 'short')
  await look()
  await look()
  expect(logged).toHaveLength(4)

  const clear = spyOn(globalThis, 'clearInterval').mockImplementation(() => undefined)
  unfollow()
  expect(clear).toHaveBeenCalledTimes(1)
  const environment = configOf({ data_dir, secret_key: own })
  followKeyFile({ keys, config: environment, store, log, clock: new FixedClock(NOW) })()
  expect([interval.mock.calls.length, clear.mock.calls.length]).toEqual([1, 1])
  interval.mockRestore()
  clear.mockRestore()
})

test('A database that no service has opened has no keys.', async () => {
  const empty = await openStore({ url: `file:${join(folder, 'empty.db')}` })
  expect(await recordedKeys(empty.query)).toEqual([])
  expect(await keyProblem(empty.query, new Keys(newMasterKey()), config)).toBeNull()
  await empty.close()
})

test('A database records each folder of its facts once, with the time of the first use.', async () => {
  const facts = { folder_id: 'fct_one' } as FactLog
  await recordFactFolder({ ...store, facts: null }, NOW)
  await recordFactFolder({ ...store, facts }, NOW)
  await recordFactFolder({ ...store, facts }, NOW + 1)
  expect(await store.query('SELECT id, first_used_at FROM fact_folders')).toEqual([
    { id: 'fct_one', first_used_at: NOW },
  ])
})

test('Everything is below the data folder, which is private, and a database elsewhere is as it is set.', () => {
  expect(statSync(data_dir).mode & 0o777).toBe(0o700)
  expect(databaseUrl(config)).toBe(`file:${join(data_dir, 'masthead.db')}`)
  expect(databaseUrl(configOf({ data_dir, database_url: 'http://db.example' }))).toBe('http://db.example')
  expect([journalFolder(config), factsFolder(config)]).toEqual([join(data_dir, 'handover'), join(data_dir, 'facts')])
  writeFileSync(join(folder, 'a-file'), '')
  const wrong = configOf({ data_dir: join(folder, 'a-file/data') })
  expect(() => dataFolder(wrong)).toThrow(ConfigError)
  chmodSync(data_dir, 0o700)
})
