import { eq, inArray, sql } from 'drizzle-orm'
import { isSuspended } from '../access/app-team.ts'
import { requireAdministrator } from '../access/permission.ts'
import { AppError, invalid } from '../errors.ts'
import { noteSuspension } from '../oauth/events.ts'
import type { Reader, Tx } from '../store/open.ts'
import { app_suspensions } from '../store/tables/developer.ts'
import { type App, getApp } from './apps.ts'

/** Suspends an app on all sites at once, with a comment that gives the reason. CONFLICT when it is suspended. */
export async function suspendApp(
  tx: Tx,
  user_id: string,
  { app_id, comment }: Record<'app_id' | 'comment', string>,
  now: number,
): Promise<App> {
  await requireAdministrator(tx, user_id)
  await getApp(tx, app_id)
  if (comment.trim() === '') throw invalid('/comment', 'A comment with the reason is required.')
  if (await isSuspended(tx, app_id)) throw new AppError('CONFLICT', 'The app is already suspended.')
  await tx.insert(app_suspensions).values({ app_id, user_id, comment, suspended_at: now })
  await noteSuspension(tx, app_id, comment, now)
  return getApp(tx, app_id)
}

/** Lifts a suspension; tokens, authorizations and scripts work again. CONFLICT when the app is not suspended. */
export async function liftSuspension(tx: Tx, user_id: string, app_id: string, now: number): Promise<App> {
  await requireAdministrator(tx, user_id)
  await getApp(tx, app_id)
  const lifted = await tx
    .delete(app_suspensions)
    .where(eq(app_suspensions.app_id, app_id))
    .returning({ one: sql`1` })
  if (lifted.length === 0) throw new AppError('CONFLICT', 'The app is not suspended.')
  await noteSuspension(tx, app_id, null, now)
  return getApp(tx, app_id)
}

export type Suspension = typeof app_suspensions.$inferSelect

/** Those of the apps that are suspended, by their ids. */
export async function suspensionsOf(db: Reader, app_ids: readonly string[]): Promise<Map<string, Suspension>> {
  const rows = await db
    .select()
    .from(app_suspensions)
    .where(inArray(app_suspensions.app_id, [...app_ids]))
  return new Map(rows.map((row) => [row.app_id, row]))
}
