import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { PASSWORD } from '../support/world.ts'
import { createOAuthWorld, type OAuthWorld } from '../oauth/oauth-world.ts'

/** The pages of one's account. */

let world: OAuthWorld
let browser: Browser
let portal: Portal

beforeAll(async () => {
  world = await createOAuthWorld()
  browser = await openBrowser()
})
beforeEach(async () => {
  portal = await openPortal(browser, world, 'editor', { root: '/portal/account' })
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('A person changes the name, and asks for another address.', async () => {
  const { page } = portal
  await portal.open('/')
  await page.getByRole('button', { name: 'Delete my account' }).waitFor()
  await checkLooks(portal)
  await page.getByLabel('First name').fill('Ada')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByText('Your name is saved.').waitFor()
  world.clock.advance(11 * 60_000)
  await page.getByLabel('New address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Send a link to the new address' }).click()
  await page.getByLabel('Password of editor@example.com').fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('A link is on its way to ada@example.com.').waitFor()
  expect(portal.troubles.splice(0)).toEqual([expect.stringContaining('403')])
  await page.reload()
  expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
})

test.if(hasBrowser)('A person turns one-time codes on, makes new recovery codes, and turns them off.', async () => {
  const { page } = portal
  await portal.open('/security')
  await page.getByRole('button', { name: 'Set up one-time codes' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await checkLooks(portal)
  await page.getByLabel('Code', { exact: true }).fill('abcdef')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Code: This code is wrong').waitFor()
  const secret = (await page.locator('dialog pre code').textContent())!.replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, world.clock.now()))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByRole('region', { name: 'Recovery codes' })
  const codes = (await shown.textContent())!.split('\n')
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 recovery codes are left of 10.').waitFor()
  await page.getByRole('button', { name: 'Make new recovery codes' }).click()
  await page.getByRole('button', { name: 'Make 10 recovery codes' }).click()
  expect((await shown.textContent())!.split('\n')).not.toContain(codes[0])
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByRole('button', { name: 'Turn one-time codes off' }).click()
  await page.getByRole('button', { name: 'Turn off', exact: true }).click()
  await page.getByRole('button', { name: 'Set up one-time codes' }).waitFor()
  expect(portal.troubles.splice(0)).toEqual([expect.stringContaining('400')])
})
