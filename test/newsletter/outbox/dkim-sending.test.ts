import { afterEach, beforeEach, expect, test } from 'bun:test'
import { authenticate } from 'mailauth'
import { deleteDkimKey, type DkimKeyRow } from '../../../src/newsletter/connections/dkim-keys.ts'
import { dkimRecords } from '../../../src/newsletter/connections/dkim-records.ts'
import { createDkimKey, verifyDkimKeys } from '../../support/dkim.ts'
import { SAMPLE_DOCUMENT, readyToSend } from '../../support/campaigns.ts'
import { type SinkMessage, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'
import { resolve, verdictsOn, type Zone } from '../../mail/dkim-verifier.ts'

/** From `campaigns/send` to a receiver that checks who sent the message. */

let sink: SmtpSink
let world: World
let list_id: number
let key: DkimKeyRow
let zone: Zone

beforeEach(async () => {
  sink = await startSmtpSink()
  world = await createWorld()
  ;({ list_id } = await readyToSend(world, {
    name: 'Relay',
    provider: 'smtp',
    host: sink.host,
    port: sink.port,
    secure: 'none',
  }))
  for (const name of ['ada', 'bo', 'cy'])
    await world.ok('contacts/upsert', {
      email: `${name}@example.com`,
      first_name: `Zoë ${name}`,
      list_ids: [list_id],
      consent_text: 'Yes',
    })
  key = await createDkimKey(
    world.service.runtime,
    world.project.id,
    { domain: 'harbour.example', algorithm: 'rsa-sha256' },
    world.clock.now(),
  )
  const [record] = dkimRecords([key])
  zone = { [record!.name]: record!.value, '_dmarc.harbour.example': 'v=DMARC1; p=reject; adkim=s' }
})
afterEach(async () => {
  await world.close()
  await sink.close()
})

async function sendCampaign(): Promise<SinkMessage[]> {
  sink.messages.length = 0
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides for {{ contact.first_name }}',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  return [...sink.messages]
}
const verdicts = async (messages: SinkMessage[]) =>
  Promise.all(messages.map(({ raw }) => verdictsOn(raw, zone, world.clock.now())))

const seenInTheDns = () =>
  verifyDkimKeys(
    world.service.runtime.store,
    world.project.id,
    'harbour.example',
    (name) => resolve(zone, name),
    world.clock.now(),
  )

test('A key that nobody has seen in the DNS signs nothing.', async () => {
  expect(await verdicts(await sendCampaign())).toEqual([['none'], ['none'], ['none']])
})

test('A campaign is signed, each message for itself, and passes DMARC at its strictest.', async () => {
  await seenInTheDns()
  const messages = await sendCampaign()
  expect(messages.map(({ to }) => to[0]).toSorted()).toEqual(['ada@example.com', 'bo@example.com', 'cy@example.com'])
  for (const { raw, from } of messages) {
    const { dkim, dmarc } = await authenticate(raw, {
      ip: '127.0.0.1',
      helo: 'relay.example',
      sender: from,
      strict: true,
      disableArc: true,
      disableBimi: true,
      resolver: async (name, type) => (type === 'TXT' ? resolve(zone, name) : []),
    })
    expect(dkim.results.map(({ signingDomain, selector, status }) => [signingDomain, selector, status.result])).toEqual(
      [['harbour.example', 'mh1', 'pass']],
    )
    expect(dmarc && dmarc.status.result).toBe('pass')
    expect(raw.toString()).toMatch(/h=from:from:[^;]*list-unsubscribe:\s*list-unsubscribe-post:/)
    expect(
      await verdictsOn(Buffer.from(raw.toString().replace('tide table', 'Tide table')), zone, world.clock.now()),
    ).not.toContain('pass')
  }
})

test('A message to one person is signed as well.', async () => {
  await seenInTheDns()
  const { list } = await world.ok('lists/create', { name: 'Asked for', double_opt_in: true })
  sink.messages.length = 0
  await world.ok('contacts/upsert', { email: 'di@example.com', list_ids: [list.id], consent_text: 'Yes' })
  await world.settle()
  expect(await verdicts(sink.messages)).toEqual([['pass']])
})

test('A key that was deleted signs no more.', async () => {
  await seenInTheDns()
  await world.service.runtime.store.write((tx) => deleteDkimKey(tx, world.project.id, key.id, world.clock.now()))
  expect((await verdicts(await sendCampaign())).flat()).toEqual(['none', 'none', 'none'])
})
