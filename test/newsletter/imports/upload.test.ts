import { afterAll, beforeAll, expect, test } from 'bun:test'
import { storedText } from '../../../src/newsletter/imports/storage.ts'
import { type Part, partRange, receivePart } from '../../../src/newsletter/imports/upload.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'
import { createWorld, type World } from '../../support/world.ts'
import { signIn } from '../../http/signed-in.ts'

/** Files of any size: uploaded in parts, examined by a job, and imported (docs/api/imports.md#large-files). */

let world: World
const cookies: Record<string, string> = {}
beforeAll(async () => {
  world = await createWorld()
  for (const person of ['editor', 'member']) cookies[person] = await signIn(world, person)
})
afterAll(() => world.close())

const ROWS = 2500
/** With a name that a cut may fall into, and an address that comes twice. */
const CSV = Buffer.from(
  ['email,first_name', ...Array.from({ length: ROWS }, (_, n) => `p${n % 2400}@example.com,Jörg ${n}`)].join('\n'),
)

interface Sent {
  range?: string
  import_id?: number
  as?: string
}

async function send(bytes: Uint8Array<ArrayBuffer>, { range, import_id, as = 'editor' }: Sent = {}) {
  const query = new URLSearchParams({ project_id: world.project.public_id, filename: 'people.csv' })
  if (import_id !== undefined) query.set('import_id', String(import_id))
  const answer = await world.fetch(`/project/imports/upload?${query}`, {
    method: 'POST',
    headers: {
      Cookie: cookies[as]!,
      Origin: world.url,
      'Content-Type': 'text/csv',
      ...(range && { 'Content-Range': range }),
    },
    body: bytes,
  })
  return { status: answer.status, body: (await answer.json()) as any }
}

const part = (from: number, to: number, import_id?: number) =>
  send(CSV.subarray(from, to), { range: `bytes ${from}-${to - 1}/${CSV.length}`, import_id })

async function examine(import_id: number, more: object = {}) {
  const body = { project_id: world.project.public_id, import_id, mapping: { 0: 'email', 1: 'first_name' }, options: {} }
  const answer = await world.fetch('/project/imports/examine', {
    method: 'POST',
    headers: { Cookie: cookies.editor!, Origin: world.url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...body, ...more }),
  })
  return { status: answer.status, body: (await answer.json()) as any }
}

test('The last of two dry-runs counts, by a call or by a job, and it alone is committed.', async () => {
  const { import: staged } = await world.ok('imports/create', { csv: 'email,name\nada@example.com,Ada\n' })
  const import_id = staged.id as number
  const read = async () => {
    await world.service.drain('jobs')
    const { status, mapping } = (await world.ok('imports/get', { import_id })).import
    return [status, mapping[1]]
  }
  await examine(import_id, { mapping: { 0: 'email', 1: 'last_name' } })
  await world.ok('imports/dry-run', { import_id, mapping: { 0: 'email', 1: 'first_name' }, options: {} })
  expect(await read()).toEqual(['validated', 'first_name'])
  const again = await examine(import_id, { mapping: { 0: 'email', 1: 'last_name' } })
  expect([again.body.import.status, (await world.call('imports/commit', { import_id })).status]).toEqual([
    'staged',
    409,
  ])
  expect(await read()).toEqual(['validated', 'last_name'])
})

test('A file that is uploaded in parts goes on where it stopped, is examined by a job, and is imported.', async () => {
  const begun = await part(0, 20_001)
  expect([begun.status, begun.body.received, begun.body.total]).toEqual([200, 20_001, CSV.length])
  const { id: import_id, columns } = begun.body.import
  expect(columns.map(({ suggested_field }: any) => suggested_field)).toEqual(['email', 'first_name'])

  const early = await examine(import_id)
  expect([early.status, early.body.message]).toEqual([409, expect.stringContaining('Only 20001 of')])
  const wrong = await part(30_000, 40_000, import_id)
  expect([wrong.status, wrong.body.message]).toEqual([409, expect.stringContaining('The next byte is 20001 of')])
  const asked = await send(Buffer.alloc(0), { range: `bytes */${CSV.length}`, import_id })
  expect(asked.body).toMatchObject({ received: 20_001, total: CSV.length })

  expect((await part(20_001, 50_000, import_id)).body.received).toBe(50_000)
  const ended = await part(50_000, CSV.length, import_id)
  expect(ended.body).toMatchObject({ received: CSV.length, import: { status: 'staged', size_bytes: CSV.length } })
  // The answer was lost, and the client sends the last part again.
  expect((await part(50_000, CSV.length, import_id)).body.received).toBe(CSV.length)

  const { status, body } = await examine(import_id)
  expect([status, body.job.kind, body.job.about]).toEqual([
    200,
    'import_examine',
    { type: 'import', id: import_id, name: 'people.csv' },
  ])
  await world.service.drain('jobs')
  const validated = (await world.ok('imports/get', { import_id })).import
  expect(validated).toMatchObject({
    status: 'validated',
    summary: { rows: ROWS, valid: ROWS, new: 2400, duplicates_in_file: 100 },
  })
  await world.ok('imports/commit', { import_id })
  await world.service.drain('jobs')
  const done = (await world.ok('imports/get', { import_id })).import
  expect(done).toMatchObject({ status: 'completed', counters: { created: 2400, skipped: 100 } })
  expect((await world.ok('contacts/get', { email: 'p2399@example.com' })).contact.first_name).toBe('Jörg 2399')
})

test('A dry-run that begins again reads the file from its start, and one of a canceled import ends.', async () => {
  const { id: import_id } = (await send(Buffer.from(CSV))).body.import
  await examine(import_id)
  await examine(import_id, { mapping: { 0: 'email' } })
  await world.service.drain('jobs')
  expect((await world.ok('imports/get', { import_id })).import).toMatchObject({
    mapping: { 0: 'email' },
    summary: { rows: ROWS, valid: ROWS },
  })
  const { job } = (await examine(import_id)).body
  await world.ok('imports/cancel', { import_id })
  await world.service.drain('jobs')
  expect((await world.ok('jobs/get', { job_id: job.id })).job.status).toBe('cancelled')
})

async function call(path: string, body?: object) {
  const answer = await world.fetch(`/project/imports/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Cookie: cookies.editor!, Origin: world.url, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify({ project_id: world.project.public_id, ...body }) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

test('A file shows the encoding that it was found to have, and is read by another one that is chosen.', async () => {
  const bytes = Buffer.concat([Buffer.from('email,name\nkenji@example.com,'), Buffer.from([0x93, 0xfa, 0x96, 0x7b])])
  const { id: import_id, ...found } = (await send(bytes)).body.import
  expect(found).toMatchObject({ encoding_found: 'windows-1252', encoding: null })
  const mapping = { 0: 'email', 1: 'first_name' }
  await world.ok('imports/dry-run', { import_id, mapping, options: {} })
  const { job } = (await examine(import_id)).body
  const chosen = await call('encoding', { import_id, encoding: 'shift_jis' })
  expect(chosen.body.import).toMatchObject({ status: 'staged', encoding: 'shift_jis', summary: null })
  expect(chosen.body.import.columns[1].samples).toEqual(['日本'])
  // The dry-run by the former encoding counts no longer, nor does one that was under way.
  expect((await world.call('imports/commit', { import_id })).status).toBe(409)
  await world.service.drain('jobs')
  expect((await world.ok('jobs/get', { job_id: job.id })).job.status).toBe('cancelled')
  await world.ok('imports/dry-run', { import_id, mapping, options: {} })
  await world.ok('imports/commit', { import_id })
  await world.service.drain('jobs')
  expect((await world.ok('contacts/get', { email: 'kenji@example.com' })).contact.first_name).toBe('日本')
  expect((await call('encoding', { import_id, encoding: null })).status).toBe(409)

  // The second part has the first byte that is not UTF-8.
  const two = Buffer.concat([Buffer.from('email,name\na@example.com,'), Buffer.from([0x4a, 0xfc])])
  const begun = await send(two.subarray(0, 12), { range: `bytes 0-11/${two.length}` })
  const rest = { range: `bytes 12-${two.length - 1}/${two.length}`, import_id: begun.body.import.id }
  expect(begun.body.import.encoding_found).toBe('utf-8')
  expect((await call('encoding', { import_id: rest.import_id, encoding: 'big5' })).status).toBe(409)
  expect((await send(two.subarray(12), rest)).body.import.encoding_found).toBe('windows-1252')
})

test('The file of refused rows has every row, by the headers of the file.', async () => {
  const rows = Array.from({ length: 1_500 }, (_, n) => `refused${n}@example.com,"red, blue"`)
  const file = Buffer.from(['mail,colours,since', ...rows, 'wrong,,', 'late@example.com,,other@example.com'].join('\n'))
  await world.ok('custom-fields/create', { key: 'since', label: 'Since', type: 'date' })
  const { id: import_id } = (await send(file)).body.import
  const mapping = { 0: 'email', 1: 'tags', 2: 'custom.since' }
  const { summary } = await world.ok('imports/dry-run', { import_id, mapping, options: {} })
  expect(summary.invalid).toBe(1_502)
  const lines = (await call(`refused?project_id=${world.project.public_id}&import_id=${import_id}`)).text.split('\r\n')
  expect(lines).toHaveLength(1_504)
  expect([lines[0], lines[1], lines[1_500]]).toEqual([
    'row,column,value,reason,mail,colours,since',
    expect.stringMatching(/^2,colours,"red, blue",/),
    expect.stringMatching(/^1501,colours,"red, blue",/),
  ])
  expect(lines[1_501]).toStartWith('1502,mail,wrong,')
  expect(lines[1_502]).toStartWith('1503,since,,')
  // Another dry-run replaces them.
  await world.ok('imports/dry-run', { import_id, mapping, options: { create_tags: true } })
  const fewer = await call(`refused?project_id=${world.project.public_id}&import_id=${import_id}`)
  expect(fewer.text.split('\r\n')).toHaveLength(4)
  const providers = await call(`providers?project_id=${world.project.public_id}&import_id=${import_id}`)
  expect(providers.body.items.map(({ provider }: any) => provider)).toEqual([])
  await world.ok('imports/cancel', { import_id })
})

test('Parts that do not fit, and people who may not import, are refused.', async () => {
  const refused = async (sent: Sent, bytes = Buffer.from('email\n')) => (await send(bytes, sent)).status
  expect(await refused({ range: 'bytes 0-9/6' })).toBe(400)
  expect(await refused({ range: 'lines 0-5/6' })).toBe(400)
  expect(await refused({ range: 'bytes 0-5/99999999999' })).toBe(400)
  expect(await refused({ range: 'bytes 6-11/12' })).toBe(400)
  expect(await refused({ range: 'bytes 0-5/12', import_id: 999 })).toBe(404)
  expect(await refused({ as: 'member' })).toBe(403)
  expect(await refused({}, Buffer.from('PK\u0003\u0004 a workbook'))).toBe(400)
})

test('The uploads of a project that have not ended take at most 2 GiB together, as far as they announce.', async () => {
  const announce = async () => {
    const { status, body } = await send(Buffer.from('email\n'), { range: 'bytes 0-5/1073741824' })
    return [status, body.import?.id ?? body.error]
  }
  const [, import_id] = await announce()
  const small = (await send(Buffer.from('email\n'))).body.import.id
  expect(await announce()).toEqual([409, 'conflict'])
  for (const id of [import_id, small]) await world.ok('imports/cancel', { import_id: id })
  expect((await announce())[0]).toBe(200)
})

test('A Content-Range fits the body and a file of one byte to a gibibyte.', () => {
  expect(partRange(null, 5)).toEqual({ from: 0, total: 5 })
  expect(partRange(' bytes 0-4/5 ', 5)).toEqual({ from: 0, total: 5 })
  expect(partRange('bytes 5-9/20', 5)).toEqual({ from: 5, total: 20 })
  expect(partRange('bytes */20', 0)).toEqual({ from: null, total: 20 })
  for (const range of [
    'bytes 0-4/4',
    'bytes 0-3/9',
    'bytes 0-5/9',
    'bytes 5-4/9',
    'bytes 0-4/*',
    '0-4/5',
    'bytes */20',
  ])
    expect(() => partRange(range, 5), range).toThrow('The request is not valid.')
  for (const range of ['bytes */0', 'bytes */999999999999999'])
    expect(() => partRange(range, 0), range).toThrow('The request is not valid.')
})

test('Only the next part of a file is stored, and a question or a repeated part changes nothing.', async () => {
  const [project_id, other] = [await newProject(), await newProject()]
  const head = { delimiter: ',' as const, columns: [], has_header: true, rows: [] }
  const receive = (range: Part['range'], text: string, more: Partial<Part> = {}) => {
    const part = { project_id, head: null, import_id: undefined, filename: 'a.csv', range, now: NOW, ...more }
    const bytes = Buffer.from(text)
    return write((tx) => receivePart(tx, { ...part, bytes, encoding: 'utf-8' }))
  }
  const { id: import_id, ...begun } = await receive({ from: 0, total: 9 }, 'email', { head })
  expect(begun).toMatchObject({ status: 'staged', size_bytes: 5, upload_total: 9, filename: 'a.csv', delimiter: ',' })
  const next = (range: Part['range'], text = '', more: Partial<Part> = {}) =>
    receive(range, text, { import_id, ...more })
  const refused = { code: 'INVALID_STATE', message: 'The next byte is 5 of 9.' }
  await expect(next({ from: 4, total: 9 }, 'xxxx')).rejects.toMatchObject(refused)
  await expect(next({ from: 5, total: 8 }, 'xxx')).rejects.toMatchObject(refused)
  await expect(next({ from: 5, total: 9 }, 'xxxx', { project_id: other })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await next({ from: null, total: 9 })).toMatchObject({ size_bytes: 5, upload_total: 9 })
  expect(await next({ from: 5, total: 9 }, '\na@b', { now: NOW + 1 })).toMatchObject({
    ...{ size_bytes: 9, upload_total: null, updated_at: NOW + 1 },
  })
  expect(await next({ from: 5, total: 9 }, '\na@b')).toMatchObject({ size_bytes: 9, upload_total: null })
  await expect(next({ from: 9, total: 12 }, 'xxx')).rejects.toMatchObject({ message: 'The next byte is 9 of 9.' })
  expect((await Array.fromAsync(storedText((await sharedStore()).db, { import_id, encoding: null }))).join('')).toBe(
    'email\na@b',
  )
  for (const part of [{ head: null }, { head, range: { from: 1, total: 9 } }])
    await expect(receive({ from: 0, total: 9 }, 'email', part)).rejects.toMatchObject({
      ...{ code: 'VALIDATION_FAILED', details: [{ path: '/import_id' }] },
    })
})
