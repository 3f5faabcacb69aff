import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Identity, userOfIdentity } from '../../src/accounts/identities.ts'
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
