import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '../../../src/store/backup.ts'
import { factFolder, renameFolder } from '../../../src/store/fact-folder.ts'
import { dayPaths } from '../../../src/store/facts.ts'
import { bootId } from '../../../src/store/journal.ts'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type FastSink, startFastSink, unevenDelays } from '../../support/fast-sink.ts'
import { callOk, type LoneProject, makeLoneProject, post, UNLIMITED, withDatabase } from '../../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts'
import { masthead, scratchFolder } from '../../cli/masthead.ts'

/**
 * A database that is lost in the middle of a campaign, and every way of putting it back (docs/operations.md#facts). The
 * service was stopped and copied, then went on until its backup and beyond; each test begins with what is kept.
 */

const RECIPIENTS = 150
const AT_COPY = 25
const AT_BACKUP = 55
const AT_FACTS = 80
const AT_LOSS = 105
/** These tests wait for events, however long a busy machine takes. */
const NO_BUDGET = 600_000

const scratch = scratchFolder()
const path = (name: string) => join(scratch.path, name)
const [data, copy, lost, backup, early] = ['data', 'copy', 'lost', 'backup.db', 'early'].map(path) as [
  string,
  string,
  string,
  string,
  string,
]
let sink: FastSink
let service: ServiceProcess
let project: LoneProject
let campaign_id: number
let list_id: number
let left: string[]
let late_id: number
/** Who had the message when the service was copied, and when it was lost. */
let at_copy: string[]
let at_loss: string[]
let taken: number

const call = (operation: string, body: Record<string, unknown> = {}) =>
  callOk(service.url, project.key, operation, body)
const begin = async (...flags: string[]) => {
  service = await startServiceProcess(data, UNLIMITED, flags)
}
const restore = async (...flags: string[]) => {
  const done = await masthead(scratch.path, ['restore', backup, '--json', ...flags])
  expect(done).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(done.stdout)
}
const putFacts = (from: string) => cpSync(from, join(data, 'facts'), { recursive: true })
/** As the folder that was never copied: a test may use it up. */
const putLiveFacts = () => {
  putFacts(join(lost, 'facts'))
  renameFolder(join(data, 'facts'), factFolder(join(lost, 'facts'))!)
  // A file that was changed long after its last line counts as replaced, and this test may run late.
  appendFileSync(dayPaths(join(data, 'facts')).at(-1)!, `${new Date().toISOString()} copied\n`)
}
const putByHand = () => cpSync(backup, join(data, 'masthead.db'))
const change = (statement: string) => {
  const opened = new Database(join(data, 'masthead.db'))
  opened.run(statement)
  opened.close()
}
const putAll = () => cpSync(copy, data, { recursive: true })
const draft = async () => {
  const audience_spec = { include: [{ type: 'list', id: list_id }] }
  return (await call('campaigns/create', { subject: 'Tides', editor_json: SAMPLE_DOCUMENT, audience_spec })).campaign.id
}
const campaign = async () => (await call('campaigns/get', { campaign_id })).campaign
const sent = async () => {
  for (;;) {
    const { status } = await campaign()
    if (status === 'sent') return
    expect(status).toBe('sending')
    await Bun.sleep(50)
  }
}
const twice = (had: string[]) => {
  const all = [...had, ...sink.recipients.slice(taken)]
  return all.filter((email, index) => all.indexOf(email) !== index)
}
/** What waits for people after a start, and whether anything left by itself. */
const waiting = async () => {
  const { items } = await call('campaigns/list')
  const rows = items.map(({ status, failure }: any) => [status, failure?.reason ?? null])
  return { rows: rows.toSorted(), left: sink.recipients.length - taken }
}

beforeAll(async () => {
  const delays = unevenDelays()
  sink = startFastSink(() => delays() / 2)
  mkdirSync(data)
  project = await makeLoneProject(data)
  await begin()
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  list_id = (await readyToSend({ ok: call }, { ...relay, max_connections: 20 })).list_id
  await withDatabase(data, (store) => manyContacts(store, project.project_id, list_id, RECIPIENTS, Date.now()))
  sink.recipients.length = 0
  campaign_id = await draft()
  const planned = await draft()
  const later = new Date(Date.now() + 86_400_000).toISOString()
  await call('campaigns/schedule', { campaign_id: planned, scheduled_at: later, timezone: 'UTC' })
  await call('campaigns/send', { campaign_id })
  await sink.waitFor(AT_COPY)
  expect(await service.stop()).toBe(0)
  at_copy = [...sink.recipients]
  cpSync(data, copy, { recursive: true })
  await begin()
  await sink.waitFor(AT_BACKUP)
  await copyDatabase(join(data, 'masthead.db'), backup)
  // The campaign must not reach those who leave.
  await call('campaigns/pause', { campaign_id })
  const people = (await call('contacts/list', { limit: 200 })).items as { id: number; email: string }[]
  const untouched = people.filter(({ email }) => !sink.recipients.includes(email)).slice(-15)
  left = untouched.map(({ email }) => email)
  for (const [index, { id, email }] of untouched.entries()) {
    if (index % 2 === 0) await call('suppressions/add', { email, reason: 'unsubscribe' })
    else await call('contacts/membership', { contact_id: id, list_id, action: 'unsubscribe' })
  }
  const late = { email: 'late@example.com', consent_text: 'I agree', list_ids: [list_id] }
  late_id = (await call('contacts/upsert', late)).contact.id
  await call('suppressions/add', { email: 'late@example.com', reason: 'complaint' })
  await call('campaigns/resume', { campaign_id })
  await sink.waitFor(AT_FACTS)
  cpSync(join(data, 'facts'), early, { recursive: true })
  await sink.waitFor(AT_LOSS)
  await service.kill()
  at_loss = [...sink.recipients]
  renameSync(data, lost)
}, NO_BUDGET)

/** Leaves only the secret key. */
function putAside(): void {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data)
  cpSync(join(lost, 'secret.key'), join(data, 'secret.key'))
}

beforeEach(() => {
  putAside()
  taken = sink.recipients.length
})
afterEach(() => service.kill())

afterAll(() => {
  sink.close()
  scratch.remove()
})

test.each(['by `restore`', 'by hand'])(
  'A backup that is put back %s beside the facts of the service doubles nobody, and writes to nobody who left.',
  async (way) => {
    putLiveFacts()
    if (way === 'by hand') putByHand()
    else {
      const report = await restore()
      expect(report).toMatchObject({ missing: null, set_aside: null })
      expect(report.facts.handed_over).toBeGreaterThan(0)
      // And the one that was added after the backup.
      expect(report.facts.left).toBe(left.length + 1)
    }
    await begin()
    await sent()
    // The one of the project's owner is as old as the backup.
    expect(await withDatabase(data, (store) => store.query('SELECT 1 FROM sessions'))).toEqual([])
    const all = [...at_loss, ...sink.recipients.slice(taken)]
    expect([twice(at_loss), all.filter((email) => left.includes(email))]).toEqual([[], []])
    // Those between their final dot and the answer at the kill are handed over for the facts.
    expect(all.length).toBe(RECIPIENTS - left.length)
    const stats = await call('campaigns/stats', { campaign_id })
    expect(stats).toMatchObject({ sent: RECIPIENTS - left.length, skipped: left.length, uncertain: 0 })

    // The contact was made after the backup: the restored database knows only the hash of its address.
    const again = await call('contacts/upsert', { email: 'Late@example.com', consent_text: 'x', list_ids: [list_id] })
    expect(again.skipped).toMatchObject([{ reason: 'suppressed' }])
    // Links of messages to the lost contact act on nobody else.
    expect(again.contact.id).toBeGreaterThan(late_id)
    if (way === 'by hand') return
    // The audit log goes on from the backup, and the facts know that.
    const doctor = await masthead(scratch.path, ['doctor', '--port', '0', '--json'])
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(expect.objectContaining({ name: 'audit_log', ok: true }))
    // The next start finds everything as it was left.
    await service.kill()
    await begin()
    expect((await campaign()).status).toBe('sent')
  },
  NO_BUDGET,
)

test(
  'A restore with a copy of the facts says how far they reach, and waits for people.',
  async () => {
    let known = ''
    for (const [from, boot] of [
      [join(copy, 'facts'), bootId()!],
      [early, 'another-boot'],
    ] as const) {
      putAside()
      putFacts(from)
      for (const file of dayPaths(join(data, 'facts')))
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(bootId()!, boot))
      const { missing, reach, set_aside, as_of } = await restore()
      expect(missing).toBe(
        `The facts in ${join(data, 'facts')} are a copy, which may lack what followed. They reach until ${reach}.`,
      )
      expect(set_aside).toMatchObject({ paused: 1, drafts: 1 })
      known = `The backup is of ${as_of}, the facts reach until ${reach}, and `
    }
    await begin()
    const { rows, left: gone } = await waiting()
    expect([rows, gone]).toEqual([
      [
        ['draft', expect.stringContaining(`${known}the campaign may have been sent`)],
        ['paused', expect.stringContaining(`${known}what was sent since then is not known`)],
      ],
      0,
    ])
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('masthead_campaigns_paused_total{cause="restore"} 1\n')
    const refused = await post(service.url, project.key, 'campaigns/resume', { campaign_id })
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'NOT_READY' } }])
    const resumed = await call('campaigns/resume', { campaign_id, acknowledge_doubles: true })
    expect(resumed.campaign).toMatchObject({ status: 'sending', failure: null })
  },
  NO_BUDGET,
)

test(
  'A data folder that was copied and is put back waits for people, at its first start only.',
  async () => {
    putAll()
    await begin()
    const { rows, left: gone } = await waiting()
    expect([rows, gone]).toEqual([
      [
        ['draft', expect.stringContaining('A draft again since a restore. The backup is of ')],
        ['paused', expect.stringContaining('Paused by a restore. The backup is of ')],
      ],
      0,
    ])
    expect((await post(service.url, project.key, 'campaigns/resume', { campaign_id })).status).toBe(409)
    await call('campaigns/resume', { campaign_id, acknowledge_doubles: true })
    await service.stop()
    await begin()
    await sent()
  },
  NO_BUDGET,
)

test(
  'A moved data folder goes on when a person says that its facts are complete, but for campaigns that are overdue.',
  async () => {
    putAll()
    const due = Date.now() - 2 * 3_600_000
    change(`UPDATE campaigns SET scheduled_at = ${due} WHERE status = 'scheduled'`)
    await begin('--facts-are-complete')
    await sent()
    expect(twice(at_copy)).toEqual([])
    expect(at_copy.length + sink.recipients.length - taken).toBe(RECIPIENTS)
    const { rows } = await waiting()
    const overdue = expect.stringContaining(`it was due at ${new Date(due).toISOString()}`)
    expect(rows).toEqual([
      ['draft', overdue],
      ['sent', null],
    ])
  },
  NO_BUDGET,
)

test(
  'A backup that is put back without facts lets people decide, and says of when the backup is.',
  async () => {
    const { missing, set_aside } = await restore()
    expect([missing, set_aside]).toEqual([
      expect.stringMatching(/^There are no facts in /),
      { paused: 1, drafts: 1, held: 0 },
    ])
    putAside()
    putByHand()
    change(`
      INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at, content)
      VALUES (1, 'confirmation', 1, 'x@example.com', 'queued', 0, 0, '{"list_ids":[1]}')`)
    await begin()
    const { rows, left: gone } = await waiting()
    expect([rows, gone]).toEqual([
      [
        ['draft', expect.stringMatching(/The backup is of .*, and the campaign may have been sent/)],
        ['paused', expect.stringMatching(/The backup is of .*, and what was sent since then is not known/)],
      ],
      0,
    ])
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
  },
  NO_BUDGET,
)
