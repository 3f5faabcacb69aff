import { beforeAll, describe, expect, test } from 'bun:test'
import { tokenHash } from '../../../../src/secrets.ts'
import { disableUser, setPassword } from '../../../../src/accounts/users.ts'
import { sessions } from '../../../../src/store/tables/accounts.ts'
import { createWorld, PASSWORD, START, type World } from '../../../support/world.ts'
import { cookieOf, post, signIn } from '../../signed-in.ts'

const HOUR_MS = 60 * 60 * 1000

let world: World
beforeAll(async () => {
  world = await createWorld({ session_ttl_hours: 3 })
})

const me = (cookie: string, on = world) => on.fetch('/user/me', { headers: { cookie } })
const login = (email: string, password: string, headers: Record<string, string> = {}, on = world) =>
  post(on, '/user/login', { email, password }, headers)

test('Signing in answers the user, and the cookie carries a session.', async () => {
  const answer = await login(' Owner@Example.com ', PASSWORD)
  expect(answer.status).toBe(200)
  const user = {
    id: world.users.owner,
    email: 'owner@example.com',
    firstName: 'owner',
    lastName: '',
    is_reviewer: false,
  }
  expect(await answer.json()).toEqual({ user })
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^masthead_session=svc_ss_[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
  )
  const known = await me(`theme=dark; ${cookieOf(answer)}`)
  expect([known.status, await known.json()]).toEqual([200, { user }])
})

test('Only a hash of the session is stored, and each login has its own, ending the one it came with.', async () => {
  const first = await signIn(world, 'editor')
  const second = cookieOf(await login('editor@example.com', PASSWORD, { cookie: first }))
  expect(second).not.toBe(first)
  expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 200])
  const stored = JSON.stringify(await world.service.runtime.store.db.select().from(sessions))
  const token = second.split('=')[1]!
  expect(stored).not.toContain(token)
  expect(stored).toContain(tokenHash(token))
})

test('A wrong password and an unknown address get the same answer.', async () => {
  const [wrong, unknown] = await Promise.all([
    login('owner@example.com', 'not the one'),
    login('nobody@example.com', PASSWORD),
  ])
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(wrong.headers.get('www-authenticate')).toStartWith('Bearer')
  const body = await wrong.text()
  expect(body).toBe(await unknown.text())
  expect(JSON.parse(body)).toEqual({ error: 'unauthorized', message: 'The address or the password is wrong.' })
})

test('Signing in answers 400 to a body that is no login.', async () => {
  for (const body of [
    {},
    { email: 'a@b.cc' },
    { email: 1, password: 'x' },
    { email: 'owner@example.com', password: PASSWORD, remember: true },
  ]) {
    const answer = await post(world, '/user/login', body)
    expect([answer.status, ((await answer.json()) as any).error]).toEqual([400, 'invalid_request'])
  }
  expect(
    (
      await world.fetch('/user/login', {
        method: 'POST',
        body: new URLSearchParams({ email: 'owner@example.com', password: PASSWORD }),
      })
    ).status,
  ).toBe(415)
})

test('A logout ends the session on the server.', async () => {
  const cookie = await signIn(world, 'member')
  const answer = await post(world, '/user/logout', {}, { cookie })
  expect(await answer.json()).toEqual({ success: true })
  expect(answer.headers.get('set-cookie')).toStartWith('masthead_session=; Path=/; Max-Age=0;')
  expect((await me(cookie)).status).toBe(401)
})

test('The cookie of a session is for https only when the service is.', async () => {
  const secure = await createWorld({ base_url: 'https://masthead.example' })
  expect(
    (await login('owner@example.com', PASSWORD, { origin: 'https://masthead.example' }, secure)).headers.get(
      'set-cookie',
    ),
  ).toEndWith('; Secure')
  await secure.close()
})

test('A session is required.', async () => {
  for (const cookie of [
    '',
    'masthead_session=',
    'masthead_session=svc_ss_short',
    `masthead_session=svc_ss_${'x'.repeat(43)}`,
  ]) {
    const answer = await me(cookie)
    expect([answer.status, ((await answer.json()) as any).error]).toEqual([401, 'unauthorized'])
  }
})

test('A session is extended by use, at most once an hour, and expires without use.', async () => {
  const cookie = await signIn(world, 'outsider')
  const lastUse = async () =>
    (await world.service.runtime.store.db.select().from(sessions)).find(
      ({ user_id }) => user_id === world.users.outsider,
    )!.last_used_at - START
  world.clock.advance(HOUR_MS / 2)
  expect((await me(cookie)).status).toBe(200)
  expect(await lastUse()).toBe(0)
  for (let use = 0; use < 3; use++) {
    world.clock.advance(2 * HOUR_MS)
    expect((await me(cookie)).status).toBe(200)
  }
  expect(await lastUse()).toBe(6.5 * HOUR_MS)
  world.clock.advance(3 * HOUR_MS)
  expect((await me(cookie)).status).toBe(401)
})

test('A new password and being disabled end all sessions of a person.', async () => {
  const { store, clock } = world.service.runtime
  const cookie = await signIn(world, 'administrator')
  await setPassword(store, world.users.administrator, 'quite another one', clock.now())
  expect((await me(cookie)).status).toBe(401)
  const renewed = cookieOf(await login('administrator@example.com', 'quite another one'))
  expect((await me(renewed)).status).toBe(200)
  await store.write((tx) => disableUser(tx, world.users.administrator, clock.now()))
  expect((await me(renewed)).status).toBe(401)
  expect((await login('administrator@example.com', 'quite another one')).status).toBe(401)
})

test('One account gets half of the attempts of an address, and a minute later they begin anew.', async () => {
  const strict = await createWorld({ logins_per_minute: 4 })
  const attempt = async (email: string, password = 'wrong password') => {
    const answer = await login(email, password, {}, strict)
    return [answer.status, answer.headers.get('retry-after'), ((await answer.json()) as any).error]
  }
  expect(await attempt('owner@example.com')).toEqual([401, null, 'unauthorized'])
  strict.clock.advance(20_000)
  expect(await attempt('OWNER@example.com')).toEqual([401, null, 'unauthorized'])
  expect(await attempt('owner@example.com', PASSWORD)).toEqual([429, '40', 'rate_limited'])
  expect(await attempt('nobody@example.com')).toEqual([401, null, 'unauthorized'])
  expect(await attempt('nobody@example.com')).toEqual([429, '40', 'rate_limited'])
  strict.clock.advance(60_000)
  expect((await attempt('owner@example.com', PASSWORD))[0]).toBe(200)
  await strict.close()
})

describe('the Origin of a request that changes something', () => {
  const statuses = async (origin: string | null, on = world) => {
    const headers: Record<string, string> = origin === null ? {} : { origin }
    const answers = [
      await login('owner@example.com', PASSWORD, headers, on),
      await post(on, '/user/logout', {}, headers),
    ]
    return answers.map(({ status }) => status)
  }

  test("An Origin passes when it is the service's own, missing, or another name of this machine.", async () => {
    expect(await statuses(world.url)).toEqual([200, 200])
    expect(await statuses(null)).toEqual([200, 200])
    expect(await statuses(world.url.replace('127.0.0.1', 'localhost'))).toEqual([200, 200])
  })

  test('An Origin is refused with 403 forbidden when it is another one, or null.', async () => {
    const { port } = new URL(world.url)
    for (const origin of [
      'null',
      '',
      'http://evil.example',
      `http://evil.example:${port}`,
      `https://127.0.0.1:${port}`,
      'http://127.0.0.1:1',
      `http://127.0.0.1:${port}.evil.example`,
    ]) {
      expect(await statuses(origin)).toEqual([403, 403])
    }
    const refused = await login('owner@example.com', PASSWORD, { origin: 'null' })
    expect(((await refused.json()) as any).error).toBe('forbidden')
  })

  test('The check of the Origin does not depend on the Host header or on forwarded hosts.', async () => {
    const refused = await login('owner@example.com', PASSWORD, {
      origin: 'http://evil.example',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    })
    expect(refused.status).toBe(421)
    const named = await createWorld({ hosts: 'evil.example' })
    const other = await named.fetch('/user/login', {
      method: 'POST',
      headers: { Origin: 'http://evil.example', Host: 'evil.example', 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.com', password: PASSWORD }),
    })
    expect(other.status).toBe(403)
    await named.close()
  })

  test('An Origin may not be a name of this machine when the service has a public address.', async () => {
    const open = await createWorld({ base_url: 'https://masthead.example' })
    expect(await statuses('https://masthead.example', open)).toEqual([200, 200])
    expect(await statuses(open.url, open)).toEqual([403, 403])
    await open.close()
  })

  test('An Origin is not checked when reading.', async () => {
    expect(
      (
        await world.fetch('/user/me', {
          headers: { origin: 'http://evil.example', cookie: await signIn(world, 'owner') },
        })
      ).status,
    ).toBe(200)
  })
})
