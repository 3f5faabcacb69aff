import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** The reference for everyone, and the explorer for people who are signed in. */

let world: World
let browser: Browser
let author: Portal
beforeAll(async () => {
  world = await createWorld()
  browser = await openBrowser()
  author = await openPortal(browser, world, 'owner', { root: '/portal/developer' })
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('The reference leads from its start to a guide, an operation and an error.', async () => {
  const { page } = author
  await page.goto(`${world.url}/docs`)
  await checkLooks(author)
  await page.getByRole('main').getByRole('link', { name: 'The first letter' }).click()
  await page.getByRole('heading', { name: 'A way to send' }).waitFor()
  await checkLooks(author)
  await page.getByRole('navigation').getByRole('link', { name: 'Lists', exact: true }).click()
  await page.getByRole('link', { name: 'lists/create' }).first().click()
  expect(new URL(page.url()).hash).toBe('#lists_create')
  await checkLooks(author)
  const call = page.locator('#lists_create')
  await call.getByText('Errors', { exact: true }).click()
  await call.getByRole('link', { name: 'IDEMPOTENCY_CONFLICT' }).click()
  await page.getByText('Make a new key: this one belongs to another body.').waitFor()
  await checkLooks(author)
})

test.if(hasBrowser)('An operation is found, tried and repeated, and copied for programs.', async () => {
  const { page } = author
  await author.open('/api')
  await checkLooks(author)
  await page.getByRole('searchbox').fill('makes list')
  await page.getByText('No call matches.').waitFor()
  await page.getByRole('searchbox').fill('lists/')
  await page.getByRole('link', { name: 'lists/create' }).click()
  await page.getByRole('heading', { name: 'lists/create' }).waitFor()
  await checkLooks(author)

  await page.getByLabel('Body', { exact: true }).fill('{"name": ')
  await page.getByText('This is no JSON object.').waitFor()
  await page.getByLabel('Body', { exact: true }).fill('{"name": "Tides"}')
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send it' }).click()
  await page.getByRole('region', { name: 'Body of the answer' }).getByText('"Tides"').waitFor()
  await page.getByText('Headers', { exact: true }).click()
  expect((await world.ok('lists/list', {})).items).toHaveLength(1)
  await checkPage(author)

  // The same key again: the same list. It is asked once in a visit.
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('idempotent-replayed: true').waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('409').first().waitFor()
  author.troubles.splice(0)

  // A platform route, with its form, in the project that the address names.
  await author.open('/api')
  await page.getByRole('searchbox').fill('pages/create')
  await page.getByRole('link', { name: 'POST /project/pages/create' }).click()
  await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Harbour News' })
  expect(new URL(page.url()).searchParams.get('project')).toBe(world.project.public_id)
  await page.getByLabel('path (required)').fill('/tides-today')
  await page.getByLabel('published').selectOption('false')
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send it' }).click()
  await page.getByRole('region', { name: 'Body of the answer' }).getByText('"/tides-today"').waitFor()
  await checkLooks(author)

  // An operation with an API key, which names its project itself.
  await author.open('/api?operation=lists/create')
  await page.getByLabel('Credential').selectOption('key')
  await page.getByText('Paste an API key.').waitFor()
  await page.getByLabel('API key', { exact: true }).fill(world.keys.other)
  await page.getByLabel('Body', { exact: true }).fill('{"name": "Hills"}')
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send it' }).click()
  await page.getByRole('region', { name: 'Body of the answer' }).getByText('"Hills"').waitFor()
  await page.getByText('Calls left in this minute').waitFor()

  await page.getByLabel('Body', { exact: true }).fill('{"name": "Tides"}')
  const shown = page.getByRole('region', { name: /^Call by/ })
  expect(await shown.innerText()).toContain(`curl -X POST '${world.url}/general/api/v1/newsletter/lists/create'`)
  await page.getByRole('tab', { name: 'Python' }).click()
  expect(await shown.innerText()).toContain('json={"name": "Tides"}')
  await checkLooks(author)
})
