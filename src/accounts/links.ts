/** Path of the portal below the base URL. */
export const PORTAL_PATH = '/portal'

/** The link in an account message: a portal page that accepts the token. */
export function portalLink(
  base_url: string,
  page: 'reset' | 'invitation' | 'email' | 'sign-up',
  token: string,
): string {
  return `${base_url}${PORTAL_PATH}/${page}?token=${token}`
}
