import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { chmodSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run as commandLine } from '../../src/cli/run.ts'
import { type Finished, masthead, mastheadHere, scratchFolder } from './masthead.ts'

const scratch = scratchFolder()
afterAll(() => scratch.remove())
const run = (args: string, options: Parameters<typeof masthead>[2] = {}) =>
  masthead(scratch.path, args.split(' '), options)
const printed = ({ code, stdout, stderr }: Finished) => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return JSON.parse(stdout)
}

test.each([
  ['http://somebody:secret@127.0.0.1:1', 1, 'The database http://127.0.0.1:1 cannot be reached: '],
  ['file:/nowhere/at/all.db', 1, 'The database file:/nowhere/at/all.db cannot be opened: '],
])('A database that cannot be opened is named in the error: %s.', async (url, code, words) => {
  const answer = await run('migrate', { env: { MASTHEAD_DATABASE_URL: url, MASTHEAD_DATA_DIR: scratch.path } })
  expect(answer).toEqual({ code, stdout: '', stderr: expect.stringContaining(`masthead: ${words}`) })
})

test('A data folder that cannot be created is named in the error.', async () => {
  writeFileSync(join(scratch.path, 'a-file'), '')
  const folder = join(scratch.path, 'a-file/data')
  const answer = await run('migrate', { env: { MASTHEAD_DATA_DIR: folder } })
  expect(answer).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`masthead: The data folder ${folder} cannot be created: `),
  })
})

test.each([
  ['frob', 'Unknown command frob. See masthead help.'],
  ['usr create', 'Unknown command usr. Did you mean user?'],
  ['user creat', 'Unknown command user creat. Did you mean user create?'],
  ['user', 'user expects one of: create, list, set-password, disable, sign-out, reset-second-factor.'],
  ['serve --prot 1', 'Unknown flag --prot for serve. Did you mean --port?'],
  ['serve --port x', '--port expects a whole number from 0 to 65535, not "x".'],
  ['ready --port 1 --wait x', '--wait expects a whole number from 0 to 3600, not "x".'],
  [
    'project add-member --project p --user u --role boss',
    '--role expects one of owner, administrator, editor, member.',
  ],
])('A wrong command line exits with 2 and one line: %s.', async (args, line) => {
  const write = spyOn(process.stderr, 'write').mockReturnValue(true)
  const code = await commandLine(args.split(' '))
  const written = write.mock.calls.map(([text]) => text)
  write.mockRestore()
  expect([code, written]).toEqual([2, [`masthead: ${line}\n`]])
})

test('Unknown settings in the environment and in the file are refused.', async () => {
  const variable = await run('user list', { env: { MASTHEAD_PROT: '1' } })
  expect(variable).toEqual({
    code: 2,
    stdout: '',
    stderr: 'masthead: Unknown setting MASTHEAD_PROT. Did you mean MASTHEAD_PORT?\n',
  })
  writeFileSync(join(scratch.path, 'wrong.toml'), 'prot = 1\n')
  const file = await run('user list --config wrong.toml')
  expect(file.code).toBe(2)
  expect(file.stderr).toMatch(/^masthead: Unknown setting prot in .*wrong\.toml\. Did you mean port\?\n$/)
})

describe('people, projects and keys', () => {
  let folder: ReturnType<typeof scratchFolder>
  let owner: Record<string, unknown>
  const run = (args: string) => mastheadHere(folder.path, args.split(' '))
  const json = async (args: string) => printed(await run(`${args} --json`))
  const newEditor = () => json('user create --email edith@harbour.example --password 12345678')
  /** Works on the database between two commands: SQLite's locks do not part two connections of one process. */
  const inDatabase = <T>(work: (database: Database) => T): T => {
    const database = new Database(join(folder.path, 'data/masthead.db'))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  beforeEach(async () => {
    folder = scratchFolder()
    owner = await json('user create --email Owner@harbour.example --first-name Olive --password 12345678')
  })
  afterEach(() => folder.remove())

  test('The command user create prints a flat object and creates a private data folder.', async () => {
    const own = scratchFolder()
    const args = 'user create --email Owner@harbour.example --first-name Olive --json'
    const made = await masthead(own.path, args.split(' '), { input: 'a long password\n' })
    expect(printed(made)).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: 'Owner@harbour.example',
      first_name: 'Olive',
      last_name: '',
      admin: true,
    })
    expect(statSync(join(own.path, 'data')).mode & 0o777).toBe(0o700)
    expect(statSync(join(own.path, 'data/secret.key')).mode & 0o777).toBe(0o600)
    own.remove()
  })

  test('An email address in use is refused in any case with exit code 1.', async () => {
    expect(await run('user create --email owner@HARBOUR.example --password 12345678 --json')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'masthead: --email: Another account has this address.\n',
    })
  })

  test('A missing or too short password is wrong usage.', async () => {
    expect(await run('user create --email a.b --password 12345678')).toMatchObject({
      code: 2,
      stderr: 'masthead: --email: This is not an email address.\n',
    })
    expect((await masthead(folder.path, ['user', 'create', '--email', 'b@harbour.example'])).stderr).toBe(
      'masthead: Missing password. Use --password or standard input.\n',
    )
    expect(await run('user create --email b@harbour.example --password short')).toMatchObject({
      code: 2,
      stderr: 'masthead: --password: A password has at least 8 characters.\n',
    })
  })

  test('A project gets an owner, members and an API key that is shown once.', async () => {
    const project = await json(
      'project create --name Harbour --slug harbour --owner owner@harbour.example --domain ' +
        'News.Harbour.example --monthly-limit 500',
    )
    expect(project).toEqual({
      id: expect.stringMatching(/^prj_/),
      name: 'Harbour',
      slug: 'harbour',
      domain: 'news.harbour.example',
      monthly_limit: 500,
      owner_id: owner.id,
    })
    expect(await run(`project create --name H --slug harbour --owner ${owner.id}`)).toMatchObject({
      code: 1,
      stderr: 'masthead: --slug: Another project has this slug.\n',
    })
    expect(await json('project set-domain --project harbour --domain Harbour.News')).toMatchObject({
      slug: 'harbour',
      domain: 'harbour.news',
    })
    expect(await run('project list')).toMatchObject({ stdout: expect.stringMatching(/harbour\.news\n/) })
    expect(await json('project set-domain --project harbour')).not.toHaveProperty('domain')

    const editor = await newEditor()
    expect(editor.admin).toBe(false)
    expect(await run(`api-key create --project harbour --user ${editor.id} --name k`)).toMatchObject({
      code: 1,
      stderr: 'masthead: This person is not a member of the project.\n',
    })
    expect(await json('project add-member --project harbour --user edith@harbour.example --role editor')).toEqual({
      project_id: project.id,
      user_id: editor.id,
      role: 'editor',
    })

    const key = await json(`api-key create --project ${project.id} --user edith@harbour.example --name Website`)
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^svc_pk_[\w-]{43}$/),
      project_id: project.id,
      user_id: editor.id,
      name: 'Website',
    })
    const listed = await run('api-key list --project harbour')
    expect(listed.stdout).toContain(key.key.slice(-4))
    expect(listed.stdout).not.toContain(key.key)
    expect(await json(`api-key revoke --id ${key.id}`)).toEqual({ id: key.id, revoked: true })
    expect(await run(`api-key revoke --id ${key.id}`)).toMatchObject({
      code: 1,
      stderr: 'masthead: No such API key.\n',
    })
    expect(await json('api-key list --project harbour')).toEqual({ api_keys: [] })
  })

  test('Sessions end for one user or for all, and never for both by mistake.', async () => {
    const { id, email } = owner
    const editor = await newEditor()
    const begin =
      'INSERT INTO sessions (token_hash, user_id, created_at, last_used_at, expires_at) VALUES (?, ?, 0, 0, 9e15)'
    inDatabase((database) => {
      for (const row of [
        ['a', id],
        ['b', id],
        ['c', editor.id],
      ])
        database.run(begin, row as string[])
    })
    expect(await json(`user sign-out --email ${email}`)).toEqual({ id, ended: 2 })
    expect(inDatabase((database) => database.query('SELECT token_hash FROM sessions').values())).toEqual([['c']])
    expect(await json('user sign-out --all')).toEqual({ id: null, ended: 1 })
    for (const wrong of ['user sign-out', `user sign-out --all --email ${email}`])
      expect(await run(wrong)).toMatchObject({ code: 2 })
    const noted = "SELECT target FROM audit_log WHERE action = 'user sign-out' ORDER BY id"
    expect(inDatabase((database) => database.query(noted).values())).toEqual([[`user:${id}`], [null]])
  })

  test('One-time codes of a user are turned off by the address, once.', async () => {
    const reset = 'user reset-second-factor edith@harbour.example'
    const user = await newEditor()
    inDatabase((database) => {
      database.run("INSERT INTO totp_factors VALUES (?, 'x', 0, 0)", [user.id])
      database.run("INSERT INTO recovery_codes VALUES (?, 'x')", [user.id])
    })
    expect(await json(reset)).toEqual({ id: user.id, email: user.email, removed: true })
    expect(await json(reset)).toEqual({ id: user.id, email: user.email, removed: false })
    const rows = (text: string) => inDatabase((database) => database.query(text).all())
    for (const table of ['totp_factors', 'recovery_codes']) expect(rows(`SELECT * FROM ${table}`)).toEqual([])
    expect(rows('SELECT kind, recipient FROM account_messages')).toEqual([
      { kind: 'security_notice', recipient: user.email },
    ])
    expect(await run('user reset-second-factor nobody@harbour.example')).toMatchObject({ code: 1 })
  })

  test('A disabled user is listed as disabled.', async () => {
    await newEditor()
    await json('user disable --email edith@harbour.example')
    const { users } = await json('user list')
    expect(users.map((user: { email: string; disabled: boolean }) => [user.email, user.disabled])).toEqual([
      ['Owner@harbour.example', false],
      ['edith@harbour.example', true],
    ])
  })

  test('The doctor reports a readable secret key, and no problem in a folder that does not exist yet.', async () => {
    expect(await json('doctor --port 0')).toMatchObject({ ok: true })
    chmodSync(join(folder.path, 'data/secret.key'), 0o644)
    const { code, stdout } = await run('doctor --port 0')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^NOT OK {2}secret_key .*chmod 600/m)
    expect(await json('doctor --port 0 --data-dir nowhere')).toMatchObject({ ok: true })
    expect(existsSync(join(folder.path, 'nowhere'))).toBe(false)
  })
})

// A database stays open in the process that used it, until its garbage is collected: each command is a process here.
describe('backups', () => {
  let scratch: ReturnType<typeof scratchFolder>
  const run = (args: string) => masthead(scratch.path, args.split(' '))
  const json = async (args: string) => printed(await run(`${args} --json`))
  beforeEach(async () => {
    scratch = scratchFolder()
    await json('user create --email owner@harbour.example --password 12345678')
  })
  afterEach(() => scratch.remove())

  test('A backup is restored over a database only with --force, and always with mode 0600.', async () => {
    await json('user create --email edith@harbour.example --password 12345678')
    const { file } = await json('backup kept.db')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await run('backup kept.db')).toMatchObject({
      code: 1,
      stderr: `masthead: ${file} already exists. Choose a new file.\n`,
    })

    expect((await run('restore kept.db')).stderr).toContain('Use --force to replace it')
    await json('restore kept.db --data-dir elsewhere')
    expect(await run('user list --data-dir elsewhere')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('elsewhere/secret.key is missing. The database needs the key'),
    })
    copyFileSync(join(scratch.path, 'data/secret.key'), join(scratch.path, 'elsewhere/secret.key'))
    expect((await json('user list --data-dir elsewhere')).users).toHaveLength(2)

    await json('user create --email late@harbour.example --password 12345678')
    const holder = new Database(join(scratch.path, 'data/masthead.db'))
    holder.query('SELECT count(*) FROM users').get()
    expect(await run('restore kept.db --force')).toMatchObject({
      code: 1,
      stderr: 'masthead: Another process has the database open. Stop it first.\n',
    })
    holder.close()

    chmodSync(file, 0o644)
    const restored = await json('restore kept.db --force')
    expect((await json('user list')).users).toHaveLength(2)
    expect(existsSync(restored.replaced)).toBe(true)
    expect(statSync(restored.database).mode & 0o777).toBe(0o600)
  })

  test('A file that is not a backup is refused and the database stays.', async () => {
    writeFileSync(join(scratch.path, 'note.txt'), 'Not a database at all.')
    expect((await run('restore note.txt --force')).stderr).toContain('is damaged or is not a database.')
    const stranger = new Database(join(scratch.path, 'stranger.db'))
    stranger.run('CREATE TABLE things (id INTEGER)')
    stranger.close()
    expect((await run('restore stranger.db --force')).stderr).toContain('is not a Masthead database.')
    expect((await json('user list')).users).toHaveLength(1)
  })
})

test('The commands openapi and version print the document and the version.', async () => {
  expect(printed(await run('openapi --base-url https://m.example --json'))).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/),
    servers: [{ url: 'https://m.example/general/api/v1/newsletter' }],
  })
  expect(printed(await run('openapi --host ::1 --port 8080 --json'))).toMatchObject({
    servers: [{ url: 'http://[::1]:8080/general/api/v1/newsletter' }],
  })
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, '../../package.json'), 'utf8'))
  expect(printed(await run('version --json'))).toMatchObject({ version, build: expect.any(String) })
})
