import { expect, test } from 'bun:test'
import { DAY_MS } from '../../src/clock.ts'
import { appCallRetention, appDayRetention, callsByApp, callsOfApp, countCalls } from '../../src/developer/app-calls.ts'
import type { ProjectId } from '../../src/ids.ts'
import { endAuthorization, startAuthorization } from '../../src/oauth/authorizations.ts'
import { getProject } from '../../src/projects/projects.ts'
import { app_calls, app_days } from '../../src/store/tables/developer.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

interface Call {
  at: number
  status?: number
}

async function countFor(app_id: string, project_id: ProjectId | null, calls: readonly Call[]): Promise<void> {
  const { db } = await sharedStore()
  const public_id = project_id === null ? null : (await getProject(db, project_id)).public_id
  const entries = calls.map(({ at, status = 200 }) => ({ app_id, at, status, project: public_id }))
  await write((tx) => countCalls(tx, entries))
}

test('Calls are counted by project and day, refused ones as errors, for today and six days before.', async () => {
  const { db } = await sharedStore()
  const [project, other] = [await newProject(), await newProject()]
  const user_id = await newUser({}, [project, 'owner'])
  const [app, neighbor, stranger] = [await newApp(user_id), await newApp(user_id), await newApp(user_id)]
  const grant = (app_id: string) =>
    write((tx) => startAuthorization(tx, { app_id, user_id, scope: 'profile', project_ids: [project] }, NOW))
  const authorization_id = (await grant(app.id))!
  await grant(neighbor.id)
  const midnight = Math.floor(NOW / DAY_MS) * DAY_MS
  await countFor(app.id, project, [{ at: NOW }, { at: NOW, status: 399 }, { at: midnight, status: 400 }])
  await countFor(app.id, project, [{ at: NOW, status: 500 }, { at: midnight - 6 * DAY_MS }])
  await countFor(app.id, project, [{ at: midnight - 6 * DAY_MS - 1, status: 404 }])
  // The app has calls for a project that did not authorize it, and for none.
  await countFor(app.id, other, [{ at: NOW, status: 403 }])
  await countFor(app.id, null, [{ at: NOW }, { at: NOW, status: 401 }])
  await countFor(neighbor.id, project, [{ at: NOW }])
  await countFor(stranger.id, project, [{ at: NOW, status: 403 }])

  expect(await callsOfApp(db, app.id, NOW)).toEqual({ calls_in_7_days: 8, errors_in_7_days: 4 })
  const both = new Map([
    [app.id, 5],
    [neighbor.id, 1],
  ])
  expect(await callsByApp(db, project, NOW)).toEqual(both)
  expect(await callsByApp(db, other, NOW)).toEqual(new Map())
  expect((await callsOfApp(db, app.id, NOW + DAY_MS)).calls_in_7_days).toBe(7)
  expect(await callsOfApp(db, app.id, NOW + 7 * DAY_MS)).toEqual({ calls_in_7_days: 0, errors_in_7_days: 0 })

  // What an app did just before it was disconnected counts.
  await write((tx) => endAuthorization(tx, authorization_id, NOW))
  await countFor(app.id, project, [{ at: NOW }])
  expect((await callsOfApp(db, app.id, NOW)).calls_in_7_days).toBe(9)
})

test('A day of calls is deleted when it is no longer shown.', async () => {
  const { db } = await sharedStore()
  const today = 900_000
  const project_id = await newProject()
  const { id: app_id } = await newApp(await newUser())
  const days = [today - 8, today - 7, today - 6, today]
  await write((tx) =>
    tx.insert(app_calls).values(days.map((day) => ({ project_id, app_id, day, calls: 1, errors: 0 }))),
  )
  await write((tx) => tx.insert(app_days).values(days.map((day) => ({ app_id, day, calls: 1, errors: 0 }))))
  for (const { statement } of [appCallRetention, appDayRetention])
    await write((tx) => tx.run(statement(today * DAY_MS, 1000)))
  for (const table of [app_calls, app_days]) {
    const left = await db.select().from(table)
    expect(left.filter((row) => row.app_id === app_id).map(({ day }) => day)).toEqual([today - 6, today])
  }
})
