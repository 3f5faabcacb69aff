import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE, saying } from '../support/audit.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { masthead, mastheadHere, scratchFolder } from './masthead.ts'

const scratch = scratchFolder()
afterAll(() => scratch.remove())

const run = (args: string) => mastheadHere(scratch.path, [...args.split(' '), '--data-dir', 'data'])
const json = async (args: string) => {
  const { code, stdout, stderr } = await run(`${args} --json`)
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return JSON.parse(stdout)
}

test('Each change of the command line leaves a row, which audit list copies and doctor checks.', async () => {
  const { id: user } = await json('user create --email ada@example.com --password a-password-nobody-guesses')
  await json('user set-password --email ada@example.com --password another-nobody-guesses')
  const { id: project } = await json(`project create --name News --slug news --owner ${user}`)
  const { id: key } = await json('api-key create --project news --user ada@example.com --name Key')
  await json(`api-key revoke --id ${key}`)
  mkdirSync(join(scratch.path, 'site'))
  writeFileSync(join(scratch.path, 'site/index.html'), '<p>Tides</p>')
  await json('site import news site')
  await json('site import news site')
  writeFileSync(join(scratch.path, 'people.csv'), 'email\nbo@example.com\n')
  await json('contacts import news people.csv')
  await json('contacts export news people-again.csv')
  await json('suppressions export news blocked.csv')
  for (const refused of ['contacts export news people.csv', 'suppressions export news people.csv'])
    expect([refused, (await run(refused)).code]).toEqual([refused, 1])
  await json('user disable --email ada@example.com')
  await json('user list')

  const { rows, last_id } = await json('audit list')
  expect([last_id, JSON.stringify(rows).match(PRIVATE)]).toEqual([rows.length, null])
  expect(saying(rows)).toEqual([
    `command line | user create | user:${user} | done`,
    `command line | user set-password | user:${user} | done`,
    `command line | project create | project:${project} | done`,
    `command line | api-key create | api_key:${key} | done`,
    `command line | api-key revoke | api_key:${key} | done`,
    'command line | site import | page:1 | done',
    'command line | contacts import | import:1 | done',
    'command line | jobs/completed | job:1 | done',
    'command line | contacts export | - | done',
    'command line | suppressions export | - | done',
    `command line | user disable | user:${user} | done`,
  ])
  expect(rows[3]).toMatchObject({ project_id: project, ip: null, request_id: null, details: { user_id: user } })
  const rest = await json('audit list --project news --after 3 --limit 2')
  expect([rest.rows, rest.last_id]).toEqual([rows.slice(3, 5), 5])
  expect((await run('audit list --limit many')).code).toBe(2)
  expect((await run('audit list')).stdout).toContain('command line  user set-password')

  const { checks } = await json('doctor --port 0')
  const message = `${rows.length} rows, and no break in their chain.`
  expect(checks).toContainEqual({ name: 'audit_log', ok: true, message })
  const database = new Database(join(scratch.path, 'data/masthead.db'))
  database.run("UPDATE audit_log SET actor = 'service' WHERE id = 4")
  database.close()
  const { code, stdout } = await run('doctor --port 0')
  expect([code, stdout]).toEqual([1, expect.stringContaining('the chain of the audit log breaks at row 4.')])
})

test('Rows that were cut off, and emptied tables, are found by what the facts know of them.', async () => {
  const data = join(scratch.path, 'cut')
  const at = (args: string) => masthead(scratch.path, [...args.split(' '), '--data-dir', data])
  const change = (work: (database: Database) => void) => {
    const database = new Database(join(data, 'masthead.db'))
    work(database)
    database.close()
  }
  await at('user create --email ada@example.com --password a-password-nobody-guesses')
  let ends: Record<string, string | number> = {}
  change((database) => (ends = database.query('SELECT * FROM audit_chain').get() as typeof ends))
  await at('user disable --email ada@example.com')
  await at(`backup ${data}/backup.db`)
  await at('user sign-out --email ada@example.com')
  const serve = async () => (await startServiceProcess(data)).stop()
  await serve()
  // A restore goes back to an earlier row, and the facts know it.
  expect(await at(`restore ${data}/backup.db --force`)).toMatchObject({ code: 0 })
  await serve()
  expect((await at('doctor --port 0')).stdout).toMatch(/^ok +audit_log +\d+ rows/m)
  // Whoever kept the earlier record of the ends has its signature, too.
  change((database) => {
    database.run('DELETE FROM audit_log WHERE id > ?', [ends.last_id!])
    database.run('UPDATE audit_chain SET last_id = ?, last_hash = ?, seal = ?', [
      ...[ends.last_id!, ends.last_hash!, ends.seal!],
    ])
  })
  const found = { code: 1, stdout: expect.stringContaining('of the audit log, and the database does not have it so') }
  expect(await at('doctor --port 0')).toMatchObject(found)
  change((database) => database.run('DELETE FROM audit_log; DELETE FROM audit_chain'))
  expect(await at('doctor --port 0')).toMatchObject(found)
})
