import { newSetupToken } from '../accounts/setup.ts'
import { type Config, readConfig } from '../config.ts'
import { errorFields } from '../log.ts'
import { PORTAL_PATH } from '../http/core/paths.ts'
import type { Service } from '../service.ts'
import { command, Failure } from './command.ts'

export const serve = command({
  name: 'serve',
  summary: 'Run the service until it is told to stop.',
  json: false,
  async run({ settings }) {
    const config = readConfig(settings)
    const ending = endOfService()
    const service = await startOrSay(config, ending.fatal)
    const { log } = service.runtime
    process.on('unhandledRejection', (error) => log.error('an outcome nobody waited for', errorFields(error)))
    log.info('listening', { url: service.url, portal: service.runtime.base_url + PORTAL_PATH, role: config.role })
    if (config.role !== 'worker') await offerSetup(service)

    const reason = await ending.reached
    if (reason.fatal) throw new Failure(reason.why)
    log.info('stopping', { signal: reason.why })
    await service.close()
    return { code: 0 }
  },
})

/** Starts the service, which is loaded only now; what stops it from starting is said in a sentence. */
export async function startOrSay(config: Config, onFatal: (why: string) => void): Promise<Service> {
  const { startService } = await import('../service.ts')
  try {
    return await startService(config, { onFatal })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new Failure(`Port ${config.port} on ${config.host} is in use.`)
    if (code === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'listen')
      throw new Failure(`Port ${config.port} on ${config.host} is not allowed for this user.`)
    throw error
  }
}

export interface Ending {
  why: string
  fatal: boolean
}

/** Resolves when the service is to end: by a signal, or because a part of it died. A second signal ends it at once. */
export function endOfService(): { reached: Promise<Ending>; fatal(why: string): void; asked(why: string): void } {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  let signals = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (++signals > 1) process.exit(1)
      resolve({ why: signal, fatal: false })
    })
  }
  return {
    reached: promise,
    fatal: (why) => resolve({ why, fatal: true }),
    asked: (why) => resolve({ why, fatal: false }),
  }
}

/** As long as nobody has an account, each start prints a link with which to make the first. It is no log line: it is a secret. */
async function offerSetup({ runtime }: Service): Promise<void> {
  const token = await newSetupToken(runtime.store, runtime.clock.now())
  if (token !== null)
    await Bun.write(Bun.stdout, `Make the first account here: ${runtime.base_url}${PORTAL_PATH}/setup?token=${token}\n`)
}
