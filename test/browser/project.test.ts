import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { published_scripts, scripts } from '../../src/store/tables/scripts.ts'
import { post, signIn } from '../http/signed-in.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** What a project shows of its site in frames: the scripts of apps, and the question to visitors. */

let world: World
let browser: Browser
let portal: Portal
let page: Page
let cookie: string

beforeAll(async () => {
  if (!hasBrowser) return
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world)
  page = portal.page
  cookie = await signIn(world, 'owner')
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

const button = (name: string | RegExp, exact = true) => page.getByRole('button', { name, exact })
const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const asked = async (path: string, body: object = {}): Promise<any> => {
  const answer = await post(world, path, { project_id: world.project.public_id, ...body }, { cookie })
  if (answer.status !== 200) throw new Error(await answer.text())
  return answer.json()
}

/** Puts a script of the world's app on the pages of the project. */
async function embed(
  script: Pick<typeof scripts.$inferSelect, 'name' | 'type' | 'code' | 'parameters'>,
): Promise<void> {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const row = { ...script, placement: 'HTML Head' as const }
  const scriptId = await store.write(async (tx) => {
    const [made] = await tx
      .insert(scripts)
      .values({ app_id: world.app_id, ...row, created_at: now, updated_at: now })
      .returning({ id: scripts.id })
    await tx.insert(published_scripts).values({ script_id: made!.id, ...row })
    return made!.id
  })
  const answer = await post(
    world,
    '/general/api/v1/scripts/embed',
    { scriptId, project_id: world.project.public_id },
    { Authorization: `Bearer ${await world.token('owner')}` },
  )
  if (answer.status !== 200) throw new Error(await answer.text())
}

test.if(hasBrowser)('Scripts are switched with an undo, visitors are asked, and an app is removed.', async () => {
  await asked('/project/pages/create', { path: '/', title: 'Home', html: '<!doctype html><html><head></head></html>' })
  await embed({ name: 'Tides', type: 'Analytics', code: '<i>{{word}}</i>', parameters: { word: 'tides' } })
  const hosted = async () => (await world.fetch('/sites/harbour-news/')).text()
  await portal.follow('/apps')
  await page.getByText('Put its scripts on the pages of the site').waitFor()
  const tides = page.getByRole('switch', { name: /^Tides/ })
  await tides.click()
  await page.getByText('Tides is off: gone with the next view.').waitFor()
  expect(await hosted()).not.toContain('tides')
  await button('Undo').click()
  await page.getByRole('switch', { name: 'Tides: On' }).waitFor()
  expect(await hosted()).toContain('<i>tides</i>')
  await page.getByRole('switch', { name: 'Ask visitors before scripts run' }).click()
  await page.getByRole('switch', { name: 'Tides: After consent' }).waitFor()
  await page.getByLabel('Show the banner').check()
  await page.getByLabel('Question').fill('May we count you?')
  const banner = page.frameLocator('.banner-preview iframe')
  await banner.getByText('May we count you?').waitFor()
  await page.getByText('Kinds, purposes and further texts').click()
  await page.getByLabel('Name of Analytics').fill('Counting')
  await page.getByLabel('Privacy address').fill('/privacy')
  await banner.getByRole('checkbox', { name: /^Counting / }).waitFor()
  await banner.getByText('Privacy choices').waitFor()
  await button('Save').click()
  await page.getByText('The pages ask in these words.').waitFor()
  expect(await hosted()).toContain('May we count you?')
  expect(await hosted()).toContain('href="/sites/harbour-news/privacy"')
  await button('See the code of Tides').click()
  const code = page.getByRole('region', { name: 'As visitors get it' })
  await code.locator('[style]').first().waitFor()
  expect(await code.innerText()).toBe('<i>tides</i>')
  expect(await code.locator('mark').innerText()).toBe('tides')
  await page.keyboard.press('Escape')
  await button('See on a page with Tides').click()
  const framed = page.frameLocator('.page-with-script')
  // Visitors are asked first, and whoever looks at the script is not.
  await framed.getByText('tides', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Without it' }).click()
  await page.getByTitle('/ without Tides').waitFor()
  await framed.getByText('tides', { exact: true }).waitFor({ state: 'detached' })
  portal.troubles.splice(0)
  await page.keyboard.press('Escape')
  await button(/^Remove Test app/).click()
  await dialog().getByText('Its scripts leave the pages with the next view: Tides.').waitFor()
  const { y, height } = (await dialog().boundingBox())!
  // It stands in the middle of the window.
  expect(Math.abs(2 * y + height - page.viewportSize()!.height)).toBeLessThan(2)
  await dialog().getByRole('button', { name: 'Remove Test app' }).click()
  await page.getByText('None has access to this project.').waitFor()
  expect(await hosted()).not.toContain('tides')
})
