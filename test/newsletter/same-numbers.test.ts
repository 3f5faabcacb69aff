import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { deliverabilityOf } from '../../src/newsletter/campaigns/deliverability.ts'
import { countDeliveries } from '../../src/newsletter/outbox/delivery-days.ts'
import { bounceDetail } from '../../src/newsletter/tracking/event-detail.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

/** Of 5,000 rows 76 have no address, and 116 people have left. */
const [INVALID, GONE, HERE] = [76, 116, 4_808]
/** Of those here 8 messages failed, 20 bounced, and 2 people complained. */
const [FAILED, BOUNCED, OPENED] = [8, 20, 1_000]

test('The same people are the same number in import, overview, audience, report and deliverability.', async () => {
  const { connection_id, list_id } = await readyToSend(world)
  const status = (index: number) => (index < GONE ? 'unsubscribed' : 'subscribed')
  const rows = Array.from({ length: 5_000 - INVALID }, (_, index) => `reader${index}@gmail.com,${status(index)}`)
  const flawed = Array.from({ length: INVALID }, (_, index) => `nobody ${index},subscribed`)
  const csv = ['email,status', ...rows, ...flawed].join('\n')
  const { import: staged } = await world.ok('imports/create', { csv })
  const options = { list_ids: [list_id], consent_confirmed: true, consent_text: 'Yes' }
  const asked = { import_id: staged.id, mapping: { 0: 'email', 1: 'status' }, options }
  const { summary, import: checked } = await world.ok('imports/dry-run', asked)
  expect([summary.invalid, summary.new, checked.findings.opted_out]).toEqual([INVALID, HERE + GONE, GONE])
  expect(checked.findings.joining).toBe(HERE)
  await world.ok('imports/commit', { import_id: staged.id })
  await world.settle()

  const { import: done } = await world.ok('imports/get', { import_id: staged.id })
  expect(done.counters).toMatchObject({ created: HERE + GONE, failed: INVALID })
  expect(await audience(list_id)).toEqual([HERE, HERE, HERE, HERE, HERE])

  const campaign_id = await sentCampaign(list_id)
  const stats = await world.ok('campaigns/stats', { campaign_id })
  const listed = await world.ok('campaigns/list', { include: ['stats'] })
  const sent = HERE - FAILED
  expect(stats).toMatchObject({ recipients: HERE, sent, failed: FAILED, reached: sent - BOUNCED, in_sandbox: 0 })
  expect(listed.items[0].stats).toMatchObject({ recipients: HERE, sent, reached: stats.reached, unique_opens: OPENED })
  expect([stats.unique_opens, stats.unsubscribes]).toEqual([OPENED, 0])
  const totals = { sent, bounced: BOUNCED, soft_bounced: 0, complained: 0, unsubscribed: 0, opened: OPENED }
  expect(await deliverability()).toEqual(totals)
  expect((await world.ok('overview')).sending).toMatchObject({ this_month: sent, last_24_hours: sent })

  // A trial in the sandbox changes no number of what was sent.
  const { list } = await world.ok('lists/create', { name: 'Trial' })
  for (const index of [200, 201])
    await world.ok('contacts/upsert', { email: `reader${index}@gmail.com`, list_ids: [list.id], consent_text: 'Yes' })
  const { campaign: trial } = await world.ok('campaigns/create', {
    subject: 'Trial',
    editor_json: SAMPLE_DOCUMENT,
    connection_id,
    audience_spec: { include: [{ type: 'list', id: list.id }] },
  })
  await world.ok('campaigns/send', { campaign_id: trial.id })
  await world.settle()
  expect(await world.ok('campaigns/stats', { campaign_id: trial.id })).toMatchObject({
    ...{ recipients: 2, sent: 2, in_sandbox: 2, reached: 0 },
  })
  expect(await deliverability()).toEqual(totals)
  expect((await world.ok('overview')).sending).toMatchObject({ this_month: sent, last_24_hours: sent })

  // Whoever leaves now has joined and left in these days.
  for (const index of [300, 301, 302]) {
    const { items } = await world.ok('contacts/list', { search: `reader${index}@gmail.com` })
    await world.ok('contacts/unsubscribe', { contact_id: items[0].id })
  }
  await world.ok('suppressions/add', { email: 'reader303@gmail.com', reason: 'hard_bounce' })
  const left = HERE - 4
  expect(await audience(list_id)).toEqual([left, left, left, left, left])
})

/** How many people are subscribed: by the overview, its growth, the contacts, a filter of them, and an audience. */
async function audience(list_id: number): Promise<number[]> {
  const seen = await world.ok('overview')
  const joined = seen.growth.reduce((sum: number, day: any) => sum + day.subscribed - day.unsubscribed, 0)
  const stats = await world.ok('contacts/stats')
  const rules = { op: 'and', rules: [{ field: 'global_status', operator: 'eq', value: 'subscribed' }] }
  const filtered = await world.ok('segments/preview', { rules })
  const counted = await world.ok('campaigns/audience-count', {
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  return [seen.contacts.by_status.subscribed, joined, stats.by_status.subscribed, filtered.count, counted.count]
}

async function deliverability() {
  while (await countDeliveries(world.service.runtime)) {
    /* there are more */
  }
  const { store } = world.service.runtime
  return (await deliverabilityOf(store, world.project.id, { days: 30, now: world.clock.now() })).total
}

/** A campaign that has left through a relay, with the rows that its sending writes. */
async function sentCampaign(list_id: number): Promise<number> {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  const [campaign_id, project_id, now] = [campaign.id as number, world.project.id, world.clock.now()]
  const status = sql.raw(
    `CASE WHEN n <= ${FAILED} THEN 'failed' WHEN n <= ${FAILED + BOUNCED} THEN 'bounced' ELSE 'sent' END`,
  )
  const event = (type: string, which: string, detail: string | null = null) => sql`
    INSERT INTO events (project_id, type, campaign_id, delivery_id, contact_id, email, at, detail)
    SELECT project_id, ${type}, campaign_id, id, contact_id, email, ${now}, ${detail}
    FROM deliveries WHERE campaign_id = ${campaign_id} AND ${sql.raw(which)}`
  await world.service.runtime.store.write(async (tx) => {
    await tx.run(sql`UPDATE campaigns SET status = 'sent', started_at = ${now}, finished_at = ${now},
      handed_over = ${HERE - FAILED} WHERE id = ${campaign_id}`)
    await tx.run(sql`
      INSERT INTO deliveries (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, sent_at,
        created_at)
      SELECT project_id, 'campaign', ${campaign_id}, id, email, ${status}, ${now}, ${now}, ${now}
      FROM (SELECT *, row_number() OVER (ORDER BY id DESC) AS n FROM contacts
        WHERE project_id = ${project_id} AND global_status = 'subscribed')`)
    await tx.run(event('sent', "status IN ('sent', 'bounced')"))
    await tx.run(event('bounce', "status = 'bounced'", bounceDetail('hard', '550 no such user')))
    await tx.run(event('open', `status = 'sent' ORDER BY id LIMIT ${OPENED}`))
    await tx.run(sql`
      INSERT INTO sending_hours (project_id, connection_id, hour, sent)
      VALUES (${project_id}, 999, ${Math.floor(now / 3_600_000)}, ${HERE - FAILED})`)
  })
  return campaign_id
}
