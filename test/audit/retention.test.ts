import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { auditRetention } from '../../src/audit/retention.ts'
import { newProject, NOW, write } from '../support/shared-store.ts'

test('A row that stays keeps all rows behind it, however old they are.', async () => {
  const project = await newProject()
  const DAY = 86_400_000
  const add = (id: number, at: number) =>
    write((tx) =>
      tx.run(sql`
      INSERT INTO audit_log (id, at, actor, action, outcome, project_id, hash)
      VALUES (${id}, ${at}, 'service', 'x', 'done', ${project}, ${String(id)})`),
    )
  // Before all other rows of the shared log.
  await add(-3, NOW - 400 * DAY)
  await add(-2, NOW - 400 * DAY + 1)
  await add(-1, NOW - 500 * DAY)
  const removed = await write((tx) => tx.all<{ id: number }>(auditRetention.statement(NOW, 3)))
  expect(removed.map(({ id }) => id)).toEqual([-3])
})
