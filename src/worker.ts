import { hostname } from 'node:os'
import { type AskedTasks, createAskedTasks, type NumberedTask, type TaskAnswer } from './asked-tasks.ts'
import { type Clock, FixedClock, systemClock } from './clock.ts'
import { newId } from './ids.ts'
import { dataFolder, followKeyFile, journalFolder, keysOf } from './instance.ts'
import { createLog, errorFields } from './log.ts'
import { type Loops, startLoops } from './loops.ts'
import type { PauseCause } from './metrics.ts'
import { countPausedByRestore } from './newsletter/restore/set-aside.ts'
import { heavyTasks } from './newsletter/workers.ts'
import { projectExportTask } from './projects/export.ts'
import { safeHtmlTask } from './sites/safe-html.ts'
import { sitemapTask } from './sites/site-posts.ts'
import { parseTask } from './operation/json-body.ts'
import { backupTask } from './store/backup.ts'
import { createJournal } from './store/journal.ts'
import type { HeavyAnswer, HeavyRequest } from './store/heavy.ts'
import { clockSkew, registerWorker, HEARTBEAT_MS, keepAlive, removeWorker, MAX_SKEW_MS } from './store/lease.ts'
import type { Store } from './store/open.ts'
import { openThreadStore, type ThreadSetup } from './thread-store.ts'
import type { LoopName } from './runtime.ts'

/**
 * The second entry point: a thread that runs either the loops or long reads. The first message says which, and carries
 * the settings, the shared write queue and the shared clock.
 */
export interface WorkerSetup extends ThreadSetup {
  base_url: string
  clock_memory: SharedArrayBuffer | null
  scheduled: boolean
}

export type ToWorker =
  | { setup: WorkerSetup }
  | { wake: LoopName }
  | { drain: LoopName; id: number }
  | { stop: true }
  | { read: HeavyRequest }
  | { answer: TaskAnswer }
export type FromWorker =
  | { ready: true }
  | { alive: number }
  | { drained: number }
  | { stopped: true }
  | { paused: PauseCause }
  | { asked: NumberedTask }
  | { answer: HeavyAnswer }
  | { failed: string }

/** Tasks, other than single queries, that run on the reading threads. */
const TASKS = [parseTask, backupTask, projectExportTask, safeHtmlTask, sitemapTask, ...heavyTasks]

declare const self: Worker

const tell = (message: FromWorker) => self.postMessage(message)

const awaitSetup = (message: ToWorker): void => {
  if (!('setup' in message)) return
  const waiting: ToWorker[] = []
  handle = (early) => waiting.push(early)
  begin(message.setup).then(
    (ready) => {
      handle = ready
      tell({ ready: true })
      waiting.forEach(ready)
    },
    (error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }),
  )
}

let handle = awaitSetup
self.onmessage = (event: MessageEvent<ToWorker>) => handle(event.data)

async function begin(setup: WorkerSetup): Promise<(message: ToWorker) => void> {
  dataFolder(setup.config) // sets the folder of the native database module
  if (setup.part === 'reads') return answerReads(await openThreadStore(setup))
  const tasks = createAskedTasks((asked) => tell({ asked }))
  return runLoops(setup, await openThreadStore(setup, { limited: tasks, now: clockOf(setup).now() }), tasks)
}

const clockOf = ({ clock_memory }: WorkerSetup): Clock => (clock_memory ? FixedClock.over(clock_memory) : systemClock)

function answerReads(store: Store): (message: ToWorker) => void {
  return (message) => {
    if ('stop' in message) return stopReading(store)
    if (!('read' in message)) return
    const { id } = message.read
    answer(store, message.read).then(
      (result) => tell({ answer: { id, result } }),
      (error: unknown) => tell({ answer: { id, error: error instanceof Error ? error.message : String(error) } }),
    )
  }
}

function stopReading(store: Store): void {
  handle = awaitSetup
  void store.close().then(() => tell({ stopped: true }))
}

async function answer(store: Store, asked: HeavyRequest): Promise<unknown> {
  if ('task' in asked) {
    const task = TASKS.find(({ name }) => name === asked.task)
    if (!task) throw new Error(`There is no task ${asked.task}.`)
    return task.run(store.db, asked.input as never)
  }
  return store.query(asked.sql, asked.args)
}

async function requireSameTime(store: Store, clock: Clock): Promise<void> {
  const skew_ms = await clockSkew(store.db, () => clock.now())
  if (Math.abs(skew_ms) > MAX_SKEW_MS) {
    throw new Error(
      `The clock of this machine is ${Math.round(Math.abs(skew_ms) / 1000)} seconds ` +
        `${skew_ms > 0 ? 'ahead of' : 'behind'} that of the database server. Set both by NTP: processes judge by the ` +
        `time whether others are alive.`,
    )
  }
}

async function runLoops(setup: WorkerSetup, store: Store, tasks: AskedTasks): Promise<(message: ToWorker) => void> {
  const clock = clockOf(setup)
  const log = createLog(setup.config.log_level, setup.config.log_format, () => clock.now())
  const report = (error: unknown) => log.error('unhandled rejection', errorFields(error))
  process.on('unhandledRejection', report)
  const comparesClocks = store.kind === 'server' && clock === systemClock
  if (comparesClocks) await requireSameTime(store, clock)
  const identity = { id: newId('prc'), host: hostname(), pid: process.pid }
  await store.write((tx) => registerWorker(tx, identity, store.kind, clock.now()))
  const { config, base_url, scheduled } = setup
  const keys = keysOf(config)
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
      worker_id: identity.id,
      journal,
      countPause: (cause) => tell({ paused: cause }),
    },
    scheduled,
  )

  // What the process before left is continued at once.
  for (const name of ['jobs', 'delivery'] as const) loops.wake(name)
  // The restore ran in a process of its own, whose counters nobody reads.
  for (let count = await countPausedByRestore(store.db); count > 0; count--) tell({ paused: 'restore' })

  const beat = setInterval(() => {
    if (comparesClocks)
      requireSameTime(store, clock).catch((error: unknown) =>
        log.error('messages may be sent twice', errorFields(error)),
      )
    store
      .write((tx) => keepAlive(tx, identity.id, clock.now(), loops.runs()), { durable: false })
      .then(
        (kept) => {
          if (kept) return tell({ alive: clock.now() })
          log.warn('this worker was declared dead; it registers again', { worker: identity.id })
          return store
            .write((tx) => registerWorker(tx, identity, store.kind, clock.now()))
            .then(() => tell({ alive: clock.now() }))
        },
        (error: unknown) => log.error('the heartbeat failed', errorFields(error)),
      )
  }, HEARTBEAT_MS)

  const stop = async (): Promise<void> => {
    await loops.stop()
    clearInterval(beat)
    unfollow()
    journal.close()
    await store.write((tx) => removeWorker(tx, identity.id))
    await store.close()
    process.off('unhandledRejection', report)
    handle = awaitSetup
  }

  return (message) => {
    if ('wake' in message) loops.wake(message.wake)
    else if ('answer' in message) tasks.answered(message.answer)
    else if ('drain' in message) void loops.drain(message.drain).then(() => tell({ drained: message.id }))
    else if ('stop' in message)
      void stop()
        .catch((error: unknown) => log.error('the loops did not stop cleanly', errorFields(error)))
        .then(() => tell({ stopped: true }))
  }
}
