import { afterAll, expect, test } from 'bun:test'
import { createApp } from '../../src/developer/apps.ts'
import { joinTeam, listTeam, removeFromTeam } from '../../src/developer/team.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
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
  const join = (index: number) => store.write((tx) => joinTeam(tx, app.id, `usr_developer${index}`, now))
  for (let index = 0; index < 50; index++) await join(index)
  await expect(join(50)).rejects.toMatchObject({ code: 'CONFLICT' })
  await join(49)
  expect(await listTeam(store.db, app.id)).toHaveLength(51)
})

test('Somebody joins a team once, and anybody of it may go but its creator.', async () => {
  const creator = await newUser({ email: 'creator@crew.example', created_at: 1 })
  const app = await newApp(creator, { created_at: NOW - 5 })
  const people = [await newUser(), await newUser()]
  await write((tx) => joinTeam(tx, app.id, people[0]!, NOW))
  await write((tx) => joinTeam(tx, app.id, people[1]!, NOW - 1))
  for (const user_id of [creator, people[0]!]) await write((tx) => joinTeam(tx, app.id, user_id, NOW + 9))
  const { db } = await sharedStore()
  const team = async () =>
    (await listTeam(db, app.id)).map(({ user_id, creator, added_at }) => [user_id, creator, added_at])
  expect(await team()).toEqual([
    [creator, true, NOW - 5],
    [people[1]!, false, NOW - 1],
    [people[0]!, false, NOW],
  ])
  const remove = (user_id: string, of = app) => write((tx) => removeFromTeam(tx, of, user_id, NOW))
  await expect(remove(creator)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(remove(people[0]!, await newApp(creator))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await remove(people[0]!)
  await expect(remove(people[0]!)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await team()).toHaveLength(2)
})
