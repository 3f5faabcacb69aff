import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { createConfirmationToken } from '../../src/newsletter/tracking/tokens.ts'
import { packRules } from '../../static/app/rules/address.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'
import { fillHarbour, type Harbour, HOW_MANY } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** The people of a project, many at once and one by one. */

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
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** Waits until the list has so many rows; those of the list before stay until then. */
const hasRows = (wanted: number) =>
  page.waitForFunction((count) => document.querySelectorAll('tbody tr').length === count, wanted)
const row = (index: number) => page.getByRole('link', { name: `person${String(index).padStart(3, '0')}@example.com` })
const tagged = async (tag_id: number) => (await world.ok('contacts/stats', { tag_id })).total

test.if(hasBrowser)('An empty project says what to do first.', async () => {
  await portal.open('/contacts')
  await page.getByText('Nobody is here yet.').waitFor()
  await checkPage(portal)
  const { list } = await world.ok('lists/create', { name: 'Only list' })
  await portal.open('/contacts?add=yes')
  const dialog = page.getByRole('dialog', { name: 'Add a contact' })
  await dialog.getByRole('button', { name: 'Remove Only list' }).waitFor()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await page.waitForURL((url) => url.search === '')
  await world.ok('lists/delete', { list_id: list.id })
  harbour = await fillHarbour(world)
})

test.if(hasBrowser)('The first page is drawn from the document, and older pages are reached by cursors.', async () => {
  const called: string[] = []
  page.on('request', (request) => called.push(new URL(request.url()).pathname))
  await portal.open('/contacts')
  await row(259).waitFor()
  expect(called.filter((path) => /\/(contacts|lists|tags|custom-fields)\/list$/.test(path))).toEqual([])
  await hasRows(50)
  await page.getByRole('button', { name: 'Older' }).click()
  await row(209).waitFor()
  await page.getByRole('button', { name: 'Newer' }).click()
  await row(259).waitFor()
  await page.getByLabel('Rows on a page').selectOption('100')
  await row(160).waitFor()
  await page.getByLabel('Order').selectOption('oldest')
  await row(0).waitFor()
  expect(new URL(page.url()).search).toBe('?order=oldest&size=100')
})

test.if(hasBrowser)('Columns are chosen, custom fields too, and remembered.', async () => {
  await portal.open('/contacts')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Boats' }).check()
  await page.getByRole('checkbox', { name: 'Tags' }).check()
  await page.reload()
  await page.getByRole('columnheader', { name: 'Boats' }).waitFor()
  await page.getByRole('cell', { name: 'customer' }).first().waitFor()
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
  await row(259).waitFor()
})

test.if(hasBrowser)('A phone shows cards, and the filter in a sheet.', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await portal.open('/contacts')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Status').selectOption('bounced')
  await page.getByRole('button', { name: 'Show 0 people' }).waitFor()
  await checkPage(portal)
  await page.getByRole('dialog').getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Show 260 people' }).click()
  await row(259).waitFor()
  await page.getByRole('checkbox', { name: 'Select person259@example.com' }).check()
  await page.getByRole('button', { name: 'Select the page' }).click()
  await page.getByRole('button', { name: 'Select all 260 that match' }).click()
  await page.getByRole('button', { name: 'Delete everybody…' }).waitFor()
  await portal.open('/contacts?q=ada+lind')
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  await checkPage(portal)
  await page.setViewportSize({ width: 640, height: 400 })
  await checkPage(portal)
  await page.setViewportSize({ width: 1280, height: 800 })
  await checkPage(portal)
})

describe('many at once', () => {
  const norway = { op: 'and', rules: [{ field: 'custom.country', operator: 'in', value: ['Norway'] }] } as const
  const inNorway = () => portal.open(`/contacts?filter=${packRules({ ...norway, rules: [...norway.rules] })}`)

  test.if(hasBrowser)('Shift with a click and Shift with an arrow select on.', async () => {
    await portal.open('/contacts')
    const box = (index: number) => page.getByRole('checkbox', { name: `Select person${index}@example.com` })
    await box(259).click()
    await box(255).click({ modifiers: ['Shift'] })
    await page.getByText('5 selected').waitFor()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('7 selected').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'hidden' })
  })

  test.if(hasBrowser)(
    'All that match are tagged, counted again at the click, and the job is seen to its end.',
    async () => {
      await inNorway()
      await page.getByText('130 people').waitFor()
      await page.getByLabel('Select all rows of this page').check()
      await page.getByText('on this page.').waitFor()
      await page.getByRole('button', { name: 'Select all 130 that match' }).click()
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
      await dialog.getByRole('button', { name: 'Tag 130 people' }).click()
      await dialog.getByText('It was 130 when you looked; it is 131 now.').waitFor()
      await dialog.getByRole('button', { name: 'Tag 131 people' }).click()
      await page.getByText('Tagging 131 people has begun.').waitFor()
      await world.service.drain('jobs')
      await page.getByText('Tagging 131 people: done').waitFor()
      const { items } = await world.ok('tags/list')
      expect(await tagged(items.find(({ name }: { name: string }) => name === 'northern').id)).toBe(131)
      await checkPage(portal)
    },
  )

  test.if(hasBrowser)('Adding to a list asks for the words of consent, and names who must confirm.', async () => {
    await inNorway()
    await page.getByLabel('Select all rows of this page').check()
    await page.getByRole('button', { name: /Select all 131/ }).click()
    await page.getByRole('button', { name: 'Add to list…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'List' }).click()
    await page.locator('.option', { hasText: 'Weekly' }).click()
    await dialog.getByText('Up to 131 of them get a message to confirm').waitFor()
    await dialog.getByText('Say what they agreed to first.').waitFor()
    await checkPage(portal)
    await dialog.getByLabel('What did they agree to, and where?').fill('On paper at the fair in Bergen.')
    await dialog.getByRole('button', { name: 'Add 131 people' }).click()
    await page.getByText('Adding 131 people to “Weekly” has begun.').waitFor()
    await world.service.drain('jobs')
    const { by_list } = await world.ok('contacts/stats', {})
    expect(by_list.find(({ list_id }: { list_id: number }) => list_id === harbour.weekly).pending).toBe(131)
  })

  test.if(hasBrowser)('From a hundred on, deleting asks for the number, and for everybody for the name.', async () => {
    await inNorway()
    await page.getByLabel('Select all rows of this page').check()
    await page.getByRole('button', { name: /Select all 131/ }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Type 131 first.').waitFor()
    await checkPage(portal)
    await dialog.getByRole('textbox').fill('131')
    await dialog.getByRole('button', { name: 'Delete 131 contacts' }).click()
    await page.getByText('Deleting 131 contacts has begun.').waitFor()
    await world.service.drain('jobs')
    await page.getByText('Deleting 131 contacts: done').waitFor()
    expect((await world.ok('contacts/stats', {})).total).toBe(HOW_MANY + 1 - 131)
    await portal.open('/contacts')
    await page.getByLabel('Select all rows of this page').check()
    await page.getByRole('button', { name: /Select all 130/ }).click()
    await page.getByRole('button', { name: 'Delete everybody…' }).click()
    await dialog.getByText('Type Harbour News first.').waitFor()
    await dialog.getByText('everybody in this project').waitFor()
    await dialog.getByRole('button', { name: 'Not now' }).click()
  })
})

describe('one contact', () => {
  let contact_id: number

  test.if(hasBrowser)('One contact is added with what she agreed to.', async () => {
    await portal.open('/contacts')
    await row(259).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('menuitem', { name: 'Add one' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('maria')
    await dialog.getByLabel('What did they agree to?').fill('Yes, send me the weekly letter.')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('group', { name: 'What went wrong' }).waitFor()
    expect(await dialog.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    portal.troubles.splice(0)
    await checkPage(portal)
    await dialog.getByLabel('Address').fill('maria@example.com')
    await dialog.getByLabel('First name').fill('Maria')
    await dialog.getByRole('combobox', { name: 'Lists' }).click()
    await page.locator('.option', { hasText: 'Weekly' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Maria is here now.').waitFor()
    contact_id = (await world.ok('contacts/get', { email: 'maria@example.com' })).contact.id
  })

  test.if(hasBrowser)(
    'A contact shows consent as a document, with its confirmation, and gives it as evidence.',
    async () => {
      const { contact } = await world.ok('contacts/get', { contact_id })
      const token = createConfirmationToken(world.service.runtime.keys, {
        contact_id,
        email: contact.email,
        list_ids: [harbour.weekly],
      })
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

  test.if(hasBrowser)('Profile, tags and lists are changed in place, and can be taken back.', async () => {
    await portal.follow(`/contacts/${contact_id}`)
    const field = page.getByLabel('Last name')
    await field.fill('Silva')
    await field.press('Tab')
    await page.getByText('Last name is saved.').waitFor()
    await page.getByRole('heading', { name: 'Maria Silva' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Maria', exact: true }).waitFor()
    await page.getByLabel('Boats').fill('3')
    await page.getByLabel('Boats').press('Enter')
    await page.getByText('Boats is saved.').waitFor()
    await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('from the fair')
    await page.locator('.option-active').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove from the fair' }).waitFor()
    await page.getByRole('switch', { name: 'On the list Weekly' }).click()
    await page.getByText('Taken off “Weekly”.').waitFor()
    const { contact } = await world.ok('contacts/get', { contact_id })
    expect(contact).toMatchObject({ last_name: '', custom_fields: { boats: 3 }, tag_ids: [expect.any(Number)] })
    expect(contact.lists).toMatchObject([{ list_id: harbour.weekly, status: 'unsubscribed' }])
    await page.getByRole('switch', { name: 'On the list Weekly' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What did they agree to, and where?').fill('On the telephone.')
    await dialog.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByRole('button', { name: 'Send the confirmation again' }).click()
    await page.getByText('The message to confirm waits: no connection is set up.').nth(1).waitFor()
  })

  test.if(hasBrowser)('Suppressing and deleting say what they do, and the opt-out stays.', async () => {
    await portal.follow(`/contacts/${contact_id}`)
    const more = page.getByRole('button', { name: 'More to do with this contact' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Suppress the address…' }).click()
    await page.getByRole('button', { name: 'Suppress 1 address' }).click()
    await page.getByText('Suppressed: by hand on').waitFor()
    expect(await page.getByRole('button', { name: 'Subscribe to a list…' }).count()).toBe(0)
    await checkPage(portal)
    await more.click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByText('Their opt-out stays as a suppression').waitFor()
    await page.getByRole('button', { name: 'Delete 1 contact' }).click()
    await page.getByText('Maria is deleted.').waitFor()
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    expect((await world.ok('suppressions/list', { search: 'maria@example.com' })).items).toMatchObject([
      { reason: 'manual' },
    ])
    portal.troubles.splice(0)
    await portal.open(`/contacts/${contact_id}`)
    await page.getByText('There is no such contact.').waitFor()
    portal.troubles.splice(0)
    await checkPage(portal)
  })
})

test.if(hasBrowser)('A list that cannot be read says so, and is read again at a press.', async () => {
  await page.route('**/contacts/list', (route) => route.fulfill({ status: 503, json: { error: 'unavailable' } }))
  await portal.open('/contacts?q=person')
  await page.getByText('Contacts could not be loaded.').waitFor()
  await page.unroute('**/contacts/list')
  portal.troubles.splice(0)
  await checkPage(portal)
  await page.getByRole('button', { name: 'Try again' }).click()
  await row(259).waitFor()
})

test.if(hasBrowser)('A request that got no answer is asked again without a second effect.', async () => {
  await portal.open('/contacts?q=person259')
  await page.getByLabel('Select all rows of this page').check()
  await page.getByRole('button', { name: 'Unsubscribe…' }).click()
  await page.route('**/contacts/bulk', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const before = (await world.ok('jobs/list')).items.length
  await page.getByRole('button', { name: 'Unsubscribe 1 person' }).click()
  await page.getByText('Asking again is safe: it cannot happen twice.').waitFor()
  await page.unroute('**/contacts/bulk')
  await page.getByRole('button', { name: 'Ask again' }).click()
  await page.getByText('Unsubscribing 1 person has begun.').waitFor()
  expect((await world.ok('jobs/list')).items).toHaveLength(before + 1)
  portal.troubles.splice(0)
})

test.if(hasBrowser)('A member reads contacts and finds nothing that changes them.', async () => {
  const member = await openPortal(browser, world, 'member')
  await member.open('/contacts')
  await member.page.getByText('Changing contacts takes an editor; you are a member here.').waitFor()
  for (const name of ['Export', 'Add contact', 'Columns']) {
    const found = await member.page.getByRole('button', { name }).count()
    expect([name, found]).toEqual([name, name === 'Columns' ? 1 : 0])
  }
  expect(await member.page.getByRole('checkbox').count()).toBe(0)
  await checkPage(member)
  await member.page.getByRole('link', { name: 'person259@example.com' }).click()
  await member.page.getByText('What happened').waitFor()
  for (const role of ['switch', 'textbox', 'combobox'] as const)
    expect(await member.page.getByRole('main').getByRole(role).count()).toBe(0)
  await checkPage(member)
  await member.close()
})
