import type { SQL } from 'drizzle-orm'
import type { LoopContext } from '../../runtime.ts'
import type { Tx } from '../../store/open.ts'
import { errorFields } from '../../log.ts'
import { newId } from '../../ids.ts'
import type { Signer } from '../connections/dkim-keys.ts'
import { type LedgerOptions, type Outcome, type Settling, writeLedger } from './ledger.ts'
import { holdBack } from './provider-limits.ts'
import { abandonLease, type Lease, type Leased, release } from './lease.ts'
import { outgoing } from './outgoing.ts'
import { type Batch, leaseBatch, limitsOf, PACED_BATCHES, type Source } from './paced-batch.ts'
import { paceOf } from './pace.ts'
import type { SmtpEnvelope, SmtpOutcome } from '../../mail/smtp-pool.ts'
import type { Connection } from '../connections/connections.operations.ts'
import type { Transport } from './transports.ts'

/** Messages of one origin (a campaign, a project's single messages) on their way through one connection. */
export interface Stream extends Source {
  running: SQL
  mayGo: SQL
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
/** How soon a stream is opened anew whose connection or settings were changed. */
const LOOK_ANEW_MS = 100
/** How long an outcome may wait to be written: a slow relay must not leave many in doubt. */
const UNWRITTEN_MS = 50
/** So far ahead of its turn a message is marked: who leaves just before it is heeded, and a crash leaves few in doubt. */
const MARKED_AHEAD_MS = 50
/** Pauses between the tries of one message: five tries within an hour (contract-details 2C.36). */
const RETRY_MS = [60_000, 300_000, 900_000, 1_800_000]
/** A relay that cannot be reached is asked again after this; the messages wait and lose no try. */
const RELAY_DOWN_MS = 30_000
/** After a relay has been out of reach for so long, its messages fail. */
const GIVE_UP_MS = 72 * 3_600_000
/** A stream is opened anew after this: its connection and its limits may have been changed. */
const REOPEN_MS = 1_000
/** At a limited pace all this is looked at with each batch, and to wait for the last answers would cost some of it. */
const REOPEN_PACED_MS = 15_000

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
export async function pump(
  context: LoopContext,
  stream: Stream,
  transport: Transport,
  down_since: number | null,
): Promise<PumpResult> {
  const isPaced = stream.connection.max_per_second !== null
  const reopen_at = performance.now() + (isPaced ? REOPEN_PACED_MS : REOPEN_MS)
  const ended = await Promise.allSettled(
    Array.from({ length: isPaced ? PACED_BATCHES : 1 }, () =>
      sendBatches(context, stream, transport, down_since, reopen_at),
    ),
  )
  const results = ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  const pauses = results.map(({ paced_ms }) => paced_ms).filter((paced_ms) => paced_ms !== null)
  return {
    paced_ms: pauses.length > 0 ? Math.min(...pauses) : null,
    relay_down: results.find(({ relay_down }) => relay_down !== null)?.relay_down ?? null,
    handed_over: results.reduce((sum, one) => sum + one.handed_over, 0),
  }
}

async function sendBatches(
  context: LoopContext,
  stream: Stream,
  transport: Transport,
  down_since: number | null,
  reopen_at: number,
): Promise<PumpResult> {
  const opened_at = context.clock.now()
  let handed_over = 0
  let held_back = false
  while (!context.stopping() && performance.now() < reopen_at) {
    const lease: Lease = { worker_id: context.worker_id, lease_id: newId('prc') }
    const taken = await take(context, stream, lease, opened_at)
    if (!taken) return { paced_ms: LOOK_ANEW_MS, relay_down: null, handed_over }
    if (taken.rows.length === 0)
      return { paced_ms: taken.wait_ms ?? (held_back ? HELD_BACK_MS : null), relay_down: null, handed_over }
    const { held, stopped, relay_down, settled } = await sendBatch(context, stream, transport, lease, taken, down_since)
    held_back ||= held
    handed_over += settled
    await stream.afterBatch?.()
    if (stopped || relay_down !== null) return { paced_ms: null, relay_down, handed_over }
  }
  return { paced_ms: null, relay_down: null, handed_over }
}

/** What was leased is put right whatever goes wrong: as long as this worker lives, nobody else would do it. */
async function sendBatch(
  context: LoopContext,
  stream: Stream,
  transport: Transport,
  lease: Lease,
  { rows, turns }: Batch,
  down_since: number | null,
): Promise<BatchResult & { held: boolean }> {
  try {
    const now = await holdBack(context, stream.connection, lease, rows)
    const paced = { rows: now, turns: new Map(now.flatMap(({ id }, place) => (turns ? [[id, turns[place]!]] : []))) }
    const result =
      now.length > 0
        ? await sendAll(context, stream, transport, lease, paced, down_since)
        : { stopped: false, relay_down: null, settled: 0 }
    return { ...result, held: now.length < rows.length }
  } catch (error) {
    await putRight(context, async () => undefined, lease)
    throw error
  }
}

/** Leases a batch. When the answer of the store is lost the lease may stand nevertheless, and is given back. */
async function take(context: LoopContext, stream: Stream, lease: Lease, opened_at: number): Promise<Batch | null> {
  try {
    return await leaseBatch(context, stream, lease, opened_at)
  } catch (error) {
    await putRight(context, async () => undefined, lease)
    throw error
  }
}

/** Rows to be sent, and when each may leave; at once where it is not said. */
interface Paced {
  rows: Leased[]
  turns: ReadonlyMap<number, number>
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
async function sendAll(
  context: LoopContext,
  stream: Stream,
  transport: Transport,
  lease: Lease,
  { rows, turns }: Paced,
  down_since: number | null,
): Promise<BatchResult> {
  const result: BatchResult = { stopped: false, relay_down: null, settled: 0 }
  const ledger: LedgerOptions = {
    lease,
    limits: limitsOf(stream, context.clock.now()),
    mayGo: stream.mayGo,
    running: stream.running,
    messageId: stream.messageId,
  }
  const compose = await stream.compose(rows)
  const pace = stream.connection.max_per_second === null ? null : paceOf(transport, stream.connection.max_per_second)
  const turnOf = ({ id }: Leased): number => turns.get(id) ?? Number.NEGATIVE_INFINITY
  const group = transport.parallel
  let waiting = rows
  let ready: Leased[] = []
  let gone: Settling[] = []
  let writing: Promise<void> | null = null
  let written_at = performance.now()
  let failed = false
  let waits_for_relay = false

  /** Milliseconds until the next of those that wait is marked. */
  const early_ms = (): number =>
    waiting[0] && !halted() ? turnOf(waiting[0]) - MARKED_AHEAD_MS - performance.now() : 0
  const halted = () => failed || result.stopped || waits_for_relay || context.stopping()
  const write = async (): Promise<void> => {
    const due = performance.now() + MARKED_AHEAD_MS
    const next = halted() ? [] : waiting.slice(0, group).filter((row) => turnOf(row) <= due)
    waiting = waiting.slice(next.length)
    const settlings = gone
    gone = []
    const verdicts = await context.store
      .write((tx) => writeLedger(tx, ledger, settlings, next, context.clock.now()))
      .catch((error: unknown) => {
        context.log.error('the outcome of messages was not written yet', {
          project_id: stream.project_id,
          ...errorFields(error),
        })
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
    writing ??= write().finally(() => {
      writing = null
    })
    return writing
  }

  const slot = async (): Promise<void> => {
    for (;;) {
      const row = ready.shift()
      if (!row) {
        if (writing === null && (failed || gone.length === 0) && (waiting.length === 0 || halted())) return
        const rest_ms = writing === null ? early_ms() : 0
        // Outcomes are written together with the next mark, unless that is too long from now.
        if (rest_ms > 0 && (gone.length === 0 || rest_ms <= UNWRITTEN_MS)) await Bun.sleep(Math.ceil(rest_ms))
        else await startWriting()
        continue
      }
      const sent = await handOver(context, stream, transport, compose, row, (send) =>
        pace ? pace.atItsTurn(turnOf(row), send) : send(),
      )
      const outcome = meaningOf(sent, row, down_since, context.clock.now())
      if (sent && 'message' in sent && wasOutOfReach(sent)) result.relay_down = sent.message
      if (outcome.status === 'back') waits_for_relay = true
      gone.push({ message: row, outcome })
      const runningLow = ready.length <= group / 2 && waiting.length > 0 && !halted() && early_ms() <= 0
      if (writing === null && (runningLow || gone.length >= group || performance.now() - written_at > UNWRITTEN_MS))
        void startWriting()
    }
  }

  await Promise.all(Array.from({ length: Math.min(rows.length, transport.parallel) }, slot))
  while (!failed && (writing !== null || gone.length > 0)) await startWriting()
  if (failed) {
    await putRight(context, (tx) => writeLedger(tx, ledger, gone, [], context.clock.now()), lease)
    return { ...result, stopped: true }
  }
  if (waiting.length > 0)
    await context.store.write((tx) =>
      release(
        tx,
        waiting.map(({ id }) => id),
        lease,
      ),
    )
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

/** What the relay said, when it was the message's turn; null when there was none to hand over. */
async function handOver(
  context: LoopContext,
  { connection, sign }: Stream,
  transport: Transport,
  compose: (row: Leased) => Composed | null,
  row: Leased,
  atItsTurn: (send: () => Promise<SmtpOutcome>) => Promise<SmtpOutcome>,
): Promise<SmtpOutcome | null> {
  const made = await make(context, connection, sign, compose, row)
  if (!made) return null
  return atItsTurn(() => transport.send(made.envelope, made.message)).catch((error: unknown): SmtpOutcome => ({
    kind: 'uncertain',
    message: String(error),
  }))
}

/** The message as it leaves, or null: one recipient for whom it cannot be made stops nobody else's. */
async function make(
  context: LoopContext,
  connection: Connection,
  sign: Stream['sign'],
  compose: (row: Leased) => Composed | null,
  row: Leased,
): Promise<Composed | null> {
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
  const error = `${outcome.code ?? ''} ${outcome.enhanced ?? ''} ${outcome.message}`
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
  if (wasOutOfReach(outcome)) {
    return down_since !== null && now - Math.max(down_since, row.created_at) > GIVE_UP_MS
      ? { status: 'failed', error }
      : { status: 'back', error, due_at: now + RELAY_DOWN_MS }
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
