import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { members } from '../../src/store/tables/accounts.ts'
import { script_connections, scripts } from '../../src/store/tables/scripts.ts'
import { closeWorlds } from '../support/world.ts'
import {
  authorizeUrl,
  browserWith,
  type Client,
  createOAuthWorld,
  type OAuthWorld,
  type Person,
  setRole,
  signIn,
  VERIFIER,
} from './oauth-world.ts'
import type { ProjectId } from '../../src/ids.ts'

let world: OAuthWorld

beforeAll(async () => {
  world = await createOAuthWorld()
})
afterAll(closeWorlds)

async function call(
  who: Person | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const { cookie } = who === null ? browserWith(world, '') : await world.browser(who)
  const response = await world.fetch(path, {
    method,
    headers: {
      ...(cookie ? { Cookie: cookie } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as any } // a test reads what it asserts
}

/** Connects one of the app's scripts to a project; answers whether it is connected still. */
async function connectScript(client: Client, project_id: ProjectId): Promise<() => Promise<boolean>> {
  const { store } = world.service.runtime
  const at = { created_at: world.clock.now(), updated_at: world.clock.now() }
  const id = await store.write(async (tx) => {
    const [script] = await tx
      .insert(scripts)
      .values({
        app_id: client.id,
        name: 'Weather',
        type: 'Functional',
        placement: 'HTML Head',
        code: '<!-- weather -->',
        parameters: {},
        ...at,
      })
      .returning({ id: scripts.id })
    const [connection] = await tx
      .insert(script_connections)
      .values({ project_id, script_id: script!.id, parameters: {}, ...at })
      .returning({ id: script_connections.id })
    return connection!.id
  })
  return async () =>
    (await store.db.select().from(script_connections).where(eq(script_connections.id, id))).length === 1
}

async function authorizationOf(token: string): Promise<string> {
  const response = await world.fetch('/general/api/v1/token/introspect', {
    headers: { Authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { authorization: { id: string } }).authorization.id
}

const refreshError = async (token: string, client: Client) => (await world.refresh(token, {}, client)).body.error

test('GET /user/connected-apps lists one entry for each authorization of the user, and none of others.', async () => {
  const client = await world.newClient({ display_name: 'Tide Tables', homepage: 'https://tides.example' })
  const granted_at = world.clock.now()
  const first = await world.tokens({ client, who: 'administrator', scope: 'newsletter:read scripts:read' })
  world.clock.advance(60_000)
  const second = await world.tokens({ client, who: 'administrator', scope: 'newsletter:read' })
  world.clock.advance(60_000)
  const { body: renewed } = await world.refresh(first.refresh_token, {}, client)
  const { status, body } = await call('administrator', 'GET', '/user/connected-apps')
  const iso = (after_ms: number) => new Date(granted_at + after_ms).toISOString()
  const app = { id: client.id, displayName: 'Tide Tables', homepage: 'https://tides.example' }
  expect(status).toBe(200)
  expect(body).toEqual({
    connected_apps: [
      {
        authorization_id: await authorizationOf(renewed.access_token),
        app,
        scope: 'newsletter:read scripts:read',
        project_ids: [world.project.public_id],
        created_on: iso(0),
        last_used_on: iso(120_000),
      },
      {
        authorization_id: await authorizationOf(second.access_token),
        app,
        scope: 'newsletter:read',
        project_ids: [world.project.public_id],
        created_on: iso(60_000),
        last_used_on: iso(60_000),
      },
    ],
  })
  expect((await call('outsider', 'GET', '/user/connected-apps')).body).toEqual({ connected_apps: [] })
  expect(await call(null, 'GET', '/user/connected-apps')).toMatchObject({
    status: 401,
    body: { error: 'unauthorized' },
  })
})

test('The list of connected apps leaves out what was approved but never exchanged.', async () => {
  const before = (await call('editor', 'GET', '/user/connected-apps')).body
  await world.code({ who: 'editor', scope: 'newsletter:read' })
  expect((await call('editor', 'GET', '/user/connected-apps')).body).toEqual(before)
})

test('Disconnecting ends the authorization and all its tokens from the next call on.', async () => {
  const { client } = world
  const tokens = await world.tokens()
  const id = await authorizationOf(tokens.access_token)
  expect(await call('owner', 'DELETE', `/user/connected-apps/${id}`)).toEqual({
    status: 200,
    body: { success: true },
  })
  expect(await world.works(tokens.access_token)).toBe(401)
  expect(await refreshError(tokens.refresh_token, client)).toBe('invalid_grant')
  expect((await world.call('lists/list', {}, { as: tokens.access_token })).status).toBe(401)
  expect(await call('owner', 'DELETE', `/user/connected-apps/${id}`)).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

test("Disconnecting is for the authorization's own user, from the service's own pages.", async () => {
  const { access_token } = await world.tokens()
  const path = `/user/connected-apps/${await authorizationOf(access_token)}`
  expect((await call('administrator', 'DELETE', path)).status).toBe(404)
  expect((await call(null, 'DELETE', path)).status).toBe(401)
  expect((await call('owner', 'DELETE', path, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  expect(await world.works(access_token)).toBe(200)
})

test("Disconnecting removes the app's scripts from the pages of its projects.", async () => {
  const client = await world.newClient()
  const { access_token } = await world.tokens({
    client,
    project_ids: [world.project.public_id, world.other.public_id],
  })
  const connected = [await connectScript(client, world.project.id), await connectScript(client, world.other.id)]
  const foreign = await connectScript(world.rival, world.project.id)
  await call('owner', 'DELETE', `/user/connected-apps/${await authorizationOf(access_token)}`)
  for (const isConnected of connected) expect(await isConnected()).toBe(false)
  expect(await foreign()).toBe(true)
})

test('Disconnecting keeps scripts where another active authorization of the app covers the project.', async () => {
  const client = await world.newClient()
  const owners = await world.tokens({ client, project_ids: [world.project.public_id, world.other.public_id] })
  const admins = await world.tokens({ client, who: 'administrator' })
  const [main, other] = [await connectScript(client, world.project.id), await connectScript(client, world.other.id)]
  await call('owner', 'DELETE', `/user/connected-apps/${await authorizationOf(owners.access_token)}`)
  expect([await main(), await other()]).toEqual([true, false])
  await call('administrator', 'DELETE', `/user/connected-apps/${await authorizationOf(admins.access_token)}`)
  expect(await main()).toBe(false)
})

test('DELETE /user/connected-apps/:authorizationId does not count authorizations of former members.', async () => {
  const client = await world.newClient()
  const owners = await world.tokens({ client })
  await world.tokens({ client, who: 'editor', scope: 'newsletter:read' })
  const connected = await connectScript(client, world.project.id)
  await setRole(world, 'editor', null)
  await call('owner', 'DELETE', `/user/connected-apps/${await authorizationOf(owners.access_token)}`)
  expect(await connected()).toBe(false)
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(members)
      .values({ project_id: world.project.id, user_id: world.users.editor, role: 'editor', added_at: 0 }),
  )
})

test('A member who is removed loses the project, with the scripts that no other member had granted.', async () => {
  const client = await world.newClient()
  const { access_token } = await world.tokens({ client, who: 'editor', scope: 'newsletter:read scripts:embed' })
  const connected = await connectScript(client, world.project.id)
  expect(
    await call('administrator', 'POST', '/project/members/remove', {
      project_id: world.project.public_id,
      user_id: world.users.editor,
    }),
  ).toEqual({ status: 200, body: { success: true } })
  expect(await connected()).toBe(false)
  expect((await world.call('lists/list', {}, { as: access_token })).status).toBe(403)
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(members)
      .values({ project_id: world.project.id, user_id: world.users.editor, role: 'editor', added_at: 0 }),
  )
  expect((await world.call('lists/list', {}, { as: access_token })).status).toBe(403)
})

test('A member who is removed takes no project away from the apps of other members.', async () => {
  const client = await world.newClient()
  const owners = await world.tokens({ client })
  await world.tokens({ client, who: 'editor', scope: 'newsletter:read' })
  const connected = await connectScript(client, world.project.id)
  await call('administrator', 'POST', '/project/members/remove', {
    project_id: world.project.public_id,
    user_id: world.users.editor,
  })
  expect((await world.call('lists/list', {}, { as: owners.access_token })).status).toBe(200)
  expect(await connected()).toBe(true)
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(members)
      .values({ project_id: world.project.id, user_id: world.users.editor, role: 'editor', added_at: 0 }),
  )
})

test('A revocation by the app and a replayed token end it in the same way.', async () => {
  const client = await world.newClient()
  const one = await world.tokens({ client })
  const first = await connectScript(client, world.project.id)
  await world.post('revoke', { token: one.access_token }, { client })
  expect(await first()).toBe(true)
  await world.post('revoke', { token: one.refresh_token }, { client })
  expect(await first()).toBe(false)

  world.service.runtime.log.warn = () => undefined // the replay is told in the log
  const two = await world.tokens({ client })
  const second = await connectScript(client, world.project.id)
  await world.refresh((await world.refresh(two.refresh_token, {}, client)).body.refresh_token, {}, client)
  world.clock.advance(31_000)
  expect(await refreshError(two.refresh_token, client)).toBe('invalid_grant')
  expect(await second()).toBe(false)
})

test('POST /project/apps/* lists the apps of all members for administrators.', async () => {
  const client = await world.newClient({ display_name: 'Ferry Times' })
  const { access_token } = await world.tokens({ client, who: 'editor', scope: 'newsletter:read' })
  await world.tokens({ client, project_ids: [world.other.public_id] })
  const { status, body } = await call('administrator', 'POST', '/project/apps/list', {
    project_id: world.project.public_id,
  })
  expect(status).toBe(200)
  const now = new Date(world.clock.now()).toISOString()
  expect(body.apps.filter(({ app }: { app: { id: string } }) => app.id === client.id)).toEqual([
    {
      authorization_id: await authorizationOf(access_token),
      app: { id: client.id, displayName: 'Ferry Times', homepage: 'https://weather.example' },
      scope: 'newsletter:read',
      user_id: world.users.editor,
      created_on: now,
      last_used_on: now,
    },
  ])
})

test('Disconnecting a project takes it from every authorization of the app, and from codes under way.', async () => {
  const client = await world.newClient()
  const owners = await world.tokens({ client, project_ids: [world.project.public_id, world.other.public_id] })
  const editors = await world.tokens({ client, who: 'editor', scope: 'newsletter:read' })
  const rivals = await world.tokens({ client: world.rival })
  const code = await world.code({ client })
  const elsewhere = await world.code({ client, project_ids: [world.other.public_id] })
  const exchange = (of: string) =>
    world.post(
      'token',
      {
        grant_type: 'authorization_code',
        code: of,
        redirect_uri: client.redirect_uri,
        code_verifier: VERIFIER,
      },
      { client },
    )
  const [main, other] = [await connectScript(client, world.project.id), await connectScript(client, world.other.id)]
  expect(
    await call('administrator', 'POST', '/project/apps/disconnect', {
      project_id: world.project.public_id,
      app_id: client.id,
    }),
  ).toEqual({ status: 200, body: { success: true } })

  for (const { access_token } of [owners, editors]) {
    expect(await world.call('lists/list', {}, { as: access_token })).toMatchObject({
      status: 403,
      body: { error: 'project_not_authorized' },
    })
    expect(await world.works(access_token)).toBe(200)
  }
  expect(
    (await world.call('lists/list', { project_id: world.other.public_id }, { as: owners.access_token })).status,
  ).toBe(200)
  expect((await world.call('lists/list', {}, { as: rivals.access_token })).status).toBe(200)
  expect([await main(), await other()]).toEqual([false, true])
  expect((await exchange(code)).body).toMatchObject({ error: 'invalid_grant' })
  expect((await exchange(elsewhere)).body).toMatchObject({ scope: expect.any(String) })

  const { body: renewed } = await world.refresh(owners.refresh_token, {}, client)
  expect(await world.call('lists/list', {}, { as: renewed.access_token })).toMatchObject({ status: 403 })
  expect(
    await call('administrator', 'POST', '/project/apps/disconnect', {
      project_id: world.project.public_id,
      app_id: client.id,
    }),
  ).toMatchObject({ status: 404, body: { error: 'not_found' } })
})

test("Disconnecting a project is for its administrators and owners, from the service's own pages.", async () => {
  const { access_token } = await world.tokens()
  for (const [path, body] of [
    ['/project/apps/list', { project_id: world.project.public_id }],
    ['/project/apps/disconnect', { project_id: world.project.public_id, app_id: world.client.id }],
  ] as const) {
    for (const who of ['member', 'editor'] as const)
      expect(await call(who, 'POST', path, body)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await call('outsider', 'POST', path, body)).toMatchObject({
      status: 403,
      body: { error: 'project_not_authorized' },
    })
    expect((await call(null, 'POST', path, body)).status).toBe(401)
    expect((await call('owner', 'POST', path, body, { Origin: 'https://evil.example' })).status).toBe(403)
    expect(await call('owner', 'POST', path, { ...body, extra: 1 })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
    expect((await call('owner', 'POST', path, {})).status).toBe(400)
  }
  expect((await world.call('lists/list', {}, { as: access_token })).status).toBe(200)
})

test('Approving an open consent page after a disconnection starts a new authorization.', async () => {
  const tokens = await world.tokens()
  const browser = await signIn(world, 'owner')
  const page = await browser.open(
    authorizeUrl({
      client_id: world.client.client_id,
      redirect_uri: world.client.redirect_uri,
      scope: 'newsletter:read',
    }),
  )
  await call('owner', 'DELETE', `/user/connected-apps/${await authorizationOf(tokens.access_token)}`)
  const back = await browser.decide(page, 'approve', [world.project.public_id])
  const { body } = await world.post('token', {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    redirect_uri: world.client.redirect_uri,
  })
  expect(await world.works(body.access_token)).toBe(200)
  expect(await world.works(tokens.access_token)).toBe(401)
})
