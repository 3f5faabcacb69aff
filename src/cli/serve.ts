import { readFileSync } from 'node:fs'
import { newSetupToken } from '../accounts/setup.ts'
import { systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { sandboxProblem } from '../instance.ts'
import { createLog, errorFields } from '../log.ts'
import { PORTAL_PATH } from '../http/core/paths.ts'
import type { Service, ServiceOptions } from '../service.ts'
import { claimDatabase } from './alone.ts'
import { command, Failure, type CommandResult } from './command.ts'
import { httpThreads } from './http-threads.ts'
import { FACTS_ARE_COMPLETE } from './replay.ts'

export const serve = command({
  name: 'serve',
  summary: 'Run the service until SIGTERM, SIGINT or SIGHUP.',
  flags: { 'facts-are-complete': FACTS_ARE_COMPLETE },
  json: false,
  async run({ flags, settings }) {
    const config = readConfig(settings)
    const ending = endOfService()
    const { threads, message } = httpThreads(config)
    const options = { taken_as_complete: flags['facts-are-complete'], http_threads: threads }
    return runUntil(ending, { config, ...options }, async (service) => {
      const { base_url, log } = service.runtime
      // `url` is how this machine reaches it; with the host 0.0.0.0 or :: it answers at every address of the machine.
      log.info('listening', {
        url: service.url,
        host: config.host,
        portal: base_url + PORTAL_PATH,
        role: config.role,
      })
      if (message !== null) log.info(message)
      const problem = sandboxProblem(config)
      if (problem !== null) log.warn(problem)
      if (config.role !== 'worker') await offerSetup(service)
    })
  },
})

/** Starts the service, calls `begun`, waits for the end and stops the service. */
export async function runUntil(
  ending: ReturnType<typeof endOfService>,
  start: { config: Config; taken_as_complete?: boolean; http_threads?: number },
  begun: (service: Service) => Promise<void>,
): Promise<CommandResult> {
  const { config, ...options } = start
  const given = { ...options, onFatal: ending.fatal, givenUp: ending.isAsked, reserve: true }
  const service = await startOrFail(config, given).catch((error: unknown) => {
    if (ending.isAsked()) return null
    throw error
  })
  if (service === null) return { code: 0 }
  const { log } = service.runtime
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', errorFields(error)))
  await begun(service)
  const reason = await ending.reached
  if (reason.fatal) throw new Failure(reason.why)
  log.info('stopping', { reason: reason.why })
  const isClosed = await Promise.race([service.close().then(() => true), Bun.sleep(END_AFTER_MS).then(() => false)])
  // What is left open is recovered by the next start, as after a kill.
  if (!isClosed) log.warn('the service ends before all its parts have stopped')
  return { code: 0 }
}

/** The process ends so long after the signal, whatever still runs (docs/operations.md#shutdown). */
const END_AFTER_MS = 7_800

/**
 * Loads and starts the service. Throws a Failure when it cannot listen on its port, or another process has its database
 * file. That belongs to this process until it ends, because parts that do not stop in time use it until then.
 */
async function startOrFail(config: Config, options: ServiceOptions & { givenUp: () => boolean }): Promise<Service> {
  const log = createLog(config.log_level, config.log_format, () => systemClock.now())
  await claimDatabase(config, {
    begins: (process_id) => log.warn('waiting for another process that has the database open', { process: process_id }),
    givenUp: options.givenUp,
  })
  // This thread and that of the loops load their code at once.
  const loop_thread = config.role === 'web' ? null : (await import('../threads/start.ts')).takeLoopThread()
  const { startService } = await import('../service.ts')
  try {
    return await startService(config, { log, loop_thread, ...options })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new Failure(`Port ${config.port} on ${config.host} is in use.`)
    if (code === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'listen')
      throw new Failure(`This user is not allowed to listen on port ${config.port} of ${config.host}.`)
    throw error
  }
}

/**
 * `reached` resolves when a signal arrives or a part of the service dies. A second SIGTERM or SIGINT exits at once;
 * SIGHUP never does, because a supervisor or terminal may send it together with another one.
 */
export function endOfService() {
  const { promise, resolve } = Promise.withResolvers<{ why: string; fatal: boolean }>()
  let isAsked = false
  const asked = (why: string): void => {
    isAsked = true
    resolve({ why, fatal: false })
  }
  let signals = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (++signals > 1) process.exit(1)
      asked(signal)
    })
  }
  if (!ignoresHangup()) process.on('SIGHUP', () => asked('SIGHUP'))
  return {
    reached: promise,
    /** Whether somebody asked for the end. The death of a part does not count: it has an error to report. */
    isAsked: () => isAsked,
    fatal: (why: string) => resolve({ why, fatal: true }),
    asked,
  }
}

/** Whether the process was started to survive its terminal (nohup). A handler would end that. Known on Linux only. */
function ignoresHangup(): boolean {
  try {
    const [, ignored = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return (BigInt(`0x${ignored}`) & 1n) === 1n
  } catch {
    return false
  }
}

/** While no account exists, prints a link that creates the first one. It is a secret, so it is not logged. */
async function offerSetup({ runtime }: Service): Promise<void> {
  const token = await newSetupToken(runtime.store, runtime.clock.now())
  if (token !== null)
    await Bun.write(Bun.stdout, `Create the first account: ${runtime.base_url}${PORTAL_PATH}/setup?token=${token}\n`)
}
