import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type FastSink, startFastSink, unevenDelays } from '../../support/fast-sink.ts'
import { scratchFolder } from '../../support/folder.ts'
import { callOk, type LoneProject, makeLoneProject, UNLIMITED, withDatabase } from '../../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts'

/** The promise of the outbox under SIGKILL: no recipient lost, none silently sent twice, those in doubt `uncertain`. */

const RECIPIENTS = 150
/** Messages accepted since the last start, at each SIGKILL: a single one, and the middle of a group. */
const KILL_AFTER = [1, 50]
const CONNECTIONS = 10

/** These tests wait for events, however long a busy machine takes. */
const NO_BUDGET = 600_000

const scratch = scratchFolder()
let folder: string
let project: LoneProject
let sink: FastSink
let service: ServiceProcess

const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, project.key, operation, body)

beforeEach(async () => {
  folder = mkdtempSync(join(scratch, 'data-'))
  sink = startFastSink(unevenDelays())
  project = await makeLoneProject(folder)
  service = await startServiceProcess(folder, UNLIMITED)
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { list_id } = await readyToSend({ ok: call }, { ...relay, max_connections: CONNECTIONS })
  await withDatabase(folder, (store) => manyContacts(store, project.project_id, list_id, RECIPIENTS, Date.now()))
}, NO_BUDGET)

afterEach(async () => {
  await service?.kill()
  sink?.close()
})

test(
  `A campaign to ${RECIPIENTS} recipients survives ${KILL_AFTER.length} times SIGKILL.`,
  async () => {
    const first = sink.recipients.length
    const campaign_id = await startCampaign('Tides')
    for (const count of KILL_AFTER) {
      await sink.waitFor(sink.recipients.length + count)
      await service.kill()
      service = await startServiceProcess(folder, UNLIMITED)
    }
    const stats = await untilSent(campaign_id)

    const copies = new Map<string, number>()
    for (const email of sink.recipients.slice(first)) copies.set(email, (copies.get(email) ?? 0) + 1)
    const states = await recipients(campaign_id)
    expect(states.size).toBe(RECIPIENTS)
    expect([...copies.values()].filter((count) => count > 1)).toEqual([])
    expect([...states].filter(([email, status]) => status === 'sent' && !copies.has(email))).toEqual([])
    expect(
      [...states].filter(([email, status]) => copies.has(email) && status !== 'sent' && status !== 'uncertain'),
    ).toEqual([])
    expect(stats.sent + stats.uncertain).toBe(RECIPIENTS)
    // Only between the final dot and the answer: see docs/api/delivery.md#handover-journal.
    expect(stats.uncertain).toBeLessThanOrEqual(KILL_AFTER.length * CONNECTIONS)
  },
  NO_BUDGET,
)

test(
  'After SIGTERM in mid-campaign messages in flight are finished, the rest waits, none is in doubt.',
  async () => {
    const before = sink.recipients.length
    const campaign_id = await startCampaign('More tides')
    await sink.waitFor(before + 60)
    expect(await service.stop()).toBe(0)

    const accepted = sink.recipients.length - before
    const rows = await withDatabase(folder, (store) =>
      store.db.all<{ status: string; n: number }>(
        sql`
          SELECT status, count(*) AS n FROM deliveries WHERE campaign_id = ${campaign_id} GROUP BY status
          ORDER BY status`,
      ),
    )
    expect(accepted).toBeLessThan(RECIPIENTS)
    expect(rows).toEqual([
      { status: 'queued', n: RECIPIENTS - accepted },
      { status: 'sent', n: accepted },
    ])
  },
  NO_BUDGET,
)

/** Starts a campaign to the whole list; answers its id. */
async function startCampaign(subject: string): Promise<number> {
  const { items } = await call('lists/list', {})
  const { campaign } = await call('campaigns/create', {
    subject,
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: items[0].id }] },
  })
  await call('campaigns/send', { campaign_id: campaign.id })
  return campaign.id
}

async function untilSent(campaign_id: number): Promise<any> {
  for (;;) {
    const { campaign } = await call('campaigns/get', { campaign_id })
    if (campaign.status === 'sent') return call('campaigns/stats', { campaign_id })
    await Bun.sleep(50)
  }
}

async function recipients(campaign_id: number): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  for (let after_id = 0; ;) {
    const { items } = await call('campaigns/recipients', { campaign_id, limit: 200, ...(after_id ? { after_id } : {}) })
    for (const { email, status } of items) states.set(email, status)
    if (items.length === 0) return states
    after_id = items.at(-1).id
  }
}
