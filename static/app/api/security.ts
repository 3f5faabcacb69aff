import type { RouteResponse } from './calls.ts'

/** The cache key of the user's ways to sign in. */
export const SECURITY = '/user/security'

export type Security = RouteResponse<'GET /user/security'>
