import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser } from '../../sites/browser.ts'
import { axeFindings, checkLooks, checkTexts, type Portal, SECOND_LOOK } from '../../support/portal.ts'
import { createWorld, type World } from '../../support/world.ts'

describe.skipIf(!hasBrowser)('the kitchen page', () => {
  let world: World
  let browser: Browser
  let portal: Pick<Portal, 'page' | 'troubles'>
  let page: Page

  beforeAll(async () => {
    world = await createWorld()
    browser = await openBrowser()
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
    portal = { page, troubles }
    await open()
  })

  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  /** Drawing the page takes long. Tests share it: each uses parts of its own, or opens the page again. */
  async function open() {
    await page.goto('about:blank')
    await page.goto(`${world.url}/portal/kitchen`)
    await page.locator('.uplot canvas').nth(1).waitFor()
  }

  test('The kitchen page has nothing that axe finds, in both colors, on a desk and on a phone.', async () => {
    await checkLooks(portal, SECOND_LOOK)
  })

  test('The kitchen page reads the same from right to left and at twice the size.', async () => {
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await page.setViewportSize({ width: 390, height: 844 })
    await checkTexts(portal)
    // A desk at 200 percent.
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
    await page.setViewportSize({ width: 640, height: 400 })
    await checkTexts(portal)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('The kitchen page takes the colors that the root element asks for.', async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await ground()).toBe('rgb(246, 245, 242)')
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
    expect(await ground()).toBe('rgb(22, 24, 26)')
    await page.evaluate(() => document.documentElement.removeAttribute('data-theme'))
    expect(await ground()).toBe('rgb(246, 245, 242)')
  })

  test('Every target is at least 24 pixels high and wide, or stands in a sentence.', async () => {
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('main button, main input, main select, main textarea, main a')]
        .filter((element) => element.checkVisibility() && !element.closest('p, .field-hint'))
        .filter((element) => {
          const target = element.matches('[type=checkbox], [type=radio]') ? element.parentElement! : element
          const { width, height } = target.getBoundingClientRect()
          const margin = element.matches('.table-link, .tile-link') ? 24 : 0
          return Math.max(width, margin) < 24 || Math.max(height, margin) < 24
        })
        .map((element) => element.outerHTML.slice(0, 100)),
    )
    expect(small).toEqual([])
  })

  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent.trim() ?? ''
    })

  test('A combobox is found by typing, chosen with arrows and Enter, and left with Escape.', async () => {
    const list = page.getByRole('combobox', { name: 'List', exact: true })
    await list.focus()
    await page.keyboard.type('off')
    expect(await list.getAttribute('aria-expanded')).toBe('true')
    expect(await page.getByRole('listbox').getByRole('option').allTextContents()).toEqual(['Offers312 people'])
    await page.keyboard.press('Enter')
    expect(await list.inputValue()).toBe('Offers')
    expect(await list.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const active = page.locator(`#${await list.getAttribute('aria-activedescendant')}`)
    expect(await active.textContent()).toContain('Weekly')
    expect(await axeFindings(page, '.field:has([role=combobox][aria-expanded=true])')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.locator('.options:popover-open').count()).toBe(0)
    expect(await list.inputValue()).toBe('Offers')
    await page.keyboard.type('zzz')
    await page.getByText('Nothing matches.').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await list.inputValue()).toBe('Offers')
  })

  test('A menu is walked with arrows, letters, Home and End, and gives the focus back.', async () => {
    const trigger = page.getByRole('button', { name: 'Add contact' })
    await trigger.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    expect(await focused()).toBe('Add one')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Import a file')
    await page.keyboard.press('End')
    expect(await focused()).toBe('Delete everybody…')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Add one')
    await page.keyboard.press('e')
    expect(await focused()).toStartWith('Export')
    expect(await axeFindings(page, '[role=menu]')).toEqual([])
    await page.keyboard.press('Enter')
    expect(await page.getByRole('menu').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await focused()).toBe('Add contact')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('Delete everybody…')
    await page.keyboard.press('Enter')
    expect(await page.locator('[data-chosen]').textContent()).toBe('Delete')
    await trigger.click()
    await trigger.click()
    expect(await page.getByRole('menu').count()).toBe(0)
  })

  test('A dialog holds the focus, closes with Escape, and gives the focus back.', async () => {
    await page.getByRole('button', { name: 'Open a dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a test' })
    expect(await dialog.getByLabel('To').evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await axeFindings(page, 'dialog[open]')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await dialog.count()).toBe(0)
    expect(await focused()).toBe('Open a dialog')
    await page.getByRole('button', { name: 'Open a drawer' }).click()
    await page.mouse.click(20, 400)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('Tabs are chosen with arrows, in the direction of the text.', async () => {
    await page.getByRole('tab', { name: 'People' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('What the tab events shows.').waitFor()
    await page.keyboard.press('End')
    await page.getByText('What the tab links shows.').waitFor()
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await page.keyboard.press('ArrowRight')
    await page.getByText('What the tab events shows.').waitFor()
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Events')
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
  })

  test('Rows are walked with j and k, selected with x, and opened with Enter.', async () => {
    const table = page.getByRole('table', { name: 'Contacts', exact: true })
    const row = (index: number) => table.locator('tbody tr').nth(index)
    const isFocused = (index: number) => row(index).evaluate((element) => element === document.activeElement)
    await open()
    await page.keyboard.press('j')
    expect(await isFocused(0)).toBe(true)
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await isFocused(0)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#c0$/)
    await page.getByLabel('Subject').focus()
    await page.keyboard.press('j')
    expect(await page.getByLabel('Subject').inputValue()).toContain('j')
    await page.getByRole('checkbox', { name: 'Select dag@example.com' }).click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
    expect(await page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  })

  test('The values of a chart are read with arrow keys and in a table.', async () => {
    const chart = page.locator('figure', { hasText: 'Sent by day' })
    const plot = chart.getByRole('slider')
    await plot.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await plot.getAttribute('aria-valuetext')).toBe('Tue: Sent 340')
    await page.keyboard.press('End')
    expect(await chart.locator('.chart-legend').textContent()).toBe('SunSent20')
    await chart.getByRole('button', { name: 'Show as table' }).click()
    expect(await chart.getByRole('row').allTextContents()).toContain('Thu480')
  })

  test('A moment keeps its place on the wall when its zone changes.', async () => {
    const moment = page.locator('[data-moment]')
    await page.getByLabel('Time zone').selectOption('UTC')
    expect(await moment.textContent()).toBe('2026-05-03T14:02:00.000Z')
    await page.getByLabel('Date and time').fill('2026-12-24T18:30')
    expect(await moment.textContent()).toBe('2026-12-24T18:30:00.000Z')
  })
})
