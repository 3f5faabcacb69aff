import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { jobs } from '../../src/store/tables/jobs.ts'
import { published_scripts, scripts } from '../../src/store/tables/scripts.ts'
import { post, signIn } from '../http/signed-in.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { type DnsServer, openDnsServer } from '../support/dns-server.ts'
import { png } from '../support/pictures.ts'
import { checkLooks, checkPage, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, PASSWORD, type World } from '../support/world.ts'

/** The project itself in the browser: people, keys, settings, activity, apps and the mailbox. */

let world: World
let browser: Browser
let portal: Portal
let page: Page
let cookie: string
let dns: DnsServer

beforeAll(async () => {
  if (!hasBrowser) return
  dns = await openDnsServer()
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world)
  page = portal.page
  cookie = await signIn(world, 'owner')
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
  dns?.close()
})

const button = (name: string | RegExp, exact = true) => page.getByRole('button', { name, exact })
const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const asked = async (path: string, body: object = {}): Promise<any> => {
  const answer = await post(world, path, { project_id: world.project.public_id, ...body }, { cookie })
  if (answer.status !== 200) throw new Error(await answer.text())
  return answer.json()
}

/** Puts a script of the world's app on the pages of the project. */
async function embed(
  script: Pick<typeof scripts.$inferSelect, 'name' | 'type' | 'code' | 'parameters'>,
): Promise<void> {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const row = { ...script, placement: 'HTML Head' as const }
  const scriptId = await store.write(async (tx) => {
    const [made] = await tx
      .insert(scripts)
      .values({ app_id: world.app_id, ...row, created_at: now, updated_at: now })
      .returning({ id: scripts.id })
    await tx.insert(published_scripts).values({ script_id: made!.id, ...row })
    return made!.id
  })
  const answer = await post(
    world,
    '/general/api/v1/scripts/embed',
    { scriptId, project_id: world.project.public_id },
    { Authorization: `Bearer ${await world.token('owner')}` },
  )
  if (answer.status !== 200) throw new Error(await answer.text())
}

test.if(hasBrowser)('People are invited, get another role, and are removed.', async () => {
  await portal.open('/members')
  await page.keyboard.press('n')
  await dialog().getByLabel('Email address').fill('lars')
  await button('Send the invitation').click()
  await page.locator('.field-flaw').waitFor()
  portal.troubles.splice(0)
  await dialog().getByLabel('Email address').fill('lars@quay.example')
  await dialog().getByLabel('Member', { exact: true }).check()
  await button('Send the invitation').click()
  await page.getByRole('row', { name: /lars@quay\.example/ }).waitFor()
  expect((await asked('/project/members/list')).invitations).toMatchObject([
    { email: 'lars@quay.example', role: 'member' },
  ])
  await checkLooks(portal)
  await button('Take back the invitation of lars@quay.example').click()
  await button('Take it back').click()
  await page.getByRole('row', { name: /lars@quay\.example/ }).waitFor({ state: 'detached' })

  const row = page.getByRole('row', { name: /editor@example\.com/ })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Change the role' }).click()
  await dialog().getByLabel('Administrator', { exact: true }).check()
  await dialog().getByRole('button', { name: 'Change the role' }).click()
  await row.getByText('Administrator').waitFor()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await button('Remove editor').click()
  await row.waitFor({ state: 'detached' })
  expect((await asked('/project/members/list')).members).toHaveLength(3)

  await page
    .getByRole('row', { name: /\(you\)/ })
    .getByRole('button')
    .click()
  await page.getByRole('menuitem', { name: 'Leave the project' }).click()
  await page.getByText('Somebody must own a project.').waitFor()
  await button('All right').click()
})

test.if(hasBrowser)(
  'A key is shown once, works until it is revoked, and is gone from the page when stored.',
  async () => {
    await portal.follow('/keys')
    await page.keyboard.press('n')
    await dialog().getByLabel('Name').fill('Website')
    await button('Make the key').click()
    const key = await page.getByRole('region', { name: 'Key', exact: true }).innerText()
    expect(await page.getByRole('region', { name: 'A first call with it' }).innerText()).toContain(
      `Authorization: ${key}`,
    )
    const [, shown] = /curl (\S+)/.exec(await page.getByRole('region', { name: 'A first call with it' }).innerText())!
    const body = JSON.stringify({ project_id: world.project.public_id })
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    expect((await fetch(shown!, { method: 'POST', headers, body })).status).toBe(200)
    await checkLooks(portal)
    await button('I have stored it').click()
    expect(await page.content()).not.toContain(key)
    await button('Revoke Website').click()
    await button('Revoke the key').click()
    await page.getByText('“Website” is revoked.').waitFor()
    expect((await world.call('overview', {}, { as: key })).status).toBe(401)
  },
)

test.if(hasBrowser)('The settings change name and address, prove a domain, and show what is used.', async () => {
  await portal.open('/settings')
  await page.getByRole('main').getByRole('link', { name: 'Sending' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Harbour Post')
  await page.getByLabel('Short name for addresses').fill('harbour-post')
  await button('Save').click()
  await page.waitForURL('**/portal/projects/harbour-post/settings')
  await button('Add a domain').click()
  await page.getByLabel('Domain', { exact: true }).fill('harbour post')
  await button('Use this domain').click()
  await page.locator('.field-flaw').waitFor()
  portal.troubles.splice(0)
  await page.getByLabel('Domain', { exact: true }).fill('harbour-post.com')
  await button('Use this domain').click()
  await page.getByText('Not proven yet').waitFor()
  await button('Look again').click()
  await page.getByText('There is no record under this name yet.').waitFor()
  await checkLooks(portal)
  const part = (name: string) => page.getByRole('definition').filter({ has: button(`Copy the ${name} of the record`) })
  const [name, value] = await Promise.all(['name', 'value'].map((each) => part(each).locator('code').innerText()))
  const served = () => fetch(world.url, { headers: { Host: 'harbour-post.com' } }).then(({ status }) => status)
  expect(await served()).toBe(421)
  dns.zone.set(name!, 'masthead-project=another')
  await button('Look again').click()
  await page.getByText('but with another value.').waitFor()
  dns.zone.set(name!, value!)
  await button('Look again').click()
  await page.getByText('Proven', { exact: true }).waitFor()
  // It is served, and has no page yet.
  expect(await served()).toBe(404)
  await page.getByRole('link', { name: 'Open it' }).waitFor()
  await checkLooks(portal)
  await button('Remove it').click()
  await button('Remove harbour-post.com').click()
  await button('Add a domain').waitFor()
  await page.getByText('4 of 100').or(page.getByText('5 of 100')).waitFor()
  await asked('/project/update', { name: 'Harbour News', slug: 'harbour-news' })
})

test.if(hasBrowser)('A project is made on the start page, and deleted with its name and a password.', async () => {
  await page.goto(`${world.url}/portal/?new`)
  await page.getByLabel('Name').fill('Quay Letters')
  await page.getByRole('button', { name: 'Make the project' }).click()
  await page.waitForURL('**/portal/projects/quay-letters')
  await page.goto(`${world.url}/portal/projects/quay-letters/settings`)
  world.clock.advance(11 * 60_000)
  await button('Delete the project').click()
  await page.getByLabel('Type Quay Letters to go on').fill('Quay Letters')
  await button('Delete Quay Letters').click()
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  await page.getByLabel(/^Password of/).fill('wrong')
  await button('Go on').click()
  await page.locator('.field-flaw').waitFor()
  portal.troubles.splice(0)
  await page.getByLabel(/^Password of/).fill(PASSWORD)
  await button('Go on').click()
  await page.waitForURL('**/portal/')
  expect((await world.fetch('/project/list', { method: 'POST' })).status).not.toBe(200)
  expect((await page.goto(`${world.url}/portal/projects/quay-letters`))!.status()).toBe(404)
  portal.troubles.splice(0)
})

test.if(hasBrowser)('Activity shows jobs that can be tried again, and who did what in words.', async () => {
  const { tag } = await world.ok('tags/create', { name: 'vip' })
  await world.ok('contacts/upsert', { email: 'ada@quay.example', consent_text: 'Yes' })
  const filter = { op: 'and', rules: [{ field: 'email', operator: 'contains', value: 'quay' }] }
  await world.ok('contacts/bulk', { action: 'add_tags', filter, tag_ids: [tag.id] })
  await world.service.runtime.store.write((tx) => tx.update(jobs).set({ status: 'failed', error: 'The disk is full.' }))
  await portal.open('/activity')
  await page
    .getByRole('row', { name: /Tagging contacts: vip/ })
    .getByText('The disk is full.')
    .waitFor()
  await checkLooks(portal)
  await button('Try again Tagging contacts: vip').click()
  await page.getByRole('row', { name: /Queued/ }).waitFor()
  await button('Cancel Tagging contacts: vip').click()
  await dialog().getByText('The others do not change.').waitFor()
  await button('Cancel the change').click()
  await page.getByRole('row', { name: /Canceled/ }).waitFor()
  await world.settle()
  await page.getByLabel('Status').selectOption('Failed')
  await page.getByText('No job has this status.').waitFor()

  await page.getByRole('tab', { name: 'Who did what' }).click()
  await page.getByRole('row', { name: /Changed many contacts/ }).waitFor()
  await checkLooks(portal)
  await page.getByLabel('What', { exact: true }).selectOption('Changed many contacts')
  await page.getByRole('row', { name: /Finished a job/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Changed many contacts/ }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('what')).toBe('contacts/bulk')
})

test.if(hasBrowser)('Scripts are switched with an undo, visitors are asked, and an app is removed.', async () => {
  await asked('/project/pages/create', { path: '/', title: 'Home', html: '<!doctype html><html><head></head></html>' })
  await embed({ name: 'Tides', type: 'Analytics', code: '<i>{{word}}</i>', parameters: { word: 'tides' } })
  const hosted = async () => (await world.fetch('/sites/harbour-news/')).text()
  await portal.follow('/apps')
  await page.getByText('Put its scripts on the pages of the site').waitFor()
  const tides = page.getByRole('switch', { name: /^Tides/ })
  await tides.click()
  await page.getByText('Tides is off: gone with the next view.').waitFor()
  expect(await hosted()).not.toContain('tides')
  await button('Undo').click()
  await page.getByRole('switch', { name: 'Tides: On' }).waitFor()
  expect(await hosted()).toContain('<i>tides</i>')
  await page.getByRole('switch', { name: 'Ask visitors before scripts run' }).click()
  await page.getByRole('switch', { name: 'Tides: After consent' }).waitFor()
  await page.getByLabel('Show the banner').check()
  await page.getByLabel('Question').fill('May we count you?')
  const banner = page.frameLocator('.banner-preview iframe')
  await banner.getByText('May we count you?').waitFor()
  await page.getByText('Kinds, purposes and further texts').click()
  await page.getByLabel('Name of Analytics').fill('Counting')
  await page.getByLabel('Privacy address').fill('/privacy')
  await banner.getByRole('checkbox', { name: /^Counting / }).waitFor()
  await banner.getByText('Privacy choices').waitFor()
  await button('Save').click()
  await page.getByText('The pages ask in these words.').waitFor()
  expect(await hosted()).toContain('May we count you?')
  expect(await hosted()).toContain('href="/privacy"')
  await checkLooks(portal)
  await button('See the code of Tides').click()
  const code = page.getByRole('region', { name: 'As visitors get it' })
  await code.locator('[style]').first().waitFor()
  expect(await code.innerText()).toBe('<i>tides</i>')
  expect(await code.locator('mark').innerText()).toBe('tides')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'History of Test app' }).click()
  const history = page.getByRole('list', { name: 'History of Test app' }).getByRole('listitem')
  const byOwner = history.filter({ hasText: 'owner' })
  await byOwner.first().waitFor()
  expect((await byOwner.locator('.timeline-title').allInnerTexts()).slice(0, 2)).toEqual([
    'Switched a script: Tides is on',
    'Switched a script: Tides is off',
  ])
  expect(new URL(page.url()).searchParams.get('history')).toBe(world.app_id)
  await checkPage(portal)
  await page.keyboard.press('Escape')
  await history.first().waitFor({ state: 'detached' })
  await page.getByText('HTML Head, on 1 page since').waitFor()
  await button('See on a page with Tides').click()
  const framed = page.frameLocator('.page-with-script')
  await framed.getByText('May we count you?').waitFor()
  await page.getByRole('tab', { name: 'Without it' }).click()
  await page.getByTitle('/ without Tides').waitFor()
  await framed.getByText('May we count you?').waitFor({ state: 'detached' })
  portal.troubles.splice(0)
  await page.keyboard.press('Escape')
  await button(/^Remove Test app/).click()
  await dialog().getByText('Its scripts leave the pages with the next view: Tides.').waitFor()
  await dialog().getByRole('button', { name: 'Remove Test app' }).click()
  await page.getByText('None has access to this project.').waitFor()
  expect(await hosted()).not.toContain('tides')
})

test.if(hasBrowser)(
  'The mailbox shows a kept message with its links, text part and headers, and is emptied.',
  async () => {
    const { list_id } = await readyToSend(world)
    const { campaign } = await world.ok('campaigns/create', {
      name: 'May letter',
      subject: 'The ferries sail',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list_id }] },
    })
    await world.ok('campaigns/test-send', { campaign_id: campaign.id, emails: ['ada@quay.example'] })
    await world.settle()
    await portal.follow('/mailbox')
    await portal.settled()
    await checkLooks(portal)
    await page.getByRole('link', { name: /\[Test\]/ }).click()
    await page.frameLocator('iframe').locator('body').getByText('Unsubscribe').waitFor()
    expect(await page.getByRole('link', { name: 'Unsubscribe' }).getAttribute('href')).toContain(
      `${world.url}/general/newsletter/`,
    )
    await checkLooks(portal)
    await page.getByRole('tab', { name: 'Headers' }).click()
    await page.getByText('list-unsubscribe-post').waitFor()
    await page.getByRole('link', { name: 'Mailbox' }).first().click()
    await button('Empty the mailbox').click()
    await button('Delete all messages').click()
    await page.getByText('Nothing is kept yet.').waitFor()
  },
)

test.if(hasBrowser)('Pictures are added, described, and deleted.', async () => {
  await portal.follow('/files')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'ferry.png', mimeType: 'image/png', buffer: png(40, 30) },
    { name: 'quay.png', mimeType: 'image/png', buffer: png(50, 20) },
  ])
  await page.getByText('2 pictures are kept.').waitFor()
  await checkLooks(portal)
  await page.getByRole('link', { name: /ferry\.png/ }).click()
  await dialog().getByLabel('What is to be seen').fill('A ferry at the quay')
  await button('Save').click()
  await dialog().getByRole('img', { name: 'A ferry at the quay' }).waitFor()
  await dialog().getByText('No letter and no template shows it.').waitFor()
  await checkLooks(portal)
  await button('Delete').click()
  await button('Delete the picture').click()
  await page.getByRole('link', { name: /ferry\.png/ }).waitFor({ state: 'detached' })
  expect((await asked('/project/files/list')).items).toMatchObject([{ name: 'quay.png' }])
})

test.if(hasBrowser)('A member sees no controls, and is told who may.', async () => {
  const member = await openPortal(browser, world, 'member')
  const told: [string, string][] = [
    ['/members', 'Inviting people and giving roles takes an administrator'],
    ['/keys', 'Making a key takes an administrator'],
    ['/settings', 'This takes an owner'],
    ['/activity?tab=people', 'Reading who did what takes an administrator'],
    ['/apps', 'Removing an app and switching a script takes an administrator'],
    ['/files', 'Adding and changing pictures takes an editor'],
    ['/mailbox', 'Emptying it takes an editor'],
  ]
  for (const [path, sentence] of told) {
    await member.follow(path)
    await member.page.getByText(sentence).waitFor()
    expect(await member.page.locator('main [data-main-action]').count()).toBe(0)
    expect(await member.page.locator('main').getByRole('switch').count()).toBe(0)
  }
  await checkLooks(member)
  await member.close()
})

test.if(hasBrowser)('An owner hands the project over, and stays an administrator.', async () => {
  await portal.open('/settings')
  world.clock.advance(11 * 60_000)
  await button('Hand over').click()
  await dialog().getByLabel('New owner').selectOption('administrator, administrator@example.com')
  await button('Hand over to administrator').click()
  await page.getByLabel(/^Password of/).fill(PASSWORD)
  await button('Go on').click()
  await page.getByText('This takes an owner').waitFor()
  expect(await button('Delete the project').count()).toBe(0)
  const { members } = await asked('/project/members/list')
  const roles = Object.fromEntries(members.map(({ email, role }: any) => [email, role]))
  expect(roles).toMatchObject({ 'owner@example.com': 'administrator', 'administrator@example.com': 'owner' })
  portal.troubles.splice(0)
})
