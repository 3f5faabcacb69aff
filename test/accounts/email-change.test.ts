import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { confirmEmailChange, findEmailChange, requestEmailChange } from '../../src/accounts/email-change.ts'
import { findUserByLogin, getUser } from '../../src/accounts/users.ts'
import { HOUR_MS } from '../../src/clock.ts'
import { notesOf } from '../../src/audit/record.ts'
import { email_changes, password_resets } from '../../src/store/tables/accounts.ts'
import { queuedFor, queuedToken, senderAt } from '../support/queued-mail.ts'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const ask = (user_id: string, email: string, after_ms = 0) =>
  write((tx) => requestEmailChange(tx, senderAt(after_ms), user_id, email))
const use = (token: string, after_ms = 0) => write((tx) => confirmEmailChange(tx, senderAt(after_ms), token))
const addressOf = async (user_id: string) => (await getUser((await sharedStore()).db, user_id)).email

test('A link gives the account its new address, once, and the earlier one is told before and after.', async () => {
  const user_id = await newUser({ confirmed_at: null })
  const earlier = await addressOf(user_id)
  await write((tx) =>
    tx
      .insert(password_resets)
      .values({ user_id, token_hash: `reset of ${user_id}`, created_at: NOW, expires_at: NOW + 1 }),
  )
  await ask(user_id, ' Nora@Change.example ')
  expect(await addressOf(user_id)).toBe(earlier)
  expect(await queuedFor('Nora@Change.example')).toMatchObject([{ kind: 'email_change', expires_at: NOW + HOUR_MS }])

  const token = await queuedToken('Nora@Change.example')
  const { db } = await sharedStore()
  expect(await findEmailChange(db, token, NOW)).toEqual({ user_id, email: 'Nora@Change.example' })
  const notes = await write(async (tx) => {
    expect(await confirmEmailChange(tx, senderAt(5), token)).toBe('Nora@Change.example')
    return notesOf(tx)
  })
  expect(notes).toContainEqual({ action: 'email-change', actor: `user:${user_id}`, target: `user:${user_id}` })
  expect(await findUserByLogin(db, 'nora@change.example')).toMatchObject({
    user: { id: user_id, confirmed_at: NOW + 5, updated_at: NOW + 5 },
  })
  expect((await queuedFor(earlier)).map(({ kind, subject }) => [kind, subject])).toEqual([
    ['security_notice', 'Another address was given for your account'],
    ['security_notice', 'The address of your account changed'],
  ])
  expect(await db.$count(password_resets, eq(password_resets.user_id, user_id))).toBe(0)
  await expect(use(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('A link works for an hour, and only the last one that was asked for.', async () => {
  const user_id = await newUser()
  await ask(user_id, 'first@change.example')
  const first = await queuedToken('first@change.example')
  await ask(user_id, 'second@change.example')
  const second = await queuedToken('second@change.example')
  await expect(use(first)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(use(second, HOUR_MS)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await use(second, HOUR_MS - 1)).toBe('second@change.example')
})

test('Only another address is asked for, in any spelling, and one in use tells its account.', async () => {
  const [user_id, other] = [await newUser(), await newUser()]
  const [own, taken] = [await addressOf(user_id), await addressOf(other)]
  for (const email of ['nobody', ` ${own} `])
    await expect(ask(user_id, email)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: '/email' }],
    })
  await ask(user_id, own.toUpperCase())
  expect(await use(await queuedToken(own.toUpperCase()))).toBe(own.toUpperCase())
  await ask(user_id, taken.toUpperCase())
  expect((await queuedFor(taken)).map(({ subject }) => subject)).toEqual(['Your address was given for another account'])
  const { db } = await sharedStore()
  expect(await db.$count(email_changes, eq(email_changes.user_id, user_id))).toBe(0)
})

test('An address gets five such messages a day, and the sixth is refused before anybody is told.', async () => {
  const user_id = await newUser()
  const earlier = await addressOf(user_id)
  for (let count = 0; count < 5; count++) await ask(user_id, `flood+${count}@change.example`, count)
  await expect(ask(user_id, 'flood@change.example', 5)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect([(await queuedFor(earlier)).length, await queuedFor('flood@change.example')]).toEqual([5, []])
})

test('An address that got an account meanwhile stays with that account.', async () => {
  const user_id = await newUser()
  const earlier = await addressOf(user_id)
  await ask(user_id, 'late@change.example')
  const token = await queuedToken('late@change.example')
  await newUser({ email: 'late@change.example' })
  await expect(use(token)).rejects.toMatchObject({ code: 'CONFLICT', details: [{ path: '/email' }] })
  expect(await addressOf(user_id)).toBe(earlier)
})
