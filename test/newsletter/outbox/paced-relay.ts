import { spyOn } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { passes, WITHHELD } from '../../../src/mail/smtp-session.ts'
import { pump } from '../../../src/newsletter/outbox/pump.ts'
import type { Transport } from '../../../src/newsletter/outbox/transports.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { ACCEPTED, type OutboxScene } from './support.ts'

/**
 * Sends the campaign of a scene whose connection has a pace through many connections; answers when the relay got each
 * message, in milliseconds. `asks_ms` and `answers_ms` tell how long it takes to ask for the content of a message, and
 * to answer it. Time passes only while nothing else is left to do, so that each run is the same.
 */
export async function arrivals(
  { context, stream, world }: OutboxScene,
  { asks_ms = () => 0, answers_ms }: { asks_ms?: () => number; answers_ms: (at: number) => number },
): Promise<number[]> {
  const begun = performance.now()
  let passed = 0
  const time = spyOn(performance, 'now').mockImplementation(() => begun + passed)
  const due: { at: number; resolve(): void }[] = []
  const after = (ms: number) => new Promise<void>((resolve) => void due.push({ at: passed + ms, resolve }))
  const sleep = spyOn(Bun, 'sleep').mockImplementation((ms) => after(Number(ms)))
  const arrived: number[] = []
  const transport: Transport = {
    parallel: 50,
    async send(_envelope, _message, gate) {
      await after(asks_ms())
      if (!(await passes(gate))) return WITHHELD
      arrived.push(passed)
      await after(answers_ms(passed))
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
  let ended = false
  const sending = pump({
    context: { ...context, store: { ...context.store, write } },
    stream,
    transport,
    down_since: null,
    reopen: async () => ({ stream, transport }),
  }).finally(() => (ended = true))
  try {
    while (!ended) {
      await setImmediate()
      if (writes.size > 0) await Promise.all(writes)
      else if (due.length > 0) {
        const next = due.reduce((one, other) => (other.at < one.at ? other : one))
        due.splice(due.indexOf(next), 1)
        world.clock.advance(Math.floor(next.at) - Math.floor(passed))
        passed = Math.max(passed, next.at)
        next.resolve()
      }
    }
    await sending
  } finally {
    time.mockRestore()
    sleep.mockRestore()
  }
  return arrived
}
