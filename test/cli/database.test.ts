import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'bun:test'
import { databaseFile, noteMilestone } from '../../src/cli/database.ts'
import { configOf } from '../../src/config.ts'
import { openStore } from '../../src/store/open.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'
import { start } from './masthead.ts'

const folder = scratchFolder()
const path = (name: string) => join(folder, name)
let data: DataFolder
beforeAll(async () => {
  data = await dataFolder(path('data'))
})

test('A migration says what it applied, and the next one that there was nothing.', async () => {
  const first = await data.run('migrate', '--data-dir', path('fresh'))
  const { applied, version } = first.data as { applied: string[]; version: number }
  expect(first.text).toBe(`Applied ${applied.join(', ')}.`)
  expect([applied.length, applied.at(-1)]).toEqual([version, expect.stringMatching(/^\d{4}_\w+\.sql$/)])
  expect(await data.run('migrate', '--data-dir', path('fresh'))).toMatchObject({
    text: `The database is up to date at ${version}.`,
    data: { applied: [] },
  })
})

test('A backup is a whole database that only its owner can read; it names the key to keep, and is noted.', async () => {
  // Another test may have made one.
  await data.withStore((store) => store.write((tx) => tx.script('DELETE FROM milestones')))
  const file = path('kept.db')
  const { text, data: told } = await data.run('backup', file)
  const { size } = statSync(file)
  const secret_key = path('data/secret.key')
  const holds = { projects: 1, contacts: 0, users: 1, campaigns: 0, newest_at: null }
  expect(told).toEqual({ file, size_bytes: size, secret_key, holds })
  expect(text!.split('\n')).toEqual([
    `Copied the database to ${file} (${size} bytes).`,
    'It holds 1 projects, 0 contacts, 1 users and 0 campaigns, no change yet.',
    'The backup does not contain the secret key. Without the key, stored credentials and sent links stop working.',
    `Back up ${secret_key} too.`,
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const copy = await openStore({ url: `file:${file}` })
  expect(await copy.query('SELECT slug FROM projects')).toMatchObject([{ slug: 'harbour' }])
  expect(await copy.query('SELECT * FROM milestones')).toEqual([])
  await copy.close()
  const noted = () => data.withStore((store) => store.query('SELECT name, details FROM milestones'))
  const [row, ...others] = await noted()
  expect([row!.name, JSON.parse(String(row!.details)), others]).toEqual(['backup', { file, size_bytes: size }, []])
  await data.run('backup', path('later.db'))
  expect((await noted()).map(({ details }) => JSON.parse(String(details)).file)).toEqual([path('later.db')])
})

test('A backup replaces no file and makes no folder, and needs a database.', async () => {
  writeFileSync(path('mine.db'), 'mine')
  await expect(data.run('backup', path('mine.db'))).rejects.toThrow(`${path('mine.db')} already exists.`)
  await expect(data.run('backup', path('no/x.db'))).rejects.toThrow(`The folder ${path('no')} does not exist.`)
  mkdirSync(path('empty'))
  const without = data.run('backup', path('x.db'), '--data-dir', path('empty'))
  await expect(without).rejects.toThrow(`There is no database ${path('empty/masthead.db')}.`)
  expect([existsSync(path('x.db')), readdirSync(path('empty'))]).toEqual([false, []])
})

test('Only a database file can be copied.', () => {
  expect(databaseFile(configOf({ data_dir: path('data') }))).toBe(path('data/masthead.db'))
  expect(() => databaseFile(configOf({ database_url: 'http://127.0.0.1:8080' }))).toThrow('only on a database file')
})

test('A database of an earlier release has no place for milestones, and stays as it is.', async () => {
  const old = path('old.db')
  const store = await openStore({ url: `file:${old}` })
  await store.write((tx) => tx.script('CREATE TABLE users (id TEXT)'))
  await store.close()
  await noteMilestone(old, 'backup', old)
  const again = await openStore({ url: `file:${old}` })
  expect(await again.query("SELECT name FROM sqlite_master WHERE type = 'table'")).toMatchObject([{ name: 'users' }])
  await again.close()
})

test('A backup that is interrupted leaves nothing, and what a killed one left goes with the next.', async () => {
  const folder = path('large')
  await data.run('migrate', '--data-dir', folder)
  const database = new Database(join(folder, 'masthead.db'))
  database.run(
    'CREATE TABLE padding AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) ' +
      'SELECT i, randomblob(1000000) AS content FROM n',
  )
  database.close()
  const copies = path('copies')
  mkdirSync(copies)
  const interrupt = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const child = start(path('.'), ['backup', join(copies, 'one.db'), '--data-dir', folder])
    while (readdirSync(copies).length === 0) await Bun.sleep(1)
    child.kill(signal)
    return child.exited
  }
  expect([await interrupt('SIGTERM'), readdirSync(copies)]).toEqual([143, []])
  await interrupt('SIGKILL')
  const left = readdirSync(copies).filter((name) => name.endsWith('.part'))
  expect(left).toHaveLength(1)
  utimesSync(join(copies, left[0]!), 0, 0)
  await data.run('backup', join(copies, 'two.db'))
  expect(readdirSync(copies)).toEqual(['two.db'])
})
