import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Identity, userOfIdentity } from '../../src/accounts/identities.ts'
import { notesOf } from '../../src/audit/record.ts'
import { identities } from '../../src/store/tables/accounts.ts'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { closeWorlds, createWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(closeWorlds)

const identity = (issuer: string, subject: string): Identity => ({
  issuer,
  subject,
  email: 'member@example.com',
  email_verified: true,
  first_name: '',
  last_name: '',
})
const signIn = (given: Identity) =>
  world.service.runtime.store.write((tx) => userOfIdentity(tx, given, async () => false, world.clock.now()))

test('A user has one identity at each provider: a second subject of the same provider is refused.', async () => {
  for (const issuer of ['https://one.example', 'https://two.example'])
    expect((await signIn(identity(issuer, '1'))).id).toBe(world.users.member)
  await expect(signIn(identity('https://one.example', '2'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await signIn(identity('https://two.example', '1'))).id).toBe(world.users.member)
})

const enter = (given: Partial<Identity>, isInvited = async () => false) => {
  const whole = { ...identity('https://shared.example', '1'), email: 'guest@identities.example', ...given }
  return write((tx) => userOfIdentity(tx, whole, isInvited, NOW))
}

test('An identity is taken for the account of its address only when both are certainly one.', async () => {
  const user_id = await newUser({ email: 'kim@identities.example' })
  for (const given of [
    { email: '' },
    { email: 'kim@identities.example', email_verified: false },
    { email: '\u212Aim@identities.example' },
  ])
    await expect(enter({ ...given, subject: 'kim' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await enter({ email: 'Kim@identities.EXAMPLE', subject: 'kim' })).id).toBe(user_id)
  expect((await enter({ email: 'else@identities.example', email_verified: false, subject: 'kim' })).id).toBe(user_id)
})

test('The audit log has the first use of an identity, and no later one.', async () => {
  const user = `user:${await newUser({ email: 'noted@identities.example' })}`
  const given = { ...identity('https://shared.example', 'noted'), email: 'noted@identities.example' }
  const noted = (after_ms = 0) =>
    write(async (tx) => {
      await userOfIdentity(tx, given, async () => false, NOW + after_ms)
      return [...notesOf(tx)]
    })
  expect(await noted()).toEqual([{ action: 'identity-link', actor: user, target: user }])
  expect(await noted(5)).toEqual([])
  const rows = await (await sharedStore()).db.select().from(identities).where(eq(identities.subject, 'noted'))
  expect(rows).toMatchObject([{ created_at: NOW, last_used_at: NOW + 5 }])
})

test('An invited person gets an account with the name of the identity, where that is a name.', async () => {
  const asked: string[] = []
  const given = { subject: 'invited', first_name: ' Nia ', last_name: 'x'.repeat(101) }
  await expect(enter(given)).rejects.toMatchObject({ message: expect.stringContaining('guest@identities.example') })
  const invited = async (_: unknown, email?: string) => asked.push(email ?? '') > 0
  const made = await enter(given, invited as () => Promise<boolean>)
  expect(made).toMatchObject({ email: 'guest@identities.example', first_name: 'Nia', last_name: '', admin: false })
  expect(asked).toEqual(['guest@identities.example'])
  expect((await enter(given)).id).toBe(made.id)
})

test('A closed account is not opened by an identity, not even by one with an invited address.', async () => {
  await newUser({ email: 'closed@identities.example', disabled_at: NOW })
  const closed = { code: 'FORBIDDEN', message: 'This account is closed.' }
  const given = { email: 'closed@identities.example', subject: 'closed' }
  await expect(enter(given, async () => true)).rejects.toMatchObject(closed)
  await expect(enter(given)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
