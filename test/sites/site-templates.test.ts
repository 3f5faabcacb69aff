import { expect, test } from 'bun:test'
import type { ProjectId } from '../../src/ids.ts'
import { DEFAULT_TEMPLATES } from '../../src/sites/default-templates.ts'
import { renderTemplate } from '../../src/sites/site-template.ts'
import {
  getTemplate,
  listTemplates,
  resetTemplate,
  setTemplate,
  TEMPLATE_NAMES,
  templateFor,
} from '../../src/sites/site-templates.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

const set = (project: ProjectId, kind: 'post' | 'index', html: string, now = NOW) =>
  write((tx) => setTemplate(tx, project, { kind, html }, now))
const shown = async (project: ProjectId, kind: 'post' | 'index') =>
  renderTemplate(await templateFor((await sharedStore()).db, project, kind), { 'site.name': 'Harbour', posts: [] })

test('A project has the templates of the product until it has its own, and again after a reset.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const products = (['post', 'index'] as const).map((kind) => ({
    kind,
    html: DEFAULT_TEMPLATES[kind],
    updated_at: null,
  }))
  expect(await listTemplates(db, project)).toEqual(products)
  expect(await set(project, 'index', 'A {{ site.name }}')).toEqual({
    ...{ kind: 'index', html: 'A {{ site.name }}', updated_at: NOW },
  })
  await set(project, 'index', 'B {{ site.name }}', NOW + 1)
  const own = { kind: 'index' as const, html: 'B {{ site.name }}', updated_at: NOW + 1 }
  expect([await listTemplates(db, project), await listTemplates(db, other)]).toEqual([[products[0]!, own], products])
  expect(await shown(project, 'index')).toBe('B Harbour')
  await set(project, 'post', 'C')
  expect([await shown(project, 'index'), await shown(project, 'post')]).toEqual(['B Harbour', 'C'])
  expect(await write((tx) => resetTemplate(tx, project, 'index'))).toEqual(products[1]!)
  expect((await getTemplate(db, project, 'post')).html).toBe('C')
})

test('A template that cannot be read or has more than 256 KiB is refused, and the one before stays.', async () => {
  const project = await newProject()
  await set(project, 'post', 'é'.repeat(131_072))
  const flaw = { details: [{ path: '/html' }] }
  await expect(set(project, 'post', `${'é'.repeat(131_072)}x`)).rejects.toMatchObject(flaw)
  await expect(set(project, 'index', '{{ post.content }}')).rejects.toMatchObject(flaw)
  await expect(set(project, 'post', '{{ post.content }}{{ post.content }}')).rejects.toMatchObject(flaw)
  expect((await getTemplate((await sharedStore()).db, project, 'post')).html).toHaveLength(131_072)
})

test('Each template names what it can show.', () => {
  const site = ['name', 'language', 'direction', 'color', 'link_color', 'home', 'posts', 'feed'].map(
    (name) => `site.${name}`,
  )
  const post = ['title', 'url', 'address', 'date', 'time', 'author', 'category', 'tags', 'excerpt'].map(
    (name) => `post.${name}`,
  )
  expect(Object.keys(TEMPLATE_NAMES.post)).toEqual([...site, ...post, 'post.content'])
  const pages = ['newer', 'newer_number', 'older', 'older_number'].map((name) => `page.${name}`)
  expect(Object.keys(TEMPLATE_NAMES.index)).toEqual([...site, 'posts', ...pages])
  expect(Object.keys(TEMPLATE_NAMES.index.posts as object)).toEqual(post)
})
