import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { newId } from '../../src/ids.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { readyToSend } from '../support/campaigns.ts'
import { messagesTo } from '../support/mailbox.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'

/** What a reader sees: a sign-up page, the confirmation and its page, preferences and leaving. */

let world: SiteWorld
let browser: Browser
let reader: Portal
beforeAll(async () => {
  world = await createSiteWorld()
  await readyToSend(world)
  await world.ok('settings/update', { brand_color: '#ffe600', logo_url: `${world.url}/assets/gallery/letter.png` })
  await world.ok('custom-fields/create', { key: 'town', label: 'Town', type: 'select', options: ['Kiel', 'Bergen'] })
  await world.ok('custom-fields/create', { key: 'young', label: 'I am under 30', type: 'boolean' })
  browser = await openBrowser()
})
beforeEach(async () => {
  reader = await openPortal(browser, world, 'outsider')
})
afterEach(() => reader.close())
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** A form of a list of its own. */
async function makeForm(): Promise<{ url: string; embed_html: string }> {
  const { list } = await world.ok('lists/create', {
    name: newId('req'),
    double_opt_in: true,
  })
  const { form } = await world.edit('/project/sign-up-forms/create', {
    name: 'Footer',
    title: 'The weekly letter',
    text: 'Every Friday.',
    consent_text: 'Yes, send me the weekly letter.\nI can leave at any time.',
    list_ids: [list.id],
    fields: [{ field: 'first_name', required: true }, { field: 'custom.town' }, { field: 'custom.young' }],
  })
  return form
}

test.if(hasBrowser)('A reader signs up by keyboard, confirms, chooses and leaves.', async () => {
  const { page } = reader
  await page.goto((await makeForm()).url)
  await checkLooks(reader)
  for (const key of ['Tab', 'ada@harbour.example', 'Tab', 'Ada', 'Tab', 'Bergen', 'Tab', ' ', 'Tab', 'Enter'])
    await (key.length > 1 && /^(Tab|Enter)$/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key))
  await page.getByText('on its way to your mailbox').waitFor()
  await checkPage(reader)

  await world.settle()
  const [message] = await messagesTo(world, 'ada@harbour.example')
  expect(message!.subject).toMatch(/^Please confirm your subscription to \S+ \(Harbour News\)$/)
  await page.goto(/http\S+confirm\S+/.exec(message!.text)![0])
  await checkPage(reader)
  await page.getByRole('button', { name: 'Confirm my subscription' }).click()
  await page.getByText('You are subscribed').first().waitFor()
  await checkPage(reader)
  const { contact } = await world.ok('contacts/get', { email: 'ada@harbour.example' })
  expect([contact.global_status, contact.first_name, contact.custom_fields]).toEqual([
    'subscribed',
    'Ada',
    { town: 'Bergen', young: true },
  ])

  await page.goto(`${world.url}/general/newsletter/own-link/${world.project.public_id}`)
  await checkPage(reader)
  world.clock.advance(3_600_000)
  await page.getByLabel('Email address').fill('ada@harbour.example')
  await page.getByRole('button').click()
  await page.getByRole('status').waitFor()
  await world.settle()
  const link = (await messagesTo(world, 'ada@harbour.example')).at(-1)!
  await page.goto(/http\S+preferences\S+/.exec(link.text)![0])
  await checkLooks(reader)
  await page.getByRole('button', { name: 'Unsubscribe from everything' }).click()
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  await checkPage(reader)
})

test.if(hasBrowser)('The form works when it is pasted into a page of another site, without a script.', async () => {
  const { page } = reader
  const { embed_html } = await makeForm()
  const elsewhere = Bun.serve({
    port: 0,
    fetch: () =>
      new Response(`<!doctype html><title>Other</title>${embed_html}`, {
        headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': "script-src 'none'" },
      }),
  })
  await page.goto(elsewhere.url.href)
  await page.getByLabel('Email address').fill('bo@harbour.example')
  await page.getByLabel('First name').fill('Bo')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('on its way to your mailbox').waitFor()
  expect((await world.ok('contacts/get', { email: 'bo@harbour.example' })).consents[0].source).toContain('wording 1')
  await elsewhere.stop(true)
})
