import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { deliverabilityOf } from '../../../src/newsletter/campaigns/deliverability.ts'
import { one } from '../../../src/store/rows.ts'
import { campaigns } from '../../../src/store/tables/delivery.ts'
import { suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const DAY = 86_400_000
const TODAY = Math.floor(NOW / DAY)
const HOUR = 3_600_000

const found = async (project_id: ProjectId, days = 7) =>
  deliverabilityOf(await sharedStore(), project_id, { days, now: NOW })
const newCampaign = (project_id: ProjectId, more: Partial<typeof campaigns.$inferInsert> = {}): Promise<number> =>
  write(async (tx) => {
    const values = {
      project_id,
      name: 'Tides',
      search_key: 'tides',
      subject: 'Tides',
      editor_json: { version: 1, settings: {}, blocks: [] } as never,
      audience_spec: { include: [] } as never,
      track_opens: false,
      track_clicks: false,
      status: 'sending' as const,
      started_at: NOW,
      created_at: NOW,
      updated_at: NOW,
    }
    return one(
      await tx
        .insert(campaigns)
        .values({ ...values, ...more })
        .returning({ id: campaigns.id }),
    ).id
  })
const deliver = (
  project_id: ProjectId,
  campaign_id: number,
  count: number,
  more: Record<string, string | number | null>,
) =>
  write(async (tx) => {
    const {
      email = 'ada@example.com',
      status = 'queued',
      attempts = 0,
      due = NOW + HOUR,
      error = null,
      kind = 'campaign',
    } = more
    for (let at = 0; at < count; at++)
      await tx.run(sql`
        INSERT INTO deliveries (project_id, kind, campaign_id, email, status, attempts, next_attempt_at, last_error,
          created_at)
        VALUES (${project_id}, ${kind}, ${campaign_id}, ${email}, ${status}, ${attempts}, ${due}, ${error}, ${NOW})`)
  })

test('The days of a project are summed, by provider and in all, and older days do not count.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const add = (project_id: ProjectId, day: number, provider: string, sent: number) =>
    write((tx) =>
      tx.run(sql`
      INSERT INTO delivery_days (project_id, day, provider, sent, bounced, soft_bounced, complained, unsubscribed,
        opened)
      VALUES (${project_id}, ${day}, ${provider}, ${sent}, 1, 2, 3, 4, 5)`),
    )
  await add(project, TODAY, 'gmail', 10)
  await add(project, TODAY - 6, 'gmail', 20)
  await add(project, TODAY - 7, 'gmail', 1000)
  await add(project, TODAY, 'gmx', 50)
  await add(other, TODAY, 'gmail', 1000)
  const { total, providers, days } = await found(project)
  expect(days).toBe(7)
  expect(total).toEqual({ sent: 80, bounced: 3, soft_bounced: 6, complained: 9, unsubscribed: 12, opened: 15 })
  expect(providers.map(({ provider, sent }) => [provider, sent])).toEqual([
    ['gmx', 50],
    ['gmail', 30],
  ])
  expect(providers[1]!.by_day.map(({ date, sent }) => [date, sent])).toEqual([
    ['2026-01-09', 20],
    ['2026-01-15', 10],
  ])
})

test('Messages that wait in campaigns under way are told with the reason and the earliest time.', async () => {
  const project = await newProject()
  const campaign = await newCampaign(project)
  await deliver(project, campaign, 2, { email: 'a@GMAIL.com' })
  await deliver(project, campaign, 1, { email: 'b@googlemail.com', due: NOW + 1, error: 'Earlier.' })
  await deliver(project, campaign, 4, { email: 'c@gmx.de', attempts: 1, error: '450 later' })
  for (const more of [{ due: NOW }, { status: 'sent' }, { kind: 'test' }] as Record<string, string>[])
    await deliver(project, campaign, 9, more)
  await deliver(project, await newCampaign(project, { status: 'paused' }), 9, {})
  const elsewhere = await newProject()
  await deliver(elsewhere, await newCampaign(elsewhere), 9, {})
  expect((await found(project)).held_back).toEqual([
    {
      provider: 'gmx',
      messages: 4,
      reason: 'refused_for_now',
      until: new Date(NOW + HOUR).toISOString(),
      error: '450 later',
    },
    { provider: 'gmail', messages: 3, reason: 'limit', until: new Date(NOW + 1).toISOString(), error: null },
  ])
})

test('Suppressions are counted by reason.', async () => {
  const project = await newProject()
  await write((tx) =>
    suppressAddresses(
      tx,
      project,
      (['complaint', 'manual', 'manual'] as const).map((reason, at) => ({ email: `p${at}@example.com`, reason })),
      NOW,
    ),
  )
  expect((await found(project)).suppressions.toSorted((a, b) => a.addresses - b.addresses)).toEqual([
    { reason: 'complaint', addresses: 1 },
    { reason: 'manual', addresses: 2 },
  ])
})

test('A campaign is named when the share of bounces or complaints reaches a threshold.', async () => {
  const project = await newProject()
  const add = async (
    name: string,
    bounced: number,
    complaints: number,
    more: Partial<typeof campaigns.$inferInsert> = {},
  ) => {
    const id = await newCampaign(project, { name, handed_over: 1000, ...more })
    await deliver(project, id, bounced, { status: 'bounced' })
    for (let at = 0; at < complaints; at++)
      await write((tx) =>
        tx.run(sql`
        INSERT INTO events (project_id, type, campaign_id, email, at)
        VALUES (${project}, 'complaint', ${id}, 'a@b.example', ${NOW})`),
      )
    return id
  }
  const fine = await add('fine', 19, 0)
  // Neither a test counts, nor a second complaint about one message.
  await deliver(project, fine, 1, { status: 'bounced', kind: 'test' })
  const told = await add('told twice', 0, 0, { handed_over: 2000 })
  await write((tx) =>
    tx.run(sql`
      INSERT INTO events (project_id, type, campaign_id, delivery_id, email, at)
      SELECT ${project}, 'complaint', ${told}, 7, 'a@b.example', ${NOW} FROM json_each('[1, 2]')`),
  )
  await add('watch', 20, 0)
  await add('complained', 0, 1)
  await add('act', 50, 0)
  await add('small', 49, 0, { handed_over: 49 })
  await add('enough', 1, 0, { handed_over: 50 })
  await add('old', 50, 0, { started_at: (TODAY - 6) * DAY - 1 })
  await add('first day', 50, 0, { started_at: (TODAY - 6) * DAY })
  await add('deleted', 50, 0, { deleted_at: NOW })
  const { campaigns: named, thresholds } = await found(project)
  expect(thresholds.bounced).toEqual({ watch: 0.02, act: 0.05 })
  expect(Object.fromEntries(named.map(({ name, level }) => [name, level]))).toEqual({
    watch: 'watch',
    complained: 'watch',
    act: 'act',
    enough: 'watch',
    'first day': 'act',
  })
})
