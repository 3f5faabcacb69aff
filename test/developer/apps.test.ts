import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { isOnTeam } from '../../src/access/app-team.ts'
import { type AppFields, createApp, deleteApp, getApp, listApps, openApp, updateApp } from '../../src/developer/apps.ts'
import { tokenHash } from '../../src/secrets.ts'
import { apps, authorizations } from '../../src/store/tables/apps.ts'
import { app_secrets } from '../../src/store/tables/oauth.ts'
import { app_team } from '../../src/store/tables/developer.ts'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk } from './desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})

const db = () => desk.world.service.runtime.store.db
const refusal = (status: number, error: string) => ({ status, body: { error, message: expect.any(String) } })

test("Access requires a session, and a request from the service's own pages.", async () => {
  const nobody = await desk.world.fetch(APPS)
  expect(nobody.status).toBe(401)
  expect(await nobody.json()).toMatchObject({ error: 'unauthorized' })
  expect(nobody.headers.get('www-authenticate')).toStartWith('Bearer')
  for (const origin of ['https://evil.example', 'null']) {
    expect(
      await desk.as('outsider', 'POST', APPS, { displayName: 'x', redirect_uris: [], scopes: [] }, { origin }),
    ).toMatchObject(refusal(403, 'forbidden'))
  }
  expect((await desk.as('outsider', 'GET', APPS, undefined, { origin: 'https://evil.example' })).status).toBe(200)
})

test('Apps are hidden from other developers, and shown to reviewers.', async () => {
  const app = await desk.app()
  const one = `${APPS}/${app.id}`
  const asked: [string, string, unknown?][] = [
    ['GET', one],
    ['PATCH', one, { displayName: 'Mine' }],
    ['DELETE', one],
    ['GET', `${one}/secrets`],
    ['POST', `${one}/secrets`],
    ['GET', `${one}/team`],
    ['POST', `${one}/team`, { email: 'owner@example.com' }],
    ['GET', `${one}/listing`],
    ['PUT', `${one}/listing`, {}],
    ['GET', `${one}/scripts`],
    ['GET', `${one}/versions`],
    ['POST', `${one}/versions`],
    ['GET', `${one}/requests`],
  ]
  for (const [method, path, body] of asked)
    expect(await desk.as('owner', method, path, body)).toMatchObject(refusal(404, 'not_found'))
  for (const path of [one, `${one}/listing`, `${one}/scripts`, `${one}/versions`, `${one}/team`])
    expect((await desk.as('editor', 'GET', path)).status).toBe(200)
  for (const [method, path, body] of asked.filter(
    ([method, path]) => method !== 'GET' || /secrets|requests/.test(path),
  ))
    expect(await desk.as('editor', method, path, body)).toMatchObject(refusal(403, 'forbidden'))
  expect((await desk.as('outsider', 'GET', `${APPS}/app_nothing`)).status).toBe(404)
})

describe('an app', () => {
  test('An app starts in development, with a secret that is shown once.', async () => {
    const { app, client_secret } = await desk.ok('member', 'POST', APPS, {
      displayName: ' Weather ',
      description: 'Shows\nthe weather.',
      homepage: 'https://weather.example',
      redirect_uris: ['https://weather.example/cb', 'http://127.0.0.1:8000/cb'],
      scopes: ['cms:post:read', 'scripts:embed', 'cms:post:read'],
      scope_reasons: { 'cms:post:read': 'To show titles.' },
    })
    const identity = {
      displayName: 'Weather',
      description: 'Shows\nthe weather.',
      homepage: 'https://weather.example',
      redirect_uris: ['https://weather.example/cb', 'http://127.0.0.1:8000/cb'],
      scopes: ['cms:post:read', 'scripts:embed'],
    }
    expect(app).toEqual({
      id: expect.stringMatching(/^app_/),
      client_id: expect.stringMatching(/^cli_/),
      client_type: 'confidential',
      ...identity,
      approved: null,
      draft: { ...identity, icon_url: '' },
      require_pkce: false,
      require_par: false,
      scope_reasons: { 'cms:post:read': 'To show titles.' },
      status: 'development',
      suspended_on: null,
      suspension_comment: null,
      created_on: '2026-01-15T09:00:00.000Z',
      last_update: '2026-01-15T09:00:00.000Z',
    })
    expect(client_secret).toMatch(/^svc_cs_[\w-]{43}$/)
    expect(
      await db()
        .select({ hash: app_secrets.secret_hash, hint: app_secrets.hint })
        .from(app_secrets)
        .where(eq(app_secrets.app_id, app.id)),
    ).toEqual([{ hash: tokenHash(client_secret), hint: client_secret.slice(-4) }])
    expect(await desk.ok('member', 'GET', APPS)).toEqual({ apps: [app] })
    expect(await desk.ok('member', 'GET', `${APPS}/${app.id}`)).toEqual({ app })
    expect(JSON.stringify(await desk.ok('member', 'GET', `${APPS}/${app.id}/secrets`))).not.toContain(client_secret)
  })

  test('An app of a public client has no secret.', async () => {
    const answer = await desk.ok('outsider', 'POST', APPS, {
      displayName: 'Phone',
      client_type: 'public',
      redirect_uris: ['com.example.phone:/cb', 'http://localhost/cb'],
      scopes: [],
    })
    expect(answer).not.toHaveProperty('client_secret')
    expect(answer.app.client_type).toBe('public')
    expect(await desk.as('outsider', 'POST', `${APPS}/${answer.app.id}/secrets`)).toMatchObject(
      refusal(409, 'conflict'),
    )
  })

  test('An app changes only the named fields.', async () => {
    const app = await desk.app({ scope_reasons: { 'scripts:read': 'a', 'scripts:embed': 'b' } })
    desk.world.clock.advance(1000)
    const { app: changed } = await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}`, {
      homepage: 'http://visits.example/',
      scopes: ['scripts:read', 'newsletter:read'],
      require_pkce: true,
    })
    expect(changed).toEqual({
      ...app,
      homepage: 'http://visits.example/',
      scopes: ['scripts:read', 'newsletter:read'],
      draft: { ...app.draft, homepage: 'http://visits.example/', scopes: ['scripts:read', 'newsletter:read'] },
      scope_reasons: { 'scripts:read': 'a' },
      require_pkce: true,
      last_update: '2026-01-15T09:00:01.000Z',
    })
    expect((await db().select().from(apps).where(eq(apps.id, app.id)))[0]).toMatchObject({
      scopes: ['scripts:read', 'newsletter:read'],
      require_pkce: true,
    })
    expect((await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}`, { homepage: '' })).app.homepage).toBe('')
  })

  test.each([
    ['no name', { displayName: undefined }],
    ['a blank name', { displayName: '  ' }],
    ['a name of two lines', { displayName: 'a\nb' }],
    ['a name that turns the text after it', { displayName: 'Visits\u202E' }],
    ['an unknown scope', { scopes: ['scripts:read', 'scripts:own'] }],
    ['no scopes', { scopes: undefined }],
    ['a homepage of another scheme', { homepage: 'javascript:alert(1)' }],
    ['a homepage that is no address', { homepage: 'weather' }],
    ['an unknown property', { status: 'approved' }],
    ['a client type that is none', { client_type: 'secret' }],
    ['a reason for a scope it does not ask for', { scope_reasons: { 'cms:post:read': 'why' } }],
    ['an empty reason', { scope_reasons: { 'scripts:read': ' ' } }],
    ['redirect_uris that are no array', { redirect_uris: 'https://a.example/cb' }],
    ['eleven redirect_uris', { redirect_uris: Array.from({ length: 11 }, (_, nth) => `https://app.example/${nth}`) }],
  ])('An app is refused with %s.', async (_, more) => {
    expect(
      await desk.as('outsider', 'POST', APPS, {
        displayName: 'Visits',
        redirect_uris: [],
        scopes: ['scripts:read'],
        ...more,
      }),
    ).toMatchObject(refusal(400, 'invalid_request'))
  })

  const GOOD = [
    'https://app.example',
    'https://app.example/cb?a=1&b=%20',
    'https://app.example:8443/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:9/cb',
    'https://[2001:db8::1]/cb',
    'https://10.0.0.1/cb',
  ]
  const BAD = [
    '/cb',
    'app.example/cb',
    '//app.example/cb',
    '',
    'https://app.example/cb#here',
    'https://app.example/#',
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/',
    'http://localhost@evil.example/',
    'https://user@app.example/',
    'https://user:pw@app.example/',
    'https://@app.example/',
    'https://*.example/cb',
    'https://app.example/*',
    'https:app.example',
    'https:///cb',
    'https://app.example\\@evil.example/',
    'https://app.example/a b',
    'https://app.example/\n',
    'https://äpp.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://app.example/',
    'myapp://callback',
    'my-app+xy:cb',
    `https://app.example/${'a'.repeat(2000)}`,
  ]
  const CUSTOM = ['com.example.app:/cb', 'my-app+x.y:cb']
  test.each(GOOD)('A code may be sent to %s.', async (address) => {
    expect((await desk.app({ redirect_uris: [address, address] }, 'administrator')).redirect_uris).toEqual([address])
  })
  test.each([...BAD, ...CUSTOM])('A code may not be sent to %s.', async (address) => {
    for (const client_type of CUSTOM.includes(address) ? ['confidential'] : ['confidential', 'public']) {
      expect(
        await desk.as('outsider', 'POST', APPS, {
          displayName: 'Visits',
          client_type,
          redirect_uris: [address],
          scopes: [],
        }),
      ).toMatchObject(refusal(400, 'invalid_request'))
    }
  })
  test('An app may have a scheme of its own only as a public client.', async () => {
    expect((await desk.app({ client_type: 'public', redirect_uris: CUSTOM })).redirect_uris).toEqual(CUSTOM)
  })

  test('An app is deleted with its authorizations, tokens, secrets and scripts.', async () => {
    const app = await desk.app()
    await desk.script(app.id)
    const { store } = desk.world.service.runtime
    await store.write((tx) =>
      tx.insert(authorizations).values({
        id: `aut_${app.id}`,
        app_id: app.id,
        user_id: desk.world.users.owner,
        grant_type: 'authorization_code',
        scope: '',
        created_at: 0,
      }),
    )
    expect(await desk.ok('outsider', 'DELETE', `${APPS}/${app.id}`)).toEqual({ success: true })
    expect((await desk.as('outsider', 'GET', `${APPS}/${app.id}`)).status).toBe(404)
    for (const table of ['authorizations', 'app_secrets', 'scripts'])
      expect(await store.query(`SELECT 1 FROM ${table} WHERE app_id = ?`, [app.id])).toEqual([])
  })
})

test('An app has at most two active secrets, also when ten are asked at once, and keeps the last one.', async () => {
  const app = await desk.app()
  const secrets = `${APPS}/${app.id}/secrets`
  const made = await Promise.all(Array.from({ length: 10 }, () => desk.as('outsider', 'POST', secrets)))
  expect(made.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  const second = made.find(({ status }) => status === 200)!.body
  expect(second).toEqual({
    secret: {
      id: expect.any(String),
      hint: second.client_secret.slice(-4),
      created_on: expect.any(String),
      last_used_on: null,
      revoked_at: null,
    },
    client_secret: expect.stringMatching(/^svc_cs_/),
  })
  const { secrets: both } = await desk.ok('outsider', 'GET', secrets)
  expect(both).toHaveLength(2)
  expect(both).toContainEqual(second.secret)

  const first = both.find(({ id }: { id: string }) => id !== second.secret.id)
  expect(await desk.ok('outsider', 'DELETE', `${secrets}/${first.id}`)).toEqual({ success: true })
  expect(await desk.as('outsider', 'DELETE', `${secrets}/${first.id}`)).toMatchObject(refusal(404, 'not_found'))
  expect(await desk.as('outsider', 'DELETE', `${secrets}/${second.secret.id}`)).toMatchObject(refusal(409, 'conflict'))
  expect((await desk.as('outsider', 'POST', secrets)).status).toBe(200)
  const other = await desk.app()
  expect((await desk.as('outsider', 'DELETE', `${APPS}/${other.id}/secrets/${second.secret.id}`)).status).toBe(404)
})

test('An app keeps one secret when both are revoked at once.', async () => {
  const app = await desk.app()
  const secrets = `${APPS}/${app.id}/secrets`
  await desk.ok('outsider', 'POST', secrets)
  const { secrets: both } = await desk.ok('outsider', 'GET', secrets)
  const ended = await Promise.all(
    both.map(({ id }: { id: string }) => desk.as('outsider', 'DELETE', `${secrets}/${id}`)),
  )
  expect(ended.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('A team member has all rights of the creator until they are removed.', async () => {
  const app = await desk.app()
  const one = `${APPS}/${app.id}`
  expect((await desk.as('member', 'GET', one)).status).toBe(404)
  await desk.join(app.id, 'member')
  expect(await isOnTeam(db(), app.id, desk.world.users.member)).toBe(true)
  expect(
    (await desk.ok('outsider', 'GET', `${one}/team`)).team.map((someone: any) => [someone.user_id, someone.creator]),
  ).toEqual([
    [desk.world.users.outsider, true],
    [desk.world.users.member, false],
  ])
  expect((await desk.ok('member', 'GET', APPS)).apps.map(({ id }: { id: string }) => id)).toContain(app.id)
  await desk.ok('member', 'PATCH', one, { description: 'Ours' })

  for (const email of ['member@example.com', 'outsider@example.com'])
    expect(await desk.as('member', 'POST', `${one}/team`, { email })).toMatchObject(refusal(409, 'conflict'))
  expect(await desk.as('member', 'DELETE', `${one}/team/${desk.world.users.outsider}`)).toMatchObject(
    refusal(409, 'conflict'),
  )
  await desk.ok('member', 'DELETE', `${one}/team/${desk.world.users.member}`)
  expect((await desk.as('member', 'GET', one)).status).toBe(404)
  expect((await desk.as('outsider', 'DELETE', `${one}/team/${desk.world.users.member}`)).status).toBe(404)
})

test('An app replaces its listing as a whole, with web addresses only.', async () => {
  const app = await desk.app()
  const listing = `${APPS}/${app.id}/listing`
  const empty = {
    tagline: '',
    description: '',
    icon_url: '',
    screenshots: [],
    support_url: '',
    privacy_url: '',
    category: '',
  }
  expect(await desk.ok('outsider', 'GET', listing)).toEqual({ listing: empty })
  const shown = {
    tagline: 'Counts',
    description: 'All\nof it',
    icon_url: 'https://app.example/i.png',
    screenshots: ['https://app.example/1.png'],
    support_url: 'https://app.example/help',
    privacy_url: 'https://app.example/privacy',
    category: 'Analytics',
  }
  expect(await desk.ok('outsider', 'PUT', listing, shown)).toEqual({ listing: shown })
  expect(await desk.ok('outsider', 'PUT', listing, { tagline: 'Counts more' })).toEqual({
    listing: { ...empty, tagline: 'Counts more' },
  })
  expect(await desk.ok('outsider', 'GET', listing)).toEqual({ listing: { ...empty, tagline: 'Counts more' } })
  for (const bad of [
    { icon_url: 'javascript:alert(1)' },
    { screenshots: ['data:image/png,x'] },
    { rating: 5 },
    { tagline: 'a\nb' },
  ])
    expect(await desk.as('outsider', 'PUT', listing, bad)).toMatchObject(refusal(400, 'invalid_request'))
})

describe('an app in the store', () => {
  const [OLD, NEW] = ['https://lamp.example/old', 'https://lamp.example/new']
  const FIELDS: AppFields = {
    display_name: ' Lamp ',
    description: 'Shines.',
    homepage: 'https://lamp.example',
    redirect_uris: [OLD, OLD],
    scopes: ['profile', 'newsletter:read', 'profile'],
    scope_reasons: { profile: 'To greet you.', 'newsletter:read': 'To count.' },
    require_pkce: true,
  }
  const make = (user_id: string, client_type: 'confidential' | 'public' = 'confidential', now = NOW) =>
    write((tx) => createApp(tx, user_id, { ...FIELDS, client_type }, now))
  const approve = async (id: string) => {
    await write((tx) => tx.update(apps).set({ status: 'approved' }).where(eq(apps.id, id)))
    return getApp((await sharedStore()).db, id)
  }
  const update = async (id: string, changes: Partial<AppFields>, now = NOW + 5) =>
    write(async (tx) => updateApp(tx, await getApp(tx, id), changes, now))

  test('An app in the store begins as it was written, with lists without duplicates.', async () => {
    const { app, client_secret } = await make(await newUser())
    expect(client_secret).toStartWith('svc_cs_')
    const written = {
      display_name: 'Lamp',
      description: 'Shines.',
      homepage: 'https://lamp.example',
      redirect_uris: [OLD],
    }
    const scopes = ['profile', 'newsletter:read']
    expect(app).toMatchObject({ ...written, scopes, draft: written, draft_scopes: scopes, status: 'development' })
    expect(app).toMatchObject({ require_pkce: true, require_par: false, scope_reasons: FIELDS.scope_reasons })
    expect(app).toMatchObject({ icon_url: null, draft_icon_url: '', suspended_at: null })
    expect((await make(await newUser(), 'public')).client_secret).toBeNull()
  })

  test('An app in the store that is in development changes at once, in what is given.', async () => {
    const { app } = await make(await newUser())
    const changed = await update(app.id, { display_name: ' Lantern ', redirect_uris: [NEW], scopes: ['profile'] })
    expect(changed).toMatchObject({ display_name: 'Lantern', redirect_uris: [NEW], scopes: ['profile'] })
    expect(changed).toMatchObject({ description: 'Shines.', updated_at: NOW + 5, require_pkce: true })
    expect(changed.scope_reasons).toEqual({ profile: 'To greet you.' })
    const loosened = await update(app.id, { require_pkce: false, require_par: true, scope_reasons: {} })
    expect(loosened).toMatchObject({ require_pkce: false, require_par: true, scope_reasons: {}, scopes: ['profile'] })
    await expect(update(app.id, { scopes: ['nothing'] })).rejects.toMatchObject({ details: [{ path: '/scopes/0' }] })
    await expect(update(app.id, { scope_reasons: { 'newsletter:read': 'Why.' } })).rejects.toMatchObject({
      details: [{ path: '/scope_reasons' }],
    })
    await expect(update(app.id, { redirect_uris: ['com.example.lamp:/cb'] })).rejects.toMatchObject({
      details: [{ path: '/redirect_uris/0' }],
    })
  })

  test('An approved app in the store loses what is removed at once, and gets nothing new.', async () => {
    const { app } = await make(await newUser())
    await approve(app.id)
    const changes = { display_name: 'Lantern', redirect_uris: [NEW, OLD], scopes: ['newsletter:write', 'profile'] }
    expect(await update(app.id, changes)).toMatchObject({
      ...{ display_name: 'Lamp', redirect_uris: [OLD], scopes: ['profile'] },
      draft: { display_name: 'Lantern', redirect_uris: [NEW, OLD], description: 'Shines.' },
      draft_scopes: ['newsletter:write', 'profile'],
    })
    expect(await update(app.id, { redirect_uris: [NEW] })).toMatchObject({
      ...{ redirect_uris: [], scopes: ['profile'], draft_scopes: ['newsletter:write', 'profile'] },
    })
    expect(await update(app.id, { require_pkce: false })).toMatchObject({ require_pkce: false, display_name: 'Lamp' })
  })

  test('An app in the store is read by team and reviewers, changed by its team, hidden from others.', async () => {
    const { db } = await sharedStore()
    const [creator, colleague, reviewer, stranger] = [
      await newUser(),
      await newUser(),
      await newUser({ admin: true }),
      await newUser(),
    ]
    const [late, early] = [(await make(creator, 'public', NOW + 9)).app, (await make(creator)).app]
    await write((tx) => tx.insert(app_team).values({ app_id: early.id, user_id: colleague, added_at: NOW }))
    const open = (user_id: string, purpose: 'read' | 'change') =>
      openApp(db, early.id, user_id, purpose).then(
        ({ id }) => id === early.id,
        ({ code }: { code: string }) => code,
      )
    expect([await open(creator, 'change'), await open(colleague, 'change'), await open(reviewer, 'read')]).toEqual([
      true,
      true,
      true,
    ])
    expect([await open(reviewer, 'change'), await open(stranger, 'read')]).toEqual(['FORBIDDEN', 'NOT_FOUND'])
    const listed = async (user_id: string) => (await listApps(db, user_id)).map(({ id }) => id)
    expect([await listed(creator), await listed(colleague), await listed(reviewer)]).toEqual([
      [early.id, late.id],
      [early.id],
      [],
    ])
    await write((tx) => deleteApp(tx, early))
    expect([await listed(creator), await open(creator, 'read')]).toEqual([[late.id], 'NOT_FOUND'])
  })
})
