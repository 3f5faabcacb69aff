import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { deliveries, events } from '../../src/store/tables/delivery.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { manyContacts, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { createWorld, type World } from '../support/world.ts'

/** The last look at a campaign, and its report. */

const PEOPLE = 3
const LINK = 'https://example.com/tide?x=1&y=2'
let world: World
let sink: SmtpSink
let browser: Browser
let portal: Portal
let campaign_id: number

beforeAll(async () => {
  world = await createWorld()
  sink = await startSmtpSink()
  browser = await openBrowser()
  portal = await openPortal(browser, world)
  const { list } = await world.ok('lists/create', { name: 'Tides' })
  await manyContacts(world.service.runtime.store, world.project.id, list.id, PEOPLE, world.clock.now())
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { connection } = await world.ok('connections/create', relay)
  await world.ok('settings/update', { default_connection_id: connection.id })
  const { campaign } = await world.ok('campaigns/create', {
    name: 'May letter',
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list.id }] },
  })
  campaign_id = campaign.id
})
afterAll(async () => {
  await browser.close()
  await world.close()
  await sink.close()
})

test.if(hasBrowser)('A campaign that is not ready is mended on its review, and checked again by itself.', async () => {
  const { page } = portal
  await portal.open(`/campaigns/${campaign_id}/review`)
  const left = page.getByRole('img', { name: 'Must be mended' })
  await left.nth(2).waitFor()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await left.nth(2).waitFor({ state: 'detached' })
  await page.getByText(/checks passed, 3 not made$/).click()
  await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('img', { name: 'Not made' }) })
    .nth(2)
    .waitFor()
  await page.getByRole('textbox', { name: 'Postal address' }).fill('Quay 4, 5003 Bergen')
  await page.getByRole('button', { name: 'Save the address' }).click()
  await left.nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Say who writes', exact: true }).click()
  await page.getByLabel('Address', { exact: true }).fill('news@harbour.example')
  await checkLooks(portal)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await left.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: `Send to ${PEOPLE} people` }).waitFor()
  await world.ok('campaigns/update', { campaign_id, subject: '' })
  await page.getByRole('button', { name: 'Check again' }).click()
  const off = page.getByRole('button', { name: 'Write a subject first' })
  expect(await off.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('link', { name: 'Write a subject' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).and(page.locator(':focus')).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await world.ok('campaigns/update', { campaign_id, subject: 'Tides' })
  await portal.open(`/campaigns/${campaign_id}/review`)
  await page.getByRole('link', { name: 'See them' }).click()
  await page.getByRole('heading', { name: 'Contacts' }).waitFor()
  await page
    .locator('tbody tr')
    .nth(PEOPLE - 1)
    .waitFor()
  expect(await page.locator('tbody tr').count()).toBe(PEOPLE)
})

test.if(hasBrowser)('A report that is open while the campaign ends shows the numbers of its end.', async () => {
  await world.ok('campaigns/send', { campaign_id })
  const { page } = portal
  await portal.open(`/campaigns/${campaign_id}`)
  const progress = page.getByRole('region', { name: 'Progress' })
  await progress.waitFor()
  // Until the page knows of the end, answers about the numbers are from before it.
  const before = JSON.stringify(await world.ok('campaigns/stats', { campaign_id }))
  let isOver = false
  await page.route('**/campaigns/get', async (route) => {
    const response = await route.fetch()
    isOver ||= (await response.text()).includes('"status":"sent"')
    await route.fulfill({ response })
  })
  await page.route('**/campaigns/stats', (route) =>
    isOver ? route.continue() : route.fulfill({ body: before, contentType: 'application/json' }),
  )
  await world.settle()
  await progress.waitFor({ state: 'detached' })
  await page.locator('.tile', { hasText: `Reached${PEOPLE}` }).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
})

test.if(hasBrowser)('A report shows the newest events, the clicks in the letter, and makes segments.', async () => {
  const { store } = world.service.runtime
  const [first] = await store.db.select().from(deliveries)
  await store.write((tx) =>
    tx.insert(events).values({
      project_id: world.project.id,
      type: 'click',
      campaign_id,
      contact_id: first!.contact_id,
      delivery_id: first!.id,
      email: first!.email,
      url: LINK,
      at: world.clock.now() + 1,
    }),
  )
  const { page } = portal
  await portal.open(`/campaigns/${campaign_id}`)
  await page.getByRole('tab', { name: 'Events' }).click()
  const rows = page.locator('tbody tr')
  await rows.nth(PEOPLE).waitFor()
  expect(await rows.first().textContent()).toContain('https://example.com/tide')
  await page.getByLabel('What', { exact: true }).selectOption('Sent')
  await rows.nth(PEOPLE).waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('?tab=events&type=sent')
  await checkLooks(portal)
  await page.getByRole('tab', { name: 'People' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const lines = (await Bun.file(await file.path()).text()).split('\r\n')
  expect(lines).toHaveLength(PEOPLE + 1)
  expect(lines.slice(0, 2).join()).toStartWith('"email","status","sent_at","relay","reader0@example.com","sent"')
  await page.getByRole('tab', { name: 'Letter' }).click()
  await page.frameLocator('.report-letter').getByLabel('clicked by 1 person').waitFor()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Make a segment: who clicked' }).click()
  await page.getByRole('heading', { name: 'New segment' }).waitFor()
  await page.getByText('1 person', { exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('link', { name: `Make a segment of who clicked ${LINK}` }).click()
  await page.getByRole('heading', { name: 'New segment' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Link' }).inputValue()).toBe(LINK)
  await page.getByText('1 person', { exact: true }).waitFor()
})

test.if(hasBrowser)('Adding a connection shows beside the form which records its domain needs.', async () => {
  const { page } = portal
  await portal.open('/sending/new')
  await page.getByRole('radio', { name: 'Own server' }).check()
  await page.getByLabel('Host').fill('relay.harbour.example')
  await page.getByRole('radio', { name: 'Postmark' }).check()
  await page.getByLabel('Domain of the sender').fill('harbour.example')
  const table = page.getByRole('table', { name: 'DNS records of harbour.example' })
  await table.getByText('pm-bounces.harbour.example').waitFor()
  expect(await table.getByRole('row').count()).toBe(4)
  await checkLooks(portal)
  const create = '**/connections/create'
  await page.route(create, (route) => route.fulfill({ status: 403, json: { error: 'x', message: 'Not now.' } }))
  const [asked] = await Promise.all([
    page.waitForRequest(create),
    page.getByRole('button', { name: 'Save and test' }).click(),
  ])
  // What was written for another provider is not sent.
  expect(asked.postDataJSON()).not.toHaveProperty('host')
  await page.getByText('Not now.').waitFor()
  await page.unroute(create)
  portal.troubles.splice(0)
})

test.if(hasBrowser)('The domain that a connection is given is looked up at once.', async () => {
  const relay = { name: 'Without a domain', provider: 'smtp', host: 'relay.harbour.example' }
  const { connection } = await world.ok('connections/create', relay)
  const { page } = portal
  const look_up = '**/connections/verify-dns'
  await page.route(look_up, (route) => route.fulfill({ json: { checks: [], dkim_keys: [] } }))
  await portal.open(`/sending/${connection.id}`)
  await page.getByText('Add it below, under Pace.').waitFor()
  await page.getByLabel('Domain of the sender').fill('harbour.example')
  await Promise.all([page.waitForRequest(look_up), page.getByRole('button', { name: 'Save the pace' }).click()])
  await page.unroute(look_up)
})

test.if(hasBrowser)('An own template is shown as it looks, and a new campaign begins with it.', async () => {
  const { template } = await world.ok('templates/create', { name: 'Our weekly', editor_json: SAMPLE_DOCUMENT })
  const { page } = portal
  const face = page.frameLocator('.template-face iframe').getByText('tide table')
  await portal.open('/templates')
  await face.waitFor()
  await checkLooks(portal)
  await portal.open('/campaigns/new')
  await face.waitFor()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Use Our weekly' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).waitFor()
  const id = Number(new URL(page.url()).pathname.split('/').at(-2))
  expect((await world.ok('campaigns/get', { campaign_id: id })).campaign.template_id).toBe(template.id)
  await portal.open('/campaigns/new')
  await page.getByRole('button', { name: 'Begin with an empty letter' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).waitFor()
})

test.if(hasBrowser)(
  'The only list of a project is offered to a campaign without people, and can be removed.',
  async () => {
    const { campaign } = await world.ok('campaigns/duplicate', { campaign_id })
    const nobody = { include: [] }
    await world.ok('campaigns/update', { campaign_id: campaign.id, audience_spec: nobody })
    const stored = async () => (await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign.audience_spec
    const { page } = portal
    await portal.open(`/campaigns/${campaign.id}/review`)
    const send = page.getByRole('button', { name: `Send to ${PEOPLE} people` })
    await send.waitFor()
    expect(await page.getByRole('img', { name: 'Must be mended' }).count()).toBe(0)
    expect((await stored()).include).toEqual([])
    await page.getByRole('button', { name: 'Remove Tides' }).click()
    await page.getByRole('button', { name: 'Choose people first' }).waitFor()
    await portal.open(`/campaigns/${campaign.id}/review`)
    await send.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Not yet' }).click()
    expect((await stored()).include).toHaveLength(1)
  },
)

test.if(hasBrowser)('A change that the state of a campaign does not allow leads to what it is now.', async () => {
  const { campaign } = await world.ok('campaigns/duplicate', { campaign_id })
  const { page } = portal
  await portal.open(`/campaigns/${campaign.id}/review`)
  await page.getByRole('button', { name: `Send to ${PEOPLE} people` }).click()
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: `Send to ${PEOPLE} people` }).click()
  await dialog.getByRole('button', { name: 'Show it' }).click()
  await page.waitForURL(`**/campaigns/${campaign.id}`)
  await page.getByRole('region', { name: 'Progress' }).waitFor()
  portal.troubles.splice(0)
})
