import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { command, type GivenSettings, UsageError } from './command.ts'
import { endOfService, runUntil } from './serve.ts'

export const fixture = command({
  name: 'fixture',
  summary: 'Run a seeded service on a temporary database, for integration tests.',
  flags: { 'exit-with-stdin': { help: 'Exit when standard input closes.' } },
  json: false,
  async run({ flags, settings }) {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-fixture-'))
    try {
      const ending = endOfService()
      if (flags['exit-with-stdin']) {
        const ended = () => ending.asked('standard input closed')
        void Bun.stdin.stream().pipeTo(new WritableStream()).then(ended, ended)
      }
      return await runUntil(ending, { config: fixtureConfig(settings, folder) }, async ({ runtime }) => {
        const { seed } = await import('./fixture-seed.ts')
        await Bun.write(Bun.stdout, `${JSON.stringify(await seed(runtime))}\n`)
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

/** Replaces `masthead.toml`. Flags and environment variables take precedence. */
const DEFAULTS = `
port = 0
access_log = false
check_responses = true
platform_requests_per_minute = 100000
projects_per_user = 100000
invitations_per_day = 100000
contacts_per_project = 100000000
form_entries_per_project = 1000000
files_per_project = 1000000
min_free_disk_megabytes = 0
disk_reserve_megabytes = 0
logins_per_minute = 100000
sign_in_notices = false
oauth_requests_per_minute = 100000
public_requests_per_minute = 100000
`

/** The settings of a fixture. It always uses its own temporary database, whatever the environment says. */
export function fixtureConfig(settings: GivenSettings, folder: string): Config {
  if (settings.file !== undefined)
    throw new UsageError('The fixture does not read a settings file. Use flags or environment variables.')
  if (settings.flags.data_dir !== undefined || settings.flags.database_url !== undefined)
    throw new UsageError('The fixture always uses its own database in a temporary folder.')
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
