import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import { requireRoom } from '../../errors.ts'
import { Id, nullable, obj, Timestamp, enumOf } from '../../schema.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { deleteWhere, type RetentionRule } from '../../store/retention.ts'
import { CAMPAIGN_STATUSES, campaigns, CHECK_CODES } from '../../store/tables/delivery.ts'
import { searchText } from '../contacts/contact.ts'
import { EmailDocument } from '../email/document.ts'
import { AudienceSchema } from './audience-spec.ts'
import type { CampaignRow } from './states.ts'
import { TemplateId, templateIdOf } from '../templates/templates.operations.ts'
import { oneOrNotFound } from '../../store/rows.ts'

export const Check = obj(
  {
    code: enumOf(CHECK_CODES),
    ok: Type.Boolean(),
    severity: enumOf(['error', 'warning']),
    message: Type.String(),
    skipped: Type.Optional(Type.Literal(true, { description: 'The check was not made; ok is true.' })),
  },
  { $id: 'ReadinessCheck' },
)
export type Check = Static<typeof Check>

/** A check of severity error. */
export function verdict(code: Check['code'], ok: boolean, passed: string, failed: string): Check {
  return { code, severity: 'error', ok, message: ok ? passed : failed }
}

const Failure = obj({
  reason: Type.String(),
  checks: Type.Optional(Type.Array(Check, { description: 'The failed checks of a scheduled campaign.' })),
})
/** A campaign without its document. */
export const CampaignSummary = obj(
  {
    id: Id,
    name: Type.String(),
    subject: Type.String(),
    preheader: Type.String(),
    audience_spec: AudienceSchema,
    template_id: nullable(TemplateId),
    connection_id: nullable(Id),
    from_name: Type.String({
      description: 'The settings apply where it is empty, as for from_email and reply_to.',
    }),
    from_email: Type.String(),
    reply_to: Type.String(),
    track_opens: Type.Boolean(),
    track_clicks: Type.Boolean(),
    utm_source: Type.String(),
    utm_medium: Type.String(),
    utm_campaign: Type.String(),
    status: enumOf(CAMPAIGN_STATUSES),
    scheduled_at: nullable(Timestamp),
    timezone: nullable(Type.String()),
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
    failure: nullable(Failure),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'CampaignSummary' },
)

/** A campaign with its document. */
export const Campaign = obj({ ...CampaignSummary.properties, editor_json: EmailDocument }, { $id: 'Campaign' })

/** The text that `search` of campaigns/list looks in. */
export function searchKey(name: string, subject: string): string {
  return searchText(`${name}\n${subject}`)
}

type FullRow = typeof campaigns.$inferSelect

export function campaignSummary(row: CampaignRow): Static<typeof CampaignSummary> {
  return {
    id: row.id,
    name: row.name,
    subject: row.subject,
    preheader: row.preheader,
    audience_spec: row.audience_spec,
    template_id: row.template_id === null ? null : templateIdOf(row.template_id),
    connection_id: row.connection_id,
    from_name: row.from_name,
    from_email: row.from_email,
    reply_to: row.reply_to,
    track_opens: row.track_opens,
    track_clicks: row.track_clicks,
    utm_source: row.utm_source,
    utm_medium: row.utm_medium,
    utm_campaign: row.utm_campaign,
    status: row.status,
    scheduled_at: isoOrNull(row.scheduled_at),
    timezone: row.timezone,
    started_at: isoOrNull(row.started_at),
    finished_at: isoOrNull(row.finished_at),
    failure: row.failure,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function campaignResource(row: FullRow): Static<typeof Campaign> {
  return { ...campaignSummary(row), editor_json: row.editor_json }
}

/** Throws NOT_FOUND for a campaign that was deleted or belongs to another project. */
export async function getCampaign(db: Reader, project_id: ProjectId, campaign_id: number): Promise<FullRow> {
  return oneOrNotFound(
    await db
      .select()
      .from(campaigns)
      .where(and(eq(campaigns.id, campaign_id), eq(campaigns.project_id, project_id), isNull(campaigns.deleted_at))),
    'campaign',
    '/campaign_id',
  )
}

const MAX_CAMPAIGNS = 20_000

/** INVALID_STATE when the project has as many campaigns as it may have. Deleted ones count until they are removed. */
export async function requireRoomForCampaign(tx: Tx, project_id: ProjectId): Promise<void> {
  requireRoom(await tx.$count(campaigns, eq(campaigns.project_id, project_id)), MAX_CAMPAIGNS, 'campaigns')
}

export const campaignRetention: RetentionRule = {
  rows: 'deleted campaigns that sent nothing',
  kept: 'until the next cleanup',
  statement: (_, limit) =>
    deleteWhere(
      'campaigns',
      'id',
      sql`deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign_id = campaigns.id)
        AND NOT EXISTS (SELECT 1 FROM events WHERE campaign_id = campaigns.id)`,
      limit,
    ),
}
