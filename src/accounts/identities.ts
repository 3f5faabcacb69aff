import { note } from '../audit/record.ts'
import { and, eq } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { Reader, Tx } from '../store/open.ts'
import { identities } from '../store/tables/accounts.ts'
import { findUserByLogin, getUser, insertUser, personName, sameMailbox, type User } from './users.ts'

/** A person's identity as an OpenID Connect provider asserts it. */
export interface Identity {
  issuer: string
  /** The provider's id for the person, which never changes. */
  subject: string
  email: string
  /** Whether the provider has verified the address. */
  email_verified: boolean
  first_name: string
  last_name: string
}

/**
 * The user of an identity: the one who used it before, else the one with its verified address, else a new user when
 * that address is invited. Otherwise throws FORBIDDEN.
 */
export async function userOfIdentity(
  tx: Tx,
  identity: Identity,
  isInvited: (db: Reader, email: string) => Promise<boolean>,
  now: number,
): Promise<User> {
  const known = await linkedUser(tx, identity, now)
  if (known) return known
  if (identity.email === '' || !identity.email_verified)
    throw refused('The provider has not verified your email address. Verify it there, then sign in again.')
  const found = await findUserByLogin(tx, identity.email)
  if (found && !sameMailbox(found.user.email, identity.email)) throw notInvited(identity.email)
  const user = found?.user ?? (await invitedUser(tx, identity, isInvited, now))
  await linkIdentity(tx, identity, user, now)
  return user
}

async function linkedUser(tx: Tx, { issuer, subject }: Identity, now: number): Promise<User | null> {
  const [row] = await tx
    .update(identities)
    .set({ last_used_at: now })
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
    .returning({ user_id: identities.user_id })
  if (!row) return null
  const user = await getUser(tx, row.user_id)
  if (user.disabled_at !== null) throw refused('This account is closed.')
  return user
}

async function invitedUser(
  tx: Tx,
  identity: Identity,
  isInvited: (db: Reader, email: string) => Promise<boolean>,
  now: number,
): Promise<User> {
  const { email, first_name, last_name } = identity
  if (!(await isInvited(tx, email))) throw notInvited(email)
  try {
    return await insertUser(
      tx,
      { email, password_hash: null, first_name: personName(first_name), last_name: personName(last_name) },
      now,
    )
  } catch (error) {
    throw error instanceof AppError && error.code === 'CONFLICT' ? refused('This account is closed.') : error
  }
}

/** Links the identity to the user, by the provider's id: an address may later belong to another person. */
async function linkIdentity(tx: Tx, { issuer, subject }: Identity, user: User, now: number): Promise<void> {
  const others = await tx
    .select({ subject: identities.subject })
    .from(identities)
    .where(and(eq(identities.user_id, user.id), eq(identities.issuer, issuer)))
  if (others.length > 0) throw refused('The account with your address belongs to another identity of this provider.')
  await tx.insert(identities).values({ issuer, subject, user_id: user.id, created_at: now, last_used_at: now })
  note(tx, { action: 'identity-link', actor: `user:${user.id}`, target: `user:${user.id}` })
}

function notInvited(email: string): AppError {
  return refused(`There is no account for ${email}. Ask for an invitation to a project first.`)
}

function refused(message: string): AppError {
  return new AppError('FORBIDDEN', message)
}
