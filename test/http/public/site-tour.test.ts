import { afterAll, beforeAll, test } from 'bun:test'
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts'
import type { Role } from '../../../src/store/tables/accounts.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createTour, type Tour } from '../../support/tour.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../site-world.ts'

/** Leads a site through its pages, files, posts, letters and forms, and records what editors and visitors get. */

let world: SiteWorld
let tour: Tour
let answered: Response
beforeAll(async () => {
  world = await createSiteWorld()
})
afterAll(() => world.close())

const begin = async () => {
  const seen: SiteWorld = {
    ...world,
    fetch: async (path, init) => (answered = await world.fetch(path, init)),
  }
  tour = createTour(seen, ['pages', 'form_entries', 'form_settings'])
  await tour.skip()
}
const heading = (text: string) => tour.heading(text)
const end = (file: string) =>
  expectRecorded(
    `sites/${file}`,
    tour
      .text()
      .replaceAll(/(?<=etag: |None-Match: (?:W\/)?)"(?!other)[^"]+"/g, '…')
      .replaceAll(/(?<=preview=)[\w.-]+/g, '…')
      .replaceAll(/(?<=\/forms\/)[\w-]{20,}/g, '…'),
  )

/** Calls a route of the dashboard a second later. */
function call(path: string, body: Record<string, unknown> = {}, role: Role | 'outsider' = 'editor') {
  world.clock.advance(1000)
  return tour.ask('', role, `POST ${path}`, { project_id: world.project.public_id, ...body })
}

/** Requests something of the site as a visitor. */
async function visit(path: string, init: Parameters<SiteWorld['visit']>[1] = {}): Promise<Response> {
  world.clock.advance(1000)
  const { host = DOMAIN, method = 'GET', headers = {}, body } = init
  const sent = { host, ...(headers as Record<string, string>) }
  const type = body !== undefined && { 'content-type': 'text/plain;charset=utf-8' }
  await tour.ask('', null, `${method} ${path}`, body ?? undefined, { headers: { ...type, ...sent } })
  return answered
}

test('Pages and files of a site, and who may see and change them, are those that are recorded.', async () => {
  await begin()
  heading('Pages')
  const html = (words: string) =>
    `<!doctype html><html><head><title>${words}</title></head><body><p>${words}</p></body></html>`
  for (const [path, published] of [
    ['/', true],
    ['/about/', true],
    ['/draft', false],
    ['/deep/é ö', true],
    ['/about.html', true],
    ['/404', true],
  ] as const)
    await call('/project/pages/create', { path, title: `T ${path}`, html: html(`At ${path}`), published })
  await call('/project/pages/create', { path: '/least', title: 'Least', html: 'Words' })
  for (const path of ['/about', 'none', '/a//b', '/a/../b', '/a?b', `/${'x'.repeat(500)}`])
    await call('/project/pages/create', { path, title: 'Refused', html: html('x') })
  await call('/project/pages/create', { path: '/member', title: 'M', html: 'x' }, 'member')
  await call('/project/pages/list', {}, 'member')
  await call('/project/pages/list', {}, 'outsider')
  await call('/project/pages/get', { page_id: 2 }, 'member')
  await call('/project/pages/get', { page_id: 99 }, 'member')
  await call('/project/pages/update', { page_id: 3, title: 'Opened', published: true })
  await call('/project/pages/update', { page_id: 3, path: '/about' })
  await call('/project/pages/update', { page_id: 3, title: 'Late', expected_updated_at: '2026-01-01T00:00:00.000Z' })
  await call('/project/pages/update', { page_id: 99, title: 'x' })

  heading('Files')
  for (const [path, bytes] of [
    ['/site.css', 'p{}'],
    ['/a/logo.png', '\x89PNG\r\n\x1A\nx'],
    ['/a.svg', '<svg/>'],
    ['/site.css', 'b{}'],
    ['/x.js', 'x'],
    ['/no.png', 'text'],
    ['/plain.txt', 'plain'],
  ] as const) {
    const query = new URLSearchParams({ project_id: world.project.public_id, path })
    await tour.ask('', 'editor', `POST /project/site-files/upload?${query.toString()}`, Buffer.from(bytes, 'latin1'), {
      headers: { 'content-type': 'application/octet-stream' },
    })
  }
  await call('/project/site-files/list', {}, 'member')

  heading('What visitors get')
  for (const path of [
    '/',
    '/index.html',
    '/about',
    '/about/',
    '/about.html',
    '/deep/%C3%A9%20%C3%B6',
    '/draft',
    '/least',
    '/none',
    '/a%2fb',
    '/404',
    '/site.css',
    '/a/logo.png',
    '/a.svg',
    '/plain.txt',
    '/robots.txt',
    '/sitemap.xml',
    '/portal/',
    '/general/tls/ask?domain=x',
    '/posts/',
    '/feed.xml',
    '/letters/',
  ])
    await visit(path)
  const first = await visit('/')
  await visit('/', { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } })
  await visit('/', { headers: { 'If-None-Match': '"other"', 'Sec-GPC': '1' } })
  const file = await visit('/site.css')
  await visit('/site.css', { headers: { 'If-None-Match': `W/${file.headers.get('etag')}` } })
  await visit('/site.css', { headers: { Range: 'bytes=0-0' } })
  await visit('/', { method: 'HEAD' })
  await visit('/', { method: 'POST', body: 'x' })
  await visit('/', { method: 'OPTIONS' })
  for (const host of [
    `www.${DOMAIN}`,
    `${DOMAIN}:80`,
    DOMAIN.toUpperCase(),
    `${DOMAIN}.`,
    'unknown.example',
    'a b',
    '',
  ])
    await visit('/about', { host })
  const own = new URL(world.url).host
  for (const path of [
    '/sites/harbour-news',
    '/sites/harbour-news/',
    '/sites/harbour-news/about',
    '/sites/harbour-news/site.css',
    '/sites/none/',
    '/sites/mountain-post/',
    '/sites/',
    '/general/tls/ask',
    `/general/tls/ask?domain=${DOMAIN}`,
    `/general/tls/ask?domain=www.${DOMAIN}`,
    '/general/tls/ask?domain=none.example',
  ])
    await visit(path, { host: own })
  await call('/project/pages/delete', { page_id: 6 })
  await call('/project/pages/delete', { page_id: 6 })
  await visit('/none')
  await call('/project/site-files/delete', { file_id: 1 })
  await visit('/site.css')
  await tour.changes()
  end('pages.txt')
})

test('Posts, their pages, feeds and templates, and letters of a site are those that are recorded.', async () => {
  await begin()
  heading('Posts')
  await call('/project/cms/posts/create', { title: 'Least & most' })
  await call('/project/cms/posts/create', {
    title: 'Whole',
    slug: 'whole',
    status: 'published',
    author: 'Ada <x>',
    category: 'Nature',
    excerpt: ' Short & sweet ',
    content: '<p>One two three</p><script>x</script>',
  })
  await call('/project/cms/posts/create', { title: 'Whole', slug: 'whole' })
  await call('/project/cms/posts/create', { title: 'Bad slug', slug: 'A b' })
  await call('/project/cms/posts/create', { title: 'M' }, 'member')
  for (let at = 3; at < 24; at++)
    await world.edit('/project/cms/posts/create', {
      title: `Post ${at}`,
      slug: `p${at}`,
      status: 'published',
      category: at % 2 ? 'Odd' : 'Even',
      content: `<p>${'w '.repeat(at)}</p>`,
    })
  for (const query of [
    { limit: 3 },
    { limit: 2, offset: 21 },
    { sort: 'title', order: 'asc', limit: 2 },
    { sort: 'word_count', order: 'dsc', limit: 2 },
    { sort: 'last_update', order: 'desc', limit: 1 },
    { filters: { status: 'draft' } },
    { filters: { category: 'Odd', search: 'POST 1' }, limit: 2 },
    { filters: { author: 'Ada <x>' } },
  ])
    await call('/project/cms/posts/list', query, 'member')
  await call('/project/cms/posts/update', { post_id: 1, status: 'published', content: '<p>Now</p>' })
  await call('/project/cms/posts/update', { post_id: 1, slug: 'p3' })
  await call('/project/cms/posts/get', { post_id: 1 }, 'member')
  await call('/project/cms/posts/get', { post_id: 999 }, 'member')
  const { url } = await call('/project/cms/posts/preview', { post_id: 1 }, 'member')
  const own = new URL(world.url).host
  await visit(String(url).slice(world.url.length), { host: own })
  for (const path of [
    '/posts/',
    '/posts/page/2',
    '/posts/page/3',
    '/posts/page/1',
    '/posts/whole',
    '/posts/p23',
    '/posts/least-most',
    '/posts/none',
    '/feed.xml',
  ])
    await visit(path)
  await visit('/sites/harbour-news/posts/whole', { host: own })

  heading('Templates')
  await call('/project/site-templates/update', {
    kind: 'post',
    html:
      '<title>{{ post.title }}</title><body>{{#post.author}}by {{ post.author ' +
      '}}{{/post.author}}{{^post.author}}nobody{{/post.author}} {{ post.content }} {{ post.category }} ' +
      '{{ site.home }} {{ site.feed }} {{ site.language }}',
  })
  for (const html of [
    '{{ none }}',
    '{{#posts}}',
    '{{/posts}}',
    'a\n{{',
    '{{ post.content }}{{ post.content }}',
    '{{ }}',
  ])
    await call('/project/site-templates/update', { kind: 'post', html })
  await call('/project/site-templates/update', { kind: 'index', html: '{{ posts }}' })
  await call('/project/site-templates/preview', {
    kind: 'index',
    html: '{{#posts}}{{ post.url }} {{/posts}}{{^posts}}none{{/posts}} {{ page.older }}',
  })
  await visit('/posts/whole')
  await visit('/posts/p3')
  await call('/project/site-templates/reset', { kind: 'post' }, 'member')
  await call('/project/site-templates/reset', { kind: 'index' })
  await call('/project/cms/posts/delete', { post_id: 2 })
  await visit('/posts/whole')

  heading('Letters')
  const { list_id } = await readyToSend(world)
  await world.ok('contacts/upsert', {
    email: 'ada@example.com',
    first_name: 'Ada',
    list_ids: [list_id],
    consent_text: 'Yes.',
  })
  for (const subject of ['Spring {{ contact.first_name | default: all }}', 'Summer <tides>', 'Autumn']) {
    const editor_json = {
      version: 1,
      settings: {},
      blocks: [
        {
          id: 'a',
          type: 'text',
          props: { html: `<p>${subject.slice(0, 6)} <a href="{{ view_url }}">view</a> {{ contact.email }}</p>` },
        },
      ],
    }
    const audience_spec = { include: [{ type: 'list', id: list_id }] }
    const { campaign } = await world.ok('campaigns/create', { subject, audience_spec, editor_json })
    await world.ok('campaigns/send', { campaign_id: campaign.id })
    await world.settle()
    world.clock.advance(MINUTE_MS)
  }
  await visit('/letters/')
  await call('/project/letters/settings/update', { list_ids: [list_id] })
  for (const path of [
    '/letters',
    '/letters/',
    '/letters/2',
    '/letters/9',
    '/letters/page/2',
    '/letters/page/1',
    '/letters/x',
  ])
    await visit(path)
  await world.ok('settings/update', { locale: 'ar', timezone: 'Pacific/Auckland' })
  await visit('/letters/')
  await visit('/sites/harbour-news/letters/', { host: own })
  end('posts.txt')
})

/** The id of the last message that was written. */
let received = 0

/** Tells members what forms received, and writes what they got. */
async function notices(): Promise<void> {
  await world.service.drain('forms')
  await world.service.drain('mail')
  await tour.changes()
  const { messages } = await (await world.fetch(`/general/sandbox/mailbox?after_id=${received}`)).json()
  // They are handed over side by side.
  messages.sort((one: { to: string }, other: { to: string }) => (one.to < other.to ? -1 : 1))
  for (const { id, from, to, subject, headers, text } of messages) {
    received = Math.max(received, id)
    if (String(subject).match(/\p{Script=Arabic}/u))
      tour.write(
        `Message from ${from} to ${to}: ${subject} ${headers['reply-to'] ?? ''}`,
        ...String(text)
          .split('\n')
          .map((line) => `> ${line}`),
      )
  }
}

/** With those that say what an export costs. */
const EXPORT_HEADERS = [
  ...['cache-control', 'content-disposition', 'content-type', 'x-content-type-options', 'ratelimit-limit'],
  ...['ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit'],
]

test('What forms of a site send, who is told and how long it stays is what is recorded.', async () => {
  await begin()
  const project_id = world.project.public_id
  const ENTRY = '/general/project/form/entry'
  const send = (body: object, headers: Record<string, string> = {}) =>
    visit(ENTRY, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const form = (body: string, headers: Record<string, string> = {}) =>
    visit(ENTRY, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, body })
  heading('Settings')
  const notify = [world.users.editor, world.users.owner]
  await call('/project/form-settings/update', { form: null, notify: [world.users.member], keep_days: 30 })
  await call('/project/form-settings/update', { form: ' contact ', notify, keep_days: null })
  await call('/project/form-settings/update', { form: 'x', notify: [world.users.outsider], keep_days: null })
  await call('/project/form-settings/update', { form: 'x', notify: [], keep_days: 0 })
  await call('/project/form-settings/update', { form: 'x', notify: [], keep_days: 1 }, 'member')
  await call('/project/form-settings/list', {}, 'member')

  heading('Entries')
  await send({
    project_id,
    form: 'contact',
    fields: { name: 'Ada', email: 'ada@visitor.example', age: 36, ok: true, many: ['a', 'b'] },
  })
  await send({ project_id, form: 'contact', fields: { name: 'Bob' }, website: 'spam' })
  await send(
    { project_id, form: 'contact', fields: { name: 'Cyd', note: 'x'.repeat(2001) } },
    { Origin: `https://${DOMAIN}` },
  )
  await send({ project_id, form: 'poll', fields: { choice: 'left' } }, { Origin: 'https://other.example' })
  await send({ project_id, form: '', fields: {} })
  await send({ project_id, form: 'x', fields: { a: { b: 1 } } })
  await send({ project_id: 'prj_none', form: 'x', fields: {} })
  await form(`project_id=${project_id}&form=poll&choice=right&choice=both&fields%5Bwhy%5D=so&return_url=/thanks`)
  await form(`project_id=${project_id}&form=poll&choice=up&return_url=https://www.${DOMAIN}/x`)
  await form(`project_id=${project_id}&form=poll&choice=down&return_url=https://evil.example/`)
  await form(`project_id=${project_id}&form=&choice=down`)
  await form('form=x')
  await visit(ENTRY, { method: 'OPTIONS', headers: { Origin: `https://www.${DOMAIN}` } })
  await visit(ENTRY, { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } })
  await visit(ENTRY, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x' })
  await tour.changes()
  await notices()
  await send({ project_id, form: 'contact', fields: { name: 'Dot', Email: 'no address' } })
  await notices()
  world.clock.advance(5 * MINUTE_MS)
  await notices()
  await call('/project/form-entries/forms', {}, 'member')
  const page = await call('/project/form-entries/list', { limit: 2 }, 'member')
  await call('/project/form-entries/list', { form: 'poll', limit: 1 }, 'member')
  await call('/project/form-entries/list', { limit: 2, cursor: page.next_cursor }, 'member')
  await call('/project/form-entries/list', { cursor: 'x' }, 'member')
  await call('/project/form-entries/list', {}, 'outsider')
  for (const query of ['', '&form=poll', '&form=none']) {
    await tour.ask('', 'editor', `GET /project/form-entries/export?project_id=${project_id}${query}`, undefined, {
      show: EXPORT_HEADERS,
    })
  }
  world.clock.advance(29 * DAY_MS)
  world.forgetCookies()
  for (const keep_days of [1, 28, 29, 30])
    for (const name of [null, 'contact', 'poll'])
      await call('/project/form-settings/expired', { form: name, keep_days }, 'member')
  await call('/project/form-entries/delete', { entry_ids: [1, 99] })
  await call('/project/form-entries/delete', { form: 'poll', entry_ids: [1] })
  await call('/project/form-entries/delete', { form: 'poll' }, 'member')
  await call('/project/form-entries/delete', { form: ' poll ' })
  await call('/project/form-settings/reset', { form: 'contact' })
  await call('/project/form-settings/reset', { form: 'contact' })
  await call('/project/form-settings/list', {}, 'member')
  await tour.changes()
  end('forms.txt')
})
