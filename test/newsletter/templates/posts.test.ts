import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { EmailDocument } from '../../../src/newsletter/email/document.ts'
import { newestPosts } from '../../../src/newsletter/templates/posts.ts'
import { siteAddress } from '../../../src/sites/addresses.ts'
import { cms_posts, pages } from '../../../src/store/tables/sites.ts'
import { createWorld, START, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  const post = (slug: string, day: number, more: Partial<typeof cms_posts.$inferInsert> = {}) => ({
    project_id: world.project.id,
    title: slug,
    title_key: slug,
    slug,
    status: 'published' as const,
    author: 'Ines',
    tags: ['Town'],
    excerpt: ` About ${slug}. `,
    word_count: 1,
    content: '',
    // It was begun long before.
    created_at: START - day,
    published_at: START + day * 86_400_000,
    updated_at: START,
    ...more,
  })
  const page = (path: string, more: Partial<typeof pages.$inferInsert> = {}) => ({
    project_id: world.project.id,
    path,
    title: '',
    published: true,
    version: 1,
    insertion_points: { head: 0, body_start: 0, body_end: 0, body_implied: true },
    created_at: START,
    updated_at: START,
    html: '',
    ...more,
  })
  await world.service.runtime.store.write(async (tx) => {
    await tx
      .insert(cms_posts)
      .values([
        post('quay', 1),
        post('tide', 2, { tags: ['Town', 'Sea'] }),
        post('fog', 2),
        post('ebb', 0, { tags: ['Sea'], excerpt: '', content: `<p>Low   water</p><p>${'sand '.repeat(60)}</p>` }),
        post('dawn', -1, { tags: ['Sea'], excerpt: '', content: '<p>Short.</p>' }),
        post('draft', 9, { status: 'draft', published_at: null }),
        post('foreign', 9, { project_id: world.other.id }),
      ])
    await tx
      .insert(pages)
      .values([
        page('/news/2026/quay'),
        page('/a b/quay'),
        page('/a a long way/quay'),
        page('/fog', { published: false }),
        page('/tide', { project_id: world.other.id }),
        page('/sea-ebb'),
      ])
  })
})
afterAll(() => world.close())

const posts = (...props: { count?: number; category?: string }[]) => {
  const blocks = props.map((given, at) => ({ id: `b${at}`, type: 'cms_posts' as const, props: given }))
  const document: EmailDocument = { version: 1, settings: {}, blocks }
  return newestPosts(world.service.runtime.store.db, document, {
    project: { id: world.project.id, slug: 'harbour', domain: null },
    settings: { locale: 'de', timezone: 'UTC' },
    base_url: 'https://host.example',
  })
}
const slugs = async (...props: Parameters<typeof posts>) => (await posts(...props)).map(({ slug }) => slug)

test('The posts published last come first, whenever they were begun; of one instant, the one added last.', async () => {
  expect(await slugs({ count: 10 })).toEqual(['fog', 'tide', 'quay', 'ebb', 'dawn'])
  expect(await slugs({ count: 2 })).toEqual(['fog', 'tide'])
})

test('Tags are compared without case, and posts of several blocks appear once.', async () => {
  expect(await slugs({ category: 'sea', count: 2 })).toEqual(['tide', 'ebb'])
  expect(await slugs({ count: 1 }, { category: 'SEA', count: 2 }, { count: 2 })).toEqual(['fog', 'tide', 'ebb'])
  expect(await slugs({ category: 'Air' })).toEqual([])
})

test('A document without such a block costs no query.', async () => {
  const db = new Proxy(world.service.runtime.store.db, {
    get: () => {
      throw new Error('No query is needed.')
    },
  })
  const document: EmailDocument = { version: 1, settings: {}, blocks: [] }
  const project = { id: world.project.id, slug: 'harbour', domain: null }
  const settings = { locale: 'en', timezone: 'UTC' }
  expect(await newestPosts(db, document, { project, settings, base_url: '' })).toEqual([])
})

test('A post links to the shortest published page that ends with its slug, or to itself on the site.', async () => {
  const urls = (await posts({ count: 10 })).map(({ slug, url }) => [slug, url])
  expect(urls).toEqual([
    ['fog', 'https://host.example/sites/harbour/posts/fog'],
    ['tide', 'https://host.example/sites/harbour/posts/tide'],
    ['quay', 'https://host.example/sites/harbour/a%20b/quay'],
    ['ebb', 'https://host.example/sites/harbour/posts/ebb'],
    ['dawn', 'https://host.example/sites/harbour/posts/dawn'],
  ])
})

test('A post shows its excerpt, or the beginning of its text cut between two words, and its date.', async () => {
  const [fog, , , ebb, dawn] = await posts({ count: 10 })
  expect([fog!.excerpt, fog!.date, dawn!.excerpt]).toEqual(['About fog.', '17. Januar 2026', 'Short.'])
  expect(ebb!.excerpt).toMatch(/^Low water sand (?:sand )+sand…$/)
  expect(ebb!.excerpt.length).toBeLessThanOrEqual(201)
})

test('A project with a domain has its site there.', () => {
  expect(siteAddress({ slug: 'harbour', domain: null }, 'https://host.example')).toBe(
    'https://host.example/sites/harbour',
  )
  expect(siteAddress({ slug: 'harbour', domain: 'harbour.example' }, 'https://host.example')).toBe(
    'https://harbour.example',
  )
})
