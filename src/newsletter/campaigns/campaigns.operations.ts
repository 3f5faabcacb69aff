import type { ProjectId } from '../../ids.ts'
import { latestTests, LatestTests } from './latest-tests.ts'
import { Type } from '@sinclair/typebox'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Changed, Editor, findEditor } from '../../access/editor.ts'
import { invalid, invalidState } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, line, nullable, obj, enumOf, Order } from '../../schema.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import { comparison, inOrder, page, type CursorPosition } from '../../store/page.ts'
import { CAMPAIGN_STATUSES, campaigns, type CampaignStatus } from '../../store/tables/delivery.ts'
import { ExpectedUpdatedAt, requireUnchanged } from '../../operation/unchanged.ts'
import { searchText } from '../contacts/contact.ts'
import { tidySender } from '../connections/sender.ts'
import { getConnection } from '../connections/connection.ts'
import { getSettings, SenderAddress } from '../connections/settings.operations.ts'
import { checkDocument, EditorJson, type EmailDocument, EMPTY_DOCUMENT } from '../email/document.ts'
import { AudienceSchema, requireAudience } from './audience-spec.ts'
import {
  Campaign,
  campaignResource,
  CampaignSummary,
  campaignSummary,
  getCampaign,
  requireRoomForCampaign,
  searchKey,
} from './resource.ts'
import { campaignColumns, type CampaignRow } from './states.ts'
import { CampaignCounts, countsOf } from './stats.operations.ts'
import { Waiting, waitingOf } from './waiting.ts'
import { findTemplate, TemplateId } from '../templates/templates.operations.ts'

/** The optional fields of campaigns/create and campaigns/update. */
const Options = {
  name: Type.Optional(line(300, { description: 'Recipients never see it; defaults to the subject.' })),
  preheader: Type.Optional(line(300)),
  editor_json: Type.Optional(EditorJson),
  template_id: Type.Optional({
    ...TemplateId,
    description: 'A saved template or a design of the gallery. Its document is copied unless editor_json is given.',
  }),
  connection_id: Type.Optional(nullable(Id)),
  from_name: Type.Optional(line(200)),
  from_email: Type.Optional(SenderAddress),
  reply_to: Type.Optional(SenderAddress),
  track_opens: Type.Optional(Type.Boolean({ description: 'Defaults to the settings.' })),
  track_clicks: Type.Optional(Type.Boolean({ description: 'Defaults to the settings.' })),
  utm_source: Type.Optional(
    line(100, {
      description:
        'Added to each link that does not have it, as are utm_medium and utm_campaign. Nothing is added when empty.',
    }),
  ),
  utm_medium: Type.Optional(line(100)),
  utm_campaign: Type.Optional(line(100)),
}
const Subject = line(300, { description: 'May hold merge tags.' })

/** Units of quota: the counts read the messages and reactions of all campaigns on the page. */
const COST_WITH_STATS = 5

const ListedCampaign = obj({ ...CampaignSummary.properties, stats: Type.Optional(CampaignCounts) })

export const listCampaigns = read({
  path: '/campaigns/list',
  scope: 'read',
  cost: ({ include }) => (include === undefined ? 1 : COST_WITH_STATS),
  summary: 'Lists the campaigns without their documents.',
  request: obj({
    include: Type.Optional(Type.Array(enumOf(['stats']), { maxItems: 1, description: 'Adds these to each campaign.' })),
    search: Type.Optional(line(200, { description: 'Part of the name or the subject.' })),
    status: Type.Optional(enumOf(CAMPAIGN_STATUSES)),
    order: Type.Optional(Order),
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Cursor),
  }),
  response: obj({ items: Type.Array(ListedCampaign), next_cursor: nullable(Type.String()) }),
  async run({ order, limit, cursor, search = '', status, include }, { db, store, keys, project_id }) {
    const filters = { search: searchText(search), status }
    const { items, next_cursor } = await page(
      { keys, operation: '/campaigns/list', project_id, filters, order, cursor, limit },
      (after, most) => pageQuery(db, { project_id, ...filters }, { after, most, order }),
      campaignSummary,
    )
    if (!include?.includes('stats')) return { items, next_cursor }
    const begun = items.filter(({ status }) => status !== 'draft' && status !== 'scheduled').map(({ id }) => id)
    const counts = await countsOf(store, begun)
    return { items: items.map((campaign) => ({ ...campaign, stats: counts(campaign.id) })), next_cursor }
  },
})

/** A page of campaigns. An index holds the order, another the order within each status. */
export function pageQuery(
  db: Reader,
  { project_id, search, status }: { project_id: ProjectId; search: string; status?: CampaignStatus },
  { after, most, order }: { after: CursorPosition | null; most: number; order?: Order | undefined },
) {
  return db
    .select(campaignColumns)
    .from(campaigns)
    .where(
      and(
        eq(campaigns.project_id, project_id),
        isNull(campaigns.deleted_at),
        status ? eq(campaigns.status, status) : undefined,
        search === '' ? undefined : sql`instr(search_key, ${search}) > 0`,
        after ? sql`(created_at, id) ${comparison(order)} (${after.created_at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(inOrder(campaigns, order))
    .limit(most)
}

export const showCampaign = read({
  path: '/campaigns/get',
  scope: 'read',
  summary: 'Shows a campaign with its document.',
  request: obj({ campaign_id: Id }),
  response: obj({
    campaign: obj({
      ...Campaign.properties,
      updated_by: nullable(Editor),
      waiting: nullable(Waiting),
      tests: LatestTests,
    }),
  }),
  async run({ campaign_id }, { db, store, project_id, now }) {
    const campaign = await getCampaign(db, project_id, campaign_id)
    return {
      campaign: {
        ...campaignResource(campaign),
        updated_by: await findEditor(db, changeOf(campaign)),
        waiting: await waitingOf(store, campaign, now),
        tests: await latestTests(db, campaign_id),
      },
    }
  },
})

export const createCampaign = mutation({
  path: '/campaigns/create',
  scope: 'write',
  audit: { target: { answer: 'campaign' }, ids: { template_id: 'template_id', connection_id: 'connection_id' } },
  errors: ['INVALID_STATE'],
  summary: 'Creates a campaign as a draft.',
  request: obj({
    subject: Type.Optional({ ...Subject, description: `${Subject.description} Defaults to the template's subject.` }),
    audience_spec: AudienceSchema,
    ...Options,
  }),
  response: obj({ campaign: Campaign }),
  prepare: async ({ editor_json }) =>
    editor_json === undefined ? undefined : checkDocument(editor_json, '/editor_json'),
  async run({ template_id, ...input }, { tx, project_id, base_url, now }, document) {
    await requireRoomForCampaign(tx, project_id)
    await requireAudience(tx, project_id, input.audience_spec)
    if (input.connection_id) await getConnection(tx, project_id, input.connection_id)
    const { track_opens, track_clicks } = await getSettings(tx, project_id)
    const { proposed_subject, template } = await fromTemplate(tx, { project_id, base_url }, template_id)
    const subject = input.subject ?? proposed_subject
    if (input.subject === undefined && subject === '') throw invalid('/subject', 'Required.')
    const name = input.name ?? subject
    const rows = await tx
      .insert(campaigns)
      .values({
        project_id,
        track_opens,
        track_clicks,
        ...input,
        ...tidySender(input),
        ...template,
        subject,
        name,
        search_key: searchKey(name, subject),
        editor_json: document ?? template.editor_json ?? EMPTY_DOCUMENT,
        status: 'draft',
        created_at: now,
        updated_at: now,
      })
      .returning()
    return { campaign: campaignResource(one(rows)) }
  },
})

/** The form of an update's answer. A summary keeps the answers of an autosave small. */
const Returned = enumOf(['full', 'summary'], { default: 'full', description: 'summary leaves the document out.' })

const EDITABLE: ReadonlySet<CampaignStatus> = new Set(['draft', 'scheduled', 'failed'])

export const updateCampaign = mutation({
  path: '/campaigns/update',
  scope: 'write',
  audit: {
    target: { kind: 'campaign', input: 'campaign_id' },
    ids: { template_id: 'template_id', connection_id: 'connection_id' },
    changes: true,
  },
  errors: ['CONFLICT', 'INVALID_STATE'],
  summary: 'Changes a draft, a scheduled or a failed campaign.',
  request: obj({
    campaign_id: Id,
    subject: Type.Optional(Subject),
    audience_spec: Type.Optional(AudienceSchema),
    ...Options,
    expected_updated_at: Type.Optional(ExpectedUpdatedAt),
    return: Type.Optional(Returned),
  }),
  response: obj({ campaign: Type.Union([Campaign, CampaignSummary]) }),
  prepare: async ({ editor_json }) =>
    editor_json === undefined ? undefined : checkDocument(editor_json, '/editor_json'),
  async run(
    { campaign_id, template_id, expected_updated_at, return: returned, ...input },
    { tx, project_id, base_url, now },
    document,
  ) {
    const before = await getCampaign(tx, project_id, campaign_id)
    if (!EDITABLE.has(before.status))
      throw invalidState('Only a draft, a scheduled or a failed campaign can be changed.', before.status)
    await requireUnchanged(tx, expected_updated_at, changeOf(before))
    if (input.audience_spec) await requireAudience(tx, project_id, input.audience_spec, before.audience_spec)
    if (input.connection_id) await getConnection(tx, project_id, input.connection_id)
    const { template } = await fromTemplate(tx, { project_id, base_url }, template_id)
    const rows = await tx
      .update(campaigns)
      .set({
        ...input,
        ...tidySender(input),
        ...template,
        search_key: searchKey(input.name ?? before.name, input.subject ?? before.subject),
        editor_json: document ?? template.editor_json ?? before.editor_json,
        // Sending compares it with the version that was checked, so every change must increase it.
        updated_at: Math.max(now, before.updated_at + 1),
      })
      .where(eq(campaigns.id, campaign_id))
      .returning()
    const row = one(rows)
    return { campaign: returned === 'summary' ? campaignSummary(row) : campaignResource(row) }
  },
})

/** A campaign's last change, as the audit log knows it. */
function changeOf({ id, project_id, updated_at }: Pick<CampaignRow, 'id' | 'project_id' | 'updated_at'>): Changed {
  return { project_id, target: `campaign:${id}`, updated_at }
}

/** The columns that a campaign copies from its template, and the subject of a new campaign that names none. */
async function fromTemplate(
  tx: Tx,
  project: { project_id: ProjectId; base_url: string },
  template_id: TemplateId | undefined,
): Promise<{ proposed_subject: string; template: { template_id?: string; editor_json?: EmailDocument } }> {
  if (template_id === undefined) return { proposed_subject: '', template: {} }
  const { editor_json, subject } = await findTemplate(tx, project, template_id)
  return { proposed_subject: subject, template: { template_id: String(template_id), editor_json } }
}

const DELETABLE: ReadonlySet<CampaignStatus> = new Set(['draft', 'scheduled', 'sent', 'cancelled', 'failed'])

export const deleteCampaign = mutation({
  path: '/campaigns/delete',
  scope: 'write',
  audit: { target: { kind: 'campaign', input: 'campaign_id' } },
  errors: ['INVALID_STATE'],
  summary: 'Deletes a campaign that is not being sent. The links in its sent messages keep working.',
  request: obj({ campaign_id: Id }),
  response: obj({ campaign: CampaignSummary }),
  async run({ campaign_id }, { tx, project_id, now }) {
    const before = await getCampaign(tx, project_id, campaign_id)
    if (!DELETABLE.has(before.status))
      throw invalidState('A campaign that is being sent cannot be deleted: cancel it first.', before.status)
    await tx.update(campaigns).set({ deleted_at: now }).where(eq(campaigns.id, campaign_id))
    return { campaign: campaignSummary(before) }
  },
})
