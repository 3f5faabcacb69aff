/**
 * Takes the pictures of `docs/screens` anew: `bun bench/screens.ts [FOLDER]`. A newsletter of a hundred people, with a
 * campaign that was read, a draft and a planned one, as its owner sees it.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { buildApp } from '../bin/build-app.ts'
import { DAY_MS } from '../src/clock.ts'
import { countDeliveries } from '../src/newsletter/outbox/delivery-days.ts'
import { createSiteWorld, type SiteWorld } from '../test/http/site-world.ts'
import { openBrowser } from '../test/sites/browser.ts'
import { openPortal, type Portal } from '../test/support/portal.ts'

const folder = process.argv[2] ?? join(import.meta.dir, '../docs/screens')
const PEOPLE = 104
const PAGES = ['/calendars', '/changelog', '/harbour-night', '/harbour-night/questions', '/reading-room/hours']
const FIRST_NAMES =
  'Ada Björn Clara Dario Elif Fatima Gustav Hana Ivo Jelena Kofi Liv Mateo Nour Olga Per Quinn Rosa Sven Tove'.split(
    ' ',
  )
const LAST_NAMES = 'Lind Holm Berg Okafor Novák Haddad Sandvik Nyström'.split(' ')
const BROWSER = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0' }

const plain = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '')

/** Makes the lists and the people, who join in the course of a month. Returns their addresses. */
async function fillAudience(world: SiteWorld): Promise<{ members: number; emails: string[] }> {
  const { list: members } = await world.ok('lists/create', { name: 'Harbour members' })
  const { list: weekly } = await world.ok('lists/create', { name: 'Weekly letter', double_opt_in: true })
  const { tag } = await world.ok('tags/create', { name: 'customer', color: '#1d6b3a' })
  const countries = ['Norway', 'Sweden']
  await world.ok('custom-fields/create', { key: 'country', label: 'Country', type: 'select', options: countries })
  const emails: string[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const first_name = FIRST_NAMES[n % 20]!
    const last_name = LAST_NAMES[(n * 3 + Math.floor(n / 20)) % 8]!
    const email = `${plain(first_name)}.${plain(last_name)}${n < 20 ? '' : n}@example.com`
    emails.push(email)
    await world.ok('contacts/upsert', {
      email,
      first_name,
      last_name,
      consent_text: 'Yes, send me the weekly letter. I can leave at any time.',
      list_ids: n % 3 === 2 ? [weekly.id, ...(n % 4 === 0 ? [members.id] : [])] : [members.id],
      ...(n % 3 === 0 && { tag_ids: [tag.id] }),
      custom_fields: { country: countries[n % 2] },
    })
    if (n % 4 === 3 && n % 12 !== 7) world.clock.advance(DAY_MS * (n % 3 === 0 ? 2 : 1))
  }
  return { members: members.id, emails }
}

/** Opens and clicks messages in the mailbox as people do, faster at first; two of them leave. */
async function readMessages(world: SiteWorld, emails: readonly string[]): Promise<void> {
  const visit = (url: string) =>
    world.fetch(url.replaceAll('&amp;', '&').slice(world.url.length), { headers: BROWSER, redirect: 'manual' })
  let reached = 0
  for (const email of emails) {
    const answer = await world.fetch(`/general/sandbox/mailbox?to=${email}`)
    const { messages } = (await answer.json()) as { messages: { html: string }[] }
    const html = messages.at(-1)?.html
    if (html === undefined) continue
    reached += 1
    world.clock.advance(Math.round(70_000 * (1 + reached / 14)))
    const pixel = /<img[^>]* src="([^"]*\/open\/[^"]*)"/.exec(html)?.[1]
    if (reached % 5 < 3 && pixel) await visit(pixel)
    const links = [...html.matchAll(/href="([^"]*\/click\/[^"]*)"/g)].map(([, link]) => link!)
    if (reached % 4 === 0 && links.length > 0) await visit(links[reached % links.length]!)
    if (reached !== 17 && reached !== 41) continue
    const { contact } = await world.ok('contacts/get', { email })
    await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  }
}

/** Fills a project and returns the address of each picture. */
async function fill(world: SiteWorld): Promise<Record<string, string>> {
  const { members, emails } = await fillAudience(world)
  const { connection } = await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await world.ok('settings/update', {
    from_name: 'Harbour News',
    from_email: 'news@harbour.example',
    reply_to: 'hello@harbour.example',
    company_name: 'Harbour News',
    postal_address: 'Quay 4, 5003 Bergen, Norway',
    timezone: 'Europe/Oslo',
    default_connection_id: connection.id,
  })
  // The letters of the designs link to them.
  for (const path of ['/reading-room', ...PAGES])
    await world.as('owner', '/project/pages/create', { path, title: path, html: '<h1>Soon</h1>', published: true })
  const letter = async (name: string, subject: string, template_id: string): Promise<number> => {
    const audience_spec = { include: [{ type: 'list', id: members }], exclude: [] }
    return (await world.ok('campaigns/create', { name, subject, audience_spec, template_id })).campaign.id
  }
  const sent = await letter('April letter', 'Tides, boats and a new ferry', 'builtin:product-update')
  await world.ok('campaigns/send', { campaign_id: sent })
  await world.settle()
  await readMessages(world, emails)
  await world.settle()
  await countDeliveries(world.service.runtime)
  const draft = await letter('May letter', 'Plan together: shared calendars are here', 'builtin:announcement')
  const later = await letter('Summer invitation', 'You are invited to the harbour festival', 'builtin:event')
  const scheduled_at = new Date(world.clock.now() + 3 * DAY_MS).toISOString()
  await world.ok('campaigns/schedule', { campaign_id: later, scheduled_at, timezone: 'Europe/Oslo' })
  const { contact } = await world.ok('contacts/get', { email: emails[0] })
  return {
    home: '/',
    contacts: '/contacts',
    'contacts-phone': '/contacts',
    'contact-dark': `/contacts/${contact.id}`,
    letter: `/campaigns/${draft}/edit`,
    'letter-dark': `/campaigns/${draft}/edit`,
    report: `/campaigns/${sent}`,
    review: `/campaigns/${draft}/review`,
  }
}

async function take({ page, open, settled }: Portal, name: string, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: name.endsWith('-dark') ? 'dark' : 'light' })
  await page.setViewportSize(name.endsWith('-phone') ? { width: 390, height: 844 } : { width: 1280, height: 800 })
  await open(path)
  await settled()
  await Bun.write(join(folder, `${name}.webp`), await asWebp(await page.screenshot()))
}

/** A fifth of the size of the PNG file, which the browser makes. */
async function asWebp(png: Buffer): Promise<Buffer> {
  const canvas = await converter.evaluate(async (base64) => {
    const picture = new Image()
    picture.src = `data:image/png;base64,${base64}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: picture.width, height: picture.height })
    canvas.getContext('2d')!.drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.7)
  }, png.toString('base64'))
  return Buffer.from(canvas.split(',')[1]!, 'base64')
}

await buildApp()
mkdirSync(folder, { recursive: true })
const world = await createSiteWorld()
const pictures = await fill(world)
const browser = await openBrowser()
const converter = await browser.newPage()
const portal = await openPortal(browser, world, 'owner')
for (const [name, path] of Object.entries(pictures)) await take(portal, name, path)
console.log(`${Object.keys(pictures).length} pictures in ${folder}`)
process.exit(0)
