import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listUnsubscribe } from '../../../src/newsletter/campaigns/unsubscribe-mail.ts'
import { publicUrl } from '../../../src/newsletter/tracking/links.ts'
import { createRecipientToken, messageId } from '../../../src/newsletter/tracking/tokens.ts'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { createWorld, type World } from '../../support/world.ts'
import { draft } from '../campaigns/support.ts'
import { multipart, type Outcome, type Reported, SAMPLES } from './report-samples.ts'

let world: World
let hook: string
beforeAll(async () => {
  world = await createWorld()
  const { connection } = await world.ok('connections/create', { name: 'Quay', provider: 'smtp', host: 'mail.example' })
  const { urls } = await world.ok('connections/webhook-urls', { connection_id: connection.id })
  hook = urls[0].url
})
afterAll(() => world.close())

let number = 0

/** A message that was sent to a new contact. */
async function sentMessage(): Promise<Reported & { contact_id: number; campaign_id: number }> {
  const email = `reader${++number}@example.com`
  const contact_id: number = (await world.ok('contacts/upsert', { email, consent_text: 'Yes' })).contact.id
  const campaign_id = (await draft(world)).id
  const { keys, store } = world.service.runtime
  const at = world.clock.now()
  const values = { project_id: world.project.id, kind: 'campaign', status: 'sent', next_attempt_at: 0 } as const
  const [row] = await store.write((tx) =>
    tx
      .insert(deliveries)
      .values({ ...values, campaign_id, contact_id, email, created_at: at, sent_at: at })
      .returning({ id: deliveries.id }),
  )
  const recipient = { delivery_id: row!.id, contact_id, campaign_id }
  const token = createRecipientToken(keys, recipient)
  return {
    email,
    contact_id,
    campaign_id,
    message_id: `<${messageId(keys, recipient, 'news@harbour.example')}>`,
    list_unsubscribe: listUnsubscribe(publicUrl(world.url, 'unsubscribe', token), token, ''),
  }
}

async function post(text: string): Promise<unknown> {
  const unique = text.replace('<report@mx.example>', `<report-${++number}@mx.example>`)
  const answer = await fetch(hook, { method: 'POST', body: unique, headers: { 'Content-Type': 'message/rfc822' } })
  return [answer.status, await answer.json()]
}

const STATES: Record<Outcome, [status: string, events: string[], reports: number]> = {
  hard: ['bounced', ['bounce'], 1],
  soft: ['subscribed', ['bounce'], 1],
  complaint: ['complained', ['complaint'], 1],
  unsubscribe: ['unsubscribed', ['unsubscribe'], 1],
  none: ['subscribed', [], 0],
}

async function stateOf({ contact_id, campaign_id }: { contact_id: number; campaign_id: number }) {
  const { contact } = await world.ok('contacts/get', { contact_id })
  const { items } = await world.ok('campaigns/events', { campaign_id })
  return [contact.global_status, items.map(({ type }: { type: string }) => type)]
}

test.each(Object.entries(SAMPLES))('The webhook mime understands %s.', async (_, [outcome, sample]) => {
  const message = await sentMessage()
  const [status, events, reports] = STATES[outcome]
  expect(await post(sample(message))).toEqual([200, { success: true, reports }])
  expect(await stateOf(message)).toEqual([status, events])
})

const bounceOf = (about: Reported, ...rest: [string[], string][]) =>
  multipart(
    'report',
    ['From: mx@mx.example', 'Message-ID: <report@mx.example>'],
    [
      ['Content-Type: message/delivery-status'],
      `Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; ${about.email}\nAction: failed\nStatus: 5.1.1`,
    ],
    ...rest,
  )

test('A report of 9.9 MB is understood when it stands before the message that it returns.', async () => {
  const message = await sentMessage()
  const returned = `Message-ID: ${message.message_id}\n\n${'High water. '.repeat(825_000)}`
  const text = bounceOf({ ...message, email: 'x@elsewhere.example' }, [['Content-Type: message/rfc822'], returned])
  expect(text.length).toBeGreaterThan(9_900_000)
  expect(await post(text)).toEqual([200, { success: true, reports: 1 }])
  expect(await stateOf(message)).toEqual(['bounced', ['bounce']])
})

test('A report by mail about nobody whom the project knows changes nothing.', async () => {
  const message = await sentMessage()
  const forged = message.message_id.replace(/\..{10}/, '.0000000000')
  const stranger = { ...message, email: 'stranger@example.com' }
  const link = `${message.list_unsubscribe.slice(0, -9)}>`
  const returned = `To: stranger@example.com\nMessage-ID: ${forged}\nList-Unsubscribe: ${link}`
  expect(await post(bounceOf(stranger, [['Content-Type: text/rfc822-headers'], returned]))).toEqual([
    200,
    { success: true, reports: 0 },
  ])
  expect(await stateOf(message)).toEqual(['subscribed', []])
  const { items } = await world.ok('suppressions/list', { search: 'stranger' })
  expect(items).toEqual([])
})

test('The same report counts as understood each time, and once in the events.', async () => {
  const message = await sentMessage()
  const text = bounceOf(message).replace('<report@mx.example>', '<again@mx.example>')
  for (let time = 0; time < 2; time += 1) expect(await post(text)).toEqual([200, { success: true, reports: 1 }])
  expect(await stateOf(message)).toEqual(['bounced', ['bounce']])
})

test('Messages beyond the rate of a connection are refused with the time to wait, and taken after it.', async () => {
  const narrow = await createWorld({ mail_reports_per_minute: 2 })
  const { connection } = await narrow.ok('connections/create', { name: 'Quay', provider: 'sandbox' })
  const { urls } = await narrow.ok('connections/webhook-urls', { connection_id: connection.id })
  const send = async () => {
    const answer = await fetch(urls[0].url, { method: 'POST', body: 'Subject: x' })
    return [answer.status, answer.headers.get('retry-after')]
  }
  expect([await send(), await send(), await send()]).toEqual([
    [200, null],
    [200, null],
    [429, '60'],
  ])
  narrow.clock.advance(60_000)
  expect(await send()).toEqual([200, null])
  await narrow.close()
})
