import type { Route } from '../core/route.ts'
import { authorizeRoutes } from './authorize.routes.ts'
import { clientRoutes } from './client.routes.ts'
import { metadataRoutes } from './metadata.routes.ts'

/** The routes of the authorization server (docs/api/oauth.md). */
export function oauthRoutes(): Route[] {
  return [...authorizeRoutes, ...clientRoutes, ...metadataRoutes()]
}
