import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { AppError } from '../../src/errors.ts'
import { hostedSites, type HostedSites } from '../../src/sites/hosted.ts'
import { createPage, readDocument, updatePage } from '../../src/sites/pages.ts'
import { createPost } from '../../src/sites/posts.ts'
import { previewToken, scriptPreviewToken } from '../../src/sites/previews.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let sites: HostedSites
beforeEach(async () => {
  world = await createWorld()
  sites = hostedSites(world.service.runtime, { makeAt: async () => null, paths: async () => [] })
})
afterEach(() => world.close())

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const textAt = async (name: string, pathname = '/') => {
  const site = { by: name === world.project.slug ? ('slug' as const) : ('domain' as const), name }
  const served = await sites.find({ site, pathname, gpc: false })
  return served?.kind === 'page' ? textOf(served.bytes) : served
}

test('A domain with www. shows the project that has proven it, before the one that has proven the rest.', async () => {
  const { store } = world.service.runtime
  const document = (html: string) => readDocument(html)
  const [plain, www] = [await document('<p>Plain'), await document('<p>With www.')]
  await store.write(async (tx) => {
    for (const [{ id }, domain, page] of [
      [world.project, 'harbour.example', plain],
      [world.other, 'www.harbour.example', www],
    ] as const) {
      await tx.update(projects).set({ domain }).where(eq(projects.id, id))
      await createPage(tx, id, { path: '/', title: 'Home', document: page }, 1)
    }
  })
  expect(await textAt('harbour.example')).toBe('<p>Plain')
  expect(await textAt('www.harbour.example')).toBe('<p>With www.')
  await store.write((tx) => tx.update(projects).set({ domain: null }).where(eq(projects.id, world.other.id)))
  expect(await textAt('www.harbour.example')).toBe('<p>Plain')
})

test('A page that was served before is served with its new text after an edit.', async () => {
  const { store } = world.service.runtime
  const project_id = world.project.id
  const [before, after] = [await readDocument('<p>Before'), await readDocument('<p>After')]
  const { id } = await store.write((tx) =>
    createPage(tx, project_id, { path: '/news', title: 'News', document: before }, 1),
  )
  const text = () => textAt(world.project.slug, '/news')
  expect(await text()).toBe('<p>Before')
  await store.write((tx) => updatePage(tx, { project_id, page_id: id }, { document: after }, 2))
  expect(await text()).toBe('<p>After')
})

test('A preview shows a draft or a page of its own site only, and nothing for another token.', async () => {
  const { runtime } = world.service
  const [own, other] = [world.project, world.other].map(({ slug }) => ({ by: 'slug' as const, name: slug }))
  const { id } = await runtime.store.write((tx) =>
    createPost(tx, world.project.id, { title: 'Secret', status: 'draft', content: 'Soon' }, 1),
  )
  const { token } = previewToken(runtime, id)
  expect(textOf((await sites.preview(own!, token, false))!.bytes)).toContain('Soon')
  expect([await sites.preview(other!, token, false), await sites.preview(own!, 'x', false)]).toEqual([null, null])
  const page = await readDocument('<p>After')
  await runtime.store.write((tx) =>
    createPage(tx, world.project.id, { path: '/news', title: 'News', document: page }, 1),
  )
  const trial = { project_id: world.project.id, connection_id: 1, shown: true }
  const script = scriptPreviewToken(runtime, trial).token
  expect(await sites.previewScript({ site: own!, pathname: '/news', gpc: false }, script)).toMatchObject({
    status: 200,
    bytes: new TextEncoder().encode('<p>After'),
  })
  for (const path of ['/none', '/sitemap.xml'])
    expect(await sites.previewScript({ site: own!, pathname: path, gpc: false }, script)).toBeNull()
  const foreign = scriptPreviewToken(runtime, { ...trial, project_id: world.other.id }).token
  expect([
    await sites.previewScript({ site: own!, pathname: '/news', gpc: false }, foreign),
    await sites.previewScript({ site: other!, pathname: '/news', gpc: false }, script),
    await sites.previewScript({ site: { by: 'slug', name: 'none' }, pathname: '/news', gpc: false }, script),
  ]).toEqual([null, null, null])
})

test('The page for unknown addresses is shown with its status, and without it there is nothing.', async () => {
  const { store } = world.service.runtime
  const site = { by: 'slug' as const, name: world.project.slug }
  expect(await sites.find({ site, pathname: '/unknown', gpc: false })).toBeNull()
  const document = await readDocument('<p>Not here')
  await store.write((tx) => createPage(tx, world.project.id, { path: '/404', title: '', document }, 1))
  expect(await sites.find({ site, pathname: '/unknown', gpc: false })).toMatchObject({
    status: 404,
    bytes: new TextEncoder().encode('<p>Not here'),
  })
  expect(await sites.find({ site, pathname: '/404', gpc: false })).toMatchObject({ status: 200 })
  // What is the same object is compressed once.
  const bytesAt = async (pathname: string) => (await sites.find({ site, pathname, gpc: false }))?.bytes
  expect(await bytesAt('/unknown')).toBe((await bytesAt('/another'))!)
  const trial = { project_id: world.project.id, connection_id: 1, shown: true }
  const { token } = scriptPreviewToken(world.service.runtime, trial)
  expect(await sites.previewScript({ site, pathname: '/unknown', gpc: false }, token)).toMatchObject({
    status: 404,
    bytes: new TextEncoder().encode('<p>Not here'),
  })
  expect(await sites.find({ site: { by: 'slug', name: 'none' }, pathname: '/', gpc: false })).toBeUndefined()
  expect([await sites.has(site), await sites.has({ by: 'domain', name: 'none.example' })]).toEqual([true, false])
})

test('A page is read when memory has room for it, and the refusal of one visitor is not that of another.', async () => {
  const site = { by: 'slug' as const, name: world.project.slug }
  const document = await readDocument('<p>Large')
  await world.service.runtime.store.write((tx) =>
    createPage(tx, world.project.id, { path: '/large', title: '', document }, 1),
  )
  const asked: number[] = []
  const refuse = async (bytes: number) => {
    asked.push(bytes)
    throw new AppError('TOO_MANY_UNREAD', 'Full.')
  }
  const visit = { site, pathname: '/large', gpc: false }
  const found = await Promise.allSettled([sites.find(visit, refuse), sites.find(visit)])
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(asked).toEqual(['<p>Large'.length])
})
