import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import { invalidate } from '../../../static/app/api/query.ts'
import { callKey } from '../../../src/shared/app-document.ts'
import { LOADERS } from '../../../static/app/loaders.ts'
import { pageOf } from '../../../static/app/shell/place.ts'
import { SITE_PAGES } from '../../../static/app/site/pages.ts'
import '../../../static/app/rules/builder-body.tsx'
import { campaign, connection, contact, list, page, segment } from '../../support/answers.ts'
import { visit } from '../../support/visit.ts'

const tab = useTab()

const ANSWERS: Record<string, unknown> = {
  overview: {
    contacts: { total: 0, by_status: { subscribed: 0 } },
    sending: { this_month: 0, monthly_limit: null },
    ...{ growth: [], campaigns_in_doubt: [], lists: [], campaigns: { total: 0, by_status: {} } },
  },
  'campaigns/list': page(),
  'campaigns/get': { campaign: campaign() },
  'lists/list': page(list(1, 'Weekly')),
  'contacts/get': { contact: contact(), suppression: null, activity: [], consents: [] },
  'settings/get': { settings: { default_connection_id: 1, timezone: 'UTC' } },
  'connections/list': page(connection()),
  'POST /project/sign-up-forms/list': { forms: [] },
  'segments/get': { segment: segment(7, 'Lapsed') },
}

async function open(address: string, role: 'owner' | 'member' = 'owner'): Promise<void> {
  // Whatever else a page asks is not for this person.
  const get = (_: object, name: string) => ANSWERS[name] ?? new Refusal(403, 'FORBIDDEN')
  tab.answers = new Proxy({}, { has: () => true, get })
  await visit(tab, address, {}, role)
}

const NAMES = ['lists/list', 'tags/list', 'custom-fields/list']
const RULES = [...NAMES, 'schema/get', 'segments/list']

test.each<[string, string[]]>([
  ['/', ['overview', 'campaigns/list', 'connections/list', 'settings/get']],
  ['/campaigns', ['campaigns/list']],
  ['/campaigns?status=draft&search=May&cursor=c1', ['campaigns/list']],
  ['/campaigns/new', ['templates/list']],
  ['/campaigns/5', ['campaigns/get', 'campaigns/stats']],
  ['/campaigns/5/review', ['campaigns/get', 'settings/get']],
  ['/contacts?order=oldest&size=100&from=c1', [...NAMES, 'contacts/list']],
  ['/contacts?q=grace', NAMES],
  ['/contacts/7', [...NAMES, 'contacts/get']],
  ['/segments', RULES],
  ['/segments/new', RULES],
  ['/segments/7', [...RULES, 'segments/get']],
  ['/lists', NAMES.slice(0, 2)],
  ['/fields', ['custom-fields/list', 'segments/list']],
  ['/suppressions?q=x&reason=manual&from=c1', ['suppressions/list']],
  ['/lists/1/form', ['lists/list', 'custom-fields/list']],
  ['/activity?status=failed&after=c1', ['jobs/list']],
  ['/activity?tab=people', []],
  ['/sending', ['connections/list', 'settings/get']],
  ['/sending/sender', ['settings/get']],
  ['/sending/1', ['connections/list', 'settings/get']],
  ['/imports?cursor=c1', ['imports/list']],
  ['/imports/7', ['imports/get']],
  ['/templates', ['templates/list']],
])('The document brings what the page at %s asks for.', async (address, operations) => {
  await open(address)
  const [path, search] = address.split('?')
  const { page: shown, params } = pageOf(tab.data.scope + (path === '/' ? '' : path))!
  const brought = shown.first!({ params, query: Object.fromEntries(new URLSearchParams(search)) })
  const asked = new Set(tab.calls.map(({ name, body }) => callKey(name, { ...body, project_id: undefined })))
  expect(brought.map(({ operation }) => operation)).toEqual(operations)
  expect(brought.map(({ operation, body }) => callKey(operation, body)).filter((key) => !asked.has(key))).toEqual([])
})

test('A person who may not do what a page is for is told who may.', async () => {
  const roles = SITE_PAGES.filter(({ role }) => role !== undefined).map(({ path, role }) => [path, role])
  expect(roles).toEqual([
    ['/campaigns/new', 'editor'],
    ['/segments/new', 'editor'],
    ['/campaigns/:id/edit', 'editor'],
    ['/templates/:id', 'editor'],
    ['/pages/new', 'editor'],
    ['/sending/new', 'administrator'],
    ['/imports/new', 'editor'],
  ])
  await open('/segments/new', 'member')
  expect(tab.text('main')).toContain('This page takes an editor; you are a member here.')
  expect(tab.calls).toEqual([])
})

test('The code of each page is known.', () => {
  expect(SITE_PAGES.filter(({ source }) => LOADERS[source] === undefined).map(({ source }) => source)).toEqual([])
})

test.each([
  ['/campaigns/new', 'Campaigns', '/campaigns'],
  ['/campaigns/5', 'Campaigns', '/campaigns'],
  ['/campaigns/5/review', 'The letter', '/campaigns/5/edit'],
  ['/contacts/7', 'Contacts', '/contacts'],
  ['/contacts/8', 'Contacts', '/contacts'],
  ['/segments/new', 'Segments', '/segments'],
  ['/segments/7', 'Segments', '/segments'],
  ['/lists/1/form', 'Lists & tags', '/lists'],
  ['/sending/new', 'Sending', '/sending'],
  ['/sending/1', 'Sending', '/sending'],
  ['/sending/2', 'Sending', '/sending'],
  ['/mailbox/7', 'Mailbox', '/mailbox'],
  ['/pages/new', 'Pages', '/pages'],
  ['/pages/7', 'Pages', '/pages'],
  ['/posts/7', 'Posts', '/posts'],
  ['/directory/Shops', 'Directory', '/directory'],
  ['/forms/Orders', 'Forms', '/forms'],
])('From %s one goes back to %s.', async (address, name, back) => {
  await open(address)
  const way = tab.find('.page-back')
  expect([way.textContent!.trim(), way.getAttribute('href')]).toEqual([name, tab.data.scope + back])
})

/** How much of a page waits for an answer, where it is not one part, and how much of it can fail. */
const PARTS: Record<string, { waits: number; fails: number }> = {
  '/': { waits: 2, fails: 6 },
  '/lists': { waits: 2, fails: 2 },
  '/forms': { waits: 1, fails: 2 },
  ...Object.fromEntries(['/pages/new', '/sending/new', '/imports/new'].map((path) => [path, { waits: 0, fails: 0 }])),
}

test.each(SITE_PAGES.map(({ path }) => path))('The page at %s says that it waits, and what failed.', async (path) => {
  const { waits, fails } = PARTS[path] ?? { waits: 1, fails: 1 }
  const answer = (given: unknown) => (tab.answers = new Proxy({}, { has: () => true, get: () => given }))
  const address = path.replace(':id', '7').replace(':name', 'Shops')
  answer(() => new Promise(() => undefined))
  await visit(tab, address)
  expect([tab.all('.skeleton').length, tab.all('main [role=alert]').length]).toEqual([waits, 0])
  answer(new Refusal(403, 'FORBIDDEN'))
  await visit(tab, address)
  expect([tab.all('.skeleton').length, tab.all('main [role=alert]').length]).toEqual([0, fails])
  const before = tab.calls.length
  for (const again of tab.all('main [role=alert] button')) again.click()
  await tab.settled()
  expect(tab.calls.length - before).toBeGreaterThanOrEqual(fails)
})

const LOADED: Record<string, unknown> = {
  ...ANSWERS,
  ...Object.fromEntries(
    ['contacts/list', 'custom-fields/list', 'segments/list', 'suppressions/list', 'tags/list'].map((name) => [
      name,
      page(),
    ]),
  ),
  'contacts/stats': { total: 0, by_list: [] },
  'schema/get': { rule_fields: [], engagement_conditions: [], limits: { rules: 50, rule_levels: 3 } },
  'segments/preview': { count: 0, sample: [] },
  'POST /project/cms/posts/list': { posts: [] },
  'POST /project/site-templates/list': { templates: [{ kind: 'post', is_default: true, html: '', last_update: '' }] },
  'POST /project/pages/list': { pages: [] },
  'POST /project/site-files/list': { files: [] },
  'POST /project/form-entries/forms': { forms: [] },
  'POST /project/form-settings/list': { settings: [] },
  'POST /project/form-entries/list': page(),
  'POST /project/directory/list': { directories: [] },
  'POST /project/directory/items/list': { items: [] },
}

test.each([
  ...['/contacts', '/segments', '/lists', '/fields', '/suppressions', '/posts', '/posts?tab=look', '/pages'],
  ...['/pages?tab=files', '/forms', '/forms/Orders', '/directory', '/directory/Shops', '/contacts/7'],
])('The content of %s stays when a later look fails.', async (address) => {
  const refusal = new Refusal(403, 'FORBIDDEN')
  tab.answers = new Proxy({}, { has: () => true, get: (_, name: string) => LOADED[name] ?? refusal })
  await visit(tab, address)
  const before = tab.text('main')
  tab.answers = new Proxy({}, { has: () => true, get: () => refusal })
  invalidate('')
  await tab.settled()
  expect([tab.text('main'), tab.texts('main [role=alert]')]).toEqual([before, []])
})

test('Pages with an editor of letters or of code have its style sheet.', () => {
  const styles = SITE_PAGES.filter(({ style }) => style !== undefined).map(({ path, style }) => [path, style])
  expect(styles).toEqual([
    ...['/campaigns/:id/edit', '/templates/:id'].map((path) => [path, 'letter']),
    ...['/pages/new', '/pages/:id', '/posts', '/posts/:id'].map((path) => [path, 'code']),
  ])
})
