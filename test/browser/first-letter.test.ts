import { afterAll, beforeAll, expect, test } from 'bun:test'
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

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
})

/** A new service without a user, and a tab at its set-up page. `press` and `tap` count what a person does. */
async function begin(viewport = { width: 1280, height: 800 }, { byKeyboard = false, origin = '' } = {}) {
  folder = mkdtempSync(join(tmpdir(), 'masthead-first-'))
  service = await startService(
    configOf({
      port: origin === '' ? 0 : Number(new URL(origin).port),
      base_url: origin,
      data_dir: folder,
      log_level: 'error',
      sandbox: true,
    }),
  )
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const token = await newSetupToken(service.runtime.store, Date.now())
  await page.goto(`${origin || service.url}/portal/setup?token=${token}`)
  let steps = 0
  return {
    page,
    steps: () => steps,
    tap: async (target: Locator) => {
      steps++
      if (!byKeyboard) return target.click()
      if ((await target.getAttribute('role')) === 'option') return page.keyboard.press('Enter')
      // A key does nothing on a control that is still busy.
      await target.click({ trial: true })
      await target.focus()
      return page.keyboard.press((await target.getAttribute('type')) === 'radio' ? 'Space' : 'Enter')
    },
    press: async (...keys: string[]) => {
      for (const key of keys) {
        steps++
        await page.keyboard.press(key)
      }
    },
    end: async () => {
      await context.close()
      await service.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function fillSetup(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill('olive@harbour.example')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Name', { exact: true }).fill('Harbour News')
}

const CONTACTS = 'email,first_name\nada@example.com,Ada\nbo@example.com,Bo\nliv@example.com,Liv'

type Visit = Pick<Awaited<ReturnType<typeof begin>>, 'page' | 'tap' | 'press'>

async function writeAndSend({ page, tap, press }: Visit, from: 'file' | 'paste'): Promise<void> {
  const saved = () => page.getByText(/^Saved \d\d:\d\d$/).waitFor()
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  await fillSetup(page)
  await tap(button('Create the account'))

  await page.getByRole('heading', { name: 'Who writes' }).waitFor()
  await page.getByLabel('Email address').fill('news@harbour.example')
  await page.getByLabel('Postal address').fill('Quay 4, 5003 Bergen')
  await tap(button('Go on'))
  await tap(button('Make the list'))

  await tap(page.getByRole('link', { name: 'Import a file' }))
  if (from === 'file') {
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CONTACTS) }
    await page.locator('input[type=file]').setInputFiles(file)
  } else {
    await page.getByLabel('Or paste rows').fill(CONTACTS)
    await tap(button('Go on with these rows'))
  }
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
  'The first letter takes at most 25 clicks, also on a phone of 360 pixels and without https.',
  async () => {
    // Browsers take no name but those of their own machine for a secure context.
    const visit = await begin({ width: 360, height: 740 }, { origin: `http://${DOMAIN}:${await freePort()}` })
    expect(await visit.page.evaluate(() => isSecureContext)).toBe(false)
    await writeAndSend(visit, 'file')
    expect(await statuses()).toEqual(THREE_AND_A_TEST)
    expect(visit.steps()).toBeLessThanOrEqual(MAX_STEPS)
    await visit.end()
  },
  HANGS_MS,
)

test.if(hasBrowser)(
  'The first letter is written and sent by the keyboard alone.',
  async () => {
    const visit = await begin(undefined, { byKeyboard: true })
    await writeAndSend(visit, 'paste')
    expect(await statuses()).toEqual(THREE_AND_A_TEST)
    expect(visit.steps()).toBeLessThanOrEqual(MAX_STEPS)
    await visit.end()
  },
  HANGS_MS,
)
