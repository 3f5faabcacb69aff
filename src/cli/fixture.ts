import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { errorFields } from '../log.ts'
import { command, Failure, type GivenSettings, UsageError } from './command.ts'
import { endOfService, startOrSay } from './serve.ts'

export const fixture = command({
  name: 'fixture',
  summary: 'Run a seeded service on a temporary database, for integration tests.',
  flags: { 'exit-with-stdin': { help: 'End when standard input closes.' } },
  json: false,
  async run({ flags, settings }) {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-fixture-'))
    try {
      const ending = endOfService()
      if (flags['exit-with-stdin']) {
        const ended = () => ending.asked('standard input closed')
        void endOfInput().then(ended, ended)
      }
      const service = await startOrSay(fixtureConfig(settings, folder), ending.fatal)
      const { log } = service.runtime
      process.on('unhandledRejection', (error) => log.error('an outcome nobody waited for', errorFields(error)))
      const { seed } = await import('./fixture-seed.ts')
      await Bun.write(Bun.stdout, `${JSON.stringify(await seed(service.runtime))}\n`)

      const reason = await ending.reached
      if (reason.fatal) throw new Failure(reason.why)
      log.info('stopping', { reason: reason.why })
      await service.close()
      return { code: 0 }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

/** What stands in for `masthead.toml`: flags and the environment go before it. */
const DEFAULTS = `
port = 0
check_responses = true
logins_per_minute = 100000
oauth_requests_per_minute = 100000
public_requests_per_minute = 100000
`

/** The settings of a fixture. Whatever the environment says, it never touches another database than its own. */
function fixtureConfig(settings: GivenSettings, folder: string): Config {
  if (settings.file !== undefined) throw new UsageError('The fixture reads no settings file; give flags or variables.')
  if (settings.flags.data_dir !== undefined || settings.flags.database_url !== undefined)
    throw new UsageError('The fixture has a database of its own, in a temporary folder.')
  const file = join(folder, 'masthead.toml')
  writeFileSync(file, DEFAULTS)
  return {
    ...readConfig({ flags: settings.flags, file }),
    data_dir: folder,
    database_url: '',
    role: 'all',
    sandbox: true,
  }
}

function endOfInput(): Promise<void> {
  return Bun.stdin.stream().pipeTo(new WritableStream())
}
