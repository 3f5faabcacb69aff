import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Browser } from 'playwright-core'
import { users } from '../../src/store/tables/accounts.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** The pages of operators. */

let world: World
let browser: Browser
let portal: Portal

beforeAll(async () => {
  world = await createWorld()
  const operator = { admin: true }
  await world.service.runtime.store.write((tx) => tx.update(users).set(operator).where(eq(users.id, world.users.owner)))
  browser = await openBrowser()
  portal = await openPortal(browser, world, 'owner', { root: '/portal/operator' })
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('Each page of operators passes axe in both colors, on a desk and on a phone.', async () => {
  for (const path of ['/reviews', '/apps', '/projects', '/people', '/health', '/service']) {
    await portal.follow(path)
    await portal.settled()
    await checkLooks(portal)
  }
})

test.if(hasBrowser)('An operator limits a project and disables an account.', async () => {
  const { page } = portal
  await portal.open('/projects')
  await page.getByRole('button', { name: 'Set limits of Harbour News' }).click()
  await page.getByLabel('Messages a month').fill('5000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('0 of 5,000').waitFor()
  await portal.open('/people')
  await page.getByRole('button', { name: 'Actions for outsider@example.com' }).click()
  await page.getByRole('menuitem', { name: 'Disable…' }).click()
  await page.getByRole('button', { name: 'Disable 1 account' }).click()
  await page.getByText('Disabled').waitFor()
  const [outsider] = await world.service.runtime.store.db.select().from(users).where(eq(users.id, world.users.outsider))
  expect(outsider!.disabled_at).not.toBeNull()
})

test.if(hasBrowser)('People who do not operate the service find no page of operators.', async () => {
  const other = await openPortal(browser, world, 'member', { root: '/portal/operator' })
  const answer = await other.page.goto(`${world.url}/portal/operator/people`)
  expect(answer!.status()).toBe(404)
  await other.close()
})
