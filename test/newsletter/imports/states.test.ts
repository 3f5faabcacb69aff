import { beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import {
  type ImportRow,
  moveImport,
  requireMove,
  requireRoomForImport,
  stageImport,
} from '../../../src/newsletter/imports/states.ts'
import { IMPORT_STATUSES, type ImportStatus, imports } from '../../../src/store/tables/imports.ts'
import { newProject, sharedStore, write } from '../../support/shared-store.ts'

let project: ProjectId
beforeAll(async () => {
  project = await newProject()
})

/** The moves that docs/api/imports.md#steps allows. */
const ALLOWED: ReadonlySet<string> = new Set([
  'staged → staged',
  'validated → staged',
  'staged → validated',
  'validated → validated',
  'validated → queued',
  'queued → processing',
  'failed → processing',
  'processing → completed',
  'queued → failed',
  'processing → failed',
  'failed → failed',
  'staged → cancelled',
  'validated → cancelled',
  'queued → cancelled',
  'processing → cancelled',
])
const MOVES = IMPORT_STATUSES.flatMap((from) => IMPORT_STATUSES.map((to) => [from, to] as const))

const staged = (
  status: ImportStatus = 'staged',
  {
    project_id = project,
    size_bytes = 9,
    ...more
  }: { project_id?: ProjectId; size_bytes?: number; upload_total?: number } = {},
): Promise<ImportRow> =>
  write(async (tx) => {
    const file = { project_id, filename: 'a.csv', size_bytes, delimiter: ',' as const, columns: [] }
    const { id } = await stageImport(tx, { ...file, ...more, now: 1000 })
    const [row] = await tx.update(imports).set({ status }).where(eq(imports.id, id)).returning()
    return row!
  })
const move = (row: ImportRow, to: ImportStatus, project_id = project) =>
  write((tx) => moveImport(tx, { project_id, import_id: row.id, to, set: { error: 'why' }, now: 2000 })).catch(
    (error: unknown) => error,
  )
const stored = async ({ id }: ImportRow) => {
  const [row] = await (await sharedStore()).db.select().from(imports).where(eq(imports.id, id))
  return row
}
const refusal = (work: () => void): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

test('An import begins as staged.', async () => {
  expect(await staged()).toMatchObject({ status: 'staged', created_at: 1000, updated_at: 1000, finished_at: null })
})

test.each(MOVES)('An import that is %s becomes %s only when the steps allow it.', async (from, to) => {
  const row = await staged(from)
  const moved = await move(row, to)
  const refused = refusal(() => requireMove(row, to))
  if (ALLOWED.has(`${from} → ${to}`)) {
    expect(moved).toMatchObject({ id: row.id, status: to, error: 'why', updated_at: 2000 })
    expect(refused).toBeNull()
  } else {
    expect(moved).toMatchObject({ code: 'INVALID_STATE', details: { state: from } })
    expect(refused).toMatchObject({ code: 'INVALID_STATE', details: { state: from } })
    expect(await stored(row)).toEqual(row)
  }
})

test('The commit of an import that is only staged says what to run first.', async () => {
  const row = await staged()
  expect(await move(row, 'queued')).toMatchObject({ message: 'Run imports/dry-run first.' })
  expect(await move(await staged('completed'), 'queued')).toMatchObject({
    message: 'The import is completed and cannot be committed.',
  })
})

test('An import of another project is not found and stays as it is.', async () => {
  const row = await staged()
  expect(await move(row, 'cancelled', await newProject())).toMatchObject({
    code: 'NOT_FOUND',
    details: [{ path: '/import_id' }],
  })
  expect(await stored(row)).toEqual(row)
})

test('A project has at most twenty imports that have not ended.', async () => {
  const [full, other] = [await newProject(), await newProject()]
  for (const status of ['staged', 'validated', 'queued', 'processing'] as const)
    for (let number = 0; number < 5; number += 1) await staged(status, { project_id: full })
  const room = (of: ProjectId) => write((tx) => requireRoomForImport(tx, of, 1))
  await expect(room(full)).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await room(other)
  await write((tx) =>
    tx
      .update(imports)
      .set({ status: 'failed' })
      .where(and(eq(imports.project_id, full), eq(imports.status, 'queued'))),
  )
  await room(full)
})

test('The files of imports that have not ended take at most 2 GiB, as far as they announce.', async () => {
  const GIB = 1024 ** 3
  const project_id = await newProject()
  await staged('staged', { project_id, size_bytes: 5, upload_total: GIB })
  await staged('completed', { project_id, size_bytes: GIB })
  await staged('validated', { project_id, size_bytes: 7 })
  const room = (bytes: number) => write((tx) => requireRoomForImport(tx, project_id, bytes))
  await room(GIB - 7)
  await expect(room(GIB - 6)).rejects.toMatchObject({ code: 'INVALID_STATE', details: { state: 'full' } })
})
