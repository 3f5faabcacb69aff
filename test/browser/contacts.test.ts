import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkPage, checkTexts, openPortal, type Portal } from '../support/portal.ts'
import { fillHarbour, type Harbour } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** The people of a project, on a desk and on a phone. */

/** More than fit on a page. */
const PEOPLE = 60
const NEWEST = `person0${PEOPLE - 1}@example.com`

let world: World
let browser: Browser
let portal: Portal
let harbour: Harbour
let page: Page

beforeAll(async () => {
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world)
  page = portal.page
  harbour = await fillHarbour(world, PEOPLE)
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** Waits until the list has so many rows; those of the list before stay until then. */
const hasRows = (wanted: number) =>
  page.waitForFunction((count) => document.querySelectorAll('tbody tr').length === count, wanted)

test.if(hasBrowser)('The calls of a page are listed, those too whose answers came with it.', async () => {
  await portal.open('/contacts')
  await portal.page.keyboard.press('.')
  const first = portal.page.getByRole('dialog').getByText('newsletter/contacts/list')
  await first.waitFor()
  await portal.page.keyboard.press('Escape')
})

test.if(hasBrowser)('Search and shortcuts narrow the list; an address that is opened shows the same.', async () => {
  await portal.follow('/contacts')
  await page.keyboard.press('/')
  await page.keyboard.type('ada holm')
  await page.waitForURL(/q=ada\+holm/)
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'customer' })
  await page.waitForURL(/filter=/)
  const { total } = await world.ok('contacts/stats', { search: 'ada holm', tag_id: harbour.customer })
  await page.getByRole('button', { name: `Export ${total} contacts` }).waitFor()
  await hasRows(total)
  await page.reload()
  await page.getByRole('button', { name: `Export ${total} contacts` }).waitFor()
  await hasRows(total)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export ${total} contacts` }).click(),
  ])
  expect(file.suggestedFilename()).toBe('contacts.csv')
  await page.getByRole('searchbox').fill('nobody at all')
  await page.getByText('No contact matches.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: NEWEST }).waitFor()
})

test.if(hasBrowser)('A phone shows cards, and the filter in a sheet.', async () => {
  const { total } = await world.ok('contacts/stats', {})
  await page.setViewportSize({ width: 360, height: 740 })
  await portal.follow('/contacts')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Status').selectOption('bounced')
  await page.getByRole('button', { name: 'Show 0 people' }).waitFor()
  await checkPage(portal)
  await page.getByRole('dialog').getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: `Show ${total} people` }).click()
  await page.getByRole('link', { name: NEWEST }).waitFor()
  await page.getByRole('checkbox', { name: `Select ${NEWEST}` }).check()
  await page.getByRole('button', { name: 'Select the page' }).click()
  await page.getByRole('button', { name: `Select all ${total} that match` }).click()
  await page.getByRole('button', { name: 'Delete everybody…' }).waitFor()
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  await checkTexts(portal)
  await page.setViewportSize({ width: 640, height: 400 })
  await checkTexts(portal)
  await page.setViewportSize({ width: 1280, height: 800 })
  await checkTexts(portal)
})
