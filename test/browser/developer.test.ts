import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Browser, Locator } from 'playwright-core'
import { users } from '../../src/store/tables/accounts.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { type AppSite, startAppSite } from '../support/app-site.ts'
import { messagesTo, tokenFor } from '../support/mailbox.ts'
import { checkPage, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, PASSWORD, type World } from '../support/world.ts'

/** An app from its author's first visit to its end, in the browsers of its author, an operator and a site's owner. */

const WIDGET = '<p>High water in {{town}}</p>'
const AUTHOR = 'nora@tides.example'

let world: World
let browser: Browser
let site: AppSite
let author: Portal
let operator: Portal
let owner: Portal

beforeAll(async () => {
  world = await createWorld({ sign_up: 'open' })
  const admin = { admin: true }
  await world.service.runtime.store.write((tx) => tx.update(users).set(admin).where(eq(users.id, world.users.editor)))
  site = startAppSite(world)
  browser = await openBrowser()
  ;[author, operator, owner] = await Promise.all([
    openPortal(browser, world, null, { root: '/portal/developer' }),
    openPortal(browser, world, 'editor', { root: '/portal/operator' }),
    openPortal(browser, world, 'owner'),
  ])
})
afterAll(async () => {
  await browser.close()
  await site.stop()
  await world.close()
})

/** The address of the app's pages, once it is made. */
let root: string
async function newPage({ context }: Portal, project_id: string) {
  const data = { project_id, path: '/', title: 'Home', html: '<h1>Harbour</h1>' }
  const headers = { Origin: world.url }
  const made = await context.request.post(`${world.url}/project/pages/create`, { data, headers })
  expect(made.status()).toBe(200)
}
async function tideLab(): Promise<string> {
  const [lab] = await world.service.runtime.store.query("SELECT public_id FROM projects WHERE slug = 'tide-lab'")
  return String(lab!.public_id)
}
const subjects = async (email: string) => (await messagesTo(world, email)).map(({ subject }) => subject)

/** The author signs up and makes the first authorized call. */
async function firstCall(): Promise<void> {
  const { page } = author
  await page.goto(`${world.url}/portal/sign-up`)
  await page.getByLabel('Email address').fill(AUTHOR)
  await page.keyboard.press('Enter')
  await page.getByText('We sent a message to this address.').waitFor()
  await page.goto(`${world.url}/portal/sign-up?token=${await tokenFor(world, AUTHOR, 'sign-up')}`)
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  // The author's own site, for trials.
  await page.getByLabel('Name').fill('Tide Lab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).waitFor()

  let clicks = 0
  const click = (what: Locator) => {
    clicks++
    return what.click()
  }
  await author.open('/')
  await click(page.getByRole('button', { name: 'New app' }).first())
  await page.getByRole('textbox', { name: 'Name' }).fill('Tide Tables')
  await page.getByLabel('Redirect address').fill(site.redirect_uri)
  await click(page.getByRole('button', { name: 'Make the app' }))
  const shown = (label: string) => page.getByRole('region', { name: label }).innerText()
  site.settings.client_id = await shown('Client id')
  site.settings.client_secret = await shown('Client secret')
  await click(page.getByRole('button', { name: 'I have copied the secret' }))
  await page.getByRole('heading', { name: 'The first call' }).waitFor()
  root = new URL(page.url()).pathname.replace('/portal/developer', '')
  await checkPage(author)

  await click(page.getByRole('tab', { name: 'My own server' }))
  const [consent] = await Promise.all([
    page.waitForEvent('popup'),
    click(page.getByRole('link', { name: 'Let Tide Tables into a project' })),
  ])
  await click(consent.getByRole('button', { name: 'Connect' }))
  await consent.getByText('The code is in the address.').waitFor()
  const CODE = new URL(consent.url()).searchParams.get('code')!
  await consent.close()
  const run = async (label: string, env: Record<string, string>) =>
    JSON.parse(
      await Bun.$`sh -c ${await shown(label)}`
        .env({ ...process.env, ...env })
        .quiet()
        .text(),
    )
  await click(page.getByRole('button', { name: 'Copy: Command for a token' }))
  const tokens = await run('Command for a token', { CODE, CLIENT_SECRET: site.settings.client_secret })
  await click(page.getByRole('button', { name: 'Copy: Command for a call' }))
  const { projects } = await run('Command for a call', { MASTHEAD_TOKEN: tokens.access_token })
  expect(projects).toMatchObject([{ name: 'Tide Lab' }])
  expect(clicks).toBeLessThanOrEqual(9)
  await author.open(root)
  await page.getByRole('table', { name: 'Installs' }).getByText('Tide Lab').waitFor()
  author.troubles.splice(0)
}

/** A script is written, tried on a site of the team, submitted, and approved. */
async function review(): Promise<void> {
  const { page } = author
  await author.follow(`${root}/permissions`)
  await page.getByLabel('Homepage').fill(site.url)
  await page.getByRole('checkbox', { name: /Put its scripts/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByLabel('Why it needs newsletter:read').fill('To show your readers the tides.')
  await page.getByLabel('Why it needs scripts:embed').fill('To put the tides on your pages.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await checkPage(author)

  await author.follow(`${root}/scripts`)
  await page.getByRole('button', { name: 'New script' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Tide widget')
  await page.getByRole('button', { name: 'Make the script' }).click()
  await page.getByText('No page runs this draft, so it saves itself while you write.').waitFor()
  await page.locator('.cm-editor').waitFor()
  await page.getByLabel('Code').fill('<p>Tides</p><script>')
  await page.getByText('The code leaves a tag or a comment open').waitFor()
  expect(await page.locator('.cm-lintRange-error').innerText()).toBe('<script>')
  await page.getByLabel('Code').fill(`${WIDGET}<script>console.log('tides of {{town}}')</script>`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('tab', { name: /Parameters/ }).click()
  await page.getByLabel('town').fill('Bergen')
  expect(await page.locator('.cm-marked').allInnerTexts()).toContain('{{town}}')
  await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await page.getByRole('tab', { name: 'Rendered' }).click()
  await page.getByRole('region', { name: 'As sites get it' }).getByText('High water in Bergen').waitFor()
  await page.getByRole('tab', { name: 'In a page' }).click()
  await page.getByRole('button', { name: 'Run it in a sample page' }).click()
  await page.getByText('tides of Bergen', { exact: true }).waitFor()
  await page.frameLocator('.script-frame').getByText('High water in Bergen').waitFor()
  author.troubles.splice(0)
  await checkPage(author)
  const scriptId = Number(page.url().split('/').at(-1))

  await author.follow(`${root}/scripts`)
  await page.getByRole('button', { name: 'Put the drafts on its pages' }).click()
  await page.getByRole('link', { name: 'Tide Lab' }).waitFor()
  await newPage(author, await tideLab())
  const [tried] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Tide Lab' }).click()])
  await tried.getByText('High water in Bergen').waitFor()
  await tried.close()
  await page.getByRole('button', { name: 'End the test in Tide Lab' }).click()
  await page.getByRole('link', { name: 'Tide Lab' }).waitFor({ state: 'detached' })

  await author.follow(`${root}/listing`)
  await page.getByLabel('In one line').fill('The tides of your harbor')
  await page.getByLabel('Privacy policy').fill('https://tides.example/privacy')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as a draft.').waitFor()
  await checkPage(author)
  for (const path of ['credentials', 'requests', 'team']) {
    await author.follow(`${root}/${path}`)
    await author.settled()
    await checkPage(author)
  }

  await author.follow(`${root}/versions`)
  await page.getByText('To put the tides on your pages.').waitFor()
  await page.getByRole('button', { name: 'Submit for review…' }).click()
  await page.getByRole('button', { name: 'Submit version 1' }).click()
  await page.getByText('Submitted. You get a message').waitFor()
  await page.getByRole('row', { name: /In review/ }).waitFor()

  await operator.open('/reviews')
  await operator.page.getByRole('row', { name: /Tide Tables.*In review/ }).waitFor()
  await operator.page.getByRole('link', { name: 'Tide Tables' }).click()
  await operator.page.getByRole('heading', { name: /Tide Tables, version/ }).waitFor()
  await operator.page.getByText(`+ ${WIDGET}`).waitFor()
  await operator.page.getByRole('listitem').filter({ hasText: 'An icon' }).getByLabel('Missing').waitFor()
  await checkPage(operator)
  await operator.page.getByRole('tab', { name: 'What it does' }).click()
  await operator.page.getByText('<p>High water in Bergen</p>').waitFor()
  await operator.page.getByRole('tab', { name: 'Who' }).click()
  await operator.page.getByText(AUTHOR).waitFor()
  await operator.page.getByRole('button', { name: 'Approve' }).click()
  await operator.page.getByText('Nothing waits for you.').waitFor()

  await author.open(`${root}/versions`)
  await page.getByText('Sites run it').waitFor()
  await page.getByText('Nothing differs.').waitFor()
  await page.getByRole('link', { name: /^1/ }).click()
  await page.getByText(`+ ${WIDGET}`).waitFor()
  site.settings = { ...site.settings, scope: 'newsletter:read scripts:embed', script_id: scriptId }
}

/** An owner connects the app from the gallery, sees its script, and switches it off. */
async function connect(): Promise<void> {
  const { page } = owner
  await newPage(owner, world.project.public_id)
  await page.goto(`${world.url}/apps`)
  await page.getByRole('link', { name: 'Tide Tables' }).click()
  await page.getByText('The tides of your harbor').waitFor()
  await checkPage(owner)
  await page.getByRole('link', { name: /^Connect at/ }).click()
  await page.getByText('To put the tides on your pages.').waitFor()
  await page.getByLabel(/Harbour News/).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Connected with Harbour News.').waitFor()

  const widget = page.getByText('High water in Oslo')
  await page.goto(`${world.url}/sites/harbour-news/`)
  await widget.waitFor()
  owner.troubles.splice(0)
  await owner.open('/apps')
  await page.getByText('on 1 page since').waitFor()
  await page.getByRole('switch', { name: /^Tide widget/ }).click()
  await page.getByText('Tide widget is off: gone with the next view.').waitFor()
  await page.goto(`${world.url}/sites/harbour-news/`)
  await page.getByRole('heading', { name: 'Harbour' }).waitFor()
  expect(await widget.count()).toBe(0)
}

/** The app loses its access, and its author and the owner read why. */
async function suspend(): Promise<void> {
  const reason = 'It sends what visitors type to another host.'
  const works = () =>
    world.fetch('/general/api/v1/project/list', { headers: { Authorization: `Bearer ${site.access_token}` } })
  expect((await works()).status).toBe(200)
  await operator.follow('/portal/operator/apps')
  await operator.page.getByRole('button', { name: 'Suspend… Tide Tables' }).click()
  await operator.page.getByLabel('Reason').fill(reason)
  await operator.page.getByRole('button', { name: 'Suspend 1 app' }).click()
  await operator.page.getByRole('table').getByText('Suspended', { exact: true }).waitFor()
  expect((await works()).status).toBe(403)
  await author.open(root)
  await author.page.getByText(reason).first().waitFor()
  await owner.open('/apps')
  await owner.page.getByText(reason).waitFor()
  expect(await subjects(AUTHOR)).toEqual(expect.arrayContaining(['The review of your app', 'Your app was suspended']))
  expect(await subjects('owner@example.com')).toContain('An app of your project was suspended')
  expect(await subjects('editor@example.com')).toContain('An app asks for a review')
}

test.if(hasBrowser)(
  'An app is made with at most nine clicks to its first call, reviewed, used on a site, and suspended.',
  async () => {
    await firstCall()
    await review()
    await connect()
    await suspend()
  },
)
