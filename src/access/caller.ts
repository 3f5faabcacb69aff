import type { ProjectId } from '../ids.ts'
import type { Role } from '../shared/roles.ts'

/** An authenticated caller. */
export type Caller = ApiKeyCaller | OAuthCaller | SessionCaller

/** When credentials were used last, as far as it is stored. All requests with the same credentials share it. */
export interface LastUse {
  last_used_at: number | null
}

export interface ApiKeyCaller {
  kind: 'api_key'
  api_key_id: string
  user_id: string
  /** The project that the key belongs to: requests can name no other. */
  project_id: ProjectId
  project_public_id: string
  /**
   * The current role of the key's creator in the project, or that of the key where it is lower; null when the creator
   * is no longer a member.
   */
  role: Role | null
  /** Null: every scope. */
  scopes: ReadonlySet<string> | null
  use: LastUse
}

export interface OAuthCaller {
  kind: 'oauth'
  authorization_id: string
  app_id: string
  client_id: string
  user_id: string
  scopes: ReadonlySet<string>
  /** The granted projects by public id, with the user's current role; null where they are no longer a member. */
  projects: ReadonlyMap<string, { project_id: ProjectId; role: Role | null }>
}

export interface SessionCaller {
  kind: 'session'
  session_hash: string
  user_id: string
  /** When the user signed in or confirmed last. */
  confirmed_at: number
}

/** A caller with access to a project, and the current role of its user there. */
export interface Admitted {
  caller: Caller
  project_id: ProjectId
  /** The project's id in requests and answers. */
  project_public_id: string
  role: Role
}

/**
 * The owner of an idempotency receipt: the API key, the pair of app and user, or the dashboard user. Never a single
 * access token, which may be refreshed between two attempts (docs/api/idempotency.md#receipts).
 */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'api_key') return `key:${caller.api_key_id}`
  if (caller.kind === 'oauth') return `app:${caller.app_id}:${caller.user_id}`
  return `user:${caller.user_id}`
}

/** The caller in the audit log (docs/api/audit.md#rows). */
export function auditActor(caller: Caller): string {
  if (caller.kind === 'api_key') return `key:${caller.api_key_id}`
  if (caller.kind === 'oauth') return `app:${caller.client_id} for user:${caller.user_id}`
  return `user:${caller.user_id}`
}
