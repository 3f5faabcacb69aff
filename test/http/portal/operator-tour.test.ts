import { afterAll, beforeAll, test } from 'bun:test'
import { eq, ne } from 'drizzle-orm'
import {
  account_messages,
  members,
  project_usage,
  projects,
  sessions,
  users,
} from '../../../src/store/tables/accounts.ts'
import { passkeys, totp_factors } from '../../../src/store/tables/sign-in.ts'
import { app_team } from '../../../src/store/tables/developer.ts'
import { campaigns, connections, deliveries, sending_hours } from '../../../src/store/tables/delivery.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { receipts, workers } from '../../../src/store/tables/operation.ts'
import { reachMilestone } from '../../../src/store/milestones.ts'
import { type DeveloperTour, tourOf } from '../../developer/tour.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { newSession } from '../../support/session.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let tour: DeveloperTour
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, ['users', 'projects', 'sessions'])
  tour.name(world.folder, '<folder>')
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const OPERATOR = '/user/operator'

test('What operators see and do is what is recorded.', async () => {
  await people()
  await ofProjects()
  await health()
  await backup()
  await settings()
  await metrics()
  expectRecorded('developer/operator.txt', tour.text())
})

async function people(): Promise<void> {
  const { store } = world.service.runtime
  const list = (sentence: string, body: object = {}) =>
    tour.ask(sentence, 'editor', `POST ${OPERATOR}/users/list`, body)
  const act = (sentence: string, verb: string, user_id: string) =>
    tour.ask(sentence, 'editor', `POST ${OPERATOR}/users/${verb}`, { user_id })
  tour.heading('People')
  world.clock.advance(MINUTE)
  await store.write(async (tx) => {
    const of = (person: keyof World['users']) => eq(users.id, world.users[person])
    await tx
      .update(users)
      .set({ first_name: 'Ada', last_name: 'Lind', last_sign_in_at: world.clock.now() })
      .where(of('member'))
    await tx.update(users).set({ first_name: 'Bo', last_name: 'Adams' }).where(of('administrator'))
    const row = { created_at: world.clock.now() }
    await tx.insert(totp_factors).values({ user_id: world.users.member, secret_sealed: 'x', last_step: 0, ...row })
    const passkey = { user_id: world.users.member, public_key: 'x', counter: 0, transports: [], ...row }
    await tx.insert(passkeys).values(['p1', 'p2'].map((id) => ({ id, credential_id: id, name: id, ...passkey })))
    await tx.insert(app_team).values({ app_id: world.app_id, user_id: world.users.member, added_at: 1 })
  })
  await newSession(world, 'member', { expires_at: world.clock.now() })
  await newSession(world, 'member', { expires_at: world.clock.now() + 1 })
  await tour.skip()
  await list('All, the newest first.')
  const { next_cursor } = await list('Two.', { limit: 2 })
  const emails = ({ items }: any) => items.map(({ email }: any) => email).join(', ')
  let cursor = next_cursor
  while (cursor !== null) {
    const page = await tour.quiet('editor', `POST ${OPERATOR}/users/list`, { limit: 2, cursor })
    tour.write(`  then ${emails(page)}`)
    cursor = page.next_cursor
  }
  for (const query of [
    { search: 'AD' },
    { search: 'a a' },
    { search: ' lind ' },
    { status: 'enabled' },
    { status: 'disabled' },
  ])
    tour.write(
      `  ${JSON.stringify(query)}: ${emails(await tour.quiet('editor', `POST ${OPERATOR}/users/list`, query))}`,
    )
  await list('A cursor of another list.', { search: 'a', cursor: next_cursor })
  await list('Wrong words.', { search: '', status: 'gone', limit: 201, cursor: 1, more: true })
  for (const verb of ['users/list', 'users/disable', 'users/enable', 'users/send-reset', 'users/end-sessions'])
    await tour.ask(
      'Not for others.',
      'owner',
      `POST ${OPERATOR}/${verb}`,
      verb === 'users/list' ? {} : { user_id: 'x' },
    )

  tour.heading('What is done to people')
  await act('Themselves.', 'disable', world.users.editor)
  await act('Nobody.', 'disable', 'usr_none')
  await act('Disabled.', 'disable', world.users.outsider)
  await tour.changes()
  world.clock.advance(MINUTE)
  await act('Again.', 'disable', world.users.outsider)
  await act('No link while disabled.', 'send-reset', world.users.outsider)
  tour.write(`  Enabled: ${emails(await tour.quiet('editor', `POST ${OPERATOR}/users/list`, { status: 'enabled' }))}`)
  await act('Enabled.', 'enable', world.users.outsider)
  await tour.changes()
  world.clock.advance(MINUTE)
  await act('A link to a new password.', 'send-reset', world.users.member)
  await tour.changes()
  await act('Signed out.', 'end-sessions', world.users.member)
  await act('Nobody to sign out.', 'end-sessions', 'usr_none')
  await act('Nobody to send a link to.', 'send-reset', 'usr_none')
  await act('Nobody to enable.', 'enable', 'usr_none')
  await tour.changes()
  const [left] = await store.db
    .select({ n: sessions.user_id })
    .from(sessions)
    .where(eq(sessions.user_id, world.users.member))
  tour.write(`  Sessions left: ${left === undefined ? 'none' : 'some'}`)
}

async function ofProjects(): Promise<void> {
  const { store } = world.service.runtime
  const list = `POST ${OPERATOR}/projects/list`
  tour.heading('Projects')
  const hour = Math.floor(world.clock.now() / 3_600_000)
  const first = Math.floor(Date.UTC(2026, 0, 1) / 3_600_000)
  const { project: third } = await tour.quiet('administrator', 'POST /project/create', { name: 'Third', slug: 'third' })
  tour.name(third.id, 'prj_third')
  await store.write(async (tx) => {
    const sent = (project_id: number, at: number, count: number) => ({
      project_id: project_id as never,
      connection_id: 1,
      hour: at,
      sent: count,
    })
    await tx
      .insert(sending_hours)
      .values([sent(101, hour, 7), sent(101, first, 20), sent(101, first - 1, 400), sent(102, hour, 5)])
    await tx.insert(project_usage).values({ project_id: world.project.id, kind: 'contacts', rows: 31, bytes: 0 })
    await tx
      .update(projects)
      .set({ domain: 'harbour.example', monthly_limit: 900 })
      .where(eq(projects.id, world.project.id))
    await tx.update(projects).set({ domain_claim: 'claimed.example' }).where(eq(projects.id, world.other.id))
    const second = { project_id: world.other.id, user_id: world.users.member, role: 'owner' as const, added_at: 1 }
    await tx.insert(members).values(second)
  })
  await tour.skip()
  await tour.ask('All, the newest first.', 'editor', list, {})
  const { next_cursor } = await tour.ask('Two.', 'editor', list, { limit: 2 })
  await tour.ask('The last.', 'editor', list, { limit: 2, cursor: next_cursor })
  const names = ({ items }: any) => items.map(({ name }: any) => name).join(', ')
  for (const search of ['POST', 'harbour-n', 'Claimed', 'harbour.ex', 'owner@', 'member@', ' third ', 'none'])
    tour.write(`  ${search}: ${names(await tour.quiet('editor', list, { search }))}`)
  await tour.ask('A cursor of another search.', 'editor', list, { search: 'a', cursor: next_cursor })
  await tour.ask('Not for others.', 'owner', list, {})
  const limits = (sentence: string, body: object, by: 'editor' | 'owner' = 'editor') =>
    tour.ask(sentence, by, `POST ${OPERATOR}/projects/limits`, { project_id: world.project.public_id, ...body })
  await limits('One limit.', { contact_limit: 0 })
  await tour.changes()
  await limits('Both.', { contact_limit: null, monthly_limit: 5000 })
  await limits('None.', {})
  await tour.changes()
  await limits('Below zero, and no number.', { contact_limit: -1, monthly_limit: 'x' })
  await limits('No project.', { project_id: 'prj_none' })
  await limits('Not by others.', { contact_limit: 5 }, 'owner')
}

async function health(): Promise<void> {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const at = (minutes: number) => now - minutes * MINUTE
  tour.heading('Health')
  const audience_spec = { include: [{ type: 'all' }] }
  const { campaign } = await world.ok('campaigns/create', { name: 'May', subject: 'May', audience_spec })
  const { campaign: third } = await world.ok('campaigns/create', { name: 'July', subject: 'July', audience_spec })
  const { campaign: other } = await world.ok('campaigns/create', { name: 'June', subject: 'June', audience_spec })
  const project_id = world.project.id
  await world.ok('connections/create', { name: 'Relay', provider: 'smtp', host: '127.0.0.1', port: 1, secure: 'none' })
  await world.ok('connections/create', { name: 'Fine', provider: 'sandbox' })
  await world.ok('connections/create', { name: 'Theirs', provider: 'sandbox' }, { as: world.keys.other })
  await store.write(async (tx) => {
    await tx.update(connections).set({ last_error: 'It said no.' }).where(eq(connections.id, 1))
    await tx.update(connections).set({ last_error: 'It is away.' }).where(eq(connections.id, 3))
    const run = { started_at: at(9), ended_at: at(8), failed_at: at(7), lag_ms: 7_000 }
    const worker = { started_at: at(60), alive_until: now + 5_000, host: 'elsewhere' }
    await tx.delete(workers)
    await tx.insert(workers).values([
      {
        id: 'prc_b',
        pid: 8,
        ...worker,
        loops: { mail: run, jobs: { ...run, ended_at: null, failed_at: null, lag_ms: null } },
      },
      { id: 'prc_a', pid: 7, ...worker, started_at: at(50), alive_until: now + 1 },
      { id: 'prc_c', pid: 9, ...worker, alive_until: now },
    ])
    const message = (
      kind: 'campaign' | 'test',
      status: 'queued' | 'leased' | 'sending',
      due: number,
      campaign_id?: number,
    ) => ({
      ...{ project_id, kind, status, next_attempt_at: at(due), email: 'ann@example.com', created_at: 0 },
      ...(campaign_id === undefined ? {} : { campaign_id }),
      ...(status === 'queued' ? {} : { worker_id: 'prc_b' }),
    })
    await tx
      .insert(deliveries)
      .values([
        message('campaign', 'queued', 90, other.id),
        message('campaign', 'queued', 30, campaign.id),
        message('campaign', 'queued', 25, third.id),
        message('campaign', 'leased', 95, campaign.id),
        message('test', 'queued', 20),
        message('test', 'queued', 10),
        message('test', 'sending', 99),
        message('test', 'sending', 98),
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
      { ...job, status: 'queued', next_attempt_at: at(4) },
    ])
    const receipt = { project_id, actor: 'key:x', operation: 'lists/create', fingerprint: 'x' }
    const pending = (key: string, age_ms: number, state: 'pending' | 'completed' = 'pending') => ({
      ...receipt,
      idempotency_key: key,
      state,
      created_at: now - age_ms,
    })
    await tx
      .insert(receipts)
      .values([
        ...[pending('a', 60_000), pending('b', 59_999), pending('c', 70_000), pending('d', 90_000, 'completed')],
      ])
    const mail = {
      kind: 'invitation' as const,
      recipient: 'x@example.com',
      next_attempt_at: now + DAY,
      expires_at: now + DAY,
    }
    await tx.insert(account_messages).values([
      { ...mail, state: 'failed', created_at: now - DAY + 1 },
      { ...mail, state: 'failed', created_at: now - DAY },
      { ...mail, state: 'queued', created_at: now - DAY },
      { ...mail, state: 'queued', created_at: now },
    ])
    await tx.update(campaigns).set({ status: 'sending' }).where(ne(campaigns.id, other.id))
    await tx.update(campaigns).set({ status: 'paused' }).where(eq(campaigns.id, other.id))
    await reachMilestone(tx, 'restore_rehearsal', { at: at(600), details: {} })
  })
  await tour.skip()
  await tour.ask('Not for others.', 'owner', `GET ${OPERATOR}/health`)
  const { health: told } = await tour.quiet('editor', `GET ${OPERATOR}/health`)
  const machine = { version: 'x', uptime_seconds: 0, disk: { free_bytes: 1, total_bytes: 2, database_bytes: 3 } }
  tour.json({ ...told, ...machine })
  const { free_bytes, total_bytes, database_bytes } = told.disk
  tour.write(
    `  ${0 < database_bytes && database_bytes < free_bytes && free_bytes < total_bytes}, ${told.uptime_seconds >= 0}`,
  )
}

async function backup(): Promise<void> {
  tour.heading('Backup')
  await tour.ask('Not by others.', 'owner', `POST ${OPERATOR}/backup`, {})
  const made = await tour.quiet('editor', `POST ${OPERATOR}/backup`, {})
  tour.json({
    ...made.backup,
    file: made.backup.file.replace(world.folder, '').replace('masthead-', 'masthead '),
    size_bytes: made.backup.size_bytes > 1000,
  })
  await tour.ask('Another in the same second.', 'editor', `POST ${OPERATOR}/backup`, {})
  world.clock.advance(1000)
  const next = await tour.quiet('editor', `POST ${OPERATOR}/backup`, {})
  const { health: told } = await tour.quiet('editor', `GET ${OPERATOR}/health`)
  const { size_bytes, ...known } = told.backup
  tour.json({
    ...known,
    file: known.file.replace(world.folder, '').replace('masthead-', 'masthead '),
    same: size_bytes === next.backup.size_bytes,
  })
}

async function settings(): Promise<void> {
  tour.heading('Settings and mail')
  const { config } = world.service.runtime
  await tour.ask('Not for others.', 'owner', `GET ${OPERATOR}/settings`)
  const { service, settings: all } = await tour.quiet('editor', `GET ${OPERATOR}/settings`)
  tour.json({ ...service, version: 'x' })
  for (const { name, variable, source, secret, is_set, value, help } of all) {
    const parts = [name, variable, source, secret && 'secret', is_set && 'set', JSON.stringify(value)]
    tour.write(`  ${parts.filter(Boolean).join(' | ')}: ${help}`)
  }
  await tour.ask('A test of the mail.', 'editor', `POST ${OPERATOR}/mail/test`, {})
  await tour.changes()
  await tour.ask('Not by others.', 'owner', `POST ${OPERATOR}/mail/test`, {})
  for (const more of [
    { mail_url: 'smtps://ada:secret@127.0.0.1:1', mail_from: 'Harbour <post@harbour.example>' },
    { mail_url: 'smtp://relay.example', sandbox: false },
    { sandbox: false },
  ]) {
    const usual = { ...config }
    Object.assign(config, more)
    const answer = await tour.quiet('editor', `GET ${OPERATOR}/settings`)
    Object.assign(config, usual)
    const url = answer.settings.find(({ name }: any) => name === 'mail_url')
    tour.write(`- With ${Object.keys(more).join(' and ')}.`)
    tour.json({ ...answer.service.mail, url: [url.is_set, url.value, url.source] })
  }
}

/** What a scraper reads, without its numbers, and who may read it. */
async function metrics(): Promise<void> {
  tour.heading('Metrics')
  await tour.ask('Whether it is up.', null, 'GET /healthz')
  await tour.ask('Whether it is ready.', null, 'GET /readyz')
  const answer = await world.fetch('/metrics')
  const text = await answer.text()
  tour.write(`- ${answer.status} ${answer.headers.get('content-type')}`)
  const lines = text.split('\n').filter((line) => !line.startsWith('masthead_http') || line.includes('"/healthz"'))
  tour.write(
    ...lines.map((line) => `  > ${MEASURED.test(line) ? line.replace(/(?:\{version="[^"]*"\} )?[^ ]+$/, '…') : line}`),
  )
  const { config } = world.service.runtime
  Object.assign(config, { metrics_token: 'long-token' })
  const status = async (headers: Record<string, string>) =>
    tour.write(`  ${JSON.stringify(headers)}: ${(await world.fetch('/metrics', { headers })).status}`)
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])
    await status({ [name]: name === 'forwarded' ? 'for=192.0.2.1' : '192.0.2.1' })
  for (const host of ['localhost', '127.0.0.1', '127.0.0.9:1', '[::1]', 'masthead.example']) await status({ host })
  for (const token of ['long-token', 'another', ''])
    for (const kind of ['Bearer', 'bearer', 'Basic']) await status({ via: 'x', authorization: `${kind} ${token}` })
  Object.assign(config, { metrics_token: '' })
  await status({ via: 'x', authorization: 'Bearer x' })
}

/** Lines whose numbers differ in each run, or count what other services of this process did. */
const MEASURED = /^(masthead_(http_request_seconds_(bucket|sum)|campaigns_paused_total|build_info)|process_)/
