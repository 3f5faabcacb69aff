import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Config } from '../../src/config.ts'
import { newId } from '../../src/ids.ts'
import { authenticateClient, isRegistered, type KnownClient, shouldNoteSecretUse } from '../../src/oauth/clients.ts'
import { introspect } from '../../src/oauth/inspect.ts'
import { issueTokens } from '../../src/oauth/tokens.ts'
import { startAuthorization } from '../../src/oauth/authorizations.ts'
import type { Store } from '../../src/store/open.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { app_secrets } from '../../src/store/tables/oauth.ts'
import { closeWorlds } from '../support/world.ts'
import { type Client, createOAuthWorld, type OAuthWorld, type TokenResponse } from './oauth-world.ts'

let world: OAuthWorld

beforeAll(async () => {
  world = await createOAuthWorld()
})
afterAll(closeWorlds)

const refused = (status: number, error: string) => ({ status, body: { error, error_description: expect.any(String) } })

async function send(body: string, headers: Record<string, string> = {}): Promise<TokenResponse> {
  const response = await world.fetch('/general/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

describe('invalid_client', () => {
  const body = 'grant_type=refresh_token&refresh_token=a'

  test('invalid_client is 401 with a challenge when the client used the Authorization header.', async () => {
    for (const header of [
      basic('cli_nobody', 'x'),
      basic(world.client.client_id, 'svc_cs_wrong'),
      basic(world.client.client_id, world.rival.client_secret),
      { Authorization: 'Bearer svc_at_x' },
      basic(world.client.client_id, ''),
    ]) {
      const answer = await send(body, header)
      expect(answer).toMatchObject(refused(401, 'invalid_client'))
      expect(answer.headers.get('www-authenticate')).toStartWith('Basic ')
    }
  })

  test('invalid_client is 401 without a challenge when the client used the body.', async () => {
    for (const fields of [
      '',
      '&client_id=cli_nobody',
      `&client_id=${world.client.client_id}`,
      `&client_id=${world.client.client_id}&client_secret=svc_cs_wrong`,
      `&client_secret=${world.client.client_secret}`,
    ]) {
      const answer = await send(body + fields)
      expect(answer).toMatchObject(refused(401, 'invalid_client'))
      expect(answer.headers.get('www-authenticate')).toBeNull()
    }
  })

  test('invalid_client is the answer to every secret of a public client.', async () => {
    expect(await send(`${body}&client_id=${world.public_client.client_id}&client_secret=x`)).toMatchObject(
      refused(401, 'invalid_client'),
    )
  })

  test('invalid_client is the answer to credentials in the query.', async () => {
    const response = await world.fetch(
      `/general/oauth/token?client_id=${world.client.client_id}&client_secret=${world.client.client_secret}`,
      { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body },
    )
    expect(response.status).toBe(401)
  })
})

describe('client authentication', () => {
  const refresh = async (headers: Record<string, string>, more = '') =>
    send(`grant_type=refresh_token&refresh_token=unknown${more}`, headers)

  test('A client is known by Basic in any case, encoded or plain, with client_id in the body as well.', async () => {
    const { client_id, client_secret } = world.client
    const encoded = [...client_secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    for (const header of [basic(client_id, client_secret), basic(client_id, encoded)])
      expect(await refresh(header)).toMatchObject(refused(400, 'invalid_grant'))
    expect(
      await refresh({ Authorization: basic(client_id, client_secret).Authorization.replace('Basic', 'bAsIc') }),
    ).toMatchObject(refused(400, 'invalid_grant'))
    expect(await refresh(basic(client_id, client_secret), `&client_id=${client_id}`)).toMatchObject(
      refused(400, 'invalid_grant'),
    )
    for (const more of [
      `&client_id=${world.rival.client_id}`,
      `&client_id=${client_id}&client_secret=${client_secret}`,
    ])
      expect(await refresh(basic(client_id, client_secret), more)).toMatchObject(refused(400, 'invalid_request'))
  })

  test('Client authentication refuses a header that names no client, and one that is not Basic.', async () => {
    for (const joined of ['secret', ':secret', ''])
      expect(await refresh({ Authorization: `Basic ${btoa(joined) || 'Og=='}` })).toMatchObject(
        refused(400, 'invalid_request'),
      )
    const bearer = await refresh({ Authorization: `Bearer ${world.client.client_secret}` })
    expect(bearer).toMatchObject(refused(401, 'invalid_client'))
  })

  test('Client authentication accepts a secret with characters that are special in a form.', async () => {
    const odd = await world.newClient()
    const secret = 'a+b%41c d:é'
    await world.service.runtime.store.write((tx) =>
      tx
        .insert(app_secrets)
        .values({ id: newId('key'), app_id: odd.id, secret_hash: tokenHash(secret), hint: 'd:é', created_at: 0 }),
    )
    for (const sent of [secret, encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+')])
      expect(await refresh(basic(odd.client_id, sent))).toMatchObject(refused(400, 'invalid_grant'))
  })

  test('Two secrets work side by side, a revoked one does not, and each shows when it was used last.', async () => {
    const client = await world.newClient()
    const { store } = world.service.runtime
    const second = { id: newId('key'), secret: newToken('svc_cs_') }
    await store.write((tx) =>
      tx.insert(app_secrets).values({
        id: second.id,
        app_id: client.id,
        secret_hash: tokenHash(second.secret),
        hint: second.secret.slice(-4),
        created_at: 0,
      }),
    )
    const uses = async () =>
      (await store.db.select().from(app_secrets).where(eq(app_secrets.app_id, client.id))).map(
        ({ last_used_at }) => last_used_at,
      )
    expect(await uses()).toEqual([null, null])
    const [before, first_use] = [world.clock.now(), await refresh(basic(client.client_id, client.client_secret))]
    expect(first_use.status).toBe(400)
    expect((await uses()).sort()).toEqual([before, null])
    expect((await refresh(basic(client.client_id, second.secret))).status).toBe(400)
    expect(await uses()).toEqual([before, before])
    world.clock.advance(59_000)
    await refresh(basic(client.client_id, second.secret))
    expect(await uses()).toEqual([before, before])
    await store.write((tx) => tx.update(app_secrets).set({ revoked_at: before }).where(eq(app_secrets.id, second.id)))
    expect((await refresh(basic(client.client_id, second.secret))).status).toBe(401)
    expect((await refresh(basic(client.client_id, client.client_secret))).status).toBe(400)
  })
})

test('A public client authenticates by PKCE alone.', async () => {
  const tokens = await world.tokens({ client: world.public_client })
  expect(await world.works(tokens.access_token)).toBe(200)
  expect((await world.refresh(tokens.refresh_token, {}, world.public_client)).status).toBe(200)
})

test('A public client cannot ask what became of its app, because anybody could.', async () => {
  const events = async (client: Client, secret = client.client_secret) => {
    const path = '/general/api/v1/app/events'
    const answer = await world.fetch(path, { headers: basic(client.client_id, secret) })
    return { status: answer.status, body: await answer.json() }
  }
  expect(await events(world.public_client, '')).toMatchObject(refused(400, 'unauthorized_client'))
  expect((await events(world.client)).status).toBe(200)
})

test('Public clients may send an empty password.', async () => {
  expect(
    await send('grant_type=refresh_token&refresh_token=unknown', basic(world.public_client.client_id, '')),
  ).toMatchObject(refused(400, 'invalid_grant'))
})

test('A confidential client is counted as itself, a public one by the address of its caller as well.', async () => {
  const small = await createOAuthWorld({ oauth_requests_per_minute: 1, trusted_proxies: '127.0.0.0/8, ::1' })
  const status = async (client: Client, by: 'basic' | 'none', address: string) => {
    const headers = { 'X-Forwarded-For': address }
    return (await small.post('token', { grant_type: 'refresh_token', refresh_token: 'x' }, { client, by, headers }))
      .status
  }
  expect(await status(small.public_client, 'none', '192.0.2.1')).toBe(400)
  expect(await status(small.public_client, 'none', '192.0.2.1')).toBe(429)
  expect(await status(small.public_client, 'none', '192.0.2.2')).toBe(400)
  expect(await status(small.client, 'basic', '192.0.2.1')).toBe(400)
  expect(await status(small.client, 'basic', '192.0.2.2')).toBe(429)
  await small.close()
})

test("Calls count against the client, and failed ones against the caller's address only.", async () => {
  const small = await createOAuthWorld({ oauth_requests_per_minute: 3 })
  const call = (client_secret = small.client.client_secret) =>
    small.post('introspect', { token: 'x' }, { client: { ...small.client, client_secret } })
  for (let i = 0; i < 3; i++) expect((await call('wrong')).status).toBe(401)
  const failing = await call('wrong')
  expect(failing).toMatchObject(refused(429, 'temporarily_unavailable'))
  for (let i = 0; i < 3; i++) expect((await call()).status).toBe(200)
  const answer = await call()
  expect(answer).toMatchObject(refused(429, 'temporarily_unavailable'))
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect((await small.post('introspect', { token: 'x' }, { client: small.rival })).status).toBe(200)
  small.clock.advance(60_000)
  expect((await call()).status).toBe(200)
  await small.close()
})

test('The use of a secret is noted at most once a minute, and never for a client without one.', () => {
  const isDue = (last_used_at: number | null) =>
    shouldNoteSecretUse({ secret: { id: 'key_1', last_used_at } } as KnownClient, 1_000_000)
  expect([null, 940_000, 940_001, 1_000_000].map(isDue)).toEqual([true, true, false, false])
  expect(shouldNoteSecretUse({ secret: null } as KnownClient, 1_000_000)).toBe(false)
})

test('A client or token kept between two writes is kept for itself only.', async () => {
  const { db } = await sharedStore()
  const kept = new Map<string, unknown>()
  const readCache = (async (key: string, read: () => Promise<unknown>) => {
    if (!kept.has(key)) kept.set(key, await read())
    return kept.get(key)
  }) as Store['readCache']
  const project = await newProject()
  const user_id = await newUser({}, [project, 'owner'])
  const apps = [
    await newApp(user_id, { client_type: 'public' }),
    await newApp(user_id, { client_type: 'public' }),
  ] as const
  const known = (client_id: string) =>
    authenticateClient({ db, readCache }, { method: 'post', claims: [{ client_id, secret: null }] })
  const clients = [await known(apps[0].client_id), await known(apps[1].client_id)] as const
  expect(clients.map(({ app }) => app.id)).toEqual(apps.map(({ id }) => id))
  const config = { refresh_token_idle_days: 90, refresh_token_longest_days: 365 } as Config
  const tokenOf = async (scope: string) => {
    const granted = { app_id: apps[0].id, user_id, scope, project_ids: [project] }
    const authorization_id = (await write((tx) => startAuthorization(tx, granted, NOW)))!
    return (await write((tx) => issueTokens(tx, { authorization_id, scope, ttl_seconds: 60 }, NOW))).access_token
  }
  const tokens = [await tokenOf('newsletter:read'), await tokenOf('newsletter:write')] as const
  const seen = async (client: KnownClient, token: string) => {
    const found = await introspect({ db, readCache }, client, token, {
      base_url: 'https://m.example',
      config,
      now: NOW,
    })
    return found.active && found.scope
  }
  for (const [client, token, expected] of [
    [clients[1], tokens[0], false],
    [clients[0], tokens[0], 'newsletter:read'],
    [clients[0], tokens[1], 'newsletter:write'],
    [clients[1], tokens[1], false],
  ] as const)
    expect(await seen(client, token)).toBe(expected)
})

test('Only the port of an address of this machine may be another one than the registered.', () => {
  for (const host of ['127.0.0.1', '[::1]', 'localhost'])
    for (const registered of [`http://${host}/cb`, `http://${host}:4000/cb`]) {
      const fits = (address: string) => isRegistered({ redirect_uris: ['https://a.example/', registered] }, address)
      for (const port of ['', ':1', ':4000', ':65535'])
        expect([registered, fits(`http://${host}${port}/cb`)]).toEqual([registered, true])
      for (const other of [
        `http://${host}:65536/cb`,
        `http://${host}/cb/`,
        `http://${host}/cb?x`,
        `http://${host}.evil.example/cb`,
        `http://${host}:4000@evil.example/cb`,
        `https://${host}/cb`,
        `HTTP://${host}/cb`,
        `http://127.0.0.2/cb`,
      ])
        expect([registered, other, fits(other)]).toEqual([registered, other, false])
    }
  expect(isRegistered({ redirect_uris: ['http://10.0.0.1/cb'] }, 'http://10.0.0.1:4000/cb')).toBe(false)
  expect(isRegistered({ redirect_uris: ['https://localhost/cb'] }, 'https://localhost:4000/cb')).toBe(false)
})
