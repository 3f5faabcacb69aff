import { createServer, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, test } from 'bun:test'
import { eq, type SQL, sql } from 'drizzle-orm'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts'
import { journalFolder } from '../../../src/instance.ts'
import { projects } from '../../../src/store/tables/accounts.ts'
import { workers } from '../../../src/store/tables/operation.ts'
import { createJournal } from '../../../src/store/journal.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { type SinkAnswer, type SinkMessage, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { messageLines } from '../../support/tour-messages.ts'
import { dense } from '../../support/tour-values.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addPeople } from '../campaigns/support.ts'
import { type SendingTour, tourOfSending } from '../sending-tour.ts'

let world: World
let tour: SendingTour
let sink: SmtpSink
/** What the relay is told to answer to a recipient, by the beginning of its address; and what it heard. */
const answers = new Map<string, (time: number) => SinkAnswer>()
let heard: string[] = []
let taken: SinkMessage[] = []

beforeEach(async () => {
  answers.clear()
  heard = []
  taken = []
  const asked = new Map<string, number>()
  const answerTo = (command: 'RCPT' | 'DATA', address: string) => {
    const name = address.slice(0, address.indexOf('@'))
    const given = answers.get(`${command} ${name}`)
    if (!given) return undefined
    const time = (asked.get(`${command} ${name}`) ?? 0) + 1
    asked.set(`${command} ${name}`, time)
    const answer = given(time)
    if (answer) heard.push(`${command} ${address}: ${answer === 'drop' ? 'cut' : `${answer.code} ${answer.text}`}`)
    return answer
  }
  sink = await startSmtpSink({
    auth: { user: 'harbour', password: 'anchor' },
    onRcpt: (address) => answerTo('RCPT', address),
    onData(message) {
      taken.push(message)
      return answerTo('DATA', message.to[0]!)
    },
  })
  world = await createWorld()
  tour = tourOfSending(world)
  tour.name(sink.port, 'relay port')
})
afterEach(async () => {
  await world.close()
  await sink.close()
})

const refuse = (code: number, text: string) => () => ({ code, text })

/** Runs the loops, and writes what the relay heard and got, and the rows that changed. */
async function run(form: 'brief' | 'short' | 'whole' | null = 'brief'): Promise<void> {
  await world.settle()
  tour.write(
    ...heard
      .splice(0)
      .toSorted()
      .map((line) => `relay ${line}`),
  )
  const got = taken.splice(0)
  if (form) tour.write(...messageLines(got, form))
  await tour.changes()
}

const WEEKLY = 1
const RELAY = 1

const DOCUMENT = {
  version: 1,
  settings: {},
  blocks: [
    {
      id: 'a',
      type: 'text',
      props: {
        html:
          '<p>Dear {{ contact.first_name | default: friend }}, see <a href="https://tide.example/a">one</a>, <a ' +
          'href="https://tide.example/b?to={{ contact.email }}">two</a> and ' +
          '<a href="https://tide.example/c#d">three</a>.</p>',
      },
    },
    { id: 'b', type: 'footer', props: { text: 'You asked for it.', view_link: true } },
  ],
}

async function prepare(people: string[], connection: object = {}): Promise<void> {
  await world.ok('connections/create', {
    name: 'Relay',
    provider: 'smtp',
    host: sink.host,
    port: sink.port,
    secure: 'none',
    username: 'harbour',
    password: 'anchor',
    max_connections: 1,
    ...connection,
  })
  await world.ok('connections/test', { connection_id: RELAY })
  await world.ok('settings/update', {
    from_name: 'Harbour',
    from_email: 'news@harbour.example',
    reply_to: 'desk@harbour.example',
    postal_address: 'Quay 1, Hamburg',
    company_name: 'Harbour Ltd',
    default_connection_id: RELAY,
  })
  await world.ok('lists/create', { name: 'Weekly' })
  await addPeople(
    world,
    people.map((email) => ({ email, first_name: email.slice(0, 3), lists: { [WEEKLY]: 'subscribed' } })),
  )
  await tour.skip()
  heard = []
  taken = []
}

async function send(more: object = {}): Promise<number> {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides for {{ contact.first_name }}',
    audience_spec: { include: [{ type: 'list', id: WEEKLY }] },
    editor_json: DOCUMENT,
    ...more,
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.service.drain('jobs')
  return campaign.id
}

test('What becomes of the messages of a campaign is what is recorded.', async () => {
  const names = [
    'bad',
    'cut',
    'dan',
    'end',
    'fay',
    'gus',
    'hal',
    'ida',
    'jon',
    'kim',
    'lee',
    'max',
    'nan',
    'ola',
    'pam',
  ]
  await prepare(
    names.map((name, at) => `${name}@${['gmail.com', 'outlook.com', 'example.org'][at % 3]}`),
    {
      bounce_domain: 'bounces.harbour.example',
    },
  )
  await world.ok('lists/create', { name: 'Monthly' })
  answers.set('RCPT bad', refuse(550, '5.1.1 No such user'))
  answers.set('RCPT dan', refuse(550, '5.2.1 Mailbox disabled'))
  answers.set('DATA end', refuse(554, '5.7.1 This looks like spam'))
  answers.set('DATA cut', (time) => (time === 1 ? 'drop' : undefined))
  answers.set('RCPT fay', (time) => (time < 3 ? { code: 450, text: '4.2.1 Busy' } : undefined))
  answers.set('RCPT gus', refuse(451, '4.3.0 Try later'))
  answers.set('DATA hal', (time) => (time < 3 ? { code: 452, text: '4.5.3 Too many messages' } : undefined))
  answers.set('RCPT ida', refuse(501, 'What is this?'))
  answers.set('RCPT jon', (time) => (time < 2 ? { code: 421, text: '4.4.2 Closing' } : undefined))

  tour.heading('Handing over')
  const campaign_id = await send({ utm_source: 'letter', utm_campaign: 'tides' })
  await world.ok('contacts/update', { contact_id: 13, email: 'moved@example.org' })
  await world.ok('contacts/unsubscribe', { contact_id: 14 })
  await world.ok('suppressions/add', { email: 'pam@example.org' })
  await run('brief')
  await tour.call('campaigns/get', { campaign_id })
  await tour.call('campaigns/stats', { campaign_id })

  tour.heading('Later attempts')
  for (const ms of [MINUTE_MS - 3000, 2000, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS]) {
    world.clock.advance(ms)
    await run()
  }
  await tour.call('campaigns/recipients', { campaign_id, limit: 100 })
  await tour.pages('campaigns/recipients', { campaign_id, status: 'sent', limit: 3 }, ({ id }) => id)
  for (const status of ['failed', 'uncertain', 'bounced', 'skipped', 'queued'])
    await tour.pages('campaigns/recipients', { campaign_id, status }, ({ id, email }) => [id, email])
  for (const after_id of [0, 3, 14, 15])
    await tour.pages('campaigns/recipients', { campaign_id, after_id, limit: 2 }, ({ id }) => id)
  for (const type of ['sent', 'failed', 'uncertain', 'bounce', 'skipped', 'open'])
    await tour.pages('campaigns/events', { campaign_id, type }, ({ id, email }) => [id, email])
  await tour.pages('campaigns/events', { campaign_id, order: 'newest', limit: 3 }, ({ id, type }) => [id, type])
  await tour.pages('campaigns/events', { campaign_id, order: 'newest', after_id: 9, limit: 3 }, ({ id }) => id)
  await tour.pages('campaigns/events', { campaign_id, after_id: 9, limit: 3 }, ({ id }) => id)
  await tour.call('campaigns/events', { campaign_id, type: 'gone', order: 'up', after_id: -1, limit: 0 })
  await tour.call('campaigns/recipients', { campaign_id, status: 'gone', after_id: 'x' })

  tour.heading('Once more')
  await tour.call('campaigns/requeue-failed', { campaign_id }, { as: 'member' })
  answers.set('DATA end', () => undefined)
  await tour.call('campaigns/requeue-failed', { campaign_id })
  await tour.changes()
  await run()
  await tour.call('campaigns/requeue-failed', { campaign_id, include_uncertain: true }, { as: 'editor' })
  await tour.call('campaigns/pause', { campaign_id })
  await tour.call('campaigns/requeue-failed', { campaign_id, include_uncertain: true }, { as: 'editor' })
  await tour.changes()
  answers.clear()
  await tour.call('campaigns/resume', { campaign_id })
  await run()
  await tour.call('campaigns/stats', { campaign_id })
  await world.service.drain('delivery_days')
  await tour.changes()
  expectRecorded('sending/delivery.txt', tour.text())
})

const linksIn = ({ raw }: SinkMessage): string[] => {
  const text = raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return [...new Set(text.match(/\/general\/newsletter\/(?:click|open|view|unsubscribe|preferences)\/[\w.-]+/g))]
}

const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

/** A report by mail about the message of a recipient. */
function report(message: SinkMessage, id: string, fields: string, more = ''): string {
  const message_id = /^Message-ID: (.*?)\r$/m.exec(message.raw.toString())![1]!
  return `From: MAILER-DAEMON@mx.example\nTo: <${message.from}>\nMessage-ID: <${id}@mx.example>${more}
Content-Type: multipart/report; report-type=delivery-status; boundary=cut

--cut
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

${fields}
--cut
Content-Type: text/rfc822-headers

Message-ID: ${message_id}
--cut--
`.replaceAll('\n', '\r\n')
}

const complaint = (message: SinkMessage, id: string, type: string) =>
  report(message, id, '').replace(
    /Content-Type: message\/delivery-status[^]*?--cut/,
    `Content-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\n` +
      `Original-Rcpt-To: ${message.to[0]}\r\n--cut`,
  )

test('What recipients and their servers do with messages is what is recorded.', async () => {
  const names = ['ada', 'bob', 'cut', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida', 'jon', 'kim']
  await prepare(
    names.map((name, at) => `${name}@${['gmail.com', 'icloud.com', 'gmx.de', 'example.org'][at % 4]}`),
    {
      bounce_domain: 'bounces.harbour.example',
    },
  )
  answers.set('DATA cut', () => 'drop')
  const campaign_id = await send({ utm_source: 'letter', utm_medium: 'e mail' })
  await world.settle()
  const messages = taken.toSorted((one, other) => (one.to[0]! < other.to[0]! ? -1 : 1))
  const linksOf = new Map(messages.map((message) => [message.to[0]!.slice(0, 3), linksIn(message)]))
  const link = (name: string, page: string, number = 1) =>
    linksOf.get(name)!.filter((path) => path.includes(`/${page}/`))[number - 1]!
  await tour.skip()

  tour.heading('Opens and clicks')
  const visit = (sentence: string, name: string, page: string, number?: number, headers: object = BROWSER) =>
    tour.visit(sentence, link(name, page, number), { headers: headers as Record<string, string> })
  world.clock.advance(2 * MINUTE_MS)
  await visit('Ada opens.', 'ada', 'open')
  await visit('Ada opens again.', 'ada', 'open')
  await visit('A prefetcher opens.', 'bob', 'open', 1, { 'User-Agent': 'Mozilla/5.0' })
  await visit('A browser prefetches.', 'bob', 'open', 1, { ...BROWSER, 'Sec-Purpose': 'prefetch' })
  await visit('Bob opens later.', 'bob', 'open')
  await visit('Dan clicks the second link.', 'dan', 'click', 2)
  await visit('Dan clicks the third link.', 'dan', 'click', 3)
  await visit('Dan clicks the third link again.', 'dan', 'click', 3)
  await visit('Ada clicks the third link.', 'ada', 'click', 3)
  await visit('A scanner clicks.', 'eve', 'click', 1, { 'User-Agent': 'curl/8' })
  await visit('Who got the doubtful message opens it.', 'cut', 'open')
  await tour.visit('A changed link opens nothing.', link('ada', 'open').slice(0, -1) + '-', { headers: BROWSER })
  await tour.visit('A link of another kind opens nothing.', link('ada', 'open').replace('open', 'click'))
  await tour.changes()
  await tour.call('campaigns/stats', { campaign_id })

  tour.heading('The message in the browser')
  const shown = await visit('Fay views the message.', 'fay', 'view')
  await world.ok('contacts/update', { contact_id: 6, first_name: 'Changed' })
  const again = await visit('It stays as it was sent.', 'fay', 'view')
  tour.write(`The same: ${again === shown}`)

  tour.heading('Reports by mail')
  const { urls } = await world.ok('connections/webhook-urls', { connection_id: RELAY })
  const path = new URL(urls[0].url).pathname
  const post = (sentence: string, body: string, type = 'message/rfc822') =>
    tour.visit(sentence, path, { method: 'POST', headers: { 'Content-Type': type }, body })
  const to = (name: string) => messages.find((message) => message.to[0]!.startsWith(name))!
  const failed = (status: string, text = '') =>
    `Final-Recipient: rfc822; someone@else.example\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${text}\n`
  await post('A hard bounce.', report(to('gus'), 'one', failed('5.1.1', '550 5.1.1 Unknown')))
  await post('The same bounce again.', report(to('gus'), 'one', failed('5.1.1', '550 5.1.1 Unknown')))
  await post('Another bounce of the message.', report(to('gus'), 'two', failed('5.1.2', '550 5.1.2 Unknown')))
  await post('A soft bounce.', report(to('hal'), 'three', failed('4.2.2', '452 4.2.2 Full')))
  await post('A second soft bounce of the message.', report(to('hal'), 'four', failed('4.2.2', '452 4.2.2 Full')))
  await post('A soft bounce that stays.', report(to('bob'), 'soft', failed('5.7', 'Full')))
  await post('A complaint.', complaint(to('ida'), 'five', 'abuse'))
  await post('A complaint again.', complaint(to('ida'), 'six', 'fraud'))
  await post('An opt-out.', complaint(to('jon'), 'seven', 'opt-out'))
  await post('Not spam.', complaint(to('kim'), 'eight', 'not-spam'))
  await post('A delivery.', report(to('hal'), 'nine', 'Final-Recipient: rfc822; hal@example.org\nAction: delivered\n'))
  await post('A delay.', report(to('kim'), 'ten', 'Final-Recipient: rfc822; kim@gmx.de\nAction: delayed\n'))
  await post('A wrong type.', '{}', 'application/json')
  await post('No report.', 'Subject: Hello\r\n\r\nHello.\r\n')
  await tour.changes()
  const token = link('eve', 'unsubscribe').split('/').at(-1)!
  await post('A mail that unsubscribes.', `Subject: unsubscribe ${token}\r\n\r\n`)
  await post('A mail that unsubscribes again.', `Subject: Re: unsubscribe ${token}\r\n\r\n`)
  await visit('Kim unsubscribes with a click.', 'kim', 'unsubscribe').then(() => undefined)
  await tour.visit('Her mail program does.', link('kim', 'unsubscribe'), {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
  })
  await tour.changes()
  await tour.call('campaigns/stats', { campaign_id })
  await tour.pages('campaigns/events', { campaign_id, limit: 100 }, ({ type, email, detail }) => [type, email, detail])

  tour.heading('Deliverability')
  await world.service.drain('delivery_days')
  await tour.route('member', '/project/deliverability/get', {})
  await tour.route('outsider', '/project/deliverability/get', {})
  await tour.route('owner', '/project/deliverability/get', { days: 91 })
  world.clock.advance(DAY_MS)
  await visit('Bob opens on the next day.', 'bob', 'open')
  await visit('Gus opens on the next day.', 'fay', 'open')
  await world.service.drain('delivery_days')
  await tour.route('member', '/project/deliverability/get', { days: 1 })
  await tour.changes()

  tour.heading('After a deletion')
  await world.ok('contacts/delete', { contact_id: 1 })
  await world.ok('contacts/delete', { contact_id: 7 })
  await world.service.drain('maintenance')
  await visit('The view of who was deleted is gone.', 'ada', 'view')
  await visit('A click of who was deleted leads on.', 'ada', 'click', 2)
  await visit('The page to unsubscribe is gone.', 'gus', 'unsubscribe')
  await tour.pages('campaigns/recipients', { campaign_id, limit: 100 }, ({ id, email, last_error }) => [
    id,
    email,
    last_error,
  ])
  await tour.pages('campaigns/events', { campaign_id, limit: 100 }, ({ type, email, detail }) => [type, email, detail])
  await tour.changes()
  await world.ok('campaigns/delete', { campaign_id })
  await visit('A click in a message of a deleted campaign leads on.', 'bob', 'click')
  await visit('Its view stays.', 'bob', 'view')
  for (const days of [1, 34, 145, 240]) {
    world.clock.advance(days * DAY_MS)
    await world.service.drain('maintenance')
    tour.write(`After ${days} days more`)
    await tour.changes()
  }
  expectRecorded('sending/reactions.txt', tour.text())
})

test('What holds campaigns back, and what dead workers leave, is what is recorded.', async () => {
  const domains = ['gmail.com', 'example.org', 'gmail.com', 'mail.example.org']
  const people = Array.from({ length: 12 }, (_, at) => `p${String(at + 1).padStart(2, '0')}@${domains[at % 4]}`)
  await prepare(people)
  const { db, write } = world.service.runtime.store
  const run_sql = (statement: SQL) => write((tx) => tx.run(statement))
  const counts = async () => {
    const rows = await db.all<{ campaign_id: number; status: string; n: number }>(sql`
      SELECT campaign_id, status, count(*) AS n FROM deliveries GROUP BY 1, 2 ORDER BY 1, 2`)
    const of = Map.groupBy(rows, ({ campaign_id }) => campaign_id)
    return [...of]
      .map(([id, counted]) => `${id} ${counted.map(({ status, n }) => `${status} ${n}`).join(', ')}`)
      .join(' | ')
  }
  const step = async (sentence: string, campaign_id: number) => {
    await world.settle()
    tour.write(
      `- ${sentence}`,
      ...new Set(heard.splice(0).map((line) => `  relay ${line.replace(/p\d\d@[a-z.]+/, '…')}`)),
    )
    const { campaign } = await world.ok('campaigns/get', { campaign_id })
    tour.write(
      `  ${taken.splice(0).length} messages, ${campaign.status}`,
      `  ${JSON.stringify(campaign.waiting)} ${JSON.stringify(campaign.failure)}`,
      `  ${await counts()}`,
    )
  }
  const queue = async () => {
    const rows = await db.all<{ email: string; attempts: number; next_attempt_at: number; last_error: string | null }>(
      sql`SELECT email, attempts, next_attempt_at, last_error FROM deliveries
        WHERE status = 'queued' AND next_attempt_at > 0 ORDER BY id`,
    )
    const lines = rows.map(({ email, attempts, next_attempt_at, last_error }) =>
      `${email.slice(0, 3)} ${attempts} in ${next_attempt_at - world.clock.now()} ms ${last_error ?? ''}`.trim(),
    )
    const buckets = await db.all<{ lane: string; tokens: number; refilled_at: number }>(
      sql`SELECT * FROM send_buckets ORDER BY lane`,
    )
    const filled = buckets.map(
      ({ lane, tokens, refilled_at }) => `${lane} ${tokens} ${world.clock.now() - refilled_at}`,
    )
    tour.write(`  ${lines.join(', ')}`, `  ${filled.join(', ')}`)
  }
  const deliverability = () => tour.route('member', '/project/deliverability/get', { days: 90 })
  const connection = (more: object) => world.ok('connections/update', { connection_id: RELAY, ...more })
  const limitCheck = async (campaign_id: number) => {
    const { checks } = await world.ok('campaigns/readiness', { campaign_id })
    tour.write(...checks.slice(6, 9).map((check: object) => `  ${JSON.stringify(check)}`))
  }

  tour.heading('Limits')
  const first = await send()
  await connection({ max_per_day: 5 })
  await step('A limit of a day is reached.', first)
  await limitCheck(first)
  world.clock.advance(24 * HOUR_MS)
  await step('A day later the first hour counts still.', first)
  world.clock.advance(HOUR_MS - 1)
  await step('So it does until the hour ends.', first)
  world.clock.advance(1)
  await step('Then as many leave as before.', first)
  await connection({ max_per_day: 14 })
  await limitCheck(first)
  await connection({ max_per_day: 1000 })
  await step('The limit is lifted.', first)
  const second = await send()
  await write((tx) => tx.update(projects).set({ monthly_limit: 20 }).where(eq(projects.id, world.project.id)))
  await step('The limit of the plan is reached.', second)
  await limitCheck(second)
  world.clock.advance(15 * DAY_MS + 14 * HOUR_MS - 1)
  await step('So it is until the month ends.', second)
  world.clock.advance(1)
  await step('Then messages leave again.', second)
  await write((tx) => tx.update(projects).set({ monthly_limit: null }).where(eq(projects.id, world.project.id)))

  tour.heading('Warm-up')
  const warm = await send({ subject: 'Warm' })
  await connection({ warm_up: true, max_per_day: null })
  await limitCheck(warm)
  const hour = Math.floor(world.clock.now() / HOUR_MS)
  await run_sql(sql`INSERT INTO sending_hours (project_id, connection_id, hour, sent) VALUES (101, 1, ${hour}, 190)
    ON CONFLICT DO UPDATE SET sent = 190`)
  await limitCheck(warm)
  await step('The limit of the first day is reached.', warm)
  for (const days of [1, 40]) {
    world.clock.advance(days * DAY_MS)
    await step(`${days} days later.`, warm)
    await limitCheck(warm)
  }
  await connection({ warm_up: false })

  tour.heading('Limits of mailbox providers')
  await connection({ mailbox_limits: { gmail: 0.01, 'example.org': 0.02, 'mail.example.org': 1 } })
  const third = await send()
  await step('Few leave at once.', third)
  await queue()
  await deliverability()
  for (const seconds of [50, 50, 400]) {
    world.clock.advance(seconds * 1000)
    await step(`${seconds} seconds later.`, third)
    await queue()
  }
  world.clock.advance(-10 * MINUTE_MS)
  await step('The clock is set back a little.', third)
  await queue()
  world.clock.advance(-HOUR_MS)
  await step('The clock is set back.', third)
  await queue()
  await connection({ mailbox_limits: null })
  world.clock.advance(3 * HOUR_MS)
  await step('The limits are lifted.', third)

  tour.heading('A relay that cannot be reached')
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  tour.name(port, 'closed port')
  await connection({ port })
  await run_sql(sql`UPDATE connections SET verified_at = 1`)
  const fourth = await send()
  await step('Nobody answers.', fourth)
  await queue()
  for (const seconds of [4, 30, 30, 300]) {
    world.clock.advance(seconds * 1000)
    await step(`Nobody answers ${seconds} seconds later.`, fourth)
    await queue()
  }
  world.clock.advance(72 * HOUR_MS)
  await step('Nobody answers for days.', fourth)
  await tour.call('campaigns/cancel', { campaign_id: fourth })
  await connection({ port: sink.port })
  await world.ok('connections/test', { connection_id: RELAY })
  world.clock.advance(HOUR_MS)

  tour.heading('A relay that refuses')
  const fifth = await send()
  await connection({ username: 'other' })
  await step('The connection was not tested.', fifth)
  await tour.call('campaigns/resume', { campaign_id: fifth })
  await connection({ username: 'harbour' })
  await world.ok('connections/test', { connection_id: RELAY })
  for (const name of people) answers.set(`DATA ${name.slice(0, 3)}`, refuse(554, '5.7.1 We do not like you'))
  await tour.call('campaigns/resume', { campaign_id: fifth })
  await step('The relay refuses all.', fifth)
  await tour.call('connections/list', {})
  await tour.call('campaigns/requeue-failed', { campaign_id: fifth })
  answers.clear()
  await tour.call('campaigns/resume', { campaign_id: fifth })
  await step('The relay takes all.', fifth)
  await tour.call('connections/list', {})

  tour.heading('Complaints')
  const unwelcome = await send({ subject: 'Unwelcome' })
  await run_sql(sql`UPDATE campaigns SET handed_over = 488 WHERE id = ${unwelcome}`)
  const complain = (contact_id: number) =>
    run_sql(sql`INSERT INTO events (project_id, type, campaign_id, delivery_id, contact_id, email, at)
      SELECT 101, 'complaint', campaign_id, id, contact_id, email, ${world.clock.now()} FROM deliveries
      WHERE campaign_id = ${unwelcome} AND contact_id = ${contact_id}`)
  await complain(1)
  await complain(2)
  await complain(2)
  await step('Two of 500 complained.', unwelcome)
  await tour.call('campaigns/resume', { campaign_id: unwelcome })
  await step('People resume it.', unwelcome)
  const spoil = (campaign_id: number, bounced: number, handed_over: number) =>
    run_sql(sql`UPDATE campaigns SET handed_over = ${handed_over} WHERE id = ${campaign_id}`).then(() =>
      run_sql(sql`UPDATE deliveries SET status = 'bounced' WHERE id IN (
        SELECT id FROM deliveries WHERE campaign_id = ${campaign_id} ORDER BY id LIMIT ${bounced})`),
    )
  await spoil(first, 1, 50)
  await spoil(second, 1, 51)
  await spoil(warm, 1, 49)
  await spoil(third, 3, 60)
  await spoil(fifth, 5, 101)
  await world.service.drain('delivery_days')
  await deliverability()

  tour.heading('What dead workers leave')
  const sixth = await send()
  await tour.skip()
  const now = world.clock.now()
  const journal = createJournal(journalFolder(world.service.runtime.config), 'wrk_dead')
  await write((tx) =>
    tx.insert(workers).values({ id: 'wrk_dead', host: 'here', pid: 1, started_at: now - 10, alive_until: now - 1 }),
  )
  const [from] = await db.all<{ id: number }>(sql`SELECT min(id) AS id FROM deliveries WHERE campaign_id = ${sixth}`)
  const id = (number: number) => from!.id + number
  const hold = (status: string, lease: string, ...numbers: number[]) =>
    run_sql(sql`
      UPDATE deliveries SET status = ${status}, worker_id = 'wrk_dead', lease_id = ${lease}, attempts = 1,
        message_id = 'held-' || id
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(numbers.map(id))}))`)
  await hold('sending', 'lease-a', 0, 1, 2, 3)
  await hold('sending', 'lease-b', 4, 5, 6, 7)
  await hold('leased', 'lease-b', 8, 9)
  await hold('sending', 'lease-c', 10)
  await run_sql(sql`UPDATE campaigns SET handed_over = 9, status = 'paused' WHERE id = ${sixth}`)
  const page = journal.open('lease-a', RELAY)
  const other = journal.open('lease-b', 77)
  for (const number of [0, 1, 2]) page.begin(id(number))
  page.answer(id(0), { status: 'sent' })
  page.answer(id(1), { status: 'bounced', error: '550 5.1.1 Gone' })
  for (const number of [4, 5, 6]) other.begin(id(number))
  other.answer(id(4), { status: 'retry', error: '450 Later', due_at: now + 60_000 })
  other.answer(id(5), { status: 'failed', error: '554 No' })
  await step('A worker died.', sixth)
  await tour.changes()
  const { sending, campaigns_in_doubt } = await world.ok('overview')
  tour.write(dense({ sending, campaigns_in_doubt }))
  await tour.call('campaigns/cancel', { campaign_id: sixth })
  await step('The campaign is canceled.', sixth)
  expectRecorded('sending/limits.txt', tour.text())
})
