import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { manyContacts, SAMPLE_DOCUMENT, readyToSend } from '../../support/campaigns.ts'
import { type SinkAnswer, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'

/** A relay in a bad mood: it refuses, drops and answers as a hash of address and try says, so every run is the same. */

const RECIPIENTS = 400
/** Every pause between two tries, and one more for what came late. */
const MINUTES = [1, 5, 15, 30, 60]

type Mood = 'fine' | 'rcpt 4xx' | 'rcpt 5xx' | 'no such user' | 'rcpt drop' | 'data 4xx' | 'data 5xx' | 'data drop'
const MOODS: Mood[] = [
  'fine',
  'fine',
  'fine',
  'rcpt 4xx',
  'rcpt 5xx',
  'no such user',
  'rcpt drop',
  'data 4xx',
  'data 5xx',
  'data drop',
]

const tries = new Map<string, number>()
const moodOf = (email: string): Mood =>
  MOODS[
    createHash('sha256')
      .update(`${email} ${tries.get(email)}`)
      .digest()
      .readUInt32BE() % MOODS.length
  ]!
/** What the relay said to each address, in order. */
const said = new Map<string, Mood[]>()

const AT_RCPT: Partial<Record<Mood, SinkAnswer>> = {
  'rcpt 4xx': { code: 451, text: '4.3.0 later' },
  'rcpt 5xx': { code: 550, text: '5.7.1 not you' },
  'no such user': { code: 550, text: '5.1.1 who?' },
  'rcpt drop': 'drop',
}
const AT_DATA: Partial<Record<Mood, SinkAnswer>> = {
  'data 4xx': { code: 451, text: '4.3.0 later' },
  'data 5xx': { code: 554, text: '5.6.0 no' },
  'data drop': 'drop',
}

let sink: SmtpSink
let world: World
let campaign_id: number

beforeAll(async () => {
  sink = await startSmtpSink({
    onRcpt(email) {
      tries.set(email, (tries.get(email) ?? 0) + 1)
      said.set(email, [...(said.get(email) ?? []), moodOf(email)])
      return AT_RCPT[moodOf(email)]
    },
    onData: ({ to }) => AT_DATA[moodOf(to[0]!)],
  })
  world = await createWorld()
  const { list_id } = await readyToSend(world, {
    name: 'Moody',
    provider: 'smtp',
    host: sink.host,
    port: sink.port,
    secure: 'none',
  })
  await manyContacts(world.service.runtime.store, world.project.id, list_id, RECIPIENTS, world.clock.now())
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  campaign_id = campaign.id
  await world.ok('campaigns/send', { campaign_id })
  await world.settle()
  for (const minutes of MINUTES) {
    world.clock.advance(minutes * 60_000)
    await world.settle()
    // Such a relay trips the brake, which pauses the campaign each time until people resume it.
    while ((await world.ok('campaigns/get', { campaign_id })).campaign.status === 'paused') {
      await world.ok('campaigns/resume', { campaign_id })
      await world.settle()
    }
  }
})

afterAll(async () => {
  await world.close()
  await sink.close()
})

test('Every recipient ends in the state that the last answer means, and none has two copies.', async () => {
  const states = new Map<string, string>()
  for (let after_id = 0; ;) {
    const { items } = await world.ok('campaigns/recipients', {
      campaign_id,
      limit: 200,
      ...(after_id ? { after_id } : {}),
    })
    for (const { email, status } of items) states.set(email, status)
    if (items.length === 0) break
    after_id = items.at(-1).id
  }
  const expected = new Map([...said].map(([email, moods]) => [email, meaning(moods)]))
  expect([...states].sort()).toEqual([...expected].sort())
  expect(new Set([...states.values()])).toEqual(new Set(['sent', 'failed', 'bounced', 'uncertain']))

  const copies = new Map<string, number>()
  for (const { to } of sink.messages) copies.set(to[0]!, (copies.get(to[0]!) ?? 0) + 1)
  expect([...copies.values()].every((count) => count === 1)).toBe(true)
  expect((await world.ok('campaigns/get', { campaign_id })).campaign.status).not.toBe('sending')
})

test('Addresses that do not exist are suppressed, and no others.', async () => {
  const gone = [...said]
    .filter(([, moods]) => moods.at(-1) === 'no such user')
    .map(([email]) => email)
    .sort()
  const { items } = await world.ok('suppressions/list', { limit: 200 })
  expect(items.map(({ email }: { email: string }) => email).sort()).toEqual(gone)
})

function meaning(moods: Mood[]): string {
  const last = moods.at(-1)!
  if (last === 'fine') return 'sent'
  if (last === 'no such user') return 'bounced'
  if (last === 'data drop') return 'uncertain'
  return 'failed'
}
