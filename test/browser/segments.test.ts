import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'
import { fillHarbour, type Harbour } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** Segments, built in the browser. */

let world: World
let browser: Browser
let portal: Portal
let harbour: Harbour

beforeAll(async () => {
  world = await createWorld()
  harbour = await fillHarbour(world, 60)
  browser = await openBrowser()
  portal = await openPortal(browser, world)
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

const threeLevels = () => ({
  op: 'and',
  rules: [
    { field: 'custom.country', operator: 'in', value: ['Norway'] },
    {
      op: 'or',
      rules: [
        { field: 'tag', operator: 'in', value: [harbour.customer] },
        { op: 'not', rules: [{ field: 'list', operator: 'in', value: [harbour.press] }] },
      ],
    },
  ],
})

async function segmentNamed(name: string) {
  const { items } = await world.ok('segments/list')
  return items.find((segment: { name: string }) => segment.name === name)
}

/** Types into the field for values and takes the first that matches. */
async function choose(page: Page, field: string, text: string, at = 0): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).nth(at).pressSequentially(text)
  await page.locator('.option-active').waitFor()
  await page.keyboard.press('Enter')
}

test.if(hasBrowser)('A segment of three levels is built by mouse, counted at each step by the service.', async () => {
  const { page } = portal
  await portal.open('/segments')
  await checkPage(portal)
  await page.getByRole('link', { name: 'New segment' }).first().click()
  await page.getByText('Everybody: 60 people').waitFor()
  await page.getByLabel('Name').fill('Northern customers')
  await page.getByRole('button', { name: 'Rule', exact: true }).click()
  await page.getByText('1 rule is not finished and not counted.').waitFor()
  await page.getByLabel('Field').selectOption({ label: 'Country' })
  await choose(page, 'Values', 'Nor')
  await page.getByText('30 people').waitFor()
  await page.getByText('for example Ada Lind, Bo Holm').waitFor()
  await page.getByRole('button', { name: 'Group', exact: true }).click()
  await page.getByLabel('Field').nth(1).selectOption({ label: 'Tag' })
  await choose(page, 'Tags', 'cust')
  await page.getByText('10 people').waitFor()
  await page.getByRole('button', { name: 'Group', exact: true }).first().click()
  await page.getByLabel('How many of the rules must match').nth(2).selectOption({ label: 'none' })
  await page.getByLabel('Field').nth(2).selectOption({ label: 'List' })
  await choose(page, 'Lists', 'Press')
  const { count } = await world.ok('segments/preview', { rules: threeLevels() })
  await page.getByText(`${count} people`).waitFor()
  await page.keyboard.press('Escape')
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Northern customers' }).waitFor()
  expect((await segmentNamed('Northern customers')).rules).toEqual(threeLevels())
})

/** Presses Enter on a button that adds a rule, and types the name of its field. */
async function addRule(page: Page, button: 'Rule' | 'Group', field: string): Promise<void> {
  await tabTo(page, button)
  await page.keyboard.press('Enter')
  await page.locator('.rule-line select:focus').waitFor()
  await page.keyboard.type(field)
}

/** Types a value into the field that has the focus, and takes the first that matches. */
async function typeValue(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text)
  const hasText = new RegExp(text, 'i')
  await page.locator('.option-active', { hasText }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.chip', { hasText }).waitFor()
}

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement as (HTMLInputElement & HTMLElement) | null
      const label = element?.labels?.[0]?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent
      return label?.trim() ?? ''
    })
    if (focused === name) return
  }
  throw new Error(`Tab never came to ${name}.`)
}

test.if(hasBrowser)('The same segment is built with keys alone.', async () => {
  const { page } = portal
  const { keyboard } = page
  await portal.open('/segments')
  await page.getByRole('link', { name: 'New segment' }).first().waitFor()
  await keyboard.press('n')
  await page.getByText('Everybody: 60 people').waitFor()
  await tabTo(page, 'Name')
  await keyboard.type('By keys')
  await addRule(page, 'Rule', 'Country')
  await tabTo(page, 'Values')
  await typeValue(page, 'Nor')
  await addRule(page, 'Group', 'Tag')
  await tabTo(page, 'Tags')
  await typeValue(page, 'cust')
  await addRule(page, 'Group', 'List')
  await keyboard.press('Shift+Tab')
  await keyboard.press('Shift+Tab')
  await keyboard.type('none')
  await tabTo(page, 'Lists')
  await typeValue(page, 'Press')
  await tabTo(page, 'Save')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
  expect((await segmentNamed('By keys')).rules).toEqual(threeLevels())
})
