import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { PASSWORD } from '../support/world.ts'
import { createOAuthWorld, type OAuthWorld } from '../oauth/oauth-world.ts'
import { post } from '../http/signed-in.ts'

/** The pages of one's account. */

let world: OAuthWorld
let browser: Browser
let portal: Portal

beforeAll(async () => {
  world = await createOAuthWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world, 'editor', { root: '/portal/account' })
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

/** Signs in once more from another browser; answers whether that session still lives. */
async function elsewhere(user_agent: string): Promise<() => Promise<boolean>> {
  const answer = await post(
    world,
    '/user/login',
    { email: 'editor@example.com', password: PASSWORD },
    { 'user-agent': user_agent },
  )
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  return async () => (await world.fetch('/user/me', { headers: { cookie } })).status === 200
}

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'

test.if(hasBrowser)('A person changes the name, and asks for another address.', async () => {
  const { page } = portal
  await portal.open('/')
  await page.getByRole('button', { name: 'Delete my account' }).waitFor()
  await checkLooks(portal)
  await page.getByLabel('First name').fill('Ada')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByText('Your name is saved.').waitFor()
  world.clock.advance(11 * 60_000)
  await page.getByLabel('New address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Send a link to the new address' }).click()
  await page.getByLabel('Password of editor@example.com').fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('A link is on its way to ada@example.com.').waitFor()
  expect(portal.troubles.splice(0)).toEqual([expect.stringContaining('403')])
  await page.reload()
  expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
})

test.if(hasBrowser)('A person ends another session, forgets a device, and leaves all others.', async () => {
  const { page } = portal
  const [firefox, curl, kiosk] = [await elsewhere(FIREFOX), await elsewhere('curl/8.5.0'), await elsewhere('Kiosk/1')]
  await portal.open('/sessions')
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await sessions.getByText('Firefox on Windows').first().waitFor()
  await checkLooks(portal)
  await sessions.getByRole('button', { name: 'End Firefox on Windows' }).click()
  await page.getByText('The session has ended.').waitFor()
  expect([await firefox(), await curl()]).toEqual([false, true])
  await page.getByRole('table', { name: 'Devices' }).getByRole('button', { name: 'Forget curl/8.5.0' }).click()
  await page.getByText('The device is forgotten').waitFor()
  expect([await curl(), await kiosk()]).toEqual([false, true])
  await page.getByRole('button', { name: 'End 1 other session' }).click()
  await page.getByText('All other sessions have ended.').waitFor()
  expect(await kiosk()).toBe(false)
})

test.if(hasBrowser)('A person turns one-time codes on, makes new recovery codes, and turns them off.', async () => {
  const { page } = portal
  await portal.open('/security')
  await page.getByRole('button', { name: 'Set up one-time codes' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await checkLooks(portal)
  await page.getByLabel('Code', { exact: true }).fill('abcdef')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('This code is wrong').waitFor()
  const secret = (await page.locator('dialog pre code').textContent())!.replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, world.clock.now()))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByRole('region', { name: 'Recovery codes' })
  const codes = (await shown.textContent())!.split('\n')
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 recovery codes are left of 10.').waitFor()
  await page.getByRole('button', { name: 'Make new recovery codes' }).click()
  await page.getByRole('button', { name: 'Make 10 recovery codes' }).click()
  expect((await shown.textContent())!.split('\n')).not.toContain(codes[0])
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByRole('button', { name: 'Turn one-time codes off' }).click()
  await page.getByRole('button', { name: 'Turn off', exact: true }).click()
  await page.getByRole('button', { name: 'Set up one-time codes' }).waitFor()
  expect(portal.troubles.splice(0)).toEqual([expect.stringContaining('400')])
})

test.if(hasBrowser)('A person changes the password, which ends the other sessions.', async () => {
  const { page } = portal
  const other = await elsewhere(FIREFOX)
  await portal.open('/security')
  await page.getByLabel('Present password').fill(PASSWORD)
  await page.getByLabel('New password').fill('a quite different secret')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed.').waitFor()
  expect(await other()).toBe(false)
  await page.getByLabel('Present password').fill('a quite different secret')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed.').nth(1).waitFor()
})

test.if(hasBrowser)('A person sees what an app may do, and disconnects it.', async () => {
  const { page } = portal
  const client = await world.newClient({ display_name: 'Tide Tables', homepage: 'https://tides.example/about' })
  const { access_token } = await world.tokens({ client, who: 'editor', scope: 'newsletter:read' })
  await page.goto(`${world.url}/portal/connected-apps`)
  expect(new URL(page.url()).pathname).toBe('/portal/account/apps')
  await page.getByText('Read contacts, audiences, campaigns and reports').waitFor()
  await page.getByRole('link', { name: 'Harbour News' }).waitFor()
  await checkLooks(portal)
  await page.getByRole('button', { name: 'Disconnect… Tide Tables' }).click()
  await page.getByText('Its access to Harbour News in your name ends at once.').waitFor()
  await page.getByRole('button', { name: 'Disconnect Tide Tables', exact: true }).click()
  await page.getByText('No app acts in your name.').waitFor()
  expect(await world.works(access_token)).toBe(401)
  await checkLooks(portal)
})

test.if(hasBrowser)('A person deletes the account.', async () => {
  const { page } = portal
  await portal.open('/')
  await page.getByText('You leave the project Harbour News.').waitFor()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await checkLooks(portal)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Type editor@example.com').fill('editor@example.com')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL((url) => url.pathname === '/portal/login')
  const login = { email: 'editor@example.com', password: PASSWORD }
  expect((await post(world, '/user/login', login)).status).toBe(401)
})
