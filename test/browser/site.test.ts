import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { createWorld, type World } from '../support/world.ts'

/** What visitors of the site see and send, as editors make it. */

let world: World
let relay: SmtpSink
let browser: Browser
let portal: Portal

beforeAll(async () => {
  relay = await startSmtpSink()
  world = await createWorld({ mail_url: `smtp://127.0.0.1:${relay.port}` })
  browser = await openBrowser()
})
beforeEach(async () => {
  portal = await openPortal(browser, world, 'editor')
})
afterEach(() => portal.close())
afterAll(async () => {
  await browser.close()
  await world.close()
  await relay.close()
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

/** Calls a route as the editor, beside the page. */
// oxlint-disable-next-line typescript/no-explicit-any
async function call(path: string, body: Record<string, unknown>): Promise<any> {
  const answer = await portal.context.request.post(world.url + path, {
    data: { project_id: world.project.public_id, ...body },
    headers: { Origin: world.url },
  })
  expect(answer.status()).toBe(200)
  return answer.json()
}

test.if(hasBrowser)(
  'A page with its style sheet is written, seen beside its code and on the site, and deleted.',
  async () => {
    const { page } = portal
    await portal.open('/pages')
    await checkLooks(portal)
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByLabel('Folder').fill('/css')
    await page.setInputFiles('input[type=file]', {
      name: 'site.css',
      mimeType: 'text/css',
      buffer: Buffer.from('h1 { color: rgb(1, 2, 3) }'),
    })
    await page.getByRole('link', { name: '/css/site.css' }).waitFor()
    await checkLooks(portal)
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

test.if(hasBrowser)(
  'A post is a draft with a preview address, then on the site in the look of the project.',
  async () => {
    const { page } = portal
    await portal.open('/posts')
    await checkLooks(portal)
    await page.getByRole('button', { name: 'New post' }).first().click()
    await page.getByRole('dialog').getByLabel('Title').fill('The new ferry')
    await page.getByRole('button', { name: 'Make a draft' }).click()
    await page.getByRole('heading', { name: 'The new ferry' }).waitFor()
    await page.locator('.code-editor').waitFor()
    await page.getByRole('textbox', { name: 'Content' }).fill('<p>She is called Nordlys.</p>')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The post is saved.').waitFor()
    await page.getByRole('button', { name: 'Preview address' }).click()
    const preview = await page.getByRole('link', { name: 'Open the preview' }).getAttribute('href')
    expect(await (await fetch(preview!)).text()).toContain('She is called Nordlys.')
    expect((await onSite('/posts/the-new-ferry')).status).toBe(404)
    await checkLooks(portal)

    await page.getByLabel('State').selectOption('published')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Open on the site' }).waitFor()
    expect((await onSite('/posts/the-new-ferry')).text).toContain('She is called Nordlys.')

    await portal.open('/posts?tab=look')
    await page.locator('.code-editor').waitFor()
    await page
      .getByRole('textbox', { name: 'Template of a post' })
      .fill(
        '<!doctype html><html lang="en"><title>Quay</title><h1>News: {{ post.title }}</h1>{{ post.content }}</html>',
      )
    await page.frameLocator('.code-preview').getByText('News: The new ferry').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The template is saved.').waitFor()
    expect((await onSite('/posts/the-new-ferry')).text).toContain('<h1>News: The new ferry</h1>')
    await checkLooks(portal)
    await portal.open('/posts?status=published')
    await page.getByRole('link', { name: 'The new ferry' }).waitFor()
    await checkLooks(portal)
  },
)

test.if(hasBrowser)('An entry sent on a page of the site arrives by mail, is read, exported and deleted.', async () => {
  const { page } = portal
  await portal.open('/forms')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('combobox', { name: 'Tell by mail' }).click()
  await page.getByRole('option', { name: /editor@example.com/ }).click()
  await page.keyboard.press('Tab')
  await page.getByRole('switch', { name: 'Delete old entries' }).click()
  await page.getByLabel('Days that entries stay').fill('30')
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Entries are deleted after 30 days.').waitFor()
  await checkLooks(portal)

  const html = await page.locator('.code-text').innerText()
  await call('/project/pages/create', { path: '/contact', title: 'Contact', html })
  const visitor = await browser.newPage()
  await visitor.goto(`${world.url}/sites/${world.project.slug}/contact`)
  await visitor.getByLabel('Your name').fill('Bo Lind')
  await visitor.getByLabel('Email address').fill('bo@example.com')
  await visitor.getByLabel('Message').fill('Is there a berth in July?')
  await visitor.getByRole('button', { name: 'Send' }).click()
  await visitor.waitForURL(/form\/entry/)
  await visitor.close()
  await world.service.drain('forms')
  await world.service.drain('mail')
  const [notice] = await relay.waitFor(1)
  expect(notice!.to).toEqual(['editor@example.com'])
  expect(notice!.raw.toString()).toContain('Reply-To: bo@example.com')
  const address = /http\S+\/forms/.exec(notice!.raw.toString().replaceAll('=\r\n', ''))![0]

  await page.goto(address)
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  await page.getByText('Is there a berth in July?').waitFor()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('switch', { name: 'Settings of its own' }).click()
  await page.getByRole('switch', { name: 'Delete old entries' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Entries stay until somebody deletes them.').waitFor()
  const exported = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  expect(await (await portal.context.request.get(world.url + exported)).text()).toContain('Bo Lind')
  await page.getByRole('checkbox', { name: 'Select the entry' }).check()
  await page.getByRole('button', { name: 'Delete 1 entry' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 entry' }).click()
  await page.getByText('1 entry is deleted.').waitFor()
  expect((await call('/project/form-entries/list', {})).items).toEqual([])
})
