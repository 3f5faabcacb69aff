import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/clock.ts'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../test/support/campaigns.ts'
import { startFastSink } from '../test/support/fast-sink.ts'
import { callOk, makeLoneProject, UNLIMITED, withDatabase } from '../test/support/lone-project.ts'
import { startServiceProcess } from '../test/support/service-process.ts'

/**
 * Memory of the whole service, at rest and while a campaign is sent (Linux: resident set, sampled each second), and
 * the time of a start on that database. `bun bench/memory.ts [recipients]`; TESTED_EXECUTABLE names another program.
 */
const RECIPIENTS = Number(process.argv[2] ?? 1_000_000)
const STARTS = 5
const SETTLED_MS = 3_000

const folder = mkdtempSync(join(tmpdir(), 'masthead-memory-'))
const sink = startFastSink()
const { project_id, key } = await makeLoneProject(folder)
let service = await startServiceProcess(folder, UNLIMITED)
const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, key, operation, body)
const relay = { name: 'Sink', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
const { list_id } = await readyToSend({ ok: call }, { ...relay, max_connections: 10 })
await service.stop()
await withDatabase(folder, (store) => manyContacts(store, project_id, list_id, RECIPIENTS, systemClock.now()))

const starts: number[] = []
for (let start = 0; start < STARTS; start++) {
  const begun = performance.now()
  service = await startServiceProcess(folder, UNLIMITED)
  starts.push(performance.now() - begun)
  if (start < STARTS - 1) await service.stop()
}
const megabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))![1]) / 1000
await Bun.sleep(SETTLED_MS)
const at_rest = megabytes()

const { campaign } = await call('campaigns/create', {
  subject: 'Tides {{ contact.first_name }}',
  editor_json: SAMPLE_DOCUMENT,
  audience_spec: { include: [{ type: 'list', id: list_id }] },
  track_opens: true,
  track_clicks: true,
})
const begun = performance.now()
await call('campaigns/send', { campaign_id: campaign.id })
let most = 0
let freezing = 0
for (;;) {
  await Bun.sleep(1000)
  most = Math.max(most, megabytes())
  const { status } = (await call('campaigns/get', { campaign_id: campaign.id })).campaign
  if (status === 'preparing') freezing = performance.now() - begun
  if (status === 'sent') break
}
const seconds = (performance.now() - begun) / 1000
process.stdout.write(
  [
    `start to /readyz: ${Math.round(starts.toSorted((a, b) => a - b)[STARTS >> 1]!)} ms (goal 200)`,
    `at rest: ${Math.round(at_rest)} MB (goal 110)`,
    `a campaign to ${RECIPIENTS}: at most ${Math.round(most)} MB (goal 300), ${Math.round(seconds)} s, of which ` +
      `${Math.round(freezing / 1000)} s until its audience was frozen; ${sink.recipients.length} arrived`,
    '',
  ].join('\n'),
)
await service.stop()
sink.close()
rmSync(folder, { recursive: true })
process.exit(0)
