import { toDriver } from './database-connection.ts'
import { isSilent } from './faults.ts'
import { isRead, keyOf, type RememberedReads } from './remembered-reads.ts'
import type { Ask } from './server-statements.ts'
import { PATIENCE_MS, type ResultSet, type ServerStream } from './server-stream.ts'

/** How many reads of a thread the server answers at a time; further ones wait for their turn. */
const STREAMS = 8

/**
 * Single statements outside a transaction, on streams that are kept. Requests of one caller begin with the same reads.
 * Those that arrive in one iteration of the event loop, or while such a read is on its way, share the next one: its
 * answer is as new as that of a read of their own, and when the one before fails they fail with it.
 */
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

  /** By statement: the read that is on its way, and the next one, which those share that came in the meantime. */
  const sent = new Map<string, Promise<ResultSet>>()
  const unsent = new Map<string, Promise<ResultSet>>()
  const share = (sql: string, params: readonly unknown[]): Promise<ResultSet> => {
    const key = keyOf(sql, params)
    let asked = unsent.get(key)
    if (asked === undefined) {
      asked = sendNext(key, sql, params)
      unsent.set(key, asked)
    }
    return asked
  }
  const sendNext = async (key: string, sql: string, params: readonly unknown[]): Promise<ResultSet> => {
    try {
      await (sent.get(key) ?? new Promise(setImmediate))
    } finally {
      unsent.delete(key)
    }
    const answer = send(sql, params)
    sent.set(key, answer)
    try {
      return await answer
    } finally {
      sent.delete(key)
    }
  }

  const send: Ask = async (sql, params) => {
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
  }

  return {
    ask: (sql, params) => (isRead(sql) ? share(sql, params) : send(sql, params)),
    close() {
      closed = true
      for (const stream of idle) stream.end()
    },
  }
}
