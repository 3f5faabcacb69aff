import { type SQL, sql } from 'drizzle-orm'
import type { HandOverGate } from '../../mail/smtp-session.ts'
import { WITHHELD } from '../../mail/smtp-session.ts'
import { errorFields } from '../../log.ts'
import type { LoopContext } from '../../runtime.ts'
import type { JournalPage } from '../../store/journal.ts'
import { hasRows } from '../../store/rows.ts'
import type { Brake } from './brake.ts'
import { createGroups, type Marked } from './groups.ts'
import { type Composable, handOver } from './hand-over.ts'
import { type HandoverFacts, handoverFacts } from './handover-facts.ts'
import { type LedgerOptions, SKIPPED } from './ledger.ts'
import { type Lease, type Leased, release } from './outbox.ts'
import { type Outcome, outcomeOf, unsent, wasUnreachable } from './outcome.ts'
import { createPace } from './pace.ts'
import { type Batch, leaseBatch, limitsOf, type Source } from './paced-batch.ts'
import { throttle } from './provider-limits.ts'
import { recoverBatch } from './recovery.ts'
import type { Transport } from './transports.ts'

/** Messages of one origin (a campaign, or a project's transactional messages) sent through one connection. */
export interface Stream extends Source, Composable {
  /** As in `LedgerOptions`. */
  running: SQL
  may_send: SQL
  messageId(row: Leased): string
  /** Stops the stream while its relay fails. */
  brake?: Brake
  /** Called after each batch. */
  afterBatch?(): Promise<void>
}

/** The parameters of sending one batch. */
export interface Sending {
  context: LoopContext
  stream: Stream
  transport: Transport
  lease: Lease
  /** Since when the relay has been unreachable, or null. */
  down_since: number | null
  /** Called once all messages of the batch have left, or will not; answers may be awaited still. */
  allLeft?(): void
}

interface BatchResult {
  /** The stream has to stop: it was paused, a limit is reached, or the store failed. */
  stopped: boolean
  relay_down: string | null
  /** Messages marked or skipped. */
  handed_over: number
  /** Some messages were deferred by a mailbox provider's limit. */
  throttled: boolean
}

/** Leases a batch. If the store's answer is lost, the rows may be leased nevertheless, so they are recovered. */
export async function leaseOrRecover({ context, stream, lease }: Sending, opened_at: number): Promise<Batch | null> {
  try {
    return await leaseBatch(context, stream, lease, opened_at)
  } catch (error) {
    await recoverBatch(context, lease)
    throw error
  }
}

/** Sends a leased batch. Its rows are recovered whatever fails: no other worker would do it while this one lives. */
export async function sendBatch(sending: Sending, { rows, send_at }: Batch): Promise<BatchResult> {
  const { context, stream, lease } = sending
  try {
    const ready = await throttle(context, { connection: stream.connection, lease, rows })
    const throttled = ready.length < rows.length
    if (ready.length === 0) return { stopped: false, relay_down: null, handed_over: 0, throttled }
    const times = new Map(ready.flatMap(({ id }, index) => (send_at ? [[id, send_at[index]!]] : [])))
    return { ...(await sendRows(sending, ready, times)), throttled }
  } catch (error) {
    await recoverBatch(context, lease)
    throw error
  }
}

/** Consent that was checked so long ago is checked again right before the content of a message is written. */
const CONSENT_FRESH_MS = 500

/** The journal page and the facts of a batch, which are written outside the database. */
interface Records {
  page: JournalPage
  facts: HandoverFacts
}

/**
 * Checks right before a marked message is handed over whether it still may be. `refusal`: its outcome when it may not.
 */
function gateOf(
  context: LoopContext,
  stream: Stream,
  { page, facts }: Records,
  { message, marked_at }: Marked,
  leaves: () => Promise<void>,
): { gate: HandOverGate; refusal(): Outcome } {
  const { id } = message
  let refused = unsent()
  const gate: HandOverGate = {
    async mayGo() {
      await leaves()
      if (performance.now() - marked_at <= CONSENT_FRESH_MS) return true
      const welcome = await context.store.db.all(
        sql`SELECT 1 FROM deliveries delivery WHERE delivery.id = ${id} AND ${stream.may_send}`,
      )
      if (hasRows(welcome)) return true
      refused = { status: 'skipped', error: SKIPPED }
      return false
    },
    begin() {
      if (!page.begin(id)) return false
      facts.begin(message)
      return true
    },
  }
  return { gate, refusal: () => refused }
}

/** A record that cannot be written leaves the message in doubt if the process is killed now, and nothing else. */
function noteAnswer({ log }: LoopContext, { page, facts }: Records, message: Leased, outcome: Outcome): void {
  const { id } = message
  try {
    // In this order: a kill in between leaves the message in doubt.
    facts.end(message, outcome)
    page.answer(id, outcome)
  } catch (error) {
    log.error('the handover journal cannot be written', { delivery_id: id, ...errorFields(error) })
  }
}

async function sendRows(
  { context, stream, transport, lease, down_since, allLeft }: Sending,
  rows: Leased[],
  times: ReadonlyMap<number, number>,
): Promise<Omit<BatchResult, 'throttled'>> {
  const ledger: LedgerOptions = {
    lease,
    limits: limitsOf(stream, context.clock.now()),
    may_send: stream.may_send,
    running: stream.running,
    messageId: stream.messageId,
  }
  const compose = await stream.compose(rows)
  const { max_per_second } = stream.connection
  const pace = max_per_second === null ? null : (transport.pace ??= createPace(max_per_second))
  const sendAt = ({ id }: Leased): number => times.get(id) ?? Number.NEGATIVE_INFINITY
  const beginAt = (row: Leased): number => sendAt(row) - (pace?.lead_ms ?? 0)
  const groups = createGroups({ context, ledger, rows, size: transport.parallel, sendAt: beginAt })
  const facts = await handoverFacts(context, stream)
  const page = context.journal.open(lease.lease_id, stream.connection.id)
  const records = { page, facts }
  let relay_down: string | null = null
  const not_left = new Set(rows)
  const hasLeft = (message: Leased): void => {
    if (not_left.delete(message) && not_left.size === 0) allLeft?.()
  }

  const attempt = async (marked: Marked): Promise<Outcome> => {
    const { message } = marked
    if (stream.brake?.tripped) return unsent()
    let begun_at = 0
    const { gate, refusal } = gateOf(context, stream, records, marked, async () => {
      pace?.noteBegun(performance.now() - begun_at)
      await pace?.leave(sendAt(message))
      hasLeft(message)
    })
    const answer = await handOver({
      context,
      stream,
      transport,
      compose,
      message,
      gate,
      async dueNow() {
        await pace?.begin(sendAt(message))
        begun_at = performance.now()
      },
    })
    hasLeft(message)
    if (answer === WITHHELD) return refusal()
    if (answer && 'message' in answer && wasUnreachable(answer)) relay_down = answer.message
    const outcome = outcomeOf(answer, message, { down_since, now: context.clock.now() })
    stream.brake?.record(outcome, answer)
    return outcome
  }
  const sendOneAfterTheOther = async (): Promise<void> => {
    for (let marked = await groups.next(); marked; marked = await groups.next()) {
      const outcome = await attempt(marked)
      noteAnswer(context, records, marked.message, outcome)
      groups.record({ message: marked.message, outcome })
    }
  }
  await Promise.all(Array.from({ length: Math.min(rows.length, transport.parallel) }, sendOneAfterTheOther))

  const { failed, stopped, handed_over, unmarked, settle } = await groups.finish()
  if (failed) {
    await recoverBatch(context, lease, settle)
  } else {
    const ids = unmarked.map(({ id }) => id)
    if (ids.length > 0) await context.store.write((tx) => release(tx, lease, ids))
    page.close()
  }
  return { stopped: stopped || failed, relay_down, handed_over }
}
