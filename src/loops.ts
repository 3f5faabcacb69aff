import { auditedStore } from './audit/record.ts'
import { Cron } from 'croner'
import { factsLoop } from './backup/ship-facts.ts'
import { mailLoop } from './accounts/mail.ts'
import { errorFields } from './log.ts'
import { loopRuns } from './metrics.ts'
import { maintain } from './maintenance.ts'
import { domainLoop } from './projects/domain-loop.ts'
import { newsletterLoops } from './newsletter/workers.ts'
import { IN_FLIGHT_MS, type Loop, type LoopContext, type LoopName } from './runtime.ts'
import { formLoop } from './sites/form-notices.ts'
import { postLoop } from './sites/due-posts.ts'
import type { LoopRun, LoopRuns } from './store/tables/operation.ts'

/** All scheduled work. */
export const allLoops = (): Loop[] => [
  ...newsletterLoops(),
  mailLoop,
  domainLoop(),
  formLoop,
  factsLoop(),
  postLoop,
  { name: 'maintenance', pattern: '0 7 * * * *', tick: maintain },
]

export interface Loops {
  /** Runs a loop soon; a wake during a run makes it run once more. */
  wake(name: LoopName): void
  /** Runs a loop until nothing is due; for tests and for a last run. */
  drain(name: LoopName): Promise<void>
  /** When each loop ran last. */
  runs(): LoopRuns
  /** Starts no further tick and waits for the running ones. Connections that last longer than 7 seconds are closed. */
  stop(): Promise<void>
}

/** @param scheduled false runs loops only by `drain` */
export function startLoops(
  context: Omit<LoopContext, 'stopping' | 'ending' | 'wake' | 'writeLogs'>,
  scheduled: boolean,
  loops: readonly Loop[] = allLoops(),
): Loops {
  let stopping = false
  const ending = new AbortController()
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
    ending: ending.signal,
    writeLogs: async () => undefined, // the loops call no app's route
    wake: (name) => {
      if (scheduled) wake(name)
    },
  }

  const runs = new Map<LoopName, Omit<LoopRun, 'lag_ms'>>()
  const runToEnd = async (loop: Loop): Promise<void> => {
    const run = { started_at: clock.now(), ended_at: null, failed_at: runs.get(loop.name)?.failed_at ?? null }
    runs.set(loop.name, run)
    const ended = await runTicks(loop)
    loopRuns.add({ loop: loop.name, result: ended })
    const ended_at = clock.now()
    runs.set(loop.name, { ...run, ended_at, ...(ended === 'failed' ? { failed_at: ended_at } : {}) })
  }

  const runTicks = async (loop: Loop): Promise<'done' | 'failed'> => {
    do {
      again.delete(loop.name)
      try {
        while (!stopping && (await loop.tick(full))) {
          /* there is more to do */
        }
      } catch (error) {
        full.log.error('a loop failed; it runs again at its next time', { loop: loop.name, ...errorFields(error) })
        return 'failed'
      }
    } while (!stopping && again.has(loop.name))
    return 'done'
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

  const clocks = new Map(
    scheduled ? loops.map((loop) => [loop.name, new Cron(loop.pattern, () => wake(loop.name))]) : [],
  )
  /**
   * By how many milliseconds a loop that is not running missed its scheduled run; null for a loop without a schedule.
   */
  const lagOf = (name: LoopName, { started_at, ended_at }: Omit<LoopRun, 'lag_ms'>): number | null => {
    const next = clocks.get(name)?.nextRun(new Date(started_at)) ?? null
    return next === null ? null : ended_at === null ? 0 : Math.max(0, clock.now() - next.getTime())
  }

  return {
    wake: full.wake,
    async drain(name) {
      wake(name)
      while (running.has(name)) await running.get(name)
    },
    runs: () => Object.fromEntries([...runs].map(([name, run]) => [name, { ...run, lag_ms: lagOf(name, run) }])),
    async stop() {
      stopping = true
      for (const clock of clocks.values()) clock.stop()
      const impatient = setTimeout(() => ending.abort(), IN_FLIGHT_MS)
      await Promise.all(running.values())
      for (const loop of loops) await loop.close?.(full)
      clearTimeout(impatient)
    },
  }
}
