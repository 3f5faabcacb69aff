import { expect, test } from 'bun:test'
import { requestErasure } from '../../../src/newsletter/contacts/erasure.ts'
import { withoutForgotten } from '../../../src/newsletter/imports/forgotten.ts'
import { type ImportRow, stageImport } from '../../../src/newsletter/imports/states.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const GONE = 'Ada@example.com'
const error = (value: string | null) => ({ row: 1, field: null, code: 'plan_limit' as const, message: '', value })
const column = (index: number, ...samples: string[]) => ({ index, header: '', samples, suggested_field: null })

test('An import shows no address that was deleted, and no sample of a file that has one.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const id = await newContact(project, GONE)
  await write((tx) => requestErasure(tx, project, [{ id, email: GONE }], NOW))
  const staged = await write((tx) =>
    stageImport(tx, { project_id: project, filename: '', size_bytes: 1, delimiter: ',', columns: [], now: NOW }),
  )
  const shown = async (changes: Partial<ImportRow>, of = project) => {
    const { columns, row_errors } = await withoutForgotten((await sharedStore()).db, of, { ...staged, ...changes })
    return { samples: columns.map(({ samples }) => samples), values: row_errors.map(({ value }) => value) }
  }
  const columns = [column(0, 'ada@EXAMPLE.com', 'bo@example.com'), column(1, 'Ada')]
  const row_errors = [error('bo@example.com'), error(GONE), error(null), error('Ada')]
  expect(await shown({ columns, row_errors })).toEqual({
    samples: [[], []],
    values: ['bo@example.com', null, null, 'Ada'],
  })
  expect(await shown({ columns: [column(0, 'bo@example.com')], row_errors: [error(GONE)] })).toEqual({
    samples: [['bo@example.com']],
    values: [null],
  })
  expect(await shown({ row_errors: [error(GONE)] })).toEqual({ samples: [], values: [null] })
  expect(await shown({ columns, row_errors }, other)).toEqual({
    samples: [['ada@EXAMPLE.com', 'bo@example.com'], ['Ada']],
    values: ['bo@example.com', GONE, null, 'Ada'],
  })
  expect(await shown({ columns: [column(0, 'Ada')] })).toEqual({ samples: [['Ada']], values: [] })
})
