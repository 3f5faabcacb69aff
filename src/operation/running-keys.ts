import { findReceipt, inProgress, type ReceiptKey, requireSameBody, type StoredAnswer } from './receipt.ts'
import type { Reader } from '../store/open.ts'

/** A key of idempotency with the hash of the request. */
export interface Keyed extends ReceiptKey {
  print: string
}

/** Hashes of the requests that run on this thread, by their keys. The id of an actor occurs in one database only. */
const running = new Map<string, string>()

/**
 * Claims a key while its request runs. When another request with the key runs, answers what a third one stored before,
 * or throws IDEMPOTENCY_CONFLICT or REQUEST_IN_PROGRESS. Requests on other threads wait for each other's transaction
 * instead, and find the receipt there.
 */
export async function claimKey(
  db: Reader,
  { print, ...key }: Keyed,
): Promise<{ release(): void } | { stored: StoredAnswer }> {
  const name = JSON.stringify([key.project_id, key.actor, key.operation, key.idempotency_key])
  const other = running.get(name)
  if (other !== undefined) {
    const stored = await findReceipt(db, key, print)
    if (stored) return { stored }
    requireSameBody(other, print)
    throw inProgress()
  }
  running.set(name, print)
  return { release: () => void running.delete(name) }
}
