import { sql } from 'drizzle-orm'
import { type Keys, sha256 } from '../secrets.ts'
import type { CommitWork, Tx } from '../store/open.ts'
import { one, valuesOf, withRows } from '../store/rows.ts'
import type { audit_chain, audit_log } from '../store/tables/audit.ts'

/**
 * The chain of hashes through the audit log (docs/api/audit.md#chain). The rows of a commit are appended together. A
 * record of both ends, signed with the secret key, detects rows that were removed or replaced at either end.
 */
export type StoredRow = typeof audit_log.$inferSelect
type ChainEnds = Omit<typeof audit_chain.$inferSelect, 'id' | 'seal'>
export type SealedEnds = ChainEnds & { seal: string }

/** A row before its position in the chain is known. */
export type AuditRow = Omit<StoredRow, 'id' | 'hash'>

/** One change of the chain: a row is added, the oldest rows are removed, or the ends are signed again. */
type ChainChange = { row: AuditRow } | { removed: { id: number; hash: string } } | { seal: 'again' }

/** The ends of a chain without rows. */
export const EMPTY_CHAIN: ChainEnds = { last_id: 0, last_hash: '', anchor_id: 0, anchor_hash: '' }

/** The ends as they are stored, all null before the first row, and the newest row that there is. */
type StoredEnds = (SealedEnds | Record<keyof SealedEnds, null>) & { newest_id: number | null }
const ENDS = sql`
  SELECT chain.last_id, chain.last_hash, chain.anchor_id, chain.anchor_hash, chain.seal,
    (SELECT max(id) FROM audit_log) AS newest_id
  FROM (SELECT 1) LEFT JOIN audit_chain chain ON chain.id = 1`

/** The properties stand in the order of canonical JSON, which is then what JSON.stringify writes. */
export function rowHash(previous: string, id: number, row: AuditRow): string {
  const { action, actor, at, details, ip, outcome, project_id, request_id, target } = row
  const fields = { action, actor, at, details, id, ip, outcome, project_id, request_id, target }
  return sha256(previous + JSON.stringify(fields))
}

export function sealOf(keys: Keys, ends: ChainEnds): string {
  return keys.sign('audit', sealedText(ends))
}

export function isSealed(keys: Keys, { seal, ...ends }: SealedEnds): boolean {
  return keys.verify('audit', seal)?.toString() === sealedText(ends)
}

function sealedText({ anchor_hash, anchor_id, last_hash, last_id }: ChainEnds): string {
  return JSON.stringify({ anchor_hash, anchor_id, last_hash, last_id })
}

const applyChanges = async (tx: Tx, changes: readonly ({ keys: Keys } & ChainChange)[]): Promise<void> => {
  const { keys } = changes[0]!
  const { newest_id, ...stored } = one(await tx.all<StoredEnds>(ENDS))
  const isEmpty = stored.last_id === null
  const { last_id, last_hash, anchor_id, anchor_hash } = isEmpty ? EMPTY_CHAIN : stored
  // Continues after the larger id even when somebody changed the tables: the service must go on, and `verifyChain`
  // finds the break.
  const ends: ChainEnds = { last_id: Math.max(last_id, newest_id ?? 0), last_hash, anchor_id, anchor_hash }
  const rows: unknown[][] = []
  for (const change of changes) {
    if ('removed' in change) {
      ends.anchor_id = change.removed.id
      ends.anchor_hash = change.removed.hash
    }
    if (!('row' in change)) continue
    ends.last_id += 1
    ends.last_hash = rowHash(ends.last_hash, ends.last_id, change.row)
    const { at, actor, action, target, ip, request_id, project_id, outcome, details } = change.row
    rows.push([ends.last_id, at, actor, action, target, ip, request_id, project_id, outcome, details, ends.last_hash])
  }
  if (rows.length > 0)
    await tx.later(sql`
      INSERT INTO audit_log (id, at, actor, action, target, ip, request_id, project_id, outcome, details, hash)
      ${withRows(rows)} SELECT ${valuesOf(0, 11)} FROM r`)
  // A new seal must not cover ends that somebody else wrote.
  const isOurs = isEmpty ? newest_id === null : isSealed(keys, stored)
  const seal = isOurs ? sealOf(keys, ends) : ''
  await tx.later(sql`
    INSERT INTO audit_chain (id, last_id, last_hash, anchor_id, anchor_hash, seal)
    VALUES (1, ${ends.last_id}, ${ends.last_hash}, ${ends.anchor_id}, ${ends.anchor_hash}, ${seal})
    ON CONFLICT (id) DO UPDATE SET last_id = excluded.last_id, last_hash = excluded.last_hash,
      anchor_id = excluded.anchor_id, anchor_hash = excluded.anchor_hash, seal = excluded.seal`)
}

/** Applies what all writes of a commit change in the chain. The service has one set of keys. */
export const writeChain: CommitWork<{ keys: Keys } & ChainChange> = Object.assign(applyChanges, { ahead: ENDS })
