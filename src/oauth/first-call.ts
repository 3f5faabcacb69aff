import { PORTAL_PATH } from '../accounts/links.ts'

/**
 * The page of the service that receives the code of an app's first call (docs/api/platform.md#the-first-call). It is a
 * redirect URI of every app without being registered: http is refused for others, but the service itself may have it.
 */
export function firstCallPage(base_url: string, app_id: string): string {
  return `${base_url}${PORTAL_PATH}/developer/apps/${app_id}/try`
}
