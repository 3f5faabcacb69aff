import { type Static, Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../../clock.ts'
import { type App, isApproved } from '../../../developer/apps.ts'
import type { ReviewRequest } from '../../../developer/reviews.ts'
import type { Script } from '../../../developer/scripts.ts'
import type { AppSecret } from '../../../developer/secrets.ts'
import type { TeamMember } from '../../../developer/team.ts'
import type { FullVersion, Version } from '../../../developer/versions.ts'
import { Id, line, nullable, obj, prose, Timestamp, enumOf } from '../../../schema.ts'
import { APP_STATUSES } from '../../../store/tables/apps.ts'
import { type AppIdentity, REVIEW_STATUSES, VERSION_STATUSES } from '../../../store/tables/developer.ts'
import { PLACEMENTS, SCRIPT_TYPES } from '../../../store/tables/scripts.ts'
import { MaybeTime, ParameterFormats, ParameterValues } from '../../core/schemas.ts'

/** Records of the developer routes: the schema of each, and how it is made from its row. */

export const WebAddress = Type.String({
  maxLength: 2000,
  pattern: '^(?:|[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+\\S*)$',
  description: 'an http or https address',
})
const ScopeReasons = Type.Record(Type.String(), Type.String())

/** An app as users see it; `approved` is null until a version is approved (docs/api/scripts.md#versions-and-review). */
const Identity = obj({
  displayName: Type.String(),
  description: Type.String(),
  homepage: Type.String(),
  icon_url: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
})

export const AppRecord = obj({
  id: Type.String(),
  client_id: Type.String(),
  client_type: enumOf(['confidential', 'public']),
  displayName: Type.String(),
  description: Type.String(),
  homepage: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  require_pkce: Type.Boolean(),
  require_par: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  scope_reasons: ScopeReasons,
  approved: nullable(Identity),
  draft: Identity,
  status: enumOf(APP_STATUSES),
  suspended_on: MaybeTime,
  suspension_comment: nullable(Type.String({ description: 'The reason of the suspension.' })),
  created_on: Timestamp,
  last_update: Timestamp,
})

export function appRecord(app: App): Static<typeof AppRecord> {
  const { id, client_id, client_type, require_pkce, require_par } = app
  const draft = identity(app.draft, app.draft_scopes, app.draft_icon_url)
  const { displayName, description, homepage, redirect_uris, scopes } = draft
  return {
    id,
    client_id,
    client_type,
    displayName,
    description,
    homepage,
    redirect_uris,
    scopes,
    require_pkce,
    require_par,
    scope_reasons: app.scope_reasons,
    approved: isApproved(app) ? identity(app, app.scopes, app.icon_url ?? '') : null,
    draft,
    status: app.status,
    suspended_on: isoOrNull(app.suspended_at),
    suspension_comment: app.suspension_comment,
    created_on: iso(app.created_at),
    last_update: iso(app.updated_at),
  }
}

function identity(
  { display_name, description, homepage, redirect_uris }: AppIdentity,
  scopes: string[],
  icon_url: string,
): Static<typeof Identity> {
  return { displayName: display_name, description, homepage, icon_url, redirect_uris, scopes }
}

export const SecretRecord = obj({
  id: Type.String(),
  hint: Type.String(),
  created_on: Timestamp,
  last_used_on: MaybeTime,
  revoked_at: MaybeTime,
})

export function secretRecord({ id, hint, created_at, last_used_at, revoked_at }: AppSecret) {
  return {
    id,
    hint,
    created_on: iso(created_at),
    last_used_on: isoOrNull(last_used_at),
    revoked_at: isoOrNull(revoked_at),
  }
}

export const TeamMemberRecord = obj({
  user_id: Type.String(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  creator: Type.Boolean({ description: 'Made the app, and cannot be removed.' }),
  added_on: Timestamp,
})

export function teamMemberRecord({ user_id, email, first_name, last_name, creator, added_at }: TeamMember) {
  return { user_id, email, firstName: first_name, lastName: last_name, creator, added_on: iso(added_at) }
}

export const Listing = obj({
  tagline: line(150),
  description: prose(10_000),
  icon_url: WebAddress,
  screenshots: Type.Array(WebAddress, { maxItems: 10 }),
  support_url: WebAddress,
  privacy_url: WebAddress,
  category: line(100),
})

const SCRIPT_TEXT = {
  name: Type.String(),
  type: enumOf(SCRIPT_TYPES),
  placement: enumOf(PLACEMENTS),
  code: Type.String(),
  parameters: ParameterValues,
  parameter_formats: ParameterFormats,
}

export const ScriptRecord = obj({
  id: Id,
  ...SCRIPT_TEXT,
  status: enumOf(['draft', 'active']),
  created_on: Timestamp,
  last_update: Timestamp,
})

export function scriptRecord({ created_at, updated_at, ...script }: Script) {
  return { ...script, created_on: iso(created_at), last_update: iso(updated_at) }
}

export const VersionRecord = obj({
  id: Id,
  number: Type.Integer(),
  app_id: Type.String(),
  status: enumOf(VERSION_STATUSES),
  live: Type.Boolean({ description: 'Sites get this version.' }),
  notes: Type.String(),
  created_by: Type.String(),
  created_on: Timestamp,
})
export const FullVersionRecord = obj({
  ...VersionRecord.properties,
  displayName: Type.String(),
  description: Type.String(),
  homepage: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  scripts: Type.Array(obj({ id: Id, ...SCRIPT_TEXT })),
  listing: Listing,
  scopes: Type.Array(Type.String()),
  scope_reasons: ScopeReasons,
})

/** A version with its contents. */
export function fullVersionRecord(version: FullVersion, live_id: number | null): Static<typeof FullVersionRecord> {
  const { identity, ...contents } = version.contents
  const { display_name, ...others } = identity
  return { ...versionRecord(version, live_id), displayName: display_name, ...others, ...contents }
}

/** @param live_id the version that sites get */
export function versionRecord(version: Version, live_id: number | null) {
  const { id, number, app_id, status, notes, user_id, created_at } = version
  return { id, number, app_id, status, live: id === live_id, notes, created_by: user_id, created_on: iso(created_at) }
}

export const ReviewRecord = obj({
  id: Id,
  app_id: Type.String(),
  version_id: Id,
  status: enumOf(REVIEW_STATUSES),
  comment: Type.String(),
  submitted_by: Type.String(),
  decided_by: nullable(Type.String()),
  created_on: Timestamp,
  decided_on: MaybeTime,
})

export function reviewRecord({ created_at, decided_at, ...request }: ReviewRequest) {
  const { id, app_id, version_id, status, comment, submitted_by, decided_by } = request
  return {
    id,
    app_id,
    version_id,
    status,
    comment,
    submitted_by,
    decided_by,
    created_on: iso(created_at),
    decided_on: isoOrNull(decided_at),
  }
}
