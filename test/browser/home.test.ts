import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Browser } from 'playwright-core'
import { newId } from '../../src/ids.ts'
import { delivery_days } from '../../src/store/tables/delivery-days.ts'
import { invitations } from '../../src/store/tables/accounts.ts'
import { deliveries } from '../../src/store/tables/delivery.ts'
import { app_versions, review_requests, type VersionContents } from '../../src/store/tables/developer.ts'
import { imports } from '../../src/store/tables/imports.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { checkLooks, openPortal, type Portal } from '../support/portal.ts'
import { createWorld, type World } from '../support/world.ts'

/** From an empty project to a letter that has left, in the browser. */

let world: World
let browser: Browser
let portal: Portal

beforeAll(async () => {
  world = await createWorld()
  browser = await openBrowser()
  portal = await openPortal(browser, world)
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

test.if(hasBrowser)('Start here leads through the first steps, and each answer is kept.', async () => {
  const { page } = portal
  await portal.open('/')
  await checkLooks(portal)
  await page.getByLabel('Address', { exact: true }).fill('news@harbour.example')
  await page.getByLabel('Postal address').fill('Quay 4, 5003 Bergen')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Use the sandbox' }).click()
  await page.getByRole('button', { name: 'Make the list' }).click()
  await page.getByText('3 of 5 done.').waitFor()
  const { settings } = await world.ok('settings/get')
  expect(settings).toMatchObject({ from_name: 'Harbour News', from_email: 'news@harbour.example' })
  expect(settings.default_connection_id).toBeNumber()
  expect((await world.ok('lists/list')).items).toMatchObject([{ name: 'Newsletter', double_opt_in: true }])
  await checkLooks(portal)
})

test.if(hasBrowser)('A page draws its first answers without a call of its own.', async () => {
  const { page } = portal
  const called: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/project/newsletter/')) called.push(new URL(request.url()).pathname)
  })
  await portal.open('/campaigns')
  await page.getByText('A campaign is one letter to many people.').waitFor()
  expect(called.filter((path) => path.endsWith('campaigns/list'))).toEqual([])
})

test.if(hasBrowser)('A flaw of the address stands beside its field, and what was written stays.', async () => {
  await world.ok('settings/update', { from_email: '' })
  const { page } = portal
  await portal.open('/')
  await page.getByLabel('Address', { exact: true }).fill('news@harbour')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('group', { name: 'What went wrong' }).waitFor()
  expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('news@harbour')
  expect(await page.getByLabel('Address', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  portal.troubles.splice(0)
})

test.if(hasBrowser)('Home tells all that needs a person, and how mailbox providers took the mail.', async () => {
  await troubledProject()
  const { page } = portal
  await portal.open('/lists')
  await page.getByRole('link', { name: 'Sending A connection or its DNS needs a look' }).waitFor()
  await page.getByRole('button', { name: 'Running work: 1' }).click()
  await page.getByRole('link', { name: 'Sending: Leaving' }).waitFor()
  await portal.open('/')
  const needs = page.locator('.needs li')
  await needs.nth(7).waitFor()
  expect(await needs.locator('> span:first-child').allTextContents()).toEqual([
    '2 people may or may not have “Sent”.',
    '“Failed” could not begin: No subject.',
    '“Paused” is paused: 535 login.',
    'Sandbox: 535 5.7.8 Username and Password not accepted',
    'harbour.example lacks SPF in its DNS: mail through Sandbox may be refused.',
    '3 rows of people.csv could not be imported.',
    'Test app asks for more: Send, schedule and retry campaigns, and send test messages.',
    'owner invites you to be an editor of the project Mountain Post.',
  ])
  const tile = page.locator('.tile', { hasText: 'Bounces and complaints' })
  expect(await tile.textContent()).toBe('Bounces and complaintsWatch2% bounced, 0% complained in 30 days')
  await checkLooks(portal)
  await needs.first().getByRole('link').click()
  await page.getByRole('heading', { name: 'Sent', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=people&status=uncertain')
})

/** Gives the project one trouble of each kind. */
async function troubledProject(): Promise<void> {
  const { store } = world.service.runtime
  const { id: project_id } = world.project
  const now = world.clock.now()
  for (const name of ['Paused', 'Failed', 'Sent', 'Leaving'])
    await world.ok('campaigns/create', {
      name,
      subject: name,
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [] },
    })
  await world.token('owner', ['newsletter:read'])
  await store.write(async (tx) => {
    for (const [name, reason] of [
      ['Paused', '535 login.'],
      ['Failed', 'No subject.'],
      ['Sent', null],
      ['Leaving', null],
    ] as const)
      await tx.run(sql`
        UPDATE campaigns SET status = ${name === 'Leaving' ? 'sending' : name.toLowerCase()},
          started_at = ${now}, finished_at = ${now},
          failure = ${reason && JSON.stringify({ reason })} WHERE name = ${name}`)
    const [sent] = await tx.all<{ id: number }>(sql`SELECT id FROM campaigns WHERE name = 'Sent'`)
    const row = { project_id, kind: 'campaign', campaign_id: sent!.id, status: 'uncertain' } as const
    await tx
      .insert(deliveries)
      .values(['a@x.example', 'b@x.example'].map((email) => ({ ...row, email, next_attempt_at: now, created_at: now })))
    const check = { name: 'spf', ok: false, found: null, expected: 'v=spf1', record: null, hint: '' }
    const dns = JSON.stringify({ domain: 'harbour.example', checked_at: now, checks: [check] })
    await tx.run(sql`
      UPDATE connections SET verified_at = ${now}, dns = ${dns},
        last_error = '535 5.7.8 Username and Password not accepted'`)
    const today = Date.now()
    const file = { filename: 'people.csv', size_bytes: 9, delimiter: ',' as const, columns: [], failed: 3 }
    await tx.insert(imports).values({ ...file, project_id, status: 'completed', created_at: today, updated_at: today })
    const app = { app_id: world.app_id, status: 'approved', created_at: now } as const
    const contents = { scopes: ['newsletter:read'] } as VersionContents
    const version = { ...app, number: 1, contents, user_id: world.users.owner }
    const [made] = await tx.insert(app_versions).values(version).returning({ id: app_versions.id })
    const review = { version_id: made!.id, submitted_by: world.users.owner, decided_at: now }
    await tx.insert(review_requests).values({ ...app, ...review })
    await tx.run(sql`UPDATE apps SET scopes = '["newsletter:read", "newsletter:send"]' WHERE id = ${world.app_id}`)
    const day = { day: Math.floor(now / 86_400_000), soft_bounced: 0, complained: 0, unsubscribed: 0, opened: 0 }
    await tx.insert(delivery_days).values({ ...day, project_id, provider: 'gmail', sent: 100, bounced: 2 })
    const email = 'owner@example.com'
    const invitation = {
      id: newId('inv'),
      project_id: world.other.id,
      email,
      email_key: email,
      role: 'editor',
    } as const
    await tx.insert(invitations).values({
      ...invitation,
      token_hash: 'x',
      invited_by: world.users.owner,
      created_at: now,
      expires_at: now + 3_600_000,
    })
  })
}
