import { type SQL, sql } from 'drizzle-orm'
import { journalFolder } from '../../instance.ts'
import { errorFields } from '../../log.ts'
import { countMessages } from '../../metrics.ts'
import type { LoopContext } from '../../runtime.ts'
import { journaledWorkers, type PageRecord, readJournal, removeJournal } from '../../store/journal.ts'
import { jsonText } from '../../store/json-text.ts'
import { livingWorkers } from '../../store/lease.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { hasRows } from '../../store/rows.ts'
import { recordEvents } from '../tracking/events.ts'
import { settleAll } from './ledger.ts'
import { type Held, held, type Lease, recover } from './outbox.ts'
import { type Outcome, unsent } from './outcome.ts'
import { statusBefore } from './states.ts'

/**
 * Recovers messages whose worker died or whose batch failed (docs/api/delivery.md#doubt). The handover journal tells
 * which of the marked messages were not handed over and what the relay answered; only the others are in doubt.
 */

/** Rows recovered in one transaction. */
const RECOVERED_AT_ONCE = 5000
const DOUBT = 'The process ended after the message was handed over and before its outcome was stored.'
/** The pause between two attempts to recover a batch while the store fails. */
const STORE_DOWN_MS = 1_000

/** The journal pages of a worker, by lease id. */
type Pages = Pick<ReadonlyMap<string, PageRecord>, 'get'>

/**
 * Recovers the messages that dead workers held. The asking worker counts as alive however late its last heartbeat is:
 * after a pause of the machine its own messages are not in doubt. `journals`: whether this process has removed the
 * journals of dead workers.
 */
export async function recoverWorkers(context: LoopContext, journals: { are_tidy: boolean }): Promise<void> {
  const { store, clock } = context
  const folder = journalFolder(context.config)
  const living = await aliveFor(store.db, context)
  const dead = await store.db.all<{ worker_id: string }>(sql`
    SELECT DISTINCT worker_id FROM deliveries
    WHERE ${statusBefore('recover')} AND worker_id NOT IN (SELECT value FROM json_each(${jsonText(living)}))`)
  for (const { worker_id } of dead) {
    const pages = readJournal(folder, worker_id) ?? new Map()
    for (let recovered = RECOVERED_AT_ONCE; recovered === RECOVERED_AT_ONCE;) {
      const { rows, uncertain } = await store.write(async (tx) =>
        (await aliveFor(tx, context)).includes(worker_id)
          ? { rows: 0, uncertain: 0 }
          : recoverRows(tx, sql`worker_id = ${worker_id}`, pages, clock.now()),
      )
      countMessages('uncertain', uncertain)
      recovered = rows
    }
  }
  if (dead.length === 0 && journals.are_tidy) return
  journals.are_tidy = true
  const alive = await aliveFor(store.db, context)
  for (const worker_id of journaledWorkers(folder)) if (!alive.includes(worker_id)) removeJournal(folder, worker_id)
}

async function aliveFor(db: Reader, { worker_id, clock }: LoopContext): Promise<string[]> {
  return [worker_id, ...(await livingWorkers(db, clock.now()))]
}

/**
 * Recovers the messages that one lease of a living worker still holds. None of them may be on its way to a relay.
 * Answers how many are in doubt.
 */
export async function recoverLease(tx: Tx, lease: Lease, pages: Pages, now: number): Promise<number> {
  const which = sql`worker_id = ${lease.worker_id} AND lease_id = ${lease.lease_id}`
  let in_doubt = 0
  for (let recovered = RECOVERED_AT_ONCE; recovered === RECOVERED_AT_ONCE;) {
    const { rows, uncertain } = await recoverRows(tx, which, pages, now)
    in_doubt += uncertain
    recovered = rows
  }
  return in_doubt
}

/**
 * Cleans up after the store failed under a batch: `settle` writes the outcomes that are known, and the other rows are
 * recovered as if the worker had died. No other worker would do it while this one lives, so it is tried until it
 * succeeds or the process stops.
 */
export async function recoverBatch(
  context: LoopContext,
  lease: Lease,
  settle: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<void> {
  const page = context.journal.page(lease.lease_id)
  const pages: Pages = { get: () => page }
  for (;;) {
    try {
      const uncertain = await context.store.write(async (tx) => {
        await settle(tx)
        return recoverLease(tx, lease, pages, context.clock.now())
      })
      countMessages('uncertain', uncertain)
      return page?.close()
    } catch (error) {
      context.log.error('a failed batch of messages is not recovered yet', errorFields(error))
      // The page stays open, so the next process finds it.
      if (context.stopping()) return
      await Bun.sleep(STORE_DOWN_MS)
    }
  }
}

/** Answers how many messages it found, and how many of them are in doubt. */
async function recoverRows(
  tx: Tx,
  which: SQL,
  pages: Pages,
  now: number,
): Promise<{ rows: number; uncertain: number }> {
  const rows = await held(tx, which, RECOVERED_AT_ONCE)
  await settleKnown(tx, rows, pages, now)
  const recovered = await recover(
    tx,
    rows.map(({ id }) => id),
    DOUBT,
  )
  const doubtful = recovered.filter(({ status }) => status === 'uncertain')
  await recordEvents(
    tx,
    doubtful.map(({ id, status: _, kind, campaign_id, ...recipient }) => ({
      ...recipient,
      campaign_id: kind === 'campaign' ? campaign_id : null,
      delivery_id: id,
      type: 'uncertain' as const,
      at: now,
      detail: DOUBT,
    })),
  )
  return { rows: rows.length, uncertain: doubtful.length }
}

/** Settles the marked messages of which the journal tells what happened, under the lease that they still carry. */
async function settleKnown(tx: Tx, rows: readonly Held[], pages: Pages, now: number): Promise<void> {
  const known = rows.flatMap((message) => {
    const page = message.status === 'sending' ? pages.get(message.lease_id) : undefined
    const outcome = page && outcomeIn(page, message.id)
    return outcome ? [{ message, outcome, connection_id: page.about }] : []
  })
  const groups = Map.groupBy(known, ({ message }) => `${message.lease_id} ${message.project_id} ${originOf(message)}`)
  for (const group of groups.values()) {
    const [{ message, connection_id }] = group as [(typeof group)[number]]
    const { worker_id, lease_id, project_id } = message
    const limits = {
      project_id,
      connection_id,
      campaign_id: originOf(message),
      max_per_day: null,
      monthly_limit: null,
      in_sandbox: await isSandbox(tx, connection_id),
    }
    await settleAll(tx, { lease: { worker_id, lease_id }, limits }, group, now)
  }
}

async function isSandbox(tx: Tx, connection_id: number): Promise<boolean> {
  return hasRows(await tx.all(sql`SELECT 1 FROM connections WHERE id = ${connection_id} AND provider = 'sandbox'`))
}

/** The campaign that counts a message as handed over; null for transactional ones. */
const originOf = ({ kind, campaign_id }: Held): number | null => (kind === 'campaign' ? campaign_id : null)

/** The outcome of a marked message by the journal; null when it is in doubt. */
function outcomeIn({ items }: PageRecord, id: number): Outcome | null {
  const item = items.get(id)
  if (!item) return unsent()
  return 'answer' in item ? (item.answer as Outcome) : null
}
