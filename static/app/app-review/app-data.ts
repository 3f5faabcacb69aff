import { type RouteRequest, type RouteResponse, send } from '../api/calls.ts'
import type { ApiError } from '../api/errors.ts'
import { useQuery } from '../api/query.ts'
import { type Contents, versionBefore } from './version-diff.tsx'

export type App = RouteResponse<'GET /user/developer/apps/:id'>['app']
export type Script = RouteResponse<'GET /user/developer/apps/:id/scripts'>['scripts'][number]
type Unrendered = RouteRequest<'POST /user/developer/apps/:id/scripts/render'>
export type Version = RouteResponse<'GET /user/developer/apps/:id/versions'>['versions'][number]

/** The beginning of the cache keys of a team's apps. */
export const APPS = '/user/developer/apps'

const versionsOf = (id: string) => `${APPS}/${id}/versions`

export function useVersions(id: string) {
  return useQuery(versionsOf(id), (signal) =>
    send('GET /user/developer/apps/:id/versions', {}, { params: { id }, signal }),
  )
}

/** One version with its contents; with null no call is made. */
export function useVersion(id: string, versionId: number | null) {
  return useQuery(
    `${versionsOf(id)}/${versionId}`,
    (signal) =>
      send('GET /user/developer/apps/:id/versions/:versionId', {}, { params: { id, versionId: versionId! }, signal }),
    { enabled: versionId !== null },
  )
}

/** A version and the version that it is compared with; `before` is null for the first. */
export function useComparison(id: string, versionId: number) {
  const versions = useVersions(id)
  const now = useVersion(id, versionId)
  const known = versions.data?.versions.some((version) => version.id === versionId)
  const previous = known ? versionBefore(versions.data!.versions, versionId) : undefined
  const before = useVersion(id, previous?.id ?? null)
  const error = versions.error ?? now.error ?? before.error
  const isReady = now.data && known && (previous === undefined || before.data)
  return {
    error,
    reload: () => [versions, now, before].forEach((query) => query.error && query.reload()),
    data: isReady ? { now: now.data!.version, before: before.data?.version ?? null } : undefined,
  }
}

export function useListing(id: string) {
  return useQuery(`${APPS}/${id}/listing`, (signal) =>
    send('GET /user/developer/apps/:id/listing', {}, { params: { id }, signal }),
  )
}

export function useScripts(id: string) {
  return useQuery(`${APPS}/${id}/scripts`, (signal) =>
    send('GET /user/developer/apps/:id/scripts', {}, { params: { id }, signal }),
  )
}

export function useInstalls(id: string) {
  return useQuery(`${APPS}/${id}/installs`, (signal) =>
    send('GET /user/developer/apps/:id/installs', {}, { params: { id }, query: { limit: 50 }, signal }),
  )
}

/** The latest review requests of all apps of the user's teams. */
export function useReviews() {
  return useQuery('/user/review-requests own', (signal) =>
    send('GET /user/review-requests', {}, { query: { limit: 100 }, signal }),
  )
}

export function useTeam(id: string) {
  return useQuery(`${APPS}/${id}/team`, (signal) =>
    send('GET /user/developer/apps/:id/team', {}, { params: { id }, signal }),
  )
}

/**
 * A script as sites would get it, and the error that prevents saving it.
 *
 * @param text `code`, `parameters` and `parameter_formats`, as JSON
 */
export function useRendered(id: string, text: string) {
  return useQuery(`${APPS}/${id}/scripts/render ${text}`, (signal) =>
    send('POST /user/developer/apps/:id/scripts/render', JSON.parse(text) as Unrendered, { params: { id }, signal }),
  )
}

export const testsOf = (id: string) => `${APPS}/${id}/test-projects`

export function useTestProjects(id: string) {
  return useQuery(testsOf(id), (signal) =>
    send('GET /user/developer/apps/:id/test-projects', {}, { params: { id }, signal }),
  )
}

/** What the next version of an app would contain; undefined while it loads. */
export function useNextVersion({ id, draft, scope_reasons }: App): { contents?: Contents; error: ApiError | null } {
  const scripts = useScripts(id)
  const listing = useListing(id)
  const error = scripts.error ?? listing.error
  if (!scripts.data || !listing.data) return { error }
  const { displayName, description, homepage, redirect_uris, scopes } = draft
  return {
    error,
    contents: {
      ...{ displayName, description, homepage, redirect_uris, scopes, scope_reasons },
      ...{ scripts: scripts.data.scripts, listing: listing.data.listing },
    },
  }
}
