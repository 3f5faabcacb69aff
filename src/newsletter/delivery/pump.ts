import type { SQL } from 'drizzle-orm'
import type { LoopContext } from '../../store/runtime.ts'
import type { Tx } from '../../store/open.ts'
import { errorFields } from '../../log.ts'
import { newId } from '../../ids.ts'
import type { Signer } from './dkim-keys.ts'
import { type LedgerOptions, type Outcome, type Settling, writeLedger } from './ledger.ts'
import { holdBack } from './hold-back.ts'
import { abandonLease, type Lease, type Leased, release } from './lease.ts'
import { outgoing } from './outgoing.ts'
import { type Bucket, dailyLimit, type Limits, returnTokens, takeTokens, withinLimits } from './quota.ts'
import type { SmtpEnvelope, SmtpOutcome } from './smtp.ts'
import type { Connection } from './connections.ts'
import type { Transport } from './transport.ts'

/** Messages of one origin (a campaign, a project's single messages) on their way through one connection. */
export interface Stream {
  project_id: string
  /** Null for messages that are in no campaign's audience. */
  campaign_id: number | null
  connection: Connection
  monthly_limit: number | null
  running: SQL
  mayGo: SQL
  lease(tx: Tx, lease: Lease, most: number, now: number): Promise<Leased[]>
  /** Reads what the messages of some rows need; the answer makes each when its turn comes, or null when it cannot be made. */
  compose(rows: readonly Leased[]): Promise<(row: Leased) => Composed | null>
  /** The Message-ID of a row's message; the same at every try. */
  messageId(row: Leased): string
  /** Signs each message, when all else is done to it; null when they go as they are. */
  sign: Signer | null
  /** Looks at how the stream goes, now and then. */
  afterBatch?(): Promise<void>
}

export interface Composed {
  envelope: SmtpEnvelope
  message: Buffer
  message_id: string
}

/** How soon messages that were held back at a mailbox provider are looked at again. */
const HELD_BACK_MS = 200
/** Rows leased at once: enough to keep the connections busy, few enough that a crash gives back little. */
const BATCH = 500
/** How long an outcome may wait to be written: a slow relay must not leave many in doubt. */
const UNWRITTEN_MS = 50
/** Pauses between the tries of one message: five tries within an hour (contract-details 2C.36). */
const RETRY_MS = [60_000, 300_000, 900_000, 1_800_000]
/** A relay that cannot be reached is asked again after this; the messages wait and lose no try. */
const RELAY_DOWN_MS = 30_000
/** After a relay has been out of reach for so long, its messages fail. */
const GIVE_UP_MS = 72 * 3_600_000
/** A stream is opened anew after this: its connection and its limits may have been changed. */
const REOPEN_MS = 1_000

export interface PumpResult {
  /** Milliseconds after which the connection's pace allows more; null when it does not hold anything up. */
  paced_ms: number | null
  /** Why the relay could not be reached, or null. */
  relay_down: string | null
  /** Messages that were handed over, whatever came of them, and those skipped. */
  handed_over: number
}

/**
 * Sends what is due of a stream until nothing is, a limit or the pace of the connection is reached, it has to be
 * opened anew, or the process stops. `down_since`: when the relay was first out of reach, or null when it is not.
 */
export async function pump(context: LoopContext, stream: Stream, transport: Transport, down_since: number | null): Promise<PumpResult> {
  const reopen_at = performance.now() + REOPEN_MS
  let handed_over = 0
  let held_back = false
  while (!context.stopping() && performance.now() < reopen_at) {
    const lease: Lease = { worker_id: context.worker_id, lease_id: newId('prc') }
    const { rows, wait_ms } = await take(context, stream, lease)
    if (rows.length === 0) return { paced_ms: wait_ms ?? (held_back ? HELD_BACK_MS : null), relay_down: null, handed_over }
    const { held, stopped, relay_down, settled } = await sendBatch(context, stream, transport, lease, rows, down_since)
    held_back ||= held
    handed_over += settled
    await stream.afterBatch?.()
    if (stopped || relay_down !== null) return { paced_ms: null, relay_down, handed_over }
  }
  return { paced_ms: null, relay_down: null, handed_over }
}

/** What was leased is put right whatever goes wrong: as long as this worker lives, nobody else would do it. */
async function sendBatch(context: LoopContext, stream: Stream, transport: Transport, lease: Lease, rows: Leased[], down_since: number | null): Promise<BatchResult & { held: boolean }> {
  try {
    const now = await holdBack(context, stream.connection, lease, rows)
    const result = now.length > 0 ? await sendAll(context, stream, transport, lease, now, down_since) : { stopped: false, relay_down: null, settled: 0 }
    return { ...result, held: now.length < rows.length }
  } catch (error) {
    await putRight(context, async () => undefined, lease)
    throw error
  }
}

interface Taken {
  rows: Leased[]
  wait_ms: number | null
}

/** Leases a batch. When the answer of the store is lost the lease may stand nevertheless, and is given back. */
async function take(context: LoopContext, stream: Stream, lease: Lease): Promise<Taken> {
  try {
    return await leaseBatch(context, stream, lease)
  } catch (error) {
    await putRight(context, async () => undefined, lease)
    throw error
  }
}

/** As large a batch as the limits and the connection's pace allow. */
function leaseBatch(context: LoopContext, stream: Stream, lease: Lease): Promise<Taken> {
  const { id, max_per_second } = stream.connection
  const now = context.clock.now()
  return context.store.write(async (tx) => {
    const room = await withinLimits(tx, limitsOf(stream, now), BATCH, now)
    if (room === 0) return { rows: [], wait_ms: null }
    if (max_per_second === null) return { rows: await stream.lease(tx, lease, room, now), wait_ms: null }
    const bucket: Bucket = { connection_id: id, lane: '', per_second: max_per_second }
    const { taken, wait_ms } = await takeTokens(tx, bucket, room, now)
    if (taken === 0) return { rows: [], wait_ms }
    const rows = await stream.lease(tx, lease, taken, now)
    if (rows.length < taken) await returnTokens(tx, bucket, taken - rows.length)
    return { rows, wait_ms: null }
  })
}

function limitsOf({ project_id, campaign_id, connection, monthly_limit }: Stream, now: number): Limits {
  return { project_id, campaign_id, connection_id: connection.id, max_per_day: dailyLimit(connection, now), monthly_limit }
}

interface BatchResult {
  stopped: boolean
  relay_down: string | null
  settled: number
}

/**
 * Sends a leased batch. A group is marked in one transaction while the one before it is on its way, together with
 * what came of those already gone: so few messages are in doubt after a crash, and so few transactions are needed.
 */
async function sendAll(context: LoopContext, stream: Stream, transport: Transport, lease: Lease, rows: Leased[], down_since: number | null): Promise<BatchResult> {
  const result: BatchResult = { stopped: false, relay_down: null, settled: 0 }
  const ledger: LedgerOptions = { lease, limits: limitsOf(stream, context.clock.now()), mayGo: stream.mayGo, running: stream.running, messageId: stream.messageId }
  const compose = await stream.compose(rows)
  const group = transport.parallel
  let waiting = rows
  let ready: Leased[] = []
  let gone: Settling[] = []
  let writing: Promise<void> | null = null
  let written_at = performance.now()
  let failed = false
  let waits_for_relay = false

  const halted = () => failed || result.stopped || waits_for_relay || context.stopping()
  const write = async (): Promise<void> => {
    const next = halted() ? [] : waiting.slice(0, group)
    waiting = waiting.slice(next.length)
    const settlings = gone
    gone = []
    const verdicts = await context.store.write((tx) => writeLedger(tx, ledger, settlings, next, context.clock.now())).catch((error: unknown) => {
      context.log.error('the outcome of messages was not written yet', { project_id: stream.project_id, ...errorFields(error) })
      failed = true
      gone = [...settlings, ...gone]
      return null
    })
    if (!verdicts) return
    written_at = performance.now()
    ready = [...ready, ...next.filter(({ id }) => verdicts.get(id) === 'sending')]
    const held = next.filter(({ id }) => !verdicts.has(id))
    if (held.length > 0) result.stopped = true
    waiting = [...held, ...waiting]
    result.settled += next.length - held.length
  }
  const startWriting = (): Promise<void> => {
    writing ??= write().finally(() => { writing = null })
    return writing
  }

  const slot = async (): Promise<void> => {
    for (;;) {
      const row = ready.shift()
      if (!row) {
        if (writing === null && (failed || gone.length === 0) && (waiting.length === 0 || halted())) return
        await startWriting()
        continue
      }
      const sent = await handOver(context, stream, transport, compose, row)
      const outcome = meaningOf(sent, row, down_since, context.clock.now())
      if (sent && 'message' in sent && wasOutOfReach(sent)) result.relay_down = sent.message
      if (outcome.status === 'back') waits_for_relay = true
      gone.push({ message: row, outcome })
      const runningLow = ready.length <= group / 2 && waiting.length > 0 && !halted()
      if (writing === null && (runningLow || gone.length >= group || performance.now() - written_at > UNWRITTEN_MS)) void startWriting()
    }
  }

  await Promise.all(Array.from({ length: Math.min(rows.length, transport.parallel) }, slot))
  while (!failed && (writing !== null || gone.length > 0)) await startWriting()
  if (failed) {
    await putRight(context, (tx) => writeLedger(tx, ledger, gone, [], context.clock.now()), lease)
    return { ...result, stopped: true }
  }
  if (waiting.length > 0) await context.store.write((tx) => release(tx, waiting.map(({ id }) => id), lease))
  return result
}

/**
 * When the store failed under a batch, what is known of its rows is written as soon as it can be, and the rest is put
 * right as if this worker had died: nobody else would, as long as it lives.
 */
async function putRight(context: LoopContext, settle: (tx: Tx) => Promise<unknown>, lease: Lease): Promise<void> {
  for (;;) {
    try {
      return await context.store.write(async (tx) => {
        await settle(tx)
        await abandonLease(tx, lease, context.clock.now())
      })
    } catch (error) {
      context.log.error('the rows of a failed batch are not put right yet', errorFields(error))
      if (context.stopping()) return
      await Bun.sleep(STORE_DOWN_MS)
    }
  }
}

const STORE_DOWN_MS = 1_000

/** What the relay said; null when there was no message to hand over. */
async function handOver(context: LoopContext, { connection, sign }: Stream, transport: Transport, compose: (row: Leased) => Composed | null, row: Leased): Promise<SmtpOutcome | null> {
  const made = await make(context, connection, sign, compose, row)
  if (!made) return null
  return transport.send(made.envelope, made.message).catch((error: unknown): SmtpOutcome => ({ kind: 'uncertain', message: String(error) }))
}

/** The message as it leaves, or null: one recipient for whom it cannot be made stops nobody else's. */
async function make(context: LoopContext, connection: Connection, sign: Stream['sign'], compose: (row: Leased) => Composed | null, row: Leased): Promise<Composed | null> {
  try {
    const composed = compose(row)
    if (!composed) return null
    const leaving = outgoing(context.keys, connection, row.id, composed)
    const message = sign ? await sign(leaving.message) : leaving.message
    return message && { ...leaving, message, message_id: composed.message_id }
  } catch (error) {
    context.log.error('a message could not be made', { delivery_id: row.id, ...errorFields(error) })
    return null
  }
}

/** What an answer of the relay means for a message (contract-details 2C.36). */
function meaningOf(outcome: SmtpOutcome | null, row: Leased, down_since: number | null, now: number): Outcome {
  if (!outcome) return { status: 'failed', error: 'The message could not be made.' }
  if (outcome.kind === 'sent') return { status: 'sent' }
  if (outcome.kind === 'uncertain') return { status: 'uncertain', error: outcome.message }
  const error = `${outcome.code ?? ''} ${outcome.enhanced ?? ''} ${outcome.message}`.replace(/\s+/g, ' ').trim().slice(0, 500)
  if (wasOutOfReach(outcome)) {
    return down_since !== null && now - Math.max(down_since, row.created_at) > GIVE_UP_MS ? { status: 'failed', error } : { status: 'back', error, due_at: now + RELAY_DOWN_MS }
  }
  if (outcome.kind === 'permanent' && outcome.scope === 'recipient') {
    return outcome.bad_address ? { status: 'bounced', error } : { status: 'failed', error }
  }
  const pause = RETRY_MS[row.attempts]
  return pause === undefined ? { status: 'failed', error } : { status: 'later', error, due_at: now + pause }
}

/** Nobody was asked about the recipient. */
function wasOutOfReach(outcome: SmtpOutcome): boolean {
  return 'scope' in outcome && outcome.scope === 'connection' && BEFORE_THE_ENVELOPE.has(outcome.stage)
}

const BEFORE_THE_ENVELOPE: ReadonlySet<string> = new Set(['connect', 'greeting', 'tls', 'auth'])

