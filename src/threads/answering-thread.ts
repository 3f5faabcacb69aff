import { heapSize } from 'bun:jsc'
import { FixedClock, systemClock } from '../clock.ts'
import { watchLag } from '../event-loop-lag.ts'
import { followKeyFile, keysOf } from '../instance.ts'
import { createLog, errorFields, type LogFields } from '../log.ts'
import type { Runtime } from '../runtime.ts'
import { shareAmong } from '../share.ts'
import { createClaims } from '../shared-claims.ts'
import { createCounts } from '../shared-counts.ts'
import { askForTurns } from '../turns.ts'
import type { ProcessAnswers, ThreadAnswers } from './answering-messages.ts'
import { createDelegatedTasks } from './delegated-tasks.ts'
import type { MainThread, ToWorker, WorkerSetup } from './messages.ts'
import { createQuestions } from './questions.ts'
import { openThreadStore } from './thread-store.ts'
import { answeringWriter } from './writers.ts'

/** How often the main thread hears from this one. */
export const BEAT_MS = 1_000

/** Answers requests on the port of the main thread. Returns what handles further messages. */
export async function answerRequests(
  setup: WorkerSetup,
  { tell, onStop }: MainThread,
): Promise<(message: ToWorker) => void> {
  const { config, base_url, answering } = setup
  const { port, ...share } = answering!
  shareAmong(share.threads)
  // The caches of its modules are made with their share.
  const [{ listen }, { requestMetrics }, { flushRequests }] = await Promise.all([
    import('../http/listen.ts'),
    import('../http/core/metrics.ts'),
    import('../developer/request-log.ts'),
  ])
  const clock = setup.clock_memory ? FixedClock.over(setup.clock_memory) : systemClock
  const tasks = createDelegatedTasks((delegated) => tell({ delegated }))
  const questions = createQuestions()
  const askMain = <What extends keyof ProcessAnswers>(what: What): Promise<ProcessAnswers[What]> =>
    questions.ask((id) => tell({ asks: { id, what } }))
  askForTurns(async (turns, owner) => {
    let turn = 0
    const given = await questions.ask<boolean>((id) => tell({ turn: { id: (turn = id), turns, owner } }))
    return given ? () => tell({ turn_over: turn }) : null
  })

  const store = await openThreadStore(setup, {
    writer: answeringWriter(share.thread),
    heavy: tasks,
    grouped: true,
    now: clock.now(),
  })
  const own = createLog(config.log_level, config.log_format, () => clock.now())
  const log = {
    ...own,
    warnOnce: (message: string, fields: LogFields = {}) => tell({ warn_once: { message, fields } }),
  }
  const report = (error: unknown) => log.error('unhandled rejection', errorFields(error))
  process.on('unhandledRejection', report)
  const keys = keysOf(config)
  const unwatch = watchLag(`http-${share.thread}`)
  const unfollow = followKeyFile({ keys, config, store, log, clock })
  const runtime: Runtime = {
    config,
    base_url,
    clock,
    log,
    keys,
    store,
    disk: { last: null },
    claims: createClaims(share),
    counts: createCounts(share),
    wake: (name) => tell({ wake: name }),
    writeLogs: async () => void (await askMain('logs')),
  }
  const own_metrics = requestMetrics(runtime)
  const listening = listen(runtime, {
    port,
    share,
    readiness: () => askMain('readiness'),
    metrics: { ...own_metrics, text: () => askMain('metrics') },
  })
  const beat = () => tell({ beat: { heap_bytes: heapSize() } })
  const beats = setInterval(beat, BEAT_MS)
  beat()

  const stop = async (): Promise<void> => {
    await listening.close()
    clearInterval(beats)
    unfollow()
    unwatch()
    await store.close()
    process.off('unhandledRejection', report)
    askForTurns(null)
    log.flush()
    onStop()
  }

  const tellAnswer = async ({ id, what }: { id: number; what: keyof ThreadAnswers }): Promise<void> => {
    if (what === 'counted') return tell({ thread: { id, answer: own_metrics.snapshot() } })
    await flushRequests(store).catch((error: unknown) =>
      log.warn('requests of apps were not logged', errorFields(error)),
    )
    tell({ thread: { id, answer: null } })
  }

  return (message) => {
    if ('answer' in message) tasks.answered(message.answer)
    else if ('turn' in message) questions.answered(message.turn.id, message.turn.given)
    else if ('process' in message) questions.answered(message.process.id, message.process.answer)
    else if ('process_failed' in message)
      questions.failed(message.process_failed.id, new Error(message.process_failed.error))
    else if ('asks' in message) void tellAnswer(message.asks)
    else if ('stop' in message)
      void stop()
        .catch((error: unknown) => log.error('a thread that answers did not stop cleanly', errorFields(error)))
        .then(() => tell({ stopped: true }))
  }
}
