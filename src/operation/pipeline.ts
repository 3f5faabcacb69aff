import type { TSchema } from '@sinclair/typebox'
import type { Admitted, Caller } from '../access/caller.ts'
import { admit, requireAdministrator, requireRole, requireScope } from '../access/permission.ts'
import { type AuditRule, beforeCall, recordCall } from '../audit/call.ts'
import { notesOf, type Origin } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { checker, flaws } from '../schema.ts'
import type { Role } from '../shared/roles.ts'
import { requireRoomOnDisk } from '../store/faults.ts'
import type { Reader, Tx } from '../store/open.ts'
import { writeInSet } from '../store/write-sets.ts'
import { haveReceipts, insertReceipts, type NewReceipt, type ReceiptKey } from './receipt.ts'

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
  set?: CallSet
}

/** How calls that wait for their transaction at the same time run as one. */
export interface CallSet<Input = unknown, Context = object, Again = object, Answer = unknown> {
  /** What calls that may run as one have in common; null for a call that runs alone. */
  keyOf(input: Input, context: Context): string | null
  /**
   * Does for several calls what `run` does for each. Answers in their order; null for a call that has to run alone,
   * because it is refused or depends on another. When it throws or leaves notes for the audit log, nothing is changed
   * and each runs alone.
   */
  run(tx: Tx, calls: readonly { input: Input; context: Again }[]): Promise<(Answer | null)[]>
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
  /** Where the receipts of several calls may be looked for and stored at once. */
  shared?: {
    key: ReceiptKey
    rowOf(answer: unknown): { result: Result; row: NewReceipt }
  }
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
    const work: Work<unknown, Result> = async (tx, again) => {
      effects.length = 0
      const earlier = await receipt?.find?.(tx)
      if (earlier) return { answer: null, result: earlier, is_repeated: true }
      const answer = await act.run(input, { ...context, ...again, tx, afterCommit }, prepared)
      return receipt ? { answer, result: await receipt.complete(tx, answer) } : { answer }
    }
    const member = { passage, act, receipt: receipt?.shared, context: { ...context, afterCommit }, work }
    const key = receipt?.shared && act.set ? act.set.keyOf(input, context) : null
    const { answer, result } =
      key === null
        ? await write(passage, work, true)
        : await writeInSet(runtime.store, `${passage.callable.path} ${key}`, member, runMembers<Result>)
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

/** A call that may run as one with others. */
interface Member<Result> {
  passage: Passage<Result>
  act: Changing
  receipt: CallReceipt<Result>['shared']
  context: object
  /** Runs it alone. */
  work: Work<unknown, Result>
}

/** The write of several calls of one operation; null for a call that has to run alone. */
async function runMembers<Result>(
  tx: Tx,
  members: readonly Member<Result>[],
): Promise<(Done<unknown, Result> | null)[]> {
  const [{ passage, act, work }] = members as [Member<Result>]
  if (members.length === 1) return [await within(tx, passage, work, true)]
  const earlier = await haveReceipts(
    tx,
    members.map(({ receipt }) => receipt!.key),
  )
  const calls = []
  for (const [index, member] of members.entries()) {
    // One that is refused runs alone and is refused there.
    const again = earlier[index] ? null : await admitAgain(tx, member.passage).catch(() => null)
    if (again) calls.push({ index, member, again, before: await beforeCall(tx, callOf(member.passage, again)) })
  }
  const answers = await act.set!.run(
    tx,
    calls.map(({ member, again }) => ({ input: member.passage.input, context: { ...member.context, ...again, tx } })),
  )
  // The log would not know which call left a note, so each of them runs alone.
  if (notesOf(tx).length > 0) throw new Error(`The set of ${passage.callable.path} left notes for the audit log.`)
  const done: (Done<unknown, Result> | null)[] = members.map(() => null)
  const rows: NewReceipt[] = []
  for (const [position, { index, member, again, before }] of calls.entries()) {
    const answer = answers[position] ?? null
    if (answer === null) continue
    const { result, row } = member.receipt!.rowOf(answer)
    rows.push(row)
    done[index] = { answer, result }
    const call = callOf(member.passage, again)
    await recordCall(tx, member.passage.origin(again), { ...call, answer, is_own: true, before })
  }
  await insertReceipts(tx, rows)
  return done
}

type Work<T, Result> = (tx: Tx, again: Admission) => Promise<Done<T, Result>>

function write<T, Result>(passage: Passage<Result>, work: Work<T, Result>, is_own: boolean): Promise<Done<T, Result>> {
  return passage.runtime.store.write((tx) => within(tx, passage, work, is_own))
}

/**
 * @param is_own true for the call's own transaction, which adds the call's audit row beside the noted ones; another
 * transaction adds that row only when it notes none
 */
async function within<T, Result>(
  tx: Tx,
  passage: Passage<Result>,
  work: Work<T, Result>,
  is_own: boolean,
): Promise<Done<T, Result>> {
  const again = await admitAgain(tx, passage)
  const call = callOf(passage, again)
  const before = is_own ? await beforeCall(tx, call) : null
  const done = await work(tx, again)
  if (done.is_repeated) return done
  await recordCall(tx, passage.origin(again), { ...call, answer: done.answer, is_own, before })
  return done
}

/** The caller and its project as the transaction finds them. Throws when the call is no longer allowed. */
async function admitAgain(tx: Tx, passage: Passage<unknown>): Promise<Admission> {
  if (passage.needs_room) requireRoomOnDisk(passage.runtime.store)
  const present = await passage.callerIn(tx)
  if (passage.operator) await requireAdministrator(tx, present.user_id)
  return admissionOf(passage, tx, present)
}

/** The call as its audit row shows it. */
function callOf({ callable, input }: Passage<unknown>, { caller, project_public_id }: Admission) {
  return { rule: callable.audit, input, project: project_public_id ?? null, user_id: caller.user_id }
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
