import { totp_factors } from '../../src/store/tables/sign-in.ts'
import { flushRequests, logAppRequest } from '../../src/developer/request-log.ts'
import { eq } from 'drizzle-orm'
import { joinTeam } from '../../src/developer/team.ts'
import { insertUser } from '../../src/accounts/users.ts'
import { SESSION_COOKIE } from '../../src/access/session.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { email_changes, members, password_resets, sessions, sign_ups, users } from '../../src/store/tables/accounts.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { png } from '../support/pictures.ts'
import { app_test_projects } from '../../src/store/tables/developer.ts'
import { sandbox_messages } from '../../src/store/tables/delivery.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { PASSWORD } from '../support/world.ts'
import { DOMAIN, type SiteWorld } from './site-world.ts'

/** For each declared JSON route a request that succeeds, made anew each time: what it uses up is fresh. */

export interface Sample {
  /** By parameter name, without the project, which the suite adds. */
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: Record<string, unknown>
  /** The body of a route that takes files. */
  file?: Uint8Array<ArrayBuffer>
  /** The session; the owner's unless said otherwise. */
  cookie?: string
}

type Maker = (world: SiteWorld) => Sample | Promise<Sample>

let used = 0
const fresh = (what: string): string => `${what}-${++used}`

/** Calls a session route as one of the world's people, for what must succeed. */
async function call(world: SiteWorld, method: string, path: string, body?: unknown, cookie?: string): Promise<any> {
  const response = await world.fetch(path, {
    method,
    headers: { Cookie: cookie ?? (await world.cookie('owner')), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const inProject = (world: SiteWorld, path: string, body: Record<string, unknown> = {}) =>
  call(world, 'POST', path, { project_id: world.project.public_id, ...body })

const signUpForm = async (world: SiteWorld) => ({
  name: 'Weekly',
  title: 'The weekly letter',
  consent_text: 'Yes, please.',
  list_ids: [(await world.ok('lists/create', { name: fresh('List') })).list.id],
})

/** A new user with the password of the others, and a session. */
async function person(world: SiteWorld): Promise<{ id: string; email: string; cookie: string }> {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const email = `${fresh('person')}@example.com`
  const token = newToken('svc_ss_')
  const [owner] = await store.db
    .select({ password_hash: users.password_hash })
    .from(users)
    .where(eq(users.id, world.users.owner))
  const id = await store.write(async (tx) => {
    const user = await insertUser(tx, { email, password_hash: owner!.password_hash }, now)
    await tx.insert(sessions).values({
      token_hash: tokenHash(token),
      user_id: user.id,
      created_at: now,
      last_used_at: now,
      expires_at: now + 86_400_000,
      confirmed_at: now,
    })
    return user.id
  })
  return { id, email, cookie: `${SESSION_COOKIE}=${token}` }
}

/** The id of an import whose file was uploaded whole. */
async function uploadedImport(world: SiteWorld): Promise<number> {
  const url = `/project/imports/upload?project_id=${world.project.public_id}&filename=people.csv`
  const headers = { Cookie: await world.cookie('owner'), 'Content-Type': 'text/csv', Origin: world.url }
  const response = await world.fetch(url, { method: 'POST', headers, body: 'email\na@b.example\n' })
  return (await response.json()).import.id
}

/** A new user with one-time codes. */
async function personWithCodes(world: SiteWorld) {
  const { email, cookie } = await person(world)
  const { secret, enrollment } = await call(world, 'POST', '/user/totp/enrollment', undefined, cookie)
  const body = { enrollment, code: codeAt(secret, world.clock.now()) }
  const { recovery_codes } = await call(world, 'POST', '/user/totp', body, cookie)
  return { email, cookie, recovery_codes: recovery_codes as string[] }
}

/** A new user with a passkey. */
async function personWithPasskey(world: SiteWorld) {
  const { cookie } = await person(world)
  const authenticator = createAuthenticator(world.url)
  const { options } = await call(world, 'POST', '/user/passkeys/options', undefined, cookie)
  const body = { name: 'Phone', response: authenticator.create(options) }
  const { passkey } = await call(world, 'POST', '/user/passkeys', body, cookie)
  return { cookie, authenticator, id: passkey.id as string }
}

/** Makes the administrator of the world a reviewer of the instance. */
async function reviewer(world: SiteWorld): Promise<string> {
  await world.service.runtime.store.write((tx) =>
    tx.update(users).set({ admin: true }).where(eq(users.id, world.users.administrator)),
  )
  return world.cookie('administrator')
}

/** A new operator, who has just signed in. */
async function freshOperator(world: SiteWorld): Promise<string> {
  const { id, cookie } = await person(world)
  await world.service.runtime.store.write((tx) => tx.update(users).set({ admin: true }).where(eq(users.id, id)))
  return cookie
}

const ofOperator: Maker = async (world) => ({
  body: { user_id: (await person(world)).id },
  cookie: await reviewer(world),
})

const NEW_APP = { displayName: 'Tide tables', redirect_uris: ['https://app.example/back'], scopes: ['cms:post:read'] }
const SCRIPT = { name: 'Counter', type: 'Analytics', placement: 'HTML Head', code: '<script>1</script>' }

/** An app of a new user, who has made fewer of them than anyone may. */
async function app(world: SiteWorld): Promise<{ id: string; cookie: string }> {
  const { cookie } = await person(world)
  const made = await call(world, 'POST', '/user/developer/apps', NEW_APP, cookie)
  return { id: made.app.id, cookie }
}

async function ofApp(world: SiteWorld, rest: Omit<Sample, 'cookie'> = {}): Promise<Sample> {
  const { id, cookie } = await app(world)
  return { ...rest, params: { id, ...rest.params }, cookie }
}

async function script(world: SiteWorld): Promise<Sample> {
  const { id, cookie } = await app(world)
  const { script } = await call(world, 'POST', `/user/developer/apps/${id}/scripts`, SCRIPT, cookie)
  return { params: { id, scriptId: script.id }, cookie }
}

async function version(world: SiteWorld) {
  const { id, cookie } = await app(world)
  const { version } = await call(world, 'POST', `/user/developer/apps/${id}/versions`, {}, cookie)
  return { id, cookie, version_id: version.id as number }
}

async function review(
  world: SiteWorld,
): Promise<{ id: string; review_id: number; cookie: string; version_id: number }> {
  const { id, cookie, version_id } = await version(world)
  const body = { app_id: id, version_id }
  const { review_request } = await call(world, 'POST', '/user/review-requests', body, cookie)
  return { id, cookie, version_id, review_id: review_request.id }
}

const decided: Maker = async (world) => ({
  params: { id: (await review(world)).review_id },
  body: { comment: 'Because.' },
  cookie: await reviewer(world),
})

/** A job that waits. */
const job = async (world: SiteWorld): Promise<number> => {
  const { contact } = await world.ok('contacts/upsert', { email: `${fresh('job')}@example.com`, consent_text: 'Yes.' })
  const { job } = await world.ok('contacts/bulk', { action: 'unsubscribe', contact_ids: [contact.id] })
  return job.id
}
const page = async (world: SiteWorld): Promise<number> =>
  (await inProject(world, '/project/pages/create', { path: `/${fresh('page')}`, title: 'Page', html: '<p>x</p>' })).page
    .id
const post = async (world: SiteWorld, status = 'draft'): Promise<number> =>
  (await inProject(world, '/project/cms/posts/create', { title: fresh('Post'), status })).post.id
const file = async (world: SiteWorld): Promise<number> => {
  const path = `/project/files/upload?project_id=${world.project.public_id}`
  const headers = { Cookie: await world.cookie('owner') }
  const answer = await world.fetch(path, { method: 'POST', headers, body: png(++used, 1) })
  return ((await answer.json()) as { file: { id: number } }).file.id
}
const siteFile = async (world: SiteWorld): Promise<number> => {
  const path = `/project/site-files/upload?project_id=${world.project.public_id}&path=/${fresh('file')}.txt`
  const answer = await world.fetch(path, {
    method: 'POST',
    headers: { Cookie: await world.cookie('owner') },
    body: 'x',
  })
  return ((await answer.json()) as { file: { id: number } }).file.id
}
const item = async (world: SiteWorld): Promise<number> =>
  (await inProject(world, '/project/directory/items/create', { directory: 'Shops', title: fresh('Shop') })).item.id
const dkimKey = async (world: SiteWorld): Promise<number> => {
  const key = { domain: `${fresh('key')}.example`, algorithm: 'ed25519-sha256' }
  return (await inProject(world, '/project/dns/create-key', key)).record.key_id
}

/** The id of a new project of the session's user. */
const ownProject = async (world: SiteWorld, cookie: string): Promise<string> =>
  (await call(world, 'POST', '/project/create', { name: 'Tests', slug: fresh('tests') }, cookie)).project.id

async function storedMessage(world: SiteWorld): Promise<number> {
  const raw = 'From: news@example.com\r\nTo: ann@example.com\r\nSubject: Tides\r\n\r\nHigh at noon.'
  const row = { sender: 'news@example.com', recipient: 'ann@example.com', recipient_key: 'ann@example.com', raw }
  const [made] = await world.service.runtime.store.write((tx) =>
    tx
      .insert(sandbox_messages)
      .values({ project_id: world.project.id, received_at: 0, ...row })
      .returning({ id: sandbox_messages.id }),
  )
  return made!.id
}

async function member(world: SiteWorld): Promise<string> {
  const { id } = await person(world)
  await world.service.runtime.store.write((tx) =>
    tx.insert(members).values({ project_id: world.project.id, user_id: id, role: 'member', added_at: 0 }),
  )
  return id
}

const appPath = '/user/developer/apps/:id'
const apiRoot = '/general/api/v1'

export const routeSamples: Record<string, Maker> = {
  'GET /healthz': () => ({}),
  'GET /general/tls/ask': () => ({ query: { domain: DOMAIN } }),
  'GET /general/sandbox/mailbox': () => ({ query: { to: 'ada@example.com', after_id: 1, limit: 5 } }),
  'DELETE /general/sandbox/mailbox': () => ({}),

  'POST /user/login': async (world) => ({
    body: { email: (await person(world)).email, password: PASSWORD },
  }),
  'POST /user/logout': async (world) => ({ cookie: (await person(world)).cookie }),
  'GET /user/me': () => ({}),
  'POST /user/password/reset-request': () => ({ body: { email: 'nobody@example.com' } }),
  'POST /user/password/reset': async (world) => {
    const { id: user_id } = await person(world)
    const token = newToken('svc_pr_')
    const created_at = world.clock.now()
    await world.service.runtime.store.write((tx) =>
      tx
        .insert(password_resets)
        .values({ token_hash: tokenHash(token), user_id, created_at, expires_at: created_at + 1 }),
    )
    return { body: { token, password: 'a password nobody guesses' } }
  },
  'POST /user/password/change': async (world) => ({
    cookie: (await person(world)).cookie,
    body: { current_password: PASSWORD, password: 'a password nobody guesses' },
  }),
  'PATCH /user/me': async (world) => ({ cookie: (await person(world)).cookie, body: { firstName: 'Ada' } }),
  'POST /user/email/change': async (world) => ({
    cookie: (await person(world)).cookie,
    body: { email: `${fresh('new')}@example.com` },
  }),
  'POST /user/email/confirm': async (world) => {
    const { id: user_id } = await person(world)
    const token = newToken('svc_ec_')
    const row = { email: `${fresh('new')}@example.com`, created_at: 0, expires_at: 9e15 }
    await world.service.runtime.store.write((tx) =>
      tx.insert(email_changes).values({ user_id, token_hash: tokenHash(token), ...row }),
    )
    return { body: { token } }
  },
  'GET /user/deletion': async (world) => ({ cookie: (await person(world)).cookie }),
  'POST /user/deletion': async (world) => {
    const { email, cookie } = await person(world)
    return { cookie, body: { email } }
  },
  'GET /user/sign-up': () => ({}),
  'POST /user/sign-up/request': () => ({ body: { email: `${fresh('new')}@example.com` } }),
  'POST /user/sign-up': async (world) => {
    const token = newToken('svc_su_')
    const email = `${fresh('new')}@example.com`
    await world.service.runtime.store.write((tx) =>
      tx
        .insert(sign_ups)
        .values({ token_hash: tokenHash(token), email, email_key: email, created_at: 0, expires_at: 9e15 }),
    )
    return { body: { token, password: 'a password nobody guesses', firstName: 'Ada' } }
  },
  'GET /user/sessions': () => ({}),
  'DELETE /user/sessions': async (world) => ({ cookie: (await person(world)).cookie }),
  'DELETE /user/sessions/:id': async (world) => {
    const { cookie } = await person(world)
    const { sessions } = await call(world, 'GET', '/user/sessions', undefined, cookie)
    return { cookie, params: { id: sessions[0].id } }
  },

  'POST /user/sessions/end-others': async (world) => ({ cookie: (await person(world)).cookie }),
  'GET /user/devices': () => ({}),
  'DELETE /user/devices/:id': async (world) => {
    const { email, cookie } = await person(world)
    await call(world, 'POST', '/user/login', { email, password: PASSWORD }, 'none=1')
    const { devices } = await call(world, 'GET', '/user/devices', undefined, cookie)
    return { cookie, params: { id: devices[0].id } }
  },

  'POST /user/login/second-factor': async (world) => {
    const { email, recovery_codes } = await personWithCodes(world)
    const { second_factor } = await call(world, 'POST', '/user/login', { email, password: PASSWORD }, 'none=1')
    return { body: { ticket: second_factor.ticket, code: recovery_codes[0] } }
  },
  'POST /user/login/passkey/options': () => ({}),
  'POST /user/login/passkey': async (world) => {
    const { authenticator } = await personWithPasskey(world)
    const { options } = await call(world, 'POST', '/user/login/passkey/options')
    return { body: { response: authenticator.get(options) } }
  },
  'GET /user/security': async (world) => ({ cookie: (await personWithCodes(world)).cookie }),
  'POST /user/confirm': async (world) => ({ cookie: (await person(world)).cookie, body: { password: PASSWORD } }),
  'POST /user/confirm/passkey/options': () => ({}),
  'POST /user/confirm/passkey': async (world) => {
    const { cookie, authenticator } = await personWithPasskey(world)
    const { options } = await call(world, 'POST', '/user/confirm/passkey/options', undefined, cookie)
    return { cookie, body: { response: authenticator.get(options) } }
  },
  'POST /user/totp/enrollment': async (world) => ({ cookie: (await person(world)).cookie }),
  'POST /user/totp': async (world) => {
    const { cookie } = await person(world)
    const { secret, enrollment } = await call(world, 'POST', '/user/totp/enrollment', undefined, cookie)
    return { cookie, body: { enrollment, code: codeAt(secret, world.clock.now()) } }
  },
  'DELETE /user/totp': async (world) => ({ cookie: (await personWithCodes(world)).cookie }),
  'POST /user/totp/recovery-codes': async (world) => ({ cookie: (await personWithCodes(world)).cookie }),
  'POST /user/passkeys/options': async (world) => ({ cookie: (await person(world)).cookie }),
  'POST /user/passkeys': async (world) => {
    const { cookie } = await person(world)
    const { options } = await call(world, 'POST', '/user/passkeys/options', undefined, cookie)
    return { cookie, body: { name: 'Phone', response: createAuthenticator(world.url).create(options) } }
  },
  'DELETE /user/passkeys/:id': async (world) => {
    const { cookie, id } = await personWithPasskey(world)
    return { cookie, params: { id } }
  },

  'GET /user/connected-apps': async (world) => {
    await world.token('owner')
    return {}
  },
  'GET /user/connected-apps/overview': async (world) => {
    await world.token('owner')
    return {}
  },
  'DELETE /user/connected-apps/:authorizationId': async (world) => {
    await world.token('owner')
    const { connected_apps } = await call(world, 'GET', '/user/connected-apps')
    return { params: { authorizationId: connected_apps.at(-1).authorization_id } }
  },
  'POST /project/apps/list': async (world) => {
    await world.token('member')
    return {}
  },
  'POST /project/apps/overview': async (world) => {
    await world.token('member')
    return {}
  },
  'POST /project/apps/disconnect': async (world) => {
    await world.token('member')
    return { body: { app_id: world.app_id } }
  },

  'POST /project/list': () => ({ body: {} }),
  'POST /project/create': () => ({ body: { name: 'New project', slug: fresh('new'), domain: null } }),
  'POST /project/get': () => ({}),
  'POST /project/domain/verify': async (world) => {
    await inProject(world, '/project/update', { domain: `${fresh('site')}.example` })
    return {}
  },
  'POST /project/update': () => ({ body: { name: fresh('Harbour') } }),
  'GET /general/apps': () => ({ query: { search: 'tide', category: 'tools', limit: 5 } }),
  'GET /general/apps/:id': async (world) => {
    const { id, review_id } = await review(world)
    await call(world, 'POST', `/user/review-requests/${review_id}/approve`, {}, await reviewer(world))
    return { params: { id } }
  },
  'POST /project/mailbox/list': async (world) => {
    await storedMessage(world)
    return { body: { to: 'ann@example.com', limit: 5 } }
  },
  'POST /project/mailbox/get': async (world) => ({ body: { message_id: await storedMessage(world) } }),
  'POST /project/mailbox/clear': () => ({}),
  'POST /project/usage': () => ({}),
  'POST /project/api-keys/create': () => ({ body: { name: 'Key' } }),
  'POST /project/api-keys/list': () => ({}),
  'POST /project/api-keys/revoke': async (world) => ({
    body: { api_key_id: (await inProject(world, '/project/api-keys/create', { name: 'Key' })).api_key.id },
  }),
  'POST /project/members/list': () => ({}),
  'POST /project/members/update': async (world) => ({ body: { user_id: await member(world), role: 'editor' } }),
  'POST /project/members/remove': async (world) => ({ body: { user_id: await member(world) } }),
  'POST /project/invitations/create': () => ({ body: { email: `${fresh('guest')}@example.com`, role: 'editor' } }),
  'POST /project/invitations/revoke': async (world) => {
    const guest = { email: `${fresh('guest')}@example.com`, role: 'editor' }
    const { invitation } = await inProject(world, '/project/invitations/create', guest)
    return { body: { invitation_id: invitation.id } }
  },

  'POST /project/audit/list': () => ({ body: { actor: 'visitor', from: '2026-01-01T00:00:00Z', limit: 5 } }),
  'POST /user/operator/audit/list': async (world) => ({
    body: { action: 'sign-in', limit: 5 },
    cookie: await reviewer(world),
  }),

  'POST /user/operator/users/list': async (world) => ({
    body: { search: 'owner', status: 'enabled', limit: 5 },
    cookie: await reviewer(world),
  }),
  'POST /user/operator/users/disable': ofOperator,
  'POST /user/operator/users/enable': ofOperator,
  'POST /user/operator/users/send-reset': ofOperator,
  'POST /user/operator/users/end-sessions': ofOperator,
  'POST /user/operator/users/set-operator': async (world) => {
    const { id } = await person(world)
    return { body: { user_id: id, operator: true }, cookie: await freshOperator(world) }
  },
  'POST /user/operator/users/reset-second-factor': async (world) => {
    const { id } = await person(world)
    const factor = { user_id: id, secret_sealed: 'x', last_step: 0, created_at: 1 }
    await world.service.runtime.store.write((tx) => tx.insert(totp_factors).values(factor))
    return { body: { user_id: id }, cookie: await freshOperator(world) }
  },
  'POST /user/operator/invitations/list': async (world) => ({ body: {}, cookie: await reviewer(world) }),
  'POST /user/operator/invitations/create': async (world) => ({
    body: { email: `${fresh('invited')}@example.com` },
    cookie: await freshOperator(world),
  }),
  'POST /user/operator/invitations/revoke': async (world) => {
    const [email, cookie] = [`${fresh('invited')}@example.com`, await freshOperator(world)]
    await call(world, 'POST', '/user/operator/invitations/create', { email }, cookie)
    return { body: { email }, cookie }
  },
  'POST /user/operator/projects/list': async (world) => ({
    body: { search: 'harbour', limit: 5 },
    cookie: await reviewer(world),
  }),
  'POST /user/operator/projects/limits': async (world) => ({
    body: { project_id: world.other.public_id, monthly_limit: 1000, contact_limit: null },
    cookie: await reviewer(world),
  }),

  'POST /user/operator/apps/list': async (world) => ({
    body: { search: 'tide', status: 'development', suspended: false, limit: 5 },
    cookie: (await app(world), await reviewer(world)),
  }),
  'GET /user/operator/health': async (world) => ({ cookie: await reviewer(world) }),
  'POST /user/operator/backup': async (world) => {
    world.clock.advance(1000)
    return { body: {}, cookie: await reviewer(world) }
  },
  'GET /user/operator/backups': async (world) => ({ cookie: await reviewer(world) }),
  'GET /user/operator/settings': async (world) => ({ cookie: await reviewer(world) }),
  'POST /user/operator/mail/test': async (world) => ({ body: {}, cookie: await reviewer(world) }),

  'POST /project/dns/list': async (world) => {
    await dkimKey(world)
    return {}
  },
  'POST /project/dns/needed': () => ({ body: { provider: 'sendgrid', domain: 'harbour.example' } }),
  'POST /project/dns/create-key': () => ({
    body: { domain: `${fresh('domain')}.example`, algorithm: 'ed25519-sha256' },
  }),
  'POST /project/dns/verify': async (world) => {
    await dkimKey(world)
    return { body: { domain: `key-${used}.example` } }
  },
  'POST /project/dns/delete-key': async (world) => ({ body: { key_id: await dkimKey(world) } }),

  'POST /project/scripts/list': async (world) => {
    await world.connect('<script>1</script>')
    return {}
  },
  'POST /project/scripts/end-test': async (world) => {
    const row = { app_id: world.app_id, project_id: world.project.id, user_id: world.users.owner, added_at: 0 }
    await world.service.runtime.store.write((tx) => tx.insert(app_test_projects).values(row).onConflictDoNothing())
    return { body: { app_id: world.app_id } }
  },
  'POST /project/scripts/switch': async (world) => ({
    body: { connection_id: await world.connect('<script>1</script>'), enabled: false },
  }),
  'POST /project/scripts/preview': async (world) => ({
    body: { connection_id: await world.connect('<script>1</script>'), path: '/' },
  }),
  'POST /project/scripts/remove': async (world) => ({
    body: { connection_id: await world.connect('<script>1</script>') },
  }),
  'POST /project/scripts/settings': () => ({ body: { consent_required: true } }),

  'POST /project/imports/upload': () => ({
    query: { filename: 'people.csv' },
    file: Buffer.from('email\na@b.example\n'),
  }),
  'POST /project/imports/examine': async (world) => {
    const { import: made } = await world.ok('imports/create', { csv: 'email\na@b.example\n' })
    return { body: { import_id: made.id, mapping: { 0: 'email' }, options: {} } }
  },
  'POST /project/imports/encoding': async (world) => ({
    body: { import_id: await uploadedImport(world), encoding: 'windows-1252' },
  }),
  'GET /project/imports/providers': async (world) => ({ query: { import_id: await uploadedImport(world) } }),
  'POST /project/files/upload': () => ({ query: { name: 'Tides.png', alt: 'Tides' }, file: png(++used, 2) }),
  'POST /project/files/list': async (world) => {
    await file(world)
    return { body: { limit: 5 } }
  },
  'POST /project/files/get': async (world) => ({ body: { file_id: await file(world) } }),
  'POST /project/files/update': async (world) => ({ body: { file_id: await file(world), alt: 'Changed' } }),
  'POST /project/files/delete': async (world) => ({ body: { file_id: await file(world), force: true } }),
  'POST /project/pages/create': () => ({
    body: { path: `/${fresh('page')}`, title: 'Page', html: '<p>Tides</p>', published: true },
  }),
  'POST /project/pages/list': async (world) => {
    await page(world)
    return {}
  },
  'POST /project/pages/get': async (world) => ({ body: { page_id: await page(world) } }),
  'POST /project/pages/update': async (world) => ({ body: { page_id: await page(world), title: 'Changed' } }),
  'POST /project/pages/delete': async (world) => ({ body: { page_id: await page(world) } }),
  'POST /project/site-files/upload': () => ({ query: { path: `/${fresh('file')}.txt` }, file: Buffer.from('Tides') }),
  'POST /project/site-files/list': async (world) => {
    await siteFile(world)
    return {}
  },
  'POST /project/site-files/delete': async (world) => ({ body: { file_id: await siteFile(world) } }),
  'POST /project/site-templates/list': () => ({}),
  'POST /project/site-templates/update': () => ({ body: { kind: 'post', html: '{{ post.title }}' } }),
  'POST /project/site-templates/preview': () => ({ body: { kind: 'index', html: '{{ site.name }}' } }),
  'POST /project/site-templates/reset': () => ({ body: { kind: 'post' } }),
  'POST /project/cms/posts/create': () => ({
    body: { title: fresh('Post'), status: 'published', content: 'One two.', category: 'News' },
  }),
  'POST /project/cms/posts/list': async (world) => {
    await post(world)
    return { body: { filters: { status: 'draft' }, sort: 'title', order: 'asc', limit: 5, offset: 0 } }
  },
  'POST /project/cms/posts/get': async (world) => ({ body: { post_id: await post(world) } }),
  'POST /project/cms/posts/update': async (world) => ({ body: { post_id: await post(world), excerpt: 'Changed' } }),
  'POST /project/cms/posts/preview': async (world) => ({ body: { post_id: await post(world) } }),
  'POST /project/cms/posts/delete': async (world) => ({ body: { post_id: await post(world) } }),
  'POST /project/directory/items/create': () => ({
    body: { directory: 'Shops', title: fresh('Shop'), fields: { open: true } },
  }),
  'POST /project/directory/items/list': async (world) => {
    await item(world)
    return { body: { directory: 'Shops', limit: 5 } }
  },
  'POST /project/directory/items/get': async (world) => ({ body: { item_id: await item(world) } }),
  'POST /project/directory/items/update': async (world) => ({ body: { item_id: await item(world), title: 'Changed' } }),
  'POST /project/directory/items/delete': async (world) => ({ body: { item_id: await item(world) } }),
  'POST /project/sign-up-forms/list': () => ({}),
  'POST /project/sign-up-forms/create': async (world) => ({ body: await signUpForm(world) }),
  'POST /project/sign-up-forms/update': async (world) => ({
    body: { form_id: (await inProject(world, '/project/sign-up-forms/create', await signUpForm(world))).form.id },
  }),
  'POST /project/sign-up-forms/delete': async (world) => ({
    body: { form_id: (await inProject(world, '/project/sign-up-forms/create', await signUpForm(world))).form.id },
  }),
  'POST /project/letters/settings/get': () => ({}),
  'POST /project/letters/settings/update': () => ({ body: { list_ids: [] } }),
  'POST /project/deliverability/get': () => ({ body: { days: 7 } }),
  'POST /project/connections/unread-reports': async (world) => {
    const { connection } = await world.ok('connections/create', { name: fresh('Quay'), provider: 'sandbox' })
    return { body: { connection_id: connection.id } }
  },
  'POST /project/directory/list': () => ({}),
  'POST /project/jobs/cancel': async (world) => ({ body: { job_id: await job(world) } }),
  'POST /project/form-settings/list': () => ({}),
  'POST /project/form-settings/update': () => ({ body: { form: 'contact', notify: [], keep_days: 90 } }),
  'POST /project/form-settings/reset': () => ({ body: { form: 'contact' } }),
  'POST /project/form-settings/expired': () => ({ body: { form: null, keep_days: 90 } }),
  'POST /project/form-entries/forms': () => ({}),
  'POST /project/form-entries/delete': () => ({ body: { form: 'contact' } }),
  'POST /project/form-entries/list': () => ({ body: { form: 'contact', limit: 5 } }),
  'GET /general/project/form/challenge': ({ project }) => ({ query: { project_id: project.public_id } }),
  'POST /project/site-settings/get': () => ({}),
  'POST /project/site-settings/preview': () => ({ body: { consent_accept: 'Yes' } }),
  'POST /project/site-settings/update': () => ({ body: { consent_banner: true, consent_message: 'May we?' } }),

  'GET /user/developer/apps': async (world) => ({ cookie: (await app(world)).cookie }),
  'POST /user/developer/apps': async (world) => ({
    cookie: (await person(world)).cookie,
    body: { ...NEW_APP, client_type: 'confidential', scope_reasons: { 'cms:post:read': 'To show them.' } },
  }),
  [`GET ${appPath}`]: (world) => ofApp(world),
  // The team is told of other redirect URIs.
  [`PATCH ${appPath}`]: (world) =>
    ofApp(world, { body: { description: 'Tides of every harbour', redirect_uris: ['https://app.example/other'] } }),
  [`DELETE ${appPath}`]: (world) => ofApp(world, { body: {} }),
  [`GET ${appPath}/secrets`]: (world) => ofApp(world),
  [`POST ${appPath}/secrets`]: (world) => ofApp(world, { body: {} }),
  [`DELETE ${appPath}/secrets/:secretId`]: async (world) => {
    const { id, cookie } = await app(world)
    const { secret } = await call(world, 'POST', `/user/developer/apps/${id}/secrets`, {}, cookie)
    return { params: { id, secretId: secret.id }, body: {}, cookie }
  },
  [`GET ${appPath}/team`]: (world) => ofApp(world),
  [`POST ${appPath}/team`]: (world) => ofApp(world, { body: { email: `${fresh('guest')}@example.com` } }),
  [`DELETE ${appPath}/team/:userId`]: async (world) => {
    const { id, cookie } = await app(world)
    await world.service.runtime.store.write((tx) => joinTeam(tx, id, world.users.editor, world.clock.now()))
    return { params: { id, userId: world.users.editor }, body: {}, cookie }
  },
  [`POST ${appPath}/team/invitations`]: (world) => ofApp(world, { body: { email: `${fresh('guest')}@example.com` } }),
  [`DELETE ${appPath}/team/invitations/:invitationId`]: async (world) => {
    const { id, cookie } = await app(world)
    const guest = { email: `${fresh('guest')}@example.com` }
    const made = await call(world, 'POST', `/user/developer/apps/${id}/team/invitations`, guest, cookie)
    return { params: { id, invitationId: made.invitation.id }, body: {}, cookie }
  },
  [`POST ${appPath}/try`]: async (world) => ({
    ...(await ofApp(world)),
    body: { code: 'svc_ac_unknown', code_verifier: 'v'.repeat(43) },
  }),
  [`GET ${appPath}/test-projects`]: (world) => ofApp(world),
  [`POST ${appPath}/test-projects`]: async (world) => {
    const { id, cookie } = await app(world)
    return { params: { id }, cookie, body: { project_id: await ownProject(world, cookie) } }
  },
  [`DELETE ${appPath}/test-projects/:projectId`]: async (world) => {
    const { id, cookie } = await app(world)
    const project_id = await ownProject(world, cookie)
    await call(world, 'POST', `/user/developer/apps/${id}/test-projects`, { project_id }, cookie)
    return { params: { id, projectId: project_id }, body: {}, cookie }
  },
  [`GET ${appPath}/installs`]: (world) => ofApp(world, { query: { limit: 5 } }),
  'GET /user/invitations': async (world) => ({ cookie: (await person(world)).cookie }),
  'POST /user/invitations/:id/accept': async (world) => {
    const { email, cookie } = await person(world)
    const guest = { email, role: 'editor' }
    const { invitation } = await inProject(world, '/project/invitations/create', guest)
    return { params: { id: invitation.id }, body: {}, cookie }
  },
  [`GET ${appPath}/images`]: (world) => ofApp(world),
  [`POST ${appPath}/images`]: async (world) => ({ ...(await ofApp(world)), file: png(++used, 3) }),
  [`DELETE ${appPath}/images/:imageId`]: async (world) => {
    const given = await ofApp(world)
    const path = `/user/developer/apps/${String(given.params!.id)}/images`
    const headers = { Cookie: given.cookie ?? (await world.cookie('owner')) }
    const answer = await world.fetch(path, { method: 'POST', headers, body: png(++used, 3) })
    const { image } = (await answer.json()) as { image: { id: number } }
    return { ...given, params: { ...given.params, imageId: image.id }, body: {} }
  },
  [`GET ${appPath}/listing`]: (world) => ofApp(world),
  [`PUT ${appPath}/listing`]: (world) => ofApp(world, { body: { tagline: 'Tides', screenshots: [] } }),
  [`GET ${appPath}/requests`]: (world) => ofApp(world, { query: { limit: 5, before_id: 9, status: 200 } }),
  [`GET ${appPath}/requests/:requestId`]: async (world) => {
    const given = await ofApp(world)
    const { runtime } = world.service
    const named = { app_id: String(given.params!.id), method: 'GET', route: '/x', request_id: 'r', project: null }
    logAppRequest(runtime, { ...named, at: world.clock.now(), status: 200, duration_ms: 1, error: null })
    await flushRequests(runtime.store)
    const [row] = await runtime.store.query('SELECT max(id) AS id FROM app_requests')
    return { ...given, params: { ...given.params, requestId: Number(row!.id) } }
  },
  [`POST ${appPath}/suspend`]: async (world) => ({
    params: { id: (await app(world)).id },
    body: { comment: 'Because.' },
    cookie: await reviewer(world),
  }),
  [`POST ${appPath}/unsuspend`]: async (world) => {
    const [{ id }, cookie] = [await app(world), await reviewer(world)]
    await call(world, 'POST', `/user/developer/apps/${id}/suspend`, { comment: 'Because.' }, cookie)
    return { params: { id }, body: {}, cookie }
  },
  [`GET ${appPath}/scripts`]: script,
  [`POST ${appPath}/scripts`]: (world) => ofApp(world, { body: { ...SCRIPT, parameters: { colour: 'blue' } } }),
  [`POST ${appPath}/scripts/render`]: (world) => ofApp(world, { body: { code: '<p>{{town}}</p>' } }),
  [`GET ${appPath}/scripts/:scriptId`]: script,
  [`PATCH ${appPath}/scripts/:scriptId`]: async (world) => ({ ...(await script(world)), body: { name: 'Renamed' } }),
  [`DELETE ${appPath}/scripts/:scriptId`]: async (world) => ({ ...(await script(world)), body: {} }),
  [`GET ${appPath}/versions`]: async (world) => {
    const { id, cookie } = await version(world)
    return { params: { id }, cookie }
  },
  [`POST ${appPath}/versions`]: (world) => ofApp(world, { body: { notes: 'First' } }),
  [`GET ${appPath}/versions/:versionId`]: async (world) => {
    const { id, cookie, version_id } = await version(world)
    return { params: { id, versionId: version_id }, cookie }
  },
  [`POST ${appPath}/versions/:versionId/rollback`]: async (world) => {
    const { id, cookie, version_id, review_id } = await review(world)
    const as = await reviewer(world)
    await call(world, 'POST', `/user/review-requests/${review_id}/approve`, {}, as)
    // The team is told that a redirect URI of a later version is no longer in force.
    const redirect_uris = [...NEW_APP.redirect_uris, 'https://app.example/later']
    await call(world, 'PATCH', `/user/developer/apps/${id}`, { redirect_uris }, cookie)
    const { version } = await call(world, 'POST', `/user/developer/apps/${id}/versions`, {}, cookie)
    const body = { app_id: id, version_id: version.id }
    const { review_request } = await call(world, 'POST', '/user/review-requests', body, cookie)
    await call(world, 'POST', `/user/review-requests/${review_request.id}/approve`, {}, as)
    return { params: { id, versionId: version_id }, body: {}, cookie }
  },
  'GET /user/review-requests': async (world) => ({
    cookie: (await review(world)).cookie,
    query: { limit: 5, status: 'pending' },
  }),
  'POST /user/review-requests': async (world) => {
    // Reviewers are told.
    await reviewer(world)
    const { id, cookie, version_id } = await version(world)
    return { cookie, body: { app_id: id, version_id } }
  },
  'GET /user/review-requests/:id': async (world) => {
    const { review_id, cookie } = await review(world)
    return { params: { id: review_id }, cookie }
  },
  'POST /user/review-requests/:id/approve': decided,
  'POST /user/review-requests/:id/reject': decided,
  'POST /user/review-requests/:id/request-changes': decided,
  'POST /user/review-requests/:id/withdraw': async (world) => {
    const { review_id, cookie } = await review(world)
    return { params: { id: review_id }, body: {}, cookie }
  },

  [`GET ${apiRoot}/token/authorized_by`]: () => ({}),
  'GET /general/oauth/userinfo': () => ({}),
  [`GET ${apiRoot}/token/introspect`]: () => ({}),
  [`GET ${apiRoot}/project/list`]: () => ({}),
  [`POST ${apiRoot}/project/details`]: () => ({}),
  [`POST ${apiRoot}/scripts/list`]: async (world) => {
    await world.connect('<script>1</script>')
    return {}
  },
  [`POST ${apiRoot}/scripts/embed`]: async (world) => ({ body: { scriptId: await scriptOf(world), parameters: {} } }),
  [`DELETE ${apiRoot}/scripts/connection/:connectionId`]: async (world) => ({
    params: { connectionId: await world.connect('<script>1</script>') },
  }),
  [`POST ${apiRoot}/cms/post/get`]: async (world) => ({ body: { id: await post(world, 'published') } }),
  [`POST ${apiRoot}/cms/post/list`]: async (world) => {
    await post(world)
    return { body: { filters: { status: 'draft' }, sort: 'last_update', order: 'dsc', limit: 5, offset: 0 } }
  },
  [`POST ${apiRoot}/directory/item/list`]: async (world) => {
    await item(world)
    return { body: { directory: 'Shops', limit: 5, offset: 0 } }
  },
}

/** A script of the world's app that is connected already: embedding it again changes its parameters. */
async function scriptOf(world: SiteWorld): Promise<number> {
  const connection_id = await world.connect('<script>1</script>')
  const { scripts } = await inProject(world, '/project/scripts/list')
  return scripts.find((script: { connection_id: number }) => script.connection_id === connection_id).script_id
}
