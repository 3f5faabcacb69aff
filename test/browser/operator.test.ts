import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Browser, Route } from 'playwright-core'
import { users } from '../../src/store/tables/accounts.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, checkPage, cutTexts, openPortal, type Portal } from '../support/portal.ts'
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

test.if(hasBrowser)(
  'Each page of operators and of authors says what could not be loaded, and asks again.',
  async () => {
    const { page } = portal
    const app = `/portal/developer/apps/${world.app_id}`
    const operators = ['/reviews', '/reviews/1', '/apps', '/projects', '/people', '/health', '/service']
    const tabs = [
      '',
      '/credentials',
      '/scripts',
      '/scripts/1',
      '/listing',
      '/versions',
      '/versions/1',
      '/requests',
      '/team',
    ]
    const refuse = (route: Route) =>
      route.fulfill({ status: 403, json: { error: 'forbidden', message: 'Not at the moment.' } })
    // An app is known, so that each of its pages has its own part refused.
    const own = (url: URL) => url.pathname === `/user/developer/apps/${world.app_id}`
    const isRead = (url: URL) => /^\/(?:user|general)\//.test(url.pathname) && !own(url) && url.pathname !== '/user/me'
    await page.route(isRead, refuse)
    await page.goto('about:blank') // An answer that a page keeps would be drawn.
    for (const address of [
      ...operators,
      ...['/portal/developer', '/portal/developer/api', ...tabs.map((path) => app + path)],
    ]) {
      await portal.follow(address)
      const note = page.getByRole('alert').filter({ hasText: 'Not at the moment.' }).first()
      await note.getByText('could not be').waitFor()
      await note.getByRole('button', { name: 'Try again' }).waitFor()
      expect([address, await cutTexts(page)]).toEqual([address, []])
    }
    portal.troubles.splice(0)
    await checkPage(portal)
    await page.unroute(isRead)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'Team' }).waitFor()
  },
)

test.if(hasBrowser)('The list of apps is filtered by state, in the address.', async () => {
  const { page } = portal
  await portal.open('/apps?state=development')
  await page.getByText('No app matches.').waitFor()
  await page.getByRole('tab', { name: 'Approved' }).click()
  await page.getByRole('row', { name: /Test app/ }).waitFor()
  expect(new URL(page.url()).searchParams.get('state')).toBe('approved')
  const search = page.getByRole('searchbox', { name: 'Search name or maker' })
  await search.pressSequentially('test ')
  await page.waitForURL(/search=test&/)
  await page.getByRole('row', { name: /Test app/ }).waitFor()
  await search.pressSequentially('app')
  await page.waitForURL(/search=test\+app/)
  await page.getByRole('tab', { name: 'In review' }).click()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByRole('row', { name: /Test app/ }).waitFor()
  expect(new URL(page.url()).search).toBe('')
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
