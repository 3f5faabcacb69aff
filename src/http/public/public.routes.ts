import type { Runtime } from '../../runtime.ts'
import type { Route } from '../core/route.ts'
import { confirmRoutes } from './confirm.routes.ts'
import { fileRoute } from './files.routes.ts'
import { formChallengeRoute } from './form-challenge.routes.ts'
import { formEntryRoute } from './form-entry.routes.ts'
import { type HostedPages, siteRoutes } from './hosted-pages.ts'
import { preferencesRoutes } from './preferences.routes.ts'
import { mailboxRoutes } from './sandbox-mailbox.routes.ts'
import { signUpFormRoute } from './sign-up-form.routes.ts'
import { signupRoute } from './signup.routes.ts'
import { tlsRoute } from './tls.routes.ts'
import { trackingRoutes } from './tracking.routes.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'
import { ownLinkRoutes } from './own-link.routes.ts'
import { viewRoute } from './view.routes.ts'
import { webhookRoute } from './webhooks.routes.ts'

/** The routes that anyone can call (docs/api/platform.md#public-routes). */
export function publicRoutes(runtime: Runtime, sites: HostedPages): Route[] {
  return [
    ...confirmRoutes,
    ...unsubscribeRoutes,
    ...preferencesRoutes,
    viewRoute,
    ...ownLinkRoutes,
    ...trackingRoutes(runtime),
    webhookRoute(runtime),
    signupRoute,
    signUpFormRoute,
    formEntryRoute,
    formChallengeRoute,
    fileRoute,
    ...siteRoutes(sites),
    tlsRoute(sites),
    ...(runtime.config.sandbox ? mailboxRoutes : []),
  ]
}
