import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { messagesTo } from '../../support/mailbox.ts'
import { createWorld, type World } from '../../support/world.ts'

/** One mailbox in two spellings (docs/api/contacts.md#addresses): `bücher` is `xn--bcher-kva` in ASCII. */

let world: World
let list_id: number
let number = 0
beforeAll(async () => {
  world = await createWorld()
  list_id = (await readyToSend(world)).list_id
})
afterAll(() => world.close())

/** A new mailbox as people write it, and with its domain in ASCII. */
function spellings(): { shown: string; ascii: string } {
  number += 1
  return { shown: `Reader${number}@bücher.example`, ascii: `reader${number}@xn--bcher-kva.example` }
}

const upsert = (email: string) => world.ok('contacts/upsert', { email, list_ids: [list_id], consent_text: 'Yes' })
const contactAt = async (email: string) => (await world.ok('contacts/get', { email })).contact

async function report(event: Record<string, unknown>): Promise<void> {
  const { connection } = await world.ok('connections/create', {
    name: `Hook ${++number}`,
    provider: 'postmark',
    webhook_secret: 'hook:secret',
  })
  const { urls } = await world.ok('connections/webhook-urls', { connection_id: connection.id })
  const answer = await world.fetch(urls[0].url.slice(world.url.length), {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from('hook:secret').toString('base64')}` },
    body: JSON.stringify({ ID: number, MessageID: String(number), ...event }),
  })
  expect(answer.status).toBe(200)
}

test('Two spellings of a mailbox are one contact, shown with its domain in Unicode, and get one message.', async () => {
  const { shown, ascii } = spellings()
  const first = await upsert(`  ${ascii.toUpperCase()} `)
  expect(first.contact.email).toBe(`READER${number}@bücher.example`)
  expect((await upsert(shown)).contact.id).toBe(first.contact.id)
  await world.ok('contacts/update', { contact_id: first.contact.id, email: shown })
  expect((await contactAt(ascii)).email).toBe(shown)
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  expect(await messagesTo(world, ascii)).toHaveLength(1)
  for (const rule of [
    { field: 'email', operator: 'eq', value: ascii },
    { field: 'email', operator: 'starts_with', value: `${shown.split('.')[0]}` },
    { field: 'email_domain', operator: 'eq', value: 'BÜCHER.example' },
    { field: 'email_domain', operator: 'contains', value: 'üche' },
  ]) {
    const { items } = await world.ok('contacts/list', { filter: { op: 'and', rules: [rule] } })
    expect(items.map(({ id }: { id: number }) => id)).toContain(first.contact.id)
  }
  expect((await world.ok('contacts/list', { search: ascii })).items).toHaveLength(1)
})

test('Local parts in NFC and NFD are one contact.', async () => {
  const nfd = 'Jörg@example.com'.normalize('NFD')
  const { contact } = await upsert(nfd)
  expect(contact.email).toBe('Jörg@example.com'.normalize('NFC'))
  expect((await upsert(nfd.normalize('NFC'))).contact.id).toBe(contact.id)
})

test('A complaint or bounce that names the domain in ASCII counts for the contact in Unicode.', async () => {
  for (const [event, status] of [
    [{ RecordType: 'SpamComplaint' }, 'complained'],
    [{ RecordType: 'Bounce', Type: 'HardBounce' }, 'bounced'],
  ] as const) {
    const { shown, ascii } = spellings()
    await upsert(shown)
    await report({ ...event, Email: ascii })
    expect((await contactAt(shown)).global_status).toBe(status)
  }
})

test('A suppression is added, found and removed in any spelling.', async () => {
  const { shown, ascii } = spellings()
  const accented = `É${ascii}`
  await world.ok('suppressions/add', { email: accented })
  expect((await world.ok('suppressions/list', { search: accented })).items).toHaveLength(1)
  await world.ok('suppressions/remove', { email: accented.toLowerCase() })
  const { suppression } = await world.ok('suppressions/add', { email: ascii })
  expect(suppression.email).toBe(ascii.replace('xn--bcher-kva', 'bücher'))
  for (const search of [ascii, shown, `${ascii.split('@')[0]}@büch`])
    expect((await world.ok('suppressions/list', { search })).items).toHaveLength(1)
  await world.ok('suppressions/remove', { email: shown })
  expect((await world.call('suppressions/remove', { email: ascii })).status).toBe(404)
})

test('An import counts a second spelling as a duplicate, and names a domain that is not valid.', async () => {
  const { shown, ascii } = spellings()
  const csv = `email\n${shown}\n${ascii}\nbo@xn--a.example\n`
  const { import: staged } = await world.ok('imports/create', { csv })
  const { summary, row_errors } = await world.ok('imports/dry-run', {
    import_id: staged.id,
    mapping: { 0: 'email' },
    options: {},
  })
  expect(summary).toMatchObject({ new: 1, duplicates_in_file: 1, invalid: 1 })
  expect(row_errors).toMatchObject([{ code: 'email_invalid', message: 'The domain of this address is not valid.' }])
})

test.each(['ada@bü_cher.example', 'ada@xn--a.example', 'ada@ü-.example', `ada@${'ü'.repeat(60)}.example`])(
  'The address %s is refused for its domain.',
  async (email) => {
    const { status, body } = await world.call('contacts/upsert', { email, consent_text: 'Yes' })
    expect([status, body.error.details[0]]).toEqual([
      400,
      { path: '/email', message: 'Expected an email address whose domain is valid.' },
    ])
  },
)
