import { auditedStore } from './audit/record.ts'
import { Cron } from 'croner'
import { mailLoop } from './accounts/mail.ts'
import { errorFields } from './log.ts'
import { maintain } from './maintenance.ts'
import { domainLoop } from './projects/domain-loop.ts'
import { newsletterLoops } from './newsletter/workers.ts'
import type { Loop, LoopContext, LoopName } from './runtime.ts'

/** All scheduled work. */
export const loops: readonly Loop[] = [
  ...newsletterLoops,
  mailLoop,
  domainLoop(),
  { name: 'maintenance', pattern: '0 7 * * * *', tick: maintain },
]

export interface Loops {
  /** Runs a loop soon; a wake during a run makes it run once more. */
  wake(name: LoopName): void
  /** Runs a loop until nothing is due; for tests and for a last run. */
  drain(name: LoopName): Promise<void>
  /** Starts no further tick and waits for the running ones. */
  stop(): Promise<void>
}

/** @param scheduled false runs loops only by `drain` */
export function startLoops(context: Omit<LoopContext, 'stopping' | 'wake'>, scheduled: boolean): Loops {
  let stopping = false
  const running = new Map<LoopName, Promise<void>>()
  const again = new Set<LoopName>()
  const byName = new Map(loops.map((loop) => [loop.name, loop]))
  const { keys, clock } = context
  /** Most writes of the loops belong to a change that has its row; the others note theirs. */
  const origin = () => ({ keys, at: clock.now(), actor: 'service', action: 'loops', ip: null, request_id: null })
  const full: LoopContext = {
    ...context,
    store: auditedStore(context.store, origin, false),
    stopping: () => stopping,
    wake: (name) => {
      if (scheduled) wake(name)
    },
  }

  const runToEnd = async (loop: Loop): Promise<void> => {
    do {
      again.delete(loop.name)
      try {
        while (!stopping && (await loop.tick(full))) {
          /* there is more to do */
        }
      } catch (error) {
        full.log.error('a loop failed; it runs again at its next time', { loop: loop.name, ...errorFields(error) })
        return
      }
    } while (!stopping && again.has(loop.name))
  }

  const wake = (name: LoopName): void => {
    const loop = byName.get(name)
    if (!loop || stopping) return
    again.add(name)
    if (running.has(name)) return
    running.set(
      name,
      runToEnd(loop).finally(() => running.delete(name)),
    )
  }

  const clocks = scheduled ? loops.map((loop) => new Cron(loop.pattern, () => wake(loop.name))) : []

  return {
    wake: full.wake,
    async drain(name) {
      wake(name)
      while (running.has(name)) await running.get(name)
    },
    async stop() {
      stopping = true
      for (const clock of clocks) clock.stop()
      await Promise.all(running.values())
      for (const loop of loops) await loop.close?.(full)
    },
  }
}
