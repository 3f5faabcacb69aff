import type { Tx } from '../store/open.ts'
import { type Note, notesOf, type Origin, record } from './record.ts'

/** What a declaration says about its rows. */
export interface AuditRule {
  /** Names of properties of the input whose values stand in the details: never what people wrote or who they are. */
  details: readonly string[]
  /**
   * `all`: each write of a handler without an authenticated caller leaves a row. `noted`: only those that note one,
   * because some of the handler's writes change nothing.
   */
  rows: 'all' | 'noted'
  /** Whether GET leaves a row although it changes nothing, because it exports what a project or an account holds. */
  reads: boolean
  /** `network`: the row holds only the network of the caller's address, because it may outlive the caller's data. */
  ip: 'address' | 'network'
}

export const AUDITED: AuditRule = { details: [], rows: 'all', reads: false, ip: 'address' }

/** A call of an operation or a route, as its row shows it. */
interface Call {
  /** Of the operation or route, such as `/user/developer/apps/:id`. */
  path: string
  input: unknown
  answer: unknown
  details: AuditRule['details']
  /** Whether the details name the properties that the caller gave. */
  names_fields: boolean
  /** The target of a call whose input and answer name none: its project or user. */
  otherwise: string
}

/** Writes the row of a call, and those that its work notes. */
export function recordCall(tx: Tx, origin: Origin, call: Call): void {
  record(tx, origin, [subjectOf(call), ...notesOf(tx)])
}

/**
 * The target of a call: the thing in the answer, or else the first id in the path, or else in the body. The other ids
 * stand in the details (docs/api/audit.md#rows).
 */
export function subjectOf({
  path,
  input,
  answer,
  details,
  names_fields,
  otherwise,
}: Call): Required<Pick<Note, 'target' | 'details'>> {
  const given = isObject(input) ? input : {}
  const names = Object.keys(given)
  const ids = names.some(isId) ? idsOf(path, given) : []
  const target = thingIn(answer) ?? ids[0]?.target ?? otherwise
  const shown: Record<string, unknown> = {}
  for (const { name, value, target: named } of ids) if (named !== target) shown[name] = value
  for (const name of details) if (given[name] !== undefined) shown[name] = given[name]
  const fields = names_fields ? names.filter((name) => !isId(name)) : []
  if (fields.length > 0) shown.fields = fields
  return { target, details: shown }
}

type Values = Readonly<Record<string, unknown>>

interface NamedId {
  name: string
  value: string | number
  target: string
}

/** The ids of the input, those of the path first. */
function idsOf(path: string, given: Values): NamedId[] {
  const ids = Object.entries(given).filter(
    (entry): entry is [string, string | number] =>
      isId(entry[0]) && (typeof entry[1] === 'string' || typeof entry[1] === 'number'),
  )
  return ids
    .toSorted(([a], [b]) => Number(path.includes(`:${b}`)) - Number(path.includes(`:${a}`)))
    .map(([name, value]) => {
      const kind = kindOf(path, name)
      return { name: `${kind}_id`, value, target: `${kind}:${value}` }
    })
}

function isId(name: string): boolean {
  return name === 'id' || name.endsWith('_id') || name.endsWith('Id')
}

/**
 * `scriptId` and `script_id` are ids of a script; `id` behind `/apps/` is one of an app. Connections of scripts have
 * other ids than those that send letters.
 */
function kindOf(path: string, name: string): string {
  if (name !== 'id') {
    const kind = name.replace(/_?[iI]d$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return kind === 'connection' && path.includes('/scripts/') ? 'script_connection' : kind
  }
  const segment = /([\w-]+)\/:id\b/.exec(path)?.[1] ?? 'thing'
  return segment.replaceAll('-', '_').replace(/s$/, '')
}

/** The first thing with an id in an answer such as `{ contact: { id: 5 } }`. */
function thingIn(answer: unknown): string | null {
  if (!isObject(answer)) return null
  for (const kind of Object.keys(answer)) {
    const thing = answer[kind]
    if (isObject(thing) && (typeof thing.id === 'string' || typeof thing.id === 'number')) return `${kind}:${thing.id}`
  }
  return null
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
