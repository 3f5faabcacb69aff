import { asciiAddress } from '../../address.ts'
import type { ProjectId } from '../../ids.ts'
import type { Keys } from '../../secrets.ts'
import type { Tx } from '../../store/open.ts'
import { findRecipient, isTestMessage } from '../consent/recipient.ts'
import { readRecipientToken } from '../tracking/tokens.ts'
import { unsubscribeThrough } from './unsubscribe.ts'

/**
 * Unsubscribing by mail: mail programs without one-click send a message to the `mailto:` address of List-Unsubscribe,
 * with the token of the recipient in its subject (RFC 2369, 3.2; RFC 6068;
 * docs/api/delivery.md#one-click-unsubscribe).
 */

/** The value of List-Unsubscribe, with a `mailto:` address where the project has one. */
export function listUnsubscribe(url: string, token: string, mailto: string): string {
  if (mailto === '') return `<${url}>`
  const address = asciiAddress(mailto)
  const at = address.lastIndexOf('@')
  const encoded = encodeURIComponent(address.slice(0, at)) + address.slice(at)
  return `<${url}>, <mailto:${encoded}?subject=unsubscribe%20${token}>`
}

/** The token in the subject of a message; null for any other message. */
export function unsubscribeTokenIn(subject: string): string | null {
  return /\bunsubscribe\s+([\w.-]{20,500})\s*$/i.exec(subject)?.[1] ?? null
}

/**
 * Unsubscribes as the link of the message would. Answers false, and does nothing, for a token that this service did not
 * sign, of another project, or of a test message.
 */
export async function unsubscribeByMail(
  tx: Tx,
  keys: Keys,
  { project_id, token }: { project_id: ProjectId; token: string },
  now: number,
): Promise<boolean> {
  const message = readRecipientToken(keys, token)
  if (!message || (await isTestMessage(tx, message))) return false
  const recipient = await findRecipient(tx, message)
  if (recipient?.project_id !== project_id) return false
  const act = { now, source: 'unsubscribe_mail' }
  await unsubscribeThrough(tx, recipient, { message, everything: false, act })
  return true
}
