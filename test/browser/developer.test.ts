import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Browser } from 'playwright-core'
import { users } from '../../src/store/tables/accounts.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** From a new app to its approval, in the browser of its author and of an operator. */

let world: World
let browser: Browser
let author: Portal
let operator: Portal

beforeAll(async () => {
  world = await createWorld()
  const admin = { admin: true }
  await world.service.runtime.store.write((tx) => tx.update(users).set(admin).where(eq(users.id, world.users.owner)))
  browser = await openBrowser()
  author = await openPortal(browser, world, 'outsider', { root: '/portal/developer' })
  operator = await openPortal(browser, world, 'owner', { root: '/portal/operator' })
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('An app is made, written, submitted, sent back, submitted again and approved.', async () => {
  const { page } = author
  await author.open('/')
  await page.getByRole('button', { name: 'New app' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Tide Tables')
  await page.getByLabel('Redirect address').fill('https://tides.example/callback')
  await page.getByRole('button', { name: 'Make the app' }).click()
  await page.getByRole('button', { name: 'I have copied the secret' }).click()
  await page.getByRole('heading', { name: 'The first call' }).waitFor()
  await checkLooks(author)
  const root = new URL(page.url()).pathname.replace('/portal/developer', '')

  await author.open(`${root}/permissions`)
  await page.getByLabel('Why it needs newsletter:read').fill('To show your readers the tides.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await checkLooks(author)

  await author.open(`${root}/scripts`)
  await page.getByRole('button', { name: 'New script' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Tide widget')
  await page.getByRole('button', { name: 'Make the script' }).click()
  await page.getByLabel('Code').fill('<p>High water in {{town}}</p>')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('tab', { name: /Parameters/ }).click()
  await page.getByLabel('town').fill('Bergen')
  await page.keyboard.press('Control+s')
  await page.getByRole('tab', { name: 'In a page' }).click()
  await page.getByRole('button', { name: 'Run it in an empty page' }).click()
  await page.frameLocator('.script-frame').getByText('High water in Bergen').waitFor()
  author.troubles.splice(0)
  await checkLooks(author)

  await author.open(`${root}/listing`)
  await page.getByLabel('In one line').fill('The tides of your harbor')
  await page.getByLabel('Privacy policy').fill('https://tides.example/privacy')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as a draft.').waitFor()
  await checkLooks(author)
  for (const path of ['credentials', 'requests', 'team']) {
    await author.open(`${root}/${path}`)
    await checkLooks(author)
  }

  const submit = async () => {
    await author.open(`${root}/versions`)
    await page.getByRole('button', { name: 'Submit for review…' }).click()
    await page.getByRole('button', { name: 'Submit 1 version' }).click()
    await page.getByText('Submitted. You get a message').waitFor()
  }
  const decide = async (name: string) => {
    await operator.open('/reviews')
    await operator.page.getByRole('link', { name: 'Tide Tables' }).click()
    await operator.page.getByRole('heading', { name: /Tide Tables, version/ }).waitFor()
    await checkLooks(operator)
    await operator.page.getByLabel('Comment').fill('Say in the listing where the tides come from.')
    await operator.page.getByRole('button', { name }).click()
    await operator.page.getByText('Nothing waits for you.').waitFor()
  }
  await submit()
  await decide('Ask for changes')
  await author.open(`${root}/versions`)
  await page.getByText('Say in the listing where the tides come from.').waitFor()
  await checkLooks(author)
  await submit()
  await decide('Approve')
  await author.open(`${root}/versions`)
  await page.getByText('Sites run it').waitFor()
  expect((await (await world.fetch('/general/apps')).json()).apps).toMatchObject([{ displayName: 'Tide Tables' }])
})
