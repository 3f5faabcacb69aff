import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { sendingProject } from '../../../src/newsletter/campaigns/content.ts'
import { letterRenderer, LISTED_CAMPAIGNS, sentLetters } from '../../../src/newsletter/campaigns/letters.ts'
import { formToJoin } from '../../../src/newsletter/consent/sign-up-forms.ts'
import type { World } from '../../support/world.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../site-world.ts'

/** The public archive of sent campaigns. */

const DOCUMENT = {
  version: 1,
  settings: {},
  blocks: [
    {
      id: 'body',
      type: 'text',
      props: {
        html:
          '<p>Dear {{ contact.first_name | default: reader }}, of {{ contact.custom.city | default: here }}: ' +
          '<a href="https://example.com/tides">the tides</a>, <a href="{{ view_url }}">look <b>there</b></a>, ' +
          '{{ unsubscribe_url }}{{ contact.email }}</p>',
      },
    },
    { id: 'leave', type: 'button', props: { text: 'Leave us', href: '{{ unsubscribe_url }}' } },
    { id: 'end', type: 'footer', props: { text: 'Until next week', view_link: true } },
  ],
}

let world: SiteWorld
let list_id: number
let private_id: number
const sent: Record<string, number> = {}

async function send(to: World, subject: string, audience_spec: object): Promise<number> {
  const { campaign } = await to.ok('campaigns/create', { subject, audience_spec, editor_json: DOCUMENT })
  await to.ok('campaigns/send', { campaign_id: campaign.id })
  await to.settle()
  to.clock.advance(60_000)
  return campaign.id
}

beforeEach(async () => {
  world = await createSiteWorld()
  list_id = (await readyToSend(world)).list_id
  private_id = (await world.ok('lists/create', { name: 'Crew' })).list.id
  const list_ids = [list_id, private_id]
  await world.ok('contacts/upsert', { email: 'ada@example.com', first_name: 'Ada', list_ids, consent_text: 'Yes.' })
  const to = (...ids: number[]) => ({ include: ids.map((id) => ({ type: 'list', id })) })
  sent.first = await send(world, 'Spring, {{ contact.first_name | default: friend }}', to(list_id))
  sent.second = await send(world, 'Summer <tides>', to(list_id))
  sent.both = await send(world, 'Autumn', to(list_id, private_id))
  sent.all = await send(world, 'Winter', { include: [{ type: 'all' }] })
  const draft = await world.ok('campaigns/create', { subject: 'Draft', audience_spec: to(list_id) })
  sent.draft = draft.campaign.id
})
afterEach(() => world.close())

const choose = (list_ids: number[]) => world.edit('/project/letters/settings/update', { list_ids })
const status = async (path: string) => (await world.visit(path)).status
const mapped = async () =>
  [...(await (await world.visit('/sitemap.xml')).text()).matchAll(/<loc>([^<]*\/letters\/[^<]*)/g)].map(([, at]) => at)
const hidden = () => Promise.all(['/letters/', `/letters/${sent.first}`].map(status))

test('Nothing is public before an editor chooses a list, and nothing once it is taken back or archived.', async () => {
  expect(await hidden()).toEqual([404, 404])
  expect(await choose([list_id])).toEqual({ list_ids: [list_id], url: `https://${DOMAIN}/letters/` })
  expect(await hidden()).toEqual([200, 200])
  expect(await mapped()).toEqual(['', sent.second, sent.first].map((name) => `https://${DOMAIN}/letters/${name}`))
  // The archive changes with its newest letter.
  const map = await (await world.visit('/sitemap.xml')).text()
  const [archive, newest, oldest] = [...map.matchAll(/\/letters\/\d*<\/loc>\s*<lastmod>([^<]+)</g)].map(([, at]) => at!)
  expect([archive, oldest! < newest!]).toEqual([newest, true])
  await world.ok('lists/update', { list_id, archived: true })
  expect(await hidden()).toEqual([404, 404])
  expect(await mapped()).toEqual([])
  await world.ok('lists/update', { list_id, archived: false })
  await choose([])
  expect(await hidden()).toEqual([404, 404])
})

test('Members read the choice, and editors choose among the lists of their project.', async () => {
  await choose([list_id])
  const { status, body } = await world.as('member', '/project/letters/settings/get')
  expect([status, body.list_ids]).toEqual([200, [list_id]])
  expect((await world.as('member', '/project/letters/settings/update', { list_ids: [] })).status).toBe(403)
  const refused = await world.as('editor', '/project/letters/settings/update', { list_ids: [list_id, 9999] })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('/list_ids/1')])
})

test('Letters that went only to lists with public letters are listed, newest first, on both addresses.', async () => {
  await choose([list_id])
  const asked = { name: 'Join', title: 'Join the crew', consent_text: 'Yes.' }
  await world.edit('/project/sign-up-forms/create', { ...asked, list_ids: [private_id] })
  const { form } = await world.edit('/project/sign-up-forms/create', { ...asked, list_ids: [list_id] })
  const page = await (await world.visit('/letters')).text()
  expect(page.match(/href="[^"]*\/forms\/[^"]*"/g)).toEqual([`href="${form.url}"`])
  // The wordings of a form can be megabytes.
  const { db } = world.service.runtime.store
  expect(await formToJoin(db, world.project.id, [9999, list_id])).toEqual({ id: form.id, title: asked.title })
  const listed = [...page.matchAll(/<li><a href="([^"]+)">([^<]+)<\/a>/g)].map(([, ...found]) => found)
  expect(listed).toEqual([
    [`/letters/${sent.second}`, 'Summer &lt;tides&gt;'],
    [`/letters/${sent.first}`, 'Spring, friend'],
  ])
  const by_slug = await (await world.fetch(`/sites/${world.project.slug}/letters/`)).text()
  expect(by_slug).toContain(`href="/sites/${world.project.slug}/letters/${sent.second}"`)
})

test('A letter is shown as nobody in particular reads it: no name, token, tracking or way to leave.', async () => {
  await choose([list_id])
  const response = await world.visit(`/letters/${sent.first}`)
  const text = await response.text()
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; img-src https: http:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox " +
      'allow-top-navigation-by-user-activation',
  )
  // The sites that a letter links to do not learn its address.
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect((await world.visit('/letters/')).headers.get('referrer-policy')).toBe('no-referrer')
  expect(text).toContain('Dear reader, of here: <a')
  expect(text).toContain('Until next week')
  expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['https://example.com/tides'])
  expect(text).not.toMatch(/Ada|ada@|look|Leave us|Unsubscribe|Preferences|View in browser|\/general\/|<img|\{\{/)
  const again = await world.visit(`/letters/${sent.first}`, {
    headers: { 'If-None-Match': response.headers.get('etag')! },
  })
  expect([again.status, response.headers.get('cache-control')]).toEqual([304, 'no-cache'])
  const by_slug = await world.fetch(`/sites/${world.project.slug}/letters/${sent.first}`)
  expect([by_slug.headers.get('content-security-policy'), await by_slug.text()]).toEqual([
    response.headers.get('content-security-policy'),
    text,
  ])
})

test('Other campaigns, other projects and addresses that mean nothing have no letter.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Peaks' }, { as: world.keys.other })
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`UPDATE lists SET letters_public = 1 WHERE id = ${list.id}`),
  )
  const ids = [sent.both, sent.all, sent.draft, 9999, 0, '1x', 'page/2', 'page/1', `${sent.first}/more`]
  expect(await Promise.all(ids.map((id) => status(`/letters/${id}`)))).toEqual(ids.map(() => 404))
  const there = `/sites/${world.other.slug}/letters`
  expect(await (await world.fetch(there)).text()).toContain('Nothing has been sent yet.')
  expect((await world.fetch(`${there}/${sent.first}`)).status).toBe(404)
  await world.ok('campaigns/delete', { campaign_id: sent.second })
  expect(await status(`/letters/${sent.second}`)).toBe(404)
})

/** Adds twenty letters older than all others. */
const addTwentyOld = () =>
  world.service.runtime.store.write((tx) =>
    tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20)
      INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
        track_clicks, status, started_at, created_at, updated_at)
      SELECT project_id, name, search_key, 'Old ' || n, editor_json, audience_spec, 0, 0, 'sent', n, n, n
      FROM campaigns, numbers WHERE id = ${sent.first}`),
  )

test('Twenty letters are on a page, and an index without the documents finds them.', async () => {
  await choose([list_id])
  await world.ok('campaigns/delete', { campaign_id: sent.second })
  await addTwentyOld()
  const { store } = world.service.runtime
  const seen: string[] = []
  const db = { all: (query: SQL) => (seen.push(new SQLiteAsyncDialect().sqlToQuery(query).sql), store.db.all(query)) }
  const sender = await sendingProject(store.db, world.project.id)
  await sentLetters(db as never, sender, { limit: 21, offset: 0 })
  const plan = await store.query(`EXPLAIN QUERY PLAN ${seen[0]!.replaceAll('?', '1')}`)
  expect(plan.map(({ detail }) => detail)).toContain(
    'SEARCH campaigns USING COVERING INDEX campaigns_sent (project_id=?)',
  )
  const pages = await Promise.all(['/letters', '/letters/page/2'].map(async (at) => (await world.visit(at)).text()))
  expect(pages.map((page) => page.match(/<li>/g)?.length)).toEqual([20, 1])
  expect(pages[0]).toContain('<a href="/letters/page/2" rel="next">Older</a>')
  expect(pages[1]).toMatch(/Old 1<[^]*<a href="\/letters\/" rel="prev">Newer<\/a>/)
  await store.write((tx) => tx.run(sql`UPDATE campaigns SET deleted_at = 1 WHERE subject = 'Old 1'`))
  expect(await (await world.visit('/letters')).text()).not.toContain('rel="next"')
})

test('Letters are rendered one after the other, and while twenty wait no other one may.', async () => {
  await choose([list_id])
  await addTwentyOld()
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.run(sql`
      UPDATE campaigns SET editor_json = replace(editor_json, 'Dear', ${'Dear '.repeat(3000)})
      WHERE subject LIKE 'Old %' OR id = ${sent.first}`),
  )
  const old = await store.db.all<{ id: number }>(sql`SELECT id FROM campaigns WHERE subject LIKE 'Old %' ORDER BY id`)
  const render = letterRenderer()
  let begun = Promise.withResolvers<() => void>()
  let count = 0
  const heavyTask = ((task, input) => {
    count++
    return new Promise((resolve) => begun.resolve(() => resolve(store.heavyTask(task, input))))
  }) as typeof store.heavyTask
  const ask = (id: number) => render({ db: store.db, heavyTask }, world.project.id, id)
  const asked = [...old, old[0]!].map(({ id }) => ask(id))
  await expect(ask(sent.first!)).rejects.toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '5' } })
  for (const [done, letter] of asked.slice(0, -1).entries()) {
    const end = await begun.promise
    begun = Promise.withResolvers()
    expect(count).toBe(done + 1)
    end()
    expect(await letter).toContain('Dear Dear')
  }
  expect(await asked.at(-1)).toBe(await asked[0]!)
})

test('The archive lists letters of the newest 1,000 campaigns, and older ones keep their addresses.', async () => {
  await choose([list_id])
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${LISTED_CAMPAIGNS - 1})
      INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
        track_clicks, status, started_at, created_at, updated_at)
      SELECT project_id, name, search_key, 'Everybody', editor_json, '{"include":[{"type":"all"}]}', 0, 0, 'sent',
        ${world.clock.now()}, 0, 0
      FROM campaigns, numbers WHERE id = ${sent.first}`),
  )
  const listed = (await (await world.visit('/letters')).text()).includes('<li>')
  expect([listed, await status(`/letters/${sent.first}`)]).toEqual([false, 200])
})
