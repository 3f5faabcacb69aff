import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { csvLine, type ExportedRow, packedColumns, rowCells } from '../../../src/newsletter/contacts/export-columns.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('A line quotes delimiters, quotes and line ends, and doubles quotes inside.', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', 'cr\r', null, true, 7])).toBe(
    'plain,"a,b","say ""hi""","two\nlines","cr\r",,true,7\r\n',
  )
})

test('A text that a spreadsheet would run as a formula gets an apostrophe, a number does not.', () => {
  const formulas = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '＝1+1', '＋1+1', '－cmd', '＠SUM(A1)']
  expect(csvLine(formulas)).toBe(`${formulas.map((text) => `'${text}`).join(',')}\r\n`)
  expect(csvLine(['=a,b', '\r=x'])).toBe(`"'=a,b","'\r=x"\r\n`)
  const numbers = ['-1', '+49', '-1.5', '-.5', '+1e6', '-1E-6']
  expect(csvLine(numbers)).toBe(`${numbers.join(',')}\r\n`)
  expect(csvLine(['-1-2', '+49 170', '-'])).toBe("'-1-2,'+49 170,'-\r\n")
})

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
