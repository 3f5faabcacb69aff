import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { FixedClock } from '../../../src/clock.ts'
import type { ProjectId } from '../../../src/ids.ts'
import type { RowReport } from '../../../src/newsletter/imports/examine.ts'
import { discard, examineFile, type FileReading } from '../../../src/newsletter/imports/file.ts'
import { import_pages, import_texts, imports } from '../../../src/store/tables/imports.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const LATER = NOW + 1000

/** Examines a file of these pieces, whose address is in the first column. */
async function examined(project_id: ProjectId, pieces: readonly string[], reading: Partial<FileReading> = {}) {
  async function* bytes() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  const file = { filename: 'people.csv', bytes: bytes() }
  const how = { project_id, options: {}, mapping: () => ({ 0: 'email' as const }), ...reading }
  return examineFile(await sharedStore(), new FixedClock(LATER), file, how)
}
const importsOf = async (project: ProjectId) =>
  (await sharedStore()).db.select().from(imports).where(eq(imports.project_id, project))
const stored = async (import_id: number) => {
  const { db } = await sharedStore()
  const [pages, texts] = [eq(import_pages.import_id, import_id), eq(import_texts.import_id, import_id)]
  return [await db.$count(import_pages, pages), await db.$count(import_texts, texts)]
}

test('A file is examined in one pass, its pages wait, and its text is not stored.', async () => {
  const project = await newProject()
  await newContact(project, 'ada@example.com')
  const reported: RowReport[] = []
  const row = await examined(project, ['email;na', 'me\nada@example.com;Ada\nbo@exam', 'ple.com;Jörg\nbroken;\n'], {
    report: (rows) => reported.push(...rows),
    mapping: (columns) => ({ 0: 'email', 1: columns[1]!.suggested_field! }),
  })
  expect(row).toMatchObject({
    ...{ filename: 'people.csv', status: 'validated', size_bytes: 60, delimiter: ';', created_at: LATER },
    ...{ mapping: { 0: 'email', 1: 'full_name' }, fields: [], options: { delimiter: ';', update_existing: false } },
    ...{ summary: { rows: 3, valid: 2, invalid: 1, new: 1, existing: 1 }, row_errors: [{ row: 4 }] },
    columns: [{ header: 'email' }, { header: 'name' }],
  })
  expect(reported.map(({ result }) => result)).toEqual(['existing', 'new', 'invalid'])
  expect(await stored(row.id)).toEqual([1, 0])
})

test('The format of days is guessed from the first rows, in however small pieces a file comes.', async () => {
  const pieces = ['email,when\n', 'ada@example.com,01/02/2026\n', 'bo@example.com,03/25/2026\n']
  const formats = []
  for (const file of [pieces, [pieces.join('')], [...pieces.join('')]]) {
    const mapping = () => ({ 0: 'email' as const, 1: 'consent_at' as const })
    const { options } = await examined(await newProject(), file, { mapping })
    formats.push(options!.date_format)
  }
  expect(formats).toEqual(['mdy', 'mdy', 'mdy'])
})

test('A delimiter that is given comes before the one that the file suggests.', async () => {
  const { delimiter, columns } = await examined(await newProject(), ['email;a;b,c\nada@example.com,1\n'], {
    options: { delimiter: ',' },
  })
  expect([delimiter, columns.map(({ header }) => header)]).toEqual([',', ['email;a;b', 'c']])
})

test('A file of many megabytes is examined to its end.', async () => {
  const line = `${'x'.repeat(100)}\n`
  const piece = `a@example.com,${line}`.repeat(5000)
  const row = await examined(await newProject(), ['email,note\n', piece, piece, piece, 'last@example.com,x\n'])
  expect([row.summary!.rows, row.summary!.new, row.size_bytes]).toEqual([15_001, 2, 3 * piece.length + 30])
})

test('A file or options that do not fit stage nothing.', async () => {
  const project = await newProject()
  await expect(examined(project, ['\n'])).rejects.toMatchObject({ details: [{ path: '/csv' }] })
  await expect(examined(project, ['email\n'], { mapping: () => ({}) })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  await expect(examined(project, ['email\n'], { options: { tag_ids: [999_999_999] } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await importsOf(project)).toEqual([])
})

test('An import whose file cannot be read to its end is canceled, without its pages.', async () => {
  const project = await newProject()
  const rows = Array.from({ length: 1001 }, (_, n) => `p${n}@example.com\n`).join('')
  const fails = () => {
    throw new Error('The report cannot be written.')
  }
  await expect(examined(project, ['email\n', rows], { report: fails })).rejects.toThrow('The report')
  const [row] = await importsOf(project)
  expect(row).toMatchObject({ status: 'cancelled', finished_at: LATER, updated_at: LATER })
  expect(await stored(row!.id)).toEqual([0, 0])
})

test('An import that was completed is not discarded.', async () => {
  const row = await examined(await newProject(), ['email\nada@example.com\n'])
  await write((tx) => tx.update(imports).set({ status: 'completed' }).where(eq(imports.id, row.id)))
  await expect(discard(await sharedStore(), new FixedClock(LATER), row)).rejects.toMatchObject({
    code: 'INVALID_STATE',
  })
  expect(await stored(row.id)).toEqual([1, 0])
})
