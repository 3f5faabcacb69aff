import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type FastSink, startFastSink, unevenDelays } from '../../support/fast-sink.ts'
import { callOk, type LoneProject, makeLoneProject, UNLIMITED, withDatabase } from '../../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts'
import { masthead, scratchFolder } from '../../cli/masthead.ts'

/** A database that is lost in the middle of a campaign and restored from a backup (docs/operations.md#facts). */

const RECIPIENTS = 200
const AT_BACKUP = 60
const AT_LOSS = 130
/** These tests wait for events, however long a busy machine takes. */
const NO_BUDGET = 600_000

const scratch = scratchFolder()
const data = join(scratch.path, 'data')
const backup = join(scratch.path, 'backup.db')
let sink: FastSink
let service: ServiceProcess
let project: LoneProject
let campaign_id: number
let list_id: number
let left: string[]
let late_id: number

const call = (operation: string, body: Record<string, unknown> = {}) =>
  callOk(service.url, project.key, operation, body)
const begin = async () => {
  service = await startServiceProcess(data, UNLIMITED)
}
const restore = async () => {
  for (const name of readdirSync(data)) if (name.startsWith('masthead.db')) rmSync(join(data, name))
  const done = await masthead(scratch.path, ['restore', backup, '--json'])
  expect(done).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(done.stdout)
}
const people = async () => (await call('contacts/list', { limit: 200 })).items as { id: number; email: string }[]
const draft = async () => {
  const audience_spec = { include: [{ type: 'list', id: list_id }] }
  return (await call('campaigns/create', { subject: 'Tides', editor_json: SAMPLE_DOCUMENT, audience_spec })).campaign.id
}

beforeAll(async () => {
  sink = startFastSink(unevenDelays())
  mkdirSync(data)
  project = await makeLoneProject(data)
  await begin()
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  list_id = (await readyToSend({ ok: call }, { ...relay, max_connections: 20 })).list_id
  await call('lists/create', { name: 'Weather' })
  await withDatabase(data, (store) => manyContacts(store, project.project_id, list_id, RECIPIENTS, Date.now()))
  sink.recipients.length = 0
  campaign_id = await draft()
  const planned = await draft()
  const later = new Date(Date.now() + 86_400_000).toISOString()
  await call('campaigns/schedule', { campaign_id: planned, scheduled_at: later, timezone: 'UTC' })
  await call('campaigns/send', { campaign_id })
  await sink.waitFor(AT_BACKUP)
  expect(await masthead(scratch.path, ['backup', backup])).toMatchObject({ code: 0 })
  const waiting = (await people()).filter(({ email }) => !sink.recipients.includes(email)).slice(-20)
  left = waiting.map(({ email }) => email)
  for (const [index, { id, email }] of waiting.entries()) {
    if (index % 2 === 0) await call('suppressions/add', { email, reason: 'unsubscribe' })
    else await call('contacts/membership', { contact_id: id, list_id, action: 'unsubscribe' })
  }
  const late = { email: 'late@example.com', consent_text: 'I agree', list_ids: [list_id] }
  late_id = (await call('contacts/upsert', late)).contact.id
  await call('suppressions/add', { email: 'late@example.com', reason: 'complaint' })
  await sink.waitFor(AT_LOSS)
  await service.kill()
}, NO_BUDGET)

afterAll(async () => {
  await service?.kill()
  sink.close()
  scratch.remove()
})

test(
  'After a restore with its facts nobody is written to twice, nobody who left is, and all others once.',
  async () => {
    const report = await restore()
    expect(report).toMatchObject({ missing: null, set_aside: null })
    expect(report.facts.handed_over).toBeGreaterThan(0)
    // And the one that was added after the backup.
    expect(report.facts.left).toBe(left.length + 1)
    const lost = sink.recipients.length
    await begin()
    for (;;) {
      const { campaign } = await call('campaigns/get', { campaign_id })
      if (campaign.status === 'sent') break
      await Bun.sleep(50)
    }
    expect(sink.recipients.length).toBeGreaterThan(lost)
    const stats = await call('campaigns/stats', { campaign_id })
    expect(sink.recipients.filter((email, index) => sink.recipients.indexOf(email) !== index)).toEqual([])
    expect(sink.recipients.filter((email) => left.includes(email))).toEqual([])
    // Those between their final dot and the answer at the kill are handed over for the facts.
    expect(new Set(sink.recipients).size).toBeGreaterThanOrEqual(RECIPIENTS - left.length - 20)
    expect(stats).toMatchObject({ sent: RECIPIENTS - left.length, skipped: left.length, uncertain: 0 })
    expect(sink.recipients.length).toBe(RECIPIENTS - left.length)

    // The contact was made after the backup: the restored database knows only the hash of its address.
    const again = await call('contacts/upsert', { email: 'Late@example.com', consent_text: 'x', list_ids: [list_id] })
    expect(again.skipped).toMatchObject([{ reason: 'suppressed' }])
    // Links of messages to the lost contact act on nobody else.
    expect(again.contact.id).toBeGreaterThan(late_id)
    await service.stop()
  },
  NO_BUDGET,
)

test(
  'A restore without facts lets people decide, and says of when the backup is.',
  async () => {
    renameSync(join(data, 'facts'), join(scratch.path, 'aside'))
    const opened = new Database(backup)
    opened.run(`
      INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at, content)
      VALUES (1, 'confirmation', 1, 'x@example.com', 'queued', 0, 0, '{"list_ids":[1]}')`)
    opened.close()
    const { as_of, missing, set_aside } = await restore()
    expect(missing).toStartWith('There are no facts in ')
    expect(set_aside).toEqual({ paused: 1, drafts: 1, held: 1 })
    const taken = sink.recipients.length
    await begin()
    const { items } = await call('campaigns/list')
    const reasons = items.map(({ status, failure }: any) => [status, failure.reason])
    expect(reasons.toSorted()).toEqual([
      ['draft', expect.stringContaining(`The backup is of ${as_of}, and the campaign may have been sent`)],
      ['paused', expect.stringContaining(`The backup is of ${as_of}, and what was sent since then is not known`)],
    ])
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('masthead_campaigns_paused_total{cause="restore"} 1\n')
    await call('lists/update', { list_id, double_opt_in: true })
    const asked = { email: 'new@example.com', consent_text: 'I agree', list_ids: [list_id] }
    const reason = { list_id, reason: 'held' }
    expect(await call('contacts/upsert', asked)).toMatchObject({ confirmations_blocked: [reason] })
    expect(sink.recipients.length).toBe(taken)
    expect(await call('settings/update', { confirmations_held: false })).toMatchObject({
      settings: { confirmations_held: false },
    })
    const next = { ...asked, email: 'next@example.com' }
    expect(await call('contacts/upsert', next)).toMatchObject({ confirmations_queued: 1 })
    for (let count = taken + 1; !sink.recipients.includes('next@example.com'); count++) await sink.waitFor(count)
    expect(sink.recipients.slice(taken)).not.toContain('x@example.com')
    await service.kill()
  },
  NO_BUDGET,
)

test(
  'Facts of another folder, and facts that a power cut may have torn, are not taken for all of them.',
  async () => {
    const folder = join(data, 'facts')
    expect((await restore()).missing).toContain('are not those of the service that made the backup')
    rmSync(folder, { recursive: true })
    cpSync(join(scratch.path, 'aside'), folder, { recursive: true })
    const day = readdirSync(folder).findLast((name) => name.endsWith('.log'))!
    expect(readFileSync(join(folder, day), 'utf8')).not.toContain('@')
    appendFileSync(join(folder, day), `${new Date().toISOString()} begun prc_other another-boot\n`)
    const torn = await restore()
    expect(torn.missing).toContain('may lack the last second before a power cut')
    expect(torn.facts.handed_over).toBeGreaterThan(0)
    expect(torn.set_aside).toMatchObject({ paused: 1, drafts: 1 })
  },
  NO_BUDGET,
)
