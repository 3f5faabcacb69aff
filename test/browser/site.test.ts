import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** A page of the site, as an editor writes it. */

let world: World
let browser: Browser
let portal: Portal

beforeAll(async () => {
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world, 'editor')
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** Writes and saves within one frame, as a fast hand does. */
async function saveAtOnceAfter(text: string): Promise<void> {
  document.execCommand('insertText', false, text)
  const { port1, port2 } = new MessageChannel()
  const next = new Promise((resolve) => (port1.onmessage = resolve))
  port2.postMessage(null)
  await next
  const keys = { key: 's', ctrlKey: true, bubbles: true, composed: true, cancelable: true }
  document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', keys))
}

async function onSite(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${world.url}/sites/${world.project.slug}${path}`)
  return { status: answer.status, text: await answer.text() }
}

test.if(hasBrowser)(
  'A page with its style sheet is written, seen beside its code and on the site, and deleted.',
  async () => {
    const { page } = portal
    await portal.open('/pages')
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByLabel('Folder').fill('/css')
    await page.setInputFiles('input[type=file]', {
      name: 'site.css',
      mimeType: 'text/css',
      buffer: Buffer.from('h1 { color: rgb(1, 2, 3) }'),
    })
    await page.getByRole('link', { name: '/css/site.css' }).waitFor()
    await page.getByRole('tab', { name: 'Pages' }).click()
    await page.getByRole('main').getByRole('link', { name: 'New page' }).first().click()

    const code = page.getByRole('textbox', { name: 'HTML of the page' })
    await page.locator('.code-editor').waitFor()
    await code.fill(
      '<!doctype html><html lang="en"><title>Quay</title>' +
        '<link rel="stylesheet" href="/css/site.css"><h1>High water</h1></html>',
    )
    const heading = page.frameLocator('.code-preview').getByRole('heading', { name: 'High water' })
    await heading.waitFor()
    // The style sheet comes after the markup.
    await page.waitForFunction(
      () => document.querySelector<HTMLIFrameElement>('.code-preview')!.contentDocument!.styleSheets.length > 0,
    )
    expect(await heading.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
    await page.getByLabel('Title').fill('The quay')
    await page.getByLabel('Path').fill('/quay')
    await page.getByRole('button', { name: 'Make the page' }).click()
    await page.getByRole('heading', { name: 'The quay' }).waitFor()
    expect((await onSite('/quay')).text).toContain('<h1>High water</h1>')

    // A key that means something on the page is a letter in the editor.
    await code.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('<!-- ?n -->')
    await page.evaluate(saveAtOnceAfter, '<!-- late -->')
    await page.getByText('The page is saved.').waitFor()
    expect((await onSite('/quay')).text).toContain('<!-- ?n --><!-- late -->')
    await checkLooks(portal)

    const { promise: typed, resolve: hasTyped } = Promise.withResolvers<void>()
    await page.route('**/project/pages/update', async (route) => {
      const response = await route.fetch()
      await typed
      await route.fulfill({ response })
    })
    const isSent = page.waitForRequest('**/project/pages/update')
    await page.keyboard.type('<!-- sent -->')
    await page.keyboard.press('Control+s')
    await isSent
    await page.keyboard.type('<!-- meanwhile -->')
    hasTyped()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByText('Not saved yet').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await onSite('/quay')).text).toContain('<!-- sent --><!-- meanwhile -->')

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the page' }).click()
    await page.getByText('“The quay” is deleted.').waitFor()
    expect((await onSite('/quay')).status).toBe(404)
  },
)
