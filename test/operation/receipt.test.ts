import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { bodyHash } from '../../src/operation/json-body.ts'
import {
  completeReceipt,
  dropReceipt,
  idempotencyKey,
  openReceipt,
  RECEIPT_RETENTION_MS,
  type ReceiptKey,
  receiptRetention,
} from '../../src/operation/receipt.ts'
import type { ProjectId } from '../../src/ids.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { applyRetention } from '../../src/store/retention.ts'
import { scratchFolder } from '../support/folder.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'

const NOW = 1_750_000_000_000

const KEY: ReceiptKey = {
  project_id: 1 as ProjectId,
  actor: 'key:key_1',
  operation: '/lists/create',
  idempotency_key: 'k',
}
describe.each(['file', 'server'] as const)('On a database of kind %s:', (kind) => {
  const folder = scratchFolder()
  let server: LibsqlServer | undefined
  let store: Store
  beforeAll(async () => {
    if (kind === 'server') server = await startLibsqlServer()
    store = await openStore({ url: server?.url ?? `file:${join(folder, 'receipts.db')}` })
    await store.write((tx) =>
      tx.script(`
        CREATE TABLE receipts (
          id INTEGER PRIMARY KEY, project_id INTEGER, actor TEXT, operation TEXT, idempotency_key TEXT,
          fingerprint TEXT, state TEXT, status INTEGER, response TEXT,
          response_zstd BLOB, created_at INTEGER, completed_at INTEGER,
          UNIQUE (project_id, actor, operation, idempotency_key))`),
    )
  })
  beforeEach(() => store.write((tx) => tx.script('DELETE FROM receipts')))
  afterAll(async () => {
    await store.close()
    await server?.close()
  })

  const open = (more: Partial<ReceiptKey> = {}, print = 'print') =>
    store.write((tx) => openReceipt(tx, { ...KEY, ...more }, print, NOW))
  const opened = async (more: Partial<ReceiptKey> = {}): Promise<number> => {
    const receipt = await open(more)
    if (!('receipt_id' in receipt)) throw new Error('The receipt was not new.')
    return receipt.receipt_id
  }
  const complete = (receipt_id: number, at = NOW) =>
    store.write((tx) => completeReceipt(tx, receipt_id, { status: 200, body: '{"data":1}' }, at))

  test('A second request is in progress while the first one runs, and gets its response afterwards.', async () => {
    const id = await opened()
    await expect(open()).rejects.toMatchObject({ code: 'REQUEST_IN_PROGRESS' })
    await complete(id)
    expect(await open()).toEqual({ stored: { status: 200, body: '{"data":1}' } })
  })

  test('The same key with another body is a conflict, whether the first request has ended or not.', async () => {
    const id = await opened()
    await expect(open({}, 'other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    await complete(id)
    await expect(open({}, 'other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })

  test.each<[string, Partial<ReceiptKey>]>([
    ['project', { project_id: 2 as ProjectId }],
    ['actor', { actor: 'app:app_1:usr_2' }],
    ['operation', { operation: '/lists/update' }],
    ['key', { idempotency_key: 'K' }],
  ])('Another %s has a receipt of its own, and gets its own response back.', async (_, more) => {
    const [first, second] = [await opened(), await opened(more)]
    expect(first).not.toBe(second)
    for (const receipt_id of [first, second])
      await store.write((tx) => completeReceipt(tx, receipt_id, { status: 200, body: String(receipt_id) }, NOW))
    expect([await open(), await open(more)]).toEqual(
      [first, second].map((receipt_id) => ({ stored: { status: 200, body: String(receipt_id) } })),
    )
  })

  test('Only a pending receipt can be dropped, and then its key is free.', async () => {
    const id = await opened()
    await store.write((tx) => dropReceipt(tx, id))
    const again = await opened()
    await complete(again)
    await store.write((tx) => dropReceipt(tx, again))
    expect(await open()).toHaveProperty('stored')
  })

  test('Completed receipts expire a day after completion; pending ones stay.', async () => {
    const completed = await opened()
    await complete(completed, NOW + 1000)
    await opened({ idempotency_key: 'pending' })
    const count = async () => (await store.query('SELECT count(*) AS count FROM receipts'))[0]!.count
    await applyRetention(store, [receiptRetention], NOW + RECEIPT_RETENTION_MS + 999)
    expect(await count()).toBe(2)
    await applyRetention(store, [receiptRetention], NOW + RECEIPT_RETENTION_MS + 1000)
    expect(await count()).toBe(1)
    await expect(open({ idempotency_key: 'pending' })).rejects.toMatchObject({ code: 'REQUEST_IN_PROGRESS' })
  })

  test('A long response is stored compressed, and is replayed as it was.', async () => {
    const id = await opened()
    const body = JSON.stringify({ data: Array.from({ length: 2000 }, (_, n) => `Grüße an alle, Zeile ${n % 40}`) })
    await store.write((tx) => completeReceipt(tx, id, { status: 200, body }, NOW))
    expect(await open()).toEqual({ stored: { status: 200, body } })
    const [row] = await store.query('SELECT response, length(response_zstd) AS bytes FROM receipts')
    expect(row!.response).toBeNull()
    expect(Number(row!.bytes)).toBeLessThan(Buffer.byteLength(body) / 20)
  })

  test('A response of 4,900,000 bytes is stored and replayed, and a longer one is refused.', async () => {
    const id = await opened()
    const body = `"${'ö'.repeat(2_449_999)}"`
    await expect(
      store.write((tx) => completeReceipt(tx, id, { status: 200, body: `${body} ` }, NOW)),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 })
    await expect(open()).rejects.toMatchObject({ code: 'REQUEST_IN_PROGRESS' })
    await store.write((tx) => completeReceipt(tx, id, { status: 200, body }, NOW))
    expect(await open()).toEqual({ stored: { status: 200, body } })
  })

  test('Of two transactions that open one receipt at once, one runs and one is refused.', async () => {
    const outcomes = await Promise.allSettled([open(), open()])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

test('The key comes from the header, quoted or not, or from the body; both must agree.', () => {
  expect([idempotencyKey('a key', undefined), idempotencyKey(' "a key" ', 'a key'), idempotencyKey(null, 'k')]).toEqual(
    ['a key', 'a key', 'k'],
  )
  const longest = `${'x'.repeat(253)} ~`
  expect([idempotencyKey(longest, undefined), idempotencyKey(null, longest)]).toEqual([longest, longest])
  for (const [header, body, code] of [
    [null, undefined, 'IDEMPOTENCY_KEY_REQUIRED'],
    ['a', 'b', 'VALIDATION_FAILED'],
    ['', undefined, 'VALIDATION_FAILED'],
    [null, 5, 'VALIDATION_FAILED'],
    ['ä', undefined, 'VALIDATION_FAILED'],
    ['x'.repeat(256), undefined, 'VALIDATION_FAILED'],
  ] as const)
    expect(() => idempotencyKey(header, body)).toThrow(expect.objectContaining({ code }))
})

test('The hash of a body ignores the order of keys, the idempotency key and how the project is named.', () => {
  const hash = bodyHash({ name: 'Tides', tags: [1, 2], idempotency_key: 'k' })
  expect(bodyHash({ tags: [1, 2], name: 'Tides', project_id: 'prj_a' })).toBe(hash)
  expect(bodyHash({ tags: [2, 1], name: 'Tides' })).not.toBe(hash)
})
