import type { LoopContext } from '../../runtime.ts'
import type { Pace } from './pace.ts'
import { type MailTransport, sandboxTransport } from '../../mail/sandbox.ts'
import { createSmtpPool } from '../../mail/smtp-pool.ts'
import { type Connection, relayOptions } from '../connections/connection.ts'

/** The mail transport of a connection. */
export interface Transport extends MailTransport {
  /** Messages that may be in flight at once. */
  readonly parallel: number
  /** Shared by all streams with a limit. A changed limit brings a new transport and a new pace. */
  pace?: Pace
}

const SANDBOX_PARALLEL = 20

/** Transports stay open between batches. A changed connection gets a new one. */
export interface Transports {
  of(connection: Connection): Promise<Transport>
  close(): Promise<void>
}

export function createTransports(context: LoopContext): Transports {
  const open = new Map<string, { version: number; transport: Transport }>()
  return {
    async of(connection) {
      // Campaigns of one connection may go to another host than its other messages.
      const key = `${connection.id} ${connection.host}`
      const known = open.get(key)
      if (known?.version === connection.updated_at) return known.transport
      void known?.transport.close()
      const transport =
        connection.provider === 'sandbox'
          ? { parallel: SANDBOX_PARALLEL, ...sandboxTransport(context, connection.project_id) }
          : relay(context, connection)
      open.set(key, { version: connection.updated_at, transport })
      return transport
    },
    async close() {
      const all = [...open.values()]
      open.clear()
      await Promise.all(all.map(({ transport }) => transport.close()))
    },
  }
}

function relay(context: LoopContext, connection: Connection): Transport {
  const max_connections = connectionsAtOnce(connection)
  const { send, close } = createSmtpPool({
    ...relayOptions(context, connection),
    max_connections,
    ending: context.ending,
  })
  return { parallel: max_connections, send, close }
}

const MOST_CONNECTIONS = 50
/** A relay that takes so long for a message can still be given `max_per_second`. */
const SECONDS_A_MESSAGE = 2

/**
 * Connections to a relay at most. Without a limit that people chose there are as many as `max_per_second` needs
 * (docs/api/delivery.md#pace-and-limits). The pool opens them one by one, when no other is free.
 */
export function connectionsAtOnce({
  max_connections,
  max_connections_chosen,
  max_per_second,
}: Pick<Connection, 'max_connections' | 'max_connections_chosen' | 'max_per_second'>): number {
  if (max_connections_chosen || max_per_second === null) return max_connections
  return Math.max(max_connections, Math.min(MOST_CONNECTIONS, Math.ceil(max_per_second * SECONDS_A_MESSAGE)))
}
