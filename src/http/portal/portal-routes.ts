import { openIdProvider } from '../../accounts/openid.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import type { Runtime } from '../../runtime.ts'
import type { Handler } from '../core/exchange.ts'
import { OPENID_PATH, openIdCallback, openIdStart } from '../oauth/openid.ts'
import {
  portalFile,
  portalLogin,
  portalLoginForm,
  portalLogout,
  portalSetup,
  portalSetupForm,
  portalStart,
  toPortal,
} from './portal.ts'
import { portalConnectedApps, portalDisconnect, portalDisconnectForm } from './connected-apps-page.ts'
import { portalInvitation, portalInvitationForm } from './invitation.ts'
import { portalAppRemove, portalAppRemoveForm, portalProject, portalProjectForm } from './project-page-routes.ts'
import { portalReset, portalResetForm } from './reset.ts'

/** The pages of the portal. Method, path and handler of each. */
export function portalRoutes(runtime: Runtime, limiter: RateLimiter): [string, string, Handler][] {
  const provider = openIdProvider(runtime)
  const label = provider?.label ?? null
  return [
    ['GET', '/', toPortal],
    ['GET', '/portal/', portalStart(runtime)],
    ['GET', '/portal/login', portalLogin(runtime, label)],
    ['POST', '/portal/login', portalLoginForm(runtime, limiter, label)],
    ['POST', '/portal/logout', portalLogout(runtime)],
    ['GET', '/portal/reset', portalReset(runtime)],
    ['POST', '/portal/reset', portalResetForm(runtime, limiter)],
    ['GET', '/portal/invitation', portalInvitation(runtime, label)],
    ['POST', '/portal/invitation', portalInvitationForm(runtime, label)],
    ['GET', '/portal/connected-apps', portalConnectedApps(runtime)],
    ['GET', '/portal/connected-apps/:authorization/disconnect', portalDisconnect(runtime)],
    ['POST', '/portal/connected-apps/:authorization/disconnect', portalDisconnectForm(runtime)],
    ['GET', '/portal/projects/:project', portalProject(runtime)],
    ['POST', '/portal/projects/:project', portalProjectForm(runtime)],
    ['GET', '/portal/projects/:project/apps/:app/remove', portalAppRemove(runtime)],
    ['POST', '/portal/projects/:project/apps/:app/remove', portalAppRemoveForm(runtime)],
    ['GET', '/portal/setup', portalSetup(runtime)],
    ['POST', '/portal/setup', portalSetupForm(runtime)],
    ['GET', '/portal/portal.css', portalFile('portal/portal.css')],
    ['GET', '/favicon.ico', portalFile('favicon.ico')],
    ...(provider
      ? [
          ['GET', OPENID_PATH, openIdStart(runtime, limiter, provider)] as [string, string, Handler],
          ['GET', `${OPENID_PATH}/callback`, openIdCallback(runtime, limiter, provider)] as [string, string, Handler],
        ]
      : []),
  ]
}
