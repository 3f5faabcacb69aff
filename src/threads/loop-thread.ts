import { hostname } from 'node:os'
import { createDelegatedTasks } from './delegated-tasks.ts'
import { FixedClock, systemClock } from '../clock.ts'
import { watchLag } from '../event-loop-lag.ts'
import { newId } from '../ids.ts'
import { followKeyFile, journalFolder, keysOf } from '../instance.ts'
import { createLog, errorFields } from '../log.ts'
import { type Loops, startLoops } from '../loops.ts'
import { processMetrics } from '../metrics.ts'
import { countPausedByRestore } from '../newsletter/restore/set-aside.ts'
import { createClaims } from '../shared-claims.ts'
import { countedAlone } from '../shared-counts.ts'
import { isSilent } from '../store/faults.ts'
import { createJournal } from '../store/journal.ts'
import { HEARTBEAT_MS, keepAlive, registerWorker, removeWorker, requireSameTime } from '../store/lease.ts'
import type { MainThread, ToWorker, WorkerSetup } from './messages.ts'
import { openThreadStore } from './thread-store.ts'
import { LOOPS_WRITER } from './writers.ts'

/** Starts the loops. Returns what handles further messages. */
export async function runLoops(setup: WorkerSetup, { tell, onStop }: MainThread): Promise<(message: ToWorker) => void> {
  const clock = setup.clock_memory ? FixedClock.over(setup.clock_memory) : systemClock
  const tasks = createDelegatedTasks((delegated) => tell({ delegated }))
  const store = await openThreadStore(setup, { writer: LOOPS_WRITER, limited: tasks, now: clock.now() })
  const log = createLog(setup.config.log_level, setup.config.log_format, () => clock.now())
  const report = (error: unknown) => log.error('unhandled rejection', errorFields(error))
  process.on('unhandledRejection', report)
  const comparesClocks = store.kind === 'server' && clock === systemClock
  if (comparesClocks) await requireSameTime(store.db, () => clock.now())
  const identity = { id: newId('prc'), host: hostname(), pid: process.pid }
  await store.write((tx) => registerWorker(tx, identity, store.kind, clock.now()))
  const { config, base_url, scheduled } = setup
  const keys = keysOf(config)
  const unwatch = watchLag('loops')
  const unfollow = followKeyFile({ keys, config, store, log, clock })
  const journal = createJournal(journalFolder(config), identity.id)
  const loops: Loops = startLoops(
    {
      config,
      base_url,
      clock,
      log,
      keys,
      store,
      disk: { last: null },
      claims: createClaims(null),
      counts: countedAlone,
      worker_id: identity.id,
      journal,
      countPause: (cause) => tell({ paused: cause }),
    },
    scheduled,
  )

  // Work that the previous process left continues at once.
  for (const name of ['jobs', 'delivery'] as const) loops.wake(name)
  // The restore ran in another process, so its counters are added here.
  for (let count = await countPausedByRestore(store.db); count > 0; count--) tell({ paused: 'restore' })

  /** On a server that was away several heartbeats may wait, and each find the row gone. */
  const stayAlive = async (): Promise<void> => {
    const isKept = await store.write((tx) => keepAlive(tx, identity.id, clock.now(), loops.runs()), { durable: false })
    if (!isKept) {
      log.warn('this worker was declared dead; it registers again', { worker: identity.id })
      await store.write((tx) => registerWorker(tx, identity, store.kind, clock.now()))
    }
    tell({ counted: processMetrics.snapshot() })
    tell({ alive: clock.now() })
  }
  const beat = setInterval(() => {
    if (comparesClocks)
      requireSameTime(store.db, () => clock.now()).catch((error: unknown) => {
        // A server that does not answer is reported by the heartbeat.
        if (!isSilent(error)) log.error('messages may be sent twice', errorFields(error))
      })
    stayAlive().catch((error: unknown) => log.error('the heartbeat failed', errorFields(error)))
  }, HEARTBEAT_MS)

  const stop = async (): Promise<void> => {
    await loops.stop()
    clearInterval(beat)
    unfollow()
    unwatch()
    tell({ counted: processMetrics.snapshot() })
    journal.close()
    await store.write((tx) => removeWorker(tx, identity.id))
    await store.close()
    process.off('unhandledRejection', report)
    onStop()
  }

  return (message) => {
    if ('wake' in message) loops.wake(message.wake)
    else if ('answer' in message) tasks.answered(message.answer)
    else if ('drain' in message)
      void loops.drain(message.drain).then(() => {
        tell({ counted: processMetrics.snapshot() })
        tell({ drained: message.id })
      })
    else if ('stop' in message)
      void stop()
        .catch((error: unknown) => log.error('the loops did not stop cleanly', errorFields(error)))
        .then(() => tell({ stopped: true }))
  }
}
