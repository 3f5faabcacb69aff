import { Database } from 'bun:sqlite'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../test/support/campaigns.ts'
import { type FastSink, startFastSink, unevenDelays } from '../test/support/fast-sink.ts'
import { callOk, makeLoneProject, UNLIMITED, withDatabase } from '../test/support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts'

/**
 * The promise of the outbox over many kills: a campaign whose process is killed (SIGKILL) at random moments. Prints how
 * many recipients were lost, got two copies or are uncertain, how many one kill leaves uncertain at most, and how long
 * the service took to continue. It runs in slices: each call goes on where the one before ended and prints the total.
 *
 * `bun bench/kill.ts FOLDER [--recipients 100000] [--kills 1000] [--relay uneven|instant] [--how kill|power]
 *   [--minutes 10]`
 *
 * The relay answers at once, or after uneven 100 to 400 ms. With `power`, each kill is a power cut: the write-ahead log
 * and the journals of hand-overs lose a part of what was not on the disk, and the boot is another one. That needs `cc`
 * and Linux. TESTED_EXECUTABLE names a compiled service; without it the sources run, which start much slower.
 */
const {
  values: given,
  positionals: [folder],
} = parseArgs({
  allowPositionals: true,
  options: {
    recipients: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '1000' },
    relay: { type: 'string', default: 'uneven' },
    how: { type: 'string', default: 'kill' },
    minutes: { type: 'string', default: '10' },
  },
})
if (!folder) throw new Error('Name a folder for what the slices share.')
const CONNECTIONS = 10
const ends_at = performance.now() + Number(given.minutes) * 60_000

/** What one slice hands to the next. */
interface Total {
  recipients: number
  kills: number
  relay: string
  how: string
  port: number
  key: string
  campaign_id: number
  killed: number
  uncertain: number
  most_uncertain: number
  /** For each kill: until the service was ready, and until the next message came. */
  recoveries_ms: [ready: number, next: number][]
  /** What power cuts took away of the log. */
  bytes_cut: number
}

const paths = {
  data: join(folder, 'data'),
  total: join(folder, 'total.json'),
  copies: join(folder, 'recipients.txt'),
  syncs: join(folder, 'syncs'),
  library: join(folder, 'wal-syncs.so'),
}
const database = join(paths.data, 'masthead.db')
const wal = `${database}-wal`

/** Starts the service. Before a power cut it is watched how much of the log reaches the disk. */
function start(how: string): Promise<ServiceProcess> {
  if (how !== 'power') return startServiceProcess(paths.data, UNLIMITED)
  if (!existsSync(paths.library)) {
    const source = join(import.meta.dir, 'wal-syncs.c')
    const built = Bun.spawnSync(['cc', '-O2', '-shared', '-fPIC', '-o', paths.library, source, '-ldl'])
    if (!built.success) throw new Error(`cc: ${built.stderr.toString()}`)
  }
  const bytes = BigInt(existsSync(wal) ? statSync(wal).size : 0)
  writeFileSync(paths.syncs, new BigInt64Array([0n, bytes, bytes]))
  return startServiceProcess(paths.data, {
    ...UNLIMITED,
    LD_PRELOAD: paths.library,
    KILL_WAL: wal,
    KILL_SYNCS: paths.syncs,
  })
}

/** Makes the contacts and begins the campaign. */
async function begin(sink: FastSink): Promise<{ total: Total; service: ServiceProcess }> {
  mkdirSync(paths.data, { recursive: true })
  const recipients = Number(given.recipients)
  const { key, project_id } = await makeLoneProject(paths.data)
  let service = await start(given.how)
  const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, key, operation, body)
  const relay = { name: 'Sink', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { list_id } = await readyToSend({ ok: call }, { ...relay, max_connections: CONNECTIONS })
  // Nobody watches what this process writes to the log, so that is written while the service does not run.
  await service.stop()
  await withDatabase(paths.data, (store) => manyContacts(store, project_id, list_id, recipients, Date.now()))
  service = await start(given.how)
  const { campaign } = await call('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await call('campaigns/send', { campaign_id: campaign.id })
  const fixed = { recipients, kills: Number(given.kills), relay: given.relay, how: given.how, port: sink.port, key }
  const counts = {
    campaign_id: campaign.id,
    killed: 0,
    uncertain: 0,
    most_uncertain: 0,
    recoveries_ms: [],
    bytes_cut: 0,
  }
  return { total: { ...fixed, ...counts }, service }
}

/** What a power cut leaves: the log and the journals without a part of what was not on the disk, and another boot. */
function cutPower(total: Total): void {
  const [, length = 0n, synced = 0n] = new BigInt64Array(new Uint8Array(readFileSync(paths.syncs)).buffer)
  const left = Number(synced) + Math.floor(Math.random() * (Number(length - synced) + 1))
  if (existsSync(wal)) truncateSync(wal, left)
  total.bytes_cut += Number(length) - left
  // Memory that processes share ends as well; this process may still have the database open.
  rmSync(`${database}-shm`, { force: true })
  const journals = join(paths.data, 'handover')
  for (const name of existsSync(journals) ? readdirSync(journals) : []) {
    const text = readFileSync(join(journals, name), 'utf8').replace(/ [\w-]+\n/, ' another-boot\n')
    writeFileSync(join(journals, name), text.slice(0, Math.ceil(text.length * Math.random())))
  }
}

/** Kills the service after some more messages, starts it again and waits for the next message. */
async function killOnce(total: Total, sink: FastSink, service: ServiceProcess): Promise<ServiceProcess> {
  const a_kill = (total.recipients - sink.recipients.length) / (total.kills - total.killed)
  await sink.waitFor(Math.min(total.recipients - 50, sink.recipients.length + 1 + Math.floor(Math.random() * a_kill)))
  await service.kill()
  if (total.how === 'power') cutPower(total)
  const before = sink.recipients.length
  const begun = performance.now()
  const next = await start(total.how)
  const ready = performance.now() - begun
  if (before < total.recipients - 200) await sink.waitFor(before + 1)
  total.recoveries_ms.push([Math.round(ready), Math.round(performance.now() - begun)])
  const uncertain = countUncertain(total)
  total.most_uncertain = Math.max(total.most_uncertain, uncertain - total.uncertain)
  total.uncertain = uncertain
  total.killed++
  return next
}

/** Read from the file: a call of the service would take so long that an instant relay gets hundreds of messages. */
function countUncertain({ campaign_id }: Total): number {
  using file = new Database(database, { readonly: true })
  return file
    .query<{ count: number }, [number]>(
      "SELECT count(*) AS count FROM deliveries WHERE campaign_id = ? AND status = 'uncertain'",
    )
    .get(campaign_id)!.count
}

function report(total: Total, copies: readonly string[]): string {
  const rows = new Database(database, { readonly: true })
    .query<{ email: string; status: string }, [number]>('SELECT email, status FROM deliveries WHERE campaign_id = ?')
    .all(total.campaign_id)
  const counts = new Map<string, number>()
  for (const email of copies) counts.set(email, (counts.get(email) ?? 0) + 1)
  const twice = [...counts.values()].filter((count) => count > 1).length
  const lost = rows.filter(({ email, status }) =>
    status === 'sent' ? !counts.has(email) : status !== 'queued' && status !== 'uncertain',
  ).length
  const again = rows.filter(({ email, status }) => status === 'queued' && counts.has(email)).length
  const sorted = total.recoveries_ms.toSorted(([, one], [, other]) => one - other)
  const [slowest = [0, 0], middle = [0, 0]] = [sorted.at(-1), sorted[sorted.length >> 1]]
  return (
    `${total.relay} relay, ${total.killed} of ${total.kills} ${total.how === 'power' ? 'power cuts' : 'kills'}, ` +
    `${rows.filter(({ status }) => status === 'queued').length} of ${total.recipients} still waiting: ${lost} lost, ` +
    `${twice} twice, ${again} waiting though they have it, ${total.uncertain} uncertain, at most ` +
    `${total.most_uncertain} at once; recovery ${middle[1]} ms (ready after ${middle[0]}), at most ${slowest[1]} ms ` +
    `(${slowest[0]})${total.how === 'power' ? `; ${total.bytes_cut} bytes of the log were cut` : ''}\n`
  )
}

const known = existsSync(paths.total) ? (JSON.parse(readFileSync(paths.total, 'utf8')) as Total) : null
const sink = startFastSink((known?.relay ?? given.relay) === 'uneven' ? unevenDelays() : null, known?.port)
let kept = 0
if (known) {
  sink.recipients.push(...readFileSync(paths.copies, 'utf8').split('\n').slice(0, -1))
  kept = sink.recipients.length
}
const begun = known ? { total: known, service: await start(known.how) } : await begin(sink)
const { total } = begun
let { service } = begun
const keep = () => {
  appendFileSync(
    paths.copies,
    sink.recipients
      .slice(kept)
      .map((email) => `${email}\n`)
      .join(''),
  )
  kept = sink.recipients.length
  writeFileSync(paths.total, JSON.stringify(total))
}

const isSent = async () => {
  const { campaign_id, key } = total
  const { campaign } = await callOk(service.url, key, 'campaigns/get', { campaign_id })
  return campaign.status === 'sent'
}
try {
  while (performance.now() < ends_at) {
    if (total.killed < total.kills && sink.recipients.length < total.recipients - 100)
      service = await killOnce(total, sink, service)
    else if (await isSent()) break
    else await Bun.sleep(200)
    keep()
  }
  await service.stop()
} finally {
  // Also when a start failed: who has a message already must be known to the next slice.
  keep()
}
process.stdout.write(report(total, sink.recipients))
sink.close()
process.exit(0)
