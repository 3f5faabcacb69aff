import { AppError } from '../errors.ts'
import { errorFields, type Log } from '../log.ts'
import type { Store, Tx } from '../store/open.ts'
import { errorEnvelope } from './envelope.ts'
import type { CallReceipt, Entered } from './pipeline.ts'
import {
  completeReceipt,
  dropReceipt,
  findReceipt,
  insertReceipts,
  type NewReceipt,
  openReceipt,
  type StoredAnswer,
} from './receipt.ts'
import type { Keyed } from './running-keys.ts'

/** The receipt of a mutation that runs now (docs/api/idempotency.md#receipts). */
interface Keeping {
  store: Store
  log: Log
  key: Keyed
  request_id: string
  /** Of the response. */
  headers: Record<string, string>
  now: number
  /** The answer as it is sent and stored. */
  render(answer: unknown): StoredAnswer
}

/** An answer that an earlier call stored. It may have committed a moment ago and not be on the disk yet. */
export async function repeated({ store, headers }: Keeping, answer: { stored: StoredAnswer }) {
  await store.flush()
  headers['Idempotent-Replayed'] = 'true'
  return answer
}

/** The commit of the effects puts the pending receipt on the disk, too; without it neither is there. */
const PENDING = { durable: false }

/** Commits a pending receipt before the operation prepares anything outside the database. */
export async function openAhead(keeping: Keeping): Promise<Entered<StoredAnswer>> {
  const { store, log, key, request_id, now, render } = keeping
  const opened = await store.write((tx) => openReceipt(tx, key, key.print, now), PENDING)
  if ('stored' in opened) return repeated(keeping, opened)
  const { receipt_id } = opened
  return {
    receipt: {
      async complete(tx, answer) {
        const stored = render(answer)
        await completeReceipt(tx, receipt_id, stored, now)
        return stored
      },
      async settle(error) {
        const kept = keptAnswer(error, request_id)
        try {
          await store.write((tx) => (kept ? completeReceipt(tx, receipt_id, kept, now) : dropReceipt(tx, receipt_id)))
        } catch (failure) {
          log.error('a receipt stays pending', { receipt_id, request_id, ...errorFields(failure) })
        }
        return null
      },
    },
  }
}

/** A receipt that is looked for and written in the transaction of the effects, so that none is ever pending. */
export function receiptWithin({ store, key, request_id, headers, now, render }: Keeping): CallReceipt<StoredAnswer> {
  let isFirst = false
  const find = async (tx: Tx): Promise<StoredAnswer | null> => {
    isFirst = false
    const stored = await findReceipt(tx, key, key.print)
    isFirst = stored === null
    if (stored) headers['Idempotent-Replayed'] = 'true'
    return stored
  }
  const insert = async (tx: Tx, stored: StoredAnswer): Promise<StoredAnswer> => {
    await insertReceipts(tx, [rowOf(stored)])
    return stored
  }
  const rowOf = (answer: StoredAnswer): NewReceipt => ({ key, answer, now })
  return {
    find,
    complete: (tx, answer) => insert(tx, render(answer)),
    shared: {
      key,
      rowOf(answer) {
        const result = render(answer)
        return { result, row: rowOf(result) }
      },
    },
    async settle(error) {
      const kept = isFirst ? keptAnswer(error, request_id) : null
      if (kept === null) return null
      // In between another process may have run the call.
      const { stored } = await store.write(async (tx) => ({
        stored: (await find(tx)) ?? (await insert(tx, kept)),
      }))
      return stored === kept ? null : stored
    },
  }
}

/** The answer to store for an operation that answered 404 or 409; null for any other failure. */
function keptAnswer(error: unknown, request_id: string): StoredAnswer | null {
  const kept = error instanceof AppError && (error.status === 404 || error.status === 409)
  return kept ? { status: error.status, body: JSON.stringify(errorEnvelope(error, request_id)) } : null
}
