import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { sandbox_messages } from '../../../src/store/tables/delivery.ts'
import { createWorld, type World } from '../../support/world.ts'
import { eq } from 'drizzle-orm'

/** The head of each kind of message (docs/api/delivery.md#one-click-unsubscribe). */

let home: World
let world: World
let list_id: number
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  list_id = (await readyToSend(world)).list_id
})
afterAll(() => home.close())

/** The fields of the only message to the address, in the order in which they leave. */
async function fieldsTo(recipient: string): Promise<string[]> {
  await world.settle()
  const rows = await world.service.runtime.store.db
    .select()
    .from(sandbox_messages)
    .where(eq(sandbox_messages.recipient_key, recipient))
  expect(rows).toHaveLength(1)
  const [head] = String(rows[0]!.raw).split('\r\n\r\n')
  return head!.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
}
const names = async (recipient: string) =>
  (await fieldsTo(recipient)).map((field) => field.slice(0, field.indexOf(':')))

async function campaign(): Promise<number> {
  const made = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  return made.campaign.id
}

async function campaignTo(email: string): Promise<void> {
  await world.ok('contacts/upsert', { email, list_ids: [list_id], consent_text: 'Yes' })
  await world.ok('campaigns/send', { campaign_id: await campaign() })
}

const OF_A_CAMPAIGN = [
  ...['From', 'MIME-Version', 'List-ID', 'Feedback-ID', 'Precedence', 'To', 'Subject', 'Date', 'Message-ID'],
  ...['List-Unsubscribe', 'List-Unsubscribe-Post', 'Content-Type'],
]

test('A message of a campaign has the fields of bulk mail, each once.', async () => {
  await campaignTo('ada@example.com')
  expect(await names('ada@example.com')).toEqual(OF_A_CAMPAIGN)
})

test('A List-ID names the project, and the list in the host of the service.', async () => {
  await campaignTo('dora@example.com')
  expect(await fieldsTo('dora@example.com')).toContain(
    `List-ID: Harbour News <list-${list_id}.${world.project.slug.slice(0, 24)}.127.0.0.1>`,
  )
})

test('A Feedback-ID names the campaign, the project, the kind of message and the service.', async () => {
  const email = 'eve@example.com'
  await world.ok('contacts/upsert', { email, list_ids: [list_id], consent_text: 'Yes' })
  const id = await campaign()
  await world.ok('campaigns/send', { campaign_id: id })
  expect(await fieldsTo(email)).toContain(`Feedback-ID: c${id}:${world.project.public_id}:campaign:masthead`)
})

test('A test message has the fields of the campaign.', async () => {
  await world.ok('campaigns/test-send', { campaign_id: await campaign(), emails: ['cy@example.com'] })
  expect(await names('cy@example.com')).toEqual(OF_A_CAMPAIGN)
})

test('A confirmation request is automatic mail to one person, which nobody can unsubscribe from.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Asked', double_opt_in: true })
  await world.ok('contacts/upsert', { email: 'bo@example.com', list_ids: [list.id], consent_text: 'Yes' })
  expect(await names('bo@example.com')).toEqual([
    ...['From', 'MIME-Version', 'Auto-Submitted', 'Feedback-ID', 'To', 'Subject', 'Date', 'Message-ID', 'Content-Type'],
  ])
})
