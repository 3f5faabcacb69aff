import type { Tx } from '../store/open.ts'
import { type Note, notesOf, type Origin, record } from './record.ts'
import { changeDetails, type Known, knownOf } from './things.ts'

type Names<Values> = Values extends unknown ? Extract<keyof Values, string> : never
type NamesOfThings<Values> = Values extends unknown
  ? Extract<
      {
        [Name in keyof Values]: NonNullable<Values[Name]> extends { id: string | number } ? Name : never
      }[keyof Values],
      string
    >
  : never

/**
 * The target of a call: its project, its user, the thing whose id stands in a property of the input, or the thing with
 * an id in the answer, such as `{ contact: { id: 5 } }`. The name of that one is its kind.
 */
export type Target<Input = Values, Answer = unknown> =
  | 'project'
  | 'user'
  | { kind: string; input: Names<Input> }
  | { answer: unknown extends Answer ? string : NamesOfThings<Answer> }

/** The declared content of the audit row of a change (docs/api/audit.md#rows). */
export interface DeclaredChange<Input = Values, Answer = unknown> {
  /** Of several targets, the first whose id the call gives; the project or the user when it gives none. */
  target: Target<Input, Answer> | readonly Target<Input, Answer>[]
  /** The other ids of the input, by the name they have in the details. */
  ids?: Readonly<Record<string, Names<Input>>>
  /** Names of properties of the input whose values stand in the details: never what people wrote or who they are. */
  details?: readonly Names<Input>[]
  /** Whether the details name the properties that the caller gave, because the call changes these. */
  changes?: boolean
}

/** The further audit settings of a route. */
export interface DeclaredRows {
  /**
   * `all`: each write of a handler without an authenticated caller leaves a row. `noted`: only those that note one,
   * because some of the handler's writes change nothing.
   */
  rows?: 'all' | 'noted'
  /** Whether GET leaves a row although it changes nothing, because it exports what a project or an account holds. */
  reads?: boolean
  /** `network`: the row holds only the network of the caller's address, because it may outlive the caller's data. */
  ip?: 'address' | 'network'
}

/** An audit declaration with all defaults filled in. */
export interface AuditRule extends Required<DeclaredRows> {
  /** Empty when only the project or the user can be the target, and when no row is written. */
  targets: readonly Target[]
  ids: readonly (readonly [shown: string, property: string])[]
  details: readonly string[]
  changes: boolean
}

export function auditRule(declared: Partial<DeclaredChange> & DeclaredRows = {}): AuditRule {
  const { target = [], ids = {}, details = [], changes = false, rows = 'all', reads = false, ip = 'address' } = declared
  return { targets: [target].flat(), ids: Object.entries(ids), details, changes, rows, reads, ip }
}

/** A call of an operation or a route, as its row shows it. */
interface Call {
  rule: AuditRule
  input: unknown
  answer: unknown
  /** The public id of the project that the caller is admitted to. */
  project: string | null
  user_id: string
}

/** What the target of a call is before the call, as far as the log keeps that; null for a call that makes one. */
export async function beforeCall(tx: Tx, call: Omit<Call, 'answer'>): Promise<Known | null> {
  if (!call.rule.changes && !call.rule.targets.some((target) => typeof target === 'object' && 'input' in target))
    return null
  return knownOf(tx, named(call, subjectOf({ ...call, answer: null }).target))
}

/**
 * Writes the row of a call in its own transaction, and those that its work notes. Another transaction of the call, such
 * as one before it, has the row only when it notes none.
 */
export async function recordCall(
  tx: Tx,
  origin: Origin,
  { is_own, before, ...call }: Call & { is_own: boolean; before: Known | null },
): Promise<void> {
  const noted = notesOf(tx)
  const isAsked = is_own || (noted.length === 0 && call.rule.rows === 'all')
  if (!isAsked) return record(tx, origin, noted)
  const { target, details } = subjectOf(call)
  const after = before === null || call.rule.changes ? await knownOf(tx, named(call, target)) : null
  record(tx, origin, [
    { target, details: changeDetails(details, isObject(call.input) ? call.input : {}, before, after) },
    ...noted,
  ])
}

function named({ rule, project }: Omit<Call, 'answer'>, target: string | null) {
  return { target: target ?? '', changes: rule.changes, project }
}

/** The target of a call and the details of its row, as its declaration says (docs/api/audit.md#rows). */
export function subjectOf(call: Call): Required<Pick<Note, 'target' | 'details'>> {
  const { rule } = call
  const input = isObject(call.input) ? call.input : {}
  const details: Record<string, unknown> = {}
  const { target, property: ofTarget } = targetOf(call, input)
  for (const [shown, property] of rule.ids)
    if (property !== ofTarget && isId(input[property])) details[shown] = input[property]
  for (const name of rule.details) if (input[name] !== undefined) details[name] = input[name]
  const fields = rule.changes ? Object.keys(input).filter((name) => !holdsId(rule, name)) : []
  if (fields.length > 0) details.fields = fields
  return { target, details }
}

/** The target, and the property of the input that holds its id. */
function targetOf({ rule, answer, project, user_id }: Call, input: Values): { target: string; property?: string } {
  const user = { target: `user:${user_id}` }
  for (const target of rule.targets) {
    if (target === 'user') return user
    if (target === 'project') break
    if ('input' in target) {
      const id = input[target.input]
      if (isId(id)) return { target: `${target.kind}:${id}`, property: target.input }
    } else {
      const id = idIn(answer, target.answer)
      if (isId(id)) return { target: `${target.answer}:${id}` }
    }
  }
  return project === null ? user : { target: `project:${project}` }
}

function holdsId({ targets, ids }: AuditRule, name: string): boolean {
  return (
    targets.some((target) => typeof target === 'object' && 'input' in target && target.input === name) ||
    ids.some(([, property]) => property === name)
  )
}

function idIn(answer: unknown, name: string): unknown {
  const thing = isObject(answer) ? answer[name] : null
  return isObject(thing) ? thing.id : null
}

type Values = Readonly<Record<string, unknown>>

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
