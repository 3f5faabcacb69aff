import { expect, test } from 'bun:test'
import { findWithHistory } from '../../../src/newsletter/contacts/contact-history.ts'
import { createWorld } from '../../support/world.ts'
import { addPeople } from '../campaigns/support.ts'

test('A contact shows the suppression of its own project, and none of another one.', async () => {
  const world = await createWorld()
  const email = 'ada@example.com'
  await addPeople(world, [{ email }])
  await addPeople(world, [{ email, suppressed: 'complaint' }], world.other.id)
  const suppressionIn = async (project_id: typeof world.project.id) =>
    (await findWithHistory(world.service.runtime.store.db, project_id, { email }))?.suppression?.[0] ?? null
  expect(await suppressionIn(world.project.id)).toBeNull()
  expect(await suppressionIn(world.other.id)).toBe('complaint')
  await world.close()
})
