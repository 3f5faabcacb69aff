import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, test } from 'bun:test'
import { expectRecorded } from '../support/recorded.ts'
import { commandTour } from './command-tour.ts'

const EXPORTS = join(import.meta.dir, '../newsletter/imports/exports')
const tour = commandTour()
afterAll(() => tour.end())
const { heading, changes, run, sql, write } = tour

const file = (name: string, ...lines: string[]) => writeFileSync(join(tour.path, name), `${lines.join('\n')}\n`)
/** Writes the lines of a file that a command made. */
const shown = (name: string) =>
  write(
    `file ${name}`,
    ...readFileSync(join(tour.path, name), 'utf8')
      .trimEnd()
      .split('\r\n')
      .map((line) => `> ${line}`),
  )

test('What commands that import and export contacts say and write is what is recorded.', async () => {
  await prepare()
  heading('Files of contacts')
  const load = (sentence: string, name: string, ...more: string[]) =>
    run(sentence, 'contacts', 'import', 'harbour', name, ...more)
  file(
    'people.csv',
    'E-Mail,First name,Surname,Boat,Length,Sails,Built,Rig,Tags,Status,Noted',
    'ada@example.org,Ada,Byrd,Fram,39,yes,2019-03-04,Sloop,"gold, tin",,x',
    'Bob <bob@example.org>,,,Gjøa,"1.234,5",no,04.03.2020,ketch,gold,pending,y',
    'cleo@example.org,Cleo,Clay,,,,,,,unsubscribed,z',
    'dan@example.org,Dan,,,,,,,,bounced,',
    'eve@example.org,Eve,,,,,,,,complained,',
    'ada@example.org,Again,,,,,,,,,',
    'nobody,No,,,,,,,,,',
    ',Blank,,,,,,,,,',
    'fay@example.org,Fay,,,long,,,,,,',
    'gus@example.org,Gus,,,,maybe,,,,,',
    'hal@example.org,Hal,,,,,,barque,,,',
    'ida@example.org,Ida,,,,,31.02.2020,,,,',
    'jan@example.org,Jan,,,,,,,,perhaps,',
    'kim@example.org,Kim,,,,,,,,,,,too many',
    '"lou@example.org,Lou',
  )
  await load('A dry-run with a report.', 'people.csv', '--dry-run', '--report', 'report.csv')
  shown('report.csv')
  await load('Nothing is imported while a row is invalid.', 'people.csv', '--abort-on-invalid')
  await changes()
  await load(
    'Wrong values are dropped, tags are made.',
    'people.csv',
    ...['--on-invalid-value', 'drop_value'],
    '--create-tags',
    '--consent-text',
    'I agree.',
    '--date-format',
    'dmy',
    '--json',
  )
  await changes()
  file('more.txt', 'ada@example.org;Adam;5', 'max@example.org;Max;7', 'cleo@example.org;Cleopatra;9')
  await load(
    'A file without a header, by numbers.',
    'more.txt',
    '--map',
    '0=email, 1=first_name,2=custom.length',
    '--list',
    ' weekly ,3',
    '--tag',
    'GOLD,2',
    '--consent-confirmed',
  )
  await load(
    'The same again, with updates and confirmations.',
    'more.txt',
    '--map',
    '0=email,1=full_name',
    '--list',
    'Asking',
    '--send-confirmation',
    '--update-existing',
    '--default-status',
    'pending',
  )
  await load('Nothing is left to do.', 'more.txt', '--map', '0=email')
  await changes()
  heading('Refusals')
  file('empty.csv')
  file('names.csv', 'Name,Phone', 'Ada,1', 'Bob,2')
  writeFileSync(join(tour.path, 'book.xlsx'), 'PK\u0003\u0004')
  for (const [sentence, name, ...more] of [
    ['No file.', 'missing.csv'],
    ['A folder.', 'data'],
    ['An empty file.', 'empty.csv'],
    ['A workbook.', 'book.xlsx'],
    ['No column of addresses.', 'names.csv'],
    ['An unknown column.', 'names.csv', '--map', 'Mail=email'],
    ['No address among the fields.', 'names.csv', '--map', 'name=full_name'],
    ['An unknown field.', 'names.csv', '--map', 'Name=email,Phone=phone'],
    ['An unknown custom field.', 'names.csv', '--map', '0=email,1=custom.phone'],
    ['A field twice.', 'names.csv', '--map', '0=email,1=email'],
    ['An unknown list.', 'names.csv', '--list', 'weekly,Daily', '--consent-confirmed'],
    ['A list of a neighbor.', 'names.csv', '--list', '4', '--consent-confirmed'],
    ['An unknown tag.', 'names.csv', '--tag', 'brass'],
    ['A wrong delimiter.', 'names.csv', '--delimiter', ':'],
    ['A wrong way with values.', 'names.csv', '--on-invalid-value', 'keep'],
    ['A wrong format of days.', 'names.csv', '--date-format', 'ymd'],
    ['A wrong status.', 'names.csv', '--default-status', 'gone'],
    ['A consent text that is too long.', 'people.csv', '--consent-text', 'x'.repeat(4001)],
    ['The longest.', 'names.csv', '--consent-text', 'y'.repeat(4000), '--map', '0=email', '--dry-run', '--json'],
    ['Another delimiter.', 'names.csv', '--delimiter', 'tab', '--map', '0=email', '--dry-run'],
  ] as const)
    await load(sentence, name, ...more)
  await run('No project.', 'contacts', 'import', 'valley', 'people.csv')
  await changes()

  heading('Exports')
  const save = (sentence: string, ...words: string[]) => run(sentence, 'contacts', 'export', 'harbour', ...words)
  await save('All columns.')
  await save('Some columns, in their order.', '-', '--columns', ' first_name,email , custom.length,custom.boat')
  await save('A file.', 'out.csv', '--columns', 'email,full_name,lists,global_status')
  shown('out.csv')
  await save('Another, as JSON.', 'other.csv', '--columns', 'email', '--json')
  await save('The file is there.', 'out.csv')
  await save('No folder.', 'nowhere/out.csv')
  await save('An unknown column.', '-', '--columns', 'email,phone')
  await save('A column twice.', '-', '--columns', 'email,email')
  await run('No project.', 'contacts', 'export', 'valley')
  await changes()

  heading('Suppressions')
  file(
    'blocked.csv',
    'Address,Status,Noted',
    'zoe@example.org,,1',
    'YAN@example.org,complaint,2',
    'xia@example.org,bounced,3',
    'wim@example.org,unsubscribed,4',
    'vic@example.org,subscribed,5',
    'uma@example.org,nonsense,6',
    'nobody,manual,7',
    "'=tom@example.org,hard_bounce,8",
    'Sue <sue@example.org>,manual,9',
    'ada@example.org,unsubscribe,10',
  )
  file('list.txt', 'rob@example.org', 'pam@example.org', '', 'nobody')
  file('neither.csv', 'name,phone', 'Ada,1')
  for (const [sentence, name, ...more] of [
    ['Addresses with reasons.', 'blocked.csv'],
    ['Addresses alone, as JSON.', 'list.txt', '--json'],
    ['No addresses.', 'neither.csv'],
    ['No file.', 'missing.csv'],
  ] as const)
    await run(sentence, 'suppressions', 'import', 'harbour', name, ...more)
  file('many.txt', 'one@example.org', ...Array.from({ length: 25 }, (_, at) => `wrong ${at}`))
  await run('Many that are wrong.', 'suppressions', 'import', 'mountain', 'many.txt')
  await changes()
  await run('To a file.', 'suppressions', 'export', 'harbour', 'out-suppressed.csv')
  shown('out-suppressed.csv')
  await run('Of a neighbor, as JSON.', 'suppressions', 'export', 'mountain', 'theirs.csv', '--json')
  shown('theirs.csv')
  await run('The file is there.', 'suppressions', 'export', 'harbour', 'theirs.csv')
  await run('No project.', 'suppressions', 'export', 'valley', 'x.csv')
  await changes()
  expectRecorded('tools/contacts-commands.txt', tour.text())
})

test('What each export of another program becomes is what is recorded.', async () => {
  const move = async (provider: string, ...names: string[]) => {
    const slug = names[0]!.replace(/_.*|\.csv$/, '')
    await run(
      'A project.',
      ...['project', 'create', '--name', slug, '--slug', slug, '--owner', 'olive@harbour.example'],
    )
    await sql(
      `INSERT INTO lists (project_id, name, name_key, double_opt_in, created_at, updated_at)
       SELECT id, 'News', 'news', 1, 0, 0 FROM projects WHERE slug = ?`,
      slug,
    )
    tour.text()
    heading(`${provider}: ${names.join(', ')}`)
    const wanted = ['--project', slug, '--list', 'News', '--report', `${slug}.csv`, '--consent-text', 'Of them.']
    await run('A move.', 'move-in', provider, ...names.map((name) => join(EXPORTS, name)), ...wanted)
    shown(`${slug}.csv`)
    const columns = 'email,full_name,global_status,consent_at,lists'
    await run('Who came.', 'contacts', 'export', slug, '-', '--columns', columns)
    return tour.text().replaceAll(EXPORTS, '<exports>')
  }
  const texts = [
    await move('listmonk', 'listmonk.csv', 'unsubscribed-listmonk.csv'),
    await move('ghost', 'ghost.csv'),
    await move(
      'mailchimp',
      ...['subscribed', 'unsubscribed', 'cleaned', 'nonsubscribed'].map((status) => `${status}_members_export_8f.csv`),
    ),
    await move('mailtrain', 'mailtrain.csv'),
    await move('keila', 'keila.csv'),
    await move('substack', 'substack.csv'),
    await move('brevo', 'brevo.csv'),
    await move('brevo', 'brevo-template.csv'),
    await move('brevo', 'brevo-api.csv'),
  ]
  await tour.skip()
  heading('Refusals and dry-runs')
  file('untold.csv', 'Email,Name', 'ada@example.org,Ada')
  file('members.csv', 'Email Address,First Name', 'ada@example.org,Ada')
  file('complaints.csv', 'Email Address,First Name', 'cid@example.org,Cid')
  const other = (sentence: string, provider: string, ...words: string[]) =>
    run(sentence, 'move-in', provider, ...words, '--project', 'mountain')
  await other('An unknown program.', 'sendy', 'untold.csv')
  await other('A name of every object.', 'constructor', 'untold.csv')
  await other('A file that says nothing.', 'keila', 'untold.csv')
  await other('A file that says nothing by its name.', 'mailchimp', 'members.csv')
  await other('A file that says it by its name.', 'mailchimp', 'complaints.csv', '--dry-run', '--json')
  await other('Those who left are not there.', 'listmonk', join(EXPORTS, 'listmonk.csv'), '--dry-run')
  await other('A long text.', 'keila', join(EXPORTS, 'keila.csv'), '--consent-text', 'x'.repeat(4001))
  await other('An unknown list.', 'keila', join(EXPORTS, 'keila.csv'), '--list', 'Daily')
  await changes()
  expectRecorded('tools/move-in.txt', [...texts, tour.text().replaceAll(EXPORTS, '<exports>')].join('\n'))
})

async function prepare(): Promise<void> {
  await run('A user.', 'user', 'create', '--email', 'olive@harbour.example', '--password', 'harbours-are-deep')
  for (const slug of ['harbour', 'mountain'])
    await run('A project.', 'project', 'create', '--name', slug, '--slug', slug, '--owner', 'olive@harbour.example')
  await sql(`INSERT INTO lists (id, project_id, name, name_key, double_opt_in, created_at, updated_at)
    VALUES (1, 1, 'Weekly', 'weekly', 0, 0, 0), (2, 1, 'Asking', 'asking', 1, 0, 0), (3, 1, '2', '2', 0, 0, 0),
      (4, 2, 'Theirs', 'theirs', 0, 0, 0)`)
  await sql(`INSERT INTO tags (id, project_id, name, name_key, created_at, updated_at)
    VALUES (1, 1, 'Gold', 'gold', 0, 0), (2, 1, 'Silver', 'silver', 0, 0), (3, 2, 'Gold', 'gold', 0, 0)`)
  const fields = [
    ['boat', 'Boat', 'text', null],
    ['length', 'Length', 'number', null],
    ['sails', 'Sails', 'boolean', null],
    ['built', 'Built', 'date', null],
    ['rig', 'Rig', 'select', '["sloop","ketch"]'],
  ] as const
  for (const [key, label, type, options] of fields)
    await sql(
      `INSERT INTO custom_fields (project_id, key, label, type, options, created_at, updated_at)
       VALUES (1, ?, ?, ?, ?, 0, 0)`,
      ...[key, label, type, options],
    )
  await tour.skip()
  tour.text()
}
