import { afterAll, expect, test } from 'bun:test'
import { createApp } from '../../src/developer/apps.ts'
import { addToTeam, listTeam } from '../../src/developer/team.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { closeWorlds, createWorld } from '../support/world.ts'

afterAll(closeWorlds)

test('A user has at most 100 apps, and a team at most 50 people besides the creator.', async () => {
  const { world, store, now } = await createWorld().then((world) => ({
    world,
    store: world.service.runtime.store,
    now: world.clock.now(),
  }))
  const fields = {
    display_name: 'Weather',
    description: '',
    homepage: '',
    redirect_uris: [],
    scopes: [],
    scope_reasons: {},
    require_pkce: false,
    client_type: 'public' as const,
  }
  const create = () => store.write((tx) => createApp(tx, world.users.member, fields, now))
  const { app } = await create()
  for (let count = 1; count < 100; count++) await create()
  await expect(create()).rejects.toMatchObject({ code: 'CONFLICT' })

  const address = (index: number) => `developer${index}@example.com`
  await store.write((tx) =>
    tx.insert(users).values(
      Array.from({ length: 51 }, (_, index) => ({
        id: `usr_developer${index}`,
        email: address(index),
        email_key: address(index),
        first_name: '',
        last_name: '',
        confirmed_at: now,
        created_at: now,
        updated_at: now,
      })),
    ),
  )
  for (let index = 0; index < 50; index++) await store.write((tx) => addToTeam(tx, app, address(index), now))
  const last = store.write((tx) => addToTeam(tx, app, address(50), now))
  await expect(last).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await listTeam(store.db, app.id)).toHaveLength(51)
})
