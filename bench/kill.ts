import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FixedClock, systemClock } from '../src/clock.ts'
import { newId } from '../src/ids.ts'
import { newToken } from '../src/secrets.ts'
import { migrationsFolder } from '../src/service.ts'
import { migrate } from '../src/store/migrate.ts'
import { openStore } from '../src/store/open.ts'
import { SAMPLE_DOCUMENT, manyContacts, owningProject } from '../test/support/campaigns.ts'
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts'
import { startFastSink, unevenDelays } from '../test/support/fast-sink.ts'

/**
 * The promise of the outbox over many kills: a campaign whose process is killed (SIGKILL) at random moments. Prints how
 * many recipients were lost, got two copies or are uncertain, how many one kill leaves uncertain at most, and how long
 * the service took to continue. The relay answers at once, or after uneven 100 to 400 ms. With `power`, each kill is a
 * power cut: the journals of hand-overs lose their tails and are of another boot.
 * `bun bench/kill.ts [recipients] [kills] [instant|uneven] [kill|power]`
 */
const RECIPIENTS = Number(process.argv[2] ?? 20_000)
const KILLS = Number(process.argv[3] ?? 200)
const UNEVEN = process.argv[4] === 'uneven'
const POWER = process.argv[5] === 'power'
const CONNECTIONS = 10

const folder = mkdtempSync(join(tmpdir(), 'masthead-kill-'))
const key = newToken('svc_pk_')
const sink = startFastSink(UNEVEN ? unevenDelays() : null)
const now = systemClock.now()
const store = await openStore({ url: `file:${join(folder, 'masthead.db')}` })
await migrate(store, migrationsFolder, new FixedClock(now))
const project_id = await owningProject(store, key, now)

const settings = {
  MASTHEAD_NEWSLETTER_READS_PER_MINUTE: '1000000',
  MASTHEAD_NEWSLETTER_MUTATIONS_PER_MINUTE: '1000000',
}
let service: ServiceProcess = await startServiceProcess(folder, settings)

async function call(operation: string, body: Record<string, unknown>): Promise<Record<string, { id: number }>> {
  const answer = await fetch(`${service.url}/general/api/v1/newsletter/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key, 'Idempotency-Key': newId('req') },
    body: JSON.stringify(body),
  })
  const { data, error } = (await answer.json()) as { data: Record<string, { id: number }>; error?: unknown }
  if (error) throw new Error(`${operation}: ${JSON.stringify(error)}`)
  return data
}

const id = (data: Record<string, { id: number }>, name: string): number => data[name]!.id
const connection_id = id(
  await call('connections/create', {
    name: 'Sink',
    provider: 'smtp',
    host: sink.host,
    port: sink.port,
    secure: 'none',
    max_connections: CONNECTIONS,
  }),
  'connection',
)
await call('connections/test', { connection_id })
await call('settings/update', {
  from_name: 'Harbour',
  from_email: 'news@harbour.example',
  company_name: 'Harbour Ltd',
  postal_address: '1 Quay Street',
  default_connection_id: connection_id,
})
const list_id = id(await call('lists/create', { name: 'Everybody' }), 'list')
await manyContacts(store, project_id, list_id, RECIPIENTS, now)
await store.close()
const campaign_id = id(
  await call('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  }),
  'campaign',
)
await call('campaigns/send', { campaign_id })

/** What a power cut leaves of the journals: another boot, and a tail that was not on the disk. */
function cutPower(): void {
  const journals = join(folder, 'handover')
  for (const name of existsSync(journals) ? readdirSync(journals) : []) {
    const path = join(journals, name)
    const [cut = 0] = crypto.getRandomValues(new Uint8Array(1))
    const text = readFileSync(path, 'utf8').replace(/ [\w-]+\n/, ' another-boot\n')
    writeFileSync(path, text.slice(0, Math.max(0, text.length - cut)))
  }
}

const statsNow = async () =>
  (await call('campaigns/stats', { campaign_id })) as unknown as {
    sent: number
    uncertain: number
    recipients: number
  }

let slowest_ms = 0
let most_uncertain = 0
let uncertain = 0
let killed = 0
for (let kill = 1; kill <= KILLS && sink.recipients.length < RECIPIENTS - 100; kill++) {
  const [spread = 0] = crypto.getRandomValues(new Uint16Array(1))
  await sink.waitFor(
    Math.min(RECIPIENTS - 50, sink.recipients.length + 1 + (spread % Math.ceil((2 * RECIPIENTS) / (KILLS * 2.2)))),
  )
  await service.kill()
  if (POWER) cutPower()
  const before = sink.recipients.length
  const begun = performance.now()
  service = await startServiceProcess(folder, settings)
  if (before < RECIPIENTS - 200) await sink.waitFor(before + 1)
  slowest_ms = Math.max(slowest_ms, performance.now() - begun)
  const now_uncertain = (await statsNow()).uncertain
  most_uncertain = Math.max(most_uncertain, now_uncertain - uncertain)
  uncertain = now_uncertain
  killed = kill
}
while (
  ((await call('campaigns/get', { campaign_id })) as { campaign?: { status: string } }).campaign?.status !== 'sent'
)
  await Bun.sleep(200)
const stats = await statsNow()

const copies = new Map<string, number>()
for (const email of sink.recipients) copies.set(email, (copies.get(email) ?? 0) + 1)
const twice = [...copies.values()].filter((count) => count > 1).length
process.stdout.write(
  `${stats.recipients} recipients, ${UNEVEN ? 'uneven' : 'instant'} relay, ` +
    `${killed} ${POWER ? 'power cuts' : 'kills'}: ${stats.recipients - stats.sent - stats.uncertain} lost, ` +
    `${twice} twice, ${stats.uncertain} uncertain, at most ${most_uncertain} at once, ` +
    `slowest recovery ${Math.round(slowest_ms)} ms\n`,
)
await service.stop()
sink.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
