import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../store/open.ts'
import { live_scripts, scripts } from '../store/tables/scripts.ts'

/** A script as sites get it. */
export type LiveScript = typeof live_scripts.$inferSelect

/** From now on sites get this text. */
export async function putLive(tx: Tx, script: LiveScript): Promise<void> {
  await tx.insert(live_scripts).values(script).onConflictDoUpdate({ target: live_scripts.script_id, set: script })
}

/**
 * Sites get these scripts of the app and no others. Connections of those that are left out stay, without effect: if
 * a rollback brings a script back, it is where its owners had it.
 */
export async function replaceLive(tx: Tx, app_id: string, given: readonly LiveScript[]): Promise<void> {
  const own = tx.select({ id: scripts.id }).from(scripts).where(eq(scripts.app_id, app_id))
  await tx.delete(live_scripts).where(inArray(live_scripts.script_id, own))
  if (given.length > 0) await tx.insert(live_scripts).values([...given])
}

export async function takeOffLive(tx: Tx, script_id: number): Promise<void> {
  await tx.delete(live_scripts).where(eq(live_scripts.script_id, script_id))
}
