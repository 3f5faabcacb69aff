import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** What a page needs before it is drawn. Numbers of calls and bytes stand for time, which a test must not depend on. */

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

/** The first pages of the project whose answers travel with the document. */
const PAGES = [
  '',
  '/campaigns',
  '/contacts',
  '/templates',
  '/lists',
  '/segments',
  '/imports',
  '/sending',
  '/sending/sender',
]

test.if(hasBrowser)('A page is drawn from its document, without a call that it must wait for.', async () => {
  const { page } = portal
  for (const path of PAGES) {
    await page.route('**/project/**', (route) => route.abort())
    await page.goto(`${world.url}/portal/projects/${world.project.slug}${path}`)
    await page.locator('main:not([aria-busy]) h1').first().waitFor()
    expect([path, await page.locator('main .skeleton').count()]).toEqual([path, 0])
    await page.unroute('**/project/**')
  }
})

test.if(hasBrowser)(
  'Files of the application are cached for good, so the next page loads its own code only.',
  async () => {
    const { page } = portal
    const loaded: string[] = []
    page.on('response', (response) => {
      if (!response.fromServiceWorker() && response.url().includes('/assets/app/')) loaded.push(response.url())
    })
    await portal.open('/campaigns')
    // What opens over a page comes once the browser has nothing to do.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    await portal.settled()
    const first = loaded.length
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor()
    // A response may come from the cache, so files count that the first page did not have.
    const own = new Set(loaded.slice(first)).difference(new Set(loaded.slice(0, first)))
    expect(own.size).toBeGreaterThan(0)
    expect(own.size).toBeLessThan(first)
    for (const url of loaded) {
      const { headers } = await world.fetch(new URL(url).pathname, { headers: { 'Accept-Encoding': 'br' } })
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  },
)

test.if(hasBrowser)('The newest contacts are read through an index, however many there are.', async () => {
  const plan = await world.service.runtime.store.db.all<{ detail: string }>(
    sql`EXPLAIN QUERY PLAN SELECT id FROM contacts WHERE project_id = 101 ORDER BY created_at DESC, id DESC LIMIT 50`,
  )
  expect(plan.map(({ detail }) => detail).join()).toMatch(/USING (COVERING )?INDEX/)
  expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
})
