import { eq } from 'drizzle-orm'
import { invalid } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Store } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { users } from '../store/tables/accounts.ts'
import { knownDevice } from './devices.ts'
import { allowPassword, type Counting, recordFailure } from './failures.ts'
import { checkPassword } from './passwords.ts'

/** A signed-in user who gives the password again. */
export interface PasswordProof {
  user_id: string
  /** The client's address. */
  address: string
  /** The value of the device cookie. */
  device: string | null
  password: string
}

/**
 * Checks the password of a signed-in user and returns its hash. VALIDATION_FAILED at `path` for a wrong one, counted
 * like a failed sign-in, so that an open browser cannot be used to guess the password.
 */
export async function provePassword(
  context: Counting & Pick<Runtime, 'keys'> & Pick<Store, 'write'>,
  { user_id, address, device, password }: PasswordProof,
  path: string,
  now: number,
): Promise<string> {
  const { db, keys } = context
  const user = first(
    await db
      .select({ email: users.email, password_hash: users.password_hash })
      .from(users)
      .where(eq(users.id, user_id)),
  )
  const device_id = await knownDevice(db, keys, device, user_id)
  const buckets = await allowPassword(context, { address, email: user?.email ?? '', device_id }, now)
  const known_hash = user?.password_hash ?? null
  const isRight = await checkPassword(password, known_hash, 'known')
  if (known_hash !== null && isRight) return known_hash
  await recordFailure(context, buckets, { action: 'password-confirm', user_id }, now)
  throw invalid(path, 'This is not your password.')
}
