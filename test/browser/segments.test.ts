import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { fillHarbour, type Harbour } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

/** A segment, built in the browser. */

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

test.if(hasBrowser)('A segment of three levels is built with keys alone, and counted by the service.', async () => {
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
  const { count } = await world.ok('segments/preview', { rules: threeLevels() })
  await page.getByText(`${count} people`).waitFor()
  await checkLooks(portal)
  await tabTo(page, 'Save')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
  expect((await segmentNamed('By keys')).rules).toEqual(threeLevels())
})
