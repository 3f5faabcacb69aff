import type { Keys } from '../../secrets.ts'

/**
 * The links that a recipient gets. One signed token a message names the delivery, the contact and the campaign;
 * the path says what it is used for. Nothing in it can be guessed or changed (HMAC), and it needs no row of its
 * own, so links in old mail keep working.
 */
export interface RecipientToken {
  delivery_id: number
  contact_id: number
  /** 0 for a message that belongs to no campaign. */
  campaign_id: number
}

export const PUBLIC_ROOT = '/general/newsletter'

export function recipientToken(keys: Keys, { delivery_id, contact_id, campaign_id }: RecipientToken): string {
  return keys.sign('recipient-link', [delivery_id, contact_id, campaign_id].map((id) => id.toString(36)).join('.'))
}

/** What a token names, or null for one that is not ours. */
export function openRecipientToken(keys: Keys, token: string): RecipientToken | null {
  const ids = keys.verify('recipient-link', token)?.toString().split('.').map((part) => Number.parseInt(part, 36))
  if (!ids || ids.length !== 3 || ids.some((id) => !Number.isSafeInteger(id) || id < 0)) return null
  return { delivery_id: ids[0]!, contact_id: ids[1]!, campaign_id: ids[2]! }
}

/** What a confirmation link confirms: the memberships of one contact, as they were asked for. */
export interface ConfirmationToken {
  contact_id: number
  list_ids: number[]
}

export function confirmationToken(keys: Keys, { contact_id, list_ids }: ConfirmationToken): string {
  return keys.sign('confirmation', [contact_id, ...list_ids].map((id) => id.toString(36)).join('.'))
}

export function openConfirmationToken(keys: Keys, token: string): ConfirmationToken | null {
  const ids = keys.verify('confirmation', token)?.toString().split('.').map((part) => Number.parseInt(part, 36))
  if (!ids || ids.length < 2 || ids.some((id) => !Number.isSafeInteger(id) || id < 1)) return null
  const [contact_id, ...list_ids] = ids
  return { contact_id: contact_id!, list_ids }
}

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
