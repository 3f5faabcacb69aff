import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { altered } from '../support/altered.ts'

/** Posts on the site (docs/api/sites.md#posts-on-the-site). */

let world: SiteWorld
beforeEach(async () => {
  world = await createSiteWorld()
})
afterEach(() => world.close())

const post = async (title: string, more: Record<string, unknown> = {}) =>
  (await world.edit('/project/cms/posts/create', { title, status: 'published', ...more })).post
const textAt = async (path: string) => {
  const answer = await world.visit(path)
  return answer.status === 200 ? answer.text() : answer.status
}

test('A site without published posts has no list, no feed and no sitemap.', async () => {
  await post('Still to be checked', { status: 'draft' })
  for (const path of ['/posts', '/feed.xml', '/sitemap.xml', '/posts/still-to-be-checked', '/posts/page/2'])
    expect([path, await textAt(path)]).toEqual([path, 404])
})

test('Every published post is a page at once, on the domain and below /sites, with scripts of the site.', async () => {
  const content = '<p>From <b>Monday</b> the ferry crosses every half hour.</p>'
  await post('The ferry & <more>', {
    slug: 'ferry',
    author: 'Edith',
    category: 'Harbour',
    excerpt: 'It runs.',
    content,
  })
  const connection = await world.connect('<script>counted()</script>', { placement: 'HTML Body end' })
  const answer = await world.visit('/posts/ferry')
  const text = await answer.text()
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(answer.headers.has('content-security-policy')).toBe(false)
  for (const part of [
    '<title>The ferry &amp; &lt;more&gt; · Harbour News</title>',
    '<html lang="en" dir="ltr">',
    '<meta name="description" content="It runs.">',
    '<link rel="canonical" href="https://harbour.example/posts/ferry">',
    '<meta property="og:title" content="The ferry &amp; &lt;more&gt;">',
    '<meta property="og:url" content="https://harbour.example/posts/ferry">',
    '<meta property="article:published_time" content="2026-01-15T09:00:00.000Z">',
    '<a href="/posts">Harbour News</a>',
    '<time datetime="2026-01-15T09:00:00.000Z">January 15, 2026</time> · Edith · Harbour',
    content,
    '<script>counted()</script></body>',
  ])
    expect(text).toContain(part)
  expect(
    (await world.visit('/posts/ferry', { headers: { 'If-None-Match': answer.headers.get('etag')! } })).status,
  ).toBe(304)
  await world.disconnect(connection)
  await world.ok('settings/update', { brand_color: '#fc0' })
  const yellow = (await textAt('/posts/ferry')) as string
  expect(yellow).not.toContain('counted')
  // Yellow cannot be read on white.
  expect(yellow).toContain('--link: light-dark(#1f1f23, color-mix(in oklab, #ffcc00 35%, white))')

  const below = await world.fetch('/sites/harbour-news/posts/ferry')
  expect(below.headers.get('content-security-policy')).toStartWith('sandbox')
  expect(await below.text()).toContain('<a href="/sites/harbour-news/posts">')
})

test('A post has the language and the date of its project.', async () => {
  await post('Ferry')
  await world.ok('settings/update', { locale: 'de', timezone: 'Pacific/Pago_Pago' })
  const text = await textAt('/posts/ferry')
  expect(text).toContain('<html lang="de" dir="ltr">')
  expect(text).toContain('<time datetime="2026-01-15T09:00:00.000Z">14. Januar 2026</time>')
})

test('A post changes with its text, and is gone when it is a draft again.', async () => {
  const { id } = await post('Tides', { content: '<p>High water at noon.</p>' })
  expect(await textAt('/posts/tides')).toContain('High water at noon.')
  await world.edit('/project/cms/posts/update', { post_id: id, content: '<p>Low water at noon.</p>' })
  expect(await textAt('/posts/tides')).toContain('Low water at noon.')
  await world.edit('/project/cms/posts/update', { post_id: id, status: 'archived' })
  expect(await textAt('/posts/tides')).toBe(404)
})

test('A post of any nesting is served, with the scripts of the site at its end where it is too deep.', async () => {
  await post('Deep', { content: '<div>'.repeat(600) })
  const connections = [
    await world.connect('<script>first()</script>'),
    await world.connect('<script>last()</script>', { placement: 'HTML Body end' }),
  ]
  const text = String(await textAt('/posts/deep'))
  for (const connection of connections) await world.disconnect(connection)
  expect(text).toContain('<div><div>')
  expect(text).toEndWith('</html>\n<script>first()</script><script>last()</script>')
})

test('A page that was served before changes with the scripts at each of its places.', async () => {
  await post('Placed')
  const bare = await textAt('/posts/placed')
  for (const placement of ['HTML Head', 'HTML Body start', 'HTML Body end'] as const) {
    const connection = await world.connect('<script>placed()</script>', { placement })
    expect([placement, await textAt('/posts/placed')]).toEqual([placement, expect.stringContaining('placed()')])
    await world.disconnect(connection)
    expect([placement, await textAt('/posts/placed')]).toEqual([placement, bare])
  }
})

test('The list has twenty posts a page, newest first.', async () => {
  for (let number = 1; number <= 42; number++) {
    world.clock.advance(1000)
    await post(`Number ${number}`, number === 42 ? { excerpt: 'The newest.' } : {})
  }
  const titles = async (path: string) =>
    [...String(await textAt(path)).matchAll(/<h2><a href="\/posts\/[\w-]+">([^<]+)/g)].map(([, title]) => title)
  const pages = [await titles('/posts'), await titles('/posts/page/2'), await titles('/posts/page/3')]
  expect(pages.map((page) => [page.length, page[0]])).toEqual([
    [20, 'Number 42'],
    [20, 'Number 22'],
    [2, 'Number 2'],
  ])
  const second = String(await textAt('/posts/page/2'))
  expect(second).toContain('<a href="/posts" rel="prev">← 1</a>')
  expect(second).toContain('<a href="/posts/page/3" rel="next">3 →</a>')
  expect(await textAt('/posts/page/3')).not.toContain('rel="next"')
  for (const path of ['/posts/page/1', '/posts/page/4', '/posts/page/0', '/posts/page/x'])
    expect([path, await textAt(path)]).toEqual([path, 404])
})

test('A page and a file have precedence over a post, the list, the feed and the sitemap.', async () => {
  await post('Ferry')
  for (const path of ['/posts', '/posts/ferry', '/feed.xml', '/sitemap.xml']) {
    const { page } = await world.edit('/project/pages/create', { path, title: path, html: `own ${path}` })
    expect(await textAt(path)).toBe(`own ${path}`)
    await world.edit('/project/pages/update', { page_id: page.id, published: false })
    expect(await textAt(path)).toContain('<')
    await world.edit('/project/pages/delete', { page_id: page.id })
  }
  for (const path of ['/feed.xml', '/sitemap.xml']) {
    const address = new URLSearchParams({ project_id: world.project.public_id, path })
    const uploaded = await world.fetch(`/project/site-files/upload?${address.toString()}`, {
      method: 'POST',
      headers: { Cookie: await world.cookie('editor') },
      body: `<own>${path}</own>`,
    })
    const { file } = (await uploaded.json()) as { file: { id: number } }
    expect(await textAt(path)).toBe(`<own>${path}</own>`)
    await world.edit('/project/site-files/delete', { file_id: file.id })
    expect(await textAt(path)).toContain('xmlns')
  }
})

test('The feed is Atom with the newest twenty posts and their content.', async () => {
  for (let number = 20; number <= 39; number++) await post(`Number ${number}`)
  const control = 'A \u0001 & <b>'
  await post('Last & best', { author: 'Milo', category: 'Weather', excerpt: control, content: '<p>a & b ]]></p>' })
  const longest = await post('As long as may be', { content: 'x'.repeat(100_000) })
  await post('Long', { content: 'x'.repeat(100_001) })
  const older = (await world.edit('/project/cms/posts/list', { filters: { search: 'number 39' } })).posts[0]
  world.clock.advance(1000)
  await world.edit('/project/cms/posts/update', { post_id: older.id, excerpt: 'Changed late.' })
  const answer = await world.visit('/feed.xml')
  expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const { feed } = Bun.XML.parse(await answer.text()) as any
  expect(feed).toMatchObject({ id: `urn:masthead:${world.project.public_id}`, title: 'Harbour News' })
  expect(feed.entry).toHaveLength(20)
  const [long, whole, last] = feed.entry
  expect([long.title, long.content]).toEqual(['Long', undefined])
  expect([whole.title, JSON.stringify(whole.content)]).toEqual(['As long as may be', expect.stringContaining('xxx')])
  expect(last).toMatchObject({ title: 'Last & best', author: { name: 'Milo' }, summary: 'A  & <b>' })
  expect(JSON.stringify(last)).toContain('https://harbour.example/posts/last-best')
  expect(JSON.stringify(last.content)).toContain('<p>a & b ]]></p>')
  const tag = answer.headers.get('etag')!
  expect((await world.visit('/feed.xml', { headers: { 'If-None-Match': tag } })).status).toBe(304)
  await world.edit('/project/cms/posts/delete', { post_id: longest.id })
})

test('The sitemap has the published pages and posts with their addresses.', async () => {
  await post('Ferry')
  await world.edit('/project/pages/create', { path: '/café & bar', title: 'Café', html: 'x' })
  await world.edit('/project/pages/create', { path: '/404', title: 'Unknown', html: 'unknown' })
  await world.edit('/project/pages/create', { path: '/draft', title: 'Draft', html: 'x', published: false })
  const { store } = world.service.runtime
  const made = spyOn(store, 'heavyTask')
  const before = store.revision.now()
  const answer = await world.visit('/sitemap.xml')
  await world.visit('/sitemap%2Exml')
  const tasks = made.mock.calls.map(([{ name }]) => name)
  expect(new Set(tasks)).toEqual(new Set(['sitemap']))
  // A commit in between, such as the last use of a session, makes the second request read again.
  if (store.revision.now() === before) expect(tasks).toHaveLength(1)
  made.mockRestore()
  expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const { urlset } = Bun.XML.parse(await answer.text()) as any
  const addresses = urlset.url.map(({ loc }: { loc: string }) => loc)
  expect(addresses[0]).toBe('https://harbour.example/caf%C3%A9%20%26%20bar')
  expect(addresses).toContain('https://harbour.example/posts/ferry')
  expect(addresses).toHaveLength(2)
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ domain: null }).where(eq(projects.id, world.project.id)),
  )
  const below = await (await world.fetch('/sites/harbour-news/sitemap.xml')).text()
  expect(below).toContain(`<loc>${world.url}/sites/harbour-news/posts/ferry</loc>`)
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ domain: 'harbour.example' }).where(eq(projects.id, world.project.id)),
  )
})

test('Crawlers of a domain are told where its sitemap is.', async () => {
  const answer = await world.visit('/robots.txt')
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    ...[200, 'text/plain; charset=utf-8'],
    'User-agent: *\nAllow: /\n\nSitemap: https://harbour.example/sitemap.xml\n',
  ])
  expect((await world.fetch('/sites/harbour-news/robots.txt')).status).toBe(404)
})

test("A project has its own templates, and goes back to the product's.", async () => {
  const own = { kind: 'post', html: '<main>{{ post.title }}|{{ site.name }}|{{ post.content }}</main>' }
  for (const title of ['Number 1', 'Last & best', 'Long']) {
    await post(title)
    world.clock.advance(1000)
  }
  const { template } = await world.edit('/project/site-templates/update', own)
  expect(template).toMatchObject({ ...own, is_default: false })
  expect(await textAt('/posts/number-1')).toBe('<main>Number 1|Harbour News|</main>')
  await world.edit('/project/site-templates/update', {
    kind: 'index',
    html: '{{#posts}}{{ post.title }};{{/posts}}',
  })
  expect(await textAt('/posts')).toStartWith('Long;Last &amp; best;Number 1;')
  const { templates } = (await world.as('member', '/project/site-templates/list')).body
  expect(templates.map(({ kind, is_default }: any) => [kind, is_default])).toEqual([
    ['post', false],
    ['index', false],
  ])
  for (const [html, message] of [
    ['{{ post.titel }}', 'Line 1: {{ post.titel }} is no placeholder here.'],
    ['x'.repeat(262_145), 'A template has at most 262144 bytes.'],
  ]) {
    const refused = await world.as('editor', '/project/site-templates/update', { kind: 'post', html })
    expect([refused.status, refused.body.message]).toEqual([400, `The request is not valid. html: ${message}`])
  }
  expect((await world.as('member', '/project/site-templates/update', own)).status).toBe(403)
  const back = (await world.edit('/project/site-templates/reset', { kind: 'post' })).template
  expect([back.is_default, back.last_update]).toEqual([true, null])
  expect(await textAt('/posts/number-1')).toStartWith('<!doctype html>')
})

test('A template is tried on the newest post and the list, before it is saved.', async () => {
  const preview = async (kind: string, html: string) =>
    world.as('editor', '/project/site-templates/preview', { kind, html })
  await post('Last & best')
  world.clock.advance(1000)
  await post('Long')
  world.clock.advance(1000)
  const tried = await preview('post', '{{ post.title }}|{{ post.url }}')
  expect(tried.body).toEqual({ html: 'Long|/sites/harbour-news/posts/long' })
  await post('Not yet', { status: 'draft' })
  expect((await preview('post', '{{ post.title }}')).body).toEqual({ html: 'Not yet' })
  expect((await preview('index', '{{#posts}}{{ post.title }},{{/posts}}')).body.html).toStartWith(
    'Long,Last &amp; best,',
  )
  expect((await preview('index', '{{ post.title }}')).status).toBe(400)
  expect(await textAt('/posts/long')).toStartWith('<!doctype html>')
  const other = { project_id: world.other.public_id, kind: 'post', html: '{{ site.name }}:{{ post.title }}' }
  expect((await world.as('owner', '/project/site-templates/preview', other)).body.html).toEndWith(':')
})

/** The placeholders of docs/api/sites.md#posts-on-the-site that stand alone, without those of lists of posts. */
const PLACEHOLDERS = [
  ...(await Bun.file(join(import.meta.dir, '../../docs/api/sites.md')).text()).matchAll(
    /`\{\{ ((?:site|post)\.\w+) \}\}`/g,
  ),
].map(([, name]) => name!)

test('Each placeholder of the documentation has its value in the template of a post.', async () => {
  await post('Ferry', { author: 'Edith', category: 'Harbour', excerpt: 'It runs.', content: '<p>Half past.</p>' })
  const html = PLACEHOLDERS.map((name) => `${name}={{ ${name} }}`).join('\n')
  const { body } = await world.as('editor', '/project/site-templates/preview', { kind: 'post', html })
  expect(Object.fromEntries(body.html.split('\n').map((line: string) => line.split('=')))).toEqual({
    ...{
      'site.name': 'Harbour News',
      'site.language': 'en',
      'site.direction': 'ltr',
      'site.color': '#0b5a6e',
      'site.link_color': '#0b5a6e',
      'site.home': '/sites/harbour-news/',
    },
    ...{ 'site.posts': '/sites/harbour-news/posts', 'site.feed': '/sites/harbour-news/feed.xml' },
    ...{
      'post.title': 'Ferry',
      'post.author': 'Edith',
      'post.category': 'Harbour',
      'post.tags': 'Harbour',
      'post.excerpt': 'It runs.',
    },
    ...{ 'post.url': '/sites/harbour-news/posts/ferry', 'post.address': 'https://harbour.example/posts/ferry' },
    ...{
      'post.date': 'January 15, 2026',
      'post.time': '2026-01-15T09:00:00.000Z',
      'post.content': '<p>Half past.</p>',
    },
  })
})

test('A page of the list links to the pages before and after it by their numbers.', async () => {
  for (let number = 1; number <= 41; number++) await post(`Number ${number}`)
  const html = '{{ page.newer }}|{{ page.newer_number }}|{{ page.older }}|{{ page.older_number }}'
  await world.edit('/project/site-templates/update', { kind: 'index', html })
  expect(await textAt('/posts/page/2')).toBe('/posts|1|/posts/page/3|3')
})

test('A draft has an address that shows it for seven days, to whoever has it, and no cache keeps it.', async () => {
  const { id } = await post('Plans for the pier', { status: 'draft', content: '<p>Secret plans.</p>' })
  expect(await textAt('/posts/plans-for-the-pier')).toBe(404)
  const { url, expires_on } = (await world.as('member', '/project/cms/posts/preview', { post_id: id })).body
  expect(url).toStartWith(`${world.url}/sites/harbour-news/posts/plans-for-the-pier?preview=`)
  expect(Date.parse(expires_on) - world.clock.now()).toBe(7 * 86_400_000)
  const shown = await fetch(url)
  const text = await shown.text()
  expect([shown.status, text]).toEqual([200, expect.stringContaining('<p>Secret plans.</p>')])
  expect(text).toContain('<a href="/sites/harbour-news/posts">')
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  const token = new URL(url).searchParams.get('preview')!
  const on_domain = await textAt(`/posts/plans-for-the-pier?preview=${token}`)
  for (const part of ['Secret plans.', '<a href="/posts">']) expect(on_domain).toContain(part)
  const other = await world.fetch(`/sites/${world.other.slug}/posts/plans-for-the-pier?preview=${token}`)
  const changed = await fetch(altered(url))
  expect([other.status, changed.status]).toEqual([404, 404])
  world.clock.advance(7 * 86_400_000)
  expect((await fetch(url)).status).toBe(404)
})
