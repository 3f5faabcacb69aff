import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../src/clock.ts'
import { operations } from '../../src/newsletter/operations.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { expectRecorded } from '../support/recorded.ts'
import { createWorld, type World } from '../support/world.ts'
import { type PeopleTour, tourOfPeople } from './people-tour.ts'

let world: World
let tour: PeopleTour
beforeAll(async () => {
  world = await createWorld()
  tour = tourOfPeople(world)
})

test('Settings, overview, schema, and who may call what about people, are what is recorded.', async () => {
  callers()
  await settings()
  await overview()
  await schema()
  expectRecorded('people/settings.txt', tour.text())
})

/** The operations about people. */
const ABOUT_PEOPLE = /^\/(contacts|lists|tags|segments|custom-fields|suppressions|settings|overview|schema)\b/

/** What each operation declares beside its schemas and words. */
function callers(): void {
  tour.heading('Who may call what')
  for (const { path, scope, role, max_body, audit, status, act, cost, request } of operations)
    if (ABOUT_PEOPLE.test(path)) {
      tour.write(`${path}: ${JSON.stringify([scope, role, status, cost({}), max_body, audit.details, act])}`)
      // What joins properties is shown to callers, and checked by `run`.
      tour.write(`  ${JSON.stringify({ ...request, properties: undefined, type: undefined })}`)
    }
}

async function settings(): Promise<void> {
  tour.heading('Settings')
  await tour.skip()
  await tour.call('Before any were saved.', 'settings/get')
  const update = (sentence: string, body: object = {}, as: 'owner' | 'editor' | 'other' = 'owner') =>
    tour.call(sentence, 'settings/update', { ...body }, { as })
  await update('Nothing.')
  const { connection } = await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await update('Everything.', {
    from_name: ' The Harbour ',
    from_email: ' news@harbour.example ',
    reply_to: 'desk@harbour.example',
    company_name: 'Harbour Ltd',
    postal_address: '1 Quay Street\nPorthaven',
    default_connection_id: connection.id,
    timezone: 'Europe/Oslo',
    locale: 'nb-no',
    footer_text: 'You asked for it.',
    track_opens: false,
    track_clicks: false,
    confirmation_subject: 'Confirm it',
    confirmation_text: 'Please.',
    unsubscribe_mailto: 'leave@harbour.example',
    confirmations_held: true,
    brand_color: '#AbC',
    logo_url: 'https://harbour.example/logo.png',
  })
  await tour.changes()
  await update('Some go back.', {
    default_connection_id: null,
    brand_color: '',
    logo_url: '',
    track_opens: true,
    reply_to: '',
  })
  await update("A neighbor's connection.", { default_connection_id: connection.id }, 'other')
  await update('No such connection.', { default_connection_id: 99 })
  await update('An editor may not.', { from_name: 'Mine' }, 'editor')
  for (const body of [
    { from_name: 'n'.repeat(201) },
    { from_name: 'a\nb' },
    { from_email: 'news' },
    { from_email: 'nöws@harbour.example' },
    { timezone: '+01:00' },
    { timezone: 'Mars/Olympus' },
    { locale: 'x' },
    { brand_color: 'red' },
    { logo_url: 'ftp://harbour.example/' },
    { footer_text: 'f'.repeat(2001) },
    { track_opens: 1 },
    { theme: 'dark' },
  ])
    await update('What does not fit.', body)
  await tour.call("A neighbor's.", 'settings/get', {}, { as: 'other' })
  await tour.changes()
}

async function overview(): Promise<void> {
  tour.heading('Overview')
  await tour.call('Of nothing.', 'overview', {}, { as: 'other' })
  const { list_id } = await readyToSend(world, { name: 'Second', provider: 'sandbox' })
  await world.ok('settings/update', { confirmations_held: false })
  await world.ok('lists/create', { name: 'Asking', double_opt_in: true })
  await world.ok('lists/create', { name: 'Archived' })
  await world.ok('lists/update', { list_id: list_id + 2, archived: true })
  const start = world.clock.now()
  for (const [index, days] of [0, 0, 1, 10, 10, 10, 29, 30, 31].entries()) {
    world.clock.advance(start + days * DAY_MS - world.clock.now())
    await world.ok('contacts/upsert', {
      email: `person${index}@example.org`,
      consent_text: 'Yes.',
      list_ids: [[list_id, list_id + 1], [list_id], [list_id + 1], [list_id + 2]][index % 4],
    })
  }
  await world.ok('contacts/unsubscribe', { contact_id: 2 })
  for (const reason of ['hard_bounce', 'complaint', 'unsubscribe'])
    await world.ok('suppressions/add', { email: `person${4 + (reason.length % 4)}@example.org`, reason })
  for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh'])
    await world.ok('campaigns/create', {
      name,
      subject: `${name} letter`,
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list_id }] },
    })
  await world.ok('campaigns/delete', { campaign_id: 6 })
  await world.ok('campaigns/send', { campaign_id: 2 })
  await world.settle()
  await world.service.runtime.store.write((tx) => tx.run(sql`UPDATE projects SET monthly_limit = 77 WHERE id = 101`))
  await world.service.runtime.store.write(async (tx) => {
    await tx.run(sql`UPDATE deliveries SET status = 'uncertain' WHERE campaign_id = 2 AND contact_id <> 1`)
    await tx.run(sql`UPDATE campaigns SET status = 'cancelled' WHERE id = 4`)
  })
  await tour.call('Of everything.', 'overview')
  for (const hours of [23, 2]) {
    world.clock.advance(hours * HOUR_MS)
    const { sending, growth } = await world.ok('overview')
    tour.write(`${hours} hours later: ${JSON.stringify(sending)} ${JSON.stringify([growth[0], growth.at(-1)])}`)
  }
}

async function schema(): Promise<void> {
  tour.heading('Schema')
  await world.ok('custom-fields/create', { key: 'boat', label: 'Boat', type: 'text' })
  await world.ok('custom-fields/create', { key: 'crew', label: 'Crew', type: 'boolean' })
  const told = await world.ok('schema/get')
  for (const [part, value] of Object.entries(told)) {
    const items = Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [JSON.stringify(value)]
    tour.write(
      `${part}:`,
      ...items.map((item) => `  ${item.slice(0, 400)}${item.length > 400 ? ` … ${item.length} characters` : ''}`),
    )
  }
}
