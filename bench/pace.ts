import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../test/support/campaigns.ts'
import { startFastSink, unevenDelays } from '../test/support/fast-sink.ts'
import { callOk, makeLoneProject, withDatabase } from '../test/support/lone-project.ts'
import { startServiceProcess } from '../test/support/service-process.ts'

/**
 * How well `max_per_second` is kept, by the clock of a relay that answers each message after some time: messages a
 * second from the second second on, and the most that arrived within any second.
 * `TESTED_EXECUTABLE=dist/masthead bun bench/pace.ts [seconds] [limits] [relays]`, lists separated by commas
 */
const SECONDS = Number(process.argv[2] ?? 15)
const LIMITS = (process.argv[3] ?? '20,40,100').split(',').map(Number)

const DELAYS: Record<string, () => () => number> = {
  '0': () => () => 0,
  '250': () => () => 250,
  '100-400': () => unevenDelays(),
  '1000': () => () => 1_000,
  '0-then-400': () => {
    const begun = performance.now()
    return () => (performance.now() - begun < (SECONDS * 1000) / 2 ? 0 : 400)
  },
}
const RELAYS = process.argv[4]?.split(',') ?? Object.keys(DELAYS)

async function arrivals(per_second: number, relay: string): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-pace-'))
  const project = await makeLoneProject(folder)
  const service = await startServiceProcess(folder)
  let delay_ms = () => 0
  const sink = startFastSink(() => delay_ms())
  const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, project.key, operation, body)
  const server = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { list_id } = await readyToSend({ ok: call }, { ...server, max_per_second: per_second })
  const people = per_second * SECONDS
  await withDatabase(folder, (store) => manyContacts(store, project.project_id, list_id, people, Date.now()))
  const { campaign } = await call('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  delay_ms = DELAYS[relay]!()
  await call('campaigns/send', { campaign_id: campaign.id })
  await sink.waitFor(people)
  await service.stop()
  sink.close()
  rmSync(folder, { recursive: true })
  return sink.taken_at
}

for (const per_second of LIMITS)
  for (const relay of RELAYS) {
    const times = await arrivals(per_second, relay)
    const steady = times.filter((at) => at >= times[0]! + 1_000)
    const rate = (steady.length - 1) / ((steady.at(-1)! - steady[0]!) / 1000)
    let worst = 0
    for (let from = 0, to = 0; from < times.length; from++) {
      while (to < times.length && times[to]! < times[from]! + 1_000) to++
      worst = Math.max(worst, to - from)
    }
    const off = ((rate / per_second - 1) * 100).toFixed(1)
    console.log(`${per_second}/s, relay ${relay} ms: ${rate.toFixed(2)}/s (${off} %), worst second ${worst}`)
  }
process.exit(0)
