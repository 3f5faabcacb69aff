import { DAY_MS } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { MAX_VALUE_BYTES } from '../store/store.ts'
import { receipts } from '../store/tables/operation.ts'

/**
 * Idempotency receipts (docs/api/idempotency.md#receipts). `pending` is committed before an operation runs, `completed`
 * together with its effects. A receipt that a crash left pending stays pending, because the operation may have taken
 * effect and a person has to look. Completed receipts expire after a day.
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

/**
 * Opens a receipt for a request that is about to run, or returns the stored response of an earlier one. Throws
 * IDEMPOTENCY_CONFLICT for another body and REQUEST_IN_PROGRESS while the earlier request has not completed.
 */
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
  const [first] = await tx
    .select()
    .from(receipts)
    .where(
      and(
        eq(receipts.project_id, key.project_id),
        eq(receipts.actor, key.actor),
        eq(receipts.operation, key.operation),
        eq(receipts.idempotency_key, key.idempotency_key),
      ),
    )
  if (!first) throw new Error('A receipt that conflicts cannot be found.')
  if (first.fingerprint !== print)
    throw new AppError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used with another body.')
  if (first.state === 'pending')
    throw new AppError('REQUEST_IN_PROGRESS', 'The first request with this idempotency key has not completed.', {
      headers: { 'Retry-After': '1' },
    })
  const body = first.response_zstd === null ? first.response! : await decompressed(first.response_zstd)
  return { stored: { status: first.status!, body } }
}

/** Stores the response. Throws PAYLOAD_TOO_LARGE for one that no store takes (docs/api/limits.md#page-sizes). */
export async function completeReceipt(tx: Tx, receipt_id: number, answer: StoredAnswer, now: number): Promise<void> {
  if (Buffer.byteLength(answer.body) > MAX_VALUE_BYTES)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The response is larger than ${MAX_VALUE_BYTES} bytes. Ask for less in one request.`,
    )
  const stored =
    answer.body.length > COMPRESSED_FROM_CHARACTERS
      ? sql`response_zstd = ${Bun.zstdCompressSync(answer.body)}`
      : sql`response = ${answer.body}`
  await tx.run(sql`
    UPDATE receipts SET state = 'completed', status = ${answer.status}, ${stored}, completed_at = ${now}
    WHERE id = ${receipt_id}`)
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
