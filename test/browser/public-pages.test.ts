import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { APPS, openDesk } from '../developer/desk.ts'
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
  browser = await openBrowser()
  reader = await openPortal(browser, world, 'outsider')
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

async function makeForm(): Promise<{ url: string }> {
  const { list } = await world.ok('lists/create', {
    name: `Weekly ${Math.trunc(world.clock.now())}`,
    double_opt_in: true,
  })
  await world.ok('custom-fields/create', { key: 'town', label: 'Town', type: 'select', options: ['Kiel', 'Bergen'] })
  await world.ok('custom-fields/create', { key: 'young', label: 'I am under 30', type: 'boolean' })
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
  expect(message!.subject).toMatch(/^Please confirm your subscription to Weekly \d+ \(Harbour News\)$/)
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
  const { forms } = await world.edit('/project/sign-up-forms/list')
  const elsewhere = Bun.serve({
    port: 0,
    fetch: () =>
      new Response(`<!doctype html><title>Other</title>${forms[0].embed_html}`, {
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

test.if(hasBrowser)('Where the project asks for it, a form does its proof of work.', async () => {
  const { page } = reader
  await world.as('administrator', '/project/site-settings/update', { proof_of_work: true })
  const { forms } = await world.edit('/project/sign-up-forms/list')
  await page.goto(forms[0].url)
  await page.getByLabel('Email address').fill('cy@harbour.example')
  await page.getByLabel('First name').fill('Cy')
  await page.getByText("I'm not a robot").click()
  await page.getByText('Verified').first().waitFor()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('on its way to your mailbox').waitFor()
  expect(reader.troubles.splice(0).filter((trouble) => !trouble.startsWith('request to elsewhere'))).toEqual([])
})

test.if(hasBrowser)('Everybody reads what apps there are.', async () => {
  const { page } = reader
  const desk = await openDesk(world)
  const app = await desk.app({ displayName: 'Tide tables', homepage: 'https://tides.example' })
  const listing = { tagline: 'Tides of every harbor', category: 'Weather', description: 'All of them.\nEvery day.' }
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, listing)
  await desk.approve(app.id)
  await page.goto(`${world.url}/apps`)
  await checkLooks(reader)
  await page.getByRole('searchbox', { name: 'Search' }).fill('harbor')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Weather · Not used by a project yet').waitFor()
  await page.getByRole('link', { name: 'Tide tables' }).click()
  expect(await page.getByRole('link', { name: 'Connect at tides.example' }).getAttribute('href')).toBe(
    'https://tides.example/',
  )
  await checkLooks(reader)
  await page.getByRole('link', { name: 'Your projects' }).click()
  await page.waitForURL(/\/portal\/?/)
})
