import { HOUR_MS } from '../clock.ts'
import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { hasRole } from '../access/permission.ts'
import { listProjectsOf, type Project } from '../projects/projects.ts'
import { type Keys, sha256 } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { hasRows } from '../store/rows.ts'
import type { Role } from '../shared/roles.ts'
import { users } from '../store/tables/accounts.ts'
import { apps } from '../store/tables/apps.ts'
import { app_drafts, app_versions, review_requests, type ScopeReasons } from '../store/tables/developer.ts'
import { used_consent_tickets } from '../store/tables/oauth.ts'
import type { App } from './clients.ts'
import { authorizationsOfUser } from './connected.ts'
import { scopeNames, SCOPES } from '../shared/scopes.ts'

/** A project on the consent page. `lacks`: the role that the scopes need and the user does not have; null for none. */
export interface ProjectChoice {
  project: Project
  role: Role
  lacks: Role | null
}

/** The projects of a user, each with whether the user's role allows granting all of the scopes. */
export async function projectChoices(db: Reader, user_id: string, scopes: readonly string[]): Promise<ProjectChoice[]> {
  const needed = scopes
    .map((name) => SCOPES[name]!.least_role)
    .reduce((highest, role) => (hasRole(role, highest) ? role : highest), 'member')
  const own = await listProjectsOf(db, user_id)
  return own.map((project) => ({ project, role: project.role, lacks: hasRole(project.role, needed) ? null : needed }))
}

/** The app's own text and icon on the consent page. */
interface Presentation {
  /** Why it wants each scope. */
  reasons: ScopeReasons
  /** The address of its icon; empty without one. */
  icon_url: string
}

/** The app's own words and icon: the approved ones, or the drafted ones of an app that is not approved. */
export async function presentationOf(db: Reader, app: App): Promise<Presentation> {
  const [row] = await db
    .select({ reasons: app_drafts.scope_reasons, listing: app_drafts.listing, live: app_versions.contents })
    .from(app_drafts)
    .leftJoin(app_versions, eq(app_versions.id, app_drafts.live_version_id))
    .where(eq(app_drafts.app_id, app.id))
  const shown =
    app.status === 'approved'
      ? { reasons: row?.live?.scope_reasons, listing: row?.live?.listing }
      : { reasons: row?.reasons, listing: row?.listing }
  return { reasons: shown.reasons ?? {}, icon_url: shown.listing?.icon_url ?? '' }
}

/** The name of the person who registered the app, else the host of its homepage; null when there is neither. */
export async function makerOf(db: Reader, app: App): Promise<string | null> {
  return (await makersOf(db, [app.id])).get(app.id) ?? null
}

/** The makers of apps, by the app's id. */
export async function makersOf(db: Reader, app_ids: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await db
    .select({ id: apps.id, homepage: apps.homepage, first_name: users.first_name, last_name: users.last_name })
    .from(apps)
    .leftJoin(users, eq(users.id, apps.user_id))
    .where(inArray(apps.id, [...app_ids]))
  return new Map(
    rows.map(({ id, homepage, first_name, last_name }) => [
      id,
      [first_name, last_name].filter(Boolean).join(' ') || URL.parse(homepage)?.host || null,
    ]),
  )
}

/** The scopes of a user's active authorizations for an app. */
export async function grantedScopes(db: Reader, app: App, user_id: string): Promise<ReadonlySet<string>> {
  const own = await authorizationsOfUser(db, user_id)
  return new Set(
    own.filter((authorization) => authorization.app.id === app.id).flatMap(({ scope }) => scopeNames(scope)),
  )
}

/**
 * Scopes that an app's live version may request and the version live at the given time could not, by the app's id. Apps
 * without such a scope are absent.
 */
export async function scopesAddedSince(
  db: Reader,
  since: ReadonlyMap<string, number>,
): Promise<Map<string, readonly string[]>> {
  const approved = await db
    .select({ app_id: app_versions.app_id, at: review_requests.decided_at, contents: app_versions.contents })
    .from(review_requests)
    .innerJoin(app_versions, eq(app_versions.id, review_requests.version_id))
    .where(and(inArray(app_versions.app_id, [...since.keys()]), eq(review_requests.status, 'approved')))
    .orderBy(asc(review_requests.decided_at))
  const live = await db
    .select({ id: apps.id, scopes: apps.scopes })
    .from(apps)
    .where(inArray(apps.id, [...since.keys()]))
  return new Map(
    live.flatMap(({ id, scopes }): [string, string[]][] => {
      const then = approved.findLast(({ app_id, at }) => app_id === id && at !== null && at <= since.get(id)!)
      const added = then ? scopes.filter((scope) => !then.contents.scopes.includes(scope)) : []
      return added.length === 0 ? [] : [[id, added]]
    }),
  )
}

const TICKET_LIFE_MS = HOUR_MS

/**
 * A one-time token for a consent form: it works once, for this request and session, within an hour. It is signed, so
 * nothing is stored until it is used.
 */
export function consentTicket(keys: Keys, session_hash: string, request: string, now: number): string {
  return keys.sign(
    'session-form',
    `${randomBytes(16).toString('base64url')}.${now + TICKET_LIFE_MS}.${sha256(`${session_hash} ${request}`)}`,
  )
}

/** Uses a ticket. False when it is expired, used, or belongs to another session or request. */
export async function useConsentTicket(
  tx: Tx,
  keys: Keys,
  { ticket, session_hash, request }: Record<'ticket' | 'session_hash' | 'request', string>,
  now: number,
): Promise<boolean> {
  const [, expires_at, bound] = keys.verify('session-form', ticket)?.toString().split('.') ?? []
  if (bound !== sha256(`${session_hash} ${request}`) || Number(expires_at) <= now) return false
  await tx.delete(used_consent_tickets).where(lte(used_consent_tickets.used_at, now - TICKET_LIFE_MS))
  return hasRows(
    await tx
      .insert(used_consent_tickets)
      .values({ ticket_hash: sha256(ticket), used_at: now })
      .onConflictDoNothing()
      .returning({ used_at: used_consent_tickets.used_at }),
  )
}
