import { admit, requireRole, requireScope } from '../access/permission.ts'
import { recordCall } from '../audit/call.ts'
import { actorOf, type Admitted, auditActor, type Caller } from '../access/caller.ts'
import { AppError, invalid } from '../errors.ts'
import { errorFields } from '../log.ts'
import { check, checker, flaws } from '../schema.ts'
import type { Runtime } from '../runtime.ts'
import { requireRoomOnDisk } from '../store/faults.ts'
import type { Reader, Tx } from '../store/open.ts'
import { api_keys } from '../store/tables/accounts.ts'
import { eq } from 'drizzle-orm'
import type { CallContext, Operation } from './declare.ts'
import { errorEnvelope } from './envelope.ts'
import { bodyHash, type JsonBody } from './json-body.ts'
import { type RateLimiter, rateHeaders, rateLimited, takeQuota, unavailable, type Allowance } from './rate-limit.ts'
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

const KEY_TOUCH_MS = 60_000

/**
 * The pipeline that no operation can skip (docs/api/conventions.md#order-of-refusals): project, scope, role, rate
 * limit, form of the key, validation, receipt, operation. Refusals are thrown; the entry point renders them.
 */
export async function runOperation(
  runtime: Runtime,
  limiter: RateLimiter,
  operation: Operation,
  call: Call,
): Promise<StoredAnswer | StreamedAnswer> {
  try {
    return await run(runtime, limiter, operation, call)
  } catch (error) {
    // In tests and the fixture an operation may only answer with the errors that it declares.
    if (runtime.config.check_responses && error instanceof AppError && !operation.errors.has(error.code))
      throw new Error(`${operation.path} does not declare ${error.code}.`, { cause: error })
    throw error
  }
}

async function run(
  runtime: Runtime,
  limiter: RateLimiter,
  operation: Operation,
  call: Call,
): Promise<StoredAnswer | StreamedAnswer> {
  const body = asObject(call.body.value)
  const { project_id: named, idempotency_key, ...input } = body
  const admitted = await admitTo(operation, runtime.store.db, call.caller, named)
  touchKey(runtime, call.caller)
  const context: CallContext = {
    ...runtime,
    ...admitted,
    now: runtime.clock.now(),
    request_id: call.request_id,
    address: call.address,
    user_agent: call.user_agent,
  }

  const { act, status } = operation
  if (act.kind === 'mutation') requireRoomOnDisk(runtime.store)
  if (act.kind === 'mutation') return mutate({ runtime, operation, act, context, call, body, input, idempotency_key })
  const allowance = await limiter.take(bucketOf(admitted, 'read'), limitOf(runtime, 'read'), operation.cost(input))
  applyLimit(call, allowance, policyOf(admitted, 'read'))
  const request = check(operation.request, input)
  const reading = { ...context, db: runtime.store.db }
  if (act.kind === 'stream') {
    const pieces = await act.run(request, reading)
    await runtime.store.write(async (tx) => recordOperation(tx, operation, context, { input: request, answer: null }))
    return { status, pieces, media_type: act.media_type, filename: act.filename }
  }
  return { status, body: envelope(runtime, operation, await act.run(request, reading), call.request_id) }
}

async function admitTo(operation: Operation, db: Reader, caller: Caller, named: unknown): Promise<Admitted> {
  const admitted = await admit(db, caller, named)
  requireScope(caller, `newsletter:${operation.scope}`)
  requireRole(admitted.role, operation.role)
  return admitted
}

interface Mutation {
  runtime: Runtime
  operation: Operation
  act: Extract<Operation['act'], { kind: 'mutation' }>
  context: CallContext
  call: Call
  /** The request as it was sent. */
  body: Record<string, unknown>
  /** The body without project and key. */
  input: Record<string, unknown>
  /** The key as the body gives it. */
  idempotency_key: unknown
}

async function mutate(mutation: Mutation): Promise<StoredAnswer> {
  const { runtime, operation, act, context, call, input } = mutation
  const opened = await openMutation(mutation)
  if ('stored' in opened) {
    call.headers['Idempotent-Replayed'] = 'true'
    return opened.stored
  }
  try {
    const prepared = await act.prepare(input, { ...context, db: runtime.store.db })
    const effects: (() => void)[] = []
    const answer = await runtime.store.write(async (tx) => {
      effects.length = 0
      const admitted = await admitTo(operation, tx, await call.callerIn(tx), mutation.body.project_id)
      const afterCommit = (effect: () => void) => void effects.push(effect)
      const data = await act.run(input, { ...context, ...admitted, tx, afterCommit }, prepared)
      const stored = {
        status: act.statusOf?.(data) ?? operation.status,
        body: envelope(runtime, operation, data, call.request_id),
      }
      await completeReceipt(tx, opened.receipt_id, stored, context.now)
      recordOperation(tx, operation, context, { input, answer: data })
      return stored
    })
    for (const effect of effects) effect()
    return answer
  } catch (error) {
    await settleRefusal(mutation, opened.receipt_id, error)
    throw error
  }
}

/** The row of the audit log (docs/api/audit.md#rows). A replay writes none. */
function recordOperation(
  tx: Tx,
  operation: Operation,
  context: CallContext,
  { input, answer }: Record<'input' | 'answer', unknown>,
): void {
  const { path, audit } = operation
  const origin = {
    keys: context.keys,
    at: context.now,
    actor: auditActor(context.caller),
    action: path.slice(1),
    ip: context.address,
    request_id: context.request_id,
    project_id: context.project_id,
  }
  const { user_id } = context.caller
  recordCall(tx, origin, { rule: audit, input, answer, project: context.project_public_id, user_id })
}

/** The commit of the effects puts the pending receipt on the disk, too; without it neither is there. */
const PENDING = { durable: false }

/** The first transaction of a mutation: its quota unit and, when the request is valid, its pending receipt. */
async function openMutation({ runtime, operation, context, call, body, input, idempotency_key }: Mutation) {
  const verdict = await attempt(() => {
    const key = idempotencyKey(call.idempotency_header, idempotency_key)
    check(operation.request, input)
    return { idempotency_key: key, print: call.body.hash ?? bodyHash(body) }
  })
  const limit = limitOf(runtime, 'mutation')
  const outcome = await runtime.store
    .write(async (tx) => {
      const allowance = await takeQuota(tx, bucketOf(context, 'mutation'), limit, runtime.clock.now())
      if (!allowance.allowed || 'error' in verdict) return { allowance }
      const key = {
        project_id: context.project_id,
        actor: actorOf(context.caller),
        operation: operation.path,
        idempotency_key: verdict.value.idempotency_key,
      }
      return { allowance, receipt: await attempt(() => openReceipt(tx, key, verdict.value.print, context.now)) }
    }, PENDING)
    .catch((error: unknown) => {
      throw unavailable(error)
    })
  applyLimit(call, outcome.allowance, policyOf(context, 'mutation'))
  if ('error' in verdict) throw verdict.error
  if ('error' in outcome.receipt!) throw outcome.receipt.error
  const opened = outcome.receipt!.value
  // The first request may have stored its answer a moment ago.
  if ('stored' in opened) await runtime.store.flush()
  return opened
}

/** Stores a 404 or 409 that the operation answered; after any other failure the key can be used again. */
async function settleRefusal(
  { runtime, call: { request_id }, context: { now } }: Mutation,
  receipt_id: number,
  error: unknown,
): Promise<void> {
  const kept = error instanceof AppError && (error.status === 404 || error.status === 409)
  try {
    await runtime.store.write((tx) =>
      kept
        ? completeReceipt(
            tx,
            receipt_id,
            { status: error.status, body: JSON.stringify(errorEnvelope(error, request_id)) },
            now,
          )
        : dropReceipt(tx, receipt_id),
    )
  } catch (failure) {
    runtime.log.error('a receipt stays pending', { receipt_id, request_id, ...errorFields(failure) })
  }
}

function envelope(runtime: Runtime, operation: Operation, data: unknown, request_id: string): string {
  if (runtime.config.check_responses && !checker(operation.response).Check(data)) {
    throw new Error(
      `The answer of ${operation.path} is not what it declares: ${JSON.stringify(flaws(operation.response, data))}`,
    )
  }
  return JSON.stringify({ data, request_id })
}

function applyLimit(call: Call, allowance: Allowance, policy: string): void {
  Object.assign(call.headers, rateHeaders(allowance, policy))
  if (!allowance.allowed) throw rateLimited(allowance)
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
  if (caller.last_used_at !== null && caller.last_used_at > now - KEY_TOUCH_MS) return
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
