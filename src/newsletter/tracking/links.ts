/** Addresses of the public pages and of tracking that messages link to. */
export const PUBLIC_ROOT = '/general/newsletter'

/** The address of a page for the recipient that a token names. */
export function publicUrl(
  base_url: string,
  page: 'unsubscribe' | 'preferences' | 'view' | 'confirm' | 'click' | 'open',
  token: string,
): string {
  return `${base_url}${PUBLIC_ROOT}/${page}/${token}`
}
