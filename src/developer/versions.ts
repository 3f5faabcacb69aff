import { and, asc, desc, eq, isNull, notInArray, sql } from 'drizzle-orm'
import { invalidState, notFound } from '../errors.ts'
import { publishScripts } from '../scripts/published.ts'
import type { Reader, Tx } from '../store/open.ts'
import { apps } from '../store/tables/apps.ts'
import { app_drafts, app_versions } from '../store/tables/developer.ts'
import { scripts } from '../store/tables/scripts.ts'
import { type App, getApp, saveDraft } from './apps.ts'
import { getListing } from './listing.ts'

/**
 * A version is a frozen copy of an app's scripts, listing and scopes.
 *
 *   draft ──submit──▶ submitted ──approve──▶ approved   sites get it; may be rolled back to
 *     ▲                  │  └─────reject───▶ rejected   also when changes were asked for
 *     └─────withdraw─────┘
 */
export type Version = Omit<typeof app_versions.$inferSelect, 'contents'>
export type FullVersion = typeof app_versions.$inferSelect

/** Older ones are forgotten, except what sites get and what is being reviewed. */
const MAX_VERSIONS = 100

/** Freezes what the developer has written now. */
export async function createVersion(tx: Tx, app: App, user_id: string, notes: string, now: number): Promise<Version> {
  const own = and(eq(scripts.app_id, app.id), isNull(scripts.removed_at))
  const frozen = await tx
    .select({
      id: scripts.id,
      name: scripts.name,
      type: scripts.type,
      placement: scripts.placement,
      code: scripts.code,
      parameters: scripts.parameters,
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
    scripts: frozen,
    listing: await getListing(tx, app.id),
    scopes: app.draft_scopes,
    scope_reasons: app.scope_reasons,
  }
  await tx.update(scripts).set({ versioned: true }).where(own)
  const [version] = await tx
    .insert(app_versions)
    .values({
      app_id: app.id,
      number: (last?.number ?? 0) + 1,
      status: 'draft',
      notes,
      contents,
      user_id,
      created_at: now,
    })
    .returning(VERSION)
  await forgetOld(tx, app.id)
  return version!
}

/** The newest first. */
export async function listVersions(db: Reader, app_id: string): Promise<Version[]> {
  return db.select(VERSION).from(app_versions).where(eq(app_versions.app_id, app_id)).orderBy(desc(app_versions.number))
}

export async function getVersion(db: Reader, app_id: string, version_id: number): Promise<FullVersion> {
  const [version] = await db
    .select()
    .from(app_versions)
    .where(and(eq(app_versions.app_id, app_id), eq(app_versions.id, version_id)))
  if (!version) throw notFound('version', '/version_id')
  return version
}

/** The number of the version that sites get; null in development. */
export async function liveVersionId(db: Reader, app_id: string): Promise<number | null> {
  const [draft] = await db
    .select({ id: app_drafts.live_version_id })
    .from(app_drafts)
    .where(eq(app_drafts.app_id, app_id))
  return draft?.id ?? null
}

/**
 * From now on sites get this version. Of its scopes those are in force that the developer has not taken out since.
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
      status: 'approved',
      scopes: contents.scopes.filter((scope) => app.draft_scopes.includes(scope)),
      updated_at: now,
    })
    .where(eq(apps.id, app_id))
  await saveDraft(tx, app_id, { live_version_id: version.id })
}

/** Gives sites an approved version again, at once. The developer's text stays as it is. CONFLICT for one that was not approved. */
export async function rollBack(tx: Tx, app: App, version_id: number, now: number): Promise<Version> {
  const { contents, ...version } = await getVersion(tx, app.id, version_id)
  if (version.status !== 'approved')
    throw invalidState('Only a version that was approved can be rolled back to.', version.status)
  await publish(tx, { contents, ...version }, now)
  return version
}

async function forgetOld(tx: Tx, app_id: string): Promise<void> {
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
