import { and, asc, desc, eq, isNull, notInArray, sql } from 'drizzle-orm'
import { invalidState } from '../errors.ts'
import { publishScripts } from '../scripts/published.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import { apps } from '../store/tables/apps.ts'
import { app_drafts, app_versions } from '../store/tables/developer.ts'
import { scripts } from '../store/tables/scripts.ts'
import { type App, common, getApp, saveDraft } from './apps.ts'
import { getListing } from './listing.ts'

/**
 * A version is a frozen copy of an app's identity, scripts, listing and scopes.
 *
 *   draft ──submit──▶ submitted ──approve──▶ approved   sites get it, and can be rolled back to it
 *     ▲                  │  └─────reject───▶ rejected   also when changes were requested
 *     └─────withdraw─────┘
 */
export type Version = Omit<typeof app_versions.$inferSelect, 'contents'>
export type FullVersion = typeof app_versions.$inferSelect

/** Older versions are deleted, except the one that sites get and one under review. */
const MAX_VERSIONS = 100

/** Freezes what the developer has written: identity, scripts, listing and scopes. */
export async function createVersion(
  tx: Tx,
  app: App,
  { user_id, notes }: Pick<Version, 'user_id' | 'notes'>,
  now: number,
): Promise<Version> {
  const own = and(eq(scripts.app_id, app.id), isNull(scripts.removed_at))
  const frozen = await tx
    .select({
      id: scripts.id,
      name: scripts.name,
      type: scripts.type,
      placement: scripts.placement,
      code: scripts.code,
      parameters: scripts.parameters,
      parameter_formats: scripts.parameter_formats,
    })
    .from(scripts)
    .where(own)
    .orderBy(asc(scripts.id))
  const [last] = await tx
    .select({ number: app_versions.number })
    .from(app_versions)
    .where(eq(app_versions.app_id, app.id))
    .orderBy(desc(app_versions.number))
    .limit(1)
  const contents = {
    identity: app.draft,
    scripts: frozen,
    listing: await getListing(tx, app.id),
    scopes: app.draft_scopes,
    scope_reasons: app.scope_reasons,
  }
  await tx.update(scripts).set({ versioned: true }).where(own)
  const number = (last?.number ?? 0) + 1
  const row = { app_id: app.id, number, status: 'draft' as const, notes, contents, user_id, created_at: now }
  const version = one(await tx.insert(app_versions).values(row).returning(VERSION))
  await deleteOld(tx, app.id)
  return version
}

/** The app's versions, the newest first. */
export async function listVersions(db: Reader, app_id: string): Promise<Version[]> {
  return db.select(VERSION).from(app_versions).where(eq(app_versions.app_id, app_id)).orderBy(desc(app_versions.number))
}

export async function getVersion(db: Reader, app_id: string, version_id: number): Promise<FullVersion> {
  return oneOrNotFound(
    await db
      .select()
      .from(app_versions)
      .where(and(eq(app_versions.app_id, app_id), eq(app_versions.id, version_id))),
    'version',
    '/version_id',
  )
}

/** The id of the version that sites get; null while the app is in development. */
export async function liveVersionId(db: Reader, app_id: string): Promise<number | null> {
  const [draft] = await db
    .select({ id: app_drafts.live_version_id })
    .from(app_drafts)
    .where(eq(app_drafts.app_id, app_id))
  return draft?.id ?? null
}

/**
 * Gives this version to users and sites. Redirect URIs and scopes that the developer has removed since are left out.
 * What the developer has written stays as it is.
 */
export async function publish(tx: Tx, version: FullVersion, now: number): Promise<void> {
  const { app_id, contents } = version
  const app = await getApp(tx, app_id)
  await publishScripts(
    tx,
    app_id,
    contents.scripts.map(({ id, ...text }) => ({ script_id: id, ...text })),
  )
  await tx
    .update(apps)
    .set({
      ...contents.identity,
      status: 'approved',
      redirect_uris: common(contents.identity.redirect_uris, app.draft.redirect_uris),
      scopes: common(contents.scopes, app.draft_scopes),
      updated_at: now,
    })
    .where(eq(apps.id, app_id))
  await saveDraft(tx, app_id, { live_version_id: version.id })
}

/**
 * Gives an approved version to users and sites again; what the developer has written stays. INVALID_STATE for any other
 * version.
 */
export async function rollBack(tx: Tx, app: App, version_id: number, now: number): Promise<Version> {
  const { contents, ...version } = await getVersion(tx, app.id, version_id)
  if (version.status !== 'approved')
    throw invalidState('Only an approved version can be rolled back to.', version.status)
  await publish(tx, { contents, ...version }, now)
  return version
}

async function deleteOld(tx: Tx, app_id: string): Promise<void> {
  const newest = tx
    .select({ id: app_versions.id })
    .from(app_versions)
    .where(eq(app_versions.app_id, app_id))
    .orderBy(desc(app_versions.number))
    .limit(MAX_VERSIONS)
  await tx
    .delete(app_versions)
    .where(
      and(
        eq(app_versions.app_id, app_id),
        notInArray(app_versions.id, newest),
        sql`${app_versions.status} <> 'submitted'`,
        sql`${app_versions.id} NOT IN (SELECT live_version_id FROM app_drafts WHERE live_version_id IS NOT NULL)`,
      ),
    )
}

const VERSION = {
  id: app_versions.id,
  app_id: app_versions.app_id,
  number: app_versions.number,
  status: app_versions.status,
  notes: app_versions.notes,
  user_id: app_versions.user_id,
  created_at: app_versions.created_at,
}
