import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { SAMPLE_DOCUMENT, readyToSend } from '../../support/campaigns.ts'
import { type SinkAnswer, startSmtpSink, type SmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'

/** Changes between the freezing of an audience and the last message of the campaign. */

let world: World
let sink: SmtpSink
let campaign_id: number
let connection_id: number
/** What the relay says of a recipient, when it does not accept. */
const refusals = new Map<string, SinkAnswer>()
/** Runs before the relay answers about a recipient. */
let duringHandOver: (address: string) => Promise<unknown> = async () => undefined

beforeEach(async () => {
  refusals.clear()
  duringHandOver = async () => undefined
  sink = await startSmtpSink({
    async onRcpt(address) {
      await duringHandOver(address)
      return refusals.get(address)
    },
  })
  world = await createWorld()
  const ready = await readyToSend(world, {
    name: 'Relay',
    provider: 'smtp',
    host: sink.host,
    port: sink.port,
    secure: 'none',
  })
  connection_id = ready.connection_id
  for (const name of ['ada', 'bo', 'cy'])
    await world.ok('contacts/upsert', { email: `${name}@example.com`, list_ids: [ready.list_id], consent_text: 'Yes' })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: ready.list_id }] },
  })
  campaign_id = campaign.id
  await world.ok('campaigns/send', { campaign_id })
  await world.service.drain('jobs')
})

afterEach(async () => {
  await world.close()
  await sink.close()
})

const arrived = () => sink.messages.map(({ to }) => to[0]).sort()
const campaign = async () => (await world.ok('campaigns/get', { campaign_id })).campaign
const contactAt = async (email: string): Promise<number> => (await world.ok('contacts/get', { email })).contact.id
const recipients = async () =>
  Object.fromEntries(
    (await world.ok('campaigns/recipients', { campaign_id })).items.map((item: { email: string; status: string }) => [
      item.email,
      item.status,
    ]),
  )

test('An address that no longer belongs to the contact gets nothing.', async () => {
  await world.ok('contacts/update', { contact_id: await contactAt('ada@example.com'), email: 'ada.new@example.com' })
  await world.ok('contacts/update', { contact_id: await contactAt('bo@example.com'), email: 'bo.new@example.com' })
  await world.ok('contacts/update', { contact_id: await contactAt('cy@example.com'), email: 'CY@Example.com' })
  await world.ok('suppressions/add', { email: 'ada@example.com', reason: 'complaint' })
  await world.ok('contacts/upsert', { email: 'bo@example.com', consent_text: 'Yes' })
  await world.ok('contacts/unsubscribe', { contact_id: await contactAt('bo@example.com') })
  await world.settle()
  expect(arrived()).toEqual(['cy@example.com'])
  expect(await recipients()).toEqual({
    'ada@example.com': 'skipped',
    'bo@example.com': 'skipped',
    'cy@example.com': 'sent',
  })
})

test('A relay that is not verified gets nothing: the campaign pauses with the reason, and can resume.', async () => {
  const other = await startSmtpSink()
  await world.ok('connections/update', { connection_id, port: other.port })
  await world.settle()
  expect([await campaign(), arrived(), other.messages]).toEqual([
    expect.objectContaining({
      status: 'paused',
      failure: { reason: expect.stringContaining('the connection Relay is not verified') },
    }),
    [],
    [],
  ])
  const refused = await world.call('campaigns/resume', { campaign_id })
  expect([
    refused.status,
    refused.body.error.code,
    refused.body.error.details.checks.map(({ code, ok }: { code: string; ok: boolean }) => [code, ok]),
  ]).toEqual([
    409,
    'NOT_READY',
    [
      ['sender', true],
      ['connection_verified', false],
    ],
  ])
  expect((await campaign()).status).toBe('paused')
  await world.ok('connections/test', { connection_id })
  await world.ok('campaigns/resume', { campaign_id })
  await world.settle()
  expect([other.messages.length, await campaign()]).toEqual([
    3,
    expect.objectContaining({ status: 'sent', failure: null }),
  ])
  await other.close()
})

test('A campaign whose connection was deleted pauses with the reason.', async () => {
  await world.ok('settings/update', { default_connection_id: null })
  await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await world.settle()
  expect(await campaign()).toMatchObject({
    status: 'paused',
    failure: { reason: expect.stringContaining('there is no connection') },
  })
  expect(arrived()).toEqual([])
})

test('Failed recipients cannot be queued again without a connection.', async () => {
  for (const name of ['bo', 'cy']) refusals.set(`${name}@example.com`, { code: 554, text: '5.7.1 not today' })
  await world.settle()
  expect(await recipients()).toEqual({
    'ada@example.com': 'sent',
    'bo@example.com': 'failed',
    'cy@example.com': 'failed',
  })
  await world.ok('connections/delete', { connection_id })
  const refused = await world.call('campaigns/requeue-failed', { campaign_id })
  expect([refused.status, refused.body.error.code, (await campaign()).status]).toEqual([409, 'NOT_READY', 'sent'])
})

test('Settings that change during a pause apply to the rest of the campaign.', async () => {
  for (const name of ['bo', 'cy']) refusals.set(`${name}@example.com`, { code: 451, text: '4.3.0 later' })
  await world.settle()
  await world.ok('campaigns/pause', { campaign_id })
  await world.ok('settings/update', { from_name: 'Harbour Post', postal_address: '9 New Street' })
  await world.ok('campaigns/resume', { campaign_id })
  refusals.clear()
  world.clock.advance(3_600_000)
  await world.settle()
  const letters = await Promise.all(sink.messages.map(({ raw }) => simpleParser(raw)))
  expect(letters.map(({ from, html }) => [from!.value[0]!.name, String(html).includes('9 New Street')])).toEqual([
    ['Harbour News', false],
    ['Harbour Post', true],
    ['Harbour Post', true],
  ])
})

test('A campaign is not closed while its failed recipients are still being queued again.', async () => {
  const { store } = world.service.runtime
  await store.write((tx) => tx.run(sql`UPDATE deliveries SET status = 'failed' WHERE email = 'cy@example.com'`))
  duringHandOver = async (address) => {
    if (address !== 'ada@example.com') return
    await store.write((tx) =>
      tx.run(
        sql`UPDATE campaigns SET recipient_update = 'requeue', recipient_update_after = 0 WHERE id = ${campaign_id}`,
      ),
    )
  }
  await world.settle()
  expect([(await campaign()).status, arrived()]).toEqual([
    'sent',
    ['ada@example.com', 'bo@example.com', 'cy@example.com'],
  ])
})
