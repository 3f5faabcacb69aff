import { beforeAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { stageImport } from '../../../src/newsletter/imports/states.ts'
import { notesOf } from '../../../src/audit/record.ts'
import {
  appendText,
  cancelAbandonedImports,
  dropAllPages,
  dropPages,
  dropText,
  importRetention,
  storedText,
  storePage,
  storeText,
} from '../../../src/newsletter/imports/storage.ts'
import { type ImportStatus, import_pages, imports } from '../../../src/store/tables/imports.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const DAY = 86_400_000

let project: ProjectId
beforeAll(async () => {
  project = await newProject()
})

const staged = (status: ImportStatus = 'staged', now = NOW) =>
  write(async (tx) => {
    const file = { project_id: project, filename: 'a.csv', size_bytes: 9, delimiter: ',' as const, columns: [] }
    const { id } = await stageImport(tx, { ...file, now })
    await tx.update(imports).set({ status }).where(eq(imports.id, id))
    return id
  })
const textOf = async (import_id: number) =>
  (await Array.fromAsync(storedText((await sharedStore()).db, { import_id, encoding: null }))).join('')
const page = (last_row: number) => ({ last_row, rows: 1, failed: 0, duplicates: 0, people: '[]', refusals: null })
const pagesOf = async (import_id: number) =>
  (await sharedStore()).db.$count(import_pages, eq(import_pages.import_id, import_id))
const present = async (import_id: number) =>
  (
    await (
      await sharedStore()
    ).db
      .select({ status: imports.status, finished_at: imports.finished_at })
      .from(imports)
      .where(eq(imports.id, import_id))
  )[0]

test('A letter whose bytes are stored in two pieces is read as one letter.', async () => {
  const text = `${'x\n'.repeat(128 * 1024 - 1)}xé${'y\n'.repeat(256 * 1024)}`
  const import_id = await staged()
  await write((tx) => storeText(tx, import_id, Buffer.from(text)))
  const pieces = await Array.fromAsync(storedText((await sharedStore()).db, { import_id, encoding: null }))
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.join('') === text).toBe(true)
})

test('Parts are read in the order in which they came, and only those of the import.', async () => {
  const [one, other] = [await staged(), await staged()]
  const part = (letter: string) => Buffer.from(`${letter}\n`.repeat(40_000))
  await write(async (tx) => {
    await appendText(tx, one, part('a'))
    await appendText(tx, other, part('z'))
    await appendText(tx, one, part('b'))
    await appendText(tx, one, Buffer.from('c'))
  })
  expect((await textOf(one)) === `${part('a').toString()}${part('b').toString()}c`).toBe(true)
  await write((tx) => dropText(tx, one))
  expect([await textOf(one), (await textOf(other)).length]).toEqual(['', 80_000])
})

test('The pages of an import are deleted, and no others; a large file leaves some for the cleanup.', async () => {
  const [other, one] = [await staged(), await staged()]
  await write(async (tx) => {
    for (const [import_id, first] of [
      [other, 5001],
      [one, 1],
    ] as const)
      await tx.run(sql`
        WITH RECURSIVE n(v) AS (SELECT 0 UNION ALL SELECT v + 1 FROM n WHERE v < 1001)
        INSERT INTO import_pages (import_id, last_row, rows, failed, duplicates, people)
        SELECT ${import_id}, ${first} + v, 1, 0, 0, '[]' FROM n`)
  })
  await write((tx) => dropPages(tx, one))
  expect([await pagesOf(one), await pagesOf(other)]).toEqual([2, 1002])
  await write((tx) => dropAllPages(tx, one))
  expect([await pagesOf(one), await pagesOf(other)]).toEqual([0, 1002])
  await write((tx) => dropAllPages(tx, other))
})

test.each<[ImportStatus, number, boolean]>([
  ['staged', 7 * DAY, true],
  ['validated', 7 * DAY, true],
  ['failed', 7 * DAY, true],
  ['staged', 7 * DAY - 1, false],
  ['queued', 70 * DAY, false],
  ['processing', 70 * DAY, false],
  ['completed', 70 * DAY, false],
])('An import that is %s and unchanged for %d ms is canceled: %p.', async (status, age, isCanceled) => {
  const id = await staged(status)
  const noted = await write(async (tx) => {
    await cancelAbandonedImports(tx, NOW + age)
    return notesOf(tx).filter(({ target }) => target === `import:${id}`)
  })
  expect(noted).toMatchObject(isCanceled ? [{ action: 'imports/cancel', project_id: expect.any(Number) }] : [])
  expect(await present(id)).toEqual(
    isCanceled ? { status: 'cancelled', finished_at: NOW + age } : { status, finished_at: null },
  )
})

test('The rows and the text of an import are deleted when it has ended, and the import 400 days later.', async () => {
  const at = {
    completed: await staged('completed'),
    cancelled: await staged('cancelled'),
    failed: await staged('failed'),
  }
  const ids = Object.values(at)
  for (const id of ids)
    await write(async (tx) => {
      await storePage(tx, id, page(1))
      await storeText(tx, id, Buffer.from('x'))
    })
  const cleanAt = (now: number) =>
    write(async (tx) => {
      for (const { statement } of importRetention) await tx.run(statement(now, 1000))
    })
  await cleanAt(NOW + 400 * DAY - 1)
  expect(await Promise.all(ids.map(pagesOf))).toEqual([0, 0, 1])
  expect(await Promise.all(ids.map(textOf))).toEqual(['', '', 'x'])
  const statuses = async () => (await Promise.all(ids.map(present))).map((row) => row?.status ?? null)
  expect(await statuses()).toEqual(['completed', 'cancelled', 'failed'])
  await cleanAt(NOW + 400 * DAY)
  expect(await statuses()).toEqual([null, null, 'failed'])
})
