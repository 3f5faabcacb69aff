import { DAY_MS } from '../clock.ts'
import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Reader, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { projects } from '../store/tables/accounts.ts'
import { authorization_projects, authorizations } from '../store/tables/apps.ts'
import { app_events, type AppEventType } from '../store/tables/oauth.ts'
import { scopeNames } from '../shared/scopes.ts'

/**
 * Events of an app: projects that connected it, changed its scopes or disconnected it, and suspensions
 * (docs/api/oauth.md#app-events). The service sends no webhooks, so apps poll.
 */
export interface AppEvent {
  id: number
  type: AppEventType
  at: number
  /** The public id of the project; null for events of the app as a whole. */
  project_id: string | null
  /** The scopes that the app has in the project from then on. */
  scope: string | null
  /** The reason of a suspension. */
  comment: string | null
}

const EVENTS = {
  id: app_events.id,
  type: app_events.type,
  at: app_events.at,
  project_id: projects.public_id,
  scope: app_events.scope,
  comment: app_events.comment,
}

/** The events after one, oldest first. */
export function eventsAfter(db: Reader, app_id: string, after_id: number, limit: number): Promise<AppEvent[]> {
  return db
    .select(EVENTS)
    .from(app_events)
    .leftJoin(projects, eq(projects.id, app_events.project_id))
    .where(and(eq(app_events.app_id, app_id), gt(app_events.id, after_id)))
    .orderBy(asc(app_events.id))
    .limit(limit)
}

/** The latest events, newest first. */
export function latestEvents(db: Reader, app_id: string, limit: number): Promise<AppEvent[]> {
  return db
    .select(EVENTS)
    .from(app_events)
    .leftJoin(projects, eq(projects.id, app_events.project_id))
    .where(eq(app_events.app_id, app_id))
    .orderBy(desc(app_events.id))
    .limit(limit)
}

/** Notes the suspension of an app, or its end. */
export async function noteSuspension(tx: Tx, app_id: string, comment: string | null, at: number): Promise<void> {
  await tx.insert(app_events).values({ app_id, at, type: comment === null ? 'resumed' : 'suspended', comment })
}

/** Runs a change of the authorizations of an app, and notes what it means for each of the projects. */
export async function notingScopes<T>(
  tx: Tx,
  { app_id, project_ids }: { app_id: string; project_ids: readonly ProjectId[] },
  at: number,
  change: () => Promise<T>,
): Promise<T> {
  const before = await scopesHeld(tx, app_id, project_ids)
  const result = await change()
  const after = await scopesHeld(tx, app_id, project_ids)
  for (const project_id of project_ids) {
    const type = meaning(before.get(project_id) ?? null, after.get(project_id) ?? null)
    if (type !== null)
      await tx.insert(app_events).values({ app_id, at, type, project_id, scope: after.get(project_id) ?? null })
  }
  return result
}

function meaning(before: string | null, after: string | null): AppEventType | null {
  if (before === after) return null
  if (before === null) return 'connected'
  return after === null ? 'disconnected' : 'scopes_changed'
}

/** The scopes of all active authorizations of an app, by project; a project without one is missing. */
async function scopesHeld(
  db: Reader,
  app_id: string,
  project_ids: readonly ProjectId[],
): Promise<ReadonlyMap<ProjectId, string>> {
  const rows = await db
    .select({ project_id: authorization_projects.project_id, scope: authorizations.scope })
    .from(authorization_projects)
    .innerJoin(authorizations, eq(authorizations.id, authorization_projects.authorization_id))
    .where(
      and(
        eq(authorizations.app_id, app_id),
        isNull(authorizations.revoked_at),
        inArray(authorization_projects.project_id, [...project_ids]),
      ),
    )
  return new Map(
    [...Map.groupBy(rows, ({ project_id }) => project_id)].map(([project_id, held]) => [
      project_id,
      [...new Set(held.flatMap(({ scope }) => scopeNames(scope)))].toSorted().join(' '),
    ]),
  )
}

const RETENTION_MS = 90 * DAY_MS

export const eventRetention: RetentionRule = {
  rows: 'events of apps',
  kept: '90 days',
  statement: (now, limit) => deleteWhere('app_events', 'id', sql`at <= ${now - RETENTION_MS}`, limit),
}
