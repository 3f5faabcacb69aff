import { DAY_MS } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { packedRows } from '../store/rows.ts'
import { MAX_VALUE_BYTES } from '../store/store.ts'
import { receipts } from '../store/tables/operation.ts'

/**
 * Idempotency receipts (docs/api/idempotency.md#receipts). A receipt commits together with the effects of its
 * operation. Where an operation first prepares something outside the database, a `pending` receipt is committed before.
 * One that a crash left pending stays pending, because the operation may have taken effect and a person has to look.
 * Completed receipts expire after a day.
 */
export const RECEIPT_RETENTION_MS = DAY_MS

/** Longer responses are stored compressed: each save of a document answers with the whole document. */
const COMPRESSED_FROM_CHARACTERS = 4096

export interface ReceiptKey {
  project_id: ProjectId
  actor: string
  operation: string
  idempotency_key: string
}

export interface StoredAnswer {
  status: number
  body: string
}

/** The key of a mutation, from header or body. The header may be quoted, the string form of the IETF draft. */
export function idempotencyKey(header: string | null, inBody: unknown): string {
  if (inBody !== undefined && typeof inBody !== 'string') throw malformed()
  const fromHeader = header === null ? undefined : (/^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim())
  if (fromHeader !== undefined && inBody !== undefined && fromHeader !== inBody) {
    throw new AppError('VALIDATION_FAILED', 'The Idempotency-Key header and idempotency_key differ.', {
      details: [{ path: '/idempotency_key', message: 'Differs from the header.' }],
    })
  }
  const key = fromHeader ?? inBody
  if (key === undefined)
    throw new AppError(
      'IDEMPOTENCY_KEY_REQUIRED',
      'A mutation needs an idempotency key: the header Idempotency-Key or the property idempotency_key.',
    )
  if (!/^[\x20-\x7E]{1,255}$/.test(key)) throw malformed()
  return key
}

function malformed(): AppError {
  return new AppError('VALIDATION_FAILED', 'An idempotency key is 1 to 255 printable ASCII characters.', {
    details: [{ path: '/idempotency_key', message: 'Expected 1 to 255 printable ASCII characters.' }],
  })
}

/** Opens a pending receipt for a request that is about to run, or answers what `findReceipt` does. */
export async function openReceipt(
  tx: Tx,
  key: ReceiptKey,
  print: string,
  now: number,
): Promise<{ receipt_id: number } | { stored: StoredAnswer }> {
  const [opened] = await tx.all<{ id: number }>(sql`
    INSERT INTO receipts (project_id, actor, operation, idempotency_key, fingerprint, state, created_at)
    VALUES (${key.project_id}, ${key.actor}, ${key.operation}, ${key.idempotency_key}, ${print}, 'pending', ${now})
    ON CONFLICT DO NOTHING RETURNING id`)
  if (opened) return { receipt_id: opened.id }
  const stored = await findReceipt(tx, key, print)
  if (!stored) throw new Error('A receipt that conflicts cannot be found.')
  return { stored }
}

/**
 * The stored response of an earlier request with the key; null when there was none. Throws IDEMPOTENCY_CONFLICT for
 * another body and REQUEST_IN_PROGRESS while the earlier request has not completed.
 */
export async function findReceipt(db: Reader | Tx, key: ReceiptKey, print: string): Promise<StoredAnswer | null> {
  const query = sql`
    SELECT fingerprint, state, status, response, response_zstd FROM receipts
    WHERE project_id = ${key.project_id} AND actor = ${key.actor} AND operation = ${key.operation}
      AND idempotency_key = ${key.idempotency_key}`
  const [first] = await ('expectNone' in db ? db.expectNone<Found>(query) : db.all<Found>(query))
  if (!first) return null
  requireSameBody(first.fingerprint, print)
  if (first.state === 'pending') throw inProgress()
  const body = first.response_zstd === null ? first.response! : await decompressed(first.response_zstd)
  return { status: first.status!, body }
}

type Found = Pick<typeof receipts.$inferSelect, 'fingerprint' | 'state' | 'status' | 'response' | 'response_zstd'>

/** Throws IDEMPOTENCY_CONFLICT for a key that was used with another body. */
export function requireSameBody(print: string, other: string): void {
  if (print !== other) throw new AppError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used with another body.')
}

/** REQUEST_IN_PROGRESS. */
export function inProgress(): AppError {
  return new AppError('REQUEST_IN_PROGRESS', 'The first request with this idempotency key has not completed.', {
    headers: { 'Retry-After': '1' },
  })
}

/** Which of the requests have a receipt. */
export async function haveReceipts(tx: Tx, keys: readonly ReceiptKey[]): Promise<boolean[]> {
  const rows = keys.map((key) => [key.project_id, key.actor, key.operation, key.idempotency_key])
  const found = await tx.expectNone<{ position: number }>(sql`
    SELECT sought.key AS position FROM json_each(${jsonText(rows)}) sought
    CROSS JOIN receipts receipt ON receipt.project_id = sought.value->>0 AND receipt.actor = sought.value->>1
      AND receipt.operation = sought.value->>2 AND receipt.idempotency_key = sought.value->>3`)
  const positions = new Set(found.map(({ position }) => position))
  return keys.map((_, index) => positions.has(index))
}

/** The receipt of a request that had none, with its response. */
export interface NewReceipt {
  key: ReceiptKey & { print: string }
  answer: StoredAnswer
  now: number
}

/** Stores receipts. Throws as `completeReceipt` does. */
export async function insertReceipts(tx: Tx, added: readonly NewReceipt[]): Promise<void> {
  const rows = added.map(({ key, answer, now }) => {
    const { response, response_zstd } = storedForm(answer)
    const { project_id, actor, operation, idempotency_key, print } = key
    const row = [project_id, actor, operation, idempotency_key, print, answer.status, response, now, now]
    return { row, response_zstd }
  })
  // JSON holds no bytes, so a compressed response has a statement of its own.
  const plain = rows.filter(({ response_zstd }) => response_zstd === null)
  const statements = [plain, ...rows.filter(({ response_zstd }) => response_zstd !== null).map((row) => [row])]
  for (const some of statements) {
    if (some.length === 0) continue
    const { with_rows, values, from } = packedRows(some.map(({ row }) => row))
    await tx.later(sql`
      ${with_rows} INSERT INTO receipts (state, response_zstd, project_id, actor, operation, idempotency_key,
        fingerprint, status, response, created_at, completed_at)
      SELECT 'completed', ${some[0]!.response_zstd}, ${values} ${from}`)
  }
}

/** Stores the response. Throws PAYLOAD_TOO_LARGE for one that no store takes (docs/api/limits.md#page-sizes). */
export async function completeReceipt(tx: Tx, receipt_id: number, answer: StoredAnswer, now: number): Promise<void> {
  const { response, response_zstd } = storedForm(answer)
  await tx.later(sql`
    UPDATE receipts SET state = 'completed', status = ${answer.status}, response = ${response},
      response_zstd = ${response_zstd}, completed_at = ${now}
    WHERE id = ${receipt_id}`)
}

function storedForm({ body }: StoredAnswer): Pick<Found, 'response' | 'response_zstd'> {
  if (Buffer.byteLength(body) > MAX_VALUE_BYTES)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The response is larger than ${MAX_VALUE_BYTES} bytes. Ask for less in one request.`,
    )
  return body.length > COMPRESSED_FROM_CHARACTERS
    ? { response: null, response_zstd: Bun.zstdCompressSync(body) }
    : { response: body, response_zstd: null }
}

async function decompressed(bytes: Uint8Array): Promise<string> {
  return (await Bun.zstdDecompress(bytes)).toString()
}

/** Deletes the receipt of an operation that was rolled back, so that its key can be used again. */
export async function dropReceipt(tx: Tx, receipt_id: number): Promise<void> {
  await tx.delete(receipts).where(and(eq(receipts.id, receipt_id), eq(receipts.state, 'pending')))
}

export const receiptRetention: RetentionRule = {
  rows: 'idempotency receipts',
  kept: '24 hours after completion; pending ones until a person has looked',
  statement: (now, limit) =>
    deleteWhere('receipts', 'id', sql`state = 'completed' AND completed_at <= ${now - RECEIPT_RETENTION_MS}`, limit),
}
