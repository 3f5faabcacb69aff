import { expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { configOf } from '../../../src/config.ts'
import type { ProjectId } from '../../../src/ids.ts'
import {
  type Connection,
  unsealConnectionPassword,
  unsealWebhookSecret,
} from '../../../src/newsletter/connections/connection.ts'
import {
  createConnection,
  deleteConnection,
  updateConnection,
} from '../../../src/newsletter/connections/connection-edit.operations.ts'
import type { Operation } from '../../../src/operation/declare.ts'
import { campaigns, connections, newsletter_settings } from '../../../src/store/tables/delivery.ts'
import { KEYS, newCampaign, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const config = configOf({ sandbox: true, allow_private_relays: true })

/** Calls an operation as `run.ts` does, at a time. */
async function call(operation: Operation, project_id: ProjectId, input: object, now = NOW): Promise<any> {
  const { act } = operation
  if (act.kind !== 'mutation') throw new Error('No mutation.')
  const context = { config, keys: KEYS, project_id, now }
  const prepared = await act.prepare(input, context as never)
  return write((tx) => act.run(input, { ...context, tx } as never, prepared))
}
const create = async (project_id: ProjectId, more: object = {}) =>
  (await call(createConnection, project_id, { name: 'Quay', provider: 'smtp', host: 'a.example', ...more })).connection
const rowOf = async (id: number): Promise<Connection> =>
  (await (await sharedStore()).db.select().from(connections).where(eq(connections.id, id)))[0]!
const put = (id: number, change: Partial<Connection>) =>
  write((tx) => tx.update(connections).set(change).where(eq(connections.id, id)))

const GIVEN = {
  ...{ host: 'Relay.Example', port: 2525, secure: 'none', username: 'Harbour', from_domain: 'Mail.Example' },
  ...{ bounce_domain: 'Bounce.Example', max_per_second: 1.5, max_per_day: 9, max_connections: 3 },
  ...{ mailbox_limits: { gmail: 2 }, message_stream: 'News' },
}
const STORED = {
  ...GIVEN,
  ...{ host: 'relay.example', from_domain: 'mail.example', bounce_domain: 'bounce.example' },
}

test('Everything that is given is stored, names of hosts and domains in lower case.', async () => {
  const project = await newProject()
  const secrets = { password: 'word', webhook_secret: 'hook' }
  const { id } = await create(project, { ...GIVEN, ...secrets, name: ' Quay ', warm_up: true })
  const row = await rowOf(id)
  expect(row).toMatchObject({
    ...{ ...STORED, project_id: project, name: 'Quay', name_key: 'quay', warm_up_started_at: NOW, verified_at: null },
    ...{ created_at: NOW, updated_at: NOW },
  })
  expect([unsealConnectionPassword(KEYS, row), unsealWebhookSecret(KEYS, row)]).toEqual(['word', 'hook'])
  const bare = await create(project, { name: 'Bare' })
  await call(updateConnection, project, { connection_id: bare.id, ...GIVEN, ...secrets, name: ' Pier ' }, NOW + 5)
  const changed = await rowOf(bare.id)
  expect(changed).toMatchObject({
    ...{ ...STORED, name: 'Pier', name_key: 'pier', warm_up_started_at: null, created_at: NOW, updated_at: NOW + 5 },
  })
  expect([unsealConnectionPassword(KEYS, changed), unsealWebhookSecret(KEYS, changed)]).toEqual(['word', 'hook'])
  await call(updateConnection, project, { connection_id: bare.id, webhook_secret: null, password: '' })
  expect(await rowOf(bare.id)).toMatchObject({ webhook_secret_sealed: null, password_sealed: null, name: 'Pier' })
})

test('A sandbox is verified and has no port, unless it is given one.', async () => {
  const project = await newProject()
  const sandbox = (more: object) => create(project, { provider: 'sandbox', host: undefined, ...more })
  expect(await sandbox({ name: 'a' })).toMatchObject({ host: '', port: 0, secure: 'none' })
  expect(await sandbox({ name: 'b', secure: 'tls', port: 7 })).toMatchObject({ port: 7, secure: 'tls' })
  const { id } = await create(project, { name: 'c' })
  const become = async (provider: string, more: object = {}) =>
    (await call(updateConnection, project, { connection_id: id, provider, ...more }, NOW + 9)).connection
  const at = new Date(NOW + 9).toISOString()
  expect(await become('sandbox')).toMatchObject({ provider: 'sandbox', port: 587, verified_at: at })
  expect((await call(updateConnection, project, { connection_id: id, name: 'd' }, NOW + 99)).connection).toMatchObject({
    verified_at: at,
  })
  expect(await become('smtp', { host: 'b.example' })).toMatchObject({
    port: 587,
    secure: 'starttls',
    verified_at: null,
  })
})

test('A number of connections is a choice when it is given at creation, or changed later.', async () => {
  const project = await newProject()
  const { id } = await create(project)
  const isChosen = async () => (await rowOf(id)).max_connections_chosen
  const change = (more: object) => call(updateConnection, project, { connection_id: id, ...more })
  expect(await isChosen()).toBe(false)
  // The form of the web application sends the value that it shows.
  await change({ max_connections: 10, max_per_second: 20 })
  expect(await isChosen()).toBe(false)
  await change({ max_connections: 9 })
  expect(await isChosen()).toBe(true)
  await change({ max_connections: 10 })
  expect(await isChosen()).toBe(true)
  const { id: given } = await create(project, { name: 'e', max_connections: 10 })
  expect((await rowOf(given)).max_connections_chosen).toBe(true)
})

test('A warm-up begins once, keeps its beginning, and begins anew after it was ended.', async () => {
  const project = await newProject()
  const { id } = await create(project)
  const begun = async (more: object, now: number) => {
    await call(updateConnection, project, { connection_id: id, ...more }, now)
    return (await rowOf(id)).warm_up_started_at
  }
  expect(await begun({ warm_up: true }, NOW + 1)).toBe(NOW + 1)
  expect(await begun({ warm_up: true }, NOW + 2)).toBe(NOW + 1)
  expect(await begun({ max_per_day: 5 }, NOW + 3)).toBe(NOW + 1)
  expect(await begun({ warm_up: false }, NOW + 4)).toBeNull()
  expect(await begun({ warm_up: true }, NOW + 5)).toBe(NOW + 5)
})

test('The last error and the topic go with the relay that they were about.', async () => {
  const project = await newProject()
  const { id } = await create(project, { provider: 'ses', host: undefined })
  const kept = async (change: object) => {
    await put(id, { provider: 'ses', last_error: 'Busy.', webhook_topic: 'arn:a', verified_at: NOW })
    await call(updateConnection, project, { connection_id: id, ...change })
    const { last_error, webhook_topic, verified_at } = await rowOf(id)
    return [last_error, webhook_topic, verified_at !== null]
  }
  expect(await kept({ max_per_day: 7 })).toEqual(['Busy.', 'arn:a', true])
  expect(await kept({ provider: 'ses' })).toEqual(['Busy.', 'arn:a', true])
  expect(await kept({ webhook_topic: null })).toEqual(['Busy.', null, true])
  expect(await kept({ port: 26 })).toEqual([null, 'arn:a', false])
  expect(await kept({ provider: 'resend' })).toEqual([null, null, false])
})

test('A password stays with its host, and only another password must be tested again.', async () => {
  const project = await newProject()
  const { id } = await create(project, { password: 'old' })
  const after = async (change: object) => {
    await put(id, { verified_at: NOW })
    await call(updateConnection, project, { connection_id: id, ...change })
    const row = await rowOf(id)
    return [unsealConnectionPassword(KEYS, row), row.verified_at !== null]
  }
  expect(await after({ host: 'A.example', password: 'old' })).toEqual(['old', true])
  expect(await after({ password: 'new' })).toEqual(['new', false])
  expect(await after({ host: 'b.example' })).toEqual([null, false])
  expect(await after({ host: 'c.example', password: 'own' })).toEqual(['own', false])
  expect(await after({ provider: 'sendgrid' })).toEqual(['own', false])
  expect(await after({ provider: 'resend', host: 'smtp.resend.com' })).toEqual([null, false])
})

test('A provider replaces the relay and the user name of the provider before, and keeps chosen ones.', async () => {
  const project = await newProject()
  const { id } = await create(project, { provider: 'sendgrid', host: undefined })
  const after = async (change: object) => {
    const { connection } = await call(updateConnection, project, { connection_id: id, ...change })
    return [connection.host, connection.username, connection.port]
  }
  expect(await after({ provider: 'resend', secure: 'tls' })).toEqual(['smtp.resend.com', 'resend', 465])
  expect(await after({ username: 'own', port: 2465 })).toEqual(['smtp.resend.com', 'own', 2465])
  expect(await after({ provider: 'brevo', secure: 'starttls' })).toEqual(['smtp-relay.brevo.com', 'own', 2465])
  expect(await after({ host: 'x.example', username: '' })).toEqual(['x.example', '', 2465])
  expect(await after({ provider: 'sendgrid' })).toEqual(['x.example', 'apikey', 2465])
  expect(await after({ username: '' })).toEqual(['x.example', '', 2465])
  expect(await after({ provider: 'resend' })).toEqual(['x.example', 'resend', 2465])
  const { id: boxed } = await create(project, { name: 'Box', provider: 'sandbox', host: undefined })
  const { connection } = await call(updateConnection, project, { connection_id: boxed, provider: 'brevo' })
  expect(connection).toMatchObject({ host: 'smtp-relay.brevo.com', port: 587, secure: 'starttls' })
  const { id: fresh } = await create(project, { name: 'Bare' })
  await expect(call(updateConnection, project, { connection_id: fresh, host: '' })).rejects.toMatchObject({
    details: [{ path: '/host', message: 'Required.' }],
  })
})

test('A name stands once in a project, its case and the space around it aside.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  await create(project)
  const pier = await create(project, { name: 'Pier' })
  const taken = { code: 'CONFLICT', details: [{ path: '/name', message: 'Another connection has this name.' }] }
  await expect(create(project, { name: ' QUAY' })).rejects.toMatchObject(taken)
  await expect(call(updateConnection, project, { connection_id: pier.id, name: 'quay ' })).rejects.toMatchObject(taken)
  expect((await call(updateConnection, project, { connection_id: pier.id, name: 'PIER' })).connection.name).toBe('PIER')
  expect((await create(other)).name).toBe('Quay')
})

test('A project has room for fifty connections.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { id, ...row } = await rowOf((await create(project)).id)
  const names = Array.from({ length: 48 }, (_, n) => `c${n}`)
  await write((tx) => tx.insert(connections).values(names.map((name) => ({ ...row, name, name_key: name }))))
  await create(project, { name: 'The fiftieth' })
  await expect(create(project, { name: 'One more' })).rejects.toMatchObject({
    ...{ code: 'INVALID_STATE', details: { state: 'full', limit: 50 } },
  })
  expect((await create(other)).id).toBeGreaterThan(id)
})

test('A connection is deleted alone, and only from the settings of its own project that name it.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [one, second, foreign] = [await create(project), await create(project, { name: 'b' }), await create(other)]
  const settings = (project_id: ProjectId, default_connection_id: number) =>
    write((tx) => tx.insert(newsletter_settings).values({ project_id, default_connection_id, updated_at: NOW }))
  await settings(project, one.id)
  await settings(other, foreign.id)
  const usual = async (project_id: ProjectId) =>
    (
      await (
        await sharedStore()
      ).db
        .select({ id: newsletter_settings.default_connection_id, at: newsletter_settings.updated_at })
        .from(newsletter_settings)
        .where(and(eq(newsletter_settings.project_id, project_id)))
    )[0]
  const remove = (connection_id: number) => call(deleteConnection, project, { connection_id }, NOW + 1)
  expect((await remove(second.id)).connection).toMatchObject({ id: second.id, name: 'b' })
  expect(await usual(project)).toEqual({ id: one.id, at: NOW })
  await expect(remove(foreign.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await remove(one.id)
  expect([await usual(project), await usual(other)]).toEqual([
    { id: null, at: NOW + 1 },
    { id: foreign.id, at: NOW },
  ])
  expect([await rowOf(one.id), (await rowOf(foreign.id)).id]).toEqual([undefined as never, foreign.id])
})

test('Campaigns that choose no connection keep the only one, and of several those that they choose.', async () => {
  const project = await newProject()
  const only = await create(project)
  const campaign = await newCampaign(project, { status: 'scheduled' })
  await newCampaign(project, { status: 'draft' })
  const remove = (connection_id: number) => call(deleteConnection, project, { connection_id })
  await expect(remove(only.id)).rejects.toMatchObject({ code: 'CONFLICT', details: { campaign_ids: [campaign] } })
  const own = await newCampaign(project, { status: 'paused', connection_id: only.id })
  await expect(remove(only.id)).rejects.toMatchObject({ details: { campaign_ids: [campaign, own] } })
  await write((tx) => tx.update(campaigns).set({ status: 'sent' }).where(eq(campaigns.id, own)))
  const further = await create(project, { name: 'b' })
  const chosen = await newCampaign(project, { status: 'sending', connection_id: further.id })
  await expect(remove(further.id)).rejects.toMatchObject({ details: { campaign_ids: [chosen] } })
  expect((await remove(only.id)).connection.id).toBe(only.id)
})
