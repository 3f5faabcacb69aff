import { errorFields } from '../../log.ts'
import type { SmtpOutcome } from '../../mail/smtp-outcome.ts'
import type { HandOverGate } from '../../mail/smtp-session.ts'
import type { LoopContext } from '../../runtime.ts'
import type { Connection } from '../connections/connection.ts'
import type { Signer } from '../connections/dkim-keys.ts'
import type { Leased } from './outbox.ts'
import { type Composed, outgoing } from './outgoing.ts'
import type { Transport } from './transports.ts'

/** Composes the message of a row; null when it cannot be composed. */
export type Compose = (row: Leased) => Composed | null

/** How the messages of a stream are composed. */
export interface Composable {
  connection: Connection
  /** Reads what the messages of some rows need. The answer composes each of them when it is handed over. */
  compose(rows: readonly Leased[]): Promise<Compose>
  /** Signs a finished message; null when messages are not signed. */
  sign: Signer | null
}

interface HandOver {
  context: LoopContext
  stream: Composable
  transport: Transport
  compose: Compose
  message: Leased
  /** Asked right before the content is written. */
  gate?: HandOverGate
  /** Waits until the message is due. */
  dueNow(): Promise<void>
}

/** Composes a message and hands it over. Answers what the relay said; null when the message could not be composed. */
export async function handOver(parts: HandOver): Promise<SmtpOutcome | null> {
  const finished = await finish(parts)
  if (!finished) return null
  await parts.dueNow()
  return parts.transport
    .send(finished.envelope, finished.message, parts.gate)
    .catch((error: unknown): SmtpOutcome => ({ kind: 'uncertain', message: String(error) }))
}

/** Completes and signs a message. A failure is logged and returns null, so that it affects no other recipient. */
async function finish({
  context,
  stream,
  compose,
  message: row,
}: HandOver): Promise<Omit<Composed, 'message_id'> | null> {
  try {
    const composed = compose(row)
    if (!composed) return null
    const { envelope, message } = outgoing(context.keys, stream.connection, row, composed)
    const signed = stream.sign ? await stream.sign(message) : message
    return signed && { envelope, message: signed }
  } catch (error) {
    context.log.error('a message could not be composed', { delivery_id: row.id, ...errorFields(error) })
    return null
  }
}
