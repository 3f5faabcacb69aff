import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { newId } from '../../../src/ids.ts'
import { passkeys } from '../../../src/store/tables/sign-in.ts'
import { createWorld, PASSWORD, type World } from '../../support/world.ts'
import { hasBrowser, openBrowser } from '../../sites/browser.ts'

/** Chromium with its virtual authenticator (Chrome DevTools Protocol, WebAuthn). */
let world: World
let browser: Browser
let page: Page
let devtools: CDPSession
let complaints: string[]

describe.skipIf(!hasBrowser)('passkeys in a browser', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  beforeEach(async () => {
    world = await createWorld()
    const context = await browser.newContext({ baseURL: world.url.replace('127.0.0.1', 'localhost') })
    page = await context.newPage()
    complaints = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  })
  afterEach(() => world.close())
  afterAll(() => browser.close())

  const arrive = (path: string) =>
    page.waitForURL(({ pathname, search }) => pathname === path || pathname + search === path)

  async function signIn(person: string): Promise<void> {
    await page.goto('/portal/login?return=/portal/account/security')
    await page.getByLabel('Email address').fill(`${person}@example.com`)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await arrive('/portal/account/security')
  }

  async function addPasskey(name: string): Promise<void> {
    await page.getByLabel('Name of the new passkey').fill(name)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
  }

  test('A passkey is added on the account page, then signs in, and confirms a change ten minutes later.', async () => {
    await signIn('owner')
    await addPasskey('Test laptop')
    await page.getByRole('table', { name: 'Passkeys' }).getByText('Test laptop').first().waitFor()
    await addPasskey('Twice')
    await page.getByText('This device has a passkey for your account already.').first().waitFor()

    await page.goto('/portal/login?prompt=login&return=/portal/account/sessions')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await arrive('/portal/account/sessions')

    world.clock.advance(10 * 60_000)
    await page.goto('/portal/account/security')
    await page.getByRole('button', { name: 'Set up one-time codes' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    expect(complaints).toEqual([expect.stringContaining('403')])
  })

  test('A passkey is added once confirmed, refused where it is unknown, and not offered without scripts.', async () => {
    // The sign-in offers passkeys once anybody has one.
    const { store } = world.service.runtime
    const of = { id: newId('req'), user_id: world.users.owner, credential_id: 'elsewhere', public_key: '' }
    await store.write((tx) =>
      tx.insert(passkeys).values({ ...of, counter: 0, transports: [], name: '', created_at: 0 }),
    )
    await signIn('member')
    // A session that is not fresh asks for a confirmation first.
    world.clock.advance(10 * 60_000)
    await addPasskey('Phone')
    await page.getByLabel('Password of member@example.com').fill(PASSWORD)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('button', { name: 'Remove… Phone' }).click()
    await page.getByRole('button', { name: 'Remove 1 passkey' }).click()
    await page.getByRole('table', { name: 'Passkeys' }).waitFor({ state: 'detached' })
    await page.goto('/portal/login?prompt=login')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('This passkey does not work here.').waitFor()

    page = await browser.newPage({ javaScriptEnabled: false, baseURL: world.url })
    await page.goto('/portal/login')
    expect(await page.getByRole('button', { name: /passkey/ }).count()).toBe(0)
    await signIn('administrator')
  })
})
