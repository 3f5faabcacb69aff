import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
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
let connection_id: number

beforeAll(async () => {
  sink = await startSmtpSink()
  browser = await openBrowser()
})
beforeEach(async () => {
  world = await createWorld()
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
  connection_id = connection.id
})
afterEach(async () => {
  await portal.close()
  await world.close()
})
afterAll(async () => {
  await browser.close()
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

test.if(hasBrowser)('A report shows the newest events, the clicks in the letter, and makes segments.', async () => {
  await world.ok('connections/test', { connection_id })
  await world.ok('settings/update', { from_email: 'news@harbour.example', postal_address: 'Quay 4, 5003 Bergen' })
  await world.ok('campaigns/send', { campaign_id })
  await world.settle()
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
  const lines = (await Bun.file(await file.path()).text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(PEOPLE + 1)
  expect(lines.slice(0, 2).join()).toStartWith('email,status,sent_at,relay,reader0@example.com,sent')
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
})
