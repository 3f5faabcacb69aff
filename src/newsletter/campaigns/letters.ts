import { eq, sql, type SQL } from 'drizzle-orm'
import { createCache } from '../../cache.ts'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import type { Reader, Store } from '../../store/open.ts'
import { first } from '../../store/rows.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import { sharedTurns } from '../../turns.ts'
import { fillEmail } from '../email/render.ts'
import { compileTemplate, fillTemplate } from '../email/template.ts'
import { compileAside, slowAsNull } from './compile-task.ts'
import { campaignMessage, type SendingProject, sendingProject } from './content.ts'
import { commonValues } from './merge-values.ts'

/** The public archive of sent campaigns (docs/api/sites.md#sent-letters). */

export interface Letter {
  id: number
  /** Rendered without a recipient. */
  subject: string
  sent_at: number
}

/**
 * Sent campaigns of a project that the archive lists letters of, the newest: anyone may ask for its pages, and each
 * request looks at all of them.
 */
export const LISTED_CAMPAIGNS = 1000

const CACHED_CHARACTERS = 16 * 1024 * 1024
/** Letters that are rendered or wait for it. */
const MAX_WAITING = 20
const turns = sharedTurns({ name: 'letters', at_once: 1, max_waiting: MAX_WAITING - 1 })

/**
 * Whether a row of `campaigns` under the alias `campaign` is in the archive of a project: it was sent, and only to
 * lists whose letters are public.
 */
function isPublic(project_id: ProjectId): SQL {
  return sql`(campaign.project_id = ${project_id} AND campaign.status = 'sent' AND campaign.deleted_at IS NULL
    AND json_array_length(campaign.audience_spec, '$.include') > 0
    AND NOT EXISTS (
      SELECT 1 FROM json_each(campaign.audience_spec, '$.include') AS entry
      WHERE entry.value ->> 'type' <> 'list' OR entry.value ->> 'id' NOT IN (
        SELECT id FROM lists WHERE project_id = ${project_id} AND letters_public = 1 AND archived_at IS NULL)))`
}

/** The letters of the archive, newest first, with `id` and `started_at`. */
function archiveOf(project_id: ProjectId): SQL {
  return sql`
    SELECT campaign.id, campaign.started_at FROM (
      SELECT id, project_id, status, deleted_at, started_at, audience_spec FROM campaigns
      WHERE project_id = ${project_id} AND status = 'sent' AND deleted_at IS NULL
      ORDER BY started_at DESC, id DESC LIMIT ${LISTED_CAMPAIGNS}) AS campaign
    WHERE ${isPublic(project_id)}
    ORDER BY campaign.started_at DESC, campaign.id DESC`
}

/** Which letters are in the archive, newest first. */
export async function archivedLetters(db: Reader, project_id: ProjectId): Promise<Omit<Letter, 'subject'>[]> {
  const rows = await db.all<{ id: number; started_at: number }>(archiveOf(project_id))
  return rows.map(({ id, started_at }) => ({ id, sent_at: started_at }))
}

/** A part of the archive, newest first. */
export async function sentLetters(
  db: Reader,
  { project, settings }: SendingProject,
  { limit, offset }: { limit: number; offset: number },
): Promise<Letter[]> {
  const rows = await db.all<Omit<Letter, 'sent_at'> & { started_at: number; timezone: string | null }>(sql`
    SELECT id, subject, started_at, timezone FROM campaigns
    WHERE id IN (SELECT id FROM (${archiveOf(project.id)} LIMIT ${limit} OFFSET ${offset}))
    ORDER BY started_at DESC, id DESC`)
  return rows.map(({ id, subject, started_at, timezone }) => ({
    id,
    subject: fillTemplate(
      compileTemplate(subject, 'header'),
      commonValues({ project, settings, timezone }, started_at),
    ),
    sent_at: started_at,
  }))
}

/**
 * Renders letters of the archive. Anyone may ask for them, so each is rendered once while it stays as it is, and they
 * are rendered one after the other: strangers keep at most one reading thread busy. RATE_LIMITED when too many wait.
 */
export function letterRenderer(): (
  store: Pick<Store, 'db' | 'heavyTask'>,
  project_id: ProjectId,
  campaign_id: number,
) => Promise<string | null> {
  const rendered = createCache<string, string>({ max_size: CACHED_CHARACTERS, sizeOf: ({ length }) => length })
  const underWay = new Map<string, Promise<string | null>>()

  return async (store, project_id, campaign_id) => {
    const { db } = store
    const [found] = await db.all<{ id: number }>(sql`
      SELECT id FROM campaigns AS campaign WHERE campaign.id = ${campaign_id} AND ${isPublic(project_id)}`)
    const campaign = found && first(await db.select().from(campaigns).where(eq(campaigns.id, found.id)))
    if (!campaign) return null
    const sender = await sendingProject(db, project_id)
    const { source } = campaignMessage({ campaign, ...sender })
    const values = commonValues({ ...sender, timezone: campaign.timezone }, campaign.started_at ?? campaign.created_at)
    const key = `${campaign_id} ${Bun.hash(JSON.stringify([source, values]))}`
    const known = rendered.get(key)
    if (known !== undefined) return known
    const render = async (): Promise<string | null> => {
      const email = await compileAside(store, {
        project_id,
        source: { ...source, for_everybody: true },
        utm: null,
      }).catch(slowAsNull)
      const html = email && fillEmail(email, values).html
      if (html !== null) rendered.set(key, html)
      return html
    }
    const waiting = underWay.get(key)
    if (waiting) return waiting
    const rendering = turns.take(render, tooMany).finally(() => underWay.delete(key))
    underWay.set(key, rendering)
    return rendering
  }
}

function tooMany(): AppError {
  return new AppError('RATE_LIMITED', 'Too many letters are asked for at once. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  })
}
