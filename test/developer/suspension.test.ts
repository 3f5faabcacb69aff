import { expect, test } from 'bun:test'
import { liftSuspension, suspendApp, suspensionsOf } from '../../src/developer/suspension.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

test('An administrator of the service suspends an app with a reason, once, and lifts it, once.', async () => {
  const [admin, creator] = [await newUser({ admin: true }), await newUser()]
  const [app, other] = [await newApp(creator), await newApp(creator)]
  const suspend = (comment: string, by = admin) => write((tx) => suspendApp(tx, by, { app_id: app.id, comment }, NOW))
  const lift = (by = admin) => write((tx) => liftSuspension(tx, by, app.id, NOW))
  const suspended = async () => [...(await suspensionsOf((await sharedStore()).db, [app.id, other.id])).values()]
  await expect(suspend('Spam.', creator)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(suspend(' ')).rejects.toMatchObject({ details: [{ path: '/comment' }] })
  await expect(lift()).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await suspend('Spam.')).toMatchObject({ id: app.id })
  await expect(suspend('Again.')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await suspended()).toEqual([{ app_id: app.id, user_id: admin, comment: 'Spam.', suspended_at: NOW }])
  await expect(lift(creator)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await lift()
  expect(await suspended()).toEqual([])
  await expect(write((tx) => suspendApp(tx, admin, { app_id: 'app_x', comment: 'x' }, NOW))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})
