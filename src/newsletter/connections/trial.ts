import { createSmtpPool, type SmtpEnvelope } from '../../mail/smtp-pool.ts'
import type { ReadContext } from '../../operation/declare.ts'
import { type Connection, relayOptions } from './connection.ts'

/** The caller waits for the answer, so a slower relay fails the test. */
const PATIENCE = {
  connect_timeout_ms: 8_000,
  greeting_timeout_ms: 8_000,
  socket_timeout_ms: 10_000,
  message_timeout_ms: 12_000,
}
/** A server in a private network that has not answered EHLO by then counts as none. */
const LONGEST_UNREACHED_MS = 8_000

export interface TestMessage {
  envelope: SmtpEnvelope
  raw: Buffer
}

/** Why the connection does not work, or null when it does. */
export async function trial(
  context: ReadContext,
  connection: Connection,
  message: TestMessage | null,
): Promise<string | null> {
  if (connection.provider === 'sandbox')
    return context.config.sandbox ? null : 'The sandbox mailbox is switched off on this service.'
  const unreached_ms = Math.min(LONGEST_UNREACHED_MS, context.config.relay_silence_seconds * 1000)
  const pool = createSmtpPool({ ...relayOptions(context, connection), max_connections: 1, ...PATIENCE, unreached_ms })
  try {
    if (message) {
      const outcome = await pool.send(message.envelope, message.raw)
      return outcome.kind === 'sent' ? null : outcome.message
    }
    const login = await pool.verify()
    return login.ok ? null : login.error
  } finally {
    await pool.close()
  }
}
