import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { axeFindings, checkPage, checkTexts, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** The documentation, and the explorer for people who are signed in. */

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

test.if(hasBrowser)(
  'The documentation makes a key, is searched with keys, keeps a language, and is copied.',
  async () => {
    const { page, context } = author
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.goto(`${world.url}/docs`)
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('The key “Quick start” of Harbour News is in the code.').waitFor()
    await page.getByRole('tab', { name: 'Python' }).focus()
    await page.keyboard.press('Home')
    await page.getByRole('button', { name: 'Copy quick start' }).click()
    await page.getByText('Copied').first().waitFor()
    const [, key = ''] = /^MASTHEAD_KEY='(svc_pk_[\w-]+)'\n/.exec(await copied())!
    const answer = await world.fetch('/general/api/v1/newsletter/contacts/upsert', {
      method: 'POST',
      headers: { Authorization: key, 'Content-Type': 'application/json', 'Idempotency-Key': 'first' },
      body: JSON.stringify({ email: 'ada@example.com', consent_text: 'Yes.' }),
    })
    expect(answer.status).toBe(200)

    // Whoever has switched keys of single characters off does without this one, too.
    await page.evaluate(() => localStorage.setItem('masthead-keys-off', 'yes'))
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement!.id)).not.toBe('search')
    await page.evaluate(() => localStorage.removeItem('masthead-keys-off'))
    await page.keyboard.press('/')
    await page.keyboard.type('double opt')
    await page.getByRole('option', { name: 'lists/create' }).waitFor()
    await checkPage(author)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/lists#lists_create')
    // What stands around it is that of the page before, and the other calls are like this one.
    expect(await axeFindings(page, '#lists_create')).toEqual([])
    await checkTexts(author)
    await page.setViewportSize({ width: 360, height: 740 })
    await checkTexts(author)
    await page.setViewportSize({ width: 1280, height: 800 })

    const call = page.locator('#lists_create')
    await call.getByRole('tab', { name: 'Python' }).click()
    expect(await page.locator('#lists_list').getByRole('tabpanel').innerText()).toContain('import requests')
    await call.getByText('Errors', { exact: true }).click()
    await call.getByRole('link', { name: 'IDEMPOTENCY_CONFLICT' }).click()
    await page.getByText('Make a new key: this one belongs to another body.').waitFor()
    await page.goto(`${world.url}/docs/platform/scripts`)
    const example = page.locator('#post_general_api_v1_scripts_embed')
    expect(await example.getByRole('tab', { selected: true }).innerText()).toBe('Python')
    await example.getByRole('button', { name: 'Copy POST' }).click()
    await page.getByText('Copied').first().waitFor()
    expect(await copied()).toBe((await example.getByRole('tabpanel').textContent())!)
    // The explorer of the portal shows the same language.
    await author.open('/api?operation=lists/create')
    await page.getByRole('tab', { name: 'Python', selected: true }).waitFor()
    await checkPage(author)
    await page.getByLabel('Body', { exact: true }).fill('{"name": "Tides"}')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send it' }).click()
    await page.getByRole('region', { name: 'Body of the answer' }).getByText('"Tides"').waitFor()
    expect((await world.ok('lists/list', {})).items).toHaveLength(1)
  },
)
