import { openIdProvider } from '../../../accounts/openid.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Route } from '../../core/route.ts'
import { openIdRoutes } from '../../oauth/openid.routes.ts'
import { appPages } from './app-pages.routes.ts'
import { homeRoutes } from './home.routes.ts'
import { invitationRoutes } from './invitation.routes.ts'
import { kitchenRoutes } from './kitchen.routes.ts'
import { newProjectRoutes } from './new-project.routes.ts'
import { resetRoutes } from './reset.routes.ts'
import { setupSendingRoutes } from './setup-sending.routes.ts'
import { signUpRoutes } from './sign-up.routes.ts'

/** The pages of the portal. */
export function portalRoutes(runtime: Runtime): Route[] {
  const provider = openIdProvider(runtime)
  const label = provider?.label ?? null
  return [
    ...homeRoutes(label),
    ...setupSendingRoutes(runtime),
    ...newProjectRoutes,
    ...resetRoutes,
    ...signUpRoutes,
    ...invitationRoutes(label),
    ...appPages(runtime),
    ...kitchenRoutes,
    ...(provider ? openIdRoutes(provider) : []),
  ]
}
