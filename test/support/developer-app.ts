import type { App } from '../../static/app/app-review/app-data.ts'

/** An app as its author sees it, and what its pages ask of the service. */

export const AT = '2026-05-03T12:00:00.000Z'
export const ROUTE = 'GET /user/developer/apps/app_1'

export const APP: App = {
  ...{ id: 'app_1', displayName: 'Tides', description: '', homepage: '', status: 'development', client_id: 'cid_1' },
  ...{ client_type: 'confidential', redirect_uris: ['https://a.example/back'], scopes: ['newsletter:read'] },
  ...{ scope_reasons: { 'newsletter:read': 'To count.' }, require_pkce: false, require_par: false },
  ...{ approved: null, suspended_on: null, suspension_comment: null, created_on: AT, last_update: AT },
  draft: {
    ...{ displayName: 'Tides', description: 'High water', homepage: 'https://a.example' },
    ...{ redirect_uris: ['https://a.example/back'], scopes: ['newsletter:read'] },
  },
} as never

export const LISTING = {
  ...{ tagline: '', description: '', icon_url: '', screenshots: [] as string[] },
  ...{ privacy_url: '', support_url: '', category: '' },
}
export const INSTALLS = {
  totals: { projects: 0, users: 0, script_connections: 0, calls_in_7_days: 0, errors_in_7_days: 0 },
  ...{ installs: [] as object[], latest_events: [] as object[] },
}

/** What the service answers about the app of a page. */
export function appAnswers(app: object = {}): Record<string, unknown> {
  return {
    [ROUTE]: { app: { ...APP, ...app } },
    [`${ROUTE}/listing`]: { listing: LISTING },
    [`${ROUTE}/scripts`]: { scripts: [] },
    [`${ROUTE}/versions`]: { versions: [] },
    [`${ROUTE}/installs`]: INSTALLS,
    [`${ROUTE}/team`]: { team: [], invitations: [] },
    [`${ROUTE}/test-projects`]: { test_projects: [] },
    'GET /user/review-requests': { review_requests: [] },
  }
}
