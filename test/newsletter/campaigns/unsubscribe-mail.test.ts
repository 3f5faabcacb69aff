import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readMail } from '../../../src/mail/reports.ts'
import { listUnsubscribe, unsubscribeTokenIn } from '../../../src/newsletter/campaigns/unsubscribe-mail.ts'
import { altered } from '../../support/altered.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

/** Unsubscribing by a message to the `mailto:` address of List-Unsubscribe. */

let world: World
let list_id: number
let hook: string
beforeAll(async () => {
  world = await createWorld()
  const ready = await readyToSend(world)
  list_id = ready.list_id
  await world.ok('settings/update', { unsubscribe_mailto: 'leave+us@harbour.example' })
  hook = await hookOf(ready.connection_id)
})
afterAll(() => world.close())

async function hookOf(connection_id: number, as = world.keys.owner): Promise<string> {
  const { urls } = await world.ok('connections/webhook-urls', { connection_id }, { as })
  return new URL(urls[0].url).pathname
}

/** Sends a campaign to one person, or a test of it; answers the subject that the message asks for. */
async function subjectFor(
  email: string,
  { test = false } = {},
): Promise<{ contact_id: number; subject: string; header: string }> {
  const { contact } = await world.ok('contacts/upsert', { email, list_ids: [list_id], consent_text: 'Yes.' })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  if (test) await world.ok('campaigns/test-send', { campaign_id: campaign.id, emails: [email], contact_id: contact.id })
  else await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  const { messages } = (await (await world.fetch(`/general/sandbox/mailbox?to=${email}`)).json()) as {
    messages: { headers: Record<string, string> }[]
  }
  const header = messages.at(-1)!.headers['list-unsubscribe']!
  const [, encoded] = /<mailto:leave%2Bus@harbour\.example\?subject=([^>]+)>/.exec(header)!
  return { contact_id: contact.id, subject: decodeURIComponent(encoded!), header }
}

const post = async (path: string, message: string): Promise<number> =>
  (await world.fetch(path, { method: 'POST', headers: { 'Content-Type': 'message/rfc822' }, body: message })).status
const mail = (subject: string) => `From: ada@example.com\r\nTo: leave@harbour.example\r\n${subject}\r\n\r\nPlease.\r\n`
const statusOf = async (contact_id: number) =>
  (await world.ok('contacts/get', { contact_id })).contact.lists.map(({ status }: { status: string }) => status)

test('A message with the token in its subject unsubscribes its recipient, and other messages do not.', async () => {
  const { contact_id, subject, header } = await subjectFor('ada@example.com')
  expect(header).toMatch(/^<http:\/\/[^>]+\/unsubscribe\/[\w.-]+>, <mailto:/)
  const token = subject.replace('unsubscribe ', '')
  for (const other of ['Hello', `Re: ${token}`, `unsubscribe ${altered(token)}`, 'unsubscribe'])
    expect([other, await post(hook, mail(`Subject: ${other}`)), await statusOf(contact_id)]).toEqual([
      ...[other, 200, ['subscribed']],
    ])
  expect(await post(hook, mail(`subject: Unsubscribe\r\n ${token}`))).toBe(200)
  expect(await statusOf(contact_id)).toEqual(['unsubscribed'])
})

test('The token of a test message does nothing.', async () => {
  const { contact_id, subject } = await subjectFor('cy@example.com', { test: true })
  expect(await post(hook, mail(`Subject: ${subject}`))).toBe(200)
  expect(await statusOf(contact_id)).toEqual(['subscribed'])
})

test('A token of another project does nothing.', async () => {
  const { contact_id, subject } = await subjectFor('bo@example.com')
  const { connection } = await world.ok(
    'connections/create',
    { name: 'Other', provider: 'sandbox' },
    { as: world.keys.other },
  )
  expect(await post(await hookOf(connection.id, world.keys.other), mail(`Subject: ${subject}`))).toBe(200)
  expect(await statusOf(contact_id)).toEqual(['subscribed'])
})

test.each([
  [`Subject: unsubscribe ${'t'.repeat(20)}`, 't'.repeat(20)],
  [`Subject: =?utf-8?Q?unsubscribe_?=\r\n =?utf-8?b?${btoa('t'.repeat(20))}?=`, 't'.repeat(20)],
  [`Subject: Re: UNSUBSCRIBE   ${'t'.repeat(500)} `, 't'.repeat(500)],
  [`Subject: unsubscribe ${'t'.repeat(19)}`, null],
  [`Subject: unsubscribe ${'t'.repeat(501)}`, null],
  [`Subject: unsubscribe ${'t'.repeat(20)} please`, null],
  [`Subject: resunsubscribe ${'t'.repeat(20)}`, null],
  [`X-Note: x\n\nSubject: unsubscribe ${'t'.repeat(20)}`, null],
  [`X-Long: ${'x'.repeat(65_536)}\r\nSubject: unsubscribe ${'t'.repeat(20)}`, null],
])('The token of the message %.60s is %.30s.', (message, token) => {
  expect(unsubscribeTokenIn(readMail(Buffer.from(`${message}\n\nPlease.`)).subject)).toBe(token)
})

test('The address is encoded for a header, and left out where the project has none.', () => {
  expect(listUnsubscribe('https://a.example/u', 'T', '')).toBe('<https://a.example/u>')
  expect(listUnsubscribe('https://a.example/u', 'T', 'a?b@bücher.example')).toBe(
    '<https://a.example/u>, <mailto:a%3Fb@xn--bcher-kva.example?subject=unsubscribe%20T>',
  )
})
