import { beforeAll, expect, test } from 'bun:test'
import { sessions } from '../../../src/store/tables/accounts.ts'
import { createWorld, PASSWORD, type World } from '../../support/world.ts'
import { cookieOf, post, signIn } from '../signed-in.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ session_ttl_hours: 24 })
})

interface Entry {
  id: string
  current: boolean
  user_agent: string
  address: string
  created_on: string
  last_used_on: string
  expires_on: string
}

async function list(cookie: string): Promise<Entry[]> {
  return ((await (await world.fetch('/user/sessions', { headers: { cookie } })).json()) as { sessions: Entry[] })
    .sessions
}
const end = (cookie: string, id = '', headers = {}) =>
  world.fetch(`/user/sessions${id && `/${id}`}`, { method: 'DELETE', headers: { cookie, ...headers } })
const isIn = async (cookie: string) => (await world.fetch('/user/me', { headers: { cookie } })).status === 200

test('The sessions of a user are listed with address, browser and times, under opaque ids.', async () => {
  const phone = cookieOf(
    await post(world, '/user/login', { email: 'owner@example.com', password: PASSWORD }, { 'user-agent': 'Phone/1' }),
  )
  world.clock.advance(2 * 3_600_000)
  const desk = cookieOf(
    await post(world, '/user/login', { email: 'owner@example.com', password: PASSWORD }, { 'user-agent': 'Desk/2' }),
  )
  await signIn(world, 'editor')
  const entries = await list(desk)
  expect(entries).toEqual([
    {
      id: expect.stringMatching(/^ses_[\w-]{24}$/),
      current: true,
      user_agent: 'Desk/2',
      address: '127.0.0.1',
      created_on: '2026-01-15T11:00:00.000Z',
      last_used_on: '2026-01-15T11:00:00.000Z',
      expires_on: '2026-01-16T11:00:00.000Z',
    },
    {
      id: expect.stringMatching(/^ses_[\w-]{24}$/),
      current: false,
      user_agent: 'Phone/1',
      address: '127.0.0.1',
      created_on: '2026-01-15T09:00:00.000Z',
      last_used_on: '2026-01-15T09:00:00.000Z',
      expires_on: '2026-01-16T09:00:00.000Z',
    },
  ])
  const stored = await world.service.runtime.store.db.select().from(sessions)
  for (const { token_hash } of stored) expect(JSON.stringify(entries)).not.toContain(token_hash.slice(0, 12))
  expect((await list(phone)).map(({ current, user_agent }) => [current, user_agent])).toEqual([
    [false, 'Desk/2'],
    [true, 'Phone/1'],
  ])
})

test('The sessions of a user are ended one by one, and only by their user.', async () => {
  const [mine, other, foreign] = [
    await signIn(world, 'member'),
    await signIn(world, 'member'),
    await signIn(world, 'editor'),
  ]
  const theirs = (await list(foreign)).find(({ current }) => current)!
  expect((await end(mine, theirs.id)).status).toBe(404)
  expect(await isIn(foreign)).toBe(true)

  const { id } = (await list(other)).find(({ current }) => current)!
  expect((await end(mine, id, { origin: 'https://evil.example' })).status).toBe(403)
  const ended = await end(mine, id)
  expect([ended.status, await ended.json(), ended.headers.get('set-cookie')]).toEqual([200, { success: true }, null])
  expect([await isIn(mine), await isIn(other)]).toEqual([true, false])
  expect((await end(mine, id)).status).toBe(404)

  const own = await end(mine, (await list(mine))[0]!.id)
  expect(own.headers.get('set-cookie')).toStartWith('masthead_session=; Path=/; Max-Age=0;')
  expect(await isIn(mine)).toBe(false)
})

test('The sessions of a user are ended all at once, the present one too.', async () => {
  const cookies = [await signIn(world, 'administrator'), await signIn(world, 'administrator')]
  const ended = await end(cookies[0]!)
  expect(ended.headers.get('set-cookie')).toStartWith('masthead_session=; Path=/; Max-Age=0;')
  expect(await Promise.all(cookies.map(isIn))).toEqual([false, false])
  expect((await world.fetch('/user/sessions')).status).toBe(401)
})

test('A session never begins with a token that the client chose.', async () => {
  const planted = `masthead_session=svc_ss_${'A'.repeat(43)}`
  const given = cookieOf(
    await post(world, '/user/login', { email: 'outsider@example.com', password: PASSWORD }, { cookie: planted }),
  )
  expect(given).not.toBe(planted)
  expect([await isIn(planted), await isIn(given)]).toEqual([false, true])
})
