import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { authenticate, authenticateIn } from '../../src/access/credentials.ts'
import { createApiKey } from '../../src/projects/api-keys.ts'
import { api_keys, users } from '../../src/store/tables/accounts.ts'
import { access_tokens, authorizations } from '../../src/store/tables/apps.ts'
import { closeWorlds, createWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(closeWorlds)

test('Tokens and keys of a disabled user are refused from the next call on, and work again afterwards.', async () => {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const headers = [`Bearer ${await world.token('editor')}`, world.keys.editor]
  const setDisabled = (disabled_at: number | null) =>
    store.write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, world.users.editor)))
  for (const header of headers) expect((await authenticate(store, header, now)).user_id).toBe(world.users.editor)
  await setDisabled(now)
  for (const header of headers) {
    await expect(authenticate(store, header, now)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    const again = store.write((tx) => authenticateIn(tx, header, now))
    await expect(again).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  }
  await setDisabled(null)
  for (const header of headers) expect((await authenticate(store, header, now)).user_id).toBe(world.users.editor)
})

test('A transaction finds its caller as it changed it itself, and a rollback undoes that.', async () => {
  const { store } = world.service.runtime
  const now = world.clock.now()
  for (const header of [`Bearer ${await world.token('editor')}`, world.keys.editor]) {
    await authenticate(store, header, now)
    const undone = store.write(async (tx) => {
      expect((await authenticateIn(tx, header, now)).user_id).toBe(world.users.editor)
      await tx.update(users).set({ disabled_at: now }).where(eq(users.id, world.users.editor))
      await authenticateIn(tx, header, now)
    })
    await expect(undone).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    expect((await store.write((tx) => authenticateIn(tx, header, now))).user_id).toBe(world.users.editor)
  }
})

test('Credentials are refused in the form of the other kind, and missing ones are asked for.', async () => {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const token = await world.token('editor')
  const code = (header: string | null) =>
    authenticate(store, header, now).then(
      ({ kind }) => kind,
      (error: { code: string }) => error.code,
    )
  expect(await code(`bearer  ${token}`)).toBe('oauth')
  expect(await code(` ${world.keys.editor} `)).toBe('api_key')
  for (const wrong of [token, `Bearer ${world.keys.editor}`, `Bearer ${token}x`, 'Basic YTpi', `Bearer ${token} x`])
    expect([wrong, await code(wrong)]).toEqual([wrong, 'INVALID_TOKEN'])
  for (const missing of [null, '', ' ']) expect([missing, await code(missing)]).toEqual([missing, 'UNAUTHORIZED'])
})

test('A token ends with its own revocation, and with that of its authorization.', async () => {
  const { store } = world.service.runtime
  const now = world.clock.now()
  for (const table of [access_tokens, authorizations]) {
    const header = `Bearer ${await world.token('member')}`
    const caller = await authenticate(store, header, now)
    if (caller.kind !== 'oauth') throw new Error('It is no token.')
    const own = table === authorizations ? authorizations.id : access_tokens.authorization_id
    const revoke = (revoked_at: number | null) =>
      store.write((tx) => tx.update(table).set({ revoked_at }).where(eq(own, caller.authorization_id)))
    await revoke(now)
    await expect(authenticate(store, header, now)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    await revoke(null)
    await expect(authenticate(store, header, now)).resolves.toMatchObject({ kind: 'oauth' })
  }
})

test('A key acts with the lower of two roles, within its scopes, until its end.', async () => {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const make = (limits: object) =>
    store.write((tx) =>
      createApiKey(tx, world.project.id, { user_id: world.users.editor, name: 'Limited', ...limits }, now),
    )
  const { key } = await make({ role: 'member', scopes: ['newsletter:read'], expires_at: now + 1000 })
  const caller = await authenticate(store, key, now + 999)
  expect(caller).toMatchObject({ kind: 'api_key', role: 'member', scopes: new Set(['newsletter:read']) })
  await expect(authenticate(store, key, now + 1000)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  const call = async (name: string, as: string) => {
    const body = JSON.stringify({ name: 'Of a key', idempotency_key: `limits-${as.slice(-8)}` })
    const headers = { Authorization: as, 'Content-Type': 'application/json' }
    const answer = await world.fetch(`/general/api/v1/newsletter/${name}`, { method: 'POST', headers, body })
    return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code]
  }
  expect(await call('lists/create', key)).toEqual([403, 'INSUFFICIENT_SCOPE'])
  expect(await call('lists/create', (await make({ role: 'member' })).key)).toEqual([403, 'INSUFFICIENT_ROLE'])
  const editor = (await make({ role: 'editor', scopes: ['newsletter:write'] })).key
  expect(await call('lists/create', editor)).toEqual([200, undefined])
  const lower = (role: string) =>
    store.write((tx) => tx.script(`UPDATE members SET role = '${role}' WHERE user_id = '${world.users.editor}'`))
  await lower('member')
  expect((await authenticate(store, editor, now)) as { role?: string }).toMatchObject({ role: 'member' })
  await lower('editor')
})

test('A key ends with its revocation.', async () => {
  const { store } = world.service.runtime
  const [now, header] = [world.clock.now(), world.keys.member]
  const caller = await authenticate(store, header, now)
  if (caller.kind !== 'api_key') throw new Error('It is no key.')
  await store.write((tx) => tx.update(api_keys).set({ revoked_at: now }).where(eq(api_keys.id, caller.api_key_id)))
  await expect(authenticate(store, header, now)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
})

test('A token says its app, its user, its scopes and its projects, and ends when its time is over.', async () => {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const header = `Bearer ${await world.token('editor', ['profile', '', 'newsletter:read'])}`
  const caller = await authenticate(store, header, now)
  expect(caller).toMatchObject({ kind: 'oauth', app_id: world.app_id, user_id: world.users.editor })
  if (caller.kind !== 'oauth') throw new Error('It is no token.')
  expect([...caller.scopes]).toEqual(['profile', 'newsletter:read'])
  expect([...caller.projects]).toEqual([[world.project.public_id, { project_id: world.project.id, role: 'editor' }]])
  await expect(authenticate(store, header, now + 3_599_999)).resolves.toMatchObject({ kind: 'oauth' })
  await expect(authenticate(store, header, now + 3_600_000)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  await store.write((tx) =>
    tx.script(`INSERT INTO app_suspensions VALUES ('${world.app_id}', '${world.users.owner}', 'No.', 0)`),
  )
  await expect(authenticate(store, header, now)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await store.write((tx) => tx.script('DELETE FROM app_suspensions'))
})
