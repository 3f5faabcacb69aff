import { RESTORED } from '../store/fact-life.ts'
import { jsonText } from '../store/json-text.ts'
import type { Store } from '../store/store.ts'

/**
 * The fact log also keeps ends of the audit log (docs/api/audit.md#chain). So somebody who can change only the database
 * cannot remove its newest rows, or empty its tables, unnoticed.
 */

const END = 'audited'

interface End {
  last_id: number
  last_hash: string
}

export function endLine(at: number, { last_id, last_hash }: End): string {
  return [new Date(at).toISOString(), END, last_id, last_hash].join(' ')
}

/** The fact line written after a restore of the database, from which on the audit log continues from an older end. */
export function restoredLine(at: number): string {
  return `${new Date(at).toISOString()} ${RESTORED}`
}

const CHUNK = 500

/**
 * The first row of the audit log that is no longer as the facts knew it; null when there is none. Rows that the
 * retention removed are not looked at.
 */
export async function firstLostRow(query: Store['query'], lines: Iterable<string>): Promise<number | null> {
  const [chain] = await query('SELECT anchor_id FROM audit_chain')
  const anchor_id = Number(chain?.anchor_id ?? 0)
  const ends = endsSinceRestore(lines)
  for (let start = 0; start < ends.length; start += CHUNK) {
    const some = ends.slice(start, start + CHUNK).filter(({ last_id }) => last_id > anchor_id)
    const rows = await query('SELECT id, hash FROM audit_log WHERE id IN (SELECT value FROM json_each(?))', [
      jsonText(some.map(({ last_id }) => last_id)),
    ])
    const hashes = new Map(rows.map(({ id, hash }) => [Number(id), hash]))
    const lost = some.find(({ last_id, last_hash }) => hashes.get(last_id) !== last_hash)
    if (lost) return lost.last_id
  }
  return null
}

function endsSinceRestore(lines: Iterable<string>): End[] {
  let ends: End[] = []
  for (const line of lines) {
    const [, what, id, last_hash] = line.split(' ', 4)
    if (what === RESTORED) ends = []
    if (what === END && last_hash !== undefined) ends.push({ last_id: Number(id), last_hash })
  }
  return ends
}
