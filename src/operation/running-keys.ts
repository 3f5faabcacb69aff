import type { Claims } from '../shared-claims.ts'
import { findReceipt, inProgress, type ReceiptKey, requireSameBody, type StoredAnswer } from './receipt.ts'
import type { Reader } from '../store/open.ts'

/** A key of idempotency with the hash of the request. */
export interface Keyed extends ReceiptKey {
  print: string
}

/**
 * Claims a key while its request runs. When another request with the key runs, answers what a third one stored before,
 * or throws IDEMPOTENCY_CONFLICT or REQUEST_IN_PROGRESS. Requests of other processes wait for each other's transaction
 * instead, and find the receipt there.
 */
export async function claimKey(
  claims: Claims,
  db: Reader,
  { print, ...key }: Keyed,
): Promise<{ release(): void } | { stored: StoredAnswer }> {
  const name = JSON.stringify([key.project_id, key.actor, key.operation, key.idempotency_key])
  const claim = claims.take(name, print)
  if ('release' in claim) return claim
  const stored = await findReceipt(db, key, print)
  if (stored) return { stored }
  if (claim.claimed !== null) requireSameBody(claim.claimed, print)
  throw inProgress()
}
