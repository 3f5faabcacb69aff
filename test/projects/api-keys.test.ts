import { expect, test } from 'bun:test'
import { disableUser, enableUser } from '../../src/accounts/users.ts'
import {
  apiKeyRetention,
  createApiKey,
  type KeyLimits,
  listApiKeys,
  MAX_KEYS,
  revokeApiKey,
} from '../../src/projects/api-keys.ts'
import { tokenHash } from '../../src/secrets.ts'
import { one } from '../../src/store/rows.ts'
import { api_keys } from '../../src/store/tables/accounts.ts'
import { newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const DAY = 86_400_000

async function setUp() {
  const project = await newProject()
  const user = await newUser({}, [project, 'editor'])
  const create = (name: string, now = NOW, user_id = user) =>
    write((tx) => createApiKey(tx, project, { user_id, name }, now))
  return {
    project,
    user,
    create,
    names: async () => (await listApiKeys((await sharedStore()).db, { project_id: project })).map(({ name }) => name),
  }
}

test('A key has at most the role of its user, scopes that keys have, and an end in the future.', async () => {
  const { project, user } = await setUp()
  const create = (limits: KeyLimits) =>
    write((tx) => createApiKey(tx, project, { user_id: user, name: 'x', ...limits }, NOW))
  for (const [path, limits] of [
    ['/role', { role: 'administrator' }],
    ['/scopes', { scopes: ['profile'] }],
    ['/scopes', { scopes: [] }],
    ['/expires_on', { expires_at: NOW }],
  ] as const)
    await expect(create(limits)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] })
  const scopes = ['newsletter:send', 'newsletter:read', 'newsletter:send']
  expect((await create({ role: 'editor', scopes, expires_at: NOW + 1 })).api_key).toMatchObject({
    role: 'editor',
    scopes: ['newsletter:read', 'newsletter:send'],
    expires_at: NOW + 1,
  })
})

test('A key is shown once, and stored as a hash with its last four characters.', async () => {
  const { project, user, create } = await setUp()
  const { api_key, key } = await create(' Shop ')
  expect(key).toMatch(/^svc_pk_/)
  expect(api_key).toEqual({
    id: expect.stringMatching(/^key_/),
    project_id: project,
    user_id: user,
    name: 'Shop',
    hint: key.slice(-4),
    created_at: NOW,
    last_used_at: null,
    role: null,
    scopes: null,
    expires_at: null,
  })
  const { db } = await sharedStore()
  const stored = one((await db.select().from(api_keys)).filter(({ id }) => id === api_key.id))
  expect(stored.key_hash).toBe(tokenHash(key))
  expect(JSON.stringify(stored)).not.toContain(key)
})

test('A key has a name, and only members of the project get one.', async () => {
  const { create } = await setUp()
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)])
    await expect(create(name)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await expect(create('Shop', NOW, await newUser())).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('A member whose account is disabled gets no key.', async () => {
  const { create, user } = await setUp()
  await write(async (tx) => void (await disableUser(tx, user, NOW)))
  await expect(create('Shop')).rejects.toMatchObject({ code: 'CONFLICT', message: 'This account is disabled.' })
  await write(async (tx) => void (await enableUser(tx, user, NOW)))
  expect((await create('Shop')).api_key.name).toBe('Shop')
})

test('A project has at most 100 keys, of which revoked ones do not count.', async () => {
  const { project, create } = await setUp()
  const [first] = [await create('0')]
  for (let at = 1; at < MAX_KEYS; at++) await create(String(at))
  await expect(create('one more')).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await write((tx) => revokeApiKey(tx, first.api_key.id, { project_id: project }, NOW))
  expect(await create('one more')).toBeDefined()
})

test('Keys are listed by project or member, the oldest first, without the revoked ones.', async () => {
  const { project, user, create, names } = await setUp()
  const late = await create('late', NOW + 1)
  await create('early', NOW)
  expect(await names()).toEqual(['early', 'late'])
  const { db } = await sharedStore()
  expect(await listApiKeys(db, { user_id: await newUser() })).toEqual([])
  expect((await listApiKeys(db, { user_id: user })).map(({ name }) => name)).toEqual(['early', 'late'])
  expect((await listApiKeys(db, { project_id: project, user_id: await newUser() })).length).toBe(0)
  await write((tx) => revokeApiKey(tx, late.api_key.id, {}, NOW))
  expect(await names()).toEqual(['early'])
})

test('A key is revoked once, by its own project and member.', async () => {
  const { project, user, create } = await setUp()
  const { api_key } = await create('Shop')
  const revoke = (within: Parameters<typeof revokeApiKey>[2]) =>
    write((tx) => revokeApiKey(tx, api_key.id, within, NOW))
  await expect(revoke({ project_id: await newProject() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(revoke({ user_id: await newUser() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await revoke({ project_id: project, user_id: user })).toEqual({ project_id: project })
  await expect(revoke({ project_id: project })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('Revoked keys are removed after 400 days.', async () => {
  const { project, create } = await setUp()
  const { api_key } = await create('Shop')
  await create('kept')
  await write((tx) => revokeApiKey(tx, api_key.id, {}, NOW))
  const left = async (now: number) => {
    await write((tx) => tx.run(apiKeyRetention.statement(now, 1000)))
    return (await (await sharedStore()).db.select().from(api_keys)).filter(({ project_id }) => project_id === project)
      .length
  }
  expect([await left(NOW + 400 * DAY - 1), await left(NOW + 400 * DAY)]).toEqual([2, 1])
})
