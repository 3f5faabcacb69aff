import type { TSchema } from '@sinclair/typebox'
import type { Admitted, Caller } from '../access/caller.ts'
import { admit, requireAdministrator, requireRole, requireScope } from '../access/permission.ts'
import { type AuditRule, beforeCall, recordCall } from '../audit/call.ts'
import type { Origin } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { checker, flaws } from '../schema.ts'
import type { Role } from '../shared/roles.ts'
import { requireRoomOnDisk } from '../store/faults.ts'
import type { Reader, Tx } from '../store/open.ts'

/** The properties common to declared operations and routes. */
export interface Callable {
  path: string
  summary: string
  /** The least role in the project that a call names; null where it names none. */
  role: Role | null
  /** A string for a body that is not JSON. */
  response: TSchema | string
  /** The status of a success. */
  status: number
  /** Every error code that it may answer with. */
  errors: ReadonlySet<ErrorCode>
  /** Largest request body in bytes. */
  max_body: number
  /** Whether a client may send a call again that had no answer. */
  repeatable: boolean
  audit: AuditRule
}

/** The admitted caller; with the project, and the caller's role in it, where the callable has a role. */
export type Admission = Admitted | { caller: Caller; project_id?: undefined; project_public_id?: undefined }

/** Runs work in a transaction that first admits the caller again, and adds the audit row of the call. */
export type OwnWrite = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** A call that only reads. */
export interface Reading {
  run(input: unknown, context: object, write: OwnWrite): Promise<unknown> | unknown
}

/** A call that writes: an optional preparation for network calls and hashing, then work in the write transaction. */
export interface Changing {
  prepare(input: unknown, context: object, write: OwnWrite): Promise<unknown>
  run(input: unknown, context: object, prepared: unknown): Promise<unknown>
}

/**
 * The steps of one call that differ between operations and routes. src/operation/run.ts and src/http/core/serve.ts each
 * build them.
 */
export interface Passage<Result> {
  runtime: Runtime
  callable: Callable
  caller: Caller
  /** The caller as the write transaction finds it. Throws when its credentials have ended since they were checked. */
  callerIn(tx: Tx): Promise<Caller>
  /** The public id of the project, as the request gives it. */
  named: unknown
  scope: string | null
  /** Whether the caller administers the service; the write transaction asks again. */
  operator: boolean
  /** Whether a write is refused while the disk is nearly full. */
  needs_room: boolean
  input: unknown
  /** Passed to the work in addition to the admission and the database. */
  context: object
  /**
   * Counts the call against its rate limit and runs the checks of its family. When it returns a stored answer, the call
   * ends with that.
   */
  enter(admission: Admission): Promise<Entered<Result>>
  act: Reading | Changing
  /** Runs the work of a read when it is its turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Whether a read adds an audit row, because it exports data of a project or an account. */
  is_recorded: boolean
  origin(admission: Admission): Origin
  render(answer: unknown): Result
}

export interface Entered<Result> {
  stored?: Result
  receipt?: CallReceipt<Result>
}

/** What makes a repeated call get the answer of the first one. */
export interface CallReceipt<Result> {
  /** The stored answer of an earlier call, looked for in the transaction of the effects. */
  find?(tx: Tx): Promise<Result | null>
  /** Stores the answer in the transaction of the effects. */
  complete(tx: Tx, answer: unknown): Promise<Result>
  /** Keeps or deletes the receipt of a call that failed. Answers what an earlier call stored in the meantime. */
  settle(error: unknown): Promise<Result | null>
}

/**
 * The one way from a request to `run`, which nothing can skip: project, scope and role; rate limit; validation of what
 * is not validated yet; receipt; preparation; transaction with the same admission again, work, receipt and row of the
 * audit log; effects after the commit.
 */
export async function perform<Result>(passage: Passage<Result>): Promise<Result> {
  const { runtime, input, act } = passage
  const { db } = runtime.store
  const admission = await admissionOf(passage, db, passage.caller)
  const { stored, receipt } = await passage.enter(admission)
  if (stored !== undefined) return stored
  const context = { ...passage.context, ...admission, db }
  const own: OwnWrite = async (work) => (await write(passage, async (tx) => ({ answer: await work(tx) }), false)).answer
  if (!('prepare' in act)) {
    return passage.inTurn(async () => {
      const answer = await act.run(input, context, own)
      if (passage.is_recorded) await write(passage, async () => ({ answer: null }), true)
      return passage.render(answer)
    })
  }
  try {
    const prepared = await act.prepare(input, context, own)
    const effects: (() => void)[] = []
    const afterCommit = (effect: () => void) => void effects.push(effect)
    const work = async (tx: Tx, again: Admission): Promise<Done<unknown, Result>> => {
      effects.length = 0
      const earlier = await receipt?.find?.(tx)
      if (earlier) return { answer: null, result: earlier, is_repeated: true }
      const answer = await act.run(input, { ...context, ...again, tx, afterCommit }, prepared)
      return receipt ? { answer, result: await receipt.complete(tx, answer) } : { answer }
    }
    const { answer, result } = await write(passage, work, true)
    for (const effect of effects) effect()
    return result ?? passage.render(answer)
  } catch (error) {
    const earlier = await receipt?.settle(error)
    if (earlier) return earlier
    throw error
  }
}

interface Done<T, Result = never> {
  answer: T
  result?: Result
  /** Nothing was done, because an earlier call did it. */
  is_repeated?: true
}

/**
 * @param is_own true for the call's own transaction, which adds the call's audit row beside the noted ones; another
 * transaction adds that row only when it notes none
 */
function write<T, Result>(
  { runtime, callable, operator, needs_room, callerIn, input, ...passage }: Passage<Result>,
  work: (tx: Tx, again: Admission) => Promise<Done<T, Result>>,
  is_own: boolean,
): Promise<Done<T, Result>> {
  return runtime.store.write(async (tx) => {
    if (needs_room) requireRoomOnDisk(runtime.store)
    const present = await callerIn(tx)
    if (operator) await requireAdministrator(tx, present.user_id)
    const again = await admissionOf({ callable, ...passage }, tx, present)
    const { user_id } = present
    const project = again.project_public_id ?? null
    const call = { rule: callable.audit, input, project, user_id }
    const before = is_own ? await beforeCall(tx, call) : null
    const done = await work(tx, again)
    if (done.is_repeated) return done
    await recordCall(tx, passage.origin(again), { ...call, answer: done.answer, is_own, before })
    return done
  })
}

async function admissionOf(
  { callable: { role }, named, scope }: Pick<Passage<unknown>, 'callable' | 'named' | 'scope'>,
  db: Reader,
  caller: Caller,
): Promise<Admission> {
  if (role === null) return { caller }
  const admitted = await admit(db, caller, named)
  if (scope !== null) requireScope(caller, scope)
  requireRole(admitted.role, role)
  return admitted
}

/** In tests and the fixture a callable may only answer what it declares. */
export function requireDeclaredAnswer(
  { check_responses }: Config,
  { path, response }: Callable,
  answer: unknown,
): void {
  if (!check_responses || typeof response === 'string' || checker(response).Check(answer)) return
  throw new Error(`The answer of ${path} is not what it declares: ${JSON.stringify(flaws(response, answer))}`)
}

/** In tests and the fixture a callable may only refuse with the errors that it declares. */
export function declaredError({ check_responses }: Config, { path, errors }: Callable, error: unknown): unknown {
  if (!check_responses || !(error instanceof AppError) || errors.has(error.code)) return error
  return new Error(`${path} does not declare ${error.code}.`, { cause: error })
}
