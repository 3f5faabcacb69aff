import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../store/open.ts'
import { published_scripts, scripts } from '../store/tables/scripts.ts'

/** The version of a script that sites embed. */
type PublishedScript = typeof published_scripts.$inferSelect

/** Publishes a script, or replaces its published version. */
export async function publishScript(tx: Tx, script: PublishedScript): Promise<void> {
  await tx
    .insert(published_scripts)
    .values(script)
    .onConflictDoUpdate({ target: published_scripts.script_id, set: script })
}

/**
 * Publishes exactly these scripts of an app and unpublishes the app's others. Connections of unpublished scripts stay
 * without effect, so that a rollback which publishes a script again restores it on the sites that had it.
 */
export async function publishScripts(tx: Tx, app_id: string, published: readonly PublishedScript[]): Promise<void> {
  const own = tx.select({ id: scripts.id }).from(scripts).where(eq(scripts.app_id, app_id))
  await tx.delete(published_scripts).where(inArray(published_scripts.script_id, own))
  if (published.length > 0) await tx.insert(published_scripts).values([...published])
}

export async function unpublishScript(tx: Tx, script_id: number): Promise<void> {
  await tx.delete(published_scripts).where(eq(published_scripts.script_id, script_id))
}
