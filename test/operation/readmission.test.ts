import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { newId } from '../../src/ids.ts'
import { tokenHash } from '../../src/secrets.ts'
import type { Tx } from '../../src/store/open.ts'
import { api_keys, members, sessions, users } from '../../src/store/tables/accounts.ts'
import { access_tokens } from '../../src/store/tables/apps.ts'
import { signIn } from '../http/signed-in.ts'
import { createWorld, START, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Commits `change` when the next mutation asks for its transaction: its caller was admitted before. */
function beforeTheTransaction(change: (tx: Tx) => Promise<unknown>): () => boolean {
  const { store } = world.service.runtime
  const { write } = store
  let changed = false
  store.write = async (work, options) => {
    // What may be lost is no mutation: the counter of its rate limit, and the log of requests.
    if (options?.durable === false) return write(work, options)
    store.write = write
    changed = true
    await write(change)
    return write(work, options)
  }
  return () => changed
}

async function receiptsOf(key: string): Promise<number> {
  const { store } = world.service.runtime
  return (await store.query('SELECT 1 FROM receipts WHERE idempotency_key = ?', [key])).length
}

type Credentials = 'key' | 'token' | 'cookie'
const member = (role: 'administrator' | 'editor') =>
  and(eq(members.project_id, world.project.id), eq(members.user_id, world.users[role]))

type Case = [string, Credentials, number, string, (secret: string) => (tx: Tx) => Promise<unknown>]

test.each<Case>([
  [
    'whose key is revoked',
    'key',
    401,
    'invalid_token',
    (key) => (tx) =>
      tx
        .update(api_keys)
        .set({ revoked_at: START })
        .where(eq(api_keys.key_hash, tokenHash(key))),
  ],
  [
    'whose token is revoked',
    'token',
    401,
    'invalid_token',
    (token) => (tx) =>
      tx
        .update(access_tokens)
        .set({ revoked_at: START })
        .where(eq(access_tokens.token_hash, tokenHash(token))),
  ],
  [
    'who signs out',
    'cookie',
    401,
    'unauthorized',
    (cookie) => (tx) => tx.delete(sessions).where(eq(sessions.token_hash, tokenHash(cookie.split('=')[1]!))),
  ],
  ...(['key', 'token', 'cookie'] as const).flatMap<Case>((credentials) => [
    [
      `whose role is lowered (by ${credentials})`,
      credentials,
      403,
      'INSUFFICIENT_ROLE',
      () => (tx) => tx.update(members).set({ role: 'member' }).where(member('editor')),
    ],
    [
      `who is removed from the project (by ${credentials})`,
      credentials,
      403,
      'project_not_authorized',
      () => (tx) => tx.delete(members).where(member('editor')),
    ],
  ]),
  [
    'who is disabled',
    'token',
    401,
    'invalid_token',
    () => (tx) => tx.update(users).set({ disabled_at: START }).where(eq(users.id, world.users.editor)),
  ],
])('A mutation of a caller %s before its transaction is refused and leaves nothing.', async (...given) => {
  const [, credentials, status, code, change] = given
  const secret = await secretOf(credentials)
  const [key, name] = [newId('req'), newId('req')]
  const changed = beforeTheTransaction(change(secret))
  const refused = await createList(credentials, secret, key, name)
  expect(changed()).toBe(true)
  expect([refused.status, refused.body.error.code ?? refused.body.error]).toEqual([status, code])
  expect(await receiptsOf(key)).toBe(0)
  const { items } = await world.ok('lists/list')
  expect(items.filter((list: { name: string }) => list.name === name)).toEqual([])
  await restore()
})

async function createList(credentials: Credentials, secret: string, key: string, name: string) {
  if (credentials !== 'cookie') return world.call('lists/create', { name }, { as: secret, key })
  const response = await world.fetch('/project/newsletter/lists/create', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: secret, 'Idempotency-Key': key },
    body: JSON.stringify({ project_id: world.project.public_id, name }),
  })
  return { status: response.status, body: (await response.json()) as any }
}

async function secretOf(credentials: Credentials): Promise<string> {
  if (credentials === 'key') return world.keys.editor
  return credentials === 'token' ? world.token('editor') : signIn(world, 'editor')
}

async function restore(): Promise<void> {
  const { id } = world.project
  await world.service.runtime.store.write(async (tx) => {
    await tx.update(api_keys).set({ revoked_at: null })
    await tx.update(users).set({ disabled_at: null })
    await tx
      .insert(members)
      .values({ project_id: id, user_id: world.users.editor, role: 'editor', added_at: START })
      .onConflictDoUpdate({ target: [members.project_id, members.user_id], set: { role: 'editor' } })
  })
}
