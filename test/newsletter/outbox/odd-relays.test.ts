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
  'closes after the content': { content: () => ({ reply: 'drop', taken: true }) },
  greylists: { rcpt: (_, tried) => (tried === 1 ? '451 4.7.1 try again later' : undefined) },
  'refuses every tenth': { rcpt: (email) => (/0@/.test(email) ? '550 5.7.1 not to you' : undefined) },
  'suspends the account': { rcpt: () => '550 5.7.1 account suspended' },
  'closes at every DATA': { data: () => 'drop' },
  'takes the content and refuses it': { content: () => ({ reply: '554 5.7.1 spam', taken: false }) },
}

/** What has become of the recipients in the end. */
const ENDS: Record<string, Record<string, number>> = {
  'hangs at its greeting': { failed: 12 },
  'speaks another protocol': { failed: 12 },
  'says it is too busy': { failed: 12 },
  'hangs at the final dot': { uncertain: 12 },
  'answers one byte a second': { uncertain: 12 },
  'says 421 in mid-stream': { sent: 12 },
  'closes after the content': { uncertain: 12 },
  greylists: { sent: 12 },
  'refuses every tenth': { sent: 10, failed: 2 },
  'suspends the account': { failed: 12 },
  'closes at every DATA': { failed: 12 },
  'takes the content and refuses it': { failed: 12 },
}

let world: World
let isOdd = false
const relays: RawSmtp[] = []
/** How often a relay took a message of its campaign, by relay and address. */
const taken = new Map<string, number>()
const campaigns = new Map<string, number>()
/** Why a campaign paused by itself. */
const braked = new Map<string, string>()

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
  for (const pause_ms of PAUSES_MS) {
    world.clock.advance(pause_ms)
    await world.settle()
    for (const [name, campaign_id] of campaigns) {
      const { campaign } = await world.ok('campaigns/get', { campaign_id })
      if (campaign.status !== 'paused') continue
      // The brake paused it, and people resume it.
      braked.set(name, campaign.failure.reason)
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
    expect([counts, campaign.status]).toEqual([ENDS[name]!, 'sent'])

    const copies = items.map(({ email, status }: any) => [status, taken.get(`${name} ${email}`) ?? 0])
    expect(copies.filter(([, times]: any) => times > 1)).toEqual([])
    expect(
      copies.filter(([status, times]: any) => (status === 'sent') !== (times === 1) && status !== 'uncertain'),
    ).toEqual([])
    // Whoever has no message is told why.
    for (const { status, last_error } of items) if (status !== 'sent') expect(last_error).toBeString()
  },
)

test('The campaigns whose relay refused or lost most messages paused, and said what the relay said.', () => {
  expect(Object.fromEntries(braked)).toEqual({
    'hangs at the final dot': expect.stringContaining('Timeout'),
    'answers one byte a second': expect.stringContaining('Timeout'),
    'closes after the content': expect.stringContaining('Connection closed unexpectedly'),
    'suspends the account': expect.stringContaining('It said: 550 5.7.1 account suspended'),
    'closes at every DATA': expect.stringContaining('Connection closed unexpectedly'),
    'hangs at its greeting': expect.stringContaining('could not be reached'),
    'speaks another protocol': expect.stringContaining('could not be reached'),
    'says it is too busy': expect.stringContaining('It said: 421 4.3.2 too busy'),
    'takes the content and refuses it': expect.stringContaining('It said: 554 5.7.1 spam'),
  })
})
