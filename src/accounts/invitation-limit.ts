import { DAY_MS } from '../clock.ts'
import { eq, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import { users } from '../store/tables/accounts.ts'

/** Days since an account was made, and how many times as many invitations as a new one it may send from then on. */
const STEPS = [
  { days: 30, times: 25 },
  { days: 7, times: 5 },
] as const

/**
 * Refuses another invitation of a user who sent many within a day, to projects and teams together: an account that
 * somebody makes only to write to strangers is new. Throws RATE_LIMITED.
 * @param per_day invitations of a new account in 24 hours
 */
export async function requireFewInvitations(tx: Tx, user_id: string, per_day: number, now: number): Promise<void> {
  const { created_at } = one(await tx.select({ created_at: users.created_at }).from(users).where(eq(users.id, user_id)))
  const times = STEPS.find(({ days }) => now - created_at >= days * DAY_MS)?.times ?? 1
  const most = per_day * times
  // The message whose age decides when the next one may go.
  const [deciding] = await tx.all<{ created_at: number }>(sql`
    SELECT created_at FROM account_messages WHERE asked_by = ${user_id} AND created_at > ${now - DAY_MS}
    ORDER BY created_at DESC LIMIT 1 OFFSET ${most - 1}`)
  if (!deciding) return
  const seconds = Math.max(1, Math.ceil((deciding.created_at + DAY_MS - now) / 1000))
  const later = times === STEPS[0].times ? '' : ' An older account may send more.'
  throw new AppError('RATE_LIMITED', `You sent ${most} invitations within a day, which is the most.${later}`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
