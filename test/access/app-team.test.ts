import { expect, test } from 'bun:test'
import { isOnTeam, isSuspended } from '../../src/access/app-team.ts'
import { app_suspensions, app_team } from '../../src/store/tables/developer.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

test('The team of an app is its creator and those who were added.', async () => {
  const [creator, added, stranger] = [await newUser(), await newUser(), await newUser()]
  const [app, other] = [await newApp(creator), await newApp(stranger)]
  await write((tx) => tx.insert(app_team).values({ app_id: app.id, user_id: added, added_at: NOW }))
  const { db } = await sharedStore()
  const of = (app_id: string) => Promise.all([creator, added, stranger].map((user) => isOnTeam(db, app_id, user)))
  expect(await of(app.id)).toEqual([true, true, false])
  expect(await of(other.id)).toEqual([false, false, true])
})

test('An app is suspended on its own.', async () => {
  const user = await newUser()
  const [app, other] = [await newApp(user), await newApp(user)]
  await write((tx) =>
    tx.insert(app_suspensions).values({ app_id: app.id, user_id: user, comment: '', suspended_at: NOW }),
  )
  const { db } = await sharedStore()
  expect([await isSuspended(db, app.id), await isSuspended(db, other.id)]).toEqual([true, false])
})
