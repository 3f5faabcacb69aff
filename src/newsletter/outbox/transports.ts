import type { ProjectId } from '../../ids.ts'
import type { Runtime } from '../../runtime.ts'
import { sandbox_messages } from '../../store/tables/delivery.ts'
import { createSmtpPool, type SmtpEnvelope, type SmtpOutcome } from '../../mail/smtp-pool.ts'
import { type Connection, relayLocator, relayLogin } from '../connections/connections.operations.ts'

/** Hands messages to the relay of a connection. */
export interface Transport {
  /** Messages that may be in flight at once. */
  readonly parallel: number
  /** Hands over one message. The outcome is a value; this never rejects. */
  send(envelope: SmtpEnvelope, message: Buffer): Promise<SmtpOutcome>
  close(): Promise<void>
}

/** Transports stay open between batches. A changed connection gets a new one. */
export interface Transports {
  of(connection: Connection): Promise<Transport>
  close(): Promise<void>
}

export function createTransports(runtime: Runtime): Transports {
  const open = new Map<number, { version: number; transport: Transport }>()
  return {
    async of(connection) {
      const known = open.get(connection.id)
      if (known?.version === connection.updated_at) return known.transport
      void known?.transport.close()
      const transport =
        connection.provider === 'sandbox' ? sandbox(runtime, connection.project_id) : relay(runtime, connection)
      open.set(connection.id, { version: connection.updated_at, transport })
      return transport
    },
    async close() {
      const all = [...open.values()]
      open.clear()
      await Promise.all(all.map(({ transport }) => transport.close()))
    },
  }
}

function relay(runtime: Runtime, connection: Connection): Transport {
  const pool = createSmtpPool({
    ...relayLocator(runtime.config),
    host: connection.host,
    port: connection.port,
    secure: connection.secure,
    ...relayLogin(runtime.keys, connection),
    max_connections: connection.max_connections,
  })
  return {
    parallel: connection.max_connections,
    send: (envelope, message) => pool.send(envelope, message),
    close: () => pool.close(),
  }
}

/** Stores messages in the sandbox mailbox; those that arrive together, in one transaction. */
function sandbox(runtime: Runtime, project_id: ProjectId): Transport {
  let pending: (typeof sandbox_messages.$inferInsert)[] = []
  let last: Promise<unknown> = Promise.resolve()
  /** The write that will store what is pending now. */
  let next: Promise<void> | null = null
  const storeAll = async (): Promise<void> => {
    const messages = pending
    pending = []
    next = null
    await runtime.store.write((tx) => tx.insert(sandbox_messages).values(messages))
  }
  return {
    parallel: 20,
    async send(envelope, message) {
      pending.push({
        project_id,
        sender: envelope.from,
        recipient: envelope.to,
        recipient_key: envelope.to.toLowerCase(),
        raw: message.toString('utf8'),
        received_at: runtime.clock.now(),
      })
      last = next ??= last.catch(() => undefined).then(storeAll)
      await next
      return { kind: 'sent', response: 'Kept in the sandbox mailbox.' }
    },
    close: async () => undefined,
  }
}
