import { eq } from 'drizzle-orm'
import { actorOf, type Admitted, auditActor, type Caller } from '../access/caller.ts'
import { invalid } from '../errors.ts'
import { errorFields } from '../log.ts'
import type { Runtime } from '../runtime.ts'
import { check } from '../schema.ts'
import { requireRoomOnDisk } from '../store/faults.ts'
import type { Tx } from '../store/open.ts'
import { api_keys } from '../store/tables/accounts.ts'
import type { Operation } from './declare.ts'
import { openAhead, receiptWithin, repeated } from './call-receipt.ts'
import { bodyHash, type JsonBody } from './json-body.ts'
import { declaredError, type Entered, perform, requireDeclaredAnswer } from './pipeline.ts'
import { type RateLimiter, requireAllowance } from './rate-limit.ts'
import { idempotencyKey, type StoredAnswer } from './receipt.ts'
import { claimKey, type Keyed } from './running-keys.ts'

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
 * read credentials and body. Unlike a route, an operation counts a call before it validates the request. Refusals are
 * thrown; the entry point renders them.
 */
export async function runOperation(
  runtime: Runtime,
  limiter: RateLimiter,
  operation: Operation,
  call: Call,
): Promise<Answered> {
  const running: Running = { runtime, limiter, operation, call, now: runtime.clock.now() }
  try {
    return await run(running)
  } catch (error) {
    throw declaredError(runtime.config, operation, error)
  } finally {
    running.release?.()
  }
}

interface Running {
  runtime: Runtime
  limiter: RateLimiter
  operation: Operation
  call: Call
  now: number
  /** Ends the claim on the idempotency key. */
  release?: () => void
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
    // False because `enter` checks this before it looks for a receipt.
    needs_room: false,
    input,
    context: { ...runtime, now, request_id, address, user_agent },
    enter: async (admission) => {
      touchKey(runtime, caller)
      const admitted = admission as Admitted // an operation has a role
      if (act.kind !== 'mutation') return countRead(running, admitted, input)
      requireRoomOnDisk(runtime.store)
      return enterMutation(running, admitted, { body, input, idempotency_key })
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

/** Counts a mutation, checks its key and its request, and looks for the receipt of an earlier one where it may be. */
async function enterMutation(running: Running, admitted: Admitted, sent: Sent): Promise<Entered<StoredAnswer>> {
  const { runtime, limiter, operation, call, now } = running
  const { act } = operation
  const allowance = await limiter.take(bucketOf(admitted, 'mutation'), limitOf(runtime, 'mutation'))
  requireAllowance(call.headers, allowance, policyOf(admitted, 'mutation'))
  const idempotency_key = idempotencyKey(call.idempotency_header, sent.idempotency_key)
  check(operation.request, sent.input)
  const key: Keyed = {
    project_id: admitted.project_id,
    actor: actorOf(admitted.caller),
    operation: operation.path,
    idempotency_key,
    print: call.body.hash ?? bodyHash(sent.body),
  }
  const claimed = await claimKey(runtime.claims, runtime.store.db, key)
  const { store, log } = runtime
  const { request_id, headers } = call
  const keeping = { store, log, key, request_id, headers, now, render: (answer: unknown) => answerOf(running, answer) }
  if ('stored' in claimed) return repeated(keeping, claimed)
  running.release = claimed.release
  return act.kind === 'mutation' && act.has_prepare ? openAhead(keeping) : { receipt: receiptWithin(keeping) }
}

function answerOf({ runtime, operation, call }: Running, answer: unknown): StoredAnswer {
  const { act, status } = operation
  return {
    status: (act.kind === 'mutation' ? act.statusOf?.(answer) : undefined) ?? status,
    body: envelope(runtime, operation, answer, call.request_id),
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
