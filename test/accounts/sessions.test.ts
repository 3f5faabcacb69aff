import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { findSession, SESSION_COOKIE } from '../../src/access/session.ts'
import {
  confirmSession,
  endOtherSessions,
  endSessionOf,
  endSessions,
  listSessions,
  sessionRetention,
  signOut,
  startSession,
} from '../../src/accounts/sessions.ts'
import { beginSession } from '../../src/accounts/sign-in.ts'
import { notesOf } from '../../src/audit/record.ts'
import { tokenHash } from '../../src/secrets.ts'
import { sessions } from '../../src/store/tables/accounts.ts'
import { signIn } from '../http/signed-in.ts'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
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

test('A session that nobody uses ends after the longest time, too.', async () => {
  const { store, ...runtime } = world.service.runtime
  const [user_id, now] = [world.users.editor, world.clock.now()]
  const strict = { ...runtime, config: { ...runtime.config, session_ttl_hours: 100, session_longest_days: 2 } }
  const browser = { user_id, address: '', user_agent: '', replaces: null, device: null }
  await store.write((tx) => beginSession(tx, strict, browser, now))
  const [session] = await listSessions(store.db, user_id, now)
  expect(session!.expires_at).toBe(now + 48 * 60 * MINUTE_MS)
})

describe('the sessions of a user', () => {
  const begin = (user_id: string, now = NOW) =>
    write((tx) => startSession(tx, user_id, { address: '192.0.2.1', user_agent: 'Desk', ttl_hours: 2 }, now))
  const useAt = async (token: string, last_used_at: number) =>
    write((tx) =>
      tx
        .update(sessions)
        .set({ last_used_at })
        .where(eq(sessions.token_hash, tokenHash(token))),
    )
  const listed = async (user_id: string, now = NOW) =>
    (await listSessions((await sharedStore()).db, user_id, now)).map(({ token_hash }) => token_hash)

  test('The sessions of a user are listed by their last use, then by their beginning.', async () => {
    const user_id = await newUser()
    const tokens: string[] = []
    for (const at of [0, 1, 2]) tokens.push(await begin(user_id, NOW + at))
    for (const token of tokens) await useAt(token, NOW + 10)
    await useAt(tokens[1]!, NOW + 11)
    expect(await listed(user_id)).toEqual([1, 2, 0].map((index) => tokenHash(tokens[index]!)))
    expect((await listSessions((await sharedStore()).db, user_id, NOW))[1]).toMatchObject({
      ...{ address: '192.0.2.1', user_agent: 'Desk', created_at: NOW + 2, expires_at: NOW + 2 + 120 * MINUTE_MS },
      ...{ device_id: null, confirmed_at: NOW + 2, id: expect.stringMatching(/^ses_[\w-]{24}$/) },
    })
  })

  test('A user has a hundred sessions: another one ends the longest unused.', async () => {
    const user_id = await newUser()
    const tokens: string[] = []
    for (let count = 0; count < 100; count++) tokens.push(await begin(user_id, NOW + count))
    await useAt(tokens[0]!, NOW + 500)
    await begin(user_id, NOW + 200)
    const left = await listed(user_id)
    expect([left.length, left.includes(tokenHash(tokens[0]!)), left.includes(tokenHash(tokens[1]!))]).toEqual([
      100,
      true,
      false,
    ])
  })

  test('The sessions of a user end alone, with all others, or together with a count.', async () => {
    const { db } = await sharedStore()
    const [user_id, other] = [await newUser(), await newUser()]
    const [first, second] = [await begin(user_id), await begin(user_id)]
    await begin(other)
    const notes = await write(async (tx) => {
      await signOut(tx, tokenHash(first))
      await signOut(tx, 'unknown')
      return notesOf(tx)
    })
    expect(notes).toEqual([{ action: 'sign-out', actor: `user:${user_id}`, target: `user:${user_id}` }])
    await begin(user_id)
    await write((tx) => endOtherSessions(tx, user_id, tokenHash(second)))
    expect([await listed(user_id), (await listed(other)).length]).toEqual([[tokenHash(second)], 1])
    await write((tx) => confirmSession(tx, tokenHash(second), NOW + 7))
    const [row] = await db.select().from(sessions).where(eq(sessions.user_id, user_id))
    const [theirs] = await db.select().from(sessions).where(eq(sessions.user_id, other))
    expect([row!.confirmed_at, theirs!.confirmed_at]).toEqual([NOW + 7, NOW])
    await begin(user_id)
    expect(await write((tx) => endSessions(tx, user_id))).toBe(2)
    expect([await listed(user_id), (await listed(other)).length]).toEqual([[], 1])
  })

  test('The sessions of a user are deleted when they expire, by the next sign-in or the cleanup.', async () => {
    const { db } = await sharedStore()
    const [user_id, other] = [await newUser(), await newUser()]
    const count = () => db.$count(sessions, eq(sessions.user_id, user_id))
    await begin(user_id)
    await begin(other, NOW + 120 * MINUTE_MS - 1)
    expect(await count()).toBe(1)
    await begin(other, NOW + 120 * MINUTE_MS)
    expect(await count()).toBe(0)
    await begin(user_id)
    const clean = (now: number) => write((tx) => tx.run(sessionRetention.statement(now, 100)))
    await clean(NOW + 120 * MINUTE_MS - 1)
    expect(await count()).toBe(1)
    await clean(NOW + 120 * MINUTE_MS)
    expect(await count()).toBe(0)
  })
})
