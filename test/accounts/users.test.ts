import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import {
  createUser,
  disableUser,
  enableUser,
  findUser,
  findUserByLogin,
  getUser,
  listUsers,
  newUserFlaws,
  personName,
  renameUser,
  requireOtherAdministrator,
  sameMailbox,
  setPassword,
} from '../../src/accounts/users.ts'
import { passwordMatches } from '../../src/secrets.ts'
import type { Tx } from '../../src/store/open.ts'
import { email_changes, password_resets, sessions, users } from '../../src/store/tables/accounts.ts'
import { devices } from '../../src/store/tables/sign-in.ts'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const GOOD = 'olive trees at dawn'

/** A user with a session, a device, and links to a new password and to another address. */
async function busyUser(): Promise<string> {
  const user_id = await newUser()
  const token_hash = `hash of ${user_id}`
  const times = { created_at: NOW, expires_at: NOW + 1000 }
  await write(async (tx) => {
    await tx.insert(sessions).values({ token_hash, user_id, last_used_at: NOW, ...times })
    await tx.insert(devices).values({ id: user_id, user_id, token_hash, created_at: NOW, last_used_at: NOW })
    await tx.insert(password_resets).values({ token_hash, user_id, ...times })
    await tx.insert(email_changes).values({ token_hash, user_id, email: 'new@example.com', ...times })
  })
  return user_id
}

async function heldBy(user_id: string) {
  const { db } = await sharedStore()
  const count = (table: typeof sessions | typeof devices | typeof password_resets | typeof email_changes) =>
    db.$count(table, eq(table.user_id, user_id))
  return {
    sessions: await count(sessions),
    devices: await count(devices),
    links: (await count(password_resets)) + (await count(email_changes)),
  }
}

/** Runs work on the users as they are, and leaves nothing of it. */
async function undone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  let result: T
  await write(async (tx) => {
    result = await work(tx)
    throw new Error('undone')
  }).catch((error: Error) => {
    if (error.message !== 'undone') throw error
  })
  return result!
}

test('A new user has a trimmed address and name, a confirmed address, and each address is taken once.', async () => {
  const store = await sharedStore()
  const made = await createUser(
    store,
    { email: ' Nora@Users.example ', password: GOOD, first_name: ' Nora ', last_name: ' Quay ', admin: false },
    NOW,
  )
  const expected = { email: 'Nora@Users.example', first_name: 'Nora', last_name: 'Quay', admin: false }
  expect(made).toMatchObject({ ...expected, confirmed_at: NOW, created_at: NOW, disabled_at: null })
  expect(made).not.toContainAnyKeys(['password_hash', 'email_key'])
  const again = createUser(store, { email: 'nora@users.EXAMPLE', password: GOOD }, NOW)
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT', details: [{ path: '/email' }] })
  expect(await findUserByLogin(store.db, 'NORA@users.example')).toMatchObject({ user: { id: made.id } })
})

test('The first user administers the service, a later one does not, and either may be told otherwise.', async () => {
  const store = await sharedStore()
  await newUser()
  expect((await createUser(store, { email: 'second@users.example', password: GOOD }, NOW)).admin).toBe(false)
  expect((await createUser(store, { email: 'third@users.example', password: GOOD, admin: true }, NOW)).admin).toBe(true)
  const first = await undone(async (tx) => {
    // Other tests of the process have left what refers to their users.
    await tx.run(sql`PRAGMA defer_foreign_keys = ON`)
    await tx.delete(users)
    return createUser({ ...store, write: (work) => work(tx) }, { email: 'first@users.example', password: GOOD }, NOW)
  })
  expect(first.admin).toBe(true)
})

test('Every flaw of a new user is named, and only the operator may choose a common password.', () => {
  const paths = (...given: Parameters<typeof newUserFlaws>) => newUserFlaws(...given).map(({ path }) => path)
  expect(paths({ email: 'nora', password: 'short', first_name: 'a\nb', last_name: 'x'.repeat(101) })).toEqual([
    '/email',
    '/password',
    '/first_name',
    '/last_name',
  ])
  const common = { email: 'nora@example.com', password: 'password1' }
  expect([paths(common), paths(common, 'operator')]).toEqual([['/password'], []])
  expect(paths({ ...common, password: GOOD, first_name: 'x'.repeat(100) })).toEqual([])
})

test('A new password ends sessions, devices and links of its user, and of nobody else.', async () => {
  const store = await sharedStore()
  const [user_id, other] = [await busyUser(), await busyUser()]
  await expect(setPassword(store, user_id, 'short', NOW)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(await heldBy(user_id)).toEqual({ sessions: 1, devices: 1, links: 2 })
  await setPassword(store, user_id, GOOD, NOW + 5)
  expect(await heldBy(user_id)).toEqual({ sessions: 0, devices: 0, links: 0 })
  expect(await heldBy(other)).toEqual({ sessions: 1, devices: 1, links: 2 })
  const { email, updated_at } = await getUser(store.db, user_id)
  expect(updated_at).toBe(NOW + 5)
  const { password_hash } = (await findUserByLogin(store.db, email))!
  expect(await passwordMatches(GOOD, password_hash!)).toBe(true)
  expect((await findUserByLogin(store.db, (await getUser(store.db, other)).email))!.password_hash).toBeNull()
})

test('A disabled user has no session and no link, is found but does not sign in, until enabled again.', async () => {
  const { db } = await sharedStore()
  const [user_id, other] = [await busyUser(), await busyUser()]
  const { email, disabled_at } = await write((tx) => disableUser(tx, user_id, NOW + 1))
  expect(disabled_at).toBe(NOW + 1)
  expect(await heldBy(user_id)).toEqual({ sessions: 0, devices: 1, links: 0 })
  expect(await heldBy(other)).toEqual({ sessions: 1, devices: 1, links: 2 })
  expect([await findUserByLogin(db, email), (await findUser(db, email))?.id]).toEqual([null, user_id])
  expect(await getUser(db, other)).toMatchObject({ disabled_at: null })
  expect(await write((tx) => enableUser(tx, user_id, NOW + 2))).toMatchObject({
    disabled_at: null,
    updated_at: NOW + 2,
  })
  expect((await findUserByLogin(db, email))?.user.id).toBe(user_id)
})

test('A name is changed where one is given, and refused where it is no short line.', async () => {
  const user_id = await newUser({ first_name: 'Ada', last_name: 'Marsh' })
  const rename = (names: Parameters<typeof renameUser>[2]) => write((tx) => renameUser(tx, user_id, names, NOW + 3))
  expect(await rename({ last_name: ' Pier ' })).toMatchObject({ first_name: 'Ada', last_name: 'Pier' })
  expect(await rename({ first_name: '' })).toMatchObject({ first_name: '', last_name: 'Pier', updated_at: NOW + 3 })
  const refused = { code: 'VALIDATION_FAILED', details: [{ path: '/first_name' }] }
  await expect(rename({ first_name: 'x'.repeat(101), last_name: 'Pier' })).rejects.toMatchObject(refused)
})

test('The service keeps an administrator who can sign in.', async () => {
  const [admin, other] = [await newUser({ admin: true }), await newUser()]
  const isKept = (rival: Partial<typeof users.$inferInsert>) =>
    undone(async (tx) => {
      await tx.update(users).set({ admin: false })
      await tx.update(users).set({ admin: true }).where(eq(users.id, admin))
      await tx.update(users).set(rival).where(eq(users.id, other))
      const answers = []
      for (const id of [admin, other])
        answers.push(
          await requireOtherAdministrator(tx, id).then(
            () => null,
            ({ code }: { code: string }) => code,
          ),
        )
      return answers
    })
  expect(await isKept({ admin: false })).toEqual(['CONFLICT', null])
  expect(await isKept({ admin: true, disabled_at: NOW })).toEqual(['CONFLICT', null])
  expect(await isKept({ admin: true })).toEqual([null, null])
})

test('A deleted account is neither found nor listed; others are listed in the order they were made.', async () => {
  const { db } = await sharedStore()
  const [late, early] = [await newUser({ created_at: 2 }), await newUser({ created_at: 1 })]
  const deleted = await newUser({ created_at: 3, deleted_at: NOW, disabled_at: NOW })
  const listed = (await listUsers(db)).map(({ id }) => id)
  expect(listed.filter((id) => [late, early, deleted].includes(id))).toEqual([early, late])
  await expect(getUser(db, deleted)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('Two spellings are one mailbox only in ASCII, and a name from a provider is taken where it is one.', () => {
  expect(sameMailbox('Ada@Example.com', 'ada@example.COM')).toBe(true)
  expect(sameMailbox('ada@example.com', 'eda@example.com')).toBe(false)
  expect(sameMailbox('kim@example.com', '\u212Aim@example.com')).toBe(false)
  expect(sameMailbox('\u212Aim@example.com', '\u212Aim@example.com')).toBe(true)
  expect([' Ada ', 'a\nb', 'x'.repeat(101)].map(personName)).toEqual(['Ada', '', ''])
})
