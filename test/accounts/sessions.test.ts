import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findSession, SESSION_COOKIE } from '../../src/access/session.ts'
import { endSessionOf, listSessions, startSession } from '../../src/accounts/sessions.ts'
import { signIn } from '../http/signed-in.ts'
import { closeWorlds, createWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ session_ttl_hours: 0.5 })
})
afterAll(closeWorlds)

const MINUTE_MS = 60_000
const start = (ttl_hours: number) =>
  world.service.runtime.store.write((tx) =>
    startSession(tx, world.users.member, { address: '', user_agent: '', ttl_hours }, world.clock.now()),
  )

test('An expired session is neither listed nor ended again.', async () => {
  const { store } = world.service.runtime
  await start(1)
  const listed = () => listSessions(store.db, world.users.member, world.clock.now())
  const [session] = await listed()
  world.clock.advance(60 * MINUTE_MS)
  expect(await listed()).toEqual([])
  const ended = store.write((tx) => endSessionOf(tx, world.users.member, session!.id, world.clock.now()))
  await expect(ended).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('A session that is shorter than an hour is extended while it is used.', async () => {
  const cookie = `${SESSION_COOKIE}=${await start(0.5)}`
  const find = () => findSession(world.service.runtime, cookie, world.clock.now())
  for (let use = 0; use < 4; use++) {
    world.clock.advance(20 * MINUTE_MS)
    expect((await find())?.user_id).toBe(world.users.member)
  }
  world.clock.advance(30 * MINUTE_MS)
  expect(await find()).toBeNull()
})

test('A session that is used all the time ends after the longest time all the same.', async () => {
  const strict = await createWorld({ session_ttl_hours: 24, session_longest_days: 3 })
  const { clock, service } = strict
  const cookie = await signIn(strict, 'owner')
  const find = () => findSession(service.runtime, cookie, clock.now())
  for (let half_days = 1; half_days < 6; half_days++) {
    clock.advance(12 * 60 * MINUTE_MS)
    expect((await find())?.user_id).toBe(strict.users.owner)
  }
  clock.advance(12 * 60 * MINUTE_MS - 1)
  expect((await find())?.user_id).toBe(strict.users.owner)
  clock.advance(1)
  expect(await find()).toBeNull()
})
