import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'bun:test'
import { asUsage, openCsv } from '../../src/cli/contacts-import.ts'
import { Failure, UsageError } from '../../src/cli/command.ts'
import { conflict, invalid } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const path = (name: string) => join(folder, name)
let data: DataFolder
beforeEach(async () => {
  data = await dataFolder(path(newId('req')))
  await data.withStore((store) =>
    store.write((tx) =>
      tx.script(`
        INSERT INTO projects (id, public_id, name, slug, created_at, updated_at) VALUES (77, 'p', 'P', 'other', 0, 0);
        INSERT INTO lists (id, project_id, name, name_key, double_opt_in, created_at, updated_at)
          VALUES (5, ${data.project_id}, 'Harbour News', 'harbour news', 1, 0, 0),
            (6, ${data.project_id}, '5', '5', 1, 0, 0), (8, 77, 'Theirs', 'theirs', 1, 0, 0);
        INSERT INTO tags (id, project_id, name, name_key, created_at, updated_at)
          VALUES (7, ${data.project_id}, 'Fair', 'fair', 0, 0)`),
    ),
  )
})

const load = async (text: string, ...flags: string[]) => {
  writeFileSync(path('given.csv'), text)
  const outcome = await data.run('contacts', 'import', 'harbour', path('given.csv'), ...flags)
  return { ...outcome, import: (outcome.data as { import: Record<string, any> }).import }
}
const dry = (text: string, ...flags: string[]) => load(text, '--dry-run', ...flags)
const refusal = async (...given: Parameters<typeof load>) => {
  const error: unknown = await dry(...given).catch((thrown: unknown) => thrown)
  return [error instanceof UsageError ? 'usage' : error instanceof Failure ? 'failure' : error, String(error)]
}
const contacts = () =>
  data.withStore((store) => store.query('SELECT count(*) AS n FROM contacts')).then(([row]) => row!.n)

test('Every flag of an import becomes an option of it, and without flags the options are the defaults.', async () => {
  const { import: plain } = await dry('email\na@example.com\n')
  expect(plain.options).toMatchObject({
    list_ids: [],
    tag_ids: [],
    update_existing: false,
    on_invalid: 'skip',
    on_invalid_value: 'fail_row',
    date_format: 'iso',
    create_tags: false,
    default_status: 'subscribed',
    consent_text: '',
    consent_confirmed: false,
    send_confirmation: false,
    delimiter: ',',
  })
  const flags = ['--list', ' HARBOUR news ,6', '--tag', '7', '--consent-text', 'Yes', '--consent-confirmed']
  const more = ['--send-confirmation', '--update-existing', '--abort-on-invalid', '--create-tags', '--delimiter', 'tab']
  const words = ['--on-invalid-value', 'drop_value', '--date-format', 'dmy', '--default-status', 'pending']
  const { import: full } = await dry('email\tfirst name\na@example.com\tAda\n', ...flags, ...more, ...words)
  expect([full.filename, full.mapping]).toEqual(['given.csv', { 0: 'email', 1: 'first_name' }])
  expect(full.options).toEqual({
    list_ids: [5, 6],
    tag_ids: [7],
    update_existing: true,
    on_invalid: 'abort',
    on_invalid_value: 'drop_value',
    date_format: 'dmy',
    create_tags: true,
    default_status: 'pending',
    consent_text: 'Yes',
    consent_confirmed: true,
    send_confirmation: true,
    delimiter: '\t',
  })
})

test('A list is named by its name before its id, and only those of the project are known.', async () => {
  const named = async (list: string) =>
    (await dry('email\na@x.example\n', '--list', list, '--consent-confirmed')).import
  expect((await named('5')).options.list_ids).toEqual([6])
  expect(await refusal('email\n', '--list', '8', '--consent-confirmed')).toEqual([
    'failure',
    'Error: The project has no list 8.',
  ])
  expect((await refusal('email\n', '--tag', 'fair, x '))[1]).toEqual('Error: The project has no tag x.')
  expect((await refusal('email\n', '--list', '5'))[0]).toBe('usage')
  expect((await dry('email\na@x.example\n', '--list', '5', '--send-confirmation')).code).toBe(0)
})

test('The headers suggest the mapping, with tags only where missing ones may be created.', async () => {
  const text = 'Tags,Notes,E-Mail\nfair,x,a@example.com\n'
  expect((await dry(text)).import.mapping).toEqual({ 2: 'email' })
  expect((await dry(text, '--create-tags')).import.mapping).toEqual({ 0: 'tags', 2: 'email' })
})

test('--map names columns by header before number, and the last equals sign ends the name.', async () => {
  const text = '1,mail = address,\na,b@example.com,c\n'
  const map = async (given: string) => (await dry(text, '--map', given)).import.mapping
  expect(await map(' Mail = Address = email , 1=first_name')).toEqual({ 0: 'first_name', 1: 'email' })
  expect(await map('1=last_name,mail = address=email,2=first_name')).toEqual({
    0: 'last_name',
    1: 'email',
    2: 'first_name',
  })
  expect(await refusal(text, '--map', '3=email')).toEqual([
    'usage',
    'Error: --map: the file has no column 3. Columns: 1, mail = address, 2.',
  ])
  const wide = Array.from({ length: 21 }, (_, n) => `column ${n} ${'x'.repeat(30)}`)
  const [, message] = await refusal(`${wide.join(',')}\n`, '--map', 'shoe=email')
  expect(message).toContain('Columns: column 0 xxx')
  expect(message).toEndWith(', ….')
  expect(message).not.toContain('column 20')
  expect(message).not.toContain('x'.repeat(30))
})

test.each([
  [['--delimiter', ':'], '--delimiter expects one of , ; | and tab.'],
  [['--on-invalid-value', 'shoe'], '--on-invalid-value expects one of fail_row, drop_value.'],
  [['--date-format', 'shoe'], '--date-format expects one of iso, dmy, mdy.'],
  [['--default-status', 'shoe'], '--default-status expects one of subscribed, pending,'],
  [['--map', 'email=shoe'], 'Expected email, first_name'],
])('A word that is none of the choices is wrong usage: %j.', async (flags, message) => {
  expect(await refusal('email\na@example.com\n', ...flags)).toEqual(['usage', expect.stringContaining(message)])
})

test('A dry-run imports nothing, and its outcome is a success even with invalid rows.', async () => {
  const text = 'email\nnew@example.com\nwrong\n'
  const report = await dry(text)
  expect([report.code, report.import.status, report.import.summary]).toMatchObject([
    0,
    'cancelled',
    { rows: 2, valid: 1, invalid: 1 },
  ])
  expect(report.text).not.toContain('Nothing was imported')
  const refused = await load(text, '--abort-on-invalid')
  expect([refused.code, refused.import.status]).toEqual([1, 'cancelled'])
  expect(refused.text).toEndWith('\n\nNothing was imported: 1 row is invalid.')
  expect((await load(`${text}wrong\n`, '--abort-on-invalid')).text).toEndWith('2 rows are invalid.')
  expect(await contacts()).toBe(0)
})

test('An import reports its counters, and the first ten of the rows that were not imported.', async () => {
  const rows = (wrong: number) => `email\n${Array.from({ length: wrong }, (_, n) => `wrong${n}\n`).join('')}`
  const { text, code, import: done } = await load(`${rows(11)}a@example.com\n`)
  expect([code, done.status, await contacts()]).toEqual([0, 'completed', 1])
  const lines = text!.split('\n')
  expect(lines.filter((line) => /^row \d+ /.test(line))).toHaveLength(10)
  expect(lines.find((line) => line.startsWith('row 2 '))).toMatch(/^row 2 +email +\S.*\S +wrong0$/)
  expect(lines.at(-1)).toBe('…')
  expect(lines.find((line) => line.startsWith('created'))).toMatch(/^created +1$/)
  expect((await dry(rows(10))).text).not.toContain('…')
  const clean = (await dry('email\nb@example.com\n')).text!
  expect([clean.includes('duplicates in file'), clean.includes('row 2')]).toEqual([true, false])
})

test('The report of a dry-run has a line for each row, and further files follow in it.', async () => {
  await load('email\na@example.com\n')
  const report = path('report.csv')
  await dry('email\nb@example.com\nwrong\n', '--report', report)
  await dry('email\na@example.com\n', '--report', report)
  const header = 'row,email,result,status,suppressed,messages'
  const lines = readFileSync(report, 'utf8').split('\r\n')
  expect(lines.map((line) => line.split(',').slice(0, 4).join())).toEqual([
    'row,email,result,status',
    '2,b@example.com,new,subscribed',
    '3,,invalid,',
    'row,email,result,status',
    '2,a@example.com,existing,subscribed',
    '',
  ])
  expect([lines[0]!, statSync(report).mode & 0o777]).toEqual([header, 0o600])
})

test('A mistake in the file is a failure, and one in the flags is wrong usage.', async () => {
  expect(await refusal('')).toEqual(['failure', 'Error: The file has no rows.'])
  const [kind, message] = await refusal('name\nAda\n')
  expect([kind, message]).toEqual(['usage', expect.stringContaining('Columns: name.')])
  expect(asUsage(invalid('/csv', 'The file is empty.'))).toEqual(new Failure('The file is empty.'))
  expect(asUsage(invalid('/mapping', 'No column.'))).toBeInstanceOf(UsageError)
  const other = conflict('/name', 'In use.')
  expect([asUsage(other), asUsage(null)]).toEqual([other, null])
})

test('A file is read with its size, which standard input does not have, and a folder is no file.', async () => {
  writeFileSync(path('five.csv'), '12345')
  const { size, bytes } = openCsv(path('five.csv'))
  expect([size, Buffer.concat(await Array.fromAsync(bytes)).toString()]).toEqual([5, '12345'])
  expect(openCsv('-').size).toBeNull()
  for (const absent of [folder, path('absent.csv')])
    expect(() => openCsv(absent)).toThrow(new Failure(`The file ${absent} does not exist.`))
})
