import { asc, eq, getTableColumns, or, sql } from 'drizzle-orm'
import { isOnTeam } from '../access/app-team.ts'
import { isAdministrator } from '../access/permission.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { nameProblem } from '../plain-name.ts'
import { newId } from '../ids.ts'
import type { Reader, Tx } from '../store/open.ts'
import { oneOrNotFound } from '../store/rows.ts'
import { apps } from '../store/tables/apps.ts'
import {
  app_drafts,
  app_suspensions,
  app_versions,
  type AppIdentity,
  type Listing,
  type ScopeReasons,
} from '../store/tables/developer.ts'
import { checkRedirectUris, checkScopeReasons, checkScopes } from './registration.ts'
import { newSecret } from './secrets.ts'

/** An app as its developer sees it: identity and scopes in force, and beside them what the developer has written. */
export type App = typeof apps.$inferSelect & {
  draft: AppIdentity
  draft_scopes: string[]
  /** The icon of the approved listing; null while no version is approved. */
  icon_url: string | null
  draft_icon_url: string
  scope_reasons: ScopeReasons
  suspended_at: number | null
  /** The reason that the operator gave. */
  suspension_comment: string | null
}

export interface AppFields extends AppIdentity {
  scopes: string[]
  scope_reasons: ScopeReasons
  require_pkce: boolean
  /** False by default. */
  require_par?: boolean
}

const MAX_APPS = 100

/**
 * Registers an app in development. The client secret is shown only in this answer; a public client has none.
 * VALIDATION_FAILED for redirect addresses and scopes, CONFLICT when the user has too many apps.
 */
export async function createApp(
  tx: Tx,
  user_id: string,
  input: AppFields & { client_type: 'confidential' | 'public' },
  now: number,
): Promise<{ app: App; client_secret: string | null }> {
  if ((await tx.$count(apps, eq(apps.user_id, user_id))) >= MAX_APPS)
    throw new AppError('CONFLICT', `One person has at most ${MAX_APPS} apps.`)
  const { display_name, description, homepage, redirect_uris, client_type, require_pkce, require_par } = input
  const id = newId('app')
  const scopes = checkScopes(input.scopes)
  const identity = { description, homepage, ...checked({ display_name, redirect_uris }, client_type) }
  await tx.insert(apps).values({
    id,
    client_id: newId('cli'),
    client_type,
    ...identity,
    require_pkce,
    require_par,
    scopes,
    status: 'development',
    user_id,
    created_at: now,
    updated_at: now,
  })
  await saveDraft(tx, id, { identity, scopes, scope_reasons: checkScopeReasons(input.scope_reasons, scopes) })
  const client_secret = client_type === 'confidential' ? (await newSecret(tx, id, now)).client_secret : null
  return { app: await getApp(tx, id), client_secret }
}

/** The apps of the user's teams, oldest first. */
export async function listApps(db: Reader, user_id: string): Promise<App[]> {
  const added = sql`EXISTS (SELECT 1 FROM app_team t WHERE t.app_id = ${apps.id} AND t.user_id = ${user_id})`
  return read(db, or(eq(apps.user_id, user_id), added))
}

/** Reviewers may read an app; its team may also change it. */
type Purpose = 'read' | 'change'

/**
 * The app, for its team and, to read it, for reviewers. NOT_FOUND for other users, FORBIDDEN for a reviewer who wants
 * to change it.
 */
export async function openApp(db: Reader, app_id: string, user_id: string, purpose: Purpose): Promise<App> {
  const onTeam = await isOnTeam(db, app_id, user_id)
  if (!onTeam && !(await isAdministrator(db, user_id))) throw notFound('app')
  const app = await getApp(db, app_id)
  if (!onTeam && purpose === 'change') throw new AppError('FORBIDDEN', 'Only the team of the app may do this.')
  return app
}

export async function getApp(db: Reader, app_id: string): Promise<App> {
  return oneOrNotFound(await read(db, eq(apps.id, app_id)), 'app')
}

/**
 * Changes an app. In an approved app, name, description, homepage, redirect URIs and scopes wait for the next approved
 * version, but removed redirect URIs and scopes end at once (docs/api/scripts.md#versions-and-review). Everything else
 * applies at once.
 */
export async function updateApp(tx: Tx, app: App, changes: Partial<AppFields>, now: number): Promise<App> {
  const { scopes: given, scope_reasons: reasons, require_pkce, require_par, ...written } = changes
  const scopes = given === undefined ? app.draft_scopes : checkScopes(given)
  const remaining = Object.fromEntries(Object.entries(app.scope_reasons).filter(([scope]) => scopes.includes(scope)))
  const identity: AppIdentity = { ...app.draft, ...checked(written, app.client_type) }
  await saveDraft(tx, app.id, {
    identity,
    scopes,
    scope_reasons: reasons === undefined ? remaining : checkScopeReasons(reasons, scopes),
  })
  const inForce = isApproved(app)
    ? { redirect_uris: common(app.redirect_uris, identity.redirect_uris), scopes: common(app.scopes, scopes) }
    : { ...identity, scopes }
  await tx
    .update(apps)
    .set({ ...inForce, require_pkce, require_par, updated_at: now })
    .where(eq(apps.id, app.id))
  return getApp(tx, app.id)
}

/** The given parts of an identity, ready to store. VALIDATION_FAILED for a redirect URI that is not allowed. */
function checked<F extends Partial<AppIdentity>>(given: F, client_type: App['client_type']): F {
  const { display_name, redirect_uris } = given
  return {
    ...given,
    ...(display_name === undefined ? {} : { display_name: checkedName(display_name) }),
    ...(redirect_uris === undefined ? {} : { redirect_uris: checkRedirectUris(redirect_uris, client_type) }),
  }
}

function checkedName(given: string): string {
  const problem = nameProblem(given)
  if (problem !== null) throw invalid('/displayName', problem)
  return given.trim()
}

/** The entries of the first list that are also in the second. */
export function common(list: readonly string[], other: readonly string[]): string[] {
  return list.filter((entry) => other.includes(entry))
}

/** Deletes an app with its authorizations, tokens, secrets, scripts and script connections. */
export async function deleteApp(tx: Tx, app: App): Promise<void> {
  await tx.delete(apps).where(eq(apps.id, app.id))
}

/** Whether sites get an approved version of the app and not the developer's current text. */
export function isApproved(app: { status: string }): boolean {
  return app.status === 'approved'
}

export async function saveDraft(
  tx: Tx,
  app_id: string,
  draft: {
    identity?: AppIdentity
    scopes?: string[]
    scope_reasons?: ScopeReasons
    listing?: Listing
    live_version_id?: number
  },
): Promise<void> {
  await tx
    .insert(app_drafts)
    .values({ app_id, ...draft })
    .onConflictDoUpdate({ target: app_drafts.app_id, set: draft })
}

async function read(db: Reader, which: ReturnType<typeof or>): Promise<App[]> {
  const rows = await db
    .select({
      ...getTableColumns(apps),
      identity: app_drafts.identity,
      draft_scopes: app_drafts.scopes,
      scope_reasons: app_drafts.scope_reasons,
      draft_icon_url: sql<string | null>`${app_drafts.listing} ->> '$.icon_url'`,
      icon_url: sql<string | null>`${app_versions.contents} ->> '$.listing.icon_url'`,
      suspended_at: app_suspensions.suspended_at,
      suspension_comment: app_suspensions.comment,
    })
    .from(apps)
    .leftJoin(app_drafts, eq(app_drafts.app_id, apps.id))
    .leftJoin(app_versions, eq(app_versions.id, app_drafts.live_version_id))
    .leftJoin(app_suspensions, eq(app_suspensions.app_id, apps.id))
    .where(which)
    .orderBy(asc(apps.created_at), asc(apps.id))
  return rows.map(({ identity, ...row }) => ({
    ...row,
    draft: identity ?? identityOf(row),
    draft_scopes: row.draft_scopes ?? row.scopes,
    scope_reasons: row.scope_reasons ?? {},
    draft_icon_url: row.draft_icon_url ?? '',
  }))
}

function identityOf({ display_name, description, homepage, redirect_uris }: AppIdentity): AppIdentity {
  return { display_name, description, homepage, redirect_uris }
}
