import { openIdProvider } from '../../accounts/openid.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import type { Runtime } from '../../runtime.ts'
import { type Route, route } from '../core/route.ts'
import { OPENID_PATH, openIdCallback, openIdStart } from '../oauth/openid.ts'
import { connectedAppPages } from './connected-apps-pages.routes.ts'
import { homeRoutes } from './home.routes.ts'
import { invitationRoutes } from './invitation.routes.ts'
import { PAGE } from './portal.ts'
import { projectPages } from './project-pages.routes.ts'
import { resetRoutes } from './reset.routes.ts'

/** The pages of the portal. */
export function portalRoutes(runtime: Runtime, limiter: RateLimiter): Route[] {
  const provider = openIdProvider(runtime)
  const label = provider?.label ?? null
  return [
    ...homeRoutes(label),
    ...resetRoutes,
    ...invitationRoutes(label),
    ...connectedAppPages,
    ...projectPages,
    ...(provider
      ? [
          route({
            method: 'GET',
            path: OPENID_PATH,
            summary: 'Starts a sign-in with the OpenID Connect provider.',
            auth: 'public',
            ...PAGE,
            respond: openIdStart(runtime, limiter, provider),
          }),
          route({
            method: 'GET',
            path: `${OPENID_PATH}/callback`,
            summary: 'Ends a sign-in with the OpenID Connect provider.',
            auth: 'public',
            ...PAGE,
            respond: openIdCallback(runtime, limiter, provider),
          }),
        ]
      : []),
  ]
}
