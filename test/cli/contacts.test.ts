import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../src/store/open.ts'
import { sql } from 'drizzle-orm'
import { masthead, mastheadHere, scratchFolder } from './masthead.ts'

let scratch: ReturnType<typeof scratchFolder>
const start = (...args: string[]) => masthead(scratch.path, args)
const run = (...args: string[]) => mastheadHere(scratch.path, args)
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await start(...args, '--json')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
const file = (name: string, content: string | Uint8Array) => writeFileSync(join(scratch.path, name), content)

beforeEach(async () => {
  scratch = scratchFolder()
  const made = async (...args: string[]) => expect((await run(...args)).code).toBe(0)
  await made('user', 'create', '--email', 'owner@harbour.example', '--password', '12345678')
  await made('project', 'create', '--name', 'Harbour', '--slug', 'harbour', '--owner', 'owner@harbour.example')
  const store = await openStore({ url: `file:${join(scratch.path, 'data/masthead.db')}` })
  await store.write((tx) =>
    tx.run(
      sql`
        INSERT INTO lists (project_id, name, name_key, double_opt_in, created_at, updated_at)
        SELECT id, 'News', 'news', 1, 0, 0 FROM projects`,
    ),
  )
  await store.close()
})
afterEach(() => scratch.remove())

test('An import reads a file in any encoding with the mapping its headers suggest, and reports.', async () => {
  file(
    'people.csv',
    Buffer.concat([
      Buffer.from('E-Mail;Vorname\r\nada@example.com;Ada\r\n'),
      Buffer.from('jo@example.com;J\u00F6rg\r\n', 'latin1'),
      Buffer.from('zoe@example.com;Zoë\r\nADA@example.com;X\r\nnobody;Y\r\n'),
    ]),
  )
  const { import: done } = await json(
    'contacts',
    'import',
    'harbour',
    'people.csv',
    '--list',
    'news',
    '--consent-confirmed',
    '--consent-text',
    'Signed up at the fair',
  )
  expect(done).toMatchObject({
    status: 'completed',
    filename: 'people.csv',
    delimiter: ';',
    mapping: { 0: 'email', 1: 'first_name' },
    counters: { processed: 5, created: 3, updated: 0, skipped: 1, failed: 1 },
    row_errors: [{ row: 6, field: 'email', code: 'email_invalid', value: 'nobody' }],
  })
  expect(
    (await start('contacts', 'export', 'harbour', '--columns', 'email,first_name,lists,consent_text')).stdout.split(
      '\r\n',
    ),
  ).toEqual([
    'email,first_name,lists,consent_text',
    'ada@example.com,Ada,1:subscribed,Signed up at the fair',
    'jo@example.com,Jörg,1:subscribed,Signed up at the fair',
    'zoe@example.com,Zoë,1:subscribed,Signed up at the fair',
    '',
  ])
})

test('Neither a dry-run nor a file with an invalid row and --abort-on-invalid changes anything.', async () => {
  file('more.csv', 'address\nnew@example.com\nbroken\u001b]0;title\u009b2J\n')
  const dry = await run('contacts', 'import', 'harbour', 'more.csv', '--map', 'Address=email', '--dry-run')
  expect([dry.code, dry.stdout.includes('new')]).toEqual([0, true])
  const refused = await run('contacts', 'import', 'harbour', 'more.csv', '--map', '0=email', '--abort-on-invalid')
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining('Nothing was imported: 1 row is invalid.'),
  ])
  // What stands in the file does not control the terminal.
  const { stdout } = await run('contacts', 'import', 'harbour', 'more.csv', '--map', '0=email', '--dry-run', '--json')
  expect([refused.stdout, stdout].join('').match(/[^\n\P{Cc}]/gu)).toBeNull()
  expect(JSON.parse(stdout).import.row_errors[0].value).toBe('broken\u001b]0;title\u009b2J')
  expect((await run('contacts', 'export', 'harbour', '-', '--columns', 'email')).stdout).not.toContain('new@')
})

test('--map names a column whose header contains an equals sign.', async () => {
  file('equals.csv', 'address=email,first_name\nsigns@example.com,Ada\n')
  const dry = await json('contacts', 'import', 'harbour', 'equals.csv', '--map', 'address=email=email', '--dry-run')
  expect([dry.import.mapping, dry.import.summary.valid]).toEqual([{ 0: 'email' }, 1])
})

test('An import reads standard input, and more rows than the API accepts.', async () => {
  const rows = Array.from({ length: 5_000 }, (_, n) => `big${n}@example.com,"${'x'.repeat(1100)}"`)
  const csv = `email,notes\n${rows.join('\n')}\n`
  expect(csv.length).toBeGreaterThan(5 * 1024 * 1024)
  const { code, stdout, stderr } = await masthead(scratch.path, ['contacts', 'import', 'harbour', '-', '--json'], {
    input: csv,
  })
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).import).toMatchObject({
    size_bytes: csv.length,
    counters: { processed: 5_000, created: 5_000 },
  })
  file('other.txt', 'of somebody else')
  symlinkSync('other.txt', join(scratch.path, 'all.csv.part'))
  const exported = await json('contacts', 'export', 'harbour', 'all.csv', '--columns', 'email')
  expect(readFileSync(join(scratch.path, 'other.txt'), 'utf8')).toBe('of somebody else')
  expect(readFileSync(exported.file, 'utf8').split('\r\n')).toHaveLength(1 + 5_000 + 1)
  expect(statSync(exported.file).mode & 0o777).toBe(0o600)
  expect(await run('contacts', 'export', 'harbour', 'all.csv')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists'),
  })
})

test('A mistake on the command line is named in one line.', async () => {
  file('names.csv', 'name\nAda\n')
  file('more.csv', 'address\nnew@example.com\n')
  file('empty.csv', '')
  for (const [args, code, words] of [
    [['import', 'harbour', 'none.csv'], 1, 'The file none.csv does not exist.'],
    [['import', 'harbour', 'names.csv'], 2, 'Name it with --map COLUMN=email. Columns: name.'],
    [
      ['import', 'harbour', 'names.csv', '--map', 'mail=email'],
      2,
      '--map: the file has no column mail. Columns: name.',
    ],
    [['import', 'harbour', 'names.csv', '--map', 'name=shoe'], 2, 'Expected email, first_name'],
    [
      ['import', 'harbour', 'more.csv', '--list', 'News'],
      2,
      '--list needs --consent-confirmed or --send-confirmation.',
    ],
    [['import', 'harbour', 'more.csv', '--list', 'Club', '--consent-confirmed'], 1, 'The project has no list Club.'],
    [['import', 'harbour', 'more.csv', '--delimiter', ':'], 2, '--delimiter expects one of'],
    [['import', 'nowhere', 'more.csv'], 1, 'There is no project nowhere.'],
    [['import', 'harbour'], 2, 'CSV is missing.'],
    [['export', 'harbour', '--columns', 'shoe'], 2, 'no such column'],
    [['import', 'harbour', 'empty.csv'], 1, 'The file has no rows.'],
    [['export', 'harbour', 'nowhere/all.csv'], 1, 'does not exist'],
    [['export', 'harbour', '--json'], 2, 'FILE'],
    [['export', 'harbour', 'a', 'b'], 2, 'Unexpected argument b'],
  ] as const) {
    const { code: ended, stderr } = await run('contacts', ...args)
    expect([args, ended, stderr.trim().split('\n').length]).toEqual([args, code, 1])
    expect(stderr).toContain(words)
  }
})
