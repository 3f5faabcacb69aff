import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { authenticate, authenticateIn } from '../../src/access/credentials.ts'
import { users } from '../../src/store/tables/accounts.ts'
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
