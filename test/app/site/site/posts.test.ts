import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { invalidate } from '../../../../static/app/api/query.ts'
import { type Answers, asked, change, flawed, flawsAt, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

const AT = '2026-05-03T12:00:00.000Z'
const LATER = '2026-05-03T13:00:00.000Z'
const post = (id: number, more: object = {}) => ({
  ...{
    id,
    title: 'High water',
    slug: 'high-water',
    status: 'draft' as const,
    published_at: null as string | null,
    author: 'Ada',
    tags: [] as string[],
    category: '',
    excerpt: '',
  },
  ...{ created_on: AT, last_update: AT, word_count: 1_200, url: null as string | null, content: '<p>Noon.</p>' },
  ...more,
})

async function open(at: string, posts: object[] = [post(1)], role: Role = 'owner', answers: Answers = {}) {
  await visit(
    tab,
    `/posts${at}`,
    {
      'settings/get': { settings: { timezone: 'Europe/Berlin' } },
      'POST /project/cms/posts/list': { posts: posts as never },
      'POST /project/cms/posts/create': { post: { id: 9 } },
      'POST /project/cms/posts/get': ({ post_id }) => ({ post: post(post_id) }),
      'POST /project/cms/posts/update': ({ post_id, ...body }) => ({
        post: post(post_id, { ...body, last_update: LATER }),
      }),
      'POST /project/cms/posts/delete': {},
      'POST /project/cms/posts/preview': { url: 'https://a.example/preview/1', expires_on: AT },
      ...answers,
    },
    role,
  )
}

test('Posts stand with their state, their date in the zone of the project, their author, tags and words.', async () => {
  const at = '2026-11-25T08:00:00.000Z'
  await open('', [
    post(1, { tags: ['Tides', 'Sea'] }),
    post(2, { status: 'scheduled', published_at: at }),
    post(3, { status: 'published', published_at: at }),
  ])
  const rest = ['', '1,200', '3 May 2026']
  expect(rowsOf(tab, 'Posts')).toEqual([
    ['High water', 'Draft', '', 'Ada', 'Tides, Sea', ...rest.slice(1)],
    ['High water', 'Scheduled', '25 Nov 2026, 09:00', 'Ada', ...rest],
    ['High water', 'Published', '25 Nov 2026', 'Ada', ...rest],
  ])
  expect(tab.button('High water').getAttribute('href')).toEndWith('/posts/1')
  expect(asked(tab, 'POST /project/cms/posts/list')).toEqual([{ filters: {}, limit: 51, offset: 0 }])
})

test('A page has fifty posts, and one more tells that there are older ones.', async () => {
  const many = Array.from({ length: 51 }, (_, at) => post(at + 1))
  await open('?q=water&status=draft&from=50', many)
  expect(asked(tab, 'POST /project/cms/posts/list')).toEqual([
    { filters: { status: 'draft', search: 'water' }, limit: 51, offset: 50 },
  ])
  expect(rowsOf(tab, 'Posts')).toHaveLength(50)
  await tab.press('Older')
  expect(tab.address).toBe('/posts?q=water&status=draft&from=100')
  await tab.press('Newer')
  expect(tab.address).toBe('/posts?q=water&status=draft&from=50')
  await tab.press('Newer')
  expect(tab.address).toBe('/posts?q=water&status=draft')
  await open('?from=20', many.slice(0, 50))
  expect(tab.button('Older').getAttribute('aria-disabled')).toBe('true')
  await tab.press('Newer')
  expect(tab.address).toBe('/posts')
  await open('?from=-7')
  expect(asked(tab, 'POST /project/cms/posts/list').at(-1).offset).toBe(0)
})

test('State and search are in the address.', async () => {
  await inTime(tab, async (pass) => {
    await open('?from=50')
    await tab.type('State', 'published')
    expect(tab.address).toBe('/posts?status=published')
    await tab.type('Search titles', 'water')
    await pass(250)
    expect(tab.address).toBe('/posts?q=water&status=published')
  })
})

test('Nothing found is not nothing there.', async () => {
  for (const at of ['?q=x', '?status=draft', '?from=50']) {
    await open(at, [])
    expect(tab.text('main')).toContain('No post matches.')
  }
  await open('?q=x&status=draft', [])
  await tab.press('Clear filters')
  expect(tab.address).toBe('/posts')
  await open('', [])
  expect(tab.names().filter((name) => name === 'New post')).toHaveLength(2)
  await open('', [], 'member')
  expect([tab.has('New post'), tab.text('main').includes('Changing posts takes an editor')]).toEqual([false, true])
})

test('A new post is a draft that is opened.', async () => {
  await open('')
  await tab.press('New post')
  await tab.press('Make a draft')
  expect(tab.text('dialog')).toContain('Write the title first.')
  await tab.type('Title', ' Low water ')
  expect(await change(tab, 'POST /project/cms/posts/create', () => tab.press('Make a draft'))).toEqual({
    busy: ['Make a draft'],
    again: ['/project/cms/posts/list'],
  })
  expect([asked(tab, 'POST /project/cms/posts/create'), tab.address]).toEqual([[{ title: 'Low water' }], '/posts/9'])
})

test('Posts that could not be loaded say so.', async () => {
  await open('', [], 'owner', { 'POST /project/cms/posts/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Posts could not be loaded.')
  await open('/7', [], 'owner', { 'POST /project/cms/posts/get': new Refusal(404, 'NOT_FOUND') })
  expect(tab.text('main')).toContain('The post could not be loaded.')
})

test('A post is saved with what was changed, unless another state is stored by now.', async () => {
  await open('/11')
  expect(tab.text('main')).toContain('1,200 words')
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
  await tab.type('Title', 'Low water')
  await tab.type('State', 'published')
  await tab.type('Content', '<p>Six.</p>')
  expect(await change(tab, 'POST /project/cms/posts/update', () => tab.press('Publish'))).toEqual({
    busy: ['Publish'],
    again: ['/project/cms/posts/list'],
  })
  expect(asked(tab, 'POST /project/cms/posts/update')).toEqual([
    {
      ...{ post_id: 11, title: 'Low water', slug: 'high-water', status: 'published', author: 'Ada', tags: [] },
      ...{ published_at: null, excerpt: '', content: '<p>Six.</p>', expected_updated_at: AT },
    },
  ])
  expect(tab.text('.toasts')).toContain('The post is saved.')
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
})

test('A post is planned for a time of the project’s clocks, by the user’s word only, and taken back.', async () => {
  await inTime(tab, async (pass) => {
    await open('/34')
    await tab.type('State', 'scheduled')
    await tab.type('Date and time', '2090-11-25T09:00')
    await pass(60_000)
    expect(asked(tab, UPDATE)).toEqual([])
    await tab.press('Publish on 25 Nov 2090, 09:00')
    const planned = { status: 'scheduled', published_at: '2090-11-25T08:00:00.000Z' }
    expect(asked(tab, UPDATE)).toEqual([expect.objectContaining(planned)])
    // Its text saves itself, its date does not.
    await tab.type('Title', 'Low water')
    await pass(1_500)
    expect(asked(tab, UPDATE).at(-1)).toMatchObject({ ...planned, title: 'Low water' })
    await tab.type('State', 'published')
    expect(tab.text('main')).toContain('Now, unless you choose another.')
    await pass(60_000)
    await tab.press('Publish')
    expect(asked(tab, UPDATE).slice(2)).toEqual([expect.objectContaining({ status: 'published', published_at: null })])
  })
})

test('Tags are chips; the names that other posts have are suggested.', async () => {
  await open('/35', [post(1, { tags: ['Sea', 'Moon'] })])
  await tab.choose('Tags', 'Moon')
  await tab.type('Tags', ' Quay ')
  await tab.press('Add “Quay”')
  await tab.press('Save')
  expect(asked(tab, UPDATE)).toEqual([expect.objectContaining({ tags: ['Moon', 'Quay'] })])
})

test('Ctrl S saves what was changed, and nothing else.', async () => {
  await open('/12')
  await tab.key('s', { ctrlKey: true })
  expect(tab.sent('POST /project/cms/posts/update')).toEqual([])
  await tab.type('Author', 'Bo')
  await tab.key('s')
  expect(tab.sent('POST /project/cms/posts/update')).toEqual([])
  await tab.key('S', { metaKey: true })
  expect(asked(tab, 'POST /project/cms/posts/update')[0].author).toBe('Bo')
})

test('An unsaved post outlives its page.', async () => {
  await open('/13')
  await tab.type('Title', 'Draft of mine')
  await open('')
  await open('/13')
  expect([tab.field('Title').value, tab.button('Save').hasAttribute('aria-disabled')]).toEqual(['Draft of mine', false])
  await tab.type('Title', 'High water')
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
})

const crossed = (by: { id: string; name: string } | null) =>
  new Refusal(
    409,
    'CONFLICT',
    [{ updated_by: by, updated_at: new Date(Date.now() - 120_000).toISOString() }],
    'It differs.',
  )

async function cross(id: number, by: { id: string; name: string } | null) {
  await open(`/${id}`)
  await tab.type('Title', 'Mine')
  tab.answers['POST /project/cms/posts/update'] = crossed(by)
  tab.answers['POST /project/cms/posts/get'] = { post: post(id, { title: 'Theirs', last_update: LATER }) }
  await tab.press('Save')
}

test.each([
  [{ id: 'usr_ada', name: 'Ada' }, 'You, in another window, saved this 2 minutes ago.'],
  [{ id: 'usr_bo', name: 'Bo' }, 'Bo saved this 2 minutes ago.'],
  [null, 'Somebody else saved this 2 minutes ago.'],
])('An author who crosses %j chooses; the other version is shown.', async (by, said) => {
  await cross(14, by)
  expect(tab.text('.callout')).toContain(said)
  await tab.press('Show theirs')
  expect([tab.field('Title').value, tab.body.querySelector('.callout')]).toEqual(['Theirs', null])
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
})

test('An author who keeps hers replaces theirs with the next save.', async () => {
  await cross(15, { id: 'usr_bo', name: 'Bo' })
  await tab.press('Keep mine')
  expect(tab.field('Title').value).toBe('Mine')
  tab.answers['POST /project/cms/posts/update'] = { post: post(15, { title: 'Mine', last_update: LATER }) }
  await tab.press('Save')
  expect(asked(tab, 'POST /project/cms/posts/update').at(-1)).toMatchObject({
    title: 'Mine',
    expected_updated_at: LATER,
  })
})

const UPDATE = 'POST /project/cms/posts/update'

test('A draft saves itself soon after the last change, and says what was refused.', async () => {
  await inTime(tab, async (pass) => {
    await open('/30')
    await tab.type('Title', 'Low')
    expect(tab.text('.form-saved')).toBe('Not saved yet')
    await pass(1_499)
    expect(asked(tab, UPDATE)).toEqual([])
    await tab.type('Title', 'Low water')
    await pass(1_500)
    expect(asked(tab, UPDATE)).toEqual([expect.objectContaining({ title: 'Low water', expected_updated_at: AT })])
    expect(tab.text('.form-saved')).toStartWith('Saved')

    tab.answers[UPDATE] = flawed('title')
    tab.field('Title').focus()
    await tab.type('Title', '')
    await pass(5_000)
    expect(tab.text('.form-saved')).toStartWith('Not saved yet (kept in this browser): ')
    expect([flawsAt(tab, 'Title'), tab.texts('.flaw-summary')]).toEqual([['title'], []])

    tab.answers[UPDATE] = new Refusal(409, 'CONFLICT')
    tab.answers['POST /project/cms/posts/get'] = { post: post(30, { title: 'Theirs', last_update: '2026-05-04' }) }
    await tab.type('Title', 'Mine')
    await pass(5_000)
    await tab.press('Show theirs')
    expect([tab.field('Title').value, tab.text('.form-saved')]).toEqual(['Theirs', expect.stringMatching(/^Saved/)])
  })
})

test('A post on the site is changed by its editor only, not by being written.', async () => {
  await inTime(tab, async (pass) => {
    const published = post(31, { status: 'published' })
    await open('/31', [], 'owner', { 'POST /project/cms/posts/get': { post: published } })
    await tab.type('Title', 'Low water')
    await pass(60_000)
    expect([asked(tab, UPDATE), tab.text('.form-saved')]).toEqual([[], 'Not saved yet (kept in this browser)'])
    await tab.press('Save')
    expect(asked(tab, UPDATE)).toHaveLength(1)
    // A draft that is about to be published is as public.
    await open('/32', [], 'owner', { 'POST /project/cms/posts/get': ({ post_id }) => ({ post: post(post_id) }) })
    await tab.type('State', 'published')
    await pass(60_000)
    expect(asked(tab, UPDATE)).toHaveLength(1)
    await tab.type('State', 'draft')
  })
})

test('A post that was kept in the browser is there again, and what is saved is shown in its place.', async () => {
  const stored = { title: 'High water', slug: 'high-water', status: 'published', author: 'Ada', category: '' }
  const value = { ...stored, title: 'Kept', excerpt: '', content: '<p>Noon.</p>' }
  const copy = { value, stored: { value: { ...value, title: 'High water' }, at: AT }, at: Date.parse(AT) }
  tab.storage.set(`masthead-draft ${tab.data.user.id} ${tab.data.project!.id} post 33`, JSON.stringify(copy))
  await open('/33', [], 'owner', {
    'POST /project/cms/posts/get': { post: post(33, { status: 'published', last_update: LATER }) },
  })
  expect(tab.field('Title').value).toBe('Kept')
  expect(tab.text('.callout')).toContain('Since then another version was saved')
  await tab.press('Show what is saved')
  expect([tab.field('Title').value, tab.texts('.callout')]).toEqual(['High water', []])
})

test('A conflict with the state that one began from is no crossing.', async () => {
  await open('/16')
  await tab.type('Slug', 'taken')
  tab.answers['POST /project/cms/posts/update'] = new Refusal(409, 'CONFLICT', [
    { path: '/slug', message: 'Is taken.' },
  ])
  await tab.press('Save')
  expect(tab.text('.flaw-summary')).toContain('It was not saved.')
  expect([tab.texts('.field-flaw'), tab.has('Keep mine')]).toEqual([['Is taken.'], false])
  await tab.type('Slug', 'high-water')
})

test('A flaw of a post stands at its field.', async () => {
  await open('/22', [], 'owner', { 'POST /project/cms/posts/update': flawed('slug', 'title') })
  await tab.type('Title', 'Other')
  await tab.press('Save')
  expect(flawsAt(tab, 'Title', 'Slug')).toEqual(['title', 'slug'])
  await tab.type('Title', 'High water')
})

test('A draft is shown by an address that ends.', async () => {
  await open('/17')
  expect(await change(tab, 'POST /project/cms/posts/preview', () => tab.press('Preview address'))).toEqual({
    busy: ['Preview address'],
    again: [],
  })
  expect(tab.text('.callout')).toContain('sees the post as it is saved, until 3 May 2026, 12:00.')
  expect(tab.button('Open the preview').getAttribute('href')).toBe('https://a.example/preview/1')
  // Once it is on the site, it has an address that stays.
  tab.answers['POST /project/cms/posts/get'] = { post: post(17, { url: 'https://a.example/posts/x' }) }
  invalidate('/project/cms/posts/')
  await tab.settled()
  expect([tab.has('Open the preview'), tab.has('Open on the site')]).toEqual([false, true])
  await open('/18', [], 'owner', { 'POST /project/cms/posts/preview': new Refusal(409, 'X', undefined, 'Not now.') })
  await tab.press('Preview address')
  expect(tab.text('.flaw-summary')).toContain('There is no preview address.')
})

test('A published post is opened on the site.', async () => {
  await open('/19', [], 'owner', {
    'POST /project/cms/posts/get': { post: post(19, { url: 'https://a.example/posts/x' }) },
  })
  expect(tab.button('Open on the site').getAttribute('href')).toBe('https://a.example/posts/x')
  expect(tab.has('Preview address')).toBe(false)
})

test('A post is deleted after a question, with what was not saved of it.', async () => {
  await open('/20')
  await tab.type('Title', 'Gone')
  await tab.press('Delete')
  expect(await change(tab, 'POST /project/cms/posts/delete', () => tab.press('Delete the post'))).toEqual({
    busy: ['Delete the post'],
    again: ['/project/cms/posts/list'],
  })
  expect([asked(tab, 'POST /project/cms/posts/delete'), tab.address]).toEqual([[{ post_id: 20 }], '/posts'])
  await open('/20')
  expect(tab.field('Title').value).toBe('High water')
})

test('A member reads a post.', async () => {
  await open('/21', [], 'member')
  expect([tab.has('Save'), tab.has('Delete')]).toEqual([false, false])
  const texts = ['Title', 'Slug', 'Author', 'Excerpt', 'Content']
  const locked = () => texts.filter((label) => tab.field(label).hasAttribute('readonly'))
  expect([locked(), tab.field('State').hasAttribute('disabled')]).toEqual([texts, true])
  await open('/21')
  expect([locked(), tab.field('State').hasAttribute('disabled')]).toEqual([[], false])
  await open('/21', [], 'member')
  expect(tab.text('main')).toContain('Changing posts takes an editor')
})

const template = (kind: 'post' | 'index', more: object = {}) => ({
  ...{ kind, is_default: true, html: `<${kind}>`, last_update: AT },
  ...more,
})
const LOOK: Answers = {
  'POST /project/site-templates/list': { templates: [template('post', { is_default: false }), template('index')] },
  'POST /project/site-templates/preview': { html: '<p>Drawn</p>' },
  'POST /project/site-templates/update': ({ kind, html }) => ({
    template: template(kind, { html, last_update: LATER }),
  }),
  'POST /project/site-templates/reset': ({ kind }) => ({ template: template(kind, { html: '<own>' }) }),
}

test('The look of posts is tried while it is written, and saved.', async () => {
  await inTime(tab, async (pass) => {
    await open('?tab=look', [], 'owner', LOOK)
    expect(tab.has('New post')).toBe(false)
    await tab.type('Template of a post', '<article>')
    await pass(599)
    expect(asked(tab, 'POST /project/site-templates/preview').at(-1)).toEqual({ kind: 'post', html: '<post>' })
    await pass(1)
    expect(asked(tab, 'POST /project/site-templates/preview').at(-1)).toEqual({ kind: 'post', html: '<article>' })
    tab.answers['POST /project/site-templates/list'] = {
      templates: [template('post', { is_default: false, html: '<article>', last_update: LATER }), template('index')],
    }
    expect(await change(tab, 'POST /project/site-templates/update', () => tab.press('Save'))).toEqual({
      busy: ['Save'],
      again: ['/project/site-templates/list'],
    })
    expect(asked(tab, 'POST /project/site-templates/update')).toEqual([{ kind: 'post', html: '<article>' }])
    expect(tab.text('.toasts')).toContain('The template is saved.')
    expect(tab.field('Template of a post').value).toBe('<article>')
    expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
  })
})

test('An own look is dropped for the product’s after a question.', async () => {
  await open('?tab=look', [], 'owner', LOOK)
  await tab.press('Back to the product’s')
  expect(await change(tab, 'POST /project/site-templates/reset', () => tab.press('Drop this template'))).toEqual({
    busy: ['Drop this template'],
    again: ['/project/site-templates/list'],
  })
  expect(asked(tab, 'POST /project/site-templates/reset')).toEqual([{ kind: 'post' }])
  await tab.check('The list of posts')
  expect([tab.field('Template of the list').value, tab.has('Back to the product’s')]).toEqual(['<index>', false])
})

test('A look that cannot be drawn or saved says so.', async () => {
  await open('?tab=look', [], 'owner', {
    ...LOOK,
    'POST /project/site-templates/preview': new Refusal(400, 'X', undefined, 'A tag is not closed.'),
    'POST /project/site-templates/update': new Refusal(400, 'X', undefined, 'Too long.'),
  })
  expect(tab.text('.callout')).toContain('A tag is not closed.')
  await tab.type('Template of a post', '<x>')
  await tab.press('Save')
  expect(tab.text('.flaw-summary')).toContain('It was not saved.')
  await tab.type('Template of a post', '<post>')
})

test('A member reads the look, and tries nothing.', async () => {
  await open('?tab=look', [], 'member', LOOK)
  expect(tab.text('main')).toContain('Only editors change and try templates.')
  expect([tab.has('Save'), tab.sent('POST /project/site-templates/preview')]).toEqual([false, []])
  await tab.press('Posts')
  expect(tab.address).toBe('/posts')
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Posts'])
  await tab.press('Look on the site')
  expect(tab.address).toBe('/posts?tab=look')
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Look on the site'])
})
