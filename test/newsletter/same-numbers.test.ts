import { afterAll, beforeAll, expect, test } from 'bun:test'
import { signIn } from '../http/signed-in.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { type FastSink, startFastSink } from '../support/fast-sink.ts'
import { createWorld, type World } from '../support/world.ts'

/** Every number of Home, Campaigns, report, import and deliverability, from the same 5,000 rows of a file. */

let world: World
let sink: FastSink
let cookie: string
beforeAll(async () => {
  world = await createWorld()
  cookie = await signIn(world, 'owner')
  sink = startFastSink(null, 0, {
    refusalOf: (recipient) =>
      ANSWERS.policy.has(recipient)
        ? '550 5.7.1 not wanted here'
        : ANSWERS.unknown.has(recipient)
          ? '550 5.1.1 no such user'
          : undefined,
    keeps: (recipient) => ACTIVE.has(recipient),
  })
})
afterAll(async () => {
  sink.close()
  await world.close()
})

const address = (index: number) => `reader${index}@gmail.com`
const some = (from: number, count: number) => Array.from({ length: count }, (_, index) => address(from + index))

/** The rows of the file. */
const [ROWS, INVALID, TWICE] = [5_000, 76, 20]
const GONE = some(0, 116)
const SUPPRESSED = some(200, 5)
const PEOPLE = ROWS - INVALID - TWICE
const HERE = PEOPLE - GONE.length - SUPPRESSED.length
/** The replies of the relay, and the reports that come later. A soft bounce is followed by a hard one for the first person. */
const ANSWERS = { policy: new Set(some(300, 8)), unknown: new Set(some(400, 12)) }
const HARD = some(500, 20)
const SOFT = [HARD[0]!, ...some(600, 6)]
const COMPLAIN = some(700, 3)
const LEAVE = some(800, 7)
const OPEN = some(900, 40)
const OPEN_TWICE = OPEN.slice(0, 10)
const MACHINES = some(950, 5)
/** Whoever clicks does not open, and half of them click twice. */
const CLICK = some(1_000, 14)
const CLICK_TWICE = CLICK.slice(0, 7)
const ACTIVE = new Set([HARD, SOFT, COMPLAIN, LEAVE, OPEN, MACHINES, CLICK].flat())

const SENT = HERE - ANSWERS.policy.size
const ALL_HARD = HARD.length + ANSWERS.unknown.size
const REACHED = SENT - ALL_HARD - (SOFT.length - 1)
const BLOCKED = ALL_HARD + COMPLAIN.length + LEAVE.length

test('Every number of the pages is the one of the people behind it.', async () => {
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { connection_id, list_id } = await readyToSend(world, relay)
  await imported(list_id)
  expect(await subscribed(list_id)).toEqual(numbersOf(HERE))

  const campaign_id = await sent(list_id)
  await answered(connection_id)
  const stats = await world.ok('campaigns/stats', { campaign_id })
  const counts = {
    ...{ recipients: HERE, sent: SENT, failed: ANSWERS.policy.size, skipped: 0, queued: 0, uncertain: 0, cancelled: 0 },
    ...{ in_sandbox: 0, reached: REACHED, bounces: { hard: ALL_HARD, soft: SOFT.length - 1 } },
    ...{ opens: OPEN.length + OPEN_TWICE.length, unique_opens: OPEN.length, machine_opens: MACHINES.length },
    ...{ clicks: CLICK.length + CLICK_TWICE.length, unique_clicks: CLICK.length, machine_clicks: 0 },
    ...{ unsubscribes: LEAVE.length, complaints: COMPLAIN.length },
  }
  expect(stats).toMatchObject({ ...counts, waiting: null })
  const listed = await world.ok('campaigns/list', { include: ['stats'] })
  expect(listed.items[0].stats).toEqual(counts)
  for (const moments of [stats.timeline, stats.minutes])
    expect(total(moments, 'sent', 'opens', 'clicks')).toEqual([
      SENT - ANSWERS.unknown.size,
      OPEN.length + OPEN_TWICE.length,
      CLICK.length + CLICK_TWICE.length,
    ])
  expect(total(stats.links, 'clicks', 'unique_clicks')).toEqual([CLICK.length + CLICK_TWICE.length, CLICK.length])

  const events = async (type: string) =>
    (await world.ok('campaigns/events', { campaign_id, type, limit: 200 })).items.length
  expect(await Promise.all(['open', 'click', 'bounce', 'complaint', 'unsubscribe', 'failed'].map(events))).toEqual([
    counts.opens + counts.machine_opens,
    counts.clicks,
    ALL_HARD + SOFT.length,
    counts.complaints,
    counts.unsubscribes,
    counts.failed,
  ])

  const delivered = {
    ...{ sent: SENT, bounced: ALL_HARD, soft_bounced: SOFT.length, complained: COMPLAIN.length },
    ...{ unsubscribed: LEAVE.length, opened: OPEN.length },
  }
  const report = await deliverability()
  expect(report.total).toEqual(delivered)
  expect(report.providers).toMatchObject([{ provider: 'gmail', ...delivered }])
  const suppressed = Object.fromEntries(report.suppressions.map((one: any) => [one.reason, one.addresses]))
  expect(suppressed).toEqual({
    ...{ hard_bounce: ALL_HARD, complaint: COMPLAIN.length, manual: SUPPRESSED.length },
    unsubscribe: GONE.length + LEAVE.length,
  })
  expect((await world.ok('overview')).sending).toMatchObject({ this_month: SENT, last_24_hours: SENT })
  expect(await subscribed(list_id)).toEqual(numbersOf(HERE - BLOCKED, ALL_HARD))

  await tried(list_id)
  expect((await deliverability()).total).toEqual(delivered)
  expect((await world.ok('overview')).sending).toMatchObject({ this_month: SENT, last_24_hours: SENT })
})

/** Imports the file; compares what the check promised with what came of it. */
async function imported(list_id: number): Promise<void> {
  for (const email of SUPPRESSED) await world.ok('suppressions/add', { email, reason: 'manual' })
  const rows = Array.from({ length: PEOPLE }, (_, index) =>
    [address(index), index < GONE.length ? 'unsubscribed' : 'subscribed'].join(','),
  )
  const again = some(2_000, TWICE).map((email) => `${email},subscribed`)
  const flawed = Array.from({ length: INVALID }, (_, index) => `nobody ${index},subscribed`)
  const csv = ['email,status', ...rows, ...again, ...flawed].join('\n')
  const { import: staged } = await world.ok('imports/create', { csv })
  const options = { list_ids: [list_id], consent_confirmed: true, consent_text: 'Yes' }
  const asked = { import_id: staged.id, mapping: { 0: 'email', 1: 'status' }, options }
  const { summary, import: checked } = await world.ok('imports/dry-run', asked)
  expect(summary).toEqual({
    ...{ rows: ROWS, valid: ROWS - INVALID, invalid: INVALID, new: PEOPLE, existing: 0 },
    ...{ duplicates_in_file: TWICE, suppressed: SUPPRESSED.length },
  })
  expect(checked.findings).toMatchObject({ joining: HERE, opted_out: GONE.length })
  await world.ok('imports/commit', { import_id: staged.id })
  await world.settle()
  const { items } = await world.ok('imports/list')
  expect(items[0].counters).toEqual({ processed: ROWS, created: PEOPLE, updated: 0, skipped: TWICE, failed: INVALID })
  expect((await world.ok('contacts/stats')).total).toBe(PEOPLE)
}

/**
 * A manual suppression blocks an address and leaves the status as it is, and a bounce leaves the lists as they are
 * (docs/api/consent.md#global-status).
 */
const numbersOf = (people: number, bounced = 0) => {
  const status = people + SUPPRESSED.length
  return {
    overview: status,
    growth: status,
    contacts: status,
    filter: status,
    list: people + bounced,
    audience: people,
  }
}

/** How many people there are to write to: by every page that says it. */
async function subscribed(list_id: number): Promise<ReturnType<typeof numbersOf>> {
  const seen = await world.ok('overview')
  const [joined, left] = total(seen.growth, 'subscribed', 'unsubscribed') as [number, number]
  const rules = { op: 'and', rules: [{ field: 'global_status', operator: 'eq', value: 'subscribed' }] }
  const audience_spec = { include: [{ type: 'list', id: list_id }] }
  return {
    overview: seen.contacts.by_status.subscribed,
    growth: joined - left,
    contacts: (await world.ok('contacts/stats')).by_status.subscribed,
    filter: (await world.ok('segments/preview', { rules })).count,
    list: seen.lists.find(({ id }: { id: number }) => id === list_id).subscribed,
    audience: (await world.ok('campaigns/audience-count', { audience_spec })).count,
  }
}

/** Sends a campaign through the relay. */
async function sent(list_id: number): Promise<number> {
  const { campaign } = await world.ok('campaigns/create', {
    ...{ subject: 'Tides', editor_json: SAMPLE_DOCUMENT },
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  return campaign.id
}

/** What people, their servers and their programs do with the messages. */
async function answered(connection_id: number): Promise<void> {
  const { urls } = await world.ok('connections/webhook-urls', { connection_id })
  const report = (body: string) =>
    world.fetch(urls[0].url.slice(world.url.length), {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'message/rfc822' },
    })
  for (const email of SOFT) expect((await report(bounce(email, '4.2.2'))).status).toBe(200)
  for (const email of HARD) expect((await report(bounce(email, '5.1.1'))).status).toBe(200)
  for (const email of COMPLAIN) expect((await report(complaint(email))).status).toBe(200)
  for (const email of [...OPEN, ...OPEN_TWICE]) await visit(linkOf(email, 'open'))
  for (const email of MACHINES) await visit(linkOf(email, 'open'), 'GET', 'Mozilla/5.0')
  for (const email of [...CLICK, ...CLICK_TWICE]) await visit(linkOf(email, 'click'))
  for (const email of LEAVE) await visit(linkOf(email, 'unsubscribe'), 'POST')
  await world.settle()
}

/** A trial in the sandbox, which is no message that was sent. */
async function tried(list_id: number): Promise<void> {
  const { connection } = await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  const [one, two] = some(3_000, 2)
  const rules = { op: 'and', rules: [{ field: 'email', operator: 'in', value: [one, two] }] }
  const { segment } = await world.ok('segments/create', { name: 'Two', rules })
  const { campaign } = await world.ok('campaigns/create', {
    ...{ subject: 'Trial', editor_json: SAMPLE_DOCUMENT, connection_id: connection.id },
    audience_spec: { include: [{ type: 'segment', id: segment.id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  expect(await world.ok('campaigns/stats', { campaign_id: campaign.id })).toMatchObject({
    ...{ recipients: 2, sent: 2, in_sandbox: 2, reached: 0 },
  })
  expect(await subscribed(list_id)).toEqual(numbersOf(HERE - BLOCKED, ALL_HARD))
}

async function deliverability() {
  await world.service.drain('delivery_days')
  const answer = await world.fetch('/project/deliverability/get', {
    method: 'POST',
    headers: { Cookie: cookie, Origin: world.url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ project_id: world.project.public_id, days: 30 }),
  })
  return ((await answer.json()) as any).deliverability
}

const total = (rows: Record<string, number>[], ...names: string[]) =>
  names.map((name) => rows.reduce((sum, row) => sum + row[name]!, 0))

/** The content of the message to an address, its lines put together again. */
function messageTo(email: string): string {
  return sink.contents.get(email)!.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}

const linkOf = (email: string, kind: 'open' | 'click' | 'unsubscribe') =>
  new RegExp(`/general/newsletter/${kind}/[\\w./?=-]+`).exec(messageTo(email))![0]

const visit = (path: string, method = 'GET', agent = 'Mozilla/5.0 (Windows NT 10.0; rv:127.0) Firefox/127.0') =>
  world.fetch(path, { method, headers: { 'User-Agent': agent }, redirect: 'manual' })

const ofMessage = (email: string) => /^Message-ID: .*$/im.exec(messageTo(email))![0]

const bounce = (email: string, status: string) =>
  mime(email, 'delivery-status', [
    'Reporting-MTA: dns; mx',
    '',
    `Final-Recipient: rfc822; ${email}`,
    'Action: failed',
    `Status: ${status}`,
  ])
const complaint = (email: string) =>
  mime(email, 'feedback-report', ['Feedback-Type: abuse', 'User-Agent: x/1', 'Version: 1'])

const mime = (email: string, type: string, lines: readonly string[]) =>
  [
    `Message-ID: <${type}-${lines.at(-1)}-${email}>`,
    `Content-Type: multipart/report; report-type=${type}; boundary=b`,
    ...['', '--b', `Content-Type: message/${type}`, '', ...lines, '', '--b', 'Content-Type: message/rfc822', ''],
    ...[ofMessage(email), '', 'x', '--b--', ''],
  ].join('\r\n')
