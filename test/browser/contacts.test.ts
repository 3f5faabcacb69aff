import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { createConfirmationToken } from '../../src/newsletter/tracking/tokens.ts'
import { packRules } from '../../static/app/rules/address.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'
import { fillHarbour, type Harbour } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** The people of a project, many at once and one by one. */

const PEOPLE = 110
const NEWEST = `person${PEOPLE - 1}@example.com`
/** Every second one, and more than fit on a page. */
const NORWEGIANS = PEOPLE / 2

let world: World
let browser: Browser
let portal: Portal
let harbour: Harbour
let page: Page

beforeAll(async () => {
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world, 'owner', { permissions: ['clipboard-read', 'clipboard-write'] })
  page = portal.page
  harbour = await fillHarbour(world, PEOPLE)
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** Waits until the list has so many rows; those of the list before stay until then. */
const hasRows = (wanted: number) =>
  page.waitForFunction((count) => document.querySelectorAll('tbody tr').length === count, wanted)
const tagged = async (tag_id: number) => (await world.ok('contacts/stats', { tag_id })).total

test.if(hasBrowser)('The calls of a page are listed, those too whose answers came with it.', async () => {
  await portal.open('/contacts')
  await portal.page.keyboard.press('.')
  const first = portal.page.getByRole('dialog').getByText('newsletter/contacts/list')
  await first.waitFor()
  await portal.page.keyboard.press('Escape')
})

test.if(hasBrowser)('Search and shortcuts narrow the list; an address that is opened shows the same.', async () => {
  await portal.open('/contacts')
  await page.keyboard.press('/')
  await page.keyboard.type('ada lind')
  await page.waitForURL(/q=ada\+lind/)
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'customer' })
  await page.waitForURL(/filter=/)
  const { total } = await world.ok('contacts/stats', { search: 'ada lind', tag_id: harbour.customer })
  await page.getByRole('button', { name: `Export ${total} contacts` }).waitFor()
  await hasRows(total)
  await page.reload()
  await page.getByRole('button', { name: `Export ${total} contacts` }).waitFor()
  await hasRows(total)
  await checkLooks(portal)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export ${total} contacts` }).click(),
  ])
  expect(file.suggestedFilename()).toBe('contacts.csv')
  await page.getByRole('searchbox').fill('nobody at all')
  await page.getByText('No contact matches.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: NEWEST }).waitFor()
})

test.if(hasBrowser)('A phone shows cards, and the filter in a sheet.', async () => {
  const { total } = await world.ok('contacts/stats', {})
  await page.setViewportSize({ width: 360, height: 740 })
  await portal.open('/contacts')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Status').selectOption('bounced')
  await page.getByRole('button', { name: 'Show 0 people' }).waitFor()
  await checkPage(portal)
  await page.getByRole('dialog').getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: `Show ${total} people` }).click()
  await page.getByRole('link', { name: NEWEST }).waitFor()
  await page.getByRole('checkbox', { name: `Select ${NEWEST}` }).check()
  await page.getByRole('button', { name: 'Select the page' }).click()
  await page.getByRole('button', { name: `Select all ${total} that match` }).click()
  await page.getByRole('button', { name: 'Delete everybody…' }).waitFor()
  await portal.open('/contacts?q=ada+lind')
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  await checkPage(portal)
  await page.setViewportSize({ width: 640, height: 400 })
  await checkPage(portal)
  await page.setViewportSize({ width: 1280, height: 800 })
  await checkPage(portal)
})

const norway = { op: 'and', rules: [{ field: 'custom.country', operator: 'in', value: ['Norway'] }] } as const
const inNorway = () => portal.open(`/contacts?filter=${packRules({ ...norway, rules: [...norway.rules] })}`)

test.if(hasBrowser)(
  'All that match are tagged, counted again at the click, and the job is seen to its end.',
  async () => {
    await inNorway()
    await page.getByText(`${NORWEGIANS} people`).waitFor()
    await page.getByLabel('Select all rows of this page').check()
    await page.getByText('on this page.').waitFor()
    await page.getByRole('button', { name: `Select all ${NORWEGIANS} that match` }).click()
    await page.getByRole('button', { name: 'Tag…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Country is one of Norway').waitFor()
    await dialog.getByRole('combobox', { name: 'Tags' }).pressSequentially('northern')
    await page.locator('.option-active').waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Remove northern' }).waitFor()
    await page.keyboard.press('Escape')
    await world.ok('contacts/upsert', {
      email: 'late@example.com',
      consent_text: 'Yes',
      custom_fields: { country: 'Norway' },
    })
    await dialog.getByRole('button', { name: `Tag ${NORWEGIANS} people` }).click()
    await dialog.getByText(`It was ${NORWEGIANS} when you looked; it is ${NORWEGIANS + 1} now.`).waitFor()
    await dialog.getByRole('button', { name: `Tag ${NORWEGIANS + 1} people` }).click()
    await page.getByText(`Tagging ${NORWEGIANS + 1} people has begun.`).waitFor()
    await world.service.drain('jobs')
    await page.getByText(`Tagging ${NORWEGIANS + 1} people: done`).waitFor()
    const { items } = await world.ok('tags/list')
    expect(await tagged(items.find(({ name }: { name: string }) => name === 'northern').id)).toBe(NORWEGIANS + 1)
    await checkPage(portal)
  },
)

test.if(hasBrowser)(
  'A contact shows consent as a document, with its confirmation, and gives it as evidence.',
  async () => {
    const email = 'maria@example.com'
    const list_ids = [harbour.weekly]
    const consent_text = 'Yes, send me the weekly letter.'
    const { contact } = await world.ok('contacts/upsert', { email, consent_text, list_ids })
    const contact_id = contact.id
    const token = createConfirmationToken(world.service.runtime.keys, { contact_id, email, list_ids })
    world.clock.advance(180_000)
    const confirmed = await world.fetch(`/general/newsletter/confirm/${token}`, {
      method: 'POST',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    expect(confirmed.status).toBeLessThan(400)
    await portal.follow(`/contacts/${contact_id}`)
    await page.getByText('“Yes, send me the weekly letter.”').waitFor()
    const history = page.getByRole('list', { name: 'What happened' })
    expect(
      await history
        .getByText(/^Confirmed/)
        .locator('..')
        .textContent(),
    ).toContain('Firefox on Linux')
    await history.getByRole('button', { name: 'Copy as evidence' }).click()
    await page.getByText('The evidence is copied.').waitFor()
    const evidence = await page.evaluate(() => navigator.clipboard.readText())
    expect(evidence).toContain('Consent to receive messages from Harbour News')
    expect(evidence).toContain('Wording: “Yes, send me the weekly letter.”')
    expect(evidence).toMatch(/Confirmed: 2026-01-15 .* UTC/)
    await page.getByRole('tab', { name: 'Messages' }).click()
    await page.waitForURL(/show=messages/)
    await page.getByText('A message to confirm was queued for “Weekly”').waitFor()
    await checkLooks(portal)
  },
)
