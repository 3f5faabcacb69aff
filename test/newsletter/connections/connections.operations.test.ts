import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import {
  type Connection,
  unsealConnectionPassword,
  relayOptions,
} from '../../../src/newsletter/connections/connection.ts'
import { campaigns, connections, sandbox_messages, sending_hours } from '../../../src/store/tables/delivery.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { EMPTY_DOCUMENT } from '../../../src/newsletter/email/document.ts'
import { createWorld, START, type World } from '../../support/world.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld({ relay_silence_seconds: 1 })
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

let number = 0
const create = async (more: Record<string, unknown> = {}, options = {}) =>
  (
    await world.ok(
      'connections/create',
      { name: `Relay ${++number}`, provider: 'smtp', host: 'mail.harbour.example', ...more },
      options,
    )
  ).connection

const rowOf = async (id: number): Promise<Connection> =>
  (await world.service.runtime.store.db.select().from(connections).where(eq(connections.id, id)))[0]!
const put = (id: number, change: Partial<Connection>) =>
  world.service.runtime.store.write((tx) => tx.update(connections).set(change).where(eq(connections.id, id)))

test('connections/create creates an unverified relay with the default port of its encryption.', async () => {
  expect(await create({ name: ' Main ', host: 'MAIL.harbour.example' })).toEqual({
    id: expect.any(Number),
    name: 'Main',
    provider: 'smtp',
    host: 'mail.harbour.example',
    port: 587,
    secure: 'starttls',
    username: '',
    password_set: false,
    from_domain: '',
    max_per_second: null,
    max_per_day: null,
    max_connections: 10,
    mailbox_limits: null,
    message_stream: '',
    warm_up: false,
    bounce_domain: '',
    webhook_secret_set: false,
    webhook_topic: null,
    dkim_selector: '',
    dns: null,
    dkim_keys: [],
    verified_at: null,
    last_error: null,
    created_at: new Date(START).toISOString(),
    updated_at: new Date(START).toISOString(),
  })
  expect((await create({ secure: 'tls' })).port).toBe(465)
  expect((await create({ secure: 'none', host: '127.0.0.1' })).port).toBe(25)
  expect((await create({ host: 'bücher.example' })).host).toBe('bücher.example')
  expect((await create({ host: '2001:db8::25', port: 2525 })).port).toBe(2525)
})

test('connections/create creates a sandbox connection that is verified at once.', async () => {
  const { connection } = await world.ok('connections/create', { name: 'Box', provider: 'sandbox', max_per_day: 10 })
  expect(connection).toMatchObject({
    provider: 'sandbox',
    host: '',
    port: 0,
    secure: 'none',
    max_per_day: 10,
    verified_at: new Date(START).toISOString(),
  })
})

test.each([
  ['ses', 'email-smtp.us-east-1.amazonaws.com', ''],
  ['sendgrid', 'smtp.sendgrid.net', 'apikey'],
  ['mailgun', 'smtp.mailgun.org', ''],
  ['postmark', 'smtp.postmarkapp.com', ''],
  ['resend', 'smtp.resend.com', 'resend'],
  ['brevo', 'smtp-relay.brevo.com', ''],
] as const)('connections/create knows the relay of %s.', async (provider, host, username) => {
  expect(await create({ provider, host: undefined })).toMatchObject({
    provider,
    host,
    username,
    port: 587,
    secure: 'starttls',
    verified_at: null,
  })
  expect(await create({ provider, host: 'smtp.eu.example', username: 'own', secure: 'tls' })).toMatchObject({
    provider,
    host: 'smtp.eu.example',
    username: 'own',
    port: 465,
  })
})

test('connections/create uses a Postmark token as user name and password.', async () => {
  const loginOf = async (more: Record<string, unknown>) => {
    const { username, password } = relayOptions(world.service.runtime, await rowOf((await create(more)).id))
    return { username, password }
  }
  expect(await loginOf({ provider: 'postmark', password: 'token' })).toEqual({ username: 'token', password: 'token' })
  expect(await loginOf({ provider: 'postmark', username: 'stream', password: 'token' })).toEqual({
    username: 'stream',
    password: 'token',
  })
  expect(await loginOf({ password: 'word' })).toEqual({ username: null, password: 'word' })
})

test('connections/create stores secrets sealed and never returns them.', async () => {
  const connection = await create({ username: 'harbour', password: 'a secret word', webhook_secret: 'another one' })
  expect(connection).toMatchObject({ password_set: true, webhook_secret_set: true })
  const list = await world.call('connections/list', { limit: 200 })
  expect(JSON.stringify([connection, list.body])).not.toMatch(/a secret word|another one|sealed/)
  const row = await rowOf(connection.id)
  expect(row.password_sealed).not.toContain('secret')
  expect(unsealConnectionPassword(world.service.runtime.keys, row)).toBe('a secret word')
  expect(() => unsealConnectionPassword(world.service.runtime.keys, { ...row, project_id: world.other.id })).toThrow()
})

test('connections/create refuses a name in use, in any case.', async () => {
  await create({ name: 'Émile' })
  const { status, body } = await world.call('connections/create', {
    name: 'éMILE',
    provider: 'smtp',
    host: 'mail.harbour.example',
  })
  expect(status).toBe(409)
  expect(body.error).toMatchObject({ code: 'CONFLICT', details: [{ path: '/name' }] })
  await create({ name: 'Émile' }, { as: world.keys.other })
})

test.each([
  [{ host: undefined }, '/host'],
  [{ provider: 'pigeon' }, '/provider'],
  [{ bounce_domain: 'nowhere' }, '/bounce_domain'],
  [{ bounce_domain: `${'a.'.repeat(117)}example` }, '/bounce_domain'],
  [{ host: 'http://mail.example' }, '/host'],
  [{ host: 'mail.example:25' }, '/host'],
  [{ host: '-a.example' }, '/host'],
  [{ host: 'a..example' }, '/host'],
  [{ host: '' }, '/host'],
  [{ port: 0 }, '/port'],
  [{ port: 65_536 }, '/port'],
  [{ secure: 'ssl' }, '/secure'],
  [{ name: '  ' }, '/name'],
  [{ name: 'a\nb' }, '/name'],
  [{ from_domain: 'localhost' }, '/from_domain'],
  [{ max_per_second: 0 }, '/max_per_second'],
  [{ max_per_day: 1.5 }, '/max_per_day'],
  [{ max_connections: 51 }, '/max_connections'],
  [{ password: 'two\nlines' }, '/password'],
  [{ verified_at: null }, '/verified_at'],
])('connections/create refuses %j.', async (wrong, path) => {
  const { status, body } = await world.call('connections/create', {
    name: `Wrong ${++number}`,
    provider: 'smtp',
    host: 'mail.harbour.example',
    ...wrong,
  })
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] })
})

test("connections/list pages through the project's connections in the order of creation.", async () => {
  const fresh = await createWorld()
  for (const name of ['a', 'b', 'c']) await fresh.ok('connections/create', { name, provider: 'sandbox' })
  await fresh.ok('connections/create', { name: 'x', provider: 'sandbox' }, { as: fresh.keys.other })
  const first = await fresh.ok('connections/list', { limit: 2 })
  expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
  const last = await fresh.ok('connections/list', { limit: 2, cursor: first.next_cursor })
  expect(last).toMatchObject({ items: [{ name: 'c' }], next_cursor: null })
  const { body } = await fresh.call('connections/list', { cursor: first.next_cursor }, { as: fresh.keys.other })
  expect(body.error.code).toBe('INVALID_CURSOR')
  await fresh.close()
})

test('connections/list tells on request what was sent in a day, and the limits of a warm-up.', async () => {
  const own = await createWorld()
  const { store } = own.service.runtime
  const relay = { provider: 'smtp', host: 'relay.example' }
  const { connection: plain } = await own.ok('connections/create', { ...relay, name: 'Plain', max_per_day: 900 })
  const { connection: young } = await own.ok('connections/create', { ...relay, name: 'Young', warm_up: true })
  const hour = Math.floor(own.clock.now() / 3_600_000)
  const row = { project_id: own.project.id, connection_id: plain.id }
  await store.write((tx) =>
    tx.insert(sending_hours).values([
      { ...row, hour, sent: 30 },
      { ...row, hour: hour - 24, sent: 12 },
      { ...row, hour: hour - 25, sent: 500 },
      // What an earlier hour counted and this one gave back.
      { ...row, connection_id: young.id, hour, sent: -3 },
    ]),
  )
  expect((await own.ok('connections/list')).items[0]).not.toHaveProperty('usage')
  const { items } = await own.ok('connections/list', { include: ['usage'] })
  expect(items.map(({ usage }: { usage: unknown }) => usage)).toEqual([
    { sent_in_24_hours: 42, limit: 900, limits_ahead: [] },
    { sent_in_24_hours: 0, limit: 200, limits_ahead: [236, 280, 331, 392, 464, 549, 650] },
  ])
  expect(young.warm_up).toBe(true)
  await own.close()
})

test('connections/update keeps verified_at unless the server or the login changes.', async () => {
  const { id } = await create({ username: 'harbour', password: 'old' })
  const verified = () => put(id, { verified_at: START, last_error: null })
  await verified()
  for (const harmless of [
    { name: `Renamed ${++number}` },
    { host: 'mail.harbour.example' },
    { password: 'old' },
    { max_per_second: 5 },
    { from_domain: 'Harbour.example' },
    { webhook_secret: 'x' },
  ]) {
    expect(
      (await world.ok('connections/update', { connection_id: id, ...harmless })).connection.verified_at,
    ).not.toBeNull()
  }
  for (const other of [
    { host: 'mx.harbour.example' },
    { port: 2525 },
    { secure: 'tls' },
    { username: 'pier' },
    { password: 'new' },
    { password: null },
  ]) {
    await verified()
    expect((await world.ok('connections/update', { connection_id: id, ...other })).connection.verified_at).toBeNull()
  }
  expect((await world.ok('connections/update', { connection_id: id, webhook_secret: '' })).connection).toMatchObject({
    password_set: false,
    webhook_secret_set: false,
    from_domain: 'harbour.example',
    max_per_second: 5,
  })
  expect(
    (await world.ok('connections/update', { connection_id: id, max_per_second: null })).connection.max_per_second,
  ).toBeNull()
})

test('connections/update never sends a stored password to another host.', async () => {
  const { id } = await create({ username: 'harbour', password: 'old' })
  const update = async (fields: Record<string, unknown>) =>
    (await world.ok('connections/update', { connection_id: id, ...fields })).connection.password_set
  expect(await update({ port: 2525, host: 'Mail.harbour.example' })).toBeTrue()
  expect(await update({ host: 'collector.example', password: 'new' })).toBeTrue()
  expect(await update({ host: 'mail.harbour.example' })).toBeFalse()
  await update({ password: 'old' })
  expect(await update({ provider: 'sendgrid', host: 'smtp.sendgrid.net' })).toBeFalse()
})

test('connections/update replaces a default port, but not a chosen one.', async () => {
  const usual = await create()
  expect((await world.ok('connections/update', { connection_id: usual.id, secure: 'tls' })).connection.port).toBe(465)
  const chosen = await create({ port: 2525 })
  expect((await world.ok('connections/update', { connection_id: chosen.id, secure: 'tls' })).connection.port).toBe(2525)
})

test('connections/update increases updated_at each time, even within one millisecond.', async () => {
  const { id } = await create()
  const versions = [await rowOf(id)]
  for (const max_per_day of [1, 2]) {
    await world.ok('connections/update', { connection_id: id, max_per_day })
    versions.push(await rowOf(id))
  }
  expect(new Set(versions.map(({ updated_at }) => updated_at)).size).toBe(3)
})

test('connections/update turns a sandbox into a relay only with a host.', async () => {
  const { connection } = await world.ok('connections/create', { name: 'Box 2', provider: 'sandbox' })
  const { status, body } = await world.call('connections/update', { connection_id: connection.id, provider: 'smtp' })
  expect([status, body.error.details]).toEqual([400, [{ path: '/host', message: 'Required.' }]])
  const turned = await world.ok('connections/update', {
    connection_id: connection.id,
    provider: 'smtp',
    host: 'mail.harbour.example',
    secure: 'starttls',
  })
  expect(turned.connection).toMatchObject({ provider: 'smtp', port: 587, verified_at: null })
  expect(
    (await world.ok('connections/update', { connection_id: connection.id, provider: 'sandbox' })).connection
      .verified_at,
  ).not.toBeNull()
})

test('connections/update replaces the default relay of the previous provider, but not a chosen one.', async () => {
  const { id } = await create({ provider: 'sendgrid', host: undefined })
  expect((await world.ok('connections/update', { connection_id: id, provider: 'resend' })).connection).toMatchObject({
    host: 'smtp.resend.com',
    username: 'resend',
    port: 587,
  })
  expect(
    (await world.ok('connections/update', { connection_id: id, provider: 'mailgun', host: 'smtp.eu.mailgun.org' }))
      .connection,
  ).toMatchObject({ host: 'smtp.eu.mailgun.org', username: '' })
  expect((await world.ok('connections/update', { connection_id: id, provider: 'postmark' })).connection).toMatchObject({
    host: 'smtp.eu.mailgun.org',
  })
  const { connection: box } = await world.ok('connections/create', { name: 'Box to turn', provider: 'sandbox' })
  expect(
    (await world.ok('connections/update', { connection_id: box.id, provider: 'sendgrid' })).connection,
  ).toMatchObject({ host: 'smtp.sendgrid.net', username: 'apikey', secure: 'starttls', port: 587 })
})

test("connections/update finds neither an unknown connection nor another project's.", async () => {
  const foreign = await create({}, { as: world.keys.other })
  for (const [operation, more] of [
    ['connections/update', { name: 'Mine' }],
    ['connections/delete', {}],
    ['connections/test', {}],
  ] as const) {
    for (const connection_id of [foreign.id, 999_999]) {
      const { status, body } = await world.call(operation, { connection_id, ...more })
      expect([status, body.error.code, body.error.details]).toEqual([404, 'NOT_FOUND', [{ path: '/connection_id' }]])
    }
  }
  const { body } = await world.call('connections/update', {
    connection_id: (await create()).id,
    name: (await create()).name,
  })
  expect(body.error.code).toBe('CONFLICT')
})

describe('connections/delete', () => {
  const campaign = (status: 'draft' | 'paused' | 'sent', connection_id: number | null, project_id = world.project.id) =>
    world.service.runtime.store.write((tx) =>
      tx
        .insert(campaigns)
        .values({
          project_id,
          name: 'c',
          search_key: 'c',
          subject: 'c',
          editor_json: EMPTY_DOCUMENT,
          audience_spec: { include: [] },
          connection_id,
          track_opens: false,
          track_clicks: false,
          status,
          created_at: START,
          updated_at: START,
        })
        .returning({ id: campaigns.id }),
    )

  test('connections/delete deletes the connection and removes it from the settings.', async () => {
    const { id } = await create({ name: 'Short-lived' })
    await world.ok('settings/update', { default_connection_id: id })
    await campaign('draft', id)
    await campaign('sent', id)
    expect((await world.ok('connections/delete', { connection_id: id })).connection.name).toBe('Short-lived')
    expect((await world.ok('settings/get')).settings.default_connection_id).toBeNull()
    expect(await rowOf(id)).toBeUndefined()
    expect((await world.call('connections/delete', { connection_id: id })).status).toBe(404)
  })

  test('connections/delete refuses while a campaign uses the connection, by name or as the default.', async () => {
    const [named, usual] = [await create(), await create()]
    const [mine] = await campaign('paused', named.id)
    const refused = await world.call('connections/delete', { connection_id: named.id })
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      409,
      'CONFLICT',
      { campaign_ids: [mine!.id] },
    ])
    const [anyones] = await campaign('paused', null)
    await world.ok('connections/delete', { connection_id: (await create()).id })
    await world.ok('settings/update', { default_connection_id: usual.id })
    expect((await world.call('connections/delete', { connection_id: usual.id })).body.error.details).toEqual({
      campaign_ids: [anyones!.id],
    })
  })
})

describe('connections/test', () => {
  let sink: SmtpSink
  beforeEach(async () => {
    await world.ok('settings/update', { from_name: 'Harbour', from_email: 'news@harbour.example' })
    sink = await startSmtpSink({
      auth: { user: 'harbour', password: 'right' },
      onRcpt: (address) => (address.startsWith('no') ? { code: 550, text: '5.1.1 No such user' } : undefined),
    })
  })
  afterEach(() => sink.close())
  const relay = (more: Record<string, unknown> = {}) =>
    create({ host: sink.host, port: sink.port, secure: 'none', username: 'harbour', password: 'right', ...more })

  test('connections/test signs in and stores verified_at.', async () => {
    const { id } = await relay()
    const answer = await world.ok('connections/test', { connection_id: id })
    expect(answer).toMatchObject({
      ok: true,
      connection: { id, verified_at: new Date(START).toISOString(), last_error: null },
    })
    expect(answer).not.toHaveProperty('error')
    expect(
      (await world.ok('connections/update', { connection_id: id, password: 'wrong' })).connection.verified_at,
    ).toBeNull()
    const refused = await world.ok('connections/test', { connection_id: id })
    expect(refused).toMatchObject({
      ok: false,
      error: expect.stringContaining('credentials'),
      connection: { verified_at: null, last_error: refused.error },
    })
    await world.ok('connections/update', { connection_id: id, password: 'right' })
    expect((await world.ok('connections/test', { connection_id: id })).connection.last_error).toBeNull()
  })

  test('connections/test sends one message to an address.', async () => {
    const { id } = await relay({ name: 'Quay' })
    const before = sink.messages.length
    expect((await world.ok('connections/test', { connection_id: id, email: ' ada@harbour.example ' })).ok).toBe(true)
    const [message] = (await sink.waitFor(before + 1)).slice(before)
    expect(message).toMatchObject({ from: 'news@harbour.example', to: ['ada@harbour.example'] })
    expect(message!.raw.toString()).toContain('Subject: Test of the connection Quay')
    expect(await world.ok('connections/test', { connection_id: id, email: 'nobody@harbour.example' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('No such user'),
    })
  })

  test('connections/test returns the reason why a relay cannot be reached.', async () => {
    const gone = await startSmtpSink()
    await gone.close()
    const { id } = await relay({ port: gone.port })
    await put(id, { verified_at: START })
    expect(await world.ok('connections/test', { connection_id: id })).toMatchObject({
      ok: false,
      error: 'The server could not be reached.',
      connection: { verified_at: null },
    })
  })

  test("connections/test stores a sandbox connection's message in the mailbox.", async () => {
    const { connection } = await world.ok('connections/create', { name: 'Box 3', provider: 'sandbox' })
    expect(await world.ok('connections/test', { connection_id: connection.id })).toMatchObject({ ok: true })
    expect(
      await world.ok('connections/test', { connection_id: connection.id, email: 'Ada@harbour.example' }),
    ).toMatchObject({ ok: true, connection: { last_error: null } })
    const kept = await world.service.runtime.store.db
      .select()
      .from(sandbox_messages)
      .where(
        and(
          eq(sandbox_messages.recipient_key, 'ada@harbour.example'),
          eq(sandbox_messages.project_id, world.project.id),
        ),
      )
    expect(kept.map(({ sender, recipient }) => [sender, recipient])).toEqual([
      ['news@harbour.example', 'Ada@harbour.example'],
    ])
  })

  test('connections/test does not verify a connection that was changed during the test.', async () => {
    const { id } = await relay()
    let change: Promise<unknown> = Promise.resolve()
    const slow = await startSmtpSink({
      onConnect: async () => {
        await (change = world.ok('connections/update', { connection_id: id, host: 'elsewhere.example' }))
      },
    })
    await put(id, { port: slow.port, username: '' })
    const answer = await world.ok('connections/test', { connection_id: id })
    await change
    expect(answer).toMatchObject({ ok: true, connection: { host: 'elsewhere.example', verified_at: null } })
    await slow.close()
  })

  test('connections/test needs a sender for a message.', async () => {
    const foreign = await create({}, { as: world.keys.other })
    const { status, body } = await world.call(
      'connections/test',
      { connection_id: foreign.id, email: 'ada@harbour.example' },
      { as: world.keys.other },
    )
    expect([status, body.error.code, body.error.details.checks[0].code]).toEqual([409, 'NOT_READY', 'sender'])
  })
})

test('The service refuses relays in private networks and the sandbox.', async () => {
  const strict = await createWorld({ allow_private_relays: false, sandbox: false })
  const { body } = await strict.call('connections/create', { name: 'Local', provider: 'smtp', host: '127.0.0.1' })
  expect(body.error.details[0].path).toBe('/host')
  expect(
    (await strict.call('connections/create', { name: 'Box', provider: 'sandbox' })).body.error.details[0].path,
  ).toBe('/provider')
  const { connection } = await strict.ok('connections/create', {
    name: 'Public',
    provider: 'smtp',
    host: '203.0.113.5',
  })
  expect((await strict.call('connections/update', { connection_id: connection.id, host: '192.168.7.7' })).status).toBe(
    400,
  )
  await strict.service.runtime.store.write((tx) =>
    tx.update(connections).set({ host: 'localhost' }).where(eq(connections.id, connection.id)),
  )
  expect(await strict.ok('connections/test', { connection_id: connection.id })).toMatchObject({
    ok: false,
    error: expect.stringContaining('not allowed'),
  })
  await strict.service.runtime.store.write((tx) =>
    tx.update(connections).set({ host: 'nowhere.invalid' }).where(eq(connections.id, connection.id)),
  )
  expect((await strict.ok('connections/test', { connection_id: connection.id })).ok).toBeFalse()
  await strict.close()
})

test('A change with a test is saved when the relay lets it in, and otherwise changes nothing.', async () => {
  const sink = await startSmtpSink({ auth: { user: 'ada', password: 'right' } })
  try {
    const { id } = await create({
      host: '127.0.0.1',
      port: sink.port,
      secure: 'none',
      username: 'ada',
      password: 'old',
    })
    const before = await rowOf(id)
    const asked = { connection_id: id, test: true }
    const refused = await world.call('connections/update', { ...asked, name: 'Other', password: 'wrong' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_READY'])
    expect(refused.body.error.message).toContain('Authentication credentials invalid')
    expect(await rowOf(id)).toEqual(before)
    await world.ok('connections/test', { connection_id: id })
    const unusable = await world.call('settings/update', { default_connection_id: id })
    expect([unusable.status, unusable.body.error.details[0].path]).toEqual([400, '/default_connection_id'])
    expect(unusable.body.error.details[0].message).toContain('Authentication credentials invalid')
    const { connection } = await world.ok('connections/update', { ...asked, password: 'right' })
    expect([connection.verified_at, connection.last_error]).toEqual([expect.any(String), null])
    expect((await world.ok('settings/update', { default_connection_id: id })).settings.default_connection_id).toBe(id)
  } finally {
    await sink.close()
  }
})
