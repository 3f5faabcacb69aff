import { afterAll, beforeAll, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { apps, authorizations } from '../../src/store/tables/apps.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { type DeveloperTour, tourOf } from '../developer/tour.ts'
import { expectRecorded } from '../support/recorded.ts'
import { newSession } from '../support/session.ts'
import { authorizeUrl, CHALLENGE, type Client, createOAuthWorld, type OAuthWorld, VERIFIER } from './oauth-world.ts'

let world: OAuthWorld
let tour: DeveloperTour
/** The headers and the body of the latest answer. */
let answered: { headers: Headers; text: string }
beforeAll(async () => {
  world = await createOAuthWorld()
  const seen: OAuthWorld = {
    ...world,
    async fetch(path, init) {
      const answer = await world.fetch(path, init)
      answered = { headers: answer.headers, text: await answer.clone().text() }
      return answer
    },
  }
  tour = await tourOf(seen, [
    'authorization_codes',
    'authorizations',
    'authorization_projects',
    'access_tokens',
    'refresh_tokens',
    'app_events',
  ])
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.update(projects).set({ domain: 'mountain.example' }).where(eq(projects.id, world.other.id)),
  )
  for (const [at, client] of [world.client, world.rival, world.public_client].entries()) {
    const name = ['weather', 'hours', 'pocket'][at]!
    tour.name(client.id, `app_${name}`)
    tour.name(client.client_id, `cli_${name}`)
    tour.name(client.client_secret, `<secret of ${name}>`)
    tour.name(basic(client), `<basic ${name}>`)
  }
  tour.name(CHALLENGE, '<challenge>')
  tour.name(VERIFIER, '<verifier>')
  tour.name(encodeURIComponent(world.url), 'http%3A%2F%2Fservice')
  // What stands in most requests, in the addresses of pages, in their forms and in what is sent of these.
  tour.name('content-type: application/x-www-form-urlencoded', 'form')
  const callback = encodeURIComponent(world.client.redirect_uri)
  for (const [and, is, address] of [
    ['&', '=', callback],
    ['&amp;', '=', callback],
    ['%26', '%3D', encodeURIComponent(callback)],
  ] as const) {
    const pkce = `code_challenge${is}<challenge>${and}code_challenge_method${is}S256`
    tour.name(pkce, '<PKCE>')
    tour.name(`redirect_uri${is}${address}`, '<callback>')
  }
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('Pages, answers, rows and events of connected apps are those that are recorded.', async () => {
  await requests()
  await consents()
  await tokens()
  await ends()
  expectRecorded('platform/oauth.txt', tour.text())
})

const basic = ({ client_id, client_secret }: Client) => Buffer.from(`${client_id}:${client_secret}`).toString('base64')

const request = (more: Record<string, string | string[] | null> = {}, client: Client = world.client) =>
  authorizeUrl({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: 'newsletter:read profile',
    state: 'st 1',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  })

async function requests(): Promise<void> {
  tour.heading('Authorization requests')
  const open = (sentence: string, more: Record<string, string | string[] | null>, client = world.client) =>
    tour.ask(sentence, 'owner', `GET ${request(more, client)}`, undefined, { show: ['location'] })
  for (const path of ['oauth-authorization-server', 'openid-configuration'])
    await tour.ask('The metadata.', null, `GET /.well-known/${path}`)
  // It holds the port.
  tour.name(answered.headers.get('etag')!, '<etag>')
  await tour.ask('Without a session.', null, `GET ${request()}`)
  await tour.ask('Another method.', null, 'PUT /general/oauth/authorize')
  await tour.ask('As JSON.', null, 'GET /general/oauth/authorize', undefined, {
    headers: { accept: 'application/json' },
  })
  await open('No client.', { client_id: null })
  await open('Two.', { client_id: ['a', 'b'] })
  await open('One that there is not.', { client_id: 'cli_none' })
  await open('Another address.', { redirect_uri: 'https://evil.example/' })
  await open('No address: the only one.', { redirect_uri: null, scope: 'none' })
  await open('Two addresses.', { redirect_uri: [world.client.redirect_uri, 'https://b.example'] })
  await open('Another type.', { response_type: 'token' })
  await open('None.', { response_type: null })
  await open('Another mode.', { response_mode: 'fragment' })
  await open('Two states.', { state: ['a', 'b'] })
  await open('A request object.', { request: 'x' })
  await open('No scope.', { scope: null })
  await open('One that there is not.', { scope: 'profile newsletter:all' })
  await open('Another resource.', { resource: 'https://evil.example/' })
  await open('None and another prompt.', { prompt: 'none login' })
  await open('Another method of PKCE.', { code_challenge_method: 'plain' })
  await open('A method alone.', { code_challenge: null })
  await open('A short challenge.', { code_challenge: 'c'.repeat(42) })
  await open('A public client without one.', { code_challenge: null, code_challenge_method: null }, world.public_client)
  await open('Without a page, for somebody who did not grant it.', { prompt: 'none' })
  await open('A sign-in again.', { prompt: 'login' })
  await open('A request that was not pushed.', { request_uri: 'urn:ietf:params:oauth:request_uri:x' })
  await tour.ask('Without a page and a session.', null, `GET ${request({ prompt: 'none', state: null })}`, undefined, {
    show: ['location'],
  })
  const set = (values: Partial<typeof apps.$inferInsert>) =>
    world.service.runtime.store.write((tx) => tx.update(apps).set(values).where(eq(apps.id, world.rival.id)))
  await set({ status: 'development' })
  await open('An app in development, by an outsider of its team.', {}, world.rival)
  await open('Nor with a flaw.', { scope: 'none' }, world.rival)
  await tour.ask('By its own developer.', 'outsider', `GET ${request({}, world.rival)}`)
  await set({ status: 'approved', require_par: true })
  await open('An app that must push.', {}, world.rival)
  await set({ require_par: false, require_pkce: true })
  await open('One that must use PKCE.', { code_challenge: null, code_challenge_method: null }, world.rival)
  await set({ require_pkce: false })
  await nameAuthorizations()
  await tour.changes()
}

/** The hidden fields of the latest page. */
const hidden = (): Record<string, string> =>
  Object.fromEntries(
    [...answered.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&amp;', '&'),
    ]),
  )

type Person = 'owner' | 'administrator' | 'editor' | 'member' | 'outsider'

/** Opens a consent page and presses a button of it. */
async function decide(
  sentence: string,
  by: Person,
  { more = {}, ids = [world.project.public_id], decision = 'approve', client = world.client } = {} as {
    more?: Record<string, string>
    ids?: string[]
    decision?: string
    client?: Client
  },
): Promise<string> {
  await tour.plain(by, `GET ${request(more, client)}`)
  const fields = new URLSearchParams({ ...hidden(), decision })
  for (const id of ids) fields.append('project_ids', id)
  await tour.ask(sentence, by, 'POST /general/oauth/authorize', fields.toString(), {
    headers: FORM,
    show: ['location'],
  })
  return new URL(answered.headers.get('location') ?? 'http://none').searchParams.get('code') ?? ''
}

async function consents(): Promise<void> {
  tour.heading('Consent')
  world.clock.advance(HOUR)
  await tour.ask('The page of an owner of two projects.', 'owner', `GET ${request()}`)
  for (const person of ['administrator', 'editor', 'member', 'outsider'] as const)
    await tour.ask(
      `Of the ${person}, for what needs a higher role.`,
      person,
      `GET ${request({ scope: 'newsletter:admin scripts:embed newsletter:read' })}`,
    )
  const whole = {
    scope:
      'newsletter:read newsletter:write newsletter:send newsletter:admin cms:post:read ' +
      'directory:items:read scripts:read scripts:embed scripts:delete profile',
  }
  await tour.ask('With all scopes.', 'owner', `GET ${request(whole)}`)
  const both = [world.project.public_id, world.other.public_id]
  await decide('Refused.', 'owner', { decision: 'deny' })
  await decide('Without a project.', 'owner', { ids: [] })
  await decide('A project of others.', 'member', { ids: [world.other.public_id] })
  await decide('A role that is too low.', 'member', { more: { scope: 'newsletter:admin' } })
  await nameAuthorizations()
  await tour.changes()
  await decide('Granted for both.', 'owner', { ids: both })
  await nameAuthorizations()
  await tour.changes()
  const fields = new URLSearchParams({ ...hidden(), decision: 'approve', project_ids: both[0]! })
  await tour.ask('A form without its fields.', 'owner', 'POST /general/oauth/authorize', fields.toString(), {
    headers: FORM,
  })
  await tour.plain('owner', `GET ${request()}`)
  const form = new URLSearchParams({ ...hidden(), decision: 'approve', project_ids: both[0]! }).toString()
  await tour.ask('From another site.', 'owner', 'POST /general/oauth/authorize', form, {
    headers: { ...FORM, origin: 'https://evil.example' },
  })
  await tour.ask('By another person.', 'administrator', 'POST /general/oauth/authorize', form, { headers: FORM })
  await tour.ask('Without a session.', null, 'POST /general/oauth/authorize', form, {
    headers: FORM,
    show: ['location'],
  })
  world.clock.advance(MINUTE)
  await tour.ask('A minute later.', 'owner', 'POST /general/oauth/authorize', form, {
    headers: FORM,
    show: ['location'],
  })
  await tour.ask('Twice.', 'owner', 'POST /general/oauth/authorize', form, { headers: FORM, show: ['location'] })
  const large = `${'x'.repeat(256 * 1024 - 4)}&a=b`
  const { name, value } = await newSession(world, 'owner')
  for (const body of [large, `${large}b`]) {
    const answer = await world.fetch('/general/oauth/authorize', {
      method: 'POST',
      headers: { ...FORM, cookie: `${name}=${value}`, accept: 'application/json' },
      body,
    })
    tour.write(`${body.length} bytes: ${answer.status} ${await answer.text()}`)
  }
  await tour.skip()
}

/** Rows of random keys are in the order of their names. */
async function nameAuthorizations(): Promise<void> {
  const { db } = world.service.runtime.store
  const rows = await db
    .select({ id: authorizations.id })
    .from(authorizations)
    .orderBy(sql`rowid`)
  for (const [at, { id }] of rows.entries()) tour.name(id, `aut_${at + 1}`)
}

const post = (sentence: string, path: string, fields: Record<string, string>, client: Client | null = world.client) =>
  tour.ask(sentence, null, `POST /general/oauth/${path}`, new URLSearchParams(fields).toString(), {
    headers: { ...FORM, ...(client ? { authorization: `Basic ${basic(client)}` } : {}) },
  })

async function tokens(): Promise<void> {
  tour.heading('Tokens')
  world.clock.advance(HOUR)
  const exchange = (code: string, more: Record<string, string> = {}) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: world.client.redirect_uri,
    code_verifier: VERIFIER,
    ...more,
  })
  const both = [world.project.public_id, world.other.public_id]
  const code = await decide('A code.', 'owner', { ids: both })
  await post('Nothing.', 'token', {})
  await post('Another type.', 'token', { grant_type: 'password' })
  await post('No code.', 'token', { grant_type: 'authorization_code' })
  await post('An unknown code.', 'token', exchange('x'))
  await post('Another resource.', 'token', exchange(code, { resource: 'https://evil.example' }))
  await post('Nobody.', 'token', exchange(code), null)
  await post(
    'With a wrong secret.',
    'token',
    exchange(code, { client_id: world.client.client_id, client_secret: 'x' }),
    null,
  )
  await post('With two secrets.', 'token', exchange(code, { client_secret: 'x' }))
  await post('By another client.', 'token', exchange(code), world.rival)
  await nameAuthorizations()
  await tour.changes()
  const given = await post('The tokens.', 'token', exchange(await decide('A code again.', 'owner', { ids: both })))
  await nameAuthorizations()
  await tour.changes()
  await post(
    'A code without its verifier.',
    'token',
    exchange(await decide('A code.', 'owner'), { code_verifier: 'v'.repeat(43) }),
  )
  await post(
    'Another address.',
    'token',
    exchange(await decide('A code.', 'owner'), { redirect_uri: 'https://b.example' }),
  )
  const late = await decide('A code that gets old.', 'owner')
  world.clock.advance(MINUTE)
  await post('After a minute.', 'token', exchange(late))
  await nameAuthorizations()
  await tour.changes()
  await tour.ask('Who granted it.', { token: given.access_token }, 'GET /general/api/v1/token/authorized_by')
  await tour.ask('What it is for.', { token: given.access_token }, 'GET /general/api/v1/token/introspect')
  for (const path of ['introspect']) {
    await post('The access token.', path, { token: given.access_token })
    await post('The refresh token.', path, { token: given.refresh_token })
    await post('By another client.', path, { token: given.access_token }, world.rival)
    await post('An unknown one.', path, { token: 'x' })
    await post('None.', path, {})
  }
  const refresh = (sentence: string, refresh_token: string, more: Record<string, string> = {}, client = world.client) =>
    post(sentence, 'token', { grant_type: 'refresh_token', refresh_token, ...more }, client)
  await refresh('Of another client.', given.refresh_token, {}, world.rival)
  await refresh('More scopes.', given.refresh_token, { scope: 'profile newsletter:write' })
  world.clock.advance(MINUTE)
  const second = await refresh('Fewer scopes.', given.refresh_token, { scope: 'profile' })
  await nameAuthorizations()
  await tour.changes()
  world.clock.advance(30_000)
  await refresh('The same within 30 seconds.', given.refresh_token)
  world.clock.advance(1)
  const third = await refresh('Another pair after that.', given.refresh_token)
  await nameAuthorizations()
  await tour.changes()
  await post('The lost access token.', 'introspect', { token: second.access_token })
  world.clock.advance(HOUR)
  await post('An access token after an hour.', 'introspect', { token: third.access_token })
  const fourth = await refresh('The next.', third.refresh_token)
  await tour.skip()
  world.clock.advance(DAY)
  await refresh('A token that was used, after a day, ends all.', third.refresh_token)
  await nameAuthorizations()
  await tour.changes()
  await refresh('The last one, too.', fourth.refresh_token)

  tour.heading('Clients without a secret')
  const { public_client } = world
  const grant = await decide('A code.', 'editor', { client: public_client })
  const pocket = { client_id: public_client.client_id }
  const mine = await post('The tokens.', 'token', exchange(grant, pocket), null)
  await post('What is said of it.', 'introspect', { token: mine.access_token, ...pocket }, null)
  await post('With an empty secret.', 'introspect', { token: mine.access_token, ...pocket, client_secret: '' }, null)
  await post('With a secret.', 'introspect', { token: mine.access_token, ...pocket, client_secret: 'x' }, null)
  await tour.ask('As JSON.', null, 'POST /general/oauth/introspect', { token: mine.refresh_token, ...pocket })
  await tour.ask('JSON with a number.', null, 'POST /general/oauth/introspect', { token: 5, ...pocket })
  await tour.ask('Another type of body.', null, 'POST /general/oauth/introspect', 'token=x', {
    headers: { 'content-type': 'text/plain' },
  })
  await post(
    'A parameter twice.',
    'introspect',
    [
      ['token', 'a'],
      ['token', 'b'],
      ['client_id', 'c'],
    ] as never,
    null,
  )
  await tour.ask('No events for it.', null, `GET /general/api/v1/app/events`, undefined, {
    headers: { authorization: `Basic ${Buffer.from(`${public_client.client_id}:`).toString('base64')}` },
    show: [],
  })
  await nameAuthorizations()
  await tour.changes()

  tour.heading('Pushed requests')
  const pushed = { response_type: 'code', redirect_uri: world.client.redirect_uri, scope: 'profile', state: 'pushed' }
  await post('Nothing.', 'par', {})
  await post('Another address.', 'par', { ...pushed, redirect_uri: 'https://b.example' })
  await post('With a reference.', 'par', { ...pushed, request_uri: 'x' })
  await post('Another scope.', 'par', { ...pushed, scope: 'all' })
  const { request_uri } = await post('A request.', 'par', pushed)
  tour.name(request_uri.split(':').at(-1), '<pushed>')
  tour.name(encodeURIComponent(request_uri), 'urn%3A<pushed>')
  const link = (client_id: string) => `/general/oauth/authorize?${new URLSearchParams({ client_id, request_uri })}`
  await tour.ask('By another app.', 'owner', `GET ${link(world.rival.client_id)}`)
  await tour.ask('The page.', 'owner', `GET ${link(world.client.client_id)}`)
  const form = new URLSearchParams({ ...hidden(), decision: 'approve', project_ids: world.project.public_id })
  await tour.ask('Granted.', 'owner', 'POST /general/oauth/authorize', form.toString(), {
    headers: FORM,
    show: ['location'],
  })
  await tour.ask('Once.', 'owner', `GET ${link(world.client.client_id)}`)
  await nameAuthorizations()
  await tour.changes()
}

async function ends(): Promise<void> {
  tour.heading('Events and ends')
  const events = (sentence: string, query: string) =>
    tour.ask(sentence, null, `GET /general/api/v1/app/events${query}`, undefined, {
      headers: { authorization: `Basic ${basic(world.client)}` },
    })
  const code = await decide('A code.', 'administrator')
  const fields = { grant_type: 'authorization_code', code, redirect_uri: world.client.redirect_uri }
  const given = await post('Tokens of another person.', 'token', { ...fields, code_verifier: VERIFIER })
  await events('All events.', '')
  await events('The first.', '?limit=1')
  await events('The second.', '?limit=1&cursor=1')
  await events('None after the last.', '?cursor=999')
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=-1', '?cursor=1&cursor=2'])
    await events('Refused.', query)
  await nameAuthorizations()
  await tour.changes()
  await post('A revocation by another client.', 'revoke', { token: given.refresh_token }, world.rival)
  await post('Of an unknown token.', 'revoke', { token: 'x' })
  await post('Of none.', 'revoke', {})
  world.clock.advance(MINUTE)
  await post('Of an access token.', 'revoke', { token: given.access_token, token_type_hint: 'refresh_token' })
  await nameAuthorizations()
  await tour.changes()
  await post('The refresh token is active.', 'introspect', { token: given.refresh_token })
  world.clock.advance(MINUTE)
  await post('Of the refresh token.', 'revoke', { token: given.refresh_token })
  await nameAuthorizations()
  await tour.changes()
  for (const days of [1, 31, 400]) {
    world.clock.advance(days * DAY)
    await world.service.drain('maintenance')
    tour.write(`${days} days later`)
    await nameAuthorizations()
    await tour.changes()
  }
}
