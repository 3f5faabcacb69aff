import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/store/tables/accounts.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import { refresh_tokens } from '../../src/store/tables/oauth.ts'
import { type Keys, SecretKey, tokenHash } from '../../src/secrets.ts'
import { closeWorlds, SCOPES } from '../support/world.ts'
import { createOAuthWorld, type OAuthWorld, type Tokens } from './oauth-world.ts'

let world: OAuthWorld

beforeAll(async () => {
  world = await createOAuthWorld()
  world.service.runtime.log.warn = () => undefined // replays are told in the log; here they are the point
})
afterAll(closeWorlds)

const HOUR_MS = 3_600_000
const invalidGrant = { status: 400, body: { error: 'invalid_grant', error_description: expect.any(String) } }

async function refreshed(token: string, fields?: Record<string, string>): Promise<Tokens> {
  const { status, body } = await world.refresh(token, fields)
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return body
}

/** Refresh tokens of a grant that have not been rotated. */
async function liveTokens(any: string): Promise<number> {
  const { db } = world.service.runtime.store
  const [row] = await db
    .select()
    .from(refresh_tokens)
    .where(eq(refresh_tokens.token_hash, tokenHash(any)))
  const all = await db.select().from(refresh_tokens).where(eq(refresh_tokens.authorization_id, row!.authorization_id))
  return all.filter(({ rotated_at }) => rotated_at === null).length
}

test('A refresh gives a new pair, and earlier access tokens work until they expire.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  expect(second).toEqual({
    access_token: expect.stringMatching(/^svc_at_/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^svc_rt_/),
    scope: SCOPES.join(' '),
  })
  expect(second.access_token).not.toBe(first.access_token)
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(await world.works(first.access_token)).toBe(200)
  expect(await world.works(second.access_token)).toBe(200)
})

test('A refresh token ends when it was not used for as long as configured, and its authorization stays.', async () => {
  const { refresh_token } = await world.tokens()
  world.clock.advance(90 * 24 * HOUR_MS - 1)
  const next = await refreshed(refresh_token)
  const introspected = async () => (await world.post('introspect', { token: next.refresh_token })).body
  expect(await introspected()).toMatchObject({
    active: true,
    exp: Math.floor((world.clock.now() + 90 * 24 * HOUR_MS) / 1000),
  })
  world.clock.advance(90 * 24 * HOUR_MS)
  expect(await introspected()).toEqual({ active: false })
  expect(await world.refresh(next.refresh_token)).toMatchObject(invalidGrant)
  const [row] = await world.service.runtime.store.query(
    `SELECT revoked_at FROM authorizations WHERE id = (
      SELECT authorization_id FROM refresh_tokens WHERE token_hash = '${tokenHash(next.refresh_token)}')`,
  )
  expect(row).toEqual({ revoked_at: null })
})

test('A chain of refreshes works for months, and reuse of its first token is still noticed.', async () => {
  const first = await world.tokens()
  let current = first
  for (let i = 0; i < 12; i++) {
    world.clock.advance(30 * 24 * HOUR_MS)
    await world.service.drain('maintenance')
    current = await refreshed(current.refresh_token)
  }
  expect(await world.refresh(first.refresh_token)).toMatchObject(invalidGrant)
  expect(await world.works(current.access_token)).toBe(401)
  expect(await world.refresh(current.refresh_token)).toMatchObject(invalidGrant)
})

test('16 workers that refresh one token at once all get the same pair.', async () => {
  const { refresh_token } = await world.tokens()
  const answers = await Promise.all(Array.from({ length: 16 }, () => world.refresh(refresh_token)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(1)
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  expect(await liveTokens(refresh_token)).toBe(1)
  expect(await world.works(answers[0]!.body.access_token)).toBe(200)

  const next = await Promise.all(answers.map(({ body }) => world.refresh(body.refresh_token)))
  expect(new Set(next.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(next.map(({ body }) => body.refresh_token)).size).toBe(1)
  expect(await liveTokens(refresh_token)).toBe(1)
})

test('Every authorization recovers from a lost answer at any age within a day, with one active pair.', async () => {
  let held = await Promise.all(Array.from({ length: 8 }, async () => (await world.tokens()).refresh_token))
  const all = () => Promise.all(held.map(async (token) => (await refreshed(token)).refresh_token))
  for (let i = 0; i < 25; i++) {
    const lost = await all()
    world.clock.advance(i * 3_590_000) // up to 23 hours and 56 minutes
    const found = await all()
    if (i === 0) expect(found).toEqual(lost)
    else expect(new Set([...found, ...lost]).size).toBe(2 * held.length)
    held = found
  }
  for (const token of held) expect(await liveTokens(token)).toBe(1)
})

test('A rotated token returns the same pair for 30 seconds, then ends a used authorization.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  world.clock.advance(10_000)
  const third = await refreshed(second.refresh_token)
  world.clock.advance(20_000)
  expect(await refreshed(first.refresh_token)).toEqual({ ...second, expires_in: 3570 })
  expect(await world.works(third.access_token)).toBe(200)
  world.clock.advance(1)
  expect(await world.refresh(first.refresh_token)).toMatchObject(invalidGrant)
  for (const { access_token } of [first, second, third]) expect(await world.works(access_token)).toBe(401)
  expect(await world.refresh(third.refresh_token)).toMatchObject(invalidGrant)
})

test('Refresh tokens end a year after the user authorized the app, however much they are used.', async () => {
  const authorized_at = world.clock.now()
  let { refresh_token } = await world.tokens()
  for (let day = 80; day < 365; day += 80) {
    world.clock.advance(80 * 24 * HOUR_MS)
    ;({ refresh_token } = await refreshed(refresh_token))
  }
  const { body } = await world.post('introspect', { token: refresh_token })
  expect(body.exp * 1000).toBe(authorized_at + 365 * 24 * HOUR_MS)
  world.clock.advance(45 * 24 * HOUR_MS - 10_000)
  const last = await refreshed(refresh_token)
  world.clock.advance(10_000)
  // Not even the answer of ten seconds ago is given again.
  for (const token of [refresh_token, last.refresh_token]) {
    const { status, body } = await world.refresh(token)
    expect([status, body.error_description]).toEqual([400, expect.stringContaining('365 days ago')])
  }
})

test('A rotated token gives a new pair for a day while the successor is unused, which then ends.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  world.clock.advance(30_001)
  const third = await refreshed(first.refresh_token)
  expect([third.refresh_token === second.refresh_token, third.expires_in]).toEqual([false, 3600])
  expect(await world.works(second.access_token)).toBe(401)
  expect(await world.works(third.access_token)).toBe(200)
  expect((await refreshed(first.refresh_token)).refresh_token).toBe(third.refresh_token)
  world.clock.advance(24 * HOUR_MS - 30_001)
  expect(await world.refresh(first.refresh_token)).toMatchObject(invalidGrant)
  expect(await world.refresh(third.refresh_token)).toMatchObject(invalidGrant)
})

test('A successor that was replaced ends the grant when it is shown, so a thief who follows is noticed.', async () => {
  const first = await world.tokens()
  const stolen = await refreshed(first.refresh_token)
  world.clock.advance(HOUR_MS)
  const own = await refreshed(first.refresh_token)
  expect(await world.refresh(stolen.refresh_token)).toMatchObject(invalidGrant)
  expect(await world.works(own.access_token)).toBe(401)
  expect(await world.refresh(own.refresh_token)).toMatchObject(invalidGrant)
})

test('The stored answer survives the cleanup as long as it can be requested.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  world.clock.advance(23 * HOUR_MS)
  await world.service.drain('maintenance')
  const third = await refreshed(first.refresh_token)
  expect(third.refresh_token).not.toBe(second.refresh_token)
  expect(await world.works(third.access_token)).toBe(200)
})

test('A replay during a rotation ends the authorization in either order.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  const third = await refreshed(second.refresh_token)
  world.clock.advance(31_000)
  const [replay, rotation] = await Promise.all([world.refresh(first.refresh_token), world.refresh(third.refresh_token)])
  expect(replay).toMatchObject(invalidGrant)
  if (rotation.status === 200) expect(await world.works(rotation.body.access_token)).toBe(401)
  expect(await world.works(third.access_token)).toBe(401)
})

test('A token that another client presents is refused and stays active.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  await refreshed(second.refresh_token)
  world.clock.advance(31_000)
  expect(await world.refresh(first.refresh_token, {}, world.rival)).toMatchObject(invalidGrant)
  expect(await world.refresh('svc_rt_unknown')).toMatchObject(invalidGrant)
  expect(await world.works(second.access_token)).toBe(200)
})

test('The stored answer can be decrypted with the rotated token only.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  const [row] = await world.service.runtime.store.db
    .select()
    .from(refresh_tokens)
    .where(eq(refresh_tokens.token_hash, tokenHash(first.refresh_token)))
  const unsealed = (key: SecretKey | Keys) => key.unseal('receipt', row!.sealed_answer!, row!.successor_hash!)
  expect(unsealed(new SecretKey(first.refresh_token))).toContain(second.access_token)
  for (const key of [second.refresh_token, row!.token_hash]) expect(unsealed(new SecretKey(key))).toBeNull()
  expect(unsealed(world.service.runtime.keys)).toBeNull()
})

test('A refresh can narrow the scopes of the access token, and never widen the granted ones.', async () => {
  const first = await world.tokens({ scope: 'newsletter:read newsletter:write' })
  expect(await world.refresh(first.refresh_token, { scope: 'newsletter:read newsletter:send' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  })
  expect(await world.refresh(first.refresh_token, { scope: 'anything' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  })
  const narrow = await refreshed(first.refresh_token, { scope: 'newsletter:read' })
  expect(narrow.scope).toBe('newsletter:read')
  const call = (token: string, operation: string) =>
    world.call(operation, { name: 'News' }, { as: token }).then(({ status }) => status)
  expect(await call(narrow.access_token, 'lists/create')).toBe(403)
  const whole = await refreshed(narrow.refresh_token)
  expect(whole.scope).toBe('newsletter:read newsletter:write')
  expect(await call(whole.access_token, 'lists/create')).toBe(200)
})

test('A repeated answer keeps its scopes, whatever scopes are requested now.', async () => {
  const first = await world.tokens({ scope: 'newsletter:read newsletter:write' })
  const whole = await refreshed(first.refresh_token)
  expect(await refreshed(first.refresh_token, { scope: 'newsletter:read' })).toEqual(whole)
  expect(await world.refresh(first.refresh_token, { scope: 'newsletter:send' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  })
  expect(await refreshed(first.refresh_token, { scope: 'newsletter:write newsletter:read' })).toEqual(whole)

  const narrow = await refreshed(whole.refresh_token, { scope: 'newsletter:read' })
  expect(await refreshed(whole.refresh_token)).toEqual(narrow)
})

test('Tokens of a disabled user cannot be refreshed.', async () => {
  const { store } = world.service.runtime
  const { refresh_token } = await world.tokens({ who: 'administrator' })
  const disabled = (disabled_at: number | null) =>
    store.write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, world.users.administrator)))
  await disabled(1)
  expect(await world.refresh(refresh_token)).toMatchObject(invalidGrant)
  await disabled(null)
  expect((await world.refresh(refresh_token)).status).toBe(200)
})

test('Tokens of an ended authorization are deleted by the cleanup.', async () => {
  const first = await world.tokens()
  const second = await refreshed(first.refresh_token)
  await world.post('revoke', { token: second.refresh_token })
  await world.service.drain('maintenance')
  const { db } = world.service.runtime.store
  for (const { refresh_token } of [first, second])
    expect(
      await db
        .select()
        .from(refresh_tokens)
        .where(eq(refresh_tokens.token_hash, tokenHash(refresh_token))),
    ).toEqual([])
  expect(await db.select().from(authorizations)).not.toEqual([])
})
