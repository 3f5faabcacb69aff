import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dayPaths } from '../src/store/facts.ts'
import { bootId } from '../src/store/journal.ts'
import { masthead } from '../test/cli/masthead.ts'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../test/support/campaigns.ts'
import { startFastSink, unevenDelays } from '../test/support/fast-sink.ts'
import { callOk, makeLoneProject, UNLIMITED, withDatabase } from '../test/support/lone-project.ts'
import { startServiceProcess } from '../test/support/service-process.ts'

/**
 * The promise of a restore (docs/operations.md#facts) at size: a campaign is backed up after 3,000 of 10,000 messages
 * and goes on to 7,000, while 200 people who have none yet opt out. Then the service is killed and its data folder is
 * lost, but for the secret key. Prints who got two copies, who got one after opting out and who got none after a
 * restore
 *
 * - with the facts of the service,
 * - with a copy of them that was made at 5,000, on another boot of the machine: the disk was lost,
 * - without facts.
 *
 * `bun bench/restore.ts [--recipients 10000] [--relay uneven|instant]`
 *
 * The relay answers after uneven 100 to 400 ms, or at once; then the connection's pace leaves the time to opt out.
 * TESTED_EXECUTABLE names a compiled service.
 */
const { values: given } = parseArgs({
  options: {
    recipients: { type: 'string', default: '10000' },
    relay: { type: 'string', default: 'uneven' },
  },
})
const RECIPIENTS = Number(given.recipients)
const AT_BACKUP = RECIPIENTS * 0.3
const AT_FACTS = RECIPIENTS * 0.5
const AT_LOSS = RECIPIENTS * 0.7
const LEAVING = RECIPIENTS / 50
const PACE = 400
/** Whoever opts out is late in the campaign, so that no message is under way to them already. */
const NOT_DUE_BEFORE = RECIPIENTS * 0.75
/** Where facts are missing nothing may be sent; so long is looked. */
const QUIET_MS = 5_000

const root = mkdtempSync(join(tmpdir(), 'masthead-restore-'))
const paths = {
  data: join(root, 'data'),
  lost: join(root, 'lost'),
  backup: join(root, 'backup.db'),
  facts: join(root, 'facts'),
}
const isUneven = given.relay === 'uneven'
const sink = startFastSink(isUneven ? unevenDelays() : null)
mkdirSync(paths.data)
const { key, project_id } = await makeLoneProject(paths.data)
let service = await startServiceProcess(paths.data, UNLIMITED)
const call = (operation: string, body: Record<string, unknown> = {}) => callOk(service.url, key, operation, body)
const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }

async function begin(): Promise<{ campaign_id: number; list_id: number }> {
  const { list_id } = await readyToSend(
    { ok: call },
    { ...relay, max_connections: isUneven ? 50 : 10, max_per_second: isUneven ? null : PACE },
  )
  await service.stop()
  await withDatabase(paths.data, (store) => manyContacts(store, project_id, list_id, RECIPIENTS, Date.now()))
  service = await startServiceProcess(paths.data, UNLIMITED)
  sink.recipients.length = 0
  const audience_spec = { include: [{ type: 'list', id: list_id }] }
  const { campaign } = await call('campaigns/create', { subject: 'Tides', editor_json: SAMPLE_DOCUMENT, audience_spec })
  await call('campaigns/send', { campaign_id: campaign.id })
  return { campaign_id: campaign.id, list_id }
}

interface Person {
  id: number
  email: string
}

/** All contacts, by id. */
async function everybody(): Promise<Person[]> {
  const people: Person[] = []
  for (let cursor: string | null = null; ;) {
    const { items, next_cursor }: { items: Person[]; next_cursor: string | null } = await call('contacts/list', {
      limit: 200,
      ...(cursor && { cursor }),
    })
    people.push(...items)
    if (!next_cursor) return people.toSorted((one, other) => one.id - other.id)
    cursor = next_cursor
  }
}

/** Every way of leaving, in turn; answers the addresses. */
async function optOut(people: readonly Person[], list_id: number): Promise<Set<string>> {
  const ways = [
    ({ email }: Person) => call('suppressions/add', { email, reason: 'unsubscribe' }),
    ({ email }: Person) => call('suppressions/add', { email, reason: 'complaint' }),
    ({ id }: Person) => call('contacts/membership', { contact_id: id, list_id, action: 'unsubscribe' }),
  ]
  for (const [index, person] of people.entries()) await ways[index % ways.length]!(person)
  return new Set(people.map(({ email }) => email))
}

interface Restored {
  facts: object
  missing: string | null
  reach: string | null
  set_aside: object | null
}

async function command(...args: string[]): Promise<Restored> {
  const { code, stdout, stderr } = await masthead(root, [...args, '--json'])
  if (code !== 0) throw new Error(`masthead ${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as Restored
}

/** Restores the backup into a new data folder, which has the secret key and these facts. */
async function restoreWith(putFacts: (folder: string) => void): Promise<Restored> {
  rmSync(paths.data, { recursive: true, force: true })
  mkdirSync(paths.data)
  cpSync(join(paths.lost, 'secret.key'), join(paths.data, 'secret.key'))
  putFacts(join(paths.data, 'facts'))
  return command('restore', paths.backup)
}

/** As a machine sees them that starts later. */
function putOfAnotherBoot(folder: string): void {
  cpSync(paths.facts, folder, { recursive: true })
  for (const path of dayPaths(folder))
    writeFileSync(path, readFileSync(path, 'latin1').replaceAll(bootId()!, 'another-boot'), 'latin1')
}

/** Starts the service and looks what it sends by itself; answers what the campaign says. */
async function quietly(campaign_id: number): Promise<{ sent: number; says: string }> {
  const before = sink.recipients.length
  service = await startServiceProcess(paths.data, UNLIMITED)
  await Bun.sleep(QUIET_MS)
  const { campaign } = await call('campaigns/get', { campaign_id })
  return { sent: sink.recipients.length - before, says: `${campaign.status}: ${campaign.failure?.reason}` }
}

async function untilSent(campaign_id: number): Promise<void> {
  for (;;) {
    const { campaign } = await call('campaigns/get', { campaign_id })
    if (campaign.status === 'sent') return
    if (campaign.status !== 'sending') throw new Error(`The campaign is ${campaign.status}.`)
    await Bun.sleep(200)
  }
}

try {
  const { campaign_id, list_id } = await begin()
  const people = await everybody()
  await sink.waitFor(AT_BACKUP)
  await command('backup', paths.backup)
  const backed_up = sink.recipients.length
  const had = new Set(sink.recipients)
  const untouched = people.slice(NOT_DUE_BEFORE).filter(({ email }) => !had.has(email))
  const left = await optOut(
    untouched.filter((_, index) => index % Math.floor(untouched.length / LEAVING) === 0).slice(0, LEAVING),
    list_id,
  )
  const left_at = sink.recipients.length
  await sink.waitFor(AT_FACTS)
  cpSync(join(paths.data, 'facts'), paths.facts, { recursive: true })
  const facts_at = sink.recipients.length
  await sink.waitFor(AT_LOSS)
  await service.kill()
  const lost_at = sink.recipients.length
  renameSync(paths.data, paths.lost)

  /** Who got what, of those who had it at the loss and those since a restore. */
  const outcome = (since: number): string => {
    const copies = new Map<string, number>()
    for (const email of [...sink.recipients.slice(0, lost_at), ...sink.recipients.slice(since)])
      copies.set(email, (copies.get(email) ?? 0) + 1)
    const twice = [...copies.values()].filter((count) => count > 1).length
    const none = people.filter(({ email }) => !copies.has(email) && !left.has(email)).length
    const despite = [...left].filter((email) => copies.has(email)).length
    return `${twice} twice, ${despite} of those who opted out, ${none} of the others not at all`
  }

  const unknown = await restoreWith(() => undefined)
  const nothing = await quietly(campaign_id)
  await service.stop()

  const copied = await restoreWith(putOfAnotherBoot)
  const since_copy = sink.recipients.length
  const waiting = await quietly(campaign_id)
  await call('campaigns/resume', { campaign_id, acknowledge_doubles: true })
  await untilSent(campaign_id)
  await service.stop()
  const of_copy = outcome(since_copy)

  const known = await restoreWith((folder) => renameSync(join(paths.lost, 'facts'), folder))
  const since_known = sink.recipients.length
  service = await startServiceProcess(paths.data, UNLIMITED)
  await untilSent(campaign_id)
  const stats = await call('campaigns/stats', { campaign_id })
  await service.stop()

  const seconds = QUIET_MS / 1000
  console.log(
    [
      `${given.relay} relay, ${RECIPIENTS} recipients: backed up at ${AT_BACKUP} to ${backed_up}, ${left.size} opted ` +
        `out until ${left_at}, facts copied at ${facts_at}, lost at ${lost_at}`,
      `with the facts of the service: ${outcome(since_known)}; the campaign says ${stats.sent} sent, ` +
        `${stats.skipped} skipped, ${stats.uncertain} uncertain; facts replayed: ${JSON.stringify(known.facts)}`,
      `with the copy, of another boot: ${waiting.sent} messages in ${seconds} s; the campaign is ${waiting.says} ` +
        `(${JSON.stringify(copied.facts)}; ${copied.missing}). Resumed by a person: ${of_copy}`,
      `without facts: ${nothing.sent} messages in ${seconds} s; the campaign is ${nothing.says} ` +
        `(${JSON.stringify(unknown.set_aside)})`,
    ].join('\n'),
  )
} finally {
  await service.kill()
  sink.close()
  rmSync(root, { recursive: true, force: true })
}
process.exit(0)
