import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type ImportRow, moveImport, requireMove, stageImport } from '../../../src/newsletter/imports/states.ts'
import { IMPORT_STATUSES, type ImportStatus, imports } from '../../../src/store/tables/imports.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** The moves that docs/api/imports.md#steps allows. */
const ALLOWED: ReadonlySet<string> = new Set([
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

const staged = (status: ImportStatus = 'staged'): Promise<ImportRow> =>
  world.service.runtime.store.write(async (tx) => {
    const file = {
      project_id: world.project.id,
      filename: 'a.csv',
      size_bytes: 9,
      delimiter: ',' as const,
      columns: [],
    }
    const { id } = await stageImport(tx, { ...file, now: 1000 })
    const [row] = await tx.update(imports).set({ status }).where(eq(imports.id, id)).returning()
    return row!
  })
const move = (row: ImportRow, to: ImportStatus, project_id = world.project.id) =>
  world.service.runtime.store
    .write((tx) => moveImport(tx, { project_id, import_id: row.id, to, set: { error: 'why' }, now: 2000 }))
    .catch((error: unknown) => error)
const stored = async ({ id }: ImportRow) => {
  const [row] = await world.service.runtime.store.db.select().from(imports).where(eq(imports.id, id))
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
  expect(await move(row, 'cancelled', world.other.id)).toMatchObject({
    code: 'NOT_FOUND',
    details: [{ path: '/import_id' }],
  })
  expect(await stored(row)).toEqual(row)
})
