import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import {
  Campaign,
  campaignResource,
  campaignRetention,
  campaignSummary,
  CampaignSummary,
  getCampaign,
  requireRoomForCampaign,
  searchKey,
  verdict,
} from '../../../src/newsletter/campaigns/resource.ts'
import { templateIdOf } from '../../../src/newsletter/templates/templates.operations.ts'
import { checker } from '../../../src/schema.ts'
import { campaigns, deliveries, events } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const at = (time: number) => new Date(time).toISOString()

test('A campaign is shown with each field in its place, its times as text.', async () => {
  const project = await newProject()
  const fields = {
    name: 'Spring',
    subject: 'Tides',
    preheader: 'High water',
    audience_spec: { include: [{ type: 'all' as const }] },
    connection_id: 7,
    from_name: 'Harbour',
    from_email: 'news@x.example',
    reply_to: 'office@x.example',
    track_opens: true,
    track_clicks: false,
    utm_source: 'source',
    utm_medium: 'medium',
    utm_campaign: 'campaign',
    status: 'failed' as const,
    timezone: 'Europe/Berlin',
    failure: { reason: 'Not ready', checks: [verdict('subject', false, '', 'Empty.')] },
  }
  const times = {
    scheduled_at: NOW,
    started_at: NOW + 1,
    finished_at: NOW + 2,
    created_at: NOW + 3,
    updated_at: NOW + 4,
  }
  const id = await newCampaign(project, { ...fields, ...times, template_id: '3', search_key: 'hidden' })
  const row = await getCampaign((await sharedStore()).db, project, id)
  const summary = {
    ...{ id, ...fields, template_id: templateIdOf('3') },
    ...Object.fromEntries(Object.entries(times).map(([name, time]) => [name, at(time)])),
  }
  expect(campaignSummary(row)).toEqual(summary as never)
  expect(campaignResource(row)).toEqual({ ...summary, editor_json: row.editor_json } as never)
  expect(checker(Campaign).Check(campaignResource(row))).toBeTrue()
  const bare = campaignSummary({ ...row, template_id: null, scheduled_at: null, started_at: null, finished_at: null })
  expect(bare).toMatchObject({ template_id: null, scheduled_at: null, started_at: null, finished_at: null })
  expect(checker(CampaignSummary).Check(bare)).toBeTrue()
})

test('A check is an error whose message says what is so.', () => {
  expect(verdict('audience', true, 'Many.', 'None.')).toEqual({
    ...{ code: 'audience', ok: true, severity: 'error', message: 'Many.' },
  })
  expect(verdict('audience', false, 'Many.', 'None.')).toMatchObject({ ok: false, message: 'None.' })
})

test('The text of a search has name and subject, in one case.', () => {
  expect(searchKey('Spring', 'TIDES')).toBe('spring\ntides')
})

test("A campaign that was deleted, or is another project's, is not found.", async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const id = await newCampaign(project)
  const missing = { code: 'NOT_FOUND', details: [{ path: '/campaign_id' }] }
  expect((await getCampaign(db, project, id)).id).toBe(id)
  await expect(getCampaign(db, other, id)).rejects.toMatchObject(missing)
  await write((tx) => tx.update(campaigns).set({ deleted_at: NOW }).where(eq(campaigns.id, id)))
  await expect(getCampaign(db, project, id)).rejects.toMatchObject(missing)
})

test('A project has room for 20,000 campaigns, deleted ones among them.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const room = (of = project) => write((tx) => requireRoomForCampaign(tx, of))
  const first = await newCampaign(project, { deleted_at: NOW })
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 19998)
      INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
        track_clicks, status, created_at, updated_at)
      SELECT project_id, name, '', '', '{}', audience_spec, 0, 0, 'draft', 0, 0 FROM campaigns, numbers
      WHERE id = ${first}`),
  )
  await room()
  await newCampaign(project)
  await expect(room()).rejects.toMatchObject({ code: 'INVALID_STATE', details: { state: 'full', limit: 20_000 } })
  await room(other)
  await write((tx) => tx.delete(campaigns).where(eq(campaigns.project_id, project)))
})

test('The cleanup removes deleted campaigns that have neither messages nor events, a batch at a time.', async () => {
  const project = await newProject()
  const gone = { deleted_at: NOW }
  const kept = await newCampaign(project)
  const [messaged, logged] = [await newCampaign(project, gone), await newCampaign(project, gone)]
  const empty = [await newCampaign(project, gone), await newCampaign(project, gone)]
  await write(async (tx) => {
    const row = { project_id: project, email: 'a@x.example', next_attempt_at: NOW, created_at: NOW }
    await tx.insert(deliveries).values({ ...row, kind: 'campaign', campaign_id: messaged, status: 'sent' })
    await tx.insert(events).values({ project_id: project, type: 'open', campaign_id: logged, at: NOW })
  })
  const clean = (limit: number) => write((tx) => tx.run(campaignRetention.statement(NOW, limit)))
  const left = async () =>
    (await (await sharedStore()).db.select().from(campaigns).where(eq(campaigns.project_id, project))).map(
      ({ id }) => id,
    )
  await clean(1000)
  expect(await left()).toEqual([kept, messaged, logged])
  expect(empty.length).toBe(2)
})
