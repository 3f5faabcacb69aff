import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { GALLERY } from '../../../src/newsletter/email/gallery'
import { projects } from '../../../src/store/tables/accounts.ts'
import { cms_posts, pages, type POST_STATUSES } from '../../../src/store/tables/sites.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { addPeople, draft, SAMPLE_DOCUMENT, readyToSend } from '../campaigns/support.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

const OTHER_DOCUMENT = {
  ...SAMPLE_DOCUMENT,
  blocks: [{ id: 'a', type: 'heading', props: { text: 'Spring tide', level: 1 } }],
}
let count = 0
const saved = async (more: Record<string, unknown> = {}, as = world.keys.owner) =>
  (await world.ok('templates/create', { name: `Template ${++count}`, editor_json: SAMPLE_DOCUMENT, ...more }, { as }))
    .template
const refusal = async (operation: string, body: Record<string, unknown>, as = world.keys.owner) => {
  const {
    status,
    body: { error },
  } = await world.call(operation, body, { as })
  return [status, error.code, error.details]
}

test('A template is created, shown, changed and deleted.', async () => {
  const made = await saved({ name: ' Tides ', subject: 'High water' })
  expect(made).toEqual({
    id: made.id,
    name: 'Tides',
    subject: 'High water',
    editor_json: SAMPLE_DOCUMENT,
    created_at: new Date(START).toISOString(),
    updated_at: new Date(START).toISOString(),
  })
  expect((await world.ok('templates/get', { template_id: made.id })).template).toMatchObject(made)
  world.clock.advance(1000)
  const { template: changed } = await world.ok('templates/update', {
    template_id: made.id,
    editor_json: OTHER_DOCUMENT,
  })
  expect(changed).toEqual({ ...made, editor_json: OTHER_DOCUMENT, updated_at: new Date(START + 1000).toISOString() })
  expect(
    (await world.ok('templates/update', { template_id: made.id, name: 'Tides!', subject: '' })).template,
  ).toMatchObject({ name: 'Tides!', subject: '', editor_json: OTHER_DOCUMENT })
  const { template: deleted } = await world.ok('templates/delete', { template_id: made.id })
  expect(deleted).toMatchObject({ id: made.id, name: 'Tides!' })
  expect(deleted).not.toHaveProperty('editor_json')
  expect(await refusal('templates/get', { template_id: made.id })).toEqual([
    404,
    'NOT_FOUND',
    [{ path: '/template_id' }],
  ])
})

test('Two templates of a project cannot share a name that differs only in case.', async () => {
  const { id } = await saved({ name: 'Ünique' })
  expect(await refusal('templates/create', { name: 'üNIQUE ', editor_json: SAMPLE_DOCUMENT })).toEqual([
    409,
    'CONFLICT',
    [{ path: '/name', message: 'Another template has this name.' }],
  ])
  const other = await saved()
  expect(await refusal('templates/update', { template_id: other.id, name: 'ünique' })).toEqual([
    409,
    'CONFLICT',
    [{ path: '/name', message: 'Another template has this name.' }],
  ])
  await world.ok('templates/update', { template_id: id, name: 'ÜNIQUE' })
  await saved({ name: 'Ünique' }, world.keys.other)
})

test('An invalid document is refused with the path of the error, and nothing is saved.', async () => {
  const broken = {
    ...SAMPLE_DOCUMENT,
    blocks: [
      {
        id: 'a',
        type: 'columns',
        props: {
          columns: [
            { blocks: [] },
            { blocks: [{ id: 'b', type: 'button', props: { text: 'x', href: 'javascript:x' } }] },
          ],
        },
      },
    ],
  }
  const path = '/editor_json/blocks/0/props/columns/1/blocks/0/props/href'
  expect(await refusal('templates/create', { name: 'Broken', editor_json: broken })).toEqual([
    400,
    'VALIDATION_FAILED',
    [{ path, message: expect.any(String) }],
  ])
  const { id } = await saved()
  expect((await refusal('templates/update', { template_id: id, editor_json: broken }))[2]).toEqual([
    { path, message: expect.any(String) },
  ])
  expect((await world.ok('templates/get', { template_id: id })).template.editor_json).toEqual(SAMPLE_DOCUMENT)
})

test('A template of another project is not found.', async () => {
  const { id } = await saved({}, world.keys.other)
  for (const [operation, body] of [
    ['templates/get', {}],
    ['templates/update', { subject: 'x' }],
    ['templates/delete', {}],
    ['render', {}],
    ['campaigns/create', { subject: 'x', audience_spec: { include: [] } }],
  ] as const) {
    expect(await refusal(operation, { ...body, template_id: id })).toEqual([
      404,
      'NOT_FOUND',
      [{ path: '/template_id' }],
    ])
  }
})

test('Templates are listed in the order of creation, without documents, in pages.', async () => {
  const as = world.keys.other
  const before = (await world.ok('templates/list', { limit: 200 }, { as })).items.length
  for (let at = 0; at < 4; at++) await saved({ subject: `${at}` }, as)
  const all = (await world.ok('templates/list', {}, { as })).items
  expect(all.slice(before).map(({ subject }: { subject: string }) => subject)).toEqual(['0', '1', '2', '3'])
  for (const item of all) expect(Object.keys(item)).toEqual(['id', 'name', 'subject', 'created_at', 'updated_at'])
  const paged: unknown[] = []
  let cursor: string | undefined
  do {
    const { items, next_cursor, gallery } = await world.ok(
      'templates/list',
      { limit: 2, ...(cursor && { cursor }) },
      { as },
    )
    expect(gallery).toHaveLength(GALLERY.length)
    expect(items.length).toBeLessThanOrEqual(2)
    paged.push(...items)
    cursor = next_cursor ?? undefined
  } while (cursor)
  expect(paged).toEqual(all)
})

test('The gallery lists every design with a thumbnail that can be fetched.', async () => {
  const { gallery } = await world.ok('templates/list')
  expect(gallery.map(({ id, name, description }: Record<string, string>) => ({ id, name, description }))).toEqual(
    GALLERY.map(({ id, name, description }) => ({ id, name, description })),
  )
  for (const { thumbnail_url } of gallery) {
    expect(thumbnail_url).toStartWith(`${world.url}/assets/gallery/`)
    const response = await fetch(thumbnail_url)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(60_000)
  }
})

test.each(GALLERY.map(({ id }) => id))(
  "The design %s is shown, drawn and copied, its links leading to the project's site.",
  async (id) => {
    const site = `${world.url}/sites/${world.project.slug}`
    const { template } = await world.ok('templates/get', { template_id: id })
    expect(template).toMatchObject({ id, created_at: null, updated_at: null })
    const addresses = JSON.stringify(template.editor_json).match(/https?:[^"\\]*/g) ?? []
    for (const address of addresses) expect(address).toStartWith(site)
    const drawn = await world.ok('render', { template_id: id })
    expect(drawn.subject.length).toBeGreaterThan(10)
    // The test's own site has a numeric address, and no posts.
    expect(
      drawn.warnings
        .map(({ code }: { code: string }) => code)
        .filter((code: string) => !['ip_address_link', 'no_posts'].includes(code)),
    ).toEqual([])
    const campaign = await draft(world, { template_id: id, editor_json: undefined })
    expect(campaign).toMatchObject({ template_id: id, editor_json: template.editor_json })
    const copy = await saved({ editor_json: template.editor_json })
    expect(copy.editor_json).toEqual(template.editor_json)
  },
)

test('The links of a design lead to the domain of the project.', async () => {
  const { store } = world.service.runtime
  const domain = (value: string | null) =>
    store.write((tx) => tx.update(projects).set({ domain: value }).where(eq(projects.id, world.project.id)))
  await domain('harbour.example')
  expect((await world.ok('render', { template_id: 'builtin:welcome' })).html).toContain(
    'href="https://harbour.example/start"',
  )
  expect((await world.ok('render', { template_id: 'builtin:welcome' })).warnings).toEqual([])
  await domain(null)
})

test('A design cannot be changed, and an unknown design is not found.', async () => {
  for (const operation of ['templates/update', 'templates/delete'])
    expect((await refusal(operation, { template_id: 'builtin:welcome' }))[0]).toBe(400)
  expect(await refusal('templates/get', { template_id: 'builtin:none' })).toEqual([
    404,
    'NOT_FOUND',
    [{ path: '/template_id' }],
  ])
  for (const template_id of ['welcome', 'builtin:../x', '1', 0])
    expect((await refusal('templates/get', { template_id }))[0]).toBe(400)
})

test('A campaign copies the document of its template, and keeps the copy.', async () => {
  const { id } = await saved()
  const campaign = await draft(world, { template_id: id, editor_json: undefined })
  expect(campaign).toMatchObject({ template_id: id, editor_json: SAMPLE_DOCUMENT })
  await world.ok('templates/update', { template_id: id, editor_json: OTHER_DOCUMENT })
  await world.ok('templates/delete', { template_id: id })
  expect((await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign).toMatchObject({
    template_id: id,
    editor_json: SAMPLE_DOCUMENT,
  })
})

test("A campaign's own document replaces the template's on create and on update.", async () => {
  const { id } = await saved({ editor_json: OTHER_DOCUMENT })
  const campaign = await draft(world, { template_id: id, editor_json: SAMPLE_DOCUMENT })
  expect(campaign).toMatchObject({ template_id: id, editor_json: SAMPLE_DOCUMENT })
  const change = async (body: Record<string, unknown>) =>
    (await world.ok('campaigns/update', { campaign_id: campaign.id, ...body })).campaign
  expect(await change({ template_id: id })).toMatchObject({ template_id: id, editor_json: OTHER_DOCUMENT })
  expect(await change({ template_id: 'builtin:letter', editor_json: SAMPLE_DOCUMENT })).toMatchObject({
    template_id: 'builtin:letter',
    editor_json: SAMPLE_DOCUMENT,
  })
  expect(await change({ subject: 'Other' })).toMatchObject({
    template_id: 'builtin:letter',
    editor_json: SAMPLE_DOCUMENT,
  })
  expect((await draft(world)).template_id).toBeNull()
})

test("The call render accepts exactly one source, and uses the template's subject.", async () => {
  const { id } = await saved({ subject: 'Hello {{ contact.first_name }}' })
  expect((await world.ok('render', { template_id: id })).subject).toBe('Hello Ada')
  expect((await world.ok('render', { template_id: id, subject: 'Mine' })).subject).toBe('Mine')
  expect((await refusal('render', { template_id: id, editor_json: SAMPLE_DOCUMENT }))[0]).toBe(400)
  expect((await refusal('render', {}))[0]).toBe(400)
})

describe('posts in a campaign', () => {
  const DOCUMENT = {
    version: 1,
    settings: {},
    blocks: [
      { id: 'a', type: 'cms_posts', props: { count: 2 } },
      { id: 'b', type: 'cms_posts', props: { category: 'nature', layout: 'titles' } },
      { id: 'c', type: 'footer', props: { view_link: true } },
    ],
  }
  const publish = (slug: string, day: number, more: Partial<typeof cms_posts.$inferInsert> = {}) =>
    world.service.runtime.store.write((tx) =>
      tx.insert(cms_posts).values({
        project_id: world.project.id,
        title: `About ${slug}`,
        title_key: slug,
        slug,
        status: 'published' as (typeof POST_STATUSES)[number],
        author: 'Ines',
        tags: ['Town'],
        excerpt: `It is ${slug}.`,
        word_count: 1,
        content: '',
        published_at: START + day * 86_400_000,
        created_at: START,
        updated_at: START,
        ...more,
      }),
    )
  const shown = (html: string) => [...html.matchAll(/About (\w+)</g)].map(([, slug]) => slug)

  const publishFour = async () => {
    for (const slug of ['one', 'two', 'three']) await publish(slug, 1)
    await publish('gulls', 0, { tags: ['Nature'] })
  }

  test('A campaign shows the newest published posts, with links to the pages that show them.', async () => {
    await publishFour()
    await publish('draft', 9, { status: 'draft', published_at: null })
    await publish('archived', 9, { status: 'archived' })
    await publish('foreign', 9, { project_id: world.other.id })
    await world.service.runtime.store.write((tx) =>
      tx.insert(pages).values(
        ['/blog/three', '/three-more', '/old/blog/three', '/blog/two'].map((path) => ({
          project_id: world.project.id,
          path,
          title: '',
          published: path !== '/blog/two',
          version: 1,
          insertion_points: { head: 0, body_start: 0, body_end: 0, body_implied: true },
          created_at: START,
          updated_at: START,
          html: '',
        })),
      ),
    )
    const { html, text } = await world.ok('render', { editor_json: DOCUMENT })
    expect(shown(html)).toEqual(['three', 'two', 'gulls'])
    expect(text).toContain(
      `About three\nJanuary 16, 2026\nIt is three.\n${world.url}/sites/${world.project.slug}/blog/three\n\n` +
        `About two\nJanuary 16, 2026\nIt is two.\n`,
    )
  })

  test('A post without an excerpt shows the beginning of its text.', async () => {
    const content = `<h1>Ebb</h1><style>p{}</style><p>The sea &amp; the <b>shore</b>.</p><p>${'word '.repeat(100)}</p>`
    await publish('ebb', 2, { excerpt: ' ', content, tags: ['Long'] })
    const { html } = await world.ok('render', {
      editor_json: { version: 1, settings: {}, blocks: [{ id: 'a', type: 'cms_posts', props: { category: 'Long' } }] },
    })
    expect(html).toMatch(/>Ebb The sea &amp; the shore\. (?:word ){10,40}word…</)
  })

  test('Posts are frozen with the audience: all recipients get the same ones, in the browser too.', async () => {
    await readyToSend(world)
    await publishFour()
    await addPeople(world, [{ email: 'ada@harbour.example' }])
    const { id } = await draft(world, { editor_json: DOCUMENT, subject: 'The digest' })
    await world.ok('campaigns/send', { campaign_id: id })
    await world.service.drain('jobs')
    await publish('late', 20)
    await world.settle()
    const { messages } = (await (await world.fetch('/general/sandbox/mailbox')).json()) as {
      messages: { subject: string; html: string; headers: Record<string, string> }[]
    }
    const sent = messages.find(({ subject }) => subject === 'The digest')!
    expect(shown(sent.html)).toEqual(['three', 'two', 'gulls'])
    const token = /\/view\/([\w.~-]+)/.exec(sent.html)![1]
    expect(shown(await (await world.fetch(`/general/newsletter/view/${token}`)).text())).toEqual([
      'three',
      'two',
      'gulls',
    ])
    expect(shown((await world.ok('render', { campaign_id: id })).html)).toEqual(['late', 'three', 'gulls'])
  })
})
