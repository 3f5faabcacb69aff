import { afterAll, beforeAll, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newSetupToken } from '../../../src/accounts/setup.ts'
import { projects, sessions, users } from '../../../src/store/tables/accounts.ts'
import { apps } from '../../../src/store/tables/apps.ts'
import { connections, sandbox_messages } from '../../../src/store/tables/delivery.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { type DeveloperTour, tourOf } from '../../developer/tour.ts'
import { codeAt } from '../../support/one-time-codes.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, PASSWORD, type World } from '../../support/world.ts'

let world: World
let tour: DeveloperTour
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, ['jobs', 'sandbox_messages'], 'outsider')
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('The pages and documents of the portal are those that are recorded.', async () => {
  await start()
  await signingIn()
  await documents()
  await frames()
  await mailbox()
  await work()
  await setUp()
  await elsewhere()
  expectRecorded('developer/portal.txt', tour.text())
})

async function start(): Promise<void> {
  tour.heading('Start')
  await tour.ask('The root.', null, 'GET /')
  await tour.ask('Nobody.', null, 'GET /portal/?a=b&c=%20d')
  await tour.ask('Somebody with one project.', 'member', 'GET /portal/')
  await tour.ask('The same who wants to see it.', 'member', 'GET /portal/?all')
  await tour.ask('Somebody with two.', 'owner', 'GET /portal/')
  await tour.ask('Somebody without any.', 'outsider', 'GET /portal/')
  const { id } = (
    await tour.quiet('owner', 'POST /project/invitations/create', {
      project_id: world.other.public_id,
      email: 'member@example.com',
      role: 'administrator',
    })
  ).invitation
  tour.name(id, 'inv_member')
  await tour.ask('Somebody who is invited.', 'member', 'GET /portal/')
  await tour.ask('An address that there is not.', null, 'GET /portal/nowhere/at/all')
  await tour.ask('Another method.', 'owner', 'PUT /portal/nowhere')
  const head = async (path: string) => {
    const answer = await world.fetch(path)
    const [type, cache, etag] = ['content-type', 'cache-control', 'etag'].map((name) => answer.headers.get(name))
    tour.write(`- ${path}: ${answer.status} ${type} ${cache} ${etag === null ? 'no etag' : 'etag'}`)
    const again = await world.fetch(path, { headers: { 'if-none-match': etag ?? '' } })
    tour.write(`  again: ${again.status} ${(await again.text()).length}`)
  }
  await head('/portal/portal.css')
  await head('/favicon.ico')
}

async function signingIn(): Promise<void> {
  tour.heading('Signing in')
  const post = (sentence: string, path: string, values: Record<string, string>, headers: Record<string, string> = {}) =>
    tour.ask(sentence, null, `POST ${path}`, new URLSearchParams(values).toString(), {
      headers: { ...FORM, origin: world.url, 'user-agent': 'Test', ...headers },
    })
  await tour.ask('The form.', null, 'GET /portal/login?return=/portal/account')
  await tour.ask('A way back that leads elsewhere.', null, 'GET /portal/login?return=//elsewhere.example/', undefined, {
    show: ['content-type'],
  })
  await tour.ask('Somebody who is signed in.', 'owner', 'GET /portal/login?return=/portal/account?x%3D1')
  const asked = await tour.plain('owner', 'GET /portal/login?return=/portal/account&prompt=login')
  tour.write(`- Somebody who is asked again: ${/<h1>.*<\/h1>/.exec(asked)![0]}`)
  await post('A wrong password.', '/portal/login', {
    email: 'owner@example.com',
    password: 'wrong',
    return: '/portal/account',
  })
  await post('Nothing.', '/portal/login', {})
  await post(
    'From another site.',
    '/portal/login',
    { email: 'owner@example.com' },
    { origin: 'https://elsewhere.example' },
  )
  await post('The right one.', '/portal/login', {
    email: ' OWNER@example.com',
    password: PASSWORD,
    return: '/portal/account?x=1',
  })
  await post('The right one, without a way back.', '/portal/login', { email: 'owner@example.com', password: PASSWORD })
  await post('A ticket that is none.', '/portal/login/code', { ticket: 'x', code: '123456', return: '/portal/account' })
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(sessions).set({ confirmed_at: world.clock.now() }))
  const { secret, enrollment } = await tour.quiet('administrator', 'POST /user/totp/enrollment', {})
  await tour.quiet('administrator', 'POST /user/totp', { enrollment, code: codeAt(secret, world.clock.now()) })
  world.clock.advance(MINUTE)
  const page = await post('A password that needs a code.', '/portal/login', {
    ...{ email: 'administrator@example.com', password: PASSWORD, return: '/portal/account?y=2' },
  })
  const ticket = /name="ticket" value="([^"]*)"/.exec(page)![1]!
  tour.name(ticket, '<ticket>')
  const code = codeAt(secret, world.clock.now())
  tour.name(`&code=${code}&`, '&code=<code>&')
  await post('A wrong code.', '/portal/login/code', { ticket, code: 'wrong', return: '/portal/account?y=2' })
  await post('The code.', '/portal/login/code', { ticket, code, return: '/portal/account?y=2' })
  const cookie = { cookie: `masthead_session=svc_ss_${'a'.repeat(43)}` }
  await post('Signing out without a session.', '/portal/logout', {}, cookie)
  await post('Signing out with a way back.', '/portal/logout', { return: '/portal/account' }, cookie)
  await post('Signing out from elsewhere.', '/portal/logout', {}, { origin: 'https://elsewhere.example' })
  await tour.changes()
}

/** The parts of a document that differ: its title, what it loads by kind, and its data. */
async function document(
  sentence: string,
  by: 'owner' | 'member' | 'outsider' | 'editor',
  path: string,
  cookie = '',
): Promise<void> {
  const headers = { ...(cookie === '' ? {} : { cookie }) }
  const text = await tour.plain(by, `GET ${path}`, headers)
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1]
  tour.write(`- ${sentence} ${by}: ${path}`)
  tour.write(`  ${/<html[^>]*>/.exec(text)?.[0]} ${/<title>.*<\/title>/.exec(text)?.[0]}`)
  if (json === undefined) return tour.write(`  ${/<h1>.*<\/h1><p>.*?<\/p>/.exec(text)?.[0]}`)
  const { version, styles, ...data } = JSON.parse(json)
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const loads = [/rel="stylesheet"/g, /rel="modulepreload"/g, /<script type="module"/g].map(count)
  tour.write(
    `  styles ${loads[0]}, preloaded ${loads[1]! > 0}, scripts ${loads[2]}, ${typeof version}, ` +
      `${Object.keys(styles).join(' ')}`,
  )
  // What the answers hold is looked at with their operations.
  const answers = Object.entries<object>(data.answers).map(
    ([call, answer]) => `${call}: ${Object.keys(answer).join(' ')}`,
  )
  tour.json({ ...data, answers })
}

async function documents(): Promise<void> {
  const { store } = world.service.runtime
  const site = `/portal/projects/${world.project.slug}`
  tour.heading('Documents of the application')
  await document('A page of a project.', 'owner', site)
  await document(
    'By the id of the project.',
    'member',
    `/portal/projects/${world.project.public_id}/campaigns?status=draft`,
  )
  await document('A page that there is not.', 'owner', `${site}/nowhere`)
  await document('A project of others.', 'member', '/portal/projects/mountain-post')
  await document('No project.', 'owner', '/portal/projects/none')
  await world.ok('connections/create', { name: 'Box', provider: 'sandbox' })
  await store.write(async (tx) => {
    await tx.update(connections).set({ last_error: 'Away.' })
    await tx.update(users).set({ first_name: 'Ada', last_name: 'Lind' }).where(eq(users.id, world.users.owner))
    await tx.update(users).set({ first_name: '' }).where(eq(users.id, world.users.administrator))
  })
  await document('With trouble in sending.', 'editor', `${site}/contacts`, 'masthead_theme=dark')
  await store.write((tx) => tx.update(projects).set({ name: '</script><b>' }).where(eq(projects.id, world.project.id)))
  await document('With a name that is markup.', 'member', `${site}/tags`, 'masthead_theme=neon')
  await store.write((tx) => tx.update(projects).set({ name: 'Harbour News' }).where(eq(projects.id, world.project.id)))
  await document('The second of their projects, without trouble.', 'owner', '/portal/projects/mountain-post/lists')
  await document('The developer pages.', 'owner', '/portal/developer', 'masthead_theme=light')
  await document('The account pages.', 'outsider', '/portal/account/security')
  await document('The operator pages, for an operator.', 'outsider', '/portal/operator')
  await document('The operator pages, for others.', 'owner', '/portal/operator')
  await tour.ask('Without a session.', null, `GET ${site}/campaigns?a=b`)
  await tour.ask('An old address.', null, 'GET /portal/connected-apps')
  const answer = await world.fetch('/portal/kitchen')
  tour.write(`- The kitchen: ${answer.status} ${answer.headers.get('content-security-policy')}`)
  tour.write(
    ...(await answer.text())
      .replaceAll(/-[\w]{8}\.css/g, '-….css')
      .split('\n')
      .map((line) => `  > ${line}`),
  )
}

async function frames(): Promise<void> {
  tour.heading('Frames')
  await tour.ask('For messages and pages.', null, 'GET /portal/preview-frame')
  await tour.ask('For scripts.', null, 'GET /portal/script-frame')
}

async function mailbox(): Promise<void> {
  const { store } = world.service.runtime
  const of = { project_id: world.project.public_id }
  tour.heading('Mailbox of a project')
  await tour.ask('Nothing.', 'member', 'POST /project/mailbox/list', of)
  const message = (project_id: number, recipient: string, subject: string, raw: string) => ({
    ...{
      project_id: project_id as never,
      sender: 'bounce@harbour.example',
      recipient,
      recipient_key: recipient.toLowerCase(),
    },
    raw: `Subject: ${subject}\r\n${raw}`,
    received_at: world.clock.now(),
  })
  const both =
    'From: Harbour <news@harbour.example>\r\nX-List: one\r\nX-List: two\r\nMIME-Version: 1.0\r\n' +
    'Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nWords\r\n' +
    '--b\r\nContent-Type: text/html\r\n\r\n<p>Markup</p>\r\n--b--\r\n'
  await store.write((tx) =>
    tx
      .insert(sandbox_messages)
      .values([
        message(101, 'Ann@example.com', 'First', both),
        message(102, 'ann@example.com', 'Theirs', '\r\nx'),
        message(101, 'bob@example.com', 'Second', '\r\nPlain'),
        message(101, 'ann@example.com', 'Third', 'From: x@y.example\r\nContent-Type: text/html\r\n\r\n<b>Third</b>'),
      ]),
  )
  await tour.skip()
  await tour.ask('All, the newest first.', 'member', 'POST /project/mailbox/list', of)
  const ids = async (query: object) =>
    (await tour.quiet('member', 'POST /project/mailbox/list', { ...of, ...query })).messages
      .map(({ id }: any) => id)
      .join(', ')
  const { messages } = await tour.quiet('member', 'POST /project/mailbox/list', of)
  const [third, second, first] = messages.map(({ id }: any) => id)
  for (const query of [{ to: 'ANN@example.com' }, { limit: 1 }, { before_id: third }, { before_id: third, limit: 1 }])
    tour.write(`  ${JSON.stringify(query)}: ${await ids(query)}`)
  for (const id of [first, second, third])
    await tour.ask('One.', 'member', 'POST /project/mailbox/get', { ...of, message_id: id })
  await tour.ask('One of another project.', 'member', 'POST /project/mailbox/get', { ...of, message_id: second - 1 })
  await tour.ask('Wrong words.', 'member', 'POST /project/mailbox/list', { ...of, to: 'x', before_id: 0, limit: 201 })
  await tour.ask('Not for others.', 'outsider', 'POST /project/mailbox/list', of)
  await tour.ask('Not emptied by a member.', 'member', 'POST /project/mailbox/clear', of)
  await tour.ask('Emptied.', 'editor', 'POST /project/mailbox/clear', of)
  await tour.changes()
}

async function work(): Promise<void> {
  const { store } = world.service.runtime
  const of = { project_id: world.project.public_id }
  tour.heading('Jobs')
  const now = world.clock.now()
  const job = { project_id: 101 as never, next_attempt_at: now, created_at: now, updated_at: now }
  const bulk = { action: 'add_tags' as const, tag_ids: [1], actor: 'key:x' } as never
  await store.write((tx) =>
    tx.insert(jobs).values([
      { ...job, kind: 'bulk', status: 'running', payload: bulk, progress_done: 3, progress_total: 9 },
      { ...job, kind: 'bulk', status: 'completed', payload: bulk },
      { ...job, kind: 'import', status: 'queued', payload: { import_id: 1 } as never },
      { ...job, project_id: 102 as never, kind: 'bulk', status: 'queued', payload: bulk },
      { ...job, kind: 'bulk', status: 'queued', payload: bulk },
    ] as never),
  )
  await tour.skip()
  world.clock.advance(MINUTE)
  const cancel = (sentence: string, job_id: number, by: 'editor' | 'member' = 'editor') =>
    tour.ask(sentence, by, 'POST /project/jobs/cancel', { ...of, job_id })
  await cancel('By a member.', 1, 'member')
  await cancel('One that runs.', 1)
  await cancel('One that has ended.', 2)
  await cancel('One of another kind.', 3)
  await cancel('One of another project.', 4)
  await cancel('One that waits.', 5)
  await cancel('Again.', 5)
  await tour.changes()
  await tour.ask('How messages arrive.', 'member', 'POST /project/deliverability/get', of)
  const arriving = (days: number) =>
    tour.ask(`In ${days} days.`, 'member', 'POST /project/deliverability/get', { ...of, days })
  for (const days of [0, 1, 90, 91]) await arriving(days)
  await tour.ask('Not for others.', 'outsider', 'POST /project/deliverability/get', of)
}

async function setUp(): Promise<void> {
  tour.heading('First set-up')
  const { store } = world.service.runtime
  await tour.ask('A service with users has none.', null, 'GET /portal/setup?token=x')
  await store.write(async (tx) => {
    await tx.delete(apps)
    await tx.delete(projects)
    await tx.delete(users)
  })
  const now = world.clock.now()
  const token = (await newSetupToken(store, now))!
  tour.name(token, '<token>')
  const post = (sentence: string, values: Record<string, string>, headers: Record<string, string> = {}) =>
    tour.ask(sentence, null, 'POST /portal/setup', new URLSearchParams({ token, ...values }).toString(), {
      headers: { ...FORM, origin: world.url, 'user-agent': 'Test', ...headers },
    })
  await tour.ask('The form.', null, `GET /portal/setup?token=${token}`)
  await tour.ask('A wrong token.', null, 'GET /portal/setup?token=wrong')
  const whole = { email: 'ada@example.com', password: 'harbour lights at night', first_name: 'Ada', last_name: 'Lind' }
  await post('Everything wrong.', { email: 'x', password: 'short', project_name: '', project_slug: 'A B' })
  await post('From another site.', whole, { origin: 'https://elsewhere.example' })
  await post('A name without a slug.', { ...whole, password: 'short', project_name: 'The Harbour!' })
  await post('All of it.', { ...whole, project_name: 'The Harbour' })
  await post('A second time.', whole)
  const [made] = await store.db.select({ email: users.email, admin: users.admin }).from(users)
  const [project] = await store.db.select({ name: projects.name, slug: projects.slug }).from(projects)
  tour.json({ made, project })
}

/** A service with a name of its own, where anyone may make an account or sign in with a provider. */
async function elsewhere(): Promise<void> {
  tour.heading('A service with a public address')
  const other = await createWorld({
    ...{ base_url: 'https://masthead.example', sign_up: 'open', sandbox: false },
    ...{ oidc_issuer: 'https://id.example', oidc_client_id: 'masthead', oidc_label: 'Harbour ID' },
  })
  const theirs = await tourOf(other, [])
  const host = { headers: { host: 'masthead.example' } }
  for (const path of ['/portal/login', '/portal/openid/callback', '/portal/nowhere'])
    await theirs.ask(`The page ${path}.`, null, `GET ${path}`, undefined, host)
  await theirs.ask('The start.', 'owner', 'GET /portal/?all', undefined, host)
  const form = new URLSearchParams({ email: 'owner@example.com', password: PASSWORD }).toString()
  const headers = { ...FORM, ...host.headers, origin: 'https://masthead.example', 'user-agent': 'Test' }
  await theirs.ask('Signing in.', null, 'POST /portal/login', form, { headers })
  tour.write(...theirs.text().split('\n'))
  await other.close()
}
