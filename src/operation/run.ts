import { eq } from 'drizzle-orm'
import { actorOf, type Admitted, auditActor, type Caller } from '../access/caller.ts'
import { AppError, invalid } from '../errors.ts'
import { errorFields } from '../log.ts'
import type { Runtime } from '../runtime.ts'
import { check } from '../schema.ts'
import { requireRoomOnDisk } from '../store/faults.ts'
import type { Tx } from '../store/open.ts'
import { api_keys } from '../store/tables/accounts.ts'
import type { Operation } from './declare.ts'
import { errorEnvelope } from './envelope.ts'
import { bodyHash, type JsonBody } from './json-body.ts'
import { declaredError, type Entered, perform, requireDeclaredAnswer } from './pipeline.ts'
import { type RateLimiter, requireAllowance, takeQuota, unavailable } from './rate-limit.ts'
import { completeReceipt, dropReceipt, idempotencyKey, openReceipt, type StoredAnswer } from './receipt.ts'

/** One call of an operation, from an entry point. */
export interface Call {
  caller: Caller
  /** The caller as the write transaction finds it. Throws when its credentials have ended since they were checked. */
  callerIn(tx: Tx): Promise<Caller>
  body: JsonBody
  idempotency_header: string | null
  request_id: string
  address: string
  user_agent: string
  /** Runs the work of a read when it is its turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Response headers, also of a refusal: rate limits, and whether it is a replay. */
  headers: Record<string, string>
}

/** A response that is streamed while it is produced. */
interface StreamedAnswer {
  status: number
  pieces: AsyncIterable<Uint8Array>
  media_type: string
  filename: string
}

type Answered = StoredAnswer | StreamedAnswer

const KEY_TOUCH_MS = 60_000

/**
 * How a call of an operation goes through the pipeline (docs/api/conventions.md#order-of-refusals). The entry point has
 * read credentials and body. Unlike a route, an operation counts a call before it validates the request, and a mutation
 * opens its receipt in the transaction that counts it. Refusals are thrown; the entry point renders them.
 */
export async function runOperation(
  runtime: Runtime,
  limiter: RateLimiter,
  operation: Operation,
  call: Call,
): Promise<Answered> {
  try {
    return await run({ runtime, limiter, operation, call, now: runtime.clock.now() })
  } catch (error) {
    throw declaredError(runtime.config, operation, error)
  }
}

interface Running {
  runtime: Runtime
  limiter: RateLimiter
  operation: Operation
  call: Call
  now: number
}

async function run(running: Running): Promise<Answered> {
  const { runtime, operation, call, now } = running
  const { act, path, status } = operation
  const { caller, callerIn, request_id, address, user_agent } = call
  const body = asObject(call.body.value)
  const { project_id: named, idempotency_key, ...input } = body
  return perform<Answered>({
    runtime,
    callable: operation,
    caller,
    callerIn,
    named,
    scope: `newsletter:${operation.scope}`,
    operator: false,
    // False because `openMutation` checks this before it opens the receipt.
    needs_room: false,
    input,
    context: { ...runtime, now, request_id, address, user_agent },
    enter: async (admission) => {
      touchKey(runtime, caller)
      const admitted = admission as Admitted // an operation has a role
      if (act.kind !== 'mutation') return countRead(running, admitted, input)
      requireRoomOnDisk(runtime.store)
      return openMutation(running, admitted, { body, input, idempotency_key })
    },
    act,
    inTurn: call.inTurn,
    is_recorded: act.kind === 'stream',
    origin: ({ project_id }) => ({
      keys: runtime.keys,
      at: now,
      actor: auditActor(caller),
      action: path.slice(1),
      ip: address,
      request_id,
      project_id,
    }),
    render(answer) {
      if (act.kind === 'stream') {
        const { media_type, filename } = act
        return { status, pieces: answer as AsyncIterable<Uint8Array>, media_type, filename }
      }
      return { status, body: envelope(runtime, operation, answer, request_id) }
    },
  })
}

async function countRead(
  { runtime, limiter, operation, call }: Running,
  admitted: Admitted,
  input: Record<string, unknown>,
): Promise<Entered<Answered>> {
  const units = operation.cost(input)
  const allowance = await limiter.take(bucketOf(admitted, 'read'), limitOf(runtime, 'read'), units)
  requireAllowance(call.headers, allowance, policyOf(admitted, 'read'))
  check(operation.request, input)
  return {}
}

interface Sent {
  /** The request as it was sent. */
  body: Record<string, unknown>
  /** The body without project and key. */
  input: Record<string, unknown>
  /** The key as the body gives it. */
  idempotency_key: unknown
}

/** The commit of the effects puts the pending receipt on the disk, too; without it neither is there. */
const PENDING = { durable: false }

/** The first transaction of a mutation: its quota unit and, when the request is valid, its pending receipt. */
async function openMutation(running: Running, admitted: Admitted, sent: Sent): Promise<Entered<StoredAnswer>> {
  const { runtime, operation, call, now } = running
  const verdict = await attempt(() => {
    const key = idempotencyKey(call.idempotency_header, sent.idempotency_key)
    check(operation.request, sent.input)
    return { idempotency_key: key, print: call.body.hash ?? bodyHash(sent.body) }
  })
  const limit = limitOf(runtime, 'mutation')
  const outcome = await runtime.store
    .write(async (tx) => {
      const allowance = await takeQuota(tx, bucketOf(admitted, 'mutation'), limit, runtime.clock.now())
      if (!allowance.allowed || 'error' in verdict) return { allowance }
      const key = {
        project_id: admitted.project_id,
        actor: actorOf(admitted.caller),
        operation: operation.path,
        idempotency_key: verdict.value.idempotency_key,
      }
      return { allowance, receipt: await attempt(() => openReceipt(tx, key, verdict.value.print, now)) }
    }, PENDING)
    .catch((error: unknown) => {
      throw unavailable(error)
    })
  requireAllowance(call.headers, outcome.allowance, policyOf(admitted, 'mutation'))
  if ('error' in verdict) throw verdict.error
  if ('error' in outcome.receipt!) throw outcome.receipt.error
  const opened = outcome.receipt!.value
  if ('receipt_id' in opened) return { receipt: receiptOf(running, opened.receipt_id) }
  // The first request may have committed a moment ago and not be on the disk yet.
  await runtime.store.flush()
  call.headers['Idempotent-Replayed'] = 'true'
  return opened
}

function receiptOf({ runtime, operation, call: { request_id }, now }: Running, receipt_id: number) {
  const { act, status } = operation
  return {
    async complete(tx: Tx, answer: unknown): Promise<StoredAnswer> {
      const stored = {
        status: (act.kind === 'mutation' ? act.statusOf?.(answer) : undefined) ?? status,
        body: envelope(runtime, operation, answer, request_id),
      }
      await completeReceipt(tx, receipt_id, stored, now)
      return stored
    },
    /** Stores a 404 or 409 that the operation answered; after any other failure the key can be used again. */
    async settle(error: unknown): Promise<void> {
      const kept = error instanceof AppError && (error.status === 404 || error.status === 409)
      try {
        await runtime.store.write((tx) => {
          if (!kept) return dropReceipt(tx, receipt_id)
          const body = JSON.stringify(errorEnvelope(error, request_id))
          return completeReceipt(tx, receipt_id, { status: error.status, body }, now)
        })
      } catch (failure) {
        runtime.log.error('a receipt stays pending', { receipt_id, request_id, ...errorFields(failure) })
      }
    },
  }
}

function envelope({ config }: Runtime, operation: Operation, data: unknown, request_id: string): string {
  requireDeclaredAnswer(config, operation, data)
  return JSON.stringify({ data, request_id })
}

type RateClass = 'read' | 'mutation'

/** Integrations share their project's window. The dashboard has its own, so that no integration locks people out. */
function bucketOf(admitted: Admitted, kind: RateClass): string {
  return `newsletter:${admitted.project_id}:${policyOf(admitted, kind)}`
}

function policyOf(admitted: Admitted, kind: RateClass): string {
  return admitted.caller.kind === 'session' ? `dashboard-${kind}` : kind
}

function limitOf(runtime: Runtime, kind: RateClass): number {
  return kind === 'read' ? runtime.config.newsletter_reads_per_minute : runtime.config.newsletter_mutations_per_minute
}

function asObject(body: unknown): Record<string, unknown> {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw invalid('', 'Expected object.')
  }
  return body as Record<string, unknown>
}

/** Stores when a key was last used, at most once a minute and without delaying the call. */
function touchKey(runtime: Runtime, caller: Caller): void {
  if (caller.kind !== 'api_key') return
  const now = runtime.clock.now()
  const { use } = caller
  if (use.last_used_at !== null && use.last_used_at > now - KEY_TOUCH_MS) return
  use.last_used_at = now
  runtime.store
    .write((tx) => tx.update(api_keys).set({ last_used_at: now }).where(eq(api_keys.id, caller.api_key_id)), {
      durable: false,
    })
    .catch((error: unknown) => runtime.log.warn('the last use of a key was not stored', errorFields(error)))
}

type Attempt<T> = { value: T } | { error: AppError }

async function attempt<T>(work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}
