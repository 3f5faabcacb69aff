import { toDriver } from './database-connection.ts'
import { isSilent } from './faults.ts'
import type { RememberedReads } from './remembered-reads.ts'
import type { Ask } from './server-session.ts'
import { PATIENCE_MS, type ServerStream } from './server-stream.ts'

/** How many reads of a thread the server answers at a time; further ones wait for their turn. */
const STREAMS = 8

/** Single statements outside a transaction, on streams that are kept. */
export function createServerReads(open: () => ServerStream, remembered: RememberedReads): { ask: Ask; close(): void } {
  const idle = Array.from({ length: STREAMS }, open)
  const waiting: { resolve(stream: ServerStream): void; reject(error: unknown): void }[] = []
  let closed = false

  const take = (): Promise<ServerStream> | ServerStream =>
    idle.pop() ?? new Promise<ServerStream>((resolve, reject) => void waiting.push({ resolve, reject }))
  const giveBack = (stream: ServerStream): void => {
    if (closed) stream.end()
    const next = waiting.shift()
    if (next) next.resolve(stream)
    else idle.push(stream)
  }

  return {
    async ask(sql, params) {
      if (closed) throw new Error('The database is closed.')
      const args = params.map(toDriver)
      const stream = await take()
      const begun = performance.now()
      try {
        const [answer] = await stream.batch([{ sql, args }], { is_first: true })
        const { result, error } = answer!
        if (error) throw error
        remembered.note(sql, params, result!)
        return result!
      } catch (error) {
        if (isSilent(error) && performance.now() - begun > PATIENCE_MS)
          for (const { reject } of waiting.splice(0)) reject(error)
        throw error
      } finally {
        giveBack(stream)
      }
    },
    close() {
      closed = true
      for (const stream of idle) stream.end()
    },
  }
}
