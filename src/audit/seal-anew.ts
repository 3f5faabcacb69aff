import { sql } from 'drizzle-orm'
import type { Keys } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import { type SealedEnds, sealOf } from './chain.ts'
import { verifyChain } from './verify.ts'

/**
 * Signs the ends of the chain with a new key after the old one was lost (docs/operations.md#lost-key), when the rows
 * fit together. Without the old key nothing shows whether the ends themselves were replaced before; the row that the
 * caller writes says that they were signed anew. Answers what was found.
 */
export async function sealAnew(tx: Tx, keys: Keys): Promise<'empty' | 'sealed anew' | 'broken'> {
  const [stored] = await tx.all<SealedEnds>(
    sql`SELECT last_id, last_hash, anchor_id, anchor_hash, seal FROM audit_chain`,
  )
  if (!stored) return 'empty'
  const query = (text: string, params: readonly unknown[] = []) => tx.all<Record<string, unknown>>(bound(text, params))
  const { ok } = await verifyChain(query, null)
  // An empty seal says that a break was found before.
  if (!ok || stored.seal === '') return 'broken'
  await tx.run(sql`UPDATE audit_chain SET seal = ${sealOf(keys, stored)}`)
  return 'sealed anew'
}

/** A statement with question marks, as drizzle takes it. */
function bound(text: string, params: readonly unknown[]) {
  const parts = text.split('?')
  return sql.join(
    parts.flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [sql`${params[index - 1]}`, sql.raw(part)])),
  )
}
