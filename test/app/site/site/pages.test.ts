import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab, chooseFiles } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { type Answers, asked, change, visit } from '../../../support/visit.ts'

const tab = useTab()

const AT = '2026-05-03T12:00:00.000Z'
const page = (id: number, more: object = {}) => ({
  ...{ id, title: 'Home', path: '/', html: '<h1>Hi</h1>', published: true, url: 'https://a.example/' },
  last_update: AT,
  ...more,
})
const FILE = {
  id: 3,
  path: '/css/a.css',
  type: 'text/css; charset=utf-8',
  bytes: 2_048,
  last_update: AT,
  url: '/sites/x/css/a.css',
}

async function open(at: string, answers: Answers = {}, role: Role = 'owner') {
  await visit(
    tab,
    `/pages${at}`,
    {
      'POST /project/pages/list': { pages: [page(1), page(2, { path: '/about', published: false })] as never },
      'POST /project/pages/get': ({ page_id }) => ({ page: page(page_id) }),
      'POST /project/pages/update': ({ page_id, ...body }) => ({ page: page(page_id, body) }),
      'POST /project/pages/create': (body) => ({ page: page(77, body) }),
      'POST /project/pages/delete': {},
      'POST /project/site-files/list': { files: [FILE] as never },
      'POST /project/site-files/upload': {} as never,
      'POST /project/site-files/delete': {},
      ...answers,
    },
    role,
  )
}

test('Pages stand with their paths and whether they are on the site.', async () => {
  await open('')
  expect(rowsOf(tab, 'Pages')).toEqual([
    ['Home', '/', 'Published', '3 May 2026'],
    ['Home', '/about', 'Draft', '3 May 2026'],
  ])
  expect(tab.texts('[role=tab]')).toEqual(
    ['Pages 2', 'Files 1'].map((text) => expect.stringContaining(text.slice(0, 5))),
  )
  expect(tab.button('New page').getAttribute('href')).toEndWith('/pages/new')
  await tab.press('Files')
  expect([tab.address, tab.has('New page')]).toEqual(['/pages?tab=files', false])
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual([expect.stringContaining('Files')])
  await tab.press('Pages')
  expect(tab.address).toBe('/pages')
})

test('A member reads the pages.', async () => {
  await open('', { 'POST /project/pages/list': { pages: [] } }, 'member')
  expect(tab.has('New page')).toBe(false)
  expect(tab.text('main')).toContain('Changing pages takes an editor')
  await open('', { 'POST /project/pages/list': { pages: [] } })
  expect(tab.names().filter((name) => name === 'New page')).toHaveLength(2)
})

test('A page is changed as it is, unless another state is stored by now.', async () => {
  await open('/31')
  expect(tab.text('h1')).toBe('Home')
  expect(tab.button('Open on the site').getAttribute('href')).toBe('https://a.example/')
  await tab.type('Path', '/start')
  await tab.check('On the site')
  expect(await change(tab, 'POST /project/pages/update', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['/project/pages/list'],
  })
  expect(asked(tab, 'POST /project/pages/update')).toEqual([
    {
      ...{ page_id: 31, path: '/start', title: 'Home', html: '<h1>Hi</h1>', published: false },
      expected_updated_at: AT,
    },
  ])
  expect([tab.text('.toasts').includes('The page is saved.'), tab.has('Open on the site')]).toEqual([true, false])
  expect(tab.sent('POST /project/pages/get')).toHaveLength(2)
})

test('A new page begins with a whole document, and is opened once it is made.', async () => {
  tab.data.project!.name = 'Fish & <Chips'
  await open('/new')
  expect(tab.text('h1')).toBe('New page')
  expect(tab.field('HTML of the page').value).toContain('<title>Fish &amp; &lt;Chips</title>')
  expect(tab.field('Path').value).toBe('/')
  await tab.type('Title', 'Start')
  expect(await change(tab, 'POST /project/pages/create', () => tab.press('Make the page'))).toEqual({
    busy: ['Make the page'],
    again: ['/project/pages/list'],
  })
  expect(asked(tab, 'POST /project/pages/create')[0]).toMatchObject({ path: '/', title: 'Start', published: true })
  expect([tab.address, tab.text('.toasts').includes('The page is made.')]).toEqual(['/pages/77', true])
  await open('/new')
  expect(tab.field('Title').value).toBe('')
})

test('A flaw of a page stands beside it, and the other version is offered where it was crossed.', async () => {
  await open('/33')
  await tab.type('Title', 'Mine')
  tab.answers['POST /project/pages/update'] = new Refusal(400, 'X', [
    { path: '/path', message: 'Is taken.' },
    { path: '/title', message: 'Is long.' },
  ])
  await tab.press('Save')
  expect(tab.texts('.field-flaw')).toEqual(['Is long.', 'Is taken.'])
  tab.answers['POST /project/pages/update'] = new Refusal(409, 'CONFLICT')
  tab.answers['POST /project/pages/get'] = {
    page: page(33, { title: 'Theirs', last_update: '2026-05-04T12:00:00.000Z' }),
  }
  await tab.press('Save')
  expect(tab.text('.callout')).toContain('Somebody else saved meanwhile.')
  await tab.press('Show theirs')
  expect(tab.field('Title').value).toBe('Theirs')
})

test('A page is deleted after a question.', async () => {
  await open('/34')
  await tab.type('Title', 'Not saved')
  await tab.press('Delete')
  expect(await change(tab, 'POST /project/pages/delete', () => tab.press('Delete the page'))).toEqual({
    busy: ['Delete the page'],
    again: ['/project/pages/list'],
  })
  expect([asked(tab, 'POST /project/pages/delete'), tab.address]).toEqual([[{ page_id: 34 }], '/pages'])
  await open('/34')
  expect(tab.field('Title').value).toBe('Home')
})

test('A member reads a page.', async () => {
  await open('/35', {}, 'member')
  expect([tab.has('Save'), tab.has('Delete')]).toEqual([false, false])
  const readonly = () => ['Title', 'Path', 'HTML of the page'].map((label) => tab.field(label).hasAttribute('readonly'))
  expect([readonly(), tab.field('On the site').hasAttribute('aria-disabled')]).toEqual([[true, true, true], true])
  await open('/35')
  expect([readonly(), tab.field('On the site').hasAttribute('aria-disabled')]).toEqual([[false, false, false], false])
})

test('Files stand with their type and size, and are deleted.', async () => {
  await open('?tab=files')
  expect(rowsOf(tab, 'Files of the site')[0]!.slice(0, 4)).toEqual(['/css/a.css', 'text/css', '2 kB', '3 May 2026'])
  await tab.press('Delete /css/a.css')
  expect(await change(tab, 'POST /project/site-files/delete', () => tab.press('Delete the file'))).toEqual({
    busy: ['Delete the file'],
    again: ['/project/site-files/list'],
  })
  expect(asked(tab, 'POST /project/site-files/delete')).toEqual([{ file_id: 3 }])
  expect(tab.sent('POST /project/site-files/list')).toHaveLength(2)
  await open('?tab=files', {}, 'member')
  expect([tab.has('Delete /css/a.css'), tab.body.querySelector('input')]).toEqual([false, null])
})

async function choose(...names: string[]) {
  chooseFiles(
    tab.find('input[type=file]'),
    names.map((name) => new File(['x'], name)),
  )
  await tab.settled()
}
const uploads = () =>
  tab.calls
    .filter(({ name }) => name === 'POST /project/site-files/upload')
    .map(({ url }) => new URL(url, 'https://x').searchParams.get('path'))

test('Files are put into the folder, one after another.', async () => {
  await open('?tab=files')
  const written: string[] = []
  Object.defineProperty(tab.find('input[type=file]'), 'value', {
    set(value: string) {
      written.push(value)
    },
  })
  await choose('robots.txt')
  // So that the same file can be chosen again.
  expect(written).toEqual([''])
  await tab.type('Folder', 'css//new/')
  await choose('a.css', 'b.css')
  expect(uploads()).toEqual(['/robots.txt', '/css/new/a.css', '/css/new/b.css'])
  expect(tab.text('.toasts')).toContain('2 files are on the site.')
})

test('A file that was not taken is named, and those before it are shown.', async () => {
  let taken = 0
  await open('?tab=files', {
    'POST /project/site-files/upload': (() =>
      taken++ === 0 ? {} : new Refusal(400, 'X', undefined, 'Too large.')) as never,
  })
  await choose('a.css', 'b.css', 'c.css')
  expect(tab.text('.flaw-summary')).toContain('b.css: Too large.')
  expect([uploads().length, tab.sent('POST /project/site-files/list').length]).toEqual([2, 2])
})

test('A list of pages that could not be loaded says so.', async () => {
  const refusal = new Refusal(403, 'FORBIDDEN')
  await open('', { 'POST /project/pages/list': refusal })
  expect(tab.text('main')).toContain('Pages could not be loaded.')
  await open('?tab=files', { 'POST /project/site-files/list': refusal })
  expect(tab.text('main')).toContain('Files could not be loaded.')
  await open('/36', { 'POST /project/pages/get': refusal })
  expect(tab.text('main')).toContain('The page could not be loaded.')
})
