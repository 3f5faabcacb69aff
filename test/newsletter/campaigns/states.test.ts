import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type CampaignMove, moveCampaign } from '../../../src/newsletter/campaigns/states.ts'
import { CAMPAIGN_STATUSES, campaigns, type CampaignStatus } from '../../../src/store/tables/delivery.ts'
import { createWorld, START, type World } from '../../support/world.ts'

let world: World
let campaign_id: number
beforeAll(async () => {
  world = await createWorld()
  const { campaign } = await world.ok('campaigns/create', { subject: 'Tide', audience_spec: { include: [] } })
  campaign_id = campaign.id
})
afterAll(() => world.close())

const put = (change: Partial<typeof campaigns.$inferSelect>) =>
  world.service.runtime.store.write((tx) => tx.update(campaigns).set(change).where(eq(campaigns.id, campaign_id)))
const move = (asked: Partial<CampaignMove> & { to: CampaignStatus }) =>
  world.service.runtime.store.write((tx) =>
    moveCampaign(tx, { project_id: world.project.id, campaign_id, now: START + 1, ...asked }),
  )

const DRAWN: Record<CampaignStatus, CampaignStatus[]> = {
  draft: ['scheduled', 'preparing'],
  scheduled: ['draft', 'scheduled', 'preparing', 'cancelled', 'failed'],
  preparing: ['sending', 'cancelled', 'failed', 'paused'],
  sending: ['sent', 'paused', 'cancelled'],
  sent: ['sending'],
  paused: ['sending', 'cancelled', 'preparing'],
  cancelled: [],
  failed: ['scheduled', 'preparing'],
}

test.each([...CAMPAIGN_STATUSES])('A campaign moves from %s only to the states in the table.', async (from) => {
  for (const to of CAMPAIGN_STATUSES) {
    await put({ status: from })
    const outcome = await move({ to }).then(
      ({ status }) => status,
      (error: { code: string; details: unknown }) => [error.code, error.details],
    )
    expect([to, outcome]).toEqual([to, DRAWN[from].includes(to) ? to : ['INVALID_STATE', { state: from }]])
  }
})

test('A campaign moves with what changes beside its state.', async () => {
  await put({ status: 'sending' })
  const row = await move({ to: 'sent', set: { finished_at: START + 5 } })
  expect(row).toMatchObject({ id: campaign_id, status: 'sent', finished_at: START + 5, updated_at: START + 1 })
  expect(row).not.toHaveProperty('editor_json')
  await put({ status: 'preparing' })
  await move({ to: 'failed', set: { failure: { reason: 'The ink ran out.' } } })
  expect((await world.ok('campaigns/get', { campaign_id })).campaign).toMatchObject({
    status: 'failed',
    failure: { reason: 'The ink ran out.' },
  })
})

test('A campaign moves from fewer states when the caller limits them, and only as the table allows.', async () => {
  await put({ status: 'scheduled' })
  await expect(move({ to: 'preparing', from: ['draft'] })).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'scheduled' },
  })
  await expect(move({ to: 'sent', from: ['draft'] })).rejects.toThrow('No campaign moves from draft to sent.')
})

test('A campaign moves only when it exists in the project.', async () => {
  await put({ status: 'draft' })
  await expect(move({ to: 'preparing', project_id: world.other.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(move({ to: 'preparing', campaign_id: 999_999 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await put({ deleted_at: START })
  await expect(move({ to: 'preparing' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await put({ deleted_at: null })
  expect((await move({ to: 'preparing' })).status).toBe('preparing')
})
