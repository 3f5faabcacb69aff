import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '../../src/ids.ts'
import { oauthRetention } from '../../src/oauth/retention.ts'
import { applyRetention } from '../../src/store/retention.ts'
import { access_tokens, authorizations } from '../../src/store/tables/apps.ts'
import { app_secrets, authorization_codes, refresh_tokens } from '../../src/store/tables/oauth.ts'
import { createWorld, START, type World } from '../support/world.ts'

const HOUR_MS = 3_600_000
const NOW = START + 1000 * HOUR_MS
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

let active: string
let ended: string
beforeEach(async () => {
  await world.service.runtime.store.write(async (tx) => {
    for (const table of [access_tokens, refresh_tokens, authorization_codes, authorizations]) await tx.delete(table)
  })
  active = await authorization(null)
  ended = await authorization(NOW - 1)
})

async function authorization(revoked_at: number | null): Promise<string> {
  const id = newId('aut')
  await world.service.runtime.store.write((tx) =>
    tx.insert(authorizations).values({
      id,
      app_id: world.app_id,
      user_id: world.users.owner,
      grant_type: 'authorization_code',
      scope: 'newsletter:read',
      created_at: START,
      revoked_at,
    }),
  )
  return id
}

/** The keys that stay in a table after all rules have run. */
async function staying(table: string, key: string): Promise<unknown[]> {
  const { store } = world.service.runtime
  await applyRetention(store, oauthRetention, NOW)
  return (await store.query(`SELECT ${key} FROM ${table} ORDER BY ${key}`)).map((row) => row[key])
}

test('An access token stays for exactly 24 hours after its end, so that it is not an unknown one.', async () => {
  const token = (token_hash: string, expires_at: number) => ({
    token_hash,
    authorization_id: active,
    scope: '',
    created_at: START,
    expires_at,
  })
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(access_tokens)
      .values([token('valid', NOW + 1), token('kept', NOW - 24 * HOUR_MS + 1), token('old', NOW - 24 * HOUR_MS)]),
  )
  expect(await staying('access_tokens', 'token_hash')).toEqual(['kept', 'valid'])
})

test('An unused code goes an hour after its end, a used one with its authorization.', async () => {
  const code = (code_hash: string, age_ms: number, authorization_id: string | null) => ({
    code_hash,
    app_id: world.app_id,
    user_id: world.users.owner,
    redirect_uri: 'https://app.example/',
    scope: '',
    project_ids: [],
    created_at: START,
    expires_at: NOW - age_ms,
    authorization_id,
  })
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(authorization_codes)
      .values([
        code('unused, kept', HOUR_MS - 1, null),
        code('unused, old', HOUR_MS, null),
        code('active, very old', 500 * HOUR_MS, active),
        code('ended, kept', HOUR_MS - 1, ended),
        code('ended, old', HOUR_MS, ended),
      ]),
  )
  expect(await staying('authorization_codes', 'code_hash')).toEqual(['active, very old', 'ended, kept', 'unused, kept'])
})

test('A rotated refresh token of an active authorization stays and loses its stored answer after a day.', async () => {
  const token = (token_hash: string, authorization_id: string, rotated_at: number | null) => ({
    token_hash,
    authorization_id,
    created_at: START,
    rotated_at,
    successor_hash: rotated_at === null ? null : `${token_hash}, next`,
    sealed_answer: rotated_at === null ? null : 'sealed',
  })
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(refresh_tokens)
      .values([
        token('ended', ended, null),
        token('fresh', active, NOW - 24 * HOUR_MS + 1),
        token('rotated', active, NOW - 24 * HOUR_MS),
        token('unused', active, null),
      ]),
  )
  expect(await staying('refresh_tokens', 'token_hash')).toEqual(['fresh', 'rotated', 'unused'])
  const rows = await world.service.runtime.store.db.select().from(refresh_tokens)
  expect(Object.fromEntries(rows.map((row) => [row.token_hash, row.sealed_answer]))).toEqual({
    fresh: 'sealed',
    rotated: null,
    unused: null,
  })
})

test('A pushed authorization request stays until it expires.', async () => {
  const { store } = world.service.runtime
  for (const [hash, expires_at] of [
    ['open', NOW + 1],
    ['over', NOW],
  ])
    await store.write((tx) =>
      tx.script(`
        INSERT INTO pushed_requests (request_hash, app_id, parameters, expires_at)
        VALUES ('${hash}', '${world.app_id}', '', ${expires_at})`),
    )
  expect(await staying('pushed_requests', 'request_hash')).toEqual(['open'])
})

test('An ended authorization and a revoked secret stay for 400 days, and active ones for ever.', async () => {
  const days = (count: number) => NOW - count * 24 * HOUR_MS
  const ids = [await authorization(days(400)), await authorization(days(400) + 1), active, ended]
  const secret = (id: string, revoked_at: number | null) => ({
    ...{ id, app_id: world.app_id, secret_hash: `hash of ${id}`, hint: '', created_at: 0, revoked_at },
  })
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(app_secrets)
      .values([
        secret('key_a', days(400)),
        secret('key_b', days(400) + 1),
        secret('key_c', null),
        secret('key_d', NOW),
      ]),
  )
  expect(await staying('authorizations', 'id')).toEqual(ids.slice(1).toSorted())
  expect(await staying('app_secrets', 'id')).toEqual(['key_b', 'key_c', 'key_d'])
})
