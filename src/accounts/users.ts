import { normalForm } from '../normal-form.ts'
import { note } from '../audit/record.ts'
import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { AppError, type Flaw, invalid, invalidRequest } from '../errors.ts'
import { newId } from '../ids.ts'
import { addressFlaw, domainOf, emailKey, tidyAddress } from '../address.ts'
import { checker, line } from '../schema.ts'
import { personNameProblem } from '../plain-name.ts'
import { orConflict } from '../store/constraint.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { one, first } from '../store/rows.ts'
import { email_changes, password_resets, users } from '../store/tables/accounts.ts'
import { forgetDevices } from './devices.ts'
import { hashNewPassword, passwordFlaws, requireGoodPassword } from './passwords.ts'
import { endSessionsOf } from './sessions.ts'

export interface NewUser {
  email: string
  password: string
  first_name?: string
  last_name?: string
  /** An administrator of the instance: reviews apps. */
  admin?: boolean
}

export type User = Omit<typeof users.$inferSelect, 'password_hash' | 'email_key'>

/** A user with checked fields and hashed password, ready for a transaction. */
interface PreparedUser extends Omit<NewUser, 'password'> {
  /** null for a user who signs in through OpenID Connect only. */
  password_hash: string | null
}

/**
 * Creates a user with a confirmed address, for the operator. The first one administers the instance, unless `admin`
 * says otherwise. VALIDATION_FAILED, or CONFLICT when the address is in use.
 */
export async function createUser(store: Store, input: NewUser, now: number): Promise<User> {
  const prepared = await prepareUser(input, 'operator')
  return store.write(async (tx) => {
    const admin = prepared.admin ?? (await tx.$count(users)) === 0
    return insertUser(tx, { ...prepared, admin }, now)
  })
}

/** The slow part of creating a user. Throws VALIDATION_FAILED with every flaw. */
export async function prepareUser(
  { password, ...input }: NewUser,
  chosen_by: 'user' | 'operator' = 'user',
): Promise<PreparedUser> {
  const details = newUserFlaws({ password, ...input }, chosen_by)
  if (details.length > 0) throw invalidRequest(details)
  return { ...input, email: tidyAddress(input.email), password_hash: await hashNewPassword(password) }
}

export async function insertUser(tx: Tx, user: PreparedUser, now: number): Promise<User> {
  const row = {
    id: newId('usr'),
    email: tidyAddress(user.email),
    email_key: emailKey(user.email),
    password_hash: user.password_hash,
    first_name: user.first_name?.trim() ?? '',
    last_name: user.last_name?.trim() ?? '',
    admin: user.admin ?? false,
    confirmed_at: now,
    created_at: now,
    updated_at: now,
  }
  const insert = tx.insert(users).values(row).returning(USER)
  const created = one(await orConflict(insert, { email_key: '/email' }, 'Another account has this address.'))
  note(tx, { target: `user:${created.id}` })
  return created
}

/** Sets a password for the operator and ends all sessions of the user. */
export async function setPassword(store: Store, user_id: string, password: string, now: number): Promise<void> {
  requireGoodPassword(password, null)
  const password_hash = await hashNewPassword(password)
  await store.write(async (tx) => {
    await storePassword(tx, user_id, password_hash, now)
    note(tx, { target: `user:${user_id}` })
  })
}

/**
 * Stores a new password, ends the user's sessions and links, and forgets the devices. A link to another address may be
 * that of a person who knew the earlier password.
 */
export async function storePassword(tx: Tx, user_id: string, password_hash: string, now: number): Promise<void> {
  await tx.update(users).set({ password_hash, updated_at: now }).where(eq(users.id, user_id))
  await endSessionsOf(tx, user_id)
  await forgetDevices(tx, user_id)
  await endLinks(tx, user_id)
}

/** Ends the links to a new password and to another address. */
async function endLinks(tx: Tx, user_id: string): Promise<void> {
  for (const table of [password_resets, email_changes]) await tx.delete(table).where(eq(table.user_id, user_id))
}

/**
 * Disables a user. Sessions and links end; keys and tokens stop working, because every check requires an enabled user.
 */
export async function disableUser(tx: Tx, user_id: string, now: number): Promise<User> {
  await tx.update(users).set({ disabled_at: now, updated_at: now }).where(eq(users.id, user_id))
  await endSessionsOf(tx, user_id)
  await endLinks(tx, user_id)
  return getUser(tx, user_id)
}

/** Changes the given names of a user. VALIDATION_FAILED for one that is no line of at most 100 characters. */
export async function renameUser(
  tx: Tx,
  user_id: string,
  names: Partial<Pick<User, 'first_name' | 'last_name'>>,
  now: number,
): Promise<User> {
  const details = nameFlaws(names)
  if (details.length > 0) throw invalidRequest(details)
  const { first_name, last_name } = names
  await tx
    .update(users)
    .set({ first_name: first_name?.trim(), last_name: last_name?.trim(), updated_at: now })
    .where(eq(users.id, user_id))
  return getUser(tx, user_id)
}

/** Lets a disabled user sign in again. */
export async function enableUser(tx: Tx, user_id: string, now: number): Promise<User> {
  await tx.update(users).set({ disabled_at: null, updated_at: now }).where(eq(users.id, user_id))
  return getUser(tx, user_id)
}

/** Makes a user an administrator of the service, or takes that away. CONFLICT for the last one, and a disabled one. */
export async function setAdministrator(tx: Tx, { id, disabled_at }: User, admin: boolean, now: number): Promise<User> {
  if (admin && disabled_at !== null) throw new AppError('CONFLICT', 'This user is disabled. Enable the account first.')
  if (!admin) await requireOtherAdministrator(tx, id)
  await tx.update(users).set({ admin, updated_at: now }).where(eq(users.id, id))
  return getUser(tx, id)
}

/** CONFLICT when no other enabled user administers the service. */
export async function requireOtherAdministrator(db: Reader, user_id: string): Promise<void> {
  const administrators = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.admin, true), isNull(users.disabled_at)))
  if (administrators.length === 1 && administrators[0]!.id === user_id)
    throw new AppError('CONFLICT', 'This is the last administrator of the service. Make another one first.')
}

/** The enabled user who signs in with this address, and the password hash. */
export async function findUserByLogin(
  db: Reader,
  email: string,
): Promise<{ user: User; password_hash: string | null } | null> {
  const [row] = await db
    .select({ ...USER, password_hash: users.password_hash })
    .from(users)
    .where(hasAddress(email))
    .orderBy(spelledSoFirst(email))
    .limit(1)
  if (!row || row.disabled_at !== null) return null
  const { password_hash, ...user } = row
  return { user, password_hash }
}

/** Finds a user by id or address. */
export async function findUser(db: Reader, id_or_email: string): Promise<User | null> {
  return first(
    await db
      .select(USER)
      .from(users)
      .where(and(or(eq(users.id, id_or_email), hasAddress(id_or_email)), isNull(users.deleted_at)))
      .orderBy(spelledSoFirst(id_or_email))
      .limit(1),
  )
}

export async function getUser(db: Reader, id_or_email: string): Promise<User> {
  const user = await findUser(db, id_or_email)
  if (!user) throw new AppError('NOT_FOUND', `There is no user ${id_or_email.slice(0, LONGEST_QUOTED)}.`)
  return user
}

export async function listUsers(db: Reader): Promise<User[]> {
  return db.select(USER).from(users).where(isNull(users.deleted_at)).orderBy(asc(users.created_at), asc(users.id))
}

/**
 * Whether an account has this address. Two accounts may have one mailbox, spelled in two ways, since before addresses
 * were compared as they are: the later one kept the key of its spelling, which finds it
 * (docs/api/contacts.md#addresses).
 */
function hasAddress(email: string): SQL {
  return inArray(users.email_key, [...new Set([emailKey(email), email.trim().toLowerCase()])])
}

function spelledSoFirst(email: string): SQL {
  return sql`${users.email_key} = ${email.trim().toLowerCase()} DESC`
}

/**
 * Whether two addresses are certainly one mailbox. Two spellings of one key may be different mailboxes when non-ASCII
 * letters before the @ fold into ASCII, as the Kelvin sign folds into k.
 */
export function sameMailbox(a: string, b: string): boolean {
  const [one, other] = [a, b].map((email) => email.trim().slice(0, email.trim().lastIndexOf('@')))
  if (isAscii(one!) && isAscii(other!)) return emailKey(a) === emailKey(b)
  const isSame = !isAscii(one!) && !isAscii(other!) && normalForm(one!) === normalForm(other!)
  return isSame && domainOf(a) === domainOf(b)
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

const USER = {
  id: users.id,
  email: users.email,
  first_name: users.first_name,
  last_name: users.last_name,
  admin: users.admin,
  confirmed_at: users.confirmed_at,
  disabled_at: users.disabled_at,
  deleted_at: users.deleted_at,
  last_sign_in_at: users.last_sign_in_at,
  created_at: users.created_at,
  updated_at: users.updated_at,
}

const PersonName = line(100)
/** Characters of a given id or address that an error quotes. */
const LONGEST_QUOTED = 320

/** A name from a provider, or an empty text when it is not acceptable. */
export function personName(text: string): string {
  return checker(PersonName).Check(text.trim()) && personNameProblem(text) === null ? text.trim() : ''
}

/** The given email address as it is stored. VALIDATION_FAILED when it is not valid. */
export function requireAddress(given: string): string {
  const email = tidyAddress(given)
  const flaw = addressFlaw(email)
  if (flaw !== null) throw invalid('/email', flaw)
  return email
}

export function newUserFlaws(user: NewUser, chosen_by: 'user' | 'operator' = 'user'): Flaw[] {
  const flaws: Flaw[] = []
  const flaw = addressFlaw(user.email)
  if (flaw !== null) flaws.push({ path: '/email', message: flaw })
  flaws.push(...passwordFlaws(user.password, chosen_by === 'operator' ? null : user.email), ...nameFlaws(user))
  return flaws
}

function nameFlaws(names: Partial<Pick<NewUser, 'first_name' | 'last_name'>>): Flaw[] {
  return (['first_name', 'last_name'] as const).flatMap((field) => {
    const name = names[field] ?? ''
    const isLine = checker(PersonName).Check(name)
    const message = isLine ? personNameProblem(name) : 'A name is one line of at most 100 characters.'
    return message === null ? [] : [{ path: `/${field}`, message }]
  })
}
