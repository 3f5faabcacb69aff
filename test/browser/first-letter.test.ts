import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { count, isNotNull } from 'drizzle-orm'
import { newSetupToken } from '../../src/accounts/setup.ts'
import { configOf } from '../../src/config.ts'
import { type Service, startService } from '../../src/service.ts'
import { deliveries } from '../../src/store/tables/delivery.ts'
import { DOMAIN } from '../http/site-world.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { png } from '../support/pictures.ts'
import { freePort } from '../support/service-process.ts'

/** From the set-up link to the report of the first letter, with nothing but a browser. */

const MAX_STEPS = 25
/** Ends a walk that hangs. It takes about ten seconds on a quiet machine. */
const HANGS_MS = 240_000
/** Deliveries of the campaign: three people, and the test message. */
const THREE_AND_A_TEST = { sent: 4 }
const PASSWORD = 'long enough for anybody'

let browser: Browser
let service: Service
let folder: string
let page: Page
let steps = 0

afterAll(async () => {
  await browser?.close()
  await service?.close()
  if (folder) rmSync(folder, { recursive: true })
})

/** Opens a tab at the set-up page of a new service without a user. */
async function begin(viewport: { width: number; height: number }, base_url: string): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'masthead-first-'))
  service = await startService(
    configOf({ port: Number(new URL(base_url).port), base_url, data_dir: folder, log_level: 'error', sandbox: true }),
  )
  browser = await openBrowser()
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const token = await newSetupToken(service.runtime.store, Date.now())
  await page.goto(`${base_url}/portal/setup?token=${token}`)
}

/** Presses the key that does what a click does. The pointer reaches the control, too. */
async function tap(target: Locator): Promise<void> {
  if ((await target.getAttribute('role')) === 'option') return press('Enter')
  // A key does nothing on a control that is still busy.
  await target.click({ trial: true })
  await target.focus()
  await press((await target.getAttribute('type')) === 'radio' ? 'Space' : 'Enter')
}

async function press(key: string): Promise<void> {
  steps++
  await page.keyboard.press(key)
}

async function fillSetup(): Promise<void> {
  await page.getByLabel('Email address').fill('olive@harbour.example')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Name', { exact: true }).fill('Harbour News')
}

const CONTACTS = 'email,first_name\nada@example.com,Ada\nbo@example.com,Bo\nliv@example.com,Liv'

async function writeAndSend(): Promise<void> {
  const saved = () => page.getByText(/^Saved \d\d:\d\d$/).waitFor()
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  await fillSetup()
  await tap(button('Create the account'))

  await page.getByRole('heading', { name: 'Who writes' }).waitFor()
  await page.getByLabel('Email address').fill('news@harbour.example')
  await page.getByLabel('Postal address').fill('Quay 4, 5003 Bergen')
  await tap(button('Go on'))
  await tap(button('Make the list'))

  await tap(page.getByRole('link', { name: 'Import a file' }))
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CONTACTS) }
  await page.locator('input[type=file]').setInputFiles(file)
  await tap(button('Next: consent'))
  await tap(page.getByLabel('They agreed, and I can show it'))
  await page.getByLabel('What did they agree to').fill('Yes, send me the letter.')
  // The only list is chosen already.
  await tap(button('Next: check'))
  await tap(button('Import 3 people'))
  await page.getByText('3 rows were read.').waitFor()
  await tap(page.getByRole('link', { name: 'Write to the list' }))
  await tap(button('Use Plain letter'))

  await page.locator('.block').first().waitFor()
  await tap(page.getByRole('button', { name: /^Add a block, or type/ }))
  await page.keyboard.type('picture')
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a picture' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'quay.png', mimeType: 'image/png', buffer: png(600, 300) })
  await dialog.getByLabel('What is seen?').fill('The quay')
  await tap(dialog.getByRole('button', { name: 'Add the picture' }))
  await saved()

  await tap(button(/^Test/))
  await tap(page.getByRole('button', { name: 'Send test to 1 address' }))
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last())
  await tap(page.getByRole('link', { name: 'Review and send' }).or(button('Review and send')))
  // The project's only list is chosen already.
  await tap(button('Send to 3 people'))
  await tap(page.getByRole('alertdialog').getByRole('button', { name: 'Send to 3 people' }))
  await page.locator('.page-lead').getByText('Sent', { exact: true }).waitFor()
}

async function statuses(): Promise<Record<string, number>> {
  const rows = await service.runtime.store.db
    .select({ status: deliveries.status, n: count() })
    .from(deliveries)
    .where(isNotNull(deliveries.campaign_id))
    .groupBy(deliveries.status)
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

test.if(hasBrowser)(
  'The first letter takes at most 25 presses of the keyboard alone, also on a phone of 360 pixels and without https.',
  async () => {
    await begin({ width: 360, height: 740 }, `http://${DOMAIN}:${await freePort()}`)
    // Browsers take no name but those of their own machine for a secure context.
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await writeAndSend()
    expect(await statuses()).toEqual(THREE_AND_A_TEST)
    expect(steps).toBeLessThanOrEqual(MAX_STEPS)
  },
  HANGS_MS,
)
