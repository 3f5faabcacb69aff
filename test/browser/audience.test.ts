import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'
import { fillHarbour, type Harbour } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** Lists, tags, fields, suppressions and sign-up forms, in the browser. */

let world: World
let browser: Browser
let portal: Portal
let page: Page
let harbour: Harbour

beforeAll(async () => {
  world = await createWorld()
  harbour = await fillHarbour(world, 30)
  browser = await openBrowser()
  portal = await openPortal(browser, world, 'owner', { permissions: ['clipboard-read', 'clipboard-write'] })
  page = portal.page
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

const menu = async (of: string, entry: string) => {
  await page.getByRole('button', { name: `More to do with ${of}` }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test.if(hasBrowser)('Lists show who is on them; what is switched or archived can be taken back.', async () => {
  await portal.open('/lists')
  await page.getByRole('link', { name: '30', exact: true }).waitFor()
  await checkLooks(portal)
  const asks = page.getByRole('switch', { name: 'Offers asks people to confirm' })
  await asks.click()
  await page.getByText('Members stay as they are.').waitFor()
  expect(await asks.getAttribute('aria-checked')).toBe('true')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('[role=switch][aria-checked=false]').nth(1).waitFor()
  await menu('Press', 'Archive')
  await page.getByRole('checkbox', { name: 'Show archived lists (1)' }).check()
  await page.waitForURL(/archived=1/)
  await menu('Press', 'Bring back')
  await page.getByRole('checkbox', { name: /archived/ }).waitFor({ state: 'detached' })
  const { items } = await world.ok('lists/list', { include_archived: true })
  expect(items.map(({ double_opt_in, archived }: any) => [double_opt_in, archived])).toEqual([
    [true, false],
    [false, false],
    [false, false],
  ])
})

test.if(hasBrowser)(
  'A list is made with double opt-in unless one says otherwise; one in use is not deleted.',
  async () => {
    await portal.open('/lists')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Weekly')
    await dialog.getByRole('button', { name: 'Make the list' }).click()
    await dialog.getByRole('group', { name: 'What went wrong' }).waitFor()
    await dialog.getByLabel('Name').fill('Monthly')
    await dialog.getByRole('button', { name: 'Make the list' }).click()
    await page.getByText('“Monthly” is there.').waitFor()
    const { items } = await world.ok('lists/list')
    expect(items.at(-1)).toMatchObject({ name: 'Monthly', double_opt_in: true, public: true })
    await world.ok('campaigns/create', {
      subject: 'News',
      audience_spec: { include: [{ type: 'list', id: items.at(-1).id }] },
    })
    await menu('Monthly', 'Delete…')
    await page.getByText('0 people on it will be on it no more.').waitFor()
    await page.getByRole('button', { name: 'Delete 1 list' }).click()
    await page.getByRole('link', { name: /Show campaign/ }).waitFor()
    portal.troubles.splice(0)
    await checkPage(portal)
    await page.keyboard.press('Escape')
  },
)

test.if(hasBrowser)('The letters of a list are made public, and the archive is a click away.', async () => {
  await portal.open('/lists')
  await menu('Press', 'Sent letters…')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('switch', { name: 'Sent letters are public' }).click()
  const archive = await dialog.getByRole('link').getAttribute('href')
  expect(await (await fetch(archive!)).text()).toContain('Nothing has been sent yet.')
  await checkLooks(portal)
  await dialog.getByRole('switch', { name: 'Sent letters are public' }).click()
  await dialog.getByRole('link').waitFor({ state: 'detached' })
  expect((await fetch(archive!)).status).toBe(404)
  await page.keyboard.press('Escape')
})

test.if(hasBrowser)('Tags are made, renamed and deleted.', async () => {
  await portal.open('/lists')
  await page.getByRole('button', { name: 'New tag' }).click()
  await page.getByLabel('Name').fill('met in Bergen')
  await page.getByRole('checkbox', { name: 'With a color' }).check()
  await page.getByRole('button', { name: 'Make the tag' }).click()
  await page.getByText('“met in Bergen” is saved.').waitFor()
  await menu('met in Bergen', 'Change…')
  await page.getByLabel('Name').fill('met in Oslo')
  await page.getByRole('button', { name: 'Save' }).click()
  await menu('met in Oslo', 'Delete…')
  await page.getByRole('button', { name: 'Delete 1 tag' }).click()
  await page.getByText('“met in Oslo” is deleted.').waitFor()
  expect((await world.ok('tags/list')).items).toHaveLength(1)
})

test.if(hasBrowser)(
  'A field gets a key from its name; deleting it says how many values go, and what names it.',
  async () => {
    await world.ok('segments/create', {
      name: 'In Norway',
      rules: { op: 'and', rules: [{ field: 'custom.country', operator: 'eq', value: 'Norway' }] },
    })
    await portal.open('/fields')
    await page.getByRole('link', { name: 'In Norway' }).waitFor()
    await checkLooks(portal)
    await page.keyboard.press('n')
    await page.getByLabel('Name').fill('Size of the crew')
    expect(await page.getByLabel('Key').inputValue()).toBe('size_of_the_crew')
    await page.getByLabel('Type').selectOption('select')
    await page.getByLabel('Choices').fill('alone\ntwo\n\nmore')
    await page.getByRole('button', { name: 'Make the field' }).click()
    await page.getByText('“Size of the crew” is saved.').waitFor()
    const { items } = await world.ok('custom-fields/list')
    expect(items.at(-1)).toMatchObject({ key: 'size_of_the_crew', options: ['alone', 'two', 'more'] })
    await menu('Country', 'Change…')
    await page.getByLabel('Type').selectOption('number')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The type of a custom field cannot change once contacts have values for it.').waitFor()
    portal.troubles.splice(0)
    await page.keyboard.press('Escape')
    await menu('Country', 'Delete…')
    await page.getByText('Rules in “In Norway” name it').waitFor()
    await page.getByRole('button', { name: 'Delete the field and 30 values' }).click()
    await page.getByText('“Country” is deleted.').waitFor()
  },
)

test.if(hasBrowser)('A suppressed address says why; a complaint is lifted with a warning.', async () => {
  await portal.open('/suppressions')
  // The refusals that the tests above cause on purpose may be told late.
  portal.troubles.splice(0)
  await page.getByText('No address is suppressed.').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('press@rival.example')
  await dialog.getByLabel('Note').fill('Asked by phone')
  await dialog.getByRole('button', { name: 'Suppress 1 address' }).click()
  await page.getByText('Nothing is sent to press@rival.example any more.').waitFor()
  await world.ok('suppressions/add', { email: 'person001@example.com', reason: 'complaint' })
  await portal.open('/suppressions')
  await page.getByText('person001@example.com', { exact: true }).waitFor()
  await checkLooks(portal)
  await page.getByRole('searchbox').fill('rival')
  await page.waitForURL(/q=rival/)
  await page.getByText('person001@example.com', { exact: true }).waitFor({ state: 'detached' })
  await portal.open('/suppressions?reason=complaint')
  await page.getByRole('button', { name: 'Lift… the suppression of person001@example.com' }).click()
  await page.getByText('This person reported a message as spam.').waitFor()
  await page.getByRole('button', { name: 'Lift 1 suppression' }).click()
  await page.getByText('No suppression matches.').waitFor()
  expect((await world.ok('suppressions/list')).items).toMatchObject([{ email: 'press@rival.example' }])
})

test.if(hasBrowser)('A sign-up form is made, copied, and signs people up with the words that they saw.', async () => {
  await portal.open(`/lists/${harbour.weekly}/form`)
  await page.getByRole('checkbox', { name: 'First name' }).check()
  await page.getByLabel('What people agree to').fill('Yes, write to me each Thursday.')
  await page.getByRole('button', { name: 'Make the form' }).click()
  await page.getByText('The form is there.').waitFor()
  await page.frameLocator('iframe').getByLabel('First name').waitFor()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Copy the HTML' }).click()
  const html = await page.evaluate(() => navigator.clipboard.readText())
  expect(html).toContain('/general/newsletter/signup')
  const [hosted] = await Promise.all([
    portal.context.waitForEvent('page'),
    page.getByRole('link', { name: /newsletter\/forms/ }).click(),
  ])
  await hosted.locator('input[type=email]').fill('nora@example.com')
  await hosted.getByRole('button').click()
  await hosted.waitForLoadState()
  await hosted.close()
  const { consents } = await world.ok('contacts/get', { email: 'nora@example.com' })
  expect(consents).toMatchObject([{ text: 'Yes, write to me each Thursday.', list_id: harbour.weekly }])
  await page.getByLabel('What people agree to').fill('Yes, write to me.')
  await page.getByText('Not saved yet').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This is wording 2').waitFor()
})

test.if(hasBrowser)('A member sees no controls that change lists, fields or suppressions.', async () => {
  const member = await openPortal(browser, world, 'member')
  for (const path of ['/lists', '/fields', '/suppressions', `/lists/${harbour.weekly}/form`]) {
    await member.follow(path)
    await member.page.getByText('you are a member here').waitFor()
    await member.page.getByText('Loading…').waitFor({ state: 'detached' })
    const main = member.page.getByRole('main')
    expect([path, await main.getByRole('switch').count()]).toEqual([path, 0])
    expect([path, await main.getByRole('button', { name: /New|Add|Lift|Save|Delete|Make/ }).count()]).toEqual([path, 0])
    await checkPage(member)
  }
  await member.close()
})
