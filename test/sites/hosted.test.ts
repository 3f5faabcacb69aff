import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { hostedSites, type HostedSites } from '../../src/sites/hosted.ts'
import { createPage, readDocument, updatePage } from '../../src/sites/pages.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let sites: HostedSites
beforeAll(async () => {
  world = await createWorld()
  sites = hostedSites(world.service.runtime, { makeAt: async () => null, paths: async () => [] })
})
afterAll(() => world.close())

const textAt = async (name: string, pathname = '/') => {
  const served = await sites.find({ by: name === world.project.slug ? 'slug' : 'domain', name }, pathname, false)
  return served?.kind === 'page' ? served.html : served
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
