import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** The first page of an empty project, in the browser. */

let world: World
let browser: Browser
let portal: Portal

beforeAll(async () => {
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world)
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('Start here leads through the first steps, and each answer is kept.', async () => {
  const { page } = portal
  await portal.open('/')
  await checkLooks(portal)
  await page.getByLabel('Address', { exact: true }).fill('news@harbour.example')
  await page.getByLabel('Postal address').fill('Quay 4, 5003 Bergen')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Use the sandbox' }).click()
  await page.getByRole('button', { name: 'Make the list' }).click()
  await page.getByText('3 of 5 done.').waitFor()
  const { settings } = await world.ok('settings/get')
  expect(settings).toMatchObject({ from_name: 'Harbour News', from_email: 'news@harbour.example' })
  expect(settings.default_connection_id).toBeNumber()
  expect((await world.ok('lists/list')).items).toMatchObject([{ name: 'Newsletter', double_opt_in: true }])
  await checkLooks(portal)
})
