import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { declaredRoutes } from '../../src/http/routes.ts'
import { newsletterLoops } from '../../src/newsletter/workers.ts'
import { createConfirmationToken, createRecipientToken } from '../../src/newsletter/tracking/tokens.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { audit_log } from '../../src/store/tables/audit.ts'
import { authorizeUrl, createOAuthWorld, type OAuthWorld, signIn } from '../oauth/oauth-world.ts'
import { allRows, PRIVATE, saying } from '../support/audit.ts'
import { messagesTo, tokenFor } from '../support/mailbox.ts'
import { draft } from '../newsletter/campaigns/support.ts'
import { readyToSend } from '../support/campaigns.ts'
import { PASSWORD } from '../support/world.ts'
import { auditedStore } from '../../src/audit/record.ts'
import { iso } from '../../src/clock.ts'
import { OWN_LINK_PATH as OWN_LINK } from '../../src/newsletter/tracking/links.ts'
import { pauseAutomatically } from '../../src/newsletter/campaigns/states.ts'

/** The rows of what is no JSON route of the suite in test/http/every-route.test.ts and no operation. */

let world: OAuthWorld
beforeAll(async () => {
  world = await createOAuthWorld()
})
afterAll(() => world.close())

let last = 0
const written = async () => (await allRows(world)).filter(({ id }) => id > last)
beforeEach(async () => {
  last = (await allRows(world)).at(-1)?.id ?? 0
})
/** What the rows since the beginning of the test say. */
const said = async () => saying(await written())

const json = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  world.fetch(path, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: world.url, ...headers },
    body: new URLSearchParams(fields),
  })

/** With a session the pipeline writes the row of each write, whatever the handler does. */
test('Every route without a session that builds its own response and may change something is called here.', () => {
  const routes = declaredRoutes()
  const changing = routes.filter(
    ({ act, methods, auth }) => act.kind === 'respond' && methods.join() !== 'GET' && auth !== 'session',
  )
  expect(changing.map(({ path }) => path).toSorted()).toEqual([
    // Newsletter operations, see test/operation/every-operation.test.ts.
    '/general/api/v1/newsletter/*',
    '/general/newsletter/confirm/:token',
    '/general/newsletter/own-link/:project',
    '/general/newsletter/preferences/:token',
    '/general/newsletter/signup',
    '/general/newsletter/unsubscribe/:token',
    '/general/oauth/authorize',
    '/general/project/form/entry',
    // An unknown address changes nothing.
    '/portal/*',
    '/portal/email',
    '/portal/invitation',
    '/portal/login',
    '/portal/login/code',
    '/portal/logout',
    '/portal/reset',
    '/portal/setup',
    '/portal/sign-up',
    '/project/newsletter/*',
    // Hosted pages change nothing.
    '/sites/:slug',
    '/sites/:slug/*',
  ])
})

describe('an account', () => {
  const owner = () => `user:${world.users.owner}`

  test('Each sign-in and sign-out leaves a row, by either entry point.', async () => {
    for (const way of ['/user', '/portal'] as const) {
      const fields = { email: 'owner@example.com', password: PASSWORD }
      const login = await (way === '/user' ? json('/user/login', fields) : form('/portal/login', fields))
      const Cookie = login.headers.get('set-cookie')!.split(';')[0]!
      const headers = { Cookie, Origin: world.url }
      await world.fetch(`${way}/logout`, { method: 'POST', redirect: 'manual', headers })
      await world.fetch(`${way}/logout`, { method: 'POST', redirect: 'manual', headers })
    }
    const once = [`${owner()} | sign-in | ${owner()} | done`, `${owner()} | sign-out | ${owner()} | done`]
    expect(await said()).toEqual([...once, ...once])
  })

  test('An account is named by a failed sign-in only when it exists, and what was typed never is.', async () => {
    await json('/user/login', { email: 'owner@example.com', password: 'guess of a password' })
    await form('/portal/login', { email: 'guess@typed.example', password: 'guess of a password' })
    expect(await said()).toEqual([`visitor | sign-in | ${owner()} | refused`, 'visitor | sign-in | - | refused'])
    expect(JSON.stringify(await written())).not.toContain('guess')
    expect((await written()).map(({ ip }) => ip)).toEqual(['127.0.0.1', '127.0.0.1'])
  })

  test('A wrong password of a signed-in user leaves a row.', async () => {
    const { cookie: Cookie } = await world.browser('owner')
    last = (await allRows(world)).at(-1)!.id
    expect((await json('/user/confirm', { password: 'guess of a password' }, { Cookie })).status).toBe(400)
    expect(await said()).toEqual([`${owner()} | password-confirm | ${owner()} | refused`])
  })

  test('The request of a reset link, the link and the new password leave rows.', async () => {
    await form('/portal/reset', { email: 'member@example.com' })
    await json('/user/password/reset-request', { email: 'nobody@example.com' })
    const token = await tokenFor(world, 'member@example.com', 'reset')
    await form('/portal/reset', { token, password: 'a password nobody guesses' })
    const member = `user:${world.users.member}`
    expect(await said()).toEqual([
      'visitor | POST /portal/reset | - | done',
      'visitor | POST /user/password/reset-request | - | done',
      `service | password-reset-link | ${member} | done`,
      `${member} | password-reset | ${member} | done`,
    ])
    expect(JSON.stringify(await written())).not.toMatch(PRIVATE)
  })

  test('A change of address leaves rows when it is asked for and when it is confirmed.', async () => {
    const { cookie } = await world.browser('administrator')
    last = (await allRows(world)).at(-1)!.id
    await json('/user/email/change', { email: 'ed@example.com' }, { Cookie: cookie })
    await form('/portal/email', { token: await tokenFor(world, 'ed@example.com', 'email') })
    const user = `user:${world.users.administrator}`
    expect(await said()).toEqual([
      `${user} | POST /user/email/change | ${user} | done`,
      `${user} | email-change | ${user} | done`,
    ])
  })

  test('An account leaves rows when its owner makes it.', async () => {
    const { cookie } = await world.browser('owner')
    const invited = { project_id: world.project.public_id, email: 'self@example.com', role: 'editor' }
    await json('/project/invitations/create', invited, { Cookie: cookie })
    await messagesTo(world, 'self@example.com')
    last = (await allRows(world)).at(-1)!.id
    await form('/portal/sign-up', { email: 'self@example.com' })
    const token = await tokenFor(world, 'self@example.com', 'sign-up')
    await form('/portal/sign-up', { token, password: 'a password nobody guesses' })
    const rows = await said()
    expect(rows[0]).toBe('visitor | POST /portal/sign-up | - | done')
    expect(rows).toContainEqual(expect.stringMatching(/^user:usr_\w+ \| sign-up \| user:usr_\w+ \| done$/))
  })

  test('An account that is made by an invitation leaves rows with the role that it gets.', async () => {
    const { cookie } = await world.browser('owner')
    const invited = { project_id: world.project.public_id, email: 'guest@example.com', role: 'editor' }
    await json('/project/invitations/create', invited, { Cookie: cookie })
    last = (await allRows(world)).at(-1)!.id
    const [message] = await messagesTo(world, 'guest@example.com')
    const token = /token=(svc_iv_[\w-]+)/.exec(message!.text)![1]!
    await form('/portal/invitation', { token, password: 'a password nobody guesses', first_name: 'Guest' })
    const { store } = world.service.runtime
    const [guest] = await store.db.select().from(users).where(eq(users.email, 'guest@example.com'))
    const user = `user:${guest!.id}`
    const rows = await written()
    expect(saying(rows)).toEqual([
      `visitor | POST /portal/invitation | ${user} | done`,
      expect.stringMatching(new RegExp(`^${user} \\| invitation-accept \\| invitation:inv_\\w+ \\| done$`)),
      `${user} | sign-in | ${user} | done`,
    ])
    expect(rows[1]).toMatchObject({ project_id: world.project.id, details: '{"role":"editor"}' })
  })
})

test('An app leaves rows for consent, tokens, their theft and the end of the grant, in each project.', async () => {
  const both = [world.project.public_id, world.other.public_id]
  await world.browser('owner')
  last = (await allRows(world)).at(-1)!.id
  const { refresh_token } = await world.tokens({ project_ids: both })
  const { body: next } = await world.refresh(refresh_token)
  await world.refresh(next.refresh_token)
  world.clock.advance(60_000)
  expect((await world.refresh(refresh_token)).status).toBe(400)
  const { user, app, actor } = {
    user: `user:${world.users.owner}`,
    app: `app:${world.client.id}`,
    actor: `app:${world.client.client_id}`,
  }
  const grant = expect.stringMatching(/^authorization:aut_\w+$/)
  const rows = (await written()).map(({ actor, action, target, project_id }) => [actor, action, target, project_id])
  const issued = [`${actor} for ${user}`, 'POST /general/oauth/token', grant, null]
  expect(rows).toEqual([
    [user, 'consent-grant', app, world.project.id],
    [user, 'consent-grant', app, world.other.id],
    issued,
    issued,
    issued,
    [actor, 'consent-revoke', grant, world.project.id],
    [actor, 'consent-revoke', grant, world.other.id],
    [actor, 'token-theft', grant, null],
  ])
  expect((await written()).at(-1)!.details).toBe(JSON.stringify({ app_id: world.client.id }))
  expect(JSON.stringify(await written())).not.toMatch(PRIVATE)
})

test('An app leaves rows for a pushed request, a denied consent and a revoked token.', async () => {
  const browser = await world.browser('owner')
  const { refresh_token } = await world.tokens()
  last = (await allRows(world)).at(-1)!.id
  await world.push()
  await world.post('introspect', { token: refresh_token })
  const { client_id, redirect_uri } = world.client
  const asked = { client_id, redirect_uri, scope: 'newsletter:read', code_challenge: 'x'.repeat(43) }
  const page = await browser.open(authorizeUrl({ ...asked, code_challenge_method: 'S256' }))
  await browser.decide(page, 'deny', [])
  await world.post('revoke', { token: refresh_token })
  await world.post('revoke', { token: 'svc_rt_unknown' })
  expect((await said()).map((row) => row.replace(/(aut|app|cli|usr)_\w+/g, '$1'))).toEqual([
    'app:cli | POST /general/oauth/par | app:app | done',
    'user:usr | consent-deny | app:app | done',
    'app:cli | consent-revoke | authorization:aut | done',
  ])
})

describe('a person on a public page', () => {
  const network = async () => (await written()).map(({ ip }) => ip)

  test('A public page names a contact by id and network, and leaves a row only when something changes.', async () => {
    const { keys, store } = world.service.runtime
    const list_id = (await world.ok('lists/create', { name: 'Club', double_opt_in: true, public: true })).list.id
    const other_id = (await world.ok('lists/create', { name: 'Private', public: false })).list.id
    const given = { email: 'ada@example.com', consent_text: 'Yes', list_ids: [list_id, other_id] }
    const { contact } = await world.ok('contacts/upsert', given)
    const [delivery] = await store.write((tx) =>
      tx.all<{ id: number }>(sql`
        INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at)
        VALUES (${world.project.id}, 'campaign', ${contact.id}, ${contact.email}, 'sent', 0, 0) RETURNING id`),
    )
    const token = createRecipientToken(keys, { delivery_id: delivery!.id, contact_id: contact.id, campaign_id: 0 })
    const confirm = createConfirmationToken(keys, { contact_id: contact.id, email: contact.email, list_ids: [list_id] })
    last = (await allRows(world)).at(-1)!.id
    const pages = ['confirm/' + confirm, 'preferences/' + token, 'unsubscribe/' + token]
    for (const page of [...pages, 'unsubscribe/' + token, 'confirm/' + confirm])
      expect((await form(`/general/newsletter/${page}`, { scope: 'all' })).status).toBe(200)
    const person = `contact:${contact.id}`
    expect(await said()).toEqual(
      ['confirm', 'preferences', 'unsubscribe'].map(
        (page) => `${person} | POST /general/newsletter/${page}/:token | ${person} | done`,
      ),
    )
    expect(await network()).toEqual(Array(3).fill('127.0.0.0/24'))
    expect(new Set((await written()).map(({ project_id }) => project_id))).toEqual(new Set([world.project.id]))
  })

  test('A request for the personal link leaves a row if there is such a contact.', async () => {
    const { contact } = await world.ok('contacts/upsert', { email: 'cy@example.com', consent_text: 'Yes' })
    last = (await allRows(world)).at(-1)!.id
    const path = OWN_LINK.replace(':project', world.project.public_id)
    for (const email of ['cy@example.com', 'nobody@example.com']) await form(path, { email })
    expect(await said()).toEqual([`visitor | POST ${OWN_LINK} | contact:${contact.id} | done`])
  })

  test('A signup and a form leave a row each, without an address.', async () => {
    const project_id = world.project.public_id
    const list_id = (await world.ok('lists/create', { name: 'Public', public: true })).list.id
    last = (await allRows(world)).at(-1)!.id
    await json('/general/newsletter/signup', {
      project_id,
      email: 'bo@example.com',
      consent_text: 'Yes',
      list_ids: [list_id],
    })
    const fields = { email: 'bo@example.com', text: 'Hello' }
    await json('/general/project/form/entry', { project_id, form: 'contact', fields })
    expect(await said()).toEqual([
      expect.stringMatching(/^visitor \| POST \/general\/newsletter\/signup \| contact:\d+ \| done$/),
      expect.stringMatching(/^visitor \| POST \/general\/project\/form\/entry \| form_entry:\d+ \| done$/),
    ])
    expect(await network()).toEqual(Array(2).fill('127.0.0.0/24'))
    expect(JSON.stringify(await written())).not.toMatch(PRIVATE)
  })
})

test('A job leaves a row at its end, beside the row of its order.', async () => {
  await world.ok('contacts/upsert', { email: 'eve@example.com', consent_text: 'Yes' })
  const { tag } = await world.ok('tags/create', { name: 'Bulk' })
  last = (await allRows(world)).at(-1)!.id
  const { job } = await world.ok('contacts/bulk', {
    action: 'add_tags',
    filter: { op: 'and', rules: [] },
    tag_ids: [tag.id],
  })
  await world.settle()
  const rows = await written()
  expect(saying(rows).map((row) => row.replace(/^key:\w+/, 'key'))).toEqual([
    `key | contacts/bulk | job:${job.id} | done`,
    `service | jobs/completed | job:${job.id} | done`,
  ])
  expect(rows.map(({ details }) => JSON.parse(details!))).toEqual([
    { action: 'add_tags' },
    { kind: 'bulk', processed: expect.any(Number) },
  ])
})

test('The service leaves rows when it starts and finishes a scheduled campaign, or pauses one.', async () => {
  const { list_id } = await readyToSend(world)
  await world.ok('contacts/upsert', { email: 'fay@example.com', consent_text: 'Yes', list_ids: [list_id] })
  const { id: campaign_id } = await draft(world, { audience_spec: { include: [{ type: 'list', id: list_id }] } })
  const scheduled_at = iso(world.clock.now() + 60_000)
  await world.ok('campaigns/schedule', { campaign_id, scheduled_at, timezone: 'UTC' })
  last = (await allRows(world)).at(-1)!.id
  world.clock.advance(60_000)
  await world.settle()
  const { id: project_id } = world.project
  const { store, keys } = world.service.runtime
  const origin = { keys, at: 1, actor: 'service', action: 'loops', ip: null, request_id: null }
  await auditedStore(store, () => origin, false).write(async (tx) => {
    await tx.run(sql`UPDATE campaigns SET status = 'sending' WHERE id = ${campaign_id}`)
    await pauseAutomatically(tx, { project_id, campaign_id, reason: 'Paused automatically.', now: 1 })
  })
  expect((await said()).filter((row) => !row.includes('jobs/'))).toEqual(
    ['send', 'finish', 'pause'].map((action) => `service | campaigns/${action} | campaign:${campaign_id} | done`),
  )
})

test('The service writes no row for its loops when nothing is due.', async () => {
  for (const { name } of newsletterLoops()) await world.service.drain(name)
  await world.service.drain('maintenance')
  expect(await said()).toEqual([])
})

test('Every export by a signed-in user leaves a row, a refused one and a request for its headers none.', async () => {
  const { public_id } = world.project
  const { id: import_id } = (await world.ok('imports/create', { csv: 'email' })).import
  const asked: Record<string, string> = {
    '/project/imports/refused': `/project/imports/refused?project_id=${public_id}&import_id=${import_id}`,
    '/user/export': '/user/export',
    '/project/:projectId/export': `/project/${public_id}/export`,
    '/project/form-entries/export': `/project/form-entries/export?project_id=${public_id}&form=contact`,
  }
  // The files of operators are not of a project.
  const exports = declaredRoutes().filter(
    ({ auth, response, operator }) => auth === 'session' && response === 'file' && !operator,
  )
  expect(exports.map(({ path }) => path).toSorted()).toEqual(Object.keys(asked).toSorted())
  const [owner, outsider] = [await signIn(world, 'owner'), await signIn(world, 'outsider')]
  last = (await allRows(world)).at(-1)!.id
  for (const { path, role } of exports) {
    const get = async ({ cookie: Cookie }: { cookie: string }, method = 'GET') =>
      (await world.fetch(asked[path]!, { method, headers: { Cookie } })).status
    expect([path, await get(owner, 'HEAD')]).toEqual([path, 200])
    if (role) expect([path, await get(outsider)]).toEqual([path, 403])
    expect([path, await get(owner)]).toEqual([path, 200])
  }
  const target = (path: string) =>
    path === '/user/export'
      ? `user:${world.users.owner}`
      : path === '/project/imports/refused'
        ? `import:${import_id}`
        : `project:${public_id}`
  expect(await said()).toEqual(
    exports.map(({ path }) => `user:${world.users.owner} | GET ${path} | ${target(path)} | done`),
  )
  expect((await written()).map(({ project_id, details }) => [project_id, details])).toContainEqual([
    world.project.id,
    '{"form":"contact"}',
  ])
})

test('An export of contacts leaves a row, and a refused one none.', async () => {
  expect((await world.call('contacts/export', { columns: ['custom.none'] })).status).toBe(400)
  expect((await world.call('contacts/export', { columns: ['email'] })).status).toBe(200)
  expect((await written()).map(({ action }) => action)).toEqual(['contacts/export'])
})

test('A session that is only used leaves no row.', async () => {
  const browser = await signIn(world, 'editor')
  last = (await allRows(world)).at(-1)!.id
  world.clock.advance(2 * 3_600_000)
  expect((await world.fetch('/user/me', { headers: { Cookie: browser.cookie } })).status).toBe(200)
  await browser.open('/portal/login')
  expect(await written()).toEqual([])
})

test('A refused change leaves no row.', async () => {
  const { cookie: Cookie } = await world.browser('owner')
  last = (await allRows(world)).at(-1)!.id
  await json('/project/pages/delete', { project_id: world.project.public_id, page_id: 999 }, { Cookie })
  await world.call('contacts/delete', { contact_id: 999_999 })
  expect(await world.service.runtime.store.db.$count(audit_log, sql`id > ${last}`)).toBe(0)
})
