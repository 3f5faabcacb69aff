/** Addresses of the public pages and of tracking that messages link to. */
export const PUBLIC_ROOT = '/general/newsletter'

/** The page that sends the personal link of a subscription to the address that is entered there. */
export const OWN_LINK_PATH = `${PUBLIC_ROOT}/own-link/:project` as const

export function ownLinkUrl(base_url: string, project_public_id: string): string {
  return base_url + OWN_LINK_PATH.replace(':project', project_public_id)
}

/** The address of a page for the recipient that a token names. */
export function publicUrl(
  base_url: string,
  page: 'unsubscribe' | 'preferences' | 'view' | 'confirm' | 'click' | 'open',
  token: string,
): string {
  return `${base_url}${PUBLIC_ROOT}/${page}/${token}`
}

/** The tokens in a value of List-Unsubscribe, in its https and its mailto form. They are not verified. */
export function unsubscribeTokensIn(value: string): string[] {
  return [...value.matchAll(/\bunsubscribe(?:\/|%20)([\w.-]{20,500})/gi)].map(([, token]) => token!)
}
