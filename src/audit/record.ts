import type { ProjectId } from '../ids.ts'
import type { Keys } from '../secrets.ts'
import { jsonText } from '../store/json-text.ts'
import type { Store, Tx } from '../store/open.ts'
import type { AuditOutcome } from '../store/tables/audit.ts'
import { type AuditRow, writeChain } from './chain.ts'

/**
 * Writing to the audit log (docs/api/audit.md). An entry point knows who calls, from where and by which request: its
 * `Origin`. A write may name what it does by `note`. Both together are the rows, which commit with the write.
 */
export interface Origin {
  keys: Keys
  at: number
  /** `user:ID`, `key:ID`, `app:CLIENT_ID for user:ID`, `contact:ID`, `visitor`, `command line` or `service`. */
  actor: string
  /** The operation, route or command. */
  action: string
  ip: string | null
  request_id: string | null
  project_id?: ProjectId | null
}

/** The parts of an audit row that a write states by itself. A property that is left out is the origin's. */
export interface Note {
  actor?: string
  action?: string
  /** Kind and id of what it changes, such as `contact:5`. */
  target?: string | null
  project_id?: ProjectId | null
  /** `refused` for an attempt that changed nothing but is worth a row, such as a failed sign-in. */
  outcome?: AuditOutcome
  /** Never secrets, request bodies or addresses of people. */
  details?: Readonly<Record<string, unknown>>
}

const MAX_DETAILS_BYTES = 1000
const MAX_TEXT = 200

/** Names the actor of all rows of a write that name none, in place of the origin's. */
export function actAs(tx: Tx, actor: string): void {
  tx.told.actor = actor
}

/** Names what a write does. Each note is a row of its own, in place of the row that the entry point writes unasked. */
export function note(tx: Tx, noted: Note): void {
  tx.told.notes.push(noted)
}

export function notesOf(tx: Tx): readonly Note[] {
  return tx.told.notes as readonly Note[] // `note` adds all of them
}

/** Adds a row for each note to the audit log, when the transaction commits. */
export function record(tx: Tx, origin: Origin, noted: readonly Note[]): void {
  const { keys } = origin
  const known = { ...origin, actor: tx.told.actor ?? origin.actor }
  for (const one of noted) tx.beforeCommit(writeChain, { keys, row: rowOf(known, one) })
}

function rowOf(origin: Origin, { actor, action, target, project_id, outcome, details }: Note): AuditRow {
  return {
    at: origin.at,
    actor: plain(actor ?? origin.actor),
    action: plain(action ?? origin.action),
    target: target ? plain(target) : null,
    ip: origin.ip,
    request_id: origin.request_id,
    project_id: project_id ?? origin.project_id ?? null,
    outcome: outcome ?? 'done',
    details: details && Object.keys(details).length > 0 ? bounded(details) : null,
  }
}

function bounded(details: Readonly<Record<string, unknown>>): string {
  const text = jsonText(details)
  return Buffer.byteLength(text) <= MAX_DETAILS_BYTES ? text : '{"truncated":true}'
}

/** Replaces lone surrogates as the database does, because the hash must match the stored text. */
function plain(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed()
}

/**
 * A store whose writes leave rows in the audit log: those that a write notes, or else one of the origin alone.
 * @param unasked false writes only rows that are noted
 */
export function auditedStore(store: Store, originOf: () => Origin, unasked: boolean): Store {
  return {
    ...store,
    unaudited: store,
    write: (work, options) =>
      store.write(async (tx) => {
        const result = await work(tx)
        const noted = notesOf(tx)
        record(tx, originOf(), noted.length === 0 && unasked ? [{}] : noted)
        return result
      }, options),
  }
}

/** The store itself, for a write that is no change of anything, such as the time of the last use. */
export function unaudited(store: Store): Store {
  return store.unaudited ?? store
}
