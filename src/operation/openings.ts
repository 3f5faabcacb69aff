import { sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { Store, Tx } from '../store/open.ts'
import { type Allowance, takeQuotas } from './rate-limit.ts'
import { insertReceipts, openReceipt, type PendingReceipt, type StoredAnswer } from './receipt.ts'

/** The first transaction of a mutation: its quota unit and, when the request is valid, its pending receipt. */
export interface Opened {
  allowance: Allowance
  /** Null when the quota is used up, or the request is not valid. */
  receipt: { receipt_id: number } | { stored: StoredAnswer } | { error: AppError } | null
}

interface Waiting {
  wanted: PendingReceipt | null
  resolve(opened: Opened): void
  reject(error: unknown): void
}

interface Bucket {
  name: string
  limit: number
  waiting: Waiting[]
}

const MAX_OPENINGS = 200
/** The commit of the effects puts the pending receipt on the disk, too; without it neither is there. */
const PENDING = { durable: false }
const buckets = new WeakMap<Store, Map<string, Bucket>>()

/**
 * Opens a mutation. On a libSQL server those of a bucket that arrive during a write share the statements of the next
 * one, because a round trip costs more than they do.
 * @param wanted null for a request that is not valid, which takes its unit all the same
 */
export async function openMutation(
  store: Store,
  { name, limit }: { name: string; limit: number },
  wanted: PendingReceipt | null,
  now: () => number,
): Promise<Opened> {
  if (store.kind === 'file') return store.write((tx) => openOne(tx, { name, limit }, wanted, now()), PENDING)
  const known = buckets.get(store) ?? new Map<string, Bucket>()
  buckets.set(store, known)
  const bucket = known.get(name)
  return new Promise((resolve, reject) => {
    if (bucket) {
      bucket.waiting.push({ wanted, resolve, reject })
      return
    }
    const begun = { name, limit, waiting: [{ wanted, resolve, reject }] }
    known.set(name, begun)
    void serve(store, begun, now).finally(() => known.delete(name))
  })
}

async function serve(store: Store, bucket: Bucket, now: () => number): Promise<void> {
  while (bucket.waiting.length > 0) {
    let taken: Waiting[] = []
    try {
      const opened = await store.write((tx) => {
        // The work may run again, for the same openings.
        if (taken.length === 0) taken = bucket.waiting.splice(0, MAX_OPENINGS)
        return openAll(
          tx,
          bucket,
          taken.map(({ wanted }) => wanted),
          now(),
        )
      }, PENDING)
      taken.forEach(({ resolve }, index) => resolve(opened[index]!))
    } catch (error) {
      for (const { reject } of taken.length > 0 ? taken : bucket.waiting.splice(0)) reject(error)
    }
  }
}

async function openOne(
  tx: Tx,
  { name, limit }: { name: string; limit: number },
  wanted: PendingReceipt | null,
  now: number,
): Promise<Opened> {
  const [taken] = await takeQuotas(tx, name, { limit, wanted: 1 }, now)
  const allowance = taken!
  if (wanted === null || !allowance.allowed) return { allowance, receipt: null }
  return { allowance, receipt: await attempt(() => openReceipt(tx, wanted)) }
}

/** Answers in the order of `wanted`. */
async function openAll(
  tx: Tx,
  { name, limit }: { name: string; limit: number },
  wanted: readonly (PendingReceipt | null)[],
  now: number,
): Promise<Opened[]> {
  const taking = takeQuotas(tx, name, { limit, wanted: wanted.length }, now)
  const valid = wanted.filter((one) => one !== null)
  // Only if the statement before it took all units. On a libSQL server both share a round trip.
  const inserting = insertReceipts(tx, valid, sql`changes() = 1`)
  const [allowances, inserted] = await Promise.all([taking, inserting])
  const opened: Opened[] = []
  for (const [index, allowance] of allowances.entries()) {
    const one = wanted[index]!
    const receipt_id = one === null ? undefined : inserted.get(one)
    if (one === null || !allowance.allowed) opened.push({ allowance, receipt: null })
    else if (receipt_id !== undefined) opened.push({ allowance, receipt: { receipt_id } })
    else opened.push({ allowance, receipt: await attempt(() => openReceipt(tx, one)) })
  }
  return opened
}

async function attempt<T>(work: () => Promise<T>): Promise<T | { error: AppError }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}
