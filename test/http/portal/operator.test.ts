import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { readConfig, sourceOf } from '../../../src/config.ts'
import { appRows } from '../../../src/developer/directory.ts'
import { operatorBackupRoutes } from '../../../src/http/portal/operator/backups.routes.ts'
import { withDatabaseFile } from '../../../src/store/backup.ts'
import { keepAlive, registerWorker } from '../../../src/store/lease.ts'
import { insertUser } from '../../../src/accounts/users.ts'
import { reachMilestone } from '../../../src/store/milestones.ts'
import { account_messages, users } from '../../../src/store/tables/accounts.ts'
import { campaigns, connections, deliveries, sending_hours } from '../../../src/store/tables/delivery.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { recovery_codes, totp_factors } from '../../../src/store/tables/sign-in.ts'
import { receipts } from '../../../src/store/tables/operation.ts'
import { messagesTo } from '../../support/mailbox.ts'
import { createWorld, type World } from '../../support/world.ts'
import { post, signIn } from '../signed-in.ts'

let world: World
const cookies: Record<string, string> = {}
beforeEach(async () => {
  world = await createWorld({ relay_silence_seconds: 0.05, sign_up: 'closed' })
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(users).set({ admin: true }).where(eq(users.id, world.users.administrator)))
  for (const person of ['administrator', 'owner']) cookies[person] = await signIn(world, person)
})
afterEach(() => world.close())

async function call(path: string, body: object = {}, person = 'administrator'): Promise<{ status: number; body: any }> {
  const answer = await post(world, `/user/operator/${path}`, body, { cookie: cookies[person]! })
  return { status: answer.status, body: await answer.json() }
}
const statusOf = async (path: string, body: object = {}, person?: string) => {
  const answer = await call(path, body, person)
  return answer.body.error ? `${answer.status} ${answer.body.error}` : answer.status
}
const emails = async (query: object) => (await call('users/list', query)).body.items.map((user: any) => user.email)

test('Only administrators of the service call the routes of operators.', async () => {
  for (const path of ['users/list', 'projects/list', 'apps/list', 'backup', 'mail/test'])
    expect(await statusOf(path, {}, 'owner')).toBe('403 forbidden')
  const named = { user_id: world.users.administrator }
  for (const verb of ['disable', 'enable', 'send-reset', 'end-sessions', 'reset-second-factor'])
    expect(await statusOf(`users/${verb}`, named, 'owner')).toBe('403 forbidden')
  expect(await statusOf('users/set-operator', { ...named, operator: false }, 'owner')).toBe('403 forbidden')
  expect(await statusOf('invitations/list', {}, 'owner')).toBe('403 forbidden')
  for (const verb of ['create', 'revoke'])
    expect(await statusOf(`invitations/${verb}`, { email: 'a@example.com' }, 'owner')).toBe('403 forbidden')
})

test('People are listed with their last sign-in, found by address and name, and paged.', async () => {
  const first = (await call('users/list', { limit: 2 })).body
  const rest = (await call('users/list', { cursor: first.next_cursor })).body
  expect([...first.items, ...rest.items].map((user: any) => user.email.split('@')[0]).toSorted()).toEqual([
    'administrator',
    'editor',
    'member',
    'outsider',
    'owner',
  ])
  expect(rest.next_cursor).toBeNull()
  expect(await emails({ search: 'OWNER@' })).toEqual(['owner@example.com'])
  const [owner] = (await call('users/list', { search: 'owner' })).body.items
  expect(owner).toMatchObject({ sessions: 1, projects: 2, second_factor: false, disabled_on: null })
  expect(owner.last_sign_in_on).toBe('2026-01-15T09:00:00.000Z')
  expect((await call('users/list', { search: 'member' })).body.items[0].last_sign_in_on).toBeNull()
})

test('People are disabled, which ends their sessions, and enabled again.', async () => {
  const user_id = world.users.editor
  const cookie = await signIn(world, 'editor')
  expect((await call('users/disable', { user_id })).body.user.disabled_on).toBe('2026-01-15T09:00:00.000Z')
  expect((await world.fetch('/user/me', { headers: { cookie } })).status).toBe(401)
  const told = async () => (await messagesTo(world, 'editor@example.com')).at(-1)!.subject
  expect(await told()).toBe('Your account was disabled')
  expect(await emails({ status: 'disabled' })).toEqual(['editor@example.com'])
  expect(await statusOf('users/send-reset', { user_id })).toBe('409 conflict')
  const count = async () => (await messagesTo(world, 'editor@example.com')).length
  const once = await count()
  expect((await call('users/disable', { user_id })).body.user.disabled_on).toBe('2026-01-15T09:00:00.000Z')
  expect(await count()).toBe(once)
  for (let time = 0; time < 2; time++)
    expect((await call('users/enable', { user_id })).body.user.disabled_on).toBeNull()
  expect([await told(), await count()]).toEqual(['Your account works again', once + 1])
  expect(await signIn(world, 'editor')).toStartWith('masthead_session=')
  expect(await statusOf('users/disable', { user_id: world.users.administrator })).toBe('409 conflict')
  expect(await statusOf('users/disable', { user_id: 'usr_nobody' })).toBe('404 not_found')
})

test('A person gets a link to a new password, and is signed out everywhere.', async () => {
  const user_id = world.users.member
  await signIn(world, 'member')
  expect((await call('users/end-sessions', { user_id })).body).toEqual({ ended: 1 })
  expect(await statusOf('users/send-reset', { user_id })).toBe(200)
  await world.service.drain('mail')
  const [message] = await messagesTo(world, 'member@example.com')
  expect(message!.text).toContain('/portal/reset?token=')
})

const subjectsOf = async (person: string) =>
  (await messagesTo(world, `${person}@example.com`)).map(({ subject }) => subject)

test('Operators are made and removed, but for the last one, and the person is told.', async () => {
  const user_id = world.users.owner
  const set = (id: string, operator: boolean, person?: string) =>
    statusOf('users/set-operator', { user_id: id, operator }, person)
  expect(await set(world.users.administrator, false)).toBe('409 conflict')
  expect(await set(user_id, true)).toBe(200)
  expect(await set(user_id, true)).toBe(200)
  expect(await set(world.users.administrator, false, 'owner')).toBe(200)
  expect(await set(user_id, true)).toBe('403 forbidden')
  expect(await set(user_id, false, 'owner')).toBe('409 conflict')
  await world.service.drain('mail')
  expect(await subjectsOf('owner')).toContain('You operate the service now')
  expect(await subjectsOf('administrator')).toContain('You do not operate the service any more')
  const rows = (await call('audit/list', { action: 'POST /user/operator/users/set-operator' }, 'owner')).body.items
  expect(rows.map(({ actor, target, details }: any) => [actor, target, details]).at(-1)).toEqual([
    `user:${world.users.administrator}`,
    `user:${user_id}`,
    { operator: true },
  ])
  await call('users/disable', { user_id: world.users.editor }, 'owner')
  expect(await set(world.users.editor, true, 'owner')).toBe('409 conflict')
})

test('A second factor is reset, of which the person is told, and passkeys stay.', async () => {
  const user_id = world.users.member
  const { store } = world.service.runtime
  expect(await statusOf('users/reset-second-factor', { user_id })).toBe('409 conflict')
  await store.write(async (tx) => {
    await tx.insert(totp_factors).values({ user_id, secret_sealed: 'x', last_step: 0, created_at: 1 })
    await tx.insert(recovery_codes).values({ user_id, code_hash: 'x' })
  })
  expect(await statusOf('users/reset-second-factor', { user_id })).toBe(200)
  expect([await store.db.$count(totp_factors), await store.db.$count(recovery_codes)]).toEqual([0, 0])
  await world.service.drain('mail')
  expect(await subjectsOf('member')).toEqual(['Your second factor was reset'])
})

test('An invited person makes an account although sign-up is closed, until the invitation is revoked.', async () => {
  const token = async (person: string) => {
    await world.service.drain('mail')
    const [message] = await messagesTo(world, `${person}@example.com`)
    return /token=([\w-]+)/.exec(message!.text)![1]!
  }
  const make = (person: string, given: string) =>
    post(world, '/user/sign-up', { token: given, password: `olive trees of ${person} at dawn` }, {})
  expect(await statusOf('invitations/create', { email: 'member@example.com' })).toBe('409 conflict')
  expect(await statusOf('invitations/create', { email: 'nobody' })).toBe('400 invalid_request')
  for (const email of ['new@example.com', 'other@example.com'])
    expect(await statusOf('invitations/create', { email })).toBe(200)
  const invited = async () =>
    (await call('invitations/list')).body.invitations.map(({ email, expires_on }: any) => [email, expires_on])
  expect(await invited()).toContainEqual(['new@example.com', '2026-01-22T09:00:00.000Z'])
  const links = { new: await token('new'), other: await token('other') }
  expect((await world.fetch(`/portal/sign-up?token=${links.new}`)).status).toBe(200)
  expect((await world.fetch('/portal/sign-up')).status).toBe(403)
  expect(await statusOf('invitations/revoke', { email: 'other@example.com' })).toBe(200)
  expect(await statusOf('invitations/revoke', { email: 'other@example.com' })).toBe('404 not_found')
  expect((await make('other', links.other)).status).toBe(403)
  expect((await make('new', links.new)).status).toBe(200)
  expect(await invited()).toEqual([])
  expect((await make('new', links.new)).status).toBe(403)
  const email = 'third@example.com'
  expect(await statusOf('invitations/create', { email })).toBe(200)
  // As one does who comes by an invitation to a project or by OpenID.
  const { store } = world.service.runtime
  await store.write((tx) => insertUser(tx, { email, password_hash: 'x' }, world.clock.now()))
  expect(await invited()).toEqual([])
})

test('Operators are made, factors reset and people invited after a fresh confirmation only.', async () => {
  world.clock.advance(10 * 60_000)
  const user_id = world.users.owner
  expect(await statusOf('users/set-operator', { user_id, operator: true })).toBe('403 confirmation_required')
  expect(await statusOf('users/reset-second-factor', { user_id })).toBe('403 confirmation_required')
  expect(await statusOf('invitations/create', { email: 'new@example.com' })).toBe('403 confirmation_required')
})

test('Projects are listed with owner, contacts, messages of the month and limits.', async () => {
  const hour = Math.floor(world.clock.now() / 3_600_000)
  await world.service.runtime.store.write((tx) =>
    tx.insert(sending_hours).values([
      { project_id: world.project.id, connection_id: 1, hour, sent: 7 },
      { project_id: world.project.id, connection_id: 1, hour: hour - 24 * 40, sent: 100 },
    ]),
  )
  await world.ok('contacts/upsert', { email: 'ann@example.com', consent_text: 'Yes.' })
  const { items } = (await call('projects/list', { search: 'harbour' })).body
  expect(items).toEqual([
    {
      id: world.project.public_id,
      name: 'Harbour News',
      slug: 'harbour-news',
      monthly_limit: null,
      contact_limit: null,
      owners: [{ user_id: world.users.owner, email: 'owner@example.com' }],
      members: 4,
      contacts: 1,
      sent_this_month: 7,
      created_on: '2026-01-15T09:00:00.000Z',
    },
  ])
  const first = (await call('projects/list', { search: 'owner@example', limit: 1 })).body
  expect(first.items[0].name).toBe('Mountain Post')
  const next = (await call('projects/list', { search: 'owner@example', limit: 1, cursor: first.next_cursor })).body
  expect([next.items[0].name, next.next_cursor]).toEqual(['Harbour News', null])
})

test('A project gets limits, which hold at once.', async () => {
  const project_id = world.project.public_id
  const set = (limits: object) => call('projects/limits', { project_id, ...limits })
  await world.ok('contacts/upsert', { email: 'ann@example.com', consent_text: 'Yes.' })
  expect((await set({ contact_limit: 1, monthly_limit: 500 })).body.project).toMatchObject({
    contact_limit: 1,
    monthly_limit: 500,
  })
  expect((await messagesTo(world, 'owner@example.com')).at(-1)!.text).toContain(
    'Messages a month: at most 500. Contacts: at most 1.',
  )
  const notices = async () => (await messagesTo(world, 'owner@example.com')).length
  const before = await notices()
  for (const same of [{ contact_limit: 1 }, { contact_limit: 1, monthly_limit: 500 }, {}])
    expect((await set(same)).body.project).toMatchObject({ contact_limit: 1, monthly_limit: 500 })
  expect(await notices()).toBe(before)
  const refused = await world.call('contacts/upsert', { email: 'bob@example.com', consent_text: 'Yes.' })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  expect((await set({ contact_limit: null })).body.project).toMatchObject({ contact_limit: null, monthly_limit: 500 })
  expect(await notices()).toBe(before + 1)
  expect((await world.call('contacts/upsert', { email: 'bob@example.com', consent_text: 'Yes.' })).status).toBe(200)
})

test('Apps are listed with creator, what they were granted, and their suspension.', async () => {
  await world.token('owner', undefined, { project_ids: [world.project.id, world.other.id] })
  await world.token('member')
  const suspend = (verb: string, body: object) =>
    post(world, `/user/developer/apps/${world.app_id}/${verb}`, body, { cookie: cookies.administrator! })
  await suspend('suspend', { comment: 'It sends spam.' })
  const { items } = (await call('apps/list', { search: 'outsider@', suspended: true })).body
  expect(items).toEqual([
    {
      id: world.app_id,
      displayName: 'Test app',
      client_type: 'confidential',
      status: 'approved',
      creator: { user_id: world.users.outsider, email: 'outsider@example.com' },
      live_version: null,
      pending_review_id: null,
      users: 2,
      projects: 2,
      script_connections: 0,
      suspension: {
        suspended_on: '2026-01-15T09:00:00.000Z',
        suspended_by: world.users.administrator,
        comment: 'It sends spam.',
      },
      created_on: '2026-01-15T09:00:00.000Z',
    },
  ])
  const [told] = (await messagesTo(world, 'owner@example.com')).slice(-1)
  expect([told!.subject, told!.text.includes('It sends spam.')]).toEqual(['An app of your project was suspended', true])
  await suspend('unsuspend', {})
  expect((await call('apps/list', { suspended: true })).body.items).toEqual([])
  expect((await call('apps/list', { status: 'approved' })).body.items[0].suspension).toBeNull()
  expect((await call('apps/list', { status: 'development' })).body.items).toEqual([])
  expect((await call('apps/list', { waiting: true })).body.items).toEqual([])
  expect((await call('apps/list', { waiting: false, suspended: false })).body.items).toHaveLength(1)
})

test('The filters of the list of apps are taken from an index.', async () => {
  const { db } = world.service.runtime.store
  for (const [filter, index] of [
    [{ status: 'approved' }, 'apps_by_status'],
    [{ suspended: true }, 'sqlite_autoindex_apps_1'],
    [{ waiting: true }, 'sqlite_autoindex_apps_1'],
  ] as const) {
    const plan = await db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${appRows(filter, null, 50)}`)
    expect(plan.map(({ detail }) => detail)).toContainEqual(expect.stringContaining(`SEARCH a USING INDEX ${index}`))
  }
})

describe('The service', () => {
  const read = async (path: string) =>
    (await (await world.fetch(`/user/operator/${path}`, { headers: { cookie: cookies.administrator! } })).json()) as any

  test('The service tells its health: loops, queues, stuck receipts, relays and disk.', async () => {
    const { store } = world.service.runtime
    const now = world.clock.now()
    const worker = { id: 'prc_other', host: 'elsewhere', pid: 7 }
    const run = { started_at: now - 9_000, ended_at: now - 8_500, failed_at: now - 60_000, lag_ms: 7_000 }
    await world.ok('connections/create', {
      name: 'Relay',
      provider: 'smtp',
      host: '127.0.0.1',
      port: 1,
      secure: 'none',
    })
    await world.ok('connections/test', { connection_id: 1 })
    await world.ok('connections/create', { name: 'Fine', provider: 'sandbox' })
    await store.write(async (tx) => {
      await registerWorker(tx, worker, 'server', now)
      await keepAlive(tx, worker.id, now, { mail: run })
      await tx.insert(receipts).values({
        project_id: world.project.id,
        actor: 'key:x',
        operation: 'contacts/upsert',
        idempotency_key: 'lost',
        fingerprint: 'x',
        state: 'pending',
        created_at: now - 120_000,
      })
      await tx.insert(receipts).values({
        project_id: world.project.id,
        actor: 'key:x',
        operation: 'contacts/upsert',
        idempotency_key: 'under way',
        fingerprint: 'x',
        state: 'pending',
        created_at: now - 59_999,
      })
      await tx.insert(receipts).values({
        project_id: world.project.id,
        actor: 'key:x',
        operation: 'contacts/upsert',
        idempotency_key: 'done',
        fingerprint: 'x',
        state: 'completed',
        created_at: now - 180_000,
      })
    })
    const { health } = await read('health')
    expect(health.loops).toContainEqual({
      name: 'mail',
      host: 'elsewhere',
      pid: 7,
      running: false,
      last_run_on: '2026-01-15T08:59:51.000Z',
      took_ms: 500,
      failed_on: '2026-01-15T08:59:00.000Z',
      lag_ms: 7_000,
    })
    expect(health.workers.find(({ host }: any) => host === 'elsewhere').last_heartbeat_on).toBe(
      '2026-01-15T09:00:00.000Z',
    )
    expect(health.receipts).toEqual({ stuck: 1, oldest_on: '2026-01-15T08:58:00.000Z' })
    expect(health.relays_held_back).toEqual([
      {
        project_id: world.project.public_id,
        project: 'Harbour News',
        connection_id: 1,
        name: 'Relay',
        error: expect.any(String),
      },
    ])
    expect(health.disk.free_bytes).toBeGreaterThan(0)
    const file = join(world.folder, 'masthead.db')
    expect(health.disk.database_bytes).toBeGreaterThan(statSync(file).size)
    expect(health.disk.database_bytes).toBeLessThanOrEqual(statSync(file).size + statSync(`${file}-wal`).size)
    expect(health).toMatchObject({ backup: null, restore_rehearsal: null, jobs: { queued: 0 } })
  })

  test('The service tells how much waits and since when, and leaves out what nobody waits for.', async () => {
    const { store } = world.service.runtime
    const now = world.clock.now()
    const project_id = world.project.id
    const at = (minutes: number) => now - minutes * 60_000
    const { campaign } = await world.ok('campaigns/create', {
      name: 'May',
      subject: 'May',
      audience_spec: { include: [{ type: 'all' }] },
    })
    const before = (await read('health')).health
    const message = (kind: 'campaign' | 'test', status: 'queued' | 'leased' | 'sending' | 'sent', minutes: number) => ({
      ...{ project_id, kind, status, next_attempt_at: at(minutes), email: 'ann@example.com', created_at: 0 },
      ...(kind === 'campaign' ? { campaign_id: campaign.id } : {}),
      ...(status === 'leased' || status === 'sending' ? { worker_id: 'prc_other' } : {}),
    })
    const setStatus = (status: 'sending' | 'paused', deleted_at: number | null = null) =>
      store.write((tx) => tx.update(campaigns).set({ status, deleted_at }).where(eq(campaigns.id, campaign.id)))
    await store.write(async (tx) => {
      await registerWorker(tx, { id: 'prc_gone', host: 'gone', pid: 8 }, 'server', at(1))
      await registerWorker(tx, { id: 'prc_other', host: 'elsewhere', pid: 7 }, 'server', now)
      await tx
        .insert(deliveries)
        .values([
          message('campaign', 'sent', 90),
          message('campaign', 'queued', 30),
          message('campaign', 'leased', 80),
          message('test', 'queued', 20),
        ])
      const job = {
        project_id,
        kind: 'import' as const,
        payload: { import_id: 1 } as never,
        created_at: 0,
        updated_at: 0,
      }
      await tx.insert(jobs).values([
        { ...job, status: 'running', next_attempt_at: at(9) },
        { ...job, status: 'queued', next_attempt_at: at(5) },
        { ...job, status: 'queued', next_attempt_at: at(3) },
      ])
      const mail = { kind: 'invitation' as const, recipient: 'x@example.com', next_attempt_at: 0, expires_at: 0 }
      await tx.insert(account_messages).values([
        { ...mail, state: 'failed', created_at: at(24 * 60) + 1 },
        { ...mail, state: 'failed', created_at: at(24 * 60) },
        { ...mail, state: 'queued', created_at: 0 },
      ])
    })
    await setStatus('sending')
    const first = (await read('health')).health
    expect(first.outbox).toEqual({ queued: 2, leased: 1, sending: 0, oldest_due_on: '2026-01-15T08:30:00.000Z' })
    expect(first.jobs).toEqual({ queued: 2, running: 1, oldest_due_on: '2026-01-15T08:55:00.000Z' })
    expect(first.campaigns).toEqual({ sending: 1, paused: 0 })
    expect(first.account_mail).toEqual({
      queued: before.account_mail.queued + 1,
      failed_in_last_day: before.account_mail.failed_in_last_day + 1,
    })
    expect(first.workers.map(({ host }: any) => host)).not.toContain('gone')
    expect(first.workers.find(({ host }: any) => host === 'elsewhere').messages).toBe(1)

    // A letter of a campaign that is paused is not due, and one message alone is.
    await setStatus('paused')
    const single = [message('test', 'sending', 70), message('test', 'sent', 60)]
    await store.write((tx) => tx.insert(deliveries).values(single))
    const second = (await read('health')).health
    expect(second.outbox).toEqual({ queued: 2, leased: 1, sending: 1, oldest_due_on: '2026-01-15T08:40:00.000Z' })
    expect(second.campaigns).toEqual({ sending: 0, paused: 1 })
    expect(second.workers.find(({ host }: any) => host === 'elsewhere').messages).toBe(2)
    await setStatus('paused', now)
    expect((await read('health')).health.campaigns).toEqual({ sending: 0, paused: 0 })
    await store.write(async (tx) => {
      for (const table of [deliveries, jobs]) await tx.delete(table)
    })
  })

  test('The service tells of the first hundred relays that are held back, and of the last rehearsal.', async () => {
    const { store } = world.service.runtime
    const at = { created_at: 0, updated_at: 0 }
    const held = { project_id: world.project.id, provider: 'smtp' as const, last_error: 'Refused.', ...at }
    await store.write(async (tx) => {
      const names = Array.from({ length: 101 }, (_, nth) => `Held ${nth}`)
      await tx.insert(connections).values(names.map((name) => ({ ...held, name, name_key: name })))
      await reachMilestone(tx, 'restore_rehearsal', { at: world.clock.now(), details: {} })
    })
    const { health } = await read('health')
    expect(health.relays_held_back.map(({ name }: any) => name).slice(0, 2)).toEqual(['Held 0', 'Held 1'])
    expect(health.relays_held_back).toHaveLength(100)
    expect(health.restore_rehearsal).toEqual({ made_on: '2026-01-15T09:00:00.000Z' })
    await store.write((tx) => tx.delete(connections).where(eq(connections.last_error, 'Refused.')))
  })

  test('The service makes a whole backup that operators see.', async () => {
    const { backup } = (await call('backup')).body
    const { proven_on, ...kept } = backup
    expect(backup.file).toEndWith('/backups/masthead-20260115T090000Z.db')
    const copied = await withDatabaseFile(backup.file, (query) => query('SELECT count(*) AS n FROM projects'))
    expect([copied[0]!.n, statSync(backup.file).mode & 0o777]).toEqual([2, 0o600])
    const { health } = await read('health')
    expect([health.backup, health.restore_rehearsal]).toEqual([kept, { made_on: proven_on }])
    const { state, items } = await read('backups')
    const name = 'masthead-20260115T090000Z.db'
    const { size_bytes, made_on } = kept
    expect(items).toEqual([{ name, size_bytes, made_on, proven_on }])
    expect(state).toMatchObject({ is_scheduled: false, last_proven_on: proven_on })
    expect(state.warning).toStartWith('No backups are made by themselves.')
    const headers = { cookie: cookies.administrator! }
    const file = await world.fetch(`/user/operator/backups/${name}`, { headers })
    expect([file.status, (await file.bytes()).length]).toEqual([200, size_bytes])
    expect((await read('backups/masthead-20260115T090001Z.db')).error).toBe('not_found')
    expect(await statusOf('backup')).toBe('409 conflict')
  })

  test('A backup is made one at a time, and of a database file only.', async () => {
    const { act } = operatorBackupRoutes.find(({ path }) => path.endsWith('/backup'))!
    if (act.kind !== 'write') throw new Error('A backup is a change.')
    const { config, store, clock, disk } = world.service.runtime
    const backUp = (more: object, after_ms: number) =>
      act.prepare({}, { config, store, clock, disk, now: world.clock.now() + after_ms, ...more } as never)
    await expect(backUp({ store: { kind: 'server' } }, 0)).rejects.toMatchObject({ code: 'INVALID_STATE' })
    const both = await Promise.allSettled([backUp({}, 60_000), backUp({}, 60_000)])
    const [made, refused] = both.toSorted(({ status }) => (status === 'fulfilled' ? -1 : 1)) as any[]
    expect(made.value).toMatchObject({ file: expect.stringContaining('T090100Z'), size_bytes: expect.any(Number) })
    expect(refused.reason.message).toBe('A backup is being made.')
    expect(await backUp({}, 120_000)).toMatchObject({ file: expect.stringContaining('T090200Z') })
  })

  test('The service shows its settings and no secret.', async () => {
    const { settings, service } = await read('settings')
    const ofName = Object.fromEntries(settings.map((setting: any) => [setting.name, setting]))
    expect(ofName.sandbox).toMatchObject({ variable: 'MASTHEAD_SANDBOX', value: true, secret: false })
    expect(ofName.mail_url).toMatchObject({ value: null, secret: true, is_set: false })
    expect(service.mail).toEqual({ kind: 'sandbox', from: 'masthead@127.0.0.1', host: null, port: null, secure: null })
  })

  test('The service sends a test of its own mail to the operator who asks.', async () => {
    const recipient = 'administrator@example.com'
    expect((await call('mail/test')).body).toEqual({ recipient, accepted: true, error: null })
    expect((await messagesTo(world, recipient)).map(({ subject }) => subject)).toContain(
      'A test of the mail of Masthead',
    )
  })
})

test('A setting tells whether a flag, the environment, the file or the default gave its value.', () => {
  const file = join(world.folder, 'settings.toml')
  writeFileSync(file, 'port = 1\nsandbox = true\nsession_ttl_hours = 5\n')
  const environment = { MASTHEAD_PORT: '2', MASTHEAD_SANDBOX: 'false' }
  const config = readConfig({ flags: { port: '3' }, environment, file })
  const sources = (['port', 'sandbox', 'session_ttl_hours', 'hosts'] as const).map((name) => sourceOf(config, name))
  expect(sources).toEqual(['flag', 'environment', 'file', 'default'])
})
