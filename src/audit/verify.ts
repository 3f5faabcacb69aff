import type { Keys } from '../secrets.ts'
import type { Store } from '../store/open.ts'
import { isSealed, rowHash, type SealedEnds, type StoredRow } from './chain.ts'

/** The outcome of a check of the chain, as a sentence for the operator. */
interface ChainCheck {
  ok: boolean
  message: string
  /** Rows that were checked. */
  rows: number
  /** The first row that does not fit. */
  broken_at?: number
}

const PAGE = 2000
/** Times that the check begins again because the retention removed rows meanwhile. */
const ATTEMPTS = 3

const ENDS = `
  SELECT chain.last_id, chain.last_hash, chain.anchor_id, chain.anchor_hash, chain.seal,
    (SELECT max(id) FROM audit_log) AS newest_id, (SELECT min(id) FROM audit_log) AS oldest_id
  FROM (SELECT 1) LEFT JOIN audit_chain chain ON chain.id = 1`

type Ends = SealedEnds & { newest_id: number | null; oldest_id: number | null }

/**
 * Checks every row of the audit log against the one before it, and both ends against their seal, in pages. The service
 * may write meanwhile (docs/api/audit.md#chain).
 *
 * @param keys null checks the rows without the seal
 */
export async function verifyChain(query: Store['query'], keys: Keys | null): Promise<ChainCheck> {
  for (let attempt = 1; ; attempt++) {
    const ends = await readEnds(query)
    const check = await verifyFrom(query, keys, ends)
    if (check.ok || attempt === ATTEMPTS || (await readEnds(query)).anchor_id === ends.anchor_id) return check
  }
}

async function readEnds(query: Store['query']): Promise<Ends> {
  const [ends] = (await query(ENDS)) as unknown as Ends[]
  return ends!
}

async function verifyFrom(query: Store['query'], keys: Keys | null, ends: Ends): Promise<ChainCheck> {
  const { last_id, last_hash, anchor_id, anchor_hash, seal, newest_id } = ends
  if (last_id === null)
    return newest_id === null
      ? { ok: true, rows: 0, message: 'The audit log is empty.' }
      : broken(0, newest_id, 'The record of its ends was removed')
  if (keys && !isSealed(keys, { last_id, last_hash, anchor_id, anchor_hash, seal }))
    return broken(0, last_id, 'The record of its ends was not written by this service')
  let previous = anchor_hash
  let checked = 0
  for (let after = anchor_id; after < last_id;) {
    const page = (await query('SELECT * FROM audit_log WHERE id > ? AND id <= ? ORDER BY id LIMIT ?', [
      after,
      last_id,
      PAGE,
    ])) as unknown as StoredRow[]
    for (const row of page) {
      if (row.id !== after + 1) return broken(checked, after + 1, 'A row was removed')
      if (rowHash(previous, row.id, row) !== row.hash) return broken(checked, row.id, 'A row was changed')
      previous = row.hash
      after = row.id
      checked += 1
    }
    if (page.length === 0) return broken(checked, after + 1, 'A row was removed')
  }
  if (previous !== last_hash) return broken(checked, last_id, 'The newest row was changed')
  if (newest_id !== null && newest_id > last_id) return broken(checked, last_id + 1, 'A row was added')
  if (ends.oldest_id !== null && ends.oldest_id <= anchor_id) return broken(checked, ends.oldest_id, 'A row was added')
  return {
    ok: true,
    rows: checked,
    message: `${checked} ${checked === 1 ? 'row' : 'rows'}, and no break in ${checked === 1 ? 'its' : 'their'} chain.`,
  }
}

function broken(rows: number, broken_at: number, what: string): ChainCheck {
  return { ok: false, rows, broken_at, message: `${what}: the chain of the audit log breaks at row ${broken_at}.` }
}
