import { beforeEach, expect, test } from 'bun:test'
import { listGallery } from '../../src/developer/gallery.ts'
import type { Store } from '../../src/store/open.ts'
import { getApp } from '../../src/developer/apps.ts'
import { decide, requestReview } from '../../src/developer/reviews.ts'
import { createVersion } from '../../src/developer/versions.ts'
import { KEYS, newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk, SCRIPT } from './desk.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})

const read = async (path: string) => {
  const answer = await desk.world.fetch(`/general/apps${path}`)
  return { status: answer.status, body: (await answer.json()) as any }
}
const names = async (query = '') => (await read(query)).body.apps.map(({ displayName }: any) => displayName)

test('Everybody sees the approved apps with the listing of the version that sites get.', async () => {
  const app = await desk.app({ displayName: 'Tide tables' })
  await desk.app({ displayName: 'Not yet' })
  await desk.script(app.id)
  const listing = { tagline: 'Tides of every harbor', category: 'Weather', description: 'All of them.' }
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, listing)
  await desk.approve(app.id)
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, { tagline: 'A draft' })
  await desk.token(app.id)
  expect(await names()).toEqual(['Tide tables'])
  expect(await names('?search=HARBOR&category=WEATHER')).toEqual(['Tide tables'])
  expect(await names('?category=games')).toEqual([])
  for (const part of ['tide tab', 'every', 'WEATH']) expect(await names(`?search=${part}`)).toEqual(['Tide tables'])
  expect(await names('?search=elsewhere')).toEqual([])
  const { app: shown } = (await read(`/${app.id}`)).body
  expect(shown).toMatchObject({
    tagline: 'Tides of every harbor',
    listing_description: 'All of them.',
    projects: 1,
    version: 1,
    last_update: new Date(desk.world.clock.now()).toISOString(),
    scripts: [{ name: SCRIPT.name, type: SCRIPT.type, placement: SCRIPT.placement }],
  })
  // The code of a version can be megabytes, so the thread that answers does not read it.
  const { store, keys } = desk.world.service.runtime
  const rows: unknown[] = []
  const heavy = (async (query) => rows.push(...(await store.heavy(query))) && rows) as Store['heavy']
  expect((await listGallery({ heavy }, keys, {})).items).toHaveLength(1)
  expect(JSON.stringify(rows)).toContain('Tides of every harbor')
  expect(JSON.stringify(rows)).not.toContain('count()')
  await desk.ok('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'Spam.' })
  expect([await names(), (await read(`/${app.id}`)).status]).toEqual([[], 404])
})

test('A category is found by its letters, without the blanks around it.', async () => {
  const app = await desk.app({ displayName: 'Ölpreise' })
  await desk.script(app.id)
  const address = `${APPS}/${app.id}/listing`
  const { listing } = await desk.ok('outsider', 'PUT', address, { category: ' Öl & Gas ' })
  expect(listing.category).toBe('Öl & Gas')
  await desk.approve(app.id)
  expect(await names(`?category=${encodeURIComponent(' Öl & gas')}`)).toEqual(['Ölpreise'])
  for (const part of ['Öl & G', 'Ölpreise'])
    expect(await names(`?search=${encodeURIComponent(part)}`)).toEqual(['Ölpreise'])
  await desk.ok('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'Spam.' })
})

test('The gallery has pages without script, which search, lead on and hide what is not approved.', async () => {
  const open = async (path: string) => {
    const answer = await desk.world.fetch(path)
    return { status: answer.status, html: await answer.text(), policy: answer.headers.get('content-security-policy')! }
  }
  const app = await desk.app({ displayName: 'Boats <b>', homepage: 'https://boats.example/start' })
  await desk.script(app.id)
  const listing = { tagline: 'Every boat', category: 'Travel', icon_url: 'https://tracker.example/i.png' }
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, { ...listing, privacy_url: 'https://boats.example/p' })
  const { status } = await open(`/apps/${app.id}`)
  await desk.approve(app.id)
  const missing = await open('/apps/app_none')
  expect([status, missing.status, (await open('/apps?cursor=x')).status]).toEqual([404, 404, 400])
  expect(missing.html).toContain('<a href="/apps">All apps</a>')
  const list = await open('/apps?search=BOAT')
  expect(list.html).toContain(`<a href="/apps/${app.id}">Boats &lt;b&gt;</a>`)
  expect(list.html).toContain('<a href="/apps?category=Travel">Travel</a>')
  const games = (await open('/apps?category=Games&search=%20boat%20')).html
  for (const part of ['No app matches.', 'name="category" value="Games"', 'name="search" value="boat"', 'In Games. '])
    expect(games).toContain(part)
  expect(list.html).not.toContain('name="category"')
  const page = await open(`/apps/${app.id}`)
  for (const shown of [
    '<a class="button" href="https://boats.example/start" rel="noopener noreferrer nofollow">',
    'Connect at boats.example',
    'Counter: analytics, in the head of each page',
    'Privacy: boats.example',
  ])
    expect(page.html).toContain(shown)
  // A search is not for search engines; the list and the apps are.
  const isHidden = ({ html }: { html: string }) => html.includes('noindex')
  expect([list, page, await open('/apps')].map(isHidden)).toEqual([true, false, false])
  for (const { html, policy } of [list, page]) {
    expect([html.includes('tracker.example'), html.includes('<script')]).toEqual([false, false])
    expect(policy).toContain("script-src 'none'")
  }
})

test('The page of an app without a homepage says that there is nowhere to connect it.', async () => {
  const app = await desk.app({ displayName: 'Nets' })
  await desk.approve(app.id)
  const html = await (await desk.world.fetch(`/apps/${app.id}`)).text()
  expect(html).toContain('there is nowhere to connect it yet')
  expect(html).not.toContain('Connect at')
})

test('An address that asks for many pages of the gallery has to wait.', async () => {
  const config = desk.world.service.runtime.config as { public_requests_per_minute: number }
  config.public_requests_per_minute = 1
  desk.world.clock.advance(60_000)
  expect((await desk.world.fetch('/apps')).status).toBe(200)
  for (const path of ['/general/apps', '/general/apps/app_none', '/apps', '/apps/app_none'])
    expect([path, (await desk.world.fetch(path)).status]).toEqual([path, 429])
})

test('The gallery comes in pages, the newest version first, each app once.', async () => {
  const [creator, reviewer] = [await newUser(), await newUser({ admin: true })]
  const ids: string[] = []
  for (const display_name of ['Paged one', 'Paged two', 'Paged three']) {
    const { id } = await newApp(creator, { display_name, status: 'development' })
    ids.unshift(id)
    await write(async (tx) => {
      const app = await getApp(tx, id)
      const version = await createVersion(tx, app, { user_id: creator, notes: '' }, NOW)
      const request = await requestReview(tx, creator, { app_id: id, version_id: version.id }, NOW)
      await decide(tx, reviewer, { id: request.id, decision: 'approved', comment: '' }, NOW)
    })
  }
  const store = await sharedStore()
  const first = await listGallery(store, KEYS, { search: 'paged', limit: 2 })
  const next = await listGallery(store, KEYS, { search: 'paged', limit: 2, cursor: first.next_cursor! })
  expect([...first.items, ...next.items].map(({ id }) => id)).toEqual(ids)
  expect(next.next_cursor).toBeNull()
})
