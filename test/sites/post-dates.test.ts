import { afterEach, beforeEach, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { startLoops } from '../../src/loops.ts'
import { startService } from '../../src/service.ts'
import { postLoop } from '../../src/sites/due-posts.ts'
import { scratchFolder } from '../support/folder.ts'
import { loopContext } from '../support/world.ts'

/** Dates of posts (docs/api/sites.md#dates-of-posts). */

let world: SiteWorld
beforeEach(async () => {
  world = await createSiteWorld()
  await world.ok('settings/update', { timezone: 'Europe/Berlin' })
})
afterEach(() => world.close())

const setClock = (at: string) => {
  world.clock.advance(Date.parse(at) - world.clock.now())
  world.forgetCookies()
}
const create = async (body: object) => (await world.edit('/project/cms/posts/create', { ...body })).post
const update = async (post_id: number, body: object) =>
  (await world.edit('/project/cms/posts/update', { post_id, ...body })).post
const refusal = async (post_id: number, body: object) =>
  (await world.as('editor', '/project/cms/posts/update', { post_id, ...body })).body.details?.[0]
const get = async (post_id: number) => (await world.edit('/project/cms/posts/get', { post_id })).post
const publishDue = () => world.service.drain('posts')
const isShown = async (slug: string) => (await world.visit(`/posts/${slug}`)).status === 200
const auditRows = async ({ store } = world.service.runtime) =>
  (await store.query("SELECT target FROM audit_log WHERE action = 'cms/posts/publish'")).map(({ target }) => target)

test.each([
  ['2026-03-28T12:00:00Z', '2026-03-29', '07:00:00.000Z', 'spring'],
  ['2026-10-24T12:00:00Z', '2026-10-25', '08:00:00.000Z', 'autumn'],
])(
  'A post that is planned at %s for 09:00 in Berlin on the next day is published at that moment.',
  async (now, day, at, slug) => {
    setClock(now)
    const { id, status, published_at, url } = await create({ title: slug, published_at: `${day}T09:00` })
    expect([status, published_at, url]).toEqual(['scheduled', `${day}T${at}`, null])
    setClock(new Date(Date.parse(`${day}T${at}`) - 1).toISOString())
    await publishDue()
    expect([await isShown(slug), await world.visit('/feed.xml').then((answer) => answer.text())]).toEqual([
      false,
      expect.not.stringContaining(`>${slug}<`),
    ])
    world.clock.advance(1)
    await publishDue()
    expect([await isShown(slug), await get(id)]).toEqual([
      true,
      expect.objectContaining({ status: 'published', published_at, last_update: published_at, updated_by: null }),
    ])
    // A clock that goes back takes nothing away, and a change of its text neither.
    world.clock.advance(-3_600_000)
    await publishDue()
    await update(id, { content: '<p>Longer.</p>', status: 'published', published_at })
    expect([await isShown(slug), await auditRows()]).toEqual([true, [`post:${id}`]])
  },
)

test('A post whose moment passes after a kill is published by the next start, by one of two processes.', async () => {
  const { id } = await create({ title: 'Late', published_at: '2027-05-01T09:00' })
  const data_dir = join(scratchFolder(), 'killed')
  // What a kill leaves: the files of a database that nobody closed.
  cpSync(world.folder, data_dir, { recursive: true })
  setClock('2027-05-01T12:00:00Z')
  const { config } = world.service.runtime
  const again = await startService({ ...config, data_dir, port: 0 }, { clock: world.clock, loops: 'still' })
  const statuses = () => again.runtime.store.query(`SELECT status, published_at FROM cms_posts WHERE id = ${id}`)
  expect(await statuses()).toEqual([{ status: 'scheduled', published_at: Date.parse('2027-05-01T07:00:00Z') }])
  const processes = ['prc_a', 'prc_b'].map((worker) =>
    startLoops(loopContext(again.runtime, worker), false, [postLoop]),
  )
  await Promise.all(processes.map((loops) => loops.drain('posts')))
  expect(await statuses()).toEqual([{ status: 'published', published_at: Date.parse('2027-05-01T07:00:00Z') }])
  expect(await auditRows(again.runtime)).toEqual([`post:${id}`])
  await again.close()
})

test('A date is set back and ahead; what is planned anew leaves the site, and a draft has no date.', async () => {
  setClock('2028-01-10T09:00:00Z')
  const { id, published_at } = await create({ title: 'Moved', status: 'published' })
  await create({ title: 'Other', status: 'published', published_at: '2028-01-05T09:00' })
  const order = async () =>
    [...(await (await world.visit('/posts')).text()).matchAll(/<h2><a[^>]+>(\w+)/g)].map((m) => m[1])
  expect([published_at, await order()]).toEqual(['2028-01-10T09:00:00.000Z', ['Moved', 'Other']])
  const back = await update(id, { published_at: '2028-01-01T12:00Z' })
  expect([back.status, back.published_at, await order()]).toEqual([
    ...['published', '2028-01-01T12:00:00.000Z', ['Other', 'Moved']],
  ])
  expect(await (await world.visit('/posts/moved')).text()).toContain(
    'datetime="2028-01-01T12:00:00.000Z">January 1, 2028<',
  )
  expect(await update(id, { status: 'archived' })).toMatchObject({ published_at: back.published_at })
  expect(await update(id, { status: 'published' })).toMatchObject({ published_at: back.published_at })
  const ahead = await update(id, { published_at: '2028-01-11T09:00' })
  expect([ahead.status, ahead.url, await isShown('moved')]).toEqual(['scheduled', null, false])
  expect(await update(id, { published_at: null })).toMatchObject({ status: 'draft', published_at: null })
  expect(await update(id, { status: 'scheduled', published_at: '2028-01-11T09:00' })).toMatchObject({
    status: 'scheduled',
  })
  // Whoever publishes it now gives up the date.
  expect(await update(id, { status: 'published' })).toMatchObject({ published_at: '2028-01-10T09:00:00.000Z' })
})

test('A date that the state cannot have is refused, and the post stays as it is.', async () => {
  const post = await create({ title: 'Refused' })
  for (const [body, message] of [
    [{ status: 'draft', published_at: '2030-01-01T09:00' }, 'A draft has no date.'],
    [{ published_at: '2020-01-01T09:00' }, 'Expected a time in the future. A post of an earlier date is `published`.'],
    [{ status: 'scheduled' }, 'Say when the post is to be published.'],
    [{ status: 'archived', published_at: '2090-01-01T09:00' }, 'An archived post has no date in the future.'],
    [{ published_at: '2091-03-25T02:30' }, 'Clocks in Europe/Berlin skip this time when summer time begins.'],
    [{ published_at: '2090-02-30T09:00' }, 'This date does not exist.'],
    [{ status: 'published', published_at: '0999-12-31T09:00' }, 'Expected a year from 1000 to 9998.'],
  ] as const)
    expect([body, await refusal(post.id, body)]).toEqual([body, { path: '/published_at', message }])
  expect(await get(post.id)).toMatchObject({ status: 'draft', last_update: post.last_update })
  await update(post.id, { status: 'published', published_at: null })
  expect(await refusal(post.id, { published_at: null })).toMatchObject({ message: 'A published post has a date.' })
})

test('Apps know a scheduled post as a draft.', async () => {
  const { id } = await create({ title: 'Planned', published_at: '2095-01-01T09:00', tags: ['A', 'B'] })
  const asApp = async (path: string, body: object, role: 'editor' | 'member' = 'editor') =>
    (
      await world.fetch(`/general/api/v1/cms/post/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${await world.token(role)}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ project_id: world.project.public_id, ...body }),
      })
    ).json() as Promise<any>
  const { data } = await asApp('get', { id })
  expect(data).toMatchObject({ status: 'draft', published_at: null, category: 'A', url: null })
  expect('tags' in data).toBe(false)
  const ids = async (filters: object, role?: 'member') =>
    (await asApp('list', { filters: { search: 'planned', ...filters } }, role)).data.map(
      (post: { id: number }) => post.id,
    )
  expect([await ids({ status: 'draft' }), await ids({ status: 'published' }), await ids({}, 'member')]).toEqual([
    ...[[id], [], []],
  ])
  expect((await asApp('get', { id }, 'member')).error).toBe('not_found')
  expect((await asApp('list', { filters: { status: 'scheduled' } })).error).toBe('invalid_request')
  expect(
    (await world.edit('/project/cms/posts/list', { filters: { status: 'scheduled', tag: 'b' } })).posts,
  ).toHaveLength(1)
})

test('Each query of published, tagged and scheduled posts reads an index in its order.', async () => {
  const { store } = world.service.runtime
  for (const [query, index] of [
    [
      `SELECT title FROM cms_posts WHERE project_id = 1 AND status = 'published' ORDER BY published_at DESC, id DESC`,
      'cms_posts_published',
    ],
    [
      `SELECT title FROM cms_post_tags t JOIN cms_posts p ON p.id = t.post_id WHERE t.project_id = 1 AND t.tag = 'x'
       AND t.published_at IS NOT NULL ORDER BY t.published_at DESC, t.post_id DESC`,
      'cms_post_tags_published',
    ],
    [
      `SELECT id FROM cms_posts WHERE status = 'scheduled' AND published_at <= 1 ORDER BY published_at, id`,
      'cms_posts_scheduled',
    ],
  ] as const) {
    const plan = (await store.query(`EXPLAIN QUERY PLAN ${query}`)).map(({ detail }) => String(detail)).join()
    expect(plan).toContain(index)
    expect(plan).not.toContain('TEMP B-TREE')
  }
})
