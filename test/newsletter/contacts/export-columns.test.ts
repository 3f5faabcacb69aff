import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type ExportedRow, packedColumns, rowCells } from '../../../src/newsletter/contacts/export-columns.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('Cells follow the order of the columns, custom values among them.', () => {
  const row: ExportedRow = [7, { city: 'Bern', vip: false }, 'ada@example.com', 7]
  expect(rowCells(row, ['custom.vip', 'email', 'custom.city', 'id', 'custom.toString'])).toEqual([
    false,
    'ada@example.com',
    'Bern',
    7,
    null,
  ])
})

test('Times are ISO 8601, also when they repeat or are missing, and other numbers stay numbers.', () => {
  const [first, second] = [Date.UTC(2026, 0, 15, 9), Date.UTC(2026, 0, 16)]
  const columns = ['created_at', 'updated_at', 'consent_at', 'id']
  expect(rowCells([1, null, first, first, null, first], columns)).toEqual([
    '2026-01-15T09:00:00.000Z',
    '2026-01-15T09:00:00.000Z',
    null,
    first,
  ])
  expect(rowCells([1, null, second, first, 0, 1], columns)).toEqual([
    '2026-01-16T00:00:00.000Z',
    '2026-01-15T09:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    1,
  ])
})

test.each([
  [null, ['pending', 'subscribed', 'unsubscribed', 'bounced', 'complained']],
  ['manual', ['unsubscribed', 'unsubscribed', 'unsubscribed', 'bounced', 'complained']],
  ['unsubscribe', ['unsubscribed', 'unsubscribed', 'unsubscribed', 'unsubscribed', 'complained']],
] as const)('With a suppression of reason %s contacts are exported as %j.', async (reason, expected) => {
  const project_id = await newProject()
  const statuses = ['pending', 'subscribed', 'unsubscribed', 'bounced', 'complained'] as const
  for (const global_status of statuses) await newContact(project_id, `${global_status}@a.example`, { global_status })
  const opted_out = reason === 'unsubscribe' ? 1 : 0
  if (reason)
    await write((tx) =>
      tx.run(sql`
        INSERT INTO suppressions (project_id, email, email_key, reason, opted_out, created_at)
        SELECT project_id, email, email_key, ${reason}, ${opted_out}, ${NOW} FROM contacts
        WHERE project_id = ${project_id}`),
    )
  const { db } = await sharedStore()
  const rows = await db.all<{ row: string }>(sql`
    SELECT ${packedColumns(['global_status'])} AS row FROM contacts contact
    WHERE contact.project_id = ${project_id} ORDER BY contact.id`)
  expect(rows.map(({ row }) => (JSON.parse(row) as ExportedRow)[2])).toEqual([...expected])
})
