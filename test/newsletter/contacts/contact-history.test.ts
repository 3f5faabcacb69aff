import { expect, test } from 'bun:test'
import { createWorld } from '../../support/world.ts'
import { addPeople } from '../campaigns/support.ts'

test('A contact shows the suppression of its own project, and none of another one.', async () => {
  const world = await createWorld()
  const email = 'ada@example.com'
  await addPeople(world, [{ email }])
  await addPeople(world, [{ email, suppressed: 'complaint' }], world.other.id)
  const suppression = async (as: string) => (await world.ok('contacts/get', { email }, { as })).suppression
  expect(await suppression(world.keys.owner)).toBeNull()
  expect(await suppression(world.keys.other)).toMatchObject({ reason: 'complaint' })
  await world.close()
})
