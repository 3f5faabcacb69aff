/** Addresses of the public pages and of tracking that messages link to. */
export const PUBLIC_ROOT = '/general/newsletter'

export function unsubscribeUrl(base_url: string, token: string): string {
  return `${base_url}${PUBLIC_ROOT}/unsubscribe/${token}`
}

export function preferencesUrl(base_url: string, token: string): string {
  return `${base_url}${PUBLIC_ROOT}/preferences/${token}`
}

export function viewUrl(base_url: string, token: string): string {
  return `${base_url}${PUBLIC_ROOT}/view/${token}`
}

export function confirmUrl(base_url: string, token: string): string {
  return `${base_url}${PUBLIC_ROOT}/confirm/${token}`
}
