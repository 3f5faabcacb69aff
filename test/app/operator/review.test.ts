import { expect, test } from 'bun:test'
import { AT, INSTALLS, LISTING, ROUTE } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Review from '../../../static/app/operator/review.tsx'
import Reviews from '../../../static/app/operator/reviews.tsx'

const tab = useTab({ scope: '/portal/operator', project: null })
const APPS = 'POST /user/operator/apps/list'
const script = {
  ...{ id: 5, name: 'Banner', type: 'Analytics', placement: 'HTML Head', code: 'fetch("https://b.example")' },
  ...{ parameters: {}, parameter_formats: {} },
}
const version = (number: number, more: object = {}) => ({
  ...{ id: number * 10, app_id: 'app_1', number, status: 'submitted', live: false, notes: '', displayName: 'Tides' },
  ...{ description: 'High water', homepage: '', redirect_uris: [], scripts: [script], listing: LISTING },
  ...{ scopes: ['newsletter:read'], scope_reasons: {}, created_on: AT },
  ...more,
})
const request = (more: object = {}) => ({
  ...{ id: 7, app_id: 'app_1', version_id: 20, status: 'pending', comment: '', created_on: AT, decided_on: null },
  ...more,
})
async function open(review: object = {}, now: object = {}) {
  Object.assign(tab.answers, {
    'GET /user/review-requests/7': { review_request: request(review) },
    'GET /user/review-requests': { review_requests: [] },
    [`${ROUTE}/versions`]: { versions: [version(1, { live: true }), version(2)] },
    [`${ROUTE}/versions/10`]: { version: version(1, { description: 'Low water', scripts: [] }) },
    [`${ROUTE}/versions/20`]: { version: version(2, now) },
    [`${ROUTE}/installs`]: {
      ...INSTALLS,
      totals: { ...INSTALLS.totals, projects: 1, users: 3, calls_in_7_days: 1_200 },
    },
    [`${ROUTE}/test-projects`]: { test_projects: [] },
    [`${ROUTE}/team`]: {
      team: [
        { user_id: 'bo', email: 'bo@example.com', creator: false, added_on: AT },
        { user_id: 'ada', email: 'ada@example.com', creator: true, added_on: AT },
      ],
    },
    'POST /user/developer/apps/app_1/scripts/render': { code: 'fetch("rendered")' },
    [APPS]: { items: [{ id: 'app_1', displayName: 'Tides' }] },
  })
  await tab.open(Review, '/reviews/7', { id: '7' })
}
const facts = () => tab.texts('.facts dd')

test('A version that waits is compared with what sites run, and can be decided.', async () => {
  await open()
  expect(tab.text('h1')).toBe('Tides, version 2')
  expect(tab.text('.page-lead')).toStartWith('In review · submitted 3 May 2026')
  expect(tab.text('.page-lead')).not.toContain('decided')
  expect(tab.texts('.diff-removed')).toEqual(['− Low water'])
  expect(tab.texts('.callout')).toEqual([])
  expect(tab.has('Approve')).toBe(true)
})

test('A version that was decided is no longer, and says what was said.', async () => {
  await open({ status: 'rejected', comment: 'No.', decided_on: AT }, { notes: 'Look.' })
  expect(tab.text('.page-lead')).toContain(', decided 3 May 2026')
  expect(tab.texts('.callout')).toEqual(['CommentNo.', 'The team saysLook.'])
  expect(tab.has('Approve')).toBe(false)
  for (const status of ['approved', 'changes_requested', 'withdrawn']) {
    await open({ status })
    expect(tab.has('Approve')).toBe(false)
  }
})

test('The list of what reviewers look for is that of the version, with the projects that tried it.', async () => {
  const missing = () => tab.texts('.checks .tone-wait')
  await open({}, { homepage: 'https://a.example', listing: { ...LISTING, icon_url: 'x', privacy_url: 'y' } })
  expect(missing()).toEqual(['A reason for each permission'])
  await open()
  expect(missing()).toHaveLength(4)
  tab.answers[`${ROUTE}/installs`] = INSTALLS
  tab.answers[`${ROUTE}/test-projects`] = { test_projects: [{}] }
  await tab.open(Review, '/reviews/7', { id: '7' })
  expect(missing()).toHaveLength(4)
  tab.answers[`${ROUTE}/test-projects`] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Review, '/reviews/7', { id: '7' })
  expect(tab.text()).toContain('The checklist could not be loaded.')
})

test('The effects of a script are shown with the hosts that it names, as sites get it.', async () => {
  await open()
  await tab.press('What it does')
  expect(facts()).toEqual(['Analytics', 'HTML Head', '26 bytes', 'b.example'])
  expect(tab.texts('.code code')).toEqual(['fetch("rendered")'])
  expect(tab.has('Run it in a sample page')).toBe(true)
  await open({}, { scripts: [{ ...script, code: 'x()' }] })
  await tab.press('What it does')
  expect(facts().at(-1)).toBe('none')
  await open({}, { scripts: [] })
  await tab.press('What it does')
  expect(tab.text()).toContain('It has no script.')
})

test('The listing of a script is shown, or its own description where the listing has none.', async () => {
  await open()
  await tab.press('What it says')
  expect(tab.texts('.card h2')).toContain('No listing yet')
  expect(facts()).toEqual(['High water', 'none', 'none', 'none', 'none'])
  const listing = { ...LISTING, tagline: 'T', description: 'D', privacy_url: 'P', support_url: 'S', category: 'C' }
  await open({}, { homepage: 'H', listing })
  await tab.press('What it says')
  expect(tab.texts('.card h2')).toContain('T')
  expect(facts()).toEqual(['D', 'H', 'P', 'S', 'C'])
})

test('The team that answers for an app is shown, with the other apps of its author.', async () => {
  await open()
  await tab.press('Who')
  expect(tab.sent(APPS)).toEqual([{ search: 'ada@example.com', limit: 50 }])
  expect(facts()).toEqual([
    'bo@example.com since 3 May 2026ada@example.com since 3 May 2026',
    ...['none', '1 project of 3 people', '0', '1,200'],
  ])
  tab.answers[APPS] = {
    items: [
      { id: 'app_1', displayName: 'Tides' },
      { id: 'a2', displayName: 'Nets' },
    ],
  }
  await tab.open(Review, '/reviews/7', { id: '7' })
  await tab.press('Who')
  expect(facts()[1]).toBe('Nets')
  tab.answers[`${ROUTE}/team`] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Review, '/reviews/7', { id: '7' })
  await tab.press('Who')
  expect(tab.text()).toContain('The team could not be loaded.')
})

test('A review that cannot be loaded is asked for again.', async () => {
  tab.answers['GET /user/review-requests/7'] = new Refusal(404, 'NOT_FOUND')
  await tab.open(Review, '/reviews/7', { id: '7' })
  expect(tab.text()).toContain('The review could not be loaded.')
})

const LIST = 'GET /user/review-requests'
async function openList(query = '', review_requests: object[] = []) {
  tab.answers[LIST] = { review_requests }
  tab.answers[APPS] = { items: [{ id: 'app_1', displayName: 'Tides' }] }
  await tab.open(Reviews, `/reviews${query}`)
}
const one = (id: number, status: string, app_id = 'app_1') => ({ ...request({ app_id, status }), id })

test('Of versions that wait the one that waits longest stands first, of others the latest.', async () => {
  await openList('', [one(9, 'pending'), one(3, 'pending', 'app_9')])
  expect(tab.calls.find(({ name }) => name === LIST)!.url).toEndWith('?status=pending&limit=100')
  expect(rowsOf(tab, 'Reviews').map(([name, state]) => [name, state])).toEqual([
    ['app_9', 'In review'],
    ['Tides', 'In review'],
  ])
  expect(rowsOf(tab, 'Reviews')[0]![2]).toContain('ago')
  expect(tab.button('Tides').getAttribute('href')).toBe('/portal/operator/reviews/9')
  await openList('?status=approved', [one(3, 'approved', 'app_9'), one(9, 'approved')])
  expect(rowsOf(tab, 'Reviews').map(([name]) => name)).toEqual(['Tides', 'app_9'])
  expect(rowsOf(tab, 'Reviews')[0]![2]).toStartWith('3 May 2026')
})

test('A state is chosen in the address, and an empty one says so.', async () => {
  await openList()
  expect(tab.text()).toContain('Nothing waits for you.')
  await tab.press('Rejected')
  expect(tab.address).toBe('/reviews?status=rejected')
  expect(tab.text()).toContain('None is in this state.')
  await tab.press('Waiting')
  expect(tab.address).toBe('/reviews')
  tab.answers[LIST] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Reviews, '/reviews')
  expect(tab.text()).toContain('Reviews could not be loaded.')
})
