import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findSession, SESSION_COOKIE } from '../../src/access/session.ts'
import { endSessionOf, listSessions, startSession } from '../../src/accounts/sessions.ts'
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
