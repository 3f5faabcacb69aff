import { expect, test } from 'bun:test'
import { createWorld, type World } from '../support/world.ts'

/**
 * What was read of a caller is kept, and every change that makes it another one holds with the next call. A call that
 * only reads has no second look in a transaction.
 */

const credentials = async ({ service }: World) =>
  Number((await service.runtime.store.query('SELECT value FROM credentials_revision'))[0]!.value)

/** The status of a read that takes an administrator. */
async function reader(world: World, as: string): Promise<() => Promise<number>> {
  const { id } = (await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })).connection
  return async () => (await world.call('connections/webhook-urls', { connection_id: id }, { as })).status
}

type Change = (world: World, authorization_id: unknown) => string

/** Each changes the authorization, the user, the project or the app of the token that was called with before. */
const CHANGES: Record<string, readonly [Change, status: number]> = {
  'a revoked token': [(_, id) => `UPDATE access_tokens SET revoked_at = 1 WHERE authorization_id = '${id}'`, 401],
  'a token that is gone': [(_, id) => `DELETE FROM access_tokens WHERE authorization_id = '${id}'`, 401],
  'a token that ended': [(_, id) => `UPDATE access_tokens SET expires_at = 1 WHERE authorization_id = '${id}'`, 401],
  'a token of fewer scopes': [
    (_, id) => `UPDATE access_tokens SET scope = 'cms:post:read' WHERE authorization_id = '${id}'`,
    403,
  ],
  'an authorization that was revoked': [(_, id) => `UPDATE authorizations SET revoked_at = 1 WHERE id = '${id}'`, 401],
  'an authorization that is gone': [(_, id) => `DELETE FROM authorizations WHERE id = '${id}'`, 401],
  'a project that was taken from it': [
    (_, id) => `DELETE FROM authorization_projects WHERE authorization_id = '${id}'`,
    403,
  ],
  'a member who was removed': [
    ({ users, project }) =>
      `DELETE FROM members WHERE user_id = '${users.administrator}' AND project_id = ${project.id}`,
    403,
  ],
  'a member of a lower role': [
    ({ users }) => `UPDATE members SET role = 'editor' WHERE user_id = '${users.administrator}'`,
    403,
  ],
  'a user who was disabled': [
    ({ users }) => `UPDATE users SET disabled_at = 1 WHERE id = '${users.administrator}'`,
    401,
  ],
  'an app that was suspended': [
    ({ app_id, users }) => `INSERT INTO app_suspensions VALUES ('${app_id}', '${users.owner}', 'It spams.', 1)`,
    403,
  ],
  'an app that is gone': [({ app_id }) => `DELETE FROM apps WHERE id = '${app_id}'`, 401],
}

test.each(Object.entries(CHANGES))('The next call with %s is refused.', async (_, [change, status]) => {
  const world = await createWorld()
  const token = await world.token('administrator')
  const { store } = world.service.runtime
  const call = await reader(world, token)
  const [authorization] = await store.query('SELECT id FROM authorizations')
  expect([await call(), await call()]).toEqual([200, 200])
  await store.write((tx) => tx.script(change(world, authorization!.id)))
  expect(await call()).toBe(status)
  await world.close()
})

test('An API key is refused with the next call after it was limited, ended or revoked.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  const call = await reader(world, world.keys.owner)
  for (const [change, undo] of [
    ["role = 'editor'", 'role = NULL'],
    ["scopes = '[]'", 'scopes = NULL'],
    ['expires_at = 1', 'expires_at = NULL'],
    ['revoked_at = 1', 'revoked_at = NULL'],
  ]) {
    expect([change, await call()]).toEqual([change, 200])
    await store.write((tx) => tx.script(`UPDATE api_keys SET ${change}`))
    expect([change, await call()]).toEqual([
      change,
      change === 'expires_at = 1' || change === 'revoked_at = 1' ? 401 : 403,
    ])
    await store.write((tx) => tx.script(`UPDATE api_keys SET ${undo}`))
  }
  await world.close()
})

test('Changes of contacts and the last use of credentials leave callers as they were.', async () => {
  const world = await createWorld()
  const before = await credentials(world)
  const token = await world.token('administrator')
  for (const as of [token, world.keys.owner])
    await world.ok('contacts/upsert', { email: 'ada@example.com', consent_text: 'Yes' }, { as })
  await world.service.runtime.store.write((tx) =>
    tx.script('UPDATE api_keys SET last_used_at = 5; UPDATE authorizations SET last_used_at = 5'),
  )
  // The project was added to the authorization of the token.
  expect((await credentials(world)) - before).toBe(1)
  await world.close()
})
