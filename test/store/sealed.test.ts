import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { systemClock } from '../../src/clock.ts'
import { configOf } from '../../src/config.ts'
import { databaseUrl, dataFolder, keyProblem, keysOf, openKeys, rotateKeys } from '../../src/instance.ts'
import { configuredKeys } from '../../src/key-file.ts'
import { newMasterKey } from '../../src/secrets.ts'
import { migrationsFolder } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate.ts'
import { reseal, seal, SEALED, sealedByKey, unseal } from '../../src/store/sealed.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { account_messages } from '../../src/store/tables/accounts.ts'
import { type Finished, masthead, mastheadHere, start } from '../cli/masthead.ts'
import { signIn } from '../http/signed-in.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { createDkimKey } from '../support/dkim.ts'
import { scratchFolder } from '../support/folder.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import { liveByMachineTime } from '../support/machine-time.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createWorld, type World } from '../support/world.ts'

/** Rotating the secret key (docs/operations.md#secret-key). */

const scratch = scratchFolder()
const argsOf = (data_dir: string, command: string) => [
  ...command.split(' '),
  ...['--data-dir', data_dir, '--log-level', 'error'],
]
/** In this process, which takes far less time. */
const run = (data_dir: string, command: string) => mastheadHere(scratch, argsOf(data_dir, command))
const runApart = (data_dir: string, command: string) => masthead(scratch, argsOf(data_dir, command))
const jsonOf = ({ code, stdout, stderr }: Finished) => {
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
const json = async (data_dir: string, command: string) => jsonOf(await run(data_dir, `${command} --json`))
/** Beside a service that works. */
const jsonApart = async (data_dir: string, command: string) => jsonOf(await runApart(data_dir, `${command} --json`))

/** Makes a data folder as the first start does. This process may keep the database open until it collects garbage. */
async function makeData(data_dir: string): Promise<void> {
  const config = configOf({ data_dir })
  dataFolder(config)
  const store = await openStore({ url: databaseUrl(config) })
  await migrate(store, migrationsFolder, systemClock)
  await openKeys(config, store, systemClock.now())
  await store.close()
}

describe('While the service runs under load', () => {
  const relay = startSmtpSink({ auth: { user: 'harbour', password: 'word' } })
  let world: World
  beforeEach(async () => {
    world = await createWorld({ access_token_ttl_seconds: 3600 })
    await liveByMachineTime(world)
  })
  afterEach(() => world.close())
  afterAll(async () => (await relay).close())

  const sendTo = async (list_id: number) => {
    const { campaign } = await world.ok('campaigns/create', {
      subject: 'Tides',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list_id }] },
    })
    await world.ok('campaigns/send', { campaign_id: campaign.id })
    await world.settle()
    return (await relay).messages.at(-1)!.raw.toString().replace(/=\r\n/g, '')
  }
  const unsubscribePath = (raw: string) => /List-Unsubscribe: <https?:\/\/[^/]+([^>]+)>/.exec(raw)![1]!

  test('Links, cursors, sessions and credentials from before a rotation work after it.', async () => {
    const { host, port } = await relay
    const { list_id } = await readyToSend(world, {
      name: 'Relay',
      provider: 'smtp',
      host,
      port,
      secure: 'none',
      username: 'harbour',
      password: 'word',
      webhook_secret: 'hook',
    })
    const add = (name: string) =>
      world.call('contacts/upsert', { email: `${name}@example.com`, list_ids: [list_id], consent_text: 'Yes' })
    await add('ada')
    const first = unsubscribePath(await sendTo(list_id))
    await add('bo')
    const { next_cursor } = await world.ok('contacts/list', { limit: 1 })
    const cookie = await signIn(world, 'owner')
    const { keys, store } = world.service.runtime
    await createDkimKey(
      world.service.runtime,
      world.project.id,
      { domain: 'harbour.example', algorithm: 'ed25519-sha256' },
      world.clock.now(),
    )
    const old = keys.newest_id

    let rotated: Record<string, unknown> | undefined
    const rotation = jsonApart(world.folder, 'secrets rotate').then((answer) => (rotated = answer))
    const statuses: number[] = []
    while (!rotated) statuses.push((await add(`load${statuses.length}`)).status)
    await rotation
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(rotated).toMatchObject({ previous: old, unreadable: 0 })
    expect([...(await sealedByKey(store.query)).keys()]).toEqual([String(rotated.newest)])

    expect((await world.ok('contacts/list', { limit: 1, cursor: next_cursor })).items).toMatchObject([
      { email: 'bo@example.com' },
    ])
    expect((await world.fetch('/user/me', { headers: { cookie } })).status).toBe(200)
    // The thread of the loops unseals the password of the relay.
    const second = unsubscribePath(await sendTo(list_id))
    expect([first, second].map((path) => path.includes(old))).toEqual([true, expect.any(Boolean)])
    for (const path of [first, second])
      expect((await world.fetch(path, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status).toBe(200)
    expect((await world.ok('contacts/get', { email: 'ada@example.com' })).contact.lists).toMatchObject([
      { status: 'unsubscribed' },
    ])
  })
})

test('The texts that a key has sealed are counted over all columns.', async () => {
  const asked: string[] = []
  const counts = await sealedByKey(async (query) => {
    asked.push(query)
    return [{ key_id: 'first', sealed: 2 }, ...(asked.length === 1 ? [{ key_id: 'other', sealed: 5 }] : [])]
  })
  const columns = Object.keys(SEALED).length
  expect(new Set(asked).size).toBe(columns)
  expect([...counts]).toEqual([
    ['first', 2 * columns],
    ['other', 5],
  ])
})

const services: ServiceProcess[] = []
let server: LibsqlServer | undefined
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()))
  await server?.close()
})

test('Two processes both read what either made, before and after one of them notices the rotation.', async () => {
  const data = join(scratch, 'two')
  server = await startLibsqlServer()
  const shared = `--database-url ${server.url}`
  await json(data, `user create --email ada@example.com --password 12345678 ${shared}`)
  await json(data, `project create --name Harbour --slug harbour --owner ada@example.com ${shared}`)
  const { key } = await json(data, `api-key create --project harbour --user ada@example.com --name test ${shared}`)
  const settings = {
    MASTHEAD_DATABASE_URL: server.url,
    MASTHEAD_ROLE: 'web',
    MASTHEAD_NEWSLETTER_READS_PER_MINUTE: '1000000',
  }
  while (services.length < 2) services.push(await startServiceProcess(data, settings))
  const list = async (at: number, body: Record<string, unknown>) => {
    const response = await fetch(`${services[at]!.url}/general/api/v1/newsletter/lists/list`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify({ limit: 1, ...body }),
    })
    return (await response.json()) as { data: { items: unknown[]; next_cursor: string | null } }
  }
  for (const name of ['Tides', 'Winds'])
    await fetch(`${services[0]!.url}/general/api/v1/newsletter/lists/create`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify({ name }),
    })
  const before = (await list(0, {})).data.next_cursor!
  const { newest } = await jsonApart(data, `secrets rotate ${shared}`)
  expect(before.startsWith(newest)).toBe(false)
  for (const at of [0, 1]) {
    let cursor = before
    while (!cursor.startsWith(newest)) {
      expect((await list(1 - at, { cursor })).data.items).toHaveLength(1)
      cursor = (await list(at, {})).data.next_cursor!
      await Bun.sleep(20) // leaves the processor to the process that is to notice
    }
    expect((await list(1 - at, { cursor })).data.items).toHaveLength(1)
  }
  expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0])
})

describe('A rotation that is killed', () => {
  /** Three groups that are sealed again, each in a transaction. */
  const COUNT = 150
  let data = ''
  let made = 0
  const config = () => configOf({ data_dir: data })
  const open = () => openStore({ url: `file:${join(data, 'masthead.db')}` })

  beforeEach(async () => {
    data = join(scratch, `killed-${++made}`)
    mkdirSync(data, { mode: 0o700 })
    await makeData(data)
    const [store, keys] = [await open(), keysOf(config())]
    const plain = { kind: 'invitation' as const, state: 'queued' as const, next_attempt_at: 0, expires_at: 0 }
    for (let at = 0; at < COUNT; at += 50)
      await store.write((tx) =>
        tx.insert(account_messages).values(
          Array.from({ length: 50 }, (_, index) => {
            const recipient = `${at + index}@example.com`
            const content_sealed = seal(keys, SEALED.account_message, recipient, { recipient })
            return { ...plain, recipient, content_sealed, created_at: 0 }
          }),
        ),
      )
    await store.close()
  })

  /** Fails unless the ring of the key file decrypts everything, and a start would accept it. */
  const expectReadable = async (store: Store) => {
    const keys = keysOf(config())
    expect(await keyProblem(store.query, keys, config())).toBeNull()
    const rows = await store.db.select().from(account_messages)
    expect(rows.map((row) => unseal(keys, SEALED.account_message, row.content_sealed!, row))).toEqual(
      rows.map(({ recipient }) => recipient),
    )
    expect(rows).toHaveLength(COUNT)
  }

  test('A rotation that is killed at a commit leaves all readable, and the next one ends its work.', async () => {
    const store = await open()
    const commits = 1 + COUNT / 50
    for (let killed_at = 0; killed_at < commits * 2; killed_at++) {
      let left = killed_at
      const step = () => {
        if (left-- === 0) throw new Error('killed')
      }
      const write: Store['write'] = async (work) => {
        const result = await store.write(async (tx) => {
          const done = await work(tx)
          step() // before the commit
          return done
        })
        step() // after the commit
        return result
      }
      const rotation = rotateKeys(config(), { ...store, write }, keysOf(config()), killed_at)
      await rotation.catch(({ message }: Error) => expect(message).toBe('killed'))
      await expectReadable(store)
    }
    await store.close()
    expect((await json(data, 'secrets reseal')).unreadable).toBe(0)
    const { keys } = await json(data, 'secrets status')
    expect(keys.map(({ sealed }: { sealed: number }) => sealed)).toEqual([COUNT, ...keys.slice(1).map(() => 0)])
  })

  test('A rotation that a signal kills leaves everything readable.', async () => {
    for (const sign of ['secret.key.new', 'secret.key', 'masthead.db-wal']) {
      const child = start(scratch, ['secrets', 'rotate', '--data-dir', data])
      const watcher = watch(data, (_, name) => {
        if (name === sign) child.kill('SIGKILL')
      })
      await child.exited
      watcher.close()
      const store = await open()
      await expectReadable(store)
      await store.close()
    }
    expect(await json(data, 'secrets rotate')).toMatchObject({ unreadable: 0 })
  })
})

const message = { kind: 'invitation', state: 'queued', next_attempt_at: 0, expires_at: 0, created_at: 0 } as const

test('A start is refused without a previous key that a stored value needs, until it is sealed again.', async () => {
  const data = join(scratch, 'needed')
  await makeData(data)
  const config = configOf({ data_dir: data })
  const store = await openStore({ url: `file:${join(data, 'masthead.db')}` })
  const [before, recipient] = [keysOf(config), 'ada@example.com']
  const { newest } = await json(data, 'secrets rotate')
  const content_sealed = seal(before, SEALED.account_message, 'old', { recipient })
  await store.write((tx) => tx.insert(account_messages).values({ ...message, recipient, content_sealed }))

  const file = join(data, 'secret.key')
  const ring = readFileSync(file, 'utf8')
  writeFileSync(file, ring.split('\n')[0]!)
  const refused = await run(data, 'user list')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`lacks the previous key ${before.newest_id}, which credentials in the database are sealed`),
  ])
  writeFileSync(file, ring)
  expect(await json(data, 'secrets reseal')).toEqual({ newest, resealed: 1, unreadable: 0 })
  writeFileSync(file, ring.split('\n')[0]!)
  expect(await run(data, 'user list')).toMatchObject({ code: 0 })
  await store.close()
})

test('A value that changes while it is sealed again keeps its change.', async () => {
  const data = join(scratch, 'changing')
  await makeData(data)
  const store = await openStore({ url: `file:${join(data, 'masthead.db')}` })
  const [keys, recipient] = [keysOf(configOf({ data_dir: data })), 'ada@example.com']
  const sealed = (text: string) => seal(keys, SEALED.account_message, text, { recipient })
  await store.write((tx) =>
    tx.insert(account_messages).values({ ...message, recipient, content_sealed: sealed('old') }),
  )
  const write: Store['write'] = async (work) => {
    await store.write((tx) => tx.update(account_messages).set({ content_sealed: sealed('new') }))
    return store.write(work)
  }
  keys.replace([newMasterKey(), ...configuredKeys(configOf({ data_dir: data }))])
  await reseal({ ...store, write }, keys)
  const [row] = await store.db.select().from(account_messages)
  expect(unseal(keys, SEALED.account_message, row!.content_sealed!, row!)).toBe('new')
  await store.close()
})

test('Every sealed column of the schema is declared, so that a rotation seals it again.', async () => {
  const data = join(scratch, 'schema')
  await makeData(data)
  const store = await openStore({ url: `file:${join(data, 'masthead.db')}` })
  const found = await store.db.all<{ name: string }>(sql`
    SELECT tables.name || '.' || columns.name AS name
    FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.name LIKE '%\\_sealed' ESCAPE '\\'`)
  await store.close()
  expect(found.map(({ name }) => name).toSorted()).toEqual(
    Object.values(SEALED)
      .map(({ table, column }) => `${table}.${column}`)
      .toSorted(),
  )
})

test('A previous key is forgotten only with --force, after a minute, and when nothing is sealed with it.', async () => {
  const data = join(scratch, 'forget')
  await makeData(data)
  const config = configOf({ data_dir: data })
  const store = await openStore({ url: `file:${join(data, 'masthead.db')}` })
  const before = keysOf(config)
  const [old, recipient] = [before.newest_id, 'ada@example.com']
  const { newest } = await json(data, 'secrets rotate')
  await store.write((tx) =>
    tx.insert(account_messages).values({
      kind: 'invitation',
      recipient,
      content_sealed: seal(before, SEALED.account_message, 'text', { recipient }),
      state: 'queued',
      next_attempt_at: 0,
      expires_at: 0,
      created_at: 0,
    }),
  )
  const refusal = async (command: string) => {
    const { code, stderr } = await run(data, command)
    return [code, stderr]
  }
  expect(await refusal(`secrets forget ${newest} --force`)).toEqual([1, expect.stringContaining('is the newest key')])
  expect(await refusal('secrets forget 00000 --force')).toEqual([1, expect.stringContaining(`${newest}, ${old}`)])
  expect(await refusal(`secrets forget ${old} --force`)).toEqual([1, expect.stringContaining('less than a minute old')])
  await store.write((tx) => tx.run(sql`UPDATE secret_keys SET created_at = created_at - 60000`))
  expect(await refusal(`secrets forget ${old}`)).toEqual([1, expect.stringContaining('will stop working')])
  expect(await refusal(`secrets forget ${old} --force`)).toEqual([1, expect.stringContaining('1 stored values are')])
  expect(await json(data, 'secrets reseal')).toEqual({ newest, resealed: 1, unreadable: 0 })
  expect(await json(data, 'secrets status')).toMatchObject({
    keys: [
      { id: newest, use: 'newest', sealed: 1 },
      { id: old, use: 'previous', sealed: 0 },
    ],
  })
  expect(await json(data, `secrets forget ${old} --force`)).toEqual({ forgotten: old })
  expect((await json(data, 'secrets status')).keys).toMatchObject([{ id: newest }])
  expect(keysOf(config).verify('click', before.sign('click', 'x'))).toBeNull()
  await store.close()
})

test('A backup of before a rotation restores while the ring has its key, and is refused without it.', async () => {
  const data = join(scratch, 'restored')
  // In a process of its own: a restore waits for nobody who may still have the database open.
  await jsonApart(data, 'migrate')
  const key = join(data, 'secret.key')
  const before = readFileSync(key, 'utf8')
  const backup = join(data, 'before.db')
  await jsonApart(data, `backup ${backup}`)
  await jsonApart(data, 'secrets rotate')
  const after = readFileSync(key, 'utf8')
  expect(await runApart(data, `restore ${backup} --force`)).toMatchObject({ code: 0 })
  expect(await runApart(data, 'user list')).toMatchObject({ code: 0 })

  writeFileSync(key, after.split('\n')[0]!)
  const refused = await runApart(data, `restore ${backup} --force`)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/before\.db cannot be used: .*is not the secret key .*needs the key [0-9a-v]{5}\./),
  ])
  writeFileSync(key, before)
  expect(await runApart(data, 'user list')).toMatchObject({ code: 1 })
  expect(await runApart(data, `restore ${backup} --force`)).toMatchObject({ code: 0 })
})

test('With keys of the environment rotate says what to set, and both keys are read.', async () => {
  const data = join(scratch, 'environment')
  const [one, two] = ['the first key is long enough to be one', 'the second key is long enough to be one']
  const inEnvironment = async (command: string, env: Record<string, string>) =>
    masthead(scratch, [...command.split(' '), '--data-dir', data], { env })
  await inEnvironment('migrate', { MASTHEAD_SECRET_KEY: one })
  const refused = await inEnvironment('secrets rotate', { MASTHEAD_SECRET_KEY: one })
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/MASTHEAD_SECRET_KEY_PREVIOUS .*masthead secrets reseal/),
  ])
  const ring = { MASTHEAD_SECRET_KEY: two, MASTHEAD_SECRET_KEY_PREVIOUS: one }
  const status = await inEnvironment('secrets status --json', ring)
  expect(JSON.parse(status.stdout).keys).toMatchObject([{ use: 'newest' }, { use: 'previous' }])
  const without = await inEnvironment('secrets status', { MASTHEAD_SECRET_KEY: one })
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('is not the secret key')])
  expect(await inEnvironment('user list', { MASTHEAD_SECRET_KEY: two })).toMatchObject({ code: 0 })
})

test('Doctor names files of the data folder that other users can read.', async () => {
  const data = join(scratch, 'modes')
  await json(data, 'migrate')
  expect(await run(data, 'doctor --port 0')).toMatchObject({ code: 0 })
  copyFileSync(join(data, 'masthead.db'), join(data, 'backup.db'))
  chmodSync(join(data, 'backup.db'), 0o640)
  const { code, stdout } = await run(data, 'doctor --port 0')
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^NOT OK {2}file_modes .*backup\.db\. Run chmod 600/m)])
})
