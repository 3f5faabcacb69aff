import type { RouteResponse } from '../api/calls.ts'

/** The name of the answer about one's ways to sign in. */
export const SECURITY = '/user/security'

export type Security = RouteResponse<'GET /user/security'>
