import { afterAll, expect, test } from 'bun:test'
import { getApp } from '../../src/developer/apps.ts'
import { createVersion, listVersions } from '../../src/developer/versions.ts'
import { closeWorlds } from '../support/world.ts'
import { APPS, openDesk, REVIEWS } from './desk.ts'

afterAll(closeWorlds)

test('The hundred newest versions stay, with the live one and the one under review.', async () => {
  const desk = await openDesk()
  const { store, clock } = desk.world.service.runtime
  const app = await desk.app()
  await desk.script(app.id)
  await desk.approve(app.id)
  const { version: submitted } = await desk.ok('outsider', 'POST', `${APPS}/${app.id}/versions`)
  await desk.ok('outsider', 'POST', REVIEWS, { app_id: app.id, version_id: submitted.id })
  await store.write(async (tx) => {
    const present = await getApp(tx, app.id)
    for (let number = 3; number <= 105; number++)
      await createVersion(tx, present, { user_id: desk.world.users.outsider, notes: '' }, clock.now())
  })
  const numbers = (await listVersions(store.db, app.id)).map(({ number }) => number)
  expect(numbers).toEqual([...Array.from({ length: 100 }, (_, index) => 105 - index), 2, 1])
})
