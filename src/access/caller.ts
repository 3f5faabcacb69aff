import type { ProjectId } from '../ids.ts'
import type { Role } from '../store/tables/accounts.ts'

/** Who is knocking, before it is known what they want. */
export type Caller = ApiKeyCaller | OAuthCaller | SessionCaller

export interface ApiKeyCaller {
  kind: 'api_key'
  api_key_id: string
  user_id: string
  /** The key's own project: no other can be named. */
  project_id: ProjectId
  /** What its creator is in the project now; null for who is no member any more. */
  role: Role | null
  last_used_at: number | null
}

export interface OAuthCaller {
  kind: 'oauth'
  authorization_id: string
  app_id: string
  user_id: string
  scopes: ReadonlySet<string>
  project_ids: readonly string[]
  /** What the user is now in those of the projects where they are still a member. */
  roles: Readonly<Record<string, Role>>
}

export interface SessionCaller {
  kind: 'session'
  session_hash: string
  user_id: string
}

/** A caller who was let into a project: with the role that their user has there now. */
export interface Admitted {
  caller: Caller
  project_id: ProjectId
  role: Role
}

/**
 * Whom an idempotency receipt belongs to: the key, the app and user, or the user at the dashboard; never the
 * single access token, which may be refreshed between two tries (contract-details 11).
 */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'api_key') return `key:${caller.api_key_id}`
  if (caller.kind === 'oauth') return `app:${caller.app_id}:${caller.user_id}`
  return `user:${caller.user_id}`
}
