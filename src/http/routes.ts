import { lastProven } from '../backup/state.ts'
import type { Runtime } from '../runtime.ts'
import { cmsRoutes } from './api/cms.routes.ts'
import { documentRoutes } from './api/openapi.routes.ts'
import { newsletterRoutes } from './api/operations.ts'
import { scriptRoutes } from './api/scripts.routes.ts'
import { tokenRoutes } from './api/token.routes.ts'
import type { Readiness } from './core/health.ts'
import { type RequestMetrics, requestMetrics } from './core/metrics.ts'
import type { Route } from './core/route.ts'
import { appFileRoute, assetRoute, systemRoutes } from './core/system.routes.ts'
import { docsRoutes } from './docs/docs.routes.ts'
import { appEventRoutes } from './oauth/app-events.routes.ts'
import { authorizeRoutes } from './oauth/authorize.routes.ts'
import { clientRoutes } from './oauth/client.routes.ts'
import { metadataRoutes } from './oauth/metadata.routes.ts'
import { accountRoutes } from './portal/account/account.routes.ts'
import { auditRoutes } from './portal/project/audit.routes.ts'
import { appsOverviewRoutes } from './portal/project/apps-overview.routes.ts'
import { connectedAppRoutes } from './portal/account/connected-apps.routes.ts'
import { deliverabilityRoute } from './portal/project/deliverability.routes.ts'
import { imageRoutes } from './portal/developer/images.routes.ts'
import { developerRoutes } from './portal/developer/apps.routes.ts'
import { requestLogRoutes } from './portal/developer/requests.routes.ts'
import { developerTryRoutes } from './portal/developer/try.routes.ts'
import { developerTeamRoutes } from './portal/developer/team.routes.ts'
import { developerTestRoutes } from './portal/developer/test-projects.routes.ts'
import { dkimRoutes } from './portal/project/dkim.routes.ts'
import { fileRoutes } from './portal/project/files.routes.ts'
import { importRoutes } from './portal/project/imports.routes.ts'
import { jobRoutes } from './portal/project/jobs.routes.ts'
import { formEntryRoutes } from './portal/project/form-entries.routes.ts'
import { letterRoutes } from './portal/project/letters.routes.ts'
import { loginRoutes } from './portal/account/login.routes.ts'
import { projectMailboxRoutes } from './portal/project/mailbox.routes.ts'
import { memberRoutes } from './portal/project/members.routes.ts'
import { operatorAppRoutes } from './portal/operator/apps.routes.ts'
import { operatorBackupRoutes } from './portal/operator/backups.routes.ts'
import { operatorInvitationRoutes } from './portal/operator/invitations.routes.ts'
import { operatorPeopleRoutes } from './portal/operator/people.routes.ts'
import { operatorProjectRoutes } from './portal/operator/projects.routes.ts'
import { operatorServiceRoutes } from './portal/operator/service.routes.ts'
import { ownAccountRoutes } from './portal/account/own-account.routes.ts'
import { portalRoutes } from './portal/pages/portal.routes.ts'
import { projectEndRoutes } from './portal/project/project-end.routes.ts'
import { projectRoutes } from './portal/project/project.routes.ts'
import { reviewRoutes } from './portal/developer/reviews.routes.ts'
import { projectScriptRoutes } from './portal/project/scripts.routes.ts'
import { securityRoutes } from './portal/account/security.routes.ts'
import { signUpFormRoutes } from './portal/project/sign-up-forms.routes.ts'
import { siteContentRoutes } from './portal/project/site-content.routes.ts'
import { siteFileRoutes } from './portal/project/site-files.routes.ts'
import { sitePageRoutes } from './portal/project/site-pages.routes.ts'
import { siteSettingsRoutes } from './portal/project/site-settings.routes.ts'
import { siteTemplateRoutes } from './portal/project/site-templates.routes.ts'
import { unreadReportsRoute } from './portal/project/unread-reports.routes.ts'
import { versionRoutes } from './portal/developer/versions.routes.ts'
import { galleryPages } from './public/gallery-pages.routes.ts'
import { galleryRoutes } from './public/gallery.routes.ts'
import type { HostedPages } from './public/hosted-pages.ts'
import { publicRoutes } from './public/public.routes.ts'

interface RouteParts {
  readiness: Readiness
  metrics: RequestMetrics
  sites: HostedPages
}

/** Every route of the service. */
export function allRoutes(runtime: Runtime, { readiness, metrics, sites }: RouteParts): Route[] {
  const routes = [
    ...systemRoutes(readiness, metrics.text, () => lastProven(runtime)),
    appFileRoute,
    assetRoute,
    ...newsletterRoutes,
    ...publicRoutes(runtime, sites),
    ...authorizeRoutes,
    ...clientRoutes,
    ...appEventRoutes,
    ...metadataRoutes(),
    ...tokenRoutes,
    ...scriptRoutes,
    ...cmsRoutes,
    ...loginRoutes,
    ...accountRoutes,
    ...ownAccountRoutes,
    ...securityRoutes,
    ...connectedAppRoutes,
    ...appsOverviewRoutes,
    ...developerRoutes,
    ...requestLogRoutes,
    ...developerTryRoutes,
    ...developerTeamRoutes,
    ...imageRoutes,
    ...developerTestRoutes,
    ...versionRoutes,
    ...reviewRoutes,
    ...projectRoutes(),
    ...projectEndRoutes,
    ...projectMailboxRoutes,
    ...galleryRoutes,
    ...galleryPages,
    ...memberRoutes,
    ...auditRoutes,
    ...operatorPeopleRoutes,
    ...operatorInvitationRoutes,
    ...operatorProjectRoutes,
    ...operatorAppRoutes,
    ...operatorServiceRoutes(readiness),
    ...operatorBackupRoutes,
    ...projectScriptRoutes,
    ...dkimRoutes(),
    ...fileRoutes,
    ...importRoutes,
    ...sitePageRoutes,
    ...siteFileRoutes,
    ...siteTemplateRoutes,
    ...siteContentRoutes,
    ...siteSettingsRoutes,
    ...formEntryRoutes,
    ...jobRoutes,
    ...signUpFormRoutes,
    ...letterRoutes,
    deliverabilityRoute,
    unreadReportsRoute,
    ...portalRoutes(runtime),
  ]
  const described = [...routes, ...documentRoutes(routes)]
  return [...described, ...docsRoutes(described)]
}

/** Every route of a service with all of them, as declared. The handlers have no service and must not be called. */
export function declaredRoutes(): Route[] {
  const runtime = { config: { oidc_issuer: '', sandbox: true }, store: {} } as unknown as Runtime
  return allRoutes(runtime, {
    readiness: async () => null,
    metrics: requestMetrics(runtime),
    sites: { bySlug: () => new Response(), beforeRoutes: async () => undefined, isServed: async () => false },
  })
}
