import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { firstHourOfMonth, requireUsage, USAGE_LIMITS, usageOf } from '../../src/projects/usage.ts'
import { newContact, newProject, sharedStore, write } from '../support/shared-store.ts'

test('A project may hold a limit of rows and bytes exactly, and not one more.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const check = (rows: number, bytes: number, id = project) =>
    write((tx) => requireUsage(tx, id, { kind: 'pages', what: 'pages', rows, bytes }))
  expect(await check(0, 0)).toBeUndefined()
  await write((tx) =>
    tx.run(sql`INSERT INTO project_usage (project_id, kind, rows, bytes) VALUES (${project}, 'pages', 5, 100)`),
  )
  expect(await check(5, 100)).toBeUndefined()
  await expect(check(4, 100)).rejects.toThrow('A project can have at most 4 pages.')
  await expect(check(5, 99)).rejects.toMatchObject({ code: 'INVALID_STATE', details: { state: 'full', limit: 99 } })
  expect(await check(0, 0, other)).toBeUndefined()
})

test('Each limit counts what it is named for.', () => {
  expect(Object.entries(USAGE_LIMITS).map(([name, { kind, what }]) => [name === kind, what])).toEqual(
    [...['suppressions', 'pages', 'posts', 'directory items', 'form entries', 'files', 'files of the site']].map(
      (what) => [true, what],
    ),
  )
})

test('Contacts count for their project from the first one, until they are deleted.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [first] = [await newContact(project, 'a@usage.example'), await newContact(project, 'b@usage.example')]
  await write((tx) => tx.run(sql`DELETE FROM contacts WHERE id = ${first}`))
  const { db } = await sharedStore()
  expect(await usageOf(db, project)).toEqual([{ kind: 'contacts', rows: 1, bytes: 0 }])
  expect(await usageOf(db, other)).toEqual([{ kind: 'contacts', rows: 0, bytes: 0 }])
})

test('Messages are counted for a month of UTC.', () => {
  const hour = Date.UTC(2026, 1, 1) / 3_600_000
  expect(firstHourOfMonth(Date.UTC(2026, 1, 1))).toBe(hour)
  expect(firstHourOfMonth(Date.UTC(2026, 2, 1) - 1)).toBe(hour)
  expect(firstHourOfMonth(Date.UTC(2026, 1, 1) - 1)).toBe(Date.UTC(2026, 0, 1) / 3_600_000)
})
