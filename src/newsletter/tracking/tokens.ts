import { allKeys, asciiAddress, emailKey } from '../../address.ts'
import { type Keys, MARK, sha256 } from '../../secrets.ts'

/**
 * Signed tokens in messages. They name their subject and need no row, so links in old messages keep working. Each kind
 * has a key of its own: a tracking token, which proxies and logs see, cannot be used to unsubscribe.
 */

/** The recipient of one message. */
export interface RecipientToken {
  delivery_id: number
  contact_id: number
  /** 0 for a message that belongs to no campaign. */
  campaign_id: number
}

/** A link as one recipient got it: its position in the campaign's list, and the values of its merge tags. */
interface ClickToken extends RecipientToken {
  position: number
  values: string[]
}

/** A message as its recipient got it. */
export interface ViewToken extends RecipientToken {
  /** The contact's values that the message shows, by merge tag; null when they are too long for a link. */
  values: Record<string, string> | null
}

/** The memberships that a contact confirms, and the address that was asked. A changed address has to be asked again. */
export interface ConfirmationToken {
  contact_id: number
  list_ids: number[]
  address_mark: string
}

/** The token of unsubscribe and preferences links, or of the tracking pixel (`open`). */
export function createRecipientToken(
  keys: Keys,
  recipient: RecipientToken,
  purpose: 'recipient-link' | 'open' = 'recipient-link',
): string {
  return keys.sign(purpose, idsOf(recipient))
}

/** Null for a token that this service did not sign for the purpose; so for every `read…Token`. */
export function readRecipientToken(
  keys: Keys,
  token: string,
  purpose: 'recipient-link' | 'open' = 'recipient-link',
): RecipientToken | null {
  const ids = parseIds(keys.verify(purpose, token)?.toString(), 3)
  return ids && recipientOf(ids)
}

/** Longer values stay out of the link: some mail programs cut addresses after 2,000 characters. */
const MAX_VIEW_CHARACTERS = 1000

/** The token of a "view in browser" link. It is encrypted, because it carries values of the contact. */
export function createViewToken(keys: Keys, { values, ...recipient }: ViewToken): string {
  const shown = JSON.stringify(values)
  const stored = shown.length > MAX_VIEW_CHARACTERS ? 'null' : shown
  return keys.seal('view-link', `${idsOf(recipient)}\n${stored}`, '')
}

export function readViewToken(keys: Keys, token: string): ViewToken | null {
  const plain = token.length > 4096 ? null : keys.unseal('view-link', token, '')
  const at = plain?.indexOf('\n') ?? -1
  const ids = parseIds(plain?.slice(0, at), 3)
  return ids && { ...recipientOf(ids), values: JSON.parse(plain!.slice(at + 1)) as ViewToken['values'] }
}

/** The token of a tracked link. */
export function createClickToken(keys: Keys, { position, values, ...recipient }: ClickToken): string {
  const ids = `${idsOf(recipient)}.${position.toString(36)}`
  return keys.sign('click', values.length === 0 ? ids : `${ids}\n${JSON.stringify(values)}`)
}

export function readClickToken(keys: Keys, token: string): ClickToken | null {
  const [head, values] = keys.verify('click', token)?.toString().split('\n', 2) ?? []
  const ids = parseIds(head, 4)
  return (
    ids && {
      ...recipientOf(ids),
      position: ids[3]!,
      values: values === undefined ? [] : (JSON.parse(values) as string[]),
    }
  )
}

export function createConfirmationToken(
  keys: Keys,
  { contact_id, email, list_ids }: { contact_id: number; email: string; list_ids: number[] },
): string {
  const ids = [contact_id, ...list_ids].map((id) => id.toString(36))
  return keys.sign('confirmation', [addressMark(emailKey(email)), ...ids].join('.'))
}

export function readConfirmationToken(keys: Keys, token: string): ConfirmationToken | null {
  const [address_mark, ...parts] = keys.verify('confirmation', token)?.toString().split('.') ?? []
  const [contact_id, ...list_ids] = parts.map((part) => Number.parseInt(part, 36))
  if (!address_mark || !contact_id || [contact_id, ...list_ids].some((id) => !Number.isSafeInteger(id) || id < 1))
    return null
  return { contact_id, list_ids, address_mark }
}

/** Whether a confirmation was sent to this address, however it is spelled. */
export function isSentTo({ address_mark }: ConfirmationToken, email: string): boolean {
  return allKeys(emailKey(email)).some((key) => addressMark(key) === address_mark)
}

/** Distinguishes mailboxes. A part of a hash, so that a link shows no address. */
function addressMark(email_key: string): string {
  return sha256(email_key).slice(0, 8)
}

/**
 * The Message-ID of a delivery at every attempt until the secret key is rotated: its number, and a mark that cannot be
 * forged and opens no link.
 */
export function messageId(keys: Keys, recipient: RecipientToken, from_email: string): string {
  const address = asciiAddress(from_email)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return `${recipient.delivery_id.toString(36)}.${keys.mark('message-id', idsOf(recipient))}@${domain}`
}

const MESSAGE_ID = new RegExp(`^\\s*<?([0-9a-z]{1,11})\\.(${MARK})(?:@|>?\\s*$)`)

/** The delivery and the mark in a Message-ID of this service's form; null for any other. */
export function readMessageId(message_id: string | null): { delivery_id: number; mark: string } | null {
  const [, id, mark] = MESSAGE_ID.exec(message_id ?? '') ?? []
  const delivery_id = Number.parseInt(id ?? '', 36)
  return mark && Number.isSafeInteger(delivery_id) ? { delivery_id, mark } : null
}

/** Whether this service made the mark in a Message-ID of this recipient's message. */
export function isMessageMark(keys: Keys, recipient: RecipientToken, mark: string): boolean {
  return keys.isMark('message-id', idsOf(recipient), mark)
}

function idsOf({ delivery_id, contact_id, campaign_id }: RecipientToken): string {
  return `${delivery_id.toString(36)}.${contact_id.toString(36)}.${campaign_id.toString(36)}`
}

function parseIds(text: string | undefined, count: number): number[] | null {
  const ids = text?.split('.').map((part) => Number.parseInt(part, 36)) ?? []
  return ids.length === count && ids.every((id) => Number.isSafeInteger(id) && id >= 0) ? ids : null
}

function recipientOf([delivery_id, contact_id, campaign_id]: number[]): RecipientToken {
  return { delivery_id: delivery_id!, contact_id: contact_id!, campaign_id: campaign_id! }
}
