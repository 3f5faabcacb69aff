import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { addSecret, listSecrets, newSecret, revokeSecret } from '../../src/developer/secrets.ts'
import { tokenHash } from '../../src/secrets.ts'
import type { Tx } from '../../src/store/open.ts'
import { apps } from '../../src/store/tables/apps.ts'
import { app_secrets } from '../../src/store/tables/oauth.ts'
import { createWorld, START, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(() => write((tx) => tx.delete(app_secrets)))

const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.service.runtime.store.write(work)
/** The error of a write. */
const refusal = (work: (tx: Tx) => Promise<unknown>): Promise<unknown> => write(work).catch((error: unknown) => error)
const app = (client_type = 'confidential') => ({ id: world.app_id, client_type })
const list = () => listSecrets(world.service.runtime.store.db, world.app_id)

test('A new secret is shown once; only its hash and its last four characters are stored.', async () => {
  const { secret, client_secret } = await write((tx) => addSecret(tx, app(), START))
  expect(client_secret).toMatch(/^svc_cs_[\w-]{43}$/)
  expect(secret).toEqual({
    id: expect.stringMatching(/^key_/),
    app_id: world.app_id,
    hint: client_secret.slice(-4),
    created_at: START,
    last_used_at: null,
    revoked_at: null,
  })
  const [stored] = await world.service.runtime.store.db.select().from(app_secrets)
  expect(stored!.secret_hash).toBe(tokenHash(client_secret))
  expect(JSON.stringify(stored)).not.toContain(client_secret)
})

test('An app has at most two active secrets, and a revoked one makes room.', async () => {
  const { secret } = await write((tx) => addSecret(tx, app(), START))
  await write((tx) => addSecret(tx, app(), START + 1))
  expect(await refusal((tx) => addSecret(tx, app(), START + 2))).toMatchObject({ code: 'CONFLICT' })
  await write((tx) => revokeSecret(tx, world.app_id, secret.id, START + 3))
  await write((tx) => addSecret(tx, app(), START + 4))
  expect((await list()).map(({ created_at, revoked_at }) => [created_at, revoked_at])).toEqual([
    [START, START + 3],
    [START + 1, null],
    [START + 4, null],
  ])
})

test('The last active secret, an unknown one and one that is already revoked cannot be revoked.', async () => {
  const { secret: first } = await write((tx) => newSecret(tx, world.app_id, START))
  expect(await refusal((tx) => revokeSecret(tx, world.app_id, first.id, START))).toMatchObject({ code: 'CONFLICT' })
  const { secret: second } = await write((tx) => newSecret(tx, world.app_id, START))
  await write((tx) => revokeSecret(tx, world.app_id, first.id, START + 1))
  for (const id of [first.id, 'key_unknown'])
    expect(await refusal((tx) => revokeSecret(tx, world.app_id, id, START + 2))).toMatchObject({ code: 'NOT_FOUND' })
  expect((await list()).find(({ id }) => id === second.id)?.revoked_at).toBeNull()
  expect((await list()).find(({ id }) => id === first.id)?.revoked_at).toBe(START + 1)
})

test('Secrets of another app are neither counted, listed nor revoked.', async () => {
  const other = 'app_other'
  const { store } = world.service.runtime
  const [own] = await store.db.select().from(apps).where(eq(apps.id, world.app_id))
  await write((tx) => tx.insert(apps).values({ ...own!, id: other, client_id: 'cli_other' }))
  const { secret } = await write((tx) => newSecret(tx, other, START))
  await write((tx) => newSecret(tx, other, START))
  await write((tx) => addSecret(tx, app(), START))
  expect(await list()).toHaveLength(1)
  expect(await refusal((tx) => revokeSecret(tx, world.app_id, secret.id, START))).toMatchObject({ code: 'NOT_FOUND' })
})

test('A public client has no secrets.', async () => {
  expect(await refusal((tx) => addSecret(tx, app('public'), START))).toMatchObject({ code: 'INVALID_STATE' })
  expect(await list()).toEqual([])
})
