import { join } from 'node:path'
import { auditedStore } from './audit/record.ts'
import { type Clock, FixedClock, systemClock } from './clock.ts'
import { keepBackups } from './backup/keeper.ts'
import type { Config } from './config.ts'
import { isLeftOpen, keepChecked } from './database-check.ts'
import { flushRequests } from './developer/request-log.ts'
import { beginHeartbeat } from './facts-heartbeat.ts'
import { watchLag } from './event-loop-lag.ts'
import { keepReserve } from './disk.ts'
import { databaseAnswers, type Readiness } from './http/core/health.ts'
import { type OtherThreads, requestMetrics } from './http/core/metrics.ts'
import { listen, requireFreePort } from './http/listen.ts'
import { dataFolder, databaseUrl, followKeyFile, openFacts, openKeys } from './instance.ts'
import { createLog, errorFields, type Log } from './log.ts'
import { settlePast } from './newsletter/restore/at-start.ts'
import { quotaMemory } from './operation/quota-windows.ts'
import { root } from './root.ts'
import { removeAbandonedParts } from './store/backup.ts'
import { createFaults, FAULT_TEXT, faultLog, isSilent } from './store/faults.ts'
import { filePath } from './store/file-path.ts'
import { comparedNativeModule } from './store/native-module.ts'
import { openStore, type Store } from './store/open.ts'
import { upgrade } from './store/upgrade.ts'
import type { LoopName, Runtime } from './runtime.ts'
import { shareAmong, type ThreadShare } from './share.ts'
import { claimsMemory, createClaims, forgetClaims } from './shared-claims.ts'
import { countsMemory, createCounts, forgetCounts } from './shared-counts.ts'
import { type AnsweringThreads, startAnsweringThreads } from './threads/answering.ts'
import {
  heavyThreads,
  type LoopThread,
  newThreads,
  startLoopThread,
  takeLoopThread,
  type Threads,
} from './threads/start.ts'
import type { WorkerSetup } from './threads/messages.ts'

export interface ServiceOptions {
  clock?: Clock
  log?: Log
  /** `still`: the loops wait for `drain` (tests). */
  loops?: 'scheduled' | 'still'
  threads?: Threads
  /** A thread of `takeLoopThread`; without it the service takes one. */
  loop_thread?: Worker | null
  /** How many threads answer requests; 1 by default (docs/operations.md#threads). */
  http_threads?: number
  /** Keeps room on the disk for what must not be lost. */
  reserve?: boolean
  /** Whether to stop waiting for a database server that does not answer yet. */
  givenUp?: () => boolean
  /** Whether a person says that the facts are complete (docs/operations.md#facts). */
  taken_as_complete?: boolean
  /** Called when a part of the service died and the process should end. */
  onFatal?: (reason: string) => void
}

export interface Service {
  /** The address at which the service listens. */
  url: string
  runtime: Runtime
  /** Runs a loop until nothing is due. */
  drain(name: LoopName): Promise<void>
  /** Resolves when all threads answer requests. The main one does from the start. */
  allAnswer(): Promise<void>
  /** Stops listening, waits for running requests and ticks, releases every lease and closes the database. */
  close(): Promise<void>
}

/** After this time without a message from the loops /readyz answers 503. */
const LOOPS_SILENT_MS = 20_000

export const migrationsFolder = join(root, 'migrations')

/** Starts the whole service; the same for production, the fixture and the tests. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  removeAbandonedParts(join(dataFolder(config), 'backups')) // The native module of the database lies below it, too.
  const clock = options.clock ?? systemClock
  const log = options.log ?? createLog(config.log_level, config.log_format, () => clock.now())
  const database_url = databaseUrl(config)
  const scheduled = options.loops !== 'still'
  const threads = options.threads ?? newThreads
  // The thread loads its code while this one opens the database.
  const thread = scheduled && config.role !== 'web' ? (options.loop_thread ?? takeLoopThread(threads)) : null

  const faults = createFaults(undefined, faultLog(log))
  const setup: Omit<WorkerSetup, 'part'> = {
    config,
    base_url: '',
    database_url,
    native_module: null,
    queue_memory: null,
    faults_memory: faults.memory,
    clock_memory: clock instanceof FixedClock ? clock.memory : null,
    scheduled,
  }
  const heavy = heavyThreads(threads, setup)
  const facts = openFacts(config, clock.now())
  const file = database_url.startsWith('file:') ? filePath(database_url) : null
  const was_left_open = file !== null && isLeftOpen(file)
  const open = () =>
    openStore({
      url: database_url,
      auth_token: config.database_auth_token,
      heavy,
      grouped: true,
      faults,
      facts,
    })
  const store = options.givenUp ? await whenReachable(open, log, options.givenUp) : await open()
  setup.queue_memory = store.queue?.memory ?? null
  setup.native_module = comparedNativeModule()
  await upgrade(store, { folder: migrationsFolder, clock, url: database_url, say: log.info })
  const keys = await openKeys(config, store, clock.now(), (message) => log.warn(message))
  const origin = () => ({ keys, at: clock.now(), actor: 'service', action: 'start', ip: null, request_id: null })
  await settlePast(auditedStore(store, origin, false), { config, log, clock, ...options })
  const heartbeat = await beginHeartbeat({ write: store.write, facts }, () => clock.now())
  if (scheduled) heartbeat.start(log)

  let loops: LoopThread | null = null
  let beginning: Promise<LoopThread> | null = null
  let others: AnsweringThreads | null = null
  const begin = (worker: Worker): Promise<LoopThread> =>
    startLoopThread(threads, worker, setup, {
      now: () => clock.now(),
      heavy,
      onDeath: options.onFatal ?? ((reason) => log.error(reason)),
    })
  const http_threads = options.http_threads ?? 1
  shareAmong(http_threads)
  const share = http_threads > 1 ? newShare(http_threads) : null
  const runtime: Runtime = {
    config,
    base_url: config.base_url,
    clock,
    log,
    keys,
    store,
    disk: { last: null },
    claims: createClaims(share),
    counts: createCounts(share),
    wake: (name) => loops?.wake(name),
    async writeLogs() {
      await Promise.all([flushRequests(store), others?.writeLogs()])
    },
  }
  const unfollow = followKeyFile(runtime)
  const unwatch = scheduled ? watchLag('http-0') : () => {}
  const leaveReserve = options.reserve && file !== null ? keepReserve(runtime, file) : () => {}
  const endStore = async () => {
    await heartbeat.end().catch((error: unknown) => log.error('the facts have no end', errorFields(error)))
    await store.close()
  }
  const readiness = readinessOf(runtime, { others: () => others, loops: thread ? () => loops : null })
  const metrics = requestMetrics(
    runtime,
    othersIn(
      () => others,
      () => loops,
    ),
  )
  const listening = await listenOr(endStore, () => {
    if (share && config.port !== 0) requireFreePort(config.host, config.port)
    return listen(runtime, { port: config.port, share, readiness, metrics })
  })
  if (runtime.base_url === '') runtime.base_url = listening.url
  setup.base_url = runtime.base_url
  if (share)
    others = startAnsweringThreads(threads, {
      setup,
      answering: { ...share, port: listening.port },
      heavy,
      log,
      queue: store.queue,
      wake: runtime.wake,
      answers: { readiness, metrics: metrics.text, logs: async () => (await runtime.writeLogs(), null) },
      forget(number) {
        forgetCounts(share.counts_memory, number, http_threads)
        forgetClaims(share.claims_memory, number)
      },
      onFatal: options.onFatal ?? ((reason) => log.error(reason)),
    })
  const endChecks = scheduled && file !== null ? keepChecked(runtime, was_left_open) : () => {}
  const endBackups = scheduled && file !== null ? keepBackups(runtime) : () => {}
  const stopLoops = async () => {
    await beginning
    await loops?.stop()
  }
  const close = async () => {
    // Both at once: a slow client must not delay the loops, or messages in delivery would be in doubt.
    await Promise.all([listening.close(), others?.stop(), stopLoops()])
    unfollow()
    unwatch()
    leaveReserve()
    endChecks()
    endBackups()
    await heavy.close()
    await endStore()
    log.flush()
  }
  try {
    if (thread) loops = await begin(thread)
  } catch (error) {
    await close()
    throw error
  }
  const drain = async (name: LoopName): Promise<void> => {
    // The thread starts with the first loop that is drained.
    loops ??= await (beginning ??= begin(threads.take()))
    await loops.drain(name)
  }
  const allAnswer = async () => others?.ready()
  return { url: listening.url, runtime, drain, allAnswer, close }
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

/** Opens the store once its server answers. What is wrong for good, such as a refused token, is thrown. */
async function whenReachable(open: () => Promise<Store>, log: Log, givenUp: () => boolean): Promise<Store> {
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    try {
      return await open()
    } catch (error) {
      if (givenUp() || !isSilent(error)) throw error
      log.warn('waiting for the database server', errorFields(error))
      for (let waited_ms = 0; waited_ms < pause_ms && !givenUp(); waited_ms += 100) await Bun.sleep(100)
    }
  }
}

/** A start that cannot listen ends its facts, so that the next one does not take it for a process that was killed. */
async function listenOr<T>(end: () => Promise<void>, begin: () => T): Promise<T> {
  try {
    return begin()
  } catch (error) {
    await end()
    throw error
  }
}

/** What the main thread shares with the others that answer requests. */
function newShare(threads: number): ThreadShare {
  return {
    thread: 0,
    threads,
    counts_memory: countsMemory(threads),
    quota_memory: quotaMemory(),
    claims_memory: claimsMemory(),
  }
}

interface OtherParts {
  others: () => AnsweringThreads | null
  /** Null for a service whose loops do not run by themselves. */
  loops: (() => LoopThread | null) | null
}

function readinessOf(runtime: Runtime, { others, loops }: OtherParts): Readiness {
  const { store, clock } = runtime
  return async () => {
    const fault = store.faults.current()
    if (fault !== null) return FAULT_TEXT[fault]
    if (!(await databaseAnswers(runtime))) return 'The database does not answer.'
    if (others()?.isSilent()) return 'A thread that answers requests does not respond.'
    if (!loops) return null
    const thread = loops()
    if (!thread) return 'The loops have not started.'
    return clock.now() - thread.lastSeen() > LOOPS_SILENT_MS ? 'The loops do not respond.' : null
  }
}

/** The threads that answer beside the main one, which begin after it. */
function othersIn(others: () => AnsweringThreads | null, loops: () => LoopThread | null): OtherThreads {
  return {
    counted: async () => [...((await others()?.counted()) ?? []), loops()?.counted() ?? {}],
    states: () => others()?.states() ?? [],
  }
}
