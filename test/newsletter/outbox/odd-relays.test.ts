import { afterAll, beforeAll, expect, test } from 'bun:test'
import { manyContacts, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type RawPeer, type RawSmtp, startRawSmtp } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'

/** Relays that do what no relay should: each campaign ends, with every recipient accounted for and told. */

const RECIPIENTS = 12
const MINUTE_MS = 60_000
/** Every pause between two tries, and the 72 hours after which a relay is given up. */
const PAUSES_MS = [1, 5, 15, 30, 73 * 60].map((minutes) => minutes * MINUTE_MS)

/** What a relay says: a reply, nothing more ever, the end of the connection, or a reply of one byte a second. */
type Reply = string | 'silence' | 'drop' | { slowly: string }

/** Answers one command of a connection; undefined is the proper answer. */
interface Oddity {
  greeting?(): Reply
  rcpt?(email: string, try_of_it: number): Reply | undefined
  data?(): Reply
  /** After the final dot. `taken`: the relay has the message. */
  content?(try_of_it: number): { reply: Reply; taken: boolean }
}

const ODDITIES: Record<string, Oddity> = {
  'hangs at its greeting': { greeting: () => 'silence' },
  'speaks another protocol': { greeting: () => 'HTTP/1.1 400 Bad Request' },
  'says it is too busy': { greeting: () => '421 4.3.2 too busy' },
  'hangs at the final dot': { content: () => ({ reply: 'silence', taken: true }) },
  'answers one byte a second': { content: () => ({ reply: { slowly: '250 2.0.0 taken' }, taken: true }) },
  'says 421 in mid-stream': {
    content: (tried) =>
      tried === 1 ? { reply: '421 4.4.2 closing', taken: false } : { reply: '250 2.0.0 taken', taken: true },
  },
  'says 421 to a recipient': { rcpt: (_, tried) => (tried === 1 ? '421 4.3.0 restarting' : undefined) },
  'hangs at DATA': { data: () => 'silence' },
  'closes after the content': { content: () => ({ reply: 'drop', taken: true }) },
  greylists: { rcpt: (_, tried) => (tried === 1 ? '451 4.7.1 try again later' : undefined) },
  'refuses every tenth': { rcpt: (email) => (/0@/.test(email) ? '550 5.7.1 not to you' : undefined) },
  'suspends the account': { rcpt: () => '550 5.7.1 account suspended' },
  'closes at every DATA': { data: () => 'drop' },
  'takes the content and refuses it': { content: () => ({ reply: '554 5.7.1 spam', taken: false }) },
}

interface End {
  /** What has become of the recipients. */
  counts: Record<string, number>
  /** What is told of each of those who have no message. */
  told?: string
  /** What the campaign said that it waits for, and the error that it gave. */
  waited?: [reason: string, error: string]
}

const UNREACHED = 'The server could not be reached.'
const CLOSED = 'Connection closed unexpectedly'
const ENDS: Record<string, End> = {
  'hangs at its greeting': { counts: { failed: 12 }, told: UNREACHED, waited: ['relay', UNREACHED] },
  'speaks another protocol': { counts: { failed: 12 }, told: UNREACHED, waited: ['relay', UNREACHED] },
  'says it is too busy': { counts: { failed: 12 }, told: UNREACHED, waited: ['relay', UNREACHED] },
  'hangs at the final dot': { counts: { uncertain: 12 }, told: 'Timeout' },
  'answers one byte a second': { counts: { uncertain: 12 }, told: 'Timeout' },
  'says 421 in mid-stream': { counts: { sent: 12 }, waited: ['retry', '421 4.4.2 closing'] },
  'says 421 to a recipient': { counts: { sent: 12 }, waited: ['retry', '421 4.3.0 restarting'] },
  'hangs at DATA': { counts: { failed: 12 }, told: 'Timeout', waited: ['retry', 'Timeout'] },
  'closes after the content': { counts: { uncertain: 12 }, told: CLOSED },
  greylists: { counts: { sent: 12 }, waited: ['retry', '451 4.7.1 try again later'] },
  'refuses every tenth': { counts: { sent: 10, failed: 2 }, told: '550 5.7.1 not to you' },
  'suspends the account': { counts: { failed: 12 }, told: '550 5.7.1 account suspended' },
  'closes at every DATA': { counts: { failed: 12 }, told: CLOSED, waited: ['retry', CLOSED] },
  'takes the content and refuses it': { counts: { failed: 12 }, told: '554 5.7.1 spam' },
}

let world: World
let isOdd = false
const relays: RawSmtp[] = []
/** How often a relay took a message of its campaign, by relay and address. */
const taken = new Map<string, number>()
const campaigns = new Map<string, number>()
/** Why a campaign paused by itself. */
const braked = new Map<string, string>()
/** What a campaign first waited for. */
const waited = new Map<string, [reason: string, error: string]>()

async function serve(name: string, peer: RawPeer): Promise<void> {
  const oddity = isOdd ? ODDITIES[name]! : {}
  let email = ''
  const say = async (reply: Reply): Promise<boolean> => {
    if (reply === 'drop') peer.drop()
    else if (typeof reply === 'object') for (const byte of `${reply.slowly}\r\n`) await slowly(peer, byte)
    else if (reply !== 'silence') peer.say(reply)
    return reply !== 'drop'
  }
  if (!(await say(oddity.greeting?.() ?? '220 relay'))) return
  for (;;) {
    const command = await peer.hear()
    const verb = command.slice(0, 4).toUpperCase()
    if (verb === 'RCPT') {
      email = /<([^>]*)>/.exec(command)![1]!
      const tried = (tries.get(`${name} ${email}`) ?? 0) + 1
      tries.set(`${name} ${email}`, tried)
      if (!(await say(oddity.rcpt?.(email, tried) ?? '250 ok'))) return
    } else if (verb === 'DATA') {
      const reply = oddity.data?.() ?? '354 go on'
      if (!(await say(reply))) return
      await peer.hearUntil('.')
      const end = oddity.content?.(tries.get(`${name} ${email}`) ?? 0) ?? { reply: '250 2.0.0 taken', taken: true }
      if (end.taken) taken.set(`${name} ${email}`, (taken.get(`${name} ${email}`) ?? 0) + 1)
      if (!(await say(end.reply))) return
    } else if (verb === 'EHLO') peer.say('250-relay', '250 8BITMIME')
    else if (verb === 'QUIT') return peer.drop()
    else peer.say('250 ok')
  }
}
const tries = new Map<string, number>()

async function slowly(peer: RawPeer, byte: string): Promise<void> {
  peer.write(byte)
  await Bun.sleep(1000)
}

beforeAll(async () => {
  world = await createWorld({ relay_silence_seconds: 1 })
  await world.ok('settings/update', {
    from_name: 'Harbour',
    from_email: 'news@harbour.example',
    company_name: 'Harbour Ltd',
    postal_address: '1 Quay Street',
  })
  const { list } = await world.ok('lists/create', { name: 'Tides' })
  await manyContacts(world.service.runtime.store, world.project.id, list.id, RECIPIENTS, world.clock.now())
  for (const name of Object.keys(ODDITIES)) {
    const relay = await startRawSmtp((peer) => serve(name, peer))
    relays.push(relay)
    const server = {
      name,
      provider: 'smtp',
      host: relay.host,
      port: relay.port,
      secure: 'none',
      max_connections: RECIPIENTS,
    }
    const { connection } = await world.ok('connections/create', server)
    expect((await world.ok('connections/test', { connection_id: connection.id })).ok).toBe(true)
    const made = await world.ok('campaigns/create', {
      subject: name,
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list.id }] },
      connection_id: connection.id,
    })
    campaigns.set(name, made.campaign.id)
  }
  isOdd = true
  for (const campaign_id of campaigns.values()) await world.ok('campaigns/send', { campaign_id })
  await world.settle()
  for (const [name, campaign_id] of campaigns) {
    const { campaign } = await world.ok('campaigns/get', { campaign_id })
    if (campaign.waiting) waited.set(name, [campaign.waiting.reason, campaign.waiting.error])
  }
  for (const pause_ms of PAUSES_MS) {
    world.clock.advance(pause_ms)
    await world.settle()
    for (const [name, campaign_id] of campaigns) {
      const { campaign } = await world.ok('campaigns/get', { campaign_id })
      if (campaign.status !== 'paused') continue
      // The brake paused it, and people resume it.
      if (!braked.has(name)) braked.set(name, campaign.failure.reason)
      await world.ok('campaigns/resume', { campaign_id })
    }
    await world.settle()
  }
}, 300_000)

afterAll(async () => {
  await world.close()
  for (const relay of relays) await relay.close()
})

test.each(Object.keys(ODDITIES))(
  'A campaign through a relay that %s ends with everyone accounted for.',
  async (name) => {
    const campaign_id = campaigns.get(name)!
    const { campaign } = await world.ok('campaigns/get', { campaign_id })
    const { items } = await world.ok('campaigns/recipients', { campaign_id, limit: 200 })
    const counts: Record<string, number> = {}
    for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1
    const { told, waited: wait, ...end } = ENDS[name]!
    // What may have arrived counts as sent; a campaign of which nothing was accepted does not.
    const isSent = end.counts.failed !== RECIPIENTS
    expect([counts, campaign.status, waited.get(name)]).toEqual([end.counts, isSent ? 'sent' : 'paused', wait])
    if (!isSent) expect(campaign.failure.reason).toEndWith(`The first message ended with: ${told}`)
    expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({
      ...{ recipients: RECIPIENTS, sent: 0, failed: 0, uncertain: 0, queued: 0, skipped: 0, cancelled: 0 },
      ...counts,
    })

    const copies = items.map(({ email, status }: any) => [status, taken.get(`${name} ${email}`) ?? 0])
    expect(copies.filter(([, times]: any) => times > 1)).toEqual([])
    expect(
      copies.filter(([status, times]: any) => (status === 'sent') !== (times === 1) && status !== 'uncertain'),
    ).toEqual([])
    // Whoever has no message is told why.
    const errors = items.filter(({ status }: any) => status !== 'sent').map(({ last_error }: any) => last_error)
    expect(errors).toEqual(errors.map(() => told))
    // The connection says so too, unless the relay works but for some recipients.
    const { items: connections } = await world.ok('connections/list')
    const { last_error } = connections.find((connection: any) => connection.name === name)
    expect(last_error).toEqual(end.counts.sent === undefined ? expect.stringContaining(told!) : null)
  },
)

test('The campaigns whose relay refused or lost most messages paused, and said what the relay said.', () => {
  const failing = Object.entries(ENDS).filter(([, { counts }]) => counts.sent === undefined)
  expect(Object.fromEntries(braked)).toEqual(
    Object.fromEntries(
      failing.map(([name, { told }]) => [name, `Paused automatically: the relay fails. It said: ${told}`]),
    ),
  )
})
