/** Address of the portal below the base URL. */
export const PORTAL_PATH = '/portal'

/** Where a letter leads: a page of the portal that knows what to do with the token. */
export function portalLink(base_url: string, page: 'reset' | 'invitation', token: string): string {
  return `${base_url}${PORTAL_PATH}/${page}?token=${token}`
}
