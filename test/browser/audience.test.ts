import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { fillHarbour, type Harbour } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** The form by which people join a list, in the browser. */

let world: World
let browser: Browser
let portal: Portal
let page: Page
let harbour: Harbour

beforeAll(async () => {
  world = await createWorld()
  harbour = await fillHarbour(world, 1)
  browser = await openBrowser()
  portal = await openPortal(browser, world, 'owner', { permissions: ['clipboard-read', 'clipboard-write'] })
  page = portal.page
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('A sign-up form is made, copied, and signs people up with the words that they saw.', async () => {
  await portal.open(`/lists/${harbour.weekly}/form`)
  await page.getByRole('checkbox', { name: 'First name' }).check()
  await page.getByLabel('What people agree to').fill('Yes, write to me each Thursday.')
  await page.getByRole('button', { name: 'Make the form' }).click()
  await page.getByText('The form is there.').waitFor()
  await page.frameLocator('iframe').getByLabel('First name').waitFor()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Copy the HTML' }).click()
  const html = await page.evaluate(() => navigator.clipboard.readText())
  expect(html).toContain('/general/newsletter/signup')
  const [hosted] = await Promise.all([
    portal.context.waitForEvent('page'),
    page.getByRole('link', { name: /newsletter\/forms/ }).click(),
  ])
  await hosted.locator('input[type=email]').fill('nora@example.com')
  await hosted.getByRole('button').click()
  await hosted.waitForLoadState()
  await hosted.close()
  const { consents } = await world.ok('contacts/get', { email: 'nora@example.com' })
  expect(consents).toMatchObject([{ text: 'Yes, write to me each Thursday.', list_id: harbour.weekly }])
  await page.getByLabel('What people agree to').fill('Yes, write to me.')
  await page.getByText('Not saved yet').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This is wording 2').waitFor()
})
