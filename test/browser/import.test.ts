import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** The import of a file, step by step, in the browser. */

let world: World
let browser: Browser
let portal: Portal

const ROWS = 1_000
const BAD_ROWS = 10

beforeAll(async () => {
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world)
  await world.ok('lists/create', { name: 'Weekly letter' })
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('A file of 1,000 rows with flaws is mapped, checked, imported and told row by row.', async () => {
  const { page } = portal
  const lines = Array.from({ length: ROWS }, (_, n) =>
    n % (ROWS / BAD_ROWS) === 7 ? `person ${n},Ada,Oslo` : `person${n}@example.com,Ada,Oslo`,
  )
  const file = join(world.folder, 'people.csv')
  await Bun.write(file, ['E-mail,First name,Town', ...lines].join('\n'))

  await portal.open('/imports')
  await page.keyboard.press('n')
  await page.getByText('Choose a CSV file').waitFor()
  await checkLooks(portal)
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('combobox', { name: 'What is Town?' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'What is E-mail?' }).inputValue()).toBe('Address')
  const town = page.getByRole('combobox', { name: 'What is Town?' })
  await town.fill('last')
  await page.getByRole('option').getByText('Make the field “last”').waitFor()
  await town.press('ArrowDown')
  await town.press('Enter')
  expect(await town.inputValue()).toBe('Last name')
  await town.fill('Town')
  await page.getByRole('option', { name: 'Make the field “Town”' }).click()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Next: consent' }).click()

  await page.getByText('Choose how they agreed.').waitFor()
  await page.getByLabel('They agreed, and I can show it').check()
  await page.getByLabel('What did they agree to').fill('Yes, send me the weekly letter.')
  // The only list is chosen already.
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Next: check' }).click()

  const commit = page.getByRole('button', { name: 'Import 990 people' })
  await commit.waitFor()
  await page.getByRole('heading', { name: 'Rows with a flaw' }).waitFor()
  await checkLooks(portal)
  await commit.click()
  await page.getByText('You can leave this page.').waitFor()
  await world.settle()
  await page.getByText('1,000 rows were read.').waitFor()
  await page.getByRole('navigation', { name: 'Steps of the import' }).getByText('Import, done').waitFor()
  await checkLooks(portal)
  const { contacts } = await world.ok('overview')
  expect(contacts.total).toBe(ROWS - BAD_ROWS)
  const { items } = await world.ok('contacts/list', { limit: 1 })
  const { contact } = await world.ok('contacts/get', { contact_id: items[0].id })
  expect(contact).toMatchObject({ first_name: 'Ada', custom_fields: { town: 'Oslo' } })
})

test.if(hasBrowser)('A file above 5 MiB goes up in parts, and a job checks it.', async () => {
  const { page } = portal
  const file = join(world.folder, 'large.csv')
  const rest = 'x'.repeat(3_500)
  const lines = Array.from({ length: 1_700 }, (_, n) => `large${n}@example.com,${rest}`)
  await Bun.write(file, ['email,rest', ...lines].join('\n'))
  const parts: (string | null)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/imports/upload')) parts.push(request.headers()['content-range'] ?? null)
  })
  await portal.open('/imports/new')
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('combobox', { name: 'What is email?' }).waitFor()
  const size = Bun.file(file).size
  expect(parts).toEqual([`bytes 0-4194303/${size}`, `bytes 4194304-${size - 1}/${size}`])
  await page.getByRole('button', { name: 'Next: consent' }).click()
  await page.getByLabel('Only bring them in').check()
  const queued = page.waitForResponse(/\/imports\/examine$/)
  await page.getByRole('button', { name: 'Next: check' }).click()
  await page.getByText('Reading every row…').waitFor()
  await queued
  await world.settle()
  await page.getByRole('button', { name: 'Import 1,700 people' }).waitFor()
})
