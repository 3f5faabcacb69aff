import { beforeEach, describe, expect, test } from 'bun:test'
import { cms_posts, directory_items } from '../../../src/store/tables/sites.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

const POSTS = '/general/api/v1/cms/post/list'
const GET = '/general/api/v1/cms/post/get'
const ITEMS = '/general/api/v1/directory/item/list'
const MINUTE = 60_000

let world: SiteWorld
let token: string
beforeEach(async () => {
  world = await createSiteWorld()
  token = await world.token('editor')
  const posts = [
    { title: 'beta', status: 'published', author: 'Ann', category: 'News', content: '<p>one two three</p>' },
    { title: 'Álpha', status: 'published', author: 'Bob', category: 'Sport', content: 'one' },
    { title: 'Gamma & Co', status: 'draft', author: 'Ann', category: 'News', content: '' },
  ]
  for (const post of posts) {
    world.clock.advance(MINUTE)
    await world.edit('/project/cms/posts/create', post)
  }
  world.clock.advance(MINUTE)
  await world.edit('/project/cms/posts/update', { post_id: 1, excerpt: 'Short' })
  for (const [directory, title] of [
    ['Shops', 'Bakery'],
    ['Shops', 'Chandler'],
    ['People', 'Ann'],
  ]) {
    await world.edit('/project/directory/items/create', { directory, title, fields: { open: true, tags: ['a'] } })
  }
})

async function ask(path: string, body: unknown, as: string | null = token, init: RequestInit = {}) {
  const response = await world.fetch(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(as === null ? {} : { Authorization: as.startsWith('svc_pk_') ? as : `Bearer ${as}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
const list = async (query: object) => (await ask(POSTS, { project_id: world.project.public_id, ...query })).body
const titles = async (query: object): Promise<string[]> =>
  (await list(query)).data.map(({ title }: { title: string }) => title)

test("The list of posts has the specification's fields, the excerpt and the address.", async () => {
  const { status, body } = await ask(POSTS, { project_id: world.project.public_id })
  expect(status).toBe(200)
  expect(body).toEqual({
    success: true,
    data: [
      {
        id: 1,
        title: 'beta',
        slug: 'beta',
        status: 'published',
        author: 'Ann',
        created_on: '2026-01-15T09:01:00.000Z',
        last_update: '2026-01-15T09:04:00.000Z',
        published_at: '2026-01-15T09:01:00.000Z',
        category: 'News',
        word_count: 3,
        excerpt: 'Short',
        url: 'https://harbour.example/posts/beta',
      },
      {
        id: 3,
        title: 'Gamma & Co',
        slug: 'gamma-co',
        status: 'draft',
        author: 'Ann',
        created_on: '2026-01-15T09:03:00.000Z',
        last_update: '2026-01-15T09:03:00.000Z',
        published_at: null,
        category: 'News',
        word_count: 0,
        excerpt: '',
        url: null,
      },
      {
        id: 2,
        title: 'Álpha',
        slug: 'alpha',
        status: 'published',
        author: 'Bob',
        created_on: '2026-01-15T09:02:00.000Z',
        last_update: '2026-01-15T09:02:00.000Z',
        published_at: '2026-01-15T09:02:00.000Z',
        category: 'Sport',
        word_count: 1,
        excerpt: '',
        url: 'https://harbour.example/posts/alpha',
      },
    ],
  })
})

test.each([
  [{ sort: 'created_on', order: 'asc' }, ['beta', 'Álpha', 'Gamma & Co']],
  [{ sort: 'created_on', order: 'dsc' }, ['Gamma & Co', 'Álpha', 'beta']],
  [{ sort: 'created_on' }, ['Gamma & Co', 'Álpha', 'beta']],
  [{ order: 'asc' }, ['Álpha', 'Gamma & Co', 'beta']],
  [{ sort: 'last_update', order: 'desc' }, ['beta', 'Gamma & Co', 'Álpha']],
  [{ sort: 'title', order: 'asc' }, ['beta', 'Gamma & Co', 'Álpha']],
  [{ sort: 'word_count', order: 'asc' }, ['Gamma & Co', 'Álpha', 'beta']],
  [{ filters: { status: 'published' } }, ['beta', 'Álpha']],
  [{ filters: { category: 'News', author: 'Ann' }, sort: 'created_on' }, ['Gamma & Co', 'beta']],
  [{ filters: { search: 'álPH' } }, ['Álpha']],
  [{ filters: { search: '%' } }, []],
  [{ filters: { category: 'news' } }, []],
  [{ filters: {} }, ['beta', 'Gamma & Co', 'Álpha']],
  [{ limit: 1 }, ['beta']],
  [{ limit: 2, offset: 1 }, ['Gamma & Co', 'Álpha']],
  [{ offset: 3 }, []],
])('The list of posts answers %j.', async (query, expected) => {
  expect(await titles(query)).toEqual(expected)
})

test.each<Record<string, unknown>>([
  { sort: 'id' },
  { sort: 'title; DROP TABLE cms_posts' },
  { sort: null },
  { order: 'up' },
  { order: 'ASC' },
  { limit: 0 },
  { limit: 201 },
  { limit: '10' },
  { limit: 1.5 },
  { offset: -1 },
  { offset: '0' },
  { filters: null },
  { filters: [] },
  { filters: { status: 'unknown' } },
  { filters: { status: 1 } },
  { filters: { title: 'x' } },
  { filters: { search: {} } },
  { filters: { __proto__: null, constructor: 1 } },
  { page: 1 },
  { project_id: 1 },
  { project_id: '' },
  { project_id: undefined },
])('The list of posts refuses %j.', async (query) => {
  const { status, body } = await ask(POSTS, { project_id: world.project.public_id, ...query })
  expect([status, body.error]).toEqual([400, 'invalid_request'])
  expect(body.message).toBeString()
})

test('The list of posts refuses what is no JSON.', async () => {
  expect((await ask(POSTS, '{')).body.error).toBe('invalid_request')
  expect((await ask(POSTS, '[]')).status).toBe(400)
  expect(
    (await ask(POSTS, '{}', token, { headers: { 'Content-Type': 'text/plain', Authorization: `Bearer ${token}` } }))
      .status,
  ).toBe(415)
})

test('The list of posts is read in the order of an index.', async () => {
  const { db } = world.service.runtime.store
  for (const column of ['updated_at', 'created_at', 'title_key', 'word_count']) {
    const plan = await db.all<{ detail: string }>(
      `
        EXPLAIN QUERY PLAN SELECT id, title FROM cms_posts WHERE project_id = 'x' AND status = 'draft'
        ORDER BY ${column} DESC, id DESC LIMIT 50`,
    )
    expect(plan.map(({ detail }) => detail).join()).toMatch(/USING INDEX cms_posts_by_/)
    expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
  }
})

describe('a post', () => {
  const get = (id: number, as = token) => ask(GET, { project_id: world.project.public_id, id }, as)

  test('A post has its content, safe to show elsewhere.', async () => {
    const content =
      '<h2 onclick="x()" style="color:red">Low <em>water</em></h2><script>alert(1)</script><iframe src="/x"></iframe>' +
      '<a href="javascript:x()">a</a><a href="https://x.example/?a=1&b=2">b</a>' +
      '<img src="https://x.example/y.png" alt="y">'
    const made = { title: 'Safe', status: 'published', content }
    const { tags, ...post } = (await world.edit('/project/cms/posts/create', made)).post
    const { status, body } = await get(post.id)
    expect([tags, status, body]).toEqual([
      [],
      200,
      {
        success: true,
        data: {
          ...post,
          content:
            '<h2>Low <em>water</em></h2><a>a</a><a href="https://x.example/?a=1&amp;b=2">b</a>' +
            '<img src="https://x.example/y.png" alt="y" />',
        },
      },
    ])
    await world.edit('/project/cms/posts/update', { post_id: post.id, content: '<div>'.repeat(500) })
    expect((await get(post.id)).body.data.content.split('<div>')).toHaveLength(101)
    await world.edit('/project/cms/posts/delete', { post_id: post.id })
    expect((await get(post.id)).body.error).toBe('not_found')
  })

  test('A post that is a draft is for grants of editors and those above only.', async () => {
    const member = await world.token('member')
    expect([(await get(3)).status, (await get(3, member)).status, (await get(1, member)).status]).toEqual([
      ...[200, 404, 200],
    ])
    const seen = await ask(POSTS, { project_id: world.project.public_id }, member)
    expect(seen.body.data.map(({ title }: { title: string }) => title)).toEqual(['beta', 'Álpha'])
    const drafts = { project_id: world.project.public_id, filters: { status: 'draft' } }
    expect((await ask(POSTS, drafts, member)).body.data).toEqual([])
  })
})

describe('the list of directory items', () => {
  const items = async (query: object) => ask(ITEMS, { project_id: world.project.public_id, ...query })

  test("The list of directory items has the contract's fields.", async () => {
    const { body } = await items({ directory: 'Shops', limit: 1 })
    expect(body).toEqual({
      success: true,
      data: [
        {
          id: 1,
          directory: 'Shops',
          title: 'Bakery',
          slug: 'bakery',
          fields: { open: true, tags: ['a'] },
          created_on: '2026-01-15T09:04:00.000Z',
          last_update: '2026-01-15T09:04:00.000Z',
        },
      ],
    })
  })

  test('The list of directory items is of one directory or of all.', async () => {
    const names = async (query: object) => (await items(query)).body.data.map(({ title }: { title: string }) => title)
    expect(await names({})).toEqual(['Bakery', 'Chandler', 'Ann'])
    expect(await names({ directory: 'People' })).toEqual(['Ann'])
    expect(await names({ directory: 'Nothing' })).toEqual([])
    expect(await names({ offset: 1, limit: 1 })).toEqual(['Chandler'])
  })

  test.each([{ limit: 0 }, { directory: '' }, { directory: 1 }, { sort: 'title' }])(
    'The list of directory items refuses %j.',
    async (query) => {
      const { status, body } = await items(query)
      expect([status, body.error]).toEqual([400, 'invalid_request'])
    },
  )
})

describe.each([
  [POSTS, 'cms:post:read'],
  [ITEMS, 'directory:items:read'],
])('%s', (path, scope) => {
  const refusal = async (as: string | null, body: object = { project_id: world.project.public_id }) => {
    const answer = await ask(path, body, as)
    return [answer.status, answer.body.error, answer.headers.get('www-authenticate')]
  }

  test('The list of directory items is for access tokens with its scope and project.', async () => {
    expect(await refusal(null)).toEqual([401, 'unauthorized', 'Bearer realm="masthead"'])
    expect(await refusal(`svc_at_${'x'.repeat(43)}`)).toEqual([
      401,
      'invalid_token',
      'Bearer realm="masthead", error="invalid_token"',
    ])
    expect(await refusal(world.keys.owner)).toEqual([
      401,
      'invalid_token',
      'Bearer realm="masthead", error="invalid_token"',
    ])
    expect(await refusal(await world.token('owner', ['newsletter:read']))).toEqual([
      403,
      'insufficient_scope',
      `Bearer realm="masthead", error="insufficient_scope", scope="${scope}"`,
    ])
    expect(await refusal(token, { project_id: world.other.public_id })).toEqual([403, 'project_not_authorized', null])
    expect(await refusal(token, { project_id: 'prj_unknown' })).toEqual([403, 'project_not_authorized', null])
    expect((await ask(path, {}, token, { method: 'PUT' })).status).toBe(405)
  })

  test('The list of directory items checks the credentials before the body.', async () => {
    expect(await refusal(null, { nonsense: true })).toEqual([401, 'unauthorized', 'Bearer realm="masthead"'])
    expect((await refusal(await world.token('owner', ['newsletter:read']), { nonsense: true }))[0]).toBe(403)
  })

  test('The list of directory items shows nothing of another project.', async () => {
    const both = await world.token('owner', [scope], { project_ids: [world.project.id, world.other.id] })
    expect((await ask(path, { project_id: world.other.public_id }, both)).body).toEqual({ success: true, data: [] })
  })
})

describe('the dashboard', () => {
  test('The dashboard keeps posts.', async () => {
    const { post } = await world.edit('/project/cms/posts/create', {
      title: '  Hello <script>alert(1)</script> ',
      slug: 'hello',
      content: '<p>Hi</p>',
      excerpt: 'E',
    })
    expect(post).toMatchObject({
      title: 'Hello <script>alert(1)</script>',
      slug: 'hello',
      status: 'draft',
      author: '',
      category: '',
      excerpt: 'E',
      content: '<p>Hi</p>',
      word_count: 1,
    })
    expect((await world.as('member', '/project/cms/posts/get', { post_id: post.id })).body.post).toMatchObject(post)
    const taken = await world.as('editor', '/project/cms/posts/create', { title: 'x', slug: 'hello' })
    expect([taken.status, taken.body.error]).toEqual([409, 'conflict'])
    const changed = await world.edit('/project/cms/posts/update', {
      post_id: post.id,
      status: 'archived',
      content: '<p>a b</p>',
    })
    expect(changed.post).toMatchObject({ title: post.title, status: 'archived', content: '<p>a b</p>', word_count: 2 })
    // What is archived stands nowhere on the site.
    expect(changed.post.url).toBeNull()
    expect((await world.edit('/project/cms/posts/list', { filters: { status: 'archived' } })).posts).toHaveLength(1)
    expect(await world.edit('/project/cms/posts/delete', { post_id: post.id })).toEqual({ success: true })
    expect((await world.as('editor', '/project/cms/posts/get', { post_id: post.id })).status).toBe(404)
  })

  test('The dashboard keeps directory items.', async () => {
    const { item } = await world.edit('/project/directory/items/create', { directory: 'D', title: 'T' })
    expect(item).toMatchObject({ directory: 'D', title: 'T', slug: 't', fields: {} })
    expect((await world.as('editor', '/project/directory/items/create', { directory: 'D', title: 'T' })).status).toBe(
      409,
    )
    expect(
      (await world.edit('/project/directory/items/update', { item_id: item.id, fields: { a: { b: [1] } } })).item,
    ).toMatchObject({ title: 'T', fields: { a: { b: [1] } } })
    expect(
      (
        await world.as('editor', '/project/directory/items/update', {
          item_id: item.id,
          fields: { a: 'x'.repeat(70_000) },
        })
      ).status,
    ).toBe(400)
    expect((await world.edit('/project/directory/items/get', { item_id: item.id })).item.fields).toEqual({
      a: { b: [1] },
    })
    await world.edit('/project/directory/items/delete', { item_id: item.id })
    expect((await world.edit('/project/directory/items/list', { directory: 'D' })).items).toEqual([])
  })

  test('The dashboard keeps pages.', async () => {
    const { page } = await world.edit('/project/pages/create', { path: '/p/', title: 'P', html: '<p>' })
    expect(page).toEqual({
      id: page.id,
      path: '/p',
      title: 'P',
      html: '<p>',
      published: true,
      url: `${world.url}/sites/harbour-news/p`,
      created_on: page.created_on,
      last_update: page.last_update,
    })
    expect(
      (await world.edit('/project/pages/list')).pages.map((listed: object) => ({ ...listed, html: '<p>' })),
    ).toEqual([page])
    expect((await world.edit('/project/pages/list')).pages[0]).not.toHaveProperty('html')
    expect((await world.edit('/project/pages/get', { page_id: page.id })).page).toMatchObject(page)
    for (const [path, body, status] of [
      ['create', { path: '/p', title: 'x', html: '' }, 409],
      ['create', { path: 'p', title: 'x', html: '' }, 400],
      ['create', { path: '/a/../b', title: 'x', html: '' }, 400],
      ['create', { path: '/a?b', title: 'x', html: '' }, 400],
      ['create', { path: '//', title: '', html: '' }, 400],
      ['create', { path: '/n', title: 'x', html: 'a\0' }, 400],
      ['create', { path: '/n', title: 'x' }, 400],
      ['create', { path: '/n', title: 'x', html: '', draft: true }, 400],
      ['create', { path: '/n', title: 'x', html: '<div>'.repeat(600) }, 400],
      ['get', { page_id: 999 }, 404],
      ['update', { page_id: 999, title: 'x' }, 404],
      ['delete', { page_id: 999 }, 404],
      ['get', { page_id: '1' }, 400],
    ] as const)
      expect([path, body, (await world.as('editor', `/project/pages/${path}`, body)).status]).toEqual([
        path,
        body,
        status,
      ])
    expect(
      (await world.edit('/project/pages/update', { page_id: page.id, path: '/q', published: false })).page,
    ).toMatchObject({ path: '/q', published: false, html: '<p>', title: 'P' })
    await world.edit('/project/pages/delete', { page_id: page.id })
  })

  const CHANGES = [
    'pages/create',
    'pages/update',
    'pages/delete',
    'cms/posts/create',
    'cms/posts/update',
    'cms/posts/delete',
    'directory/items/create',
    'directory/items/update',
    'directory/items/delete',
  ]
  const LOOKS = ['pages/list', 'cms/posts/list', 'directory/items/list', 'form-entries/list', 'site-settings/get']

  test('The dashboard lets members read and editors change.', async () => {
    const body = (path: string) =>
      path.endsWith('create')
        ? path.startsWith('pages')
          ? { path: '/x', title: 'x', html: '' }
          : path.startsWith('cms')
            ? { title: 'x' }
            : { title: 'x', directory: 'x' }
        : { [path.startsWith('pages') ? 'page_id' : path.startsWith('cms') ? 'post_id' : 'item_id']: 1 }
    for (const path of CHANGES) {
      const refused = await world.as('member', `/project/${path}`, body(path))
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'forbidden'])
    }
    for (const path of LOOKS) expect([path, (await world.as('member', `/project/${path}`)).status]).toEqual([path, 200])
    expect((await world.as('editor', '/project/site-settings/update', {})).status).toBe(403)
    for (const path of [...CHANGES.filter((each) => each.endsWith('create')), ...LOOKS]) {
      const outsider = await world.as('outsider', `/project/${path}`, path.endsWith('create') ? body(path) : {})
      expect([path, outsider.status, outsider.body.error]).toEqual([path, 403, 'project_not_authorized'])
      const nobody = await world.fetch(`/project/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      })
      expect([path, nobody.status, ((await nobody.json()) as any).error]).toEqual([path, 401, 'unauthorized'])
      const foreign = await world.as('owner', `/project/${path}`, {}, { Origin: 'https://evil.example' })
      expect([path, foreign.status]).toEqual([path, 403])
    }
  })

  test('The dashboard does not reach into another project.', async () => {
    const { store } = world.service.runtime
    const at = { created_at: 1, updated_at: 1 }
    const [post] = await store.write((tx) =>
      tx
        .insert(cms_posts)
        .values({
          project_id: world.other.id,
          title: 'x',
          title_key: 'x',
          slug: 'x',
          status: 'draft',
          author: '',
          tags: [],
          excerpt: '',
          content: '',
          word_count: 0,
          ...at,
        })
        .returning(),
    )
    const [item] = await store.write((tx) =>
      tx
        .insert(directory_items)
        .values({ project_id: world.other.id, directory: 'x', title: 'x', slug: 'x', fields: {}, ...at })
        .returning(),
    )
    for (const path of ['cms/posts/get', 'cms/posts/update', 'cms/posts/delete'])
      expect((await world.as('editor', `/project/${path}`, { post_id: post!.id })).status).toBe(404)
    for (const path of ['directory/items/get', 'directory/items/update', 'directory/items/delete'])
      expect((await world.as('editor', `/project/${path}`, { item_id: item!.id })).status).toBe(404)
  })

  test('The dashboard answers markup as JSON, which no browser renders as a page.', async () => {
    const { headers } = await world.as('editor', '/project/pages/create', {
      path: '/evil',
      title: '<script>',
      html: '<script>alert(1)</script>',
    })
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

test('A session is told every flaw with its path, for forms; an app is told the first in the message.', async () => {
  const refused = await world.as('editor', '/project/pages/create', { title: '', html: '' })
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: 'invalid_request',
      details: [
        { path: '/path', message: 'Required.' },
        { path: '/title', message: expect.any(String) },
      ],
    },
  })
  expect((await ask(POSTS, { project_id: world.project.public_id, limit: 0, order: 'up' })).body).toEqual({
    error: 'invalid_request',
    message: expect.stringContaining('order: '),
  })
})
