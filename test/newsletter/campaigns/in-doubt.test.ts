import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type InDoubt, inDoubtQuery } from '../../../src/newsletter/campaigns/in-doubt.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { campaigns, deliveries, type DeliveryStatus } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const SINCE = NOW - 1000
const seen = async (project_id: ProjectId): Promise<InDoubt[]> =>
  (await sharedStore()).db.all(inDoubtQuery(project_id, SINCE))

/** A campaign that was sent, with messages of these statuses. */
async function sent(
  project_id: ProjectId,
  more: Partial<typeof campaigns.$inferInsert>,
  statuses: DeliveryStatus[] = ['uncertain'],
  kind: 'campaign' | 'test' = 'campaign',
): Promise<number> {
  const campaign_id = await newCampaign(project_id, { status: 'sent', started_at: SINCE, ...more })
  const row = { project_id, kind, campaign_id, email: 'a@x.example', next_attempt_at: NOW, created_at: NOW }
  await write((tx) => tx.insert(deliveries).values(statuses.map((status) => ({ ...row, status }))))
  return campaign_id
}

test('A campaign in doubt is named with the number of its messages in doubt, the last begun first.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const first = await sent(project, { name: 'First', finished_at: NOW }, ['uncertain', 'sent', 'uncertain', 'queued'])
  const last = await sent(project, { name: 'Last', status: 'sending', started_at: SINCE + 2 })
  const middle = await sent(project, { name: 'Middle', started_at: SINCE + 1 })
  await sent(project, { deleted_at: NOW })
  await sent(project, { status: 'paused', deleted_at: NOW })
  await sent(project, { started_at: SINCE - 1 })
  await sent(project, { status: 'cancelled', started_at: SINCE - 1 })
  await sent(project, {}, ['sent', 'failed'])
  await sent(project, {}, ['uncertain'], 'test')
  const theirs = await sent(other, { name: 'Theirs' })
  expect(await seen(project)).toEqual([
    { id: last, name: 'Last', uncertain: 1, finished_at: null },
    { id: middle, name: 'Middle', uncertain: 1, finished_at: null },
    { id: first, name: 'First', uncertain: 2, finished_at: NOW },
  ])
  expect(await seen(other)).toEqual([{ id: theirs, name: 'Theirs', uncertain: 1, finished_at: null }])
})

test('Of the campaigns in doubt the newest 50 are named.', async () => {
  const project = await newProject()
  const first = await sent(project, {})
  await write(async (tx) => {
    await tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50)
      INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
        track_clicks, status, started_at, created_at, updated_at)
      SELECT project_id, n, '', '', '{}', audience_spec, 0, 0, status, started_at + n, 0, 0 FROM campaigns, numbers
      WHERE id = ${first}`)
    await tx.run(sql`
      INSERT INTO deliveries (project_id, kind, campaign_id, email, status, next_attempt_at, created_at)
      SELECT project_id, 'campaign', id, 'a@x.example', 'uncertain', 0, 0 FROM campaigns
      WHERE project_id = ${project} AND id <> ${first}`)
  })
  const numbers = Array.from({ length: 50 }, (_, index) => String(50 - index))
  expect((await seen(project)).map(({ name }) => name)).toEqual(numbers)
})
