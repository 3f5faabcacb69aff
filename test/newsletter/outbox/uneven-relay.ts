import { spyOn } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import type { SmtpOutcome } from '../../../src/mail/smtp-outcome.ts'
import { passes, WITHHELD } from '../../../src/mail/smtp-session.ts'
import { pump } from '../../../src/newsletter/outbox/pump.ts'
import type { Transport } from '../../../src/newsletter/outbox/transports.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { unevenDelays } from '../../support/fast-sink.ts'
import { ACCEPTED, type OutboxScene } from './support.ts'

/** What a relay with uneven answers took, by its own time in milliseconds. */
export interface UnevenRelay {
  /** When the content of each message was written, by address. */
  written_at: ReadonlyMap<string, number>
  now(): number
}

/**
 * Sends the campaign of a scene through ten connections to a relay that takes 100 to 400 ms to ask for the content of a
 * message, and again to take it. Its time passes from answer to answer, and only while nothing else is left to do, so
 * that each run is the same. `beforeAnswer` is called before each answer.
 */
export async function sendUnevenly(
  { context, stream }: OutboxScene,
  beforeAnswer: (relay: UnevenRelay) => Promise<unknown>,
): Promise<UnevenRelay> {
  const delay_ms = unevenDelays(7)
  let now = performance.now()
  const time = spyOn(performance, 'now').mockImplementation(() => now)
  const answers: { due_at: number; resolve(): void }[] = []
  const answer = () =>
    new Promise<void>((resolve) => {
      answers.push({ due_at: now + delay_ms(), resolve })
    })

  const written_at = new Map<string, number>()
  const transport: Transport = {
    parallel: 10,
    async send({ to }, _message, gate): Promise<SmtpOutcome | typeof WITHHELD> {
      await answer()
      if (!(await passes(gate))) return WITHHELD
      if (written_at.has(to)) throw new Error(`${to} gets a second message.`)
      written_at.set(to, now)
      await answer()
      return ACCEPTED
    },
    close: async () => undefined,
  }
  const writes = new Set<Promise<unknown>>()
  const write: LoopContext['store']['write'] = (...work) => {
    const written = context.store.write(...work)
    const known = written.catch(() => undefined).finally(() => writes.delete(known))
    writes.add(known)
    return written
  }
  const relay: UnevenRelay = { written_at, now: () => now }
  let ended = false
  const sending = pump({
    context: { ...context, store: { ...context.store, write } },
    stream,
    transport,
    down_since: null,
  }).finally(() => {
    ended = true
  })
  try {
    while (!ended) {
      await setImmediate()
      if (writes.size > 0) await Promise.all(writes)
      else if (answers.length > 0) {
        await beforeAnswer(relay)
        const next = answers.reduce((one, other) => (other.due_at < one.due_at ? other : one))
        answers.splice(answers.indexOf(next), 1)
        now = next.due_at
        next.resolve()
      }
    }
    await sending
  } finally {
    time.mockRestore()
  }
  return relay
}
