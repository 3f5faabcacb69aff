import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'bun:test'
import { note } from '../../src/audit/record.ts'
import { withCopy, withStore } from '../../src/cli/open.ts'
import { configOf } from '../../src/config.ts'
import { factsFolder } from '../../src/instance.ts'
import { factFolder } from '../../src/store/fact-folder.ts'
import type { Store } from '../../src/store/open.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'
import { mastheadHere } from './masthead.ts'

const folder = scratchFolder()
let data: DataFolder
beforeAll(async () => {
  data = await dataFolder(join(folder, 'data'))
})

const settings = (command?: string) => ({
  flags: { data_dir: data.path },
  file: undefined,
  ...(command && { command }),
})
const rowsIn = async (store: Store) =>
  (await store.query('SELECT actor, action, target, ip FROM audit_log ORDER BY id')).map((row) => Object.values(row))
const rows = () => data.withStore(rowsIn)
const change = (store: Store, target?: string) =>
  store.write(async (tx) => {
    await tx.run("UPDATE projects SET name = 'Changed'")
    if (target) note(tx, { target })
  })

test('Writes of a command leave rows under its name, and those of a loop the rows that it notes.', async () => {
  const before = await rows()
  await withStore(settings('dkim create'), ({ store }) => change(store, 'project:1'))
  await withStore(settings(), ({ store }) => change(store, 'project:2'))
  await withStore(settings('facts replay'), async ({ loop_store }) => {
    await change(loop_store)
    await change(loop_store, 'project:3')
  })
  expect((await rows()).slice(before.length)).toEqual([
    ['command line', 'dkim create', 'project:1', null],
    ['command line', 'command', 'project:2', null],
    ['command line', 'facts replay', 'project:3', null],
  ])
})

test('A command has the facts of its data folder, which the database names, and closes what it opened.', async () => {
  const { id } = factFolder(factsFolder(configOf({ data_dir: data.path })))!
  let kept: Store | undefined
  const failed = withStore(settings(), async ({ store, loop_store, migrated }) => {
    kept = store
    expect([store.facts?.folder_id, loop_store.facts?.folder_id, migrated.applied]).toEqual([id, id, []])
    throw new Error('It went wrong.')
  })
  await expect(failed).rejects.toThrow('It went wrong.')
  await expect(kept!.query('SELECT 1')).rejects.toThrow('closed')
  expect(await data.withStore((store) => store.query('SELECT id FROM fact_folders'))).toEqual([{ id }])
})

test('A copy is brought up to date and appends no facts; its rows need a key to sign them.', async () => {
  const path = join(folder, 'copy.db')
  const keyless = configOf({ data_dir: join(folder, 'nowhere') })
  let kept: Store | undefined
  const answer = await withCopy({ path: path }, keyless, async (store) => {
    kept = store
    await change(store, 'project:1')
    return [store.facts, await rowsIn(store)]
  })
  expect(answer).toEqual([null, []])
  await expect(kept!.query('SELECT 1')).rejects.toThrow('closed')
  const signed = await withCopy({ path: path }, configOf({ data_dir: data.path }), async (store) => {
    await change(store, 'project:1')
    return rowsIn(store)
  })
  expect(signed).toEqual([['command line', 'restore', 'project:1', null]])
})

test('On a database that was put back commands only read until the service has started once.', async () => {
  const put = await dataFolder(join(folder, 'put-back'))
  await put.withStore((store) => store.write((tx) => tx.run("INSERT INTO database_place VALUES (1, '1.1@')")))
  const used = () => put.withStore((store) => store.query('SELECT id FROM fact_folders'))
  const before = await used()
  rmSync(join(put.path, 'facts'), { recursive: true })
  const written = put.run(...'project create --name Quay --slug quay --owner owner@example.com'.split(' '))
  await expect(written).rejects.toThrow('Start the service once first (masthead serve)')
  for (const words of ['project list', 'migrate', `suppressions export harbour ${join(folder, 'suppressed.csv')}`])
    expect((await put.run(...words.split(' '))).text).toBeDefined()
  expect(await used()).toEqual(before)
  rmSync(join(put.path, 'masthead.db'))
  writeFileSync(join(put.path, 'facts', '2026-11-22.log'), '2026-11-22T09:00:00.000Z begun prc_1 boot 1\n')
  await expect(put.run('migrate')).rejects.toThrow('has the facts of one. Put it back with masthead restore')
})

test('In a wrong working folder a command makes no database, and one that names a folder does.', async () => {
  const elsewhere = scratchFolder()
  const inFolder = (...words: string[]) => mastheadHere(elsewhere, words)
  writeFileSync(join(elsewhere, 'old.db'), '')
  for (const words of ['user list', 'user create --email a@b.example --password 12345678', 'backup x.db', 'migrate'])
    expect(await inFolder(...words.split(' '))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no database ${join(elsewhere, 'data/masthead.db')}.`),
    })
  expect((await inFolder('restore', 'old.db')).stderr).toContain('There is no database')
  expect(readdirSync(elsewhere)).toEqual(['old.db'])
  expect((await inFolder('migrate', '--data-dir', 'data')).code).toBe(0)
  expect((await inFolder('user', 'list')).code).toBe(0)
})
