import { expect, test } from 'bun:test'
import { reachedMilestones, reachMilestone } from '../../src/store/milestones.ts'
import { MILESTONES } from '../../src/store/tables/operation.ts'
import { sharedStore, write } from '../support/shared-store.ts'

test('A milestone keeps the last time that it was reached, with its details.', async () => {
  const [name] = MILESTONES
  const { db } = await sharedStore()
  await write((tx) => reachMilestone(tx, name!, { at: 1, details: { bytes: 5 } }))
  await write((tx) => reachMilestone(tx, name!, { at: 2, details: { bytes: 6 } }))
  expect((await reachedMilestones(db))[name!]).toEqual({ at: 2, details: { bytes: 6 } })
})
