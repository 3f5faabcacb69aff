import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyBackup, linkAside, putInPlace, restore } from '../../src/cli/restore.ts'
import { claim } from '../../src/store/claim.ts'
import { masthead, mastheadHere, scratchFolder, start } from './masthead.ts'

/** Restoring a backup and the secret key beside it (docs/operations.md#backup, #secret-key). */

let scratch: ReturnType<typeof scratchFolder>
let data: string
let database: string
const run = (command: string, env: Record<string, string> = {}) => masthead(scratch.path, command.split(' '), { env })
const runHere = (command: string) => mastheadHere(scratch.path, command.split(' '))
const addUser = (email: string) => runHere(`user create --email ${email} --password 12345678`)
beforeEach(async () => {
  scratch = scratchFolder()
  data = join(scratch.path, 'data')
  database = join(data, 'masthead.db')
  expect((await addUser('first@harbour.example')).code).toBe(0)
})
afterEach(() => scratch.remove())

/** How many users a database has; fails for one that is missing or damaged. */
function usersIn(file: string): number {
  const opened = new Database(file, { readonly: true })
  try {
    expect(opened.query('PRAGMA integrity_check').values()).toEqual([['ok']])
    return opened.query('SELECT count(*) FROM users').values()[0]![0] as number
  } finally {
    opened.close()
  }
}

test('A restore has a whole database under its name after each of its steps.', async () => {
  await runHere('backup backup.db')
  await addUser('second@harbour.example')
  const copy = `${database}.restoring`
  copyBackup(join(scratch.path, 'backup.db'), copy)
  expect([usersIn(database), usersIn(copy), statSync(copy).mode & 0o777]).toEqual([2, 1, 0o600])
  const replaced = linkAside(database)
  expect([usersIn(database), usersIn(replaced)]).toEqual([2, 2])
  putInPlace(copy, database)
  expect([usersIn(database), usersIn(replaced), existsSync(copy)]).toEqual([1, 2, false])
  expect(readdirSync(data).filter((name) => /^masthead\.db-(wal|shm|journal)$/.test(name))).toEqual([])
})

test('A rehearsal tries the backup, replaces nothing and leaves its time; a damaged one fails.', async () => {
  await runHere('backup backup.db')
  await addUser('second@harbour.example')
  const rehearsed = await runHere('restore backup.db --rehearse --json')
  expect([rehearsed.code, JSON.parse(rehearsed.stdout)]).toEqual([0, expect.objectContaining({ projects: 0 })])
  const file = join(scratch.path, 'backup.db')
  const settings = { flags: { data_dir: data }, file: undefined }
  const { text } = await restore.run({ args: [file], flags: { rehearse: true }, settings, json: false })
  expect(text).toBe(`${file} can be restored: it is whole and holds 0 projects.\nNothing was replaced.`)
  expect(usersIn(database)).toBe(2)
  expect(readdirSync(data).filter((name) => name.includes('rehearsing'))).toEqual([])
  const opened = new Database(database, { readonly: true })
  const reached = opened.query('SELECT name FROM milestones ORDER BY name').values().flat()
  opened.close()
  expect(reached).toEqual(['backup', 'restore_rehearsal'])
  writeFileSync(join(scratch.path, 'bad.db'), 'no database')
  expect((await runHere('restore bad.db --rehearse')).code).toBe(1)
})

test('A database that is too damaged to be opened is replaced, unless a service still uses it.', async () => {
  await runHere('backup backup.db')
  writeFileSync(database, 'no database')
  const release = claim(database)!
  const refused = await run('restore backup.db --force')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'masthead: Another process has the database open. Stop it first.\n',
  ])
  release()
  const { replaced } = JSON.parse((await run('restore backup.db --force --json')).stdout) as { replaced: string }
  expect([readFileSync(replaced, 'utf8'), usersIn(database)]).toEqual(['no database', 1])
})

test('A restore ends the sessions and reset links of the backup.', async () => {
  const opened = new Database(database)
  opened.run("INSERT INTO sessions VALUES ('stolen', 'usr_1', 0, 0, 9e15, 0, NULL, '', '')")
  opened.run("INSERT INTO password_resets (token_hash, user_id, created_at, expires_at) VALUES ('x', 'usr_1', 0, 9e15)")
  opened.close()
  await runHere('backup backup.db')
  expect((await run('restore backup.db --force')).stdout).toContain('All sessions have ended.')
  const restored = new Database(database, { readonly: true })
  for (const table of ['sessions', 'password_resets'])
    expect(restored.query(`SELECT * FROM ${table}`).all()).toEqual([])
  restored.close()
  expect(usersIn(join(scratch.path, 'backup.db'))).toBe(1)
  expect((await runHere('user list')).code).toBe(0)
})

test('A restore that is killed leaves the old or the restored database, and can be repeated.', async () => {
  await runHere('backup backup.db')
  await addUser('second@harbour.example')
  for (const sign of ['.restoring', '.replaced-']) {
    const child = start(scratch.path, ['restore', 'backup.db', '--force'])
    const watcher = watch(data, (_, name) => {
      if (name?.includes(sign)) child.kill('SIGKILL')
    })
    await child.exited
    watcher.close()
    expect([1, 2]).toContain(usersIn(database))
  }
  expect((await run('restore backup.db --force')).code).toBe(0)
  expect(usersIn(database)).toBe(1)
  expect(existsSync(`${database}.restoring`)).toBe(false)
})

describe('the secret key', () => {
  const refused = (text: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(text) })
  const key = () => join(data, 'secret.key')

  test('A secret key that is missing beside a database stops every start, and no new one is made.', async () => {
    renameSync(key(), join(scratch.path, 'aside.key'))
    for (const command of ['serve --port 0', 'user list'])
      expect(await run(command)).toEqual(refused(`${key()} is missing.`))
    expect(existsSync(key())).toBe(false)
    const doctor = await runHere('doctor --port 0')
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/^NOT OK {2}secret_key .*is missing/m)])
    renameSync(join(scratch.path, 'aside.key'), key())
    expect((await runHere('user list')).code).toBe(0)
  })

  test('A secret key that is another one stops every start, from the file and from the environment.', async () => {
    const own = readFileSync(key(), 'utf8').trim()
    const other = { MASTHEAD_SECRET_KEY: 'another key that is long enough to be one' }
    expect(await run('serve --port 0', other)).toEqual(refused('MASTHEAD_SECRET_KEY is not the secret key'))
    expect((await run('doctor --port 0', other)).stdout).toMatch(/^NOT OK {2}secret_key .*MASTHEAD_SECRET_KEY is not/m)
    expect((await run('user list', { MASTHEAD_SECRET_KEY: own })).code).toBe(0)
    writeFileSync(key(), other.MASTHEAD_SECRET_KEY)
    expect(await run('serve --port 0')).toEqual(refused('secret.key is not the secret key'))
    expect(await runHere('doctor --port 0')).toMatchObject({ code: 1 })
  })

  test('The secret key is made once when two processes start on a new data folder.', async () => {
    rmSync(data, { recursive: true })
    const [one, two] = await Promise.all([run('migrate'), run('migrate')])
    expect([one.stderr, two.stderr]).toEqual(['', ''])
    expect(readdirSync(data).filter((name) => name.startsWith('secret.key'))).toEqual(['secret.key'])
    expect((await runHere('user list')).code).toBe(0)
  })
})
