import { DAY_MS } from '../clock.ts'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { AppError, type Flaw, invalidRequest } from '../errors.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { setup_links, users } from '../store/tables/accounts.ts'
import { insertUser, type NewUser, newUserFlaws, prepareUser, type User } from './users.ts'

/**
 * The first account. While an instance has no user, each start prints a link that creates the first account, an
 * administrator of the instance. The link works once.
 */

/** After this time a link no longer works, even when nobody used it. */
const LIFE_MS = DAY_MS

/** The token of a new link, replacing the one of an earlier start; null when there are users. */
export async function newSetupToken(store: Store, now: number): Promise<string | null> {
  return store.write(async (tx) => {
    if (await hasUsers(tx)) return null
    const token = newToken('svc_st_')
    await tx.delete(setup_links)
    await tx.insert(setup_links).values({ token_hash: tokenHash(token), created_at: now })
    return token
  })
}

export async function setupIsOpen(db: Reader, token: string, now: number): Promise<boolean> {
  const [link] = await db.select({ used_at: setup_links.used_at }).from(setup_links).where(isOpen(token, now))
  return link !== undefined && !(await hasUsers(db))
}

/**
 * Uses the link: creates the administrator and runs `also` in the same transaction. NOT_FOUND when the link is
 * unknown, used or too old. Any other failure leaves it usable. VALIDATION_FAILED with every flaw, those that the
 * caller found included.
 */
export async function setUp<T>(
  store: Store,
  { token, other_flaws, ...input }: NewUser & { token: string; other_flaws: readonly Flaw[] },
  also: (tx: Tx, user: User) => Promise<T>,
  now: number,
): Promise<T> {
  if (!(await setupIsOpen(store.db, token, now))) throw linkIsGone()
  const flaws = [...newUserFlaws(input), ...other_flaws]
  if (flaws.length > 0) throw invalidRequest(flaws)
  const prepared = await prepareUser({ ...input, admin: true })
  return store.write(async (tx) => {
    const used = await tx
      .update(setup_links)
      .set({ used_at: now })
      .where(isOpen(token, now))
      .returning({ token_hash: setup_links.token_hash })
    if (used.length === 0 || (await hasUsers(tx))) throw linkIsGone()
    return also(tx, await insertUser(tx, prepared, now))
  })
}

function isOpen(token: string, now: number) {
  const { token_hash, used_at, created_at } = setup_links
  return and(eq(token_hash, tokenHash(token)), isNull(used_at), gt(created_at, now - LIFE_MS))
}

async function hasUsers(db: Reader): Promise<boolean> {
  return (await db.$count(users)) > 0
}

function linkIsGone(): AppError {
  return new AppError(
    'NOT_FOUND',
    'This setup link is unknown, used or older than a day. Restart the service for another.',
  )
}
