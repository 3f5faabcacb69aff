import { type Keys, sha256 } from '../../secrets.ts'
import { asciiDomain } from '../../mail/mime.ts'

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

export function recipientToken(keys: Keys, named: RecipientToken): string {
  return keys.sign('recipient-link', idsOf(named))
}

function idsOf({ delivery_id, contact_id, campaign_id }: RecipientToken): string {
  return [delivery_id, contact_id, campaign_id].map((id) => id.toString(36)).join('.')
}

/** The id a delivery's message keeps for good: its number, and a mark that nobody can make up and that opens no link. */
export function messageId(keys: Keys, named: RecipientToken, from_email: string): string {
  const address = asciiDomain(from_email)
  return `${named.delivery_id.toString(36)}.${messageMark(keys, named)}@${address.slice(address.lastIndexOf('@') + 1)}`
}

export function messageMark(keys: Keys, named: RecipientToken): string {
  return keys.sign('message-id', idsOf(named)).slice(0, 16)
}

/** What a token names, or null for one that is not ours. */
export function openRecipientToken(keys: Keys, token: string): RecipientToken | null {
  const ids = keys
    .verify('recipient-link', token)
    ?.toString()
    .split('.')
    .map((part) => Number.parseInt(part, 36))
  if (!ids || ids.length !== 3 || ids.some((id) => !Number.isSafeInteger(id) || id < 0)) return null
  return { delivery_id: ids[0]!, contact_id: ids[1]!, campaign_id: ids[2]! }
}

/**
 * What a confirmation link confirms: the memberships of one contact, as they were asked for, by the address that was
 * asked. A contact whose address was changed since then has to be asked again.
 */
export interface ConfirmationToken {
  contact_id: number
  list_ids: number[]
  address_mark: string
}

export function confirmationToken(
  keys: Keys,
  { contact_id, email, list_ids }: { contact_id: number; email: string; list_ids: number[] },
): string {
  return keys.sign(
    'confirmation',
    [addressMark(email), ...[contact_id, ...list_ids].map((id) => id.toString(36))].join('.'),
  )
}

export function openConfirmationToken(keys: Keys, token: string): ConfirmationToken | null {
  const [address_mark, ...parts] = keys.verify('confirmation', token)?.toString().split('.') ?? []
  const [contact_id, ...list_ids] = parts.map((part) => Number.parseInt(part, 36))
  if (!address_mark || !contact_id || [contact_id, ...list_ids].some((id) => !Number.isSafeInteger(id) || id < 1))
    return null
  return { contact_id, list_ids, address_mark }
}

/** Tells one address from another, whatever their case; a part of a hash, so that a link shows no address. */
export function addressMark(email: string): string {
  return sha256(email.trim().toLowerCase()).slice(0, 8)
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
