import { expect, test } from 'bun:test'
import { findHead, type HeadRequest, headTask } from '../../../src/newsletter/imports/head.ts'
import { stageImport } from '../../../src/newsletter/imports/states.ts'
import { storeText } from '../../../src/newsletter/imports/storage.ts'
import { TaskTimeout } from '../../../src/threads/heavy.ts'
import type { Store } from '../../../src/store/open.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const read = async (file: HeadRequest['file'], cells_of: number[] = [], project_id?: HeadRequest['project_id']) =>
  headTask.run((await sharedStore()).db, { project_id: project_id ?? (await newProject()), file, cells_of })
/** What the reading thread is asked, and what becomes of its answer. */
const answered = (answer: () => unknown) => {
  const asked: HeadRequest[] = []
  const store = {
    heavyTask: async (_: unknown, request: HeadRequest) => {
      asked.push(request)
      return answer()
    },
  } as unknown as Omit<Store, 'write'>
  return { asked, store }
}

test('The head of a file has its delimiter, its columns and the cells that are asked for.', async () => {
  const csv = 'Email;Born\nada@example.com;1815\nbo@example.com\n'
  const found = await read({ csv }, [1])
  expect(found).toMatchObject({
    ...{ delimiter: ';', has_header: true, rows: [{ 1: '1815' }, { 1: '' }] },
    columns: [{ header: 'Email', suggested_field: 'email' }, { header: 'Born' }],
  })
  expect(await read({ bytes: Buffer.from(`\ufeff${csv}`, 'utf16le') }, [1])).toEqual(found)
  expect(await read({ csv })).toMatchObject({ rows: [] })
  // A line may begin with a long name of a column.
  expect(await read({ csv: `"${'x, '.repeat(60)}";Email\n1;ada@example.com\n` })).toMatchObject({ delimiter: ';' })
})

test('The head of a stored file is read with the delimiter that is given.', async () => {
  const project_id = await newProject()
  const { id } = await write((tx) =>
    stageImport(tx, { project_id, filename: '', size_bytes: 1, delimiter: ',', columns: [], now: NOW }),
  )
  await write((tx) => storeText(tx, id, Buffer.from('email;a,b\nada@example.com;1,2\n')))
  const headers = async (delimiter: ',' | ';') => {
    const found = await read({ import_id: id, encoding: null, delimiter }, [], project_id)
    return 'columns' in found ? found.columns.map(({ header }) => header) : found
  }
  expect([await headers(';'), await headers(',')]).toEqual([
    ['email', 'a,b'],
    ['email;a', 'b'],
  ])
})

test('Of a stored file as many pieces are read as the first two hundred rows usually take.', async () => {
  const project_id = await newProject()
  const rowsOf = async (length: number) => {
    const { id } = await write((tx) =>
      stageImport(tx, { project_id, filename: '', size_bytes: 1, delimiter: ',', columns: [], now: NOW }),
    )
    const row = `${'x'.repeat(length - 1)}\n`
    await write((tx) => storeText(tx, id, Buffer.from(`email\n${row.repeat(300)}`)))
    const found = await read({ import_id: id, encoding: null, delimiter: ',' }, [0], project_id)
    return 'rows' in found ? found.rows.length : found
  }
  expect(await rowsOf(2048)).toBe(200)
  expect(await rowsOf(8192)).toBeLessThan(90)
})

test('A flaw of a head is answered at the path that is given.', async () => {
  const flaw = await read({ csv: '\n\n' })
  expect(flaw).toEqual({ flaw: 'The file has no rows.' })
  const request = { project_id: await newProject(), file: { csv: 'x' }, cells_of: [] }
  await expect(findHead(answered(() => flaw).store, request, '/csv')).rejects.toMatchObject({
    details: [{ path: '/csv', message: 'The file has no rows.' }],
  })
})

test('Only the beginning of a file goes to the reading thread, as a copy of its own.', async () => {
  const { asked, store } = answered(() => ({}))
  const bytes = new Uint8Array(700_000).subarray(100)
  for (const file of [
    { csv: 'x'.repeat(700_000) },
    { bytes },
    { import_id: 7, encoding: null, delimiter: ',' as const },
  ])
    await findHead(store, { project_id: await newProject(), file, cells_of: [] }, '')
  const [text, part, stored] = asked.map(({ file }) => file) as [{ csv: string }, { bytes: Uint8Array }, unknown]
  expect([text.csv.length, part.bytes.length, part.bytes.buffer.byteLength]).toEqual([589_824, 589_824, 589_824])
  expect(stored).toEqual({ import_id: 7, encoding: null, delimiter: ',' })
})

test('A head that takes too long is refused as a file, and any other failure stays one.', async () => {
  const failing = (error: Error) =>
    answered(() => {
      throw error
    }).store
  const request = { project_id: await newProject(), file: { csv: 'x' }, cells_of: [] }
  await expect(findHead(failing(new TaskTimeout('head')), request, '/csv')).rejects.toMatchObject({
    ...{ code: 'VALIDATION_FAILED', details: [{ path: '/csv' }] },
  })
  await expect(findHead(failing(new Error('disk')), request, '/csv')).rejects.toThrow('disk')
})
