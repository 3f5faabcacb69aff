import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, test } from 'bun:test'
import { DAY_MS } from '../../src/clock.ts'
import { commands } from '../../src/cli/commands.ts'
import { expectRecorded } from '../support/recorded.ts'
import { commandTour } from './command-tour.ts'

const tour = commandTour()
afterAll(() => tour.end())
const { both, heading, changes, run, sql, advance } = tour

const PASSWORD = ['--password', 'harbours-are-deep']

test('The help of all commands, and the answers to wrong command lines, are those that are recorded.', async () => {
  heading('Help')
  for (const words of [
    ['help'],
    ['--help'],
    ['-h', 'x'],
    ['help', '--json'],
    ['help', 'configuration'],
    ['help', 'user'],
    ['dkim', '--help'],
    ['help', 'project', 'list'],
    ['version'],
    ['--version'],
    ['version', '--json'],
  ])
    await run('Help.', ...words)
  for (const { name } of commands) if (name !== 'project list') await run('Help.', ...name.split(' '), '--help')
  heading('Wrong command lines')
  for (const words of [
    [],
    ['frob'],
    ['usr'],
    ['user'],
    ['user', '--json'],
    ['user', 'creat'],
    ['user', 'frobnicate'],
    ['help', 'user', 'creat'],
    ['help', 'frob'],
    ['frob', '--help'],
    ['user', 'create'],
    ['user', 'create', '--email'],
    ['user', 'create', '--email', '--json'],
    ['user', 'create', '--email', 'a@example.com', '--email', 'b@example.com'],
    ['user', 'create', '--admin=yes', '--email', 'a@example.com'],
    ['user', 'create', '--emial', 'a@example.com'],
    ['user', 'create', 'ada'],
    ['user', 'create', '-e'],
    ['user', 'reset-second-factor'],
    ['user', 'reset-second-factor', 'a@example.com', 'b@example.com'],
    ['user', 'sign-out'],
    ['user', 'sign-out', '--all', '--email', 'a@example.com'],
    ['version', '--port', '1'],
    ['version', '--config', 'x.toml'],
    ['serve', '--json'],
    ['serve', '--port', '65536'],
    ['serve', '--config'],
    ['serve', '--config', 'missing.toml'],
    ['fixture', '--config', 'x.toml'],
    ['fixture', '--data-dir', 'x'],
    ['fixture', '--database-url', 'file:x.db'],
    ['move-in'],
    ['move-in', 'ghost'],
    ['move-in', 'ghost', 'a.csv'],
    ['audit', 'list', '--limit', '100001'],
    ['audit', 'list', '--limit', '-1'],
    ['audit', 'list', '--after', '1e3'],
    ['project', 'add-member', '--project', 'p', '--user', 'u', '--role', 'boss'],
    ['facts', 'replay', '--since', 'yesterday'],
    ['contacts', 'import', 'p', 'a.csv', '--list', '1'],
    ['contacts', 'export', 'p', '--json'],
    ['contacts', 'export', 'p', '-', '--json'],
    ['client', 'typescript', '--json'],
    ['client', 'typescript', '--out', 'missing/client.ts'],
    ['backup', 'a.db', '--database-url', 'http://127.0.0.1:1'],
  ])
    await run('A wrong command line.', ...words)
  expectRecorded('tools/help.txt', tour.text())
})

test('What commands about accounts, projects and keys say and write is what is recorded.', async () => {
  heading('An empty folder')
  await both('Nothing is wrong before the first start.', 'doctor', '--port', '0')
  await run('The database is made.', 'migrate')
  await both('It is up to date.', 'migrate')
  await tour.skip()

  heading('Users')
  await both('There is none.', 'user', 'list')
  await run(
    'The first is an administrator.',
    ...['user', 'create', '--email', ' Olive@Harbour.example', '--first-name', 'Olive', '--last-name', 'Marsh'],
    ...PASSWORD,
  )
  await run('Others are not.', 'user', 'create', '--email', 'edith@harbour.example', ...PASSWORD, '--json')
  await run(
    'An administrator by a flag.',
    ...['user', 'create', '--admin', '--email=adam@harbour.example', '--last-name=Reed', ...PASSWORD],
  )
  await run('An address in use.', 'user', 'create', '--email', 'OLIVE@harbour.example', ...PASSWORD)
  await run('No address.', 'user', 'create', '--email', 'olive', ...PASSWORD)
  await run('A short password.', 'user', 'create', '--email', 'x@harbour.example', '--password', '1234567')
  await run('A long name.', 'user', 'create', '--email', 'x@y.example', '--first-name', 'x'.repeat(101), ...PASSWORD)
  await changes()
  await both('Three users.', 'user', 'list')

  heading('Projects')
  await both('There is none.', 'project', 'list')
  const create = (sentence: string, slug: string, ...more: string[]) =>
    run(sentence, 'project', 'create', '--slug', slug, '--owner', 'edith@harbour.example', ...more)
  await create(
    'A project with everything.',
    'harbour',
    ...['--name', 'Harbour News', '--domain', 'News.Harbour.example', '--monthly-limit', '500'],
    ...['--contact-limit', '70', '--json'],
  )
  await create('A project with the least.', 'mountain', '--name', 'Mountain Post')
  await run(
    'A limit of nothing.',
    ...['project', 'create', '--name', 'Zero', '--slug', 'zero', '--owner', 'adam@harbour.example'],
    ...['--monthly-limit', '0', '--json'],
  )
  await create('A slug in use.', 'harbour', '--name', 'Again')
  await create('A wrong slug.', 'Harbour!', '--name', 'Again')
  await create('A domain in use.', 'again', '--name', 'Again', '--domain', 'news.harbour.example')
  await create('A wrong domain.', 'again', '--name', 'Again', '--domain', 'no domain')
  await create('A wrong limit.', 'again', '--name', 'Again', '--monthly-limit', '1.5')
  await create('Another wrong limit.', 'again', '--name', 'Again', '--contact-limit', 'few')
  await run('No owner.', 'project', 'create', '--name', 'A', '--slug', 'again', '--owner', 'nobody@harbour.example')
  await changes()
  await run('A domain.', 'project', 'set-domain', '--project', 'mountain', '--domain', 'Mountain.example')
  await run('A domain in use.', 'project', 'set-domain', '--project', 'mountain', '--domain', 'news.harbour.example')
  await run('No domain.', 'project', 'set-domain', '--project', 'harbour')
  await run('Another domain.', 'project', 'set-domain', '--project', 'harbour', '--domain', 'harbour.example', '--json')
  await run('No project.', 'project', 'set-domain', '--project', 'valley')
  await sql("UPDATE projects SET domain_claim = 'zero.example' WHERE slug = 'zero'")
  await both('A domain that is not proved shows as such.', 'project', 'list')
  const member = (sentence: string, project: string, user: string, role: string, ...more: string[]) =>
    run(sentence, 'project', 'add-member', '--project', project, '--user', user, '--role', role, ...more)
  await member('A member.', 'harbour', 'olive@harbour.example', 'editor')
  await member('An administrator, as JSON.', 'harbour', 'adam@harbour.example', 'administrator', '--json')
  await member('A member again.', 'harbour', 'olive@harbour.example', 'member')
  await member('A second owner.', 'mountain', 'olive@harbour.example', 'owner')
  await member('Nobody.', 'harbour', 'nobody@harbour.example', 'member')
  await member('No project.', 'valley', 'olive@harbour.example', 'member')
  await changes()

  heading('API keys')
  const key = (sentence: string, project: string, user: string, name: string, ...more: string[]) =>
    run(sentence, 'api-key', 'create', '--project', project, '--user', user, '--name', name, ...more)
  const made = await key('A key.', 'harbour', 'olive@harbour.example', 'Website', '--json')
  await key('Another.', 'harbour', 'adam@harbour.example', 'Shop')
  await key('One of a neighbor.', 'mountain', 'edith@harbour.example', 'Trail', '--json')
  await key('Of somebody who is no member.', 'mountain', 'adam@harbour.example', 'Trail')
  await key('Without a name.', 'harbour', 'olive@harbour.example', ' ')
  await key('With a long name.', 'harbour', 'olive@harbour.example', 'x'.repeat(101))
  await sql('UPDATE api_keys SET last_used_at = ? WHERE name = ?', Date.UTC(2026, 0, 15, 9, 30, 1), 'Website')
  await changes()
  await both('All keys.', 'api-key', 'list')
  await both('Those of a project.', 'api-key', 'list', '--project', 'mountain')
  await run('Those of no project.', 'api-key', 'list', '--project', 'valley')
  await run('A key is revoked.', 'api-key', 'revoke', '--id', JSON.parse(made).id, '--json')
  await run('It is gone.', 'api-key', 'revoke', '--id', JSON.parse(made).id)
  await run('Two are left.', 'api-key', 'list')
  await changes()

  heading('Sessions, codes and disabled users')
  for (const [token, email] of [
    ['one', 'olive@harbour.example'],
    ['two', 'olive@harbour.example'],
    ['three', 'edith@harbour.example'],
    ['four', 'adam@harbour.example'],
  ] as const)
    await sql(
      `INSERT INTO sessions (token_hash, user_id, created_at, last_used_at, expires_at)
       SELECT ?, id, 0, 0, 9000000000000 FROM users WHERE email_key = ?`,
      token,
      email,
    )
  await sql("INSERT INTO totp_factors SELECT id, 'x', 0, 0 FROM users WHERE email_key = 'edith@harbour.example'")
  await sql("INSERT INTO recovery_codes SELECT id, 'x' FROM users WHERE email_key = 'edith@harbour.example'")
  await tour.skip()
  await run('Two sessions of one user end.', 'user', 'sign-out', '--email', 'olive@harbour.example')
  await run('A new password ends one.', 'user', 'set-password', '--email', 'edith@harbour.example', ...PASSWORD)
  await run('The rest ends.', 'user', 'sign-out', '--all', '--json')
  await run('The codes are turned off.', 'user', 'reset-second-factor', 'edith@harbour.example', '--port', '4321')
  await run('They are off.', 'user', 'reset-second-factor', 'edith@harbour.example', '--json')
  await run('There are none.', 'user', 'reset-second-factor', 'adam@harbour.example')
  await run('A user is disabled.', 'user', 'disable', '--email', 'olive@harbour.example')
  await run('Another, as JSON.', 'user', 'disable', '--email', 'adam@harbour.example', '--json')
  for (const name of ['set-password', 'disable', 'sign-out'])
    await run(
      'Nobody.',
      'user',
      name,
      '--email',
      'nobody@harbour.example',
      ...(name === 'set-password' ? PASSWORD : []),
    )
  await changes()
  await both('Users with their marks.', 'user', 'list')
  advance(31 * DAY_MS)
  await key('Of a disabled user.', 'harbour', 'olive@harbour.example', 'Late')

  heading('The audit log')
  await both('All rows.', 'audit', 'list')
  await both('Three rows of a project.', 'audit', 'list', '--project', 'harbour', '--after', '3', '--limit', '3')
  await run('None is left.', 'audit', 'list', '--after', '9000', '--json')
  await run('None is wanted.', 'audit', 'list', '--limit', '0', '--after', '4', '--json')
  await run('No project.', 'audit', 'list', '--project', 'valley')
  expectRecorded('tools/accounts.txt', tour.text())
})

test('What commands about keys, backups, sites and checks say and write is what is recorded.', async () => {
  await tour.skip()
  heading('DKIM keys')
  const dkim = (sentence: string, ...words: string[]) => run(sentence, 'dkim', ...words)
  const RSA = ['--algorithm', 'rsa-sha256']
  const ED = ['--algorithm', 'ed25519-sha256']
  await dkim('A key.', 'create', 'harbour', 'Harbour.INVALID', ...ED)
  await dkim('A key of the usual kind, as JSON.', 'create', 'harbour', 'other.invalid', '--json')
  await dkim('Another for the same domain.', 'create', 'harbour', 'harbour.invalid', ...ED, '--json')
  await dkim('One of a neighbor.', 'create', 'mountain', 'harbour.invalid', ...ED)
  await dkim('A wrong domain.', 'create', 'harbour', 'no domain', ...RSA)
  await dkim('A wrong algorithm.', 'create', 'harbour', 'x.invalid', '--algorithm', 'dsa')
  await dkim('No project.', 'create', 'valley', 'x.invalid')
  await sql('UPDATE dkim_keys SET verified_at = ? WHERE id = 2', Date.UTC(2026, 1, 1, 8))
  await both('Three keys.', 'dkim', 'list', 'harbour')
  await dkim('No keys.', 'list', 'zero')
  await dkim('A key is deleted.', 'delete', 'harbour', '1')
  await dkim('Another, as JSON.', 'delete', 'harbour', '3', '--json')
  await dkim('One of a neighbor is not.', 'delete', 'harbour', '4')
  await dkim('No number.', 'delete', 'harbour', 'x')
  await changes()

  heading('Secret keys')
  await both('One key.', 'secrets', 'status')
  await run('A rotation.', 'secrets', 'rotate')
  await run('Another.', 'secrets', 'rotate', '--json')
  const { keys } = await both('Three keys.', 'secrets', 'status')
  await both('They are sealed with the newest.', 'secrets', 'reseal')
  await run('An unknown key.', 'secrets', 'forget', '00000000')
  await run('The newest.', 'secrets', 'forget', keys[0].id, '--force')
  await run('Too early.', 'secrets', 'forget', keys[1].id, '--force')
  advance(60_000)
  await run('Without force.', 'secrets', 'forget', keys[1].id)
  await run('With force.', 'secrets', 'forget', keys[1].id, '--force')
  await run('The first, as JSON.', 'secrets', 'forget', keys[2].id, '--force', '--json')
  await run('A key of the settings.', 'secrets', 'rotate', '--secret-key', 'x'.repeat(40))
  await changes()

  heading('The files of a site')
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(tour.path, 'site', name)), { recursive: true })
    writeFileSync(join(tour.path, 'site', name), content)
  }
  put('index.html', '<!DOCTYPE html><title>Home of  the\u0085harbour</title><p>High water</p>')
  put('about/index.HTM', '<p>About us</p>')
  put('about/team.html', '<title>Team</title><p>Olive</p>')
  put('about.html', '<p>Also about</p>')
  put('style.css', 'p { color: #123 }')
  put('pictures/pixel.png', Buffer.from(PIXEL, 'base64'))
  put('pictures/broken.png', 'no picture')
  put('code.mjs', 'alert(1)')
  put('notes.txt', 'x')
  put('.hidden.html', 'x')
  put('latin.html', new Uint8Array([0x3c, 0x70, 0x3e, 0xe9]))
  put('bad%name.html', 'x')
  await run('A folder.', 'site', 'import', 'harbour', 'site')
  await changes()
  put('about/team.html', '<p>Olive and Adam</p>')
  put('style.css', 'p { color: #456 }')
  put('new.html', `<title>${'t'.repeat(301)}</title>`)
  await run('The folder again, with changes, as JSON.', 'site', 'import', 'harbour', 'site', '--json')
  await run('No folder.', 'site', 'import', 'harbour', 'nowhere')
  await run('A file.', 'site', 'import', 'harbour', 'site/index.html')
  await run('No project.', 'site', 'import', 'valley', 'site')
  await changes()

  heading('Backups')
  await run('A backup.', 'backup', 'one.db')
  await run('The file is there.', 'backup', 'one.db')
  await run('No folder.', 'backup', 'nowhere/one.db')
  await run('A rehearsal.', 'restore', 'one.db', '--rehearse')
  await run('A rehearsal, as JSON.', 'restore', 'one.db', '--rehearse', '--json')
  await run('No file.', 'restore', 'two.db')
  await run('No database.', 'restore', 'site/notes.txt', '--rehearse')
  await run('The database is in the way.', 'restore', 'one.db')
  await changes()
  await run('A user who comes after the backup.', 'user', 'create', '--email', 'late@harbour.example', ...PASSWORD)
  await changes()
  await run('Facts of another folder.', 'facts', 'replay', '--since', '2026-02-15T09:00:00Z', '--folders', 'site')
  await run('Facts of this folder.', 'facts', 'replay', '--since', '2026-02-15T09:00:00Z', '--json')
  await run('Facts of the next days.', 'facts', 'replay', '--since', '2026-03-15')
  await changes()
  await run('A restore elsewhere.', 'restore', 'one.db', '--data-dir', 'elsewhere')
  for (const name of ['secret.key', 'facts'])
    cpSync(join(tour.path, 'data', name), join(tour.path, 'again', name), { recursive: true })
  await run('A restore with the key and the facts, as JSON.', 'restore', 'one.db', '--data-dir', 'again', '--json')
  await run('Who came later is not there.', 'user', 'list', '--data-dir', 'again')
  await run('What the restore left.', 'audit', 'list', '--after', '46', '--data-dir', 'again')

  heading('Checks')
  const doctor = async (sentence: string, ...words: string[]) => {
    await both(sentence, 'doctor', ...words)
  }
  await doctor('Nothing is wrong.', '--port', '0')
  await doctor('Another key.', '--port', '0', '--secret-key', 'x'.repeat(40))
  await doctor('A public sandbox.', '--port', '0', '--sandbox', 'true', '--base-url', 'https://harbour.example')
  await doctor('Elsewhere, without a key.', '--port', '0', '--data-dir', 'elsewhere')
  await sql("UPDATE audit_log SET target = 'user:x' WHERE id = 4")
  await doctor('A changed row of the audit log.', '--port', '0')
  // The names of keys are short.
  const names = new Map<string, string>(keys.map(({ id }: { id: string }, at: number) => [id, `<key ${3 - at}>`]))
  expectRecorded(
    'tools/keeping.txt',
    tour.text().replaceAll(new RegExp([...names.keys()].join('|'), 'g'), (id) => names.get(id)!),
  )
})
