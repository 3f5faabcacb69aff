import type { SQL } from 'drizzle-orm'
import type { LoopContext } from '../../store/runtime.ts'
import type { Tx } from '../../store/open.ts'
import { errorFields } from '../../log.ts'
import { newId } from '../../ids.ts'
import { createLedger, type Outcome } from './ledger.ts'
import { abandonLease, type Lease, type Leased, release } from './lease.ts'
import { returnTokens, takeTokens, withinLimits } from './quota.ts'
import type { SmtpEnvelope, SmtpOutcome } from './smtp.ts'
import type { Connection } from './connections.ts'
import type { Transport } from './transport.ts'

/** Messages of one origin (a campaign, a project's single messages) on their way through one connection. */
export interface Stream {
  project_id: string
  connection: Connection
  monthly_limit: number | null
  running: SQL
  mayGo: SQL
  lease(tx: Tx, lease: Lease, most: number, now: number): Promise<Leased[]>
  /** Reads what the messages of some rows need; the answer makes each when its turn comes, or null when it cannot be made. */
  compose(rows: readonly Leased[]): Promise<(row: Leased) => Composed | null>
}

export interface Composed {
  envelope: SmtpEnvelope
  message: Buffer
  message_id: string
}

/** Rows leased at once: enough to keep the connections busy, few enough that a crash gives back little. */
const BATCH = 200
/** Messages handed to the transport beyond its connections, so that none of them idles while the next is marked. */
const AHEAD = 2
/** Pauses between the tries of one message: five tries within an hour (contract-details 2C.36). */
const RETRY_MS = [60_000, 300_000, 900_000, 1_800_000]
/** A relay that cannot be reached is asked again after this; the messages wait and lose no try. */
const RELAY_DOWN_MS = 30_000
const GIVE_UP_MS = 72 * 3_600_000

export interface PumpResult {
  /** Milliseconds after which the connection's pace allows more; null when it does not hold anything up. */
  paced_ms: number | null
  /** Why the relay could not be reached, or null. */
  relay_down: string | null
}

/** Sends what is due of a stream until nothing is, a limit or the pace of the connection is reached, or the process stops. */
export async function pump(context: LoopContext, stream: Stream, transport: Transport): Promise<PumpResult> {
  while (!context.stopping()) {
    const lease: Lease = { worker_id: context.worker_id, lease_id: newId('prc') }
    const { rows, wait_ms } = await take(context, stream, lease)
    if (rows.length === 0) return { paced_ms: wait_ms, relay_down: null }
    const { stopped, relay_down } = await sendAll(context, stream, transport, lease, rows)
    if (stopped || relay_down !== null) return { paced_ms: null, relay_down }
  }
  return { paced_ms: null, relay_down: null }
}

/** Leases a batch, as large as the limits and the connection's pace allow. */
function take(context: LoopContext, stream: Stream, lease: Lease): Promise<{ rows: Leased[]; wait_ms: number | null }> {
  const { id, max_per_second } = stream.connection
  const now = context.clock.now()
  return context.store.write(async (tx) => {
    const room = await withinLimits(tx, limitsOf(stream), BATCH, now)
    if (room === 0) return { rows: [], wait_ms: null }
    if (max_per_second === null) return { rows: await stream.lease(tx, lease, room, now), wait_ms: null }
    const { taken, wait_ms } = await takeTokens(tx, id, max_per_second, room, now)
    if (taken === 0) return { rows: [], wait_ms }
    const rows = await stream.lease(tx, lease, taken, now)
    if (rows.length < taken) await returnTokens(tx, id, taken - rows.length)
    return { rows, wait_ms: null }
  })
}

const limitsOf = ({ project_id, connection, monthly_limit }: Stream) => ({ project_id, connection_id: connection.id, max_per_day: connection.max_per_day, monthly_limit })

/** Sends a leased batch through as many slots as the transport takes; what could not go is given back. */
async function sendAll(context: LoopContext, stream: Stream, transport: Transport, lease: Lease, rows: Leased[]): Promise<{ stopped: boolean; relay_down: string | null }> {
  const ledger = createLedger({ store: context.store, now: () => context.clock.now(), lease, limits: limitsOf(stream), mayGo: stream.mayGo, running: stream.running })
  const compose = await stream.compose(rows)
  const waiting = [...rows].reverse()
  const back: Leased[] = []
  let stopped = false
  let relay_down: string | null = null

  const slot = async (): Promise<void> => {
    while (!stopped && relay_down === null && !context.stopping()) {
      const row = waiting.pop()
      if (!row) return
      const verdict = await ledger.mark(row)
      if (verdict === 'stopped') {
        stopped = true
        back.push(row)
      }
      if (verdict !== 'sending') continue
      const outcome = await handOver(context, transport, compose, row)
      if (outcome.status === 'back') relay_down = outcome.error
      await ledger.settle(row, outcome)
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(rows.length, transport.parallel * AHEAD) }, slot))
  } catch (error) {
    context.log.error('a batch was not finished', { project_id: stream.project_id, ...errorFields(error) })
    await abandon(context, lease)
    return { stopped: true, relay_down }
  }
  back.push(...waiting)
  if (back.length > 0) await context.store.write((tx) => release(tx, back.map(({ id }) => id), lease))
  return { stopped, relay_down }
}

/**
 * When the store failed under a batch, its rows are put right as if this worker had died: nobody else would, as long
 * as it lives.
 */
async function abandon(context: LoopContext, lease: Lease): Promise<void> {
  for (;;) {
    try {
      return await context.store.write((tx) => abandonLease(tx, lease, context.clock.now()))
    } catch (error) {
      context.log.error('the rows of a failed batch are not put right yet', errorFields(error))
      if (context.stopping()) return
      await Bun.sleep(STORE_DOWN_MS)
    }
  }
}

const STORE_DOWN_MS = 1_000

async function handOver(context: LoopContext, transport: Transport, compose: (row: Leased) => Composed | null, row: Leased): Promise<Outcome> {
  const composed = compose(row)
  if (!composed) return { status: 'failed', error: 'The message could not be made.' }
  const outcome = await transport.send(composed.envelope, composed.message).catch((error: unknown): SmtpOutcome => ({ kind: 'uncertain', message: String(error) }))
  return settled(outcome, composed, row, context.clock.now())
}

/** What an answer of the relay means for a message (contract-details 2C.36). */
function settled(outcome: SmtpOutcome, composed: Composed, row: Leased, now: number): Outcome {
  if (outcome.kind === 'sent') return { status: 'sent', message_id: composed.message_id }
  if (outcome.kind === 'uncertain') return { status: 'uncertain', error: outcome.message }
  const error = `${outcome.code ?? ''} ${outcome.enhanced ?? ''} ${outcome.message}`.replace(/\s+/g, ' ').trim().slice(0, 500)
  if (outcome.scope === 'connection' && BEFORE_THE_ENVELOPE.has(outcome.stage)) {
    return now - row.created_at > GIVE_UP_MS ? { status: 'failed', error } : { status: 'back', error, due_at: now + RELAY_DOWN_MS }
  }
  if (outcome.kind === 'permanent' && outcome.scope === 'recipient') {
    return outcome.bad_address ? { status: 'bounced', error } : { status: 'failed', error }
  }
  const pause = RETRY_MS[row.attempts]
  return pause === undefined ? { status: 'failed', error } : { status: 'later', error, due_at: now + pause }
}

const BEFORE_THE_ENVELOPE: ReadonlySet<string> = new Set(['connect', 'greeting', 'tls', 'auth'])

