import { Database } from 'bun:sqlite'
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { SAMPLE_DOCUMENT, readyToSend } from '../../test/support/campaigns.ts'
import { startFastSink, unevenDelays } from '../../test/support/fast-sink.ts'
import { callOk, UNLIMITED } from '../../test/support/lone-project.ts'
import { freePort } from '../../test/support/service-process.ts'

/**
 * The promise of an upgrade (docs/operations.md#upgrade): a campaign is under way while the program is replaced by one
 * rename and the service is started anew, first from an old release to a new one, then again and again. Prints who got
 * no message, who got two, and how many are uncertain.
 *
 * `bun bench/drills/upgrade.ts OLD NEW [--recipients 5000] [--upgrades 5] [--kill]`
 *
 * OLD and NEW are executables; OLD makes the database. The service is stopped by SIGTERM as a supervisor does it, or
 * with `--kill` by SIGKILL: then a message for each connection may be uncertain at each upgrade. The relay answers
 * after uneven 100 to 400 ms.
 */
const {
  values: given,
  positionals: [before, after],
} = parseArgs({
  allowPositionals: true,
  options: {
    recipients: { type: 'string', default: '5000' },
    upgrades: { type: 'string', default: '5' },
    kill: { type: 'boolean', default: false },
  },
})
if (!before || !after) throw new Error('Name the executables of the old and of the new release.')
const RECIPIENTS = Number(given.recipients)
const UPGRADES = Number(given.upgrades)
const CONNECTIONS = 10

const folder = mkdtempSync(join(tmpdir(), 'masthead-upgrade-'))
const paths = { program: join(folder, 'masthead'), data: join(folder, 'data'), contacts: join(folder, 'contacts.csv') }
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const env = { PATH: process.env.PATH, MASTHEAD_DATA_DIR: paths.data, MASTHEAD_PORT: String(port), ...UNLIMITED }

/** Puts another program in the place of the one that may be running. */
function replaceProgram(executable: string): void {
  copyFileSync(executable, `${paths.program}.new`)
  renameSync(`${paths.program}.new`, paths.program)
}

function command(...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync([paths.program, ...args], { cwd: folder, env })
  if (!success) throw new Error(`masthead ${args[0]}: ${stderr.toString()}`)
  return stdout.toString().trim()
}

async function start() {
  const service = Bun.spawn([paths.program, 'serve', '--log-level', 'error'], { cwd: folder, env, stdout: 'ignore' })
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (service.exitCode !== null) throw new Error(`The service ended with ${service.exitCode}.`)
    await Bun.sleep(20)
  }
  return service
}

const sink = startFastSink(unevenDelays())
try {
  replaceProgram(before)
  const versions = [command('version')]
  command('user', 'create', '--email', 'ada@example.com', '--password', 'a long password')
  command('project', 'create', '--name', 'Harbour News', '--slug', 'harbour', '--owner', 'ada@example.com')
  const whose = ['--project', 'harbour', '--user', 'ada@example.com', '--name', 'drill', '--json']
  const { key } = JSON.parse(command('api-key', 'create', ...whose)) as { key: string }
  let service = await start()
  const call = (operation: string, body: Record<string, unknown>) => callOk(url, key, operation, body)
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { list_id } = await readyToSend({ ok: call }, { ...relay, max_connections: CONNECTIONS })
  const addresses = Array.from({ length: RECIPIENTS }, (_, index) => `reader${index}@example.com`)
  writeFileSync(paths.contacts, ['email', ...addresses, ''].join('\n'))
  command('contacts', 'import', 'harbour', paths.contacts, '--list', String(list_id), '--consent-confirmed')
  const { campaign } = await call('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await call('campaigns/send', { campaign_id: campaign.id })

  for (let done = 1; done <= UPGRADES; done++) {
    await sink.waitFor(Math.floor((RECIPIENTS * done) / (UPGRADES + 1)))
    replaceProgram(after)
    service.kill(given.kill ? 'SIGKILL' : 'SIGTERM')
    const code = await service.exited
    if (!given.kill && code !== 0) throw new Error(`The service ended with ${code}.`)
    service = await start()
  }
  versions.push(command('version'))
  const statusOf = async () => (await call('campaigns/get', { campaign_id: campaign.id })).campaign.status as string
  while (/^(preparing|sending)$/.test(await statusOf())) await Bun.sleep(100)
  const ended = await statusOf()
  service.kill('SIGTERM')
  await service.exited

  const copies = new Map<string, number>()
  for (const email of sink.recipients) copies.set(email, (copies.get(email) ?? 0) + 1)
  using file = new Database(join(paths.data, 'masthead.db'), { readonly: true })
  const [row] = file
    .query<{ uncertain: number; sent: number }, []>(
      `SELECT count(*) FILTER (WHERE status = 'uncertain') AS uncertain, count(*) FILTER (WHERE status = 'sent') AS sent
       FROM deliveries`,
    )
    .all()
  const none = addresses.filter((email) => !copies.has(email)).length
  const twice = [...copies.values()].filter((count) => count > 1).length
  console.log(
    `${versions.join(' → ')}, ${UPGRADES} upgrades by ${given.kill ? 'SIGKILL' : 'SIGTERM'}: campaign ${ended}, ` +
      `${row!.sent} of ${RECIPIENTS} sent, ${none} got none, ${twice} got two, ${row!.uncertain} uncertain`,
  )
  process.exitCode = twice === 0 && none <= row!.uncertain && (given.kill || none === 0) ? 0 : 1
} finally {
  sink.close()
  rmSync(folder, { recursive: true })
}
