import { expect, test } from 'bun:test'
import { APP } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Apps from '../../../static/app/developer/apps.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const review = (app_id: string, status: string, comment: string) => ({ app_id, status, comment })
async function open(apps: object[] = [APP], review_requests: object[] = []) {
  tab.answers['GET /user/developer/apps'] = { apps }
  tab.answers['GET /user/review-requests'] = { review_requests }
  await tab.open(Apps, '/')
}

test('Apps have their state, and what a reviewer wants changed as long as no other version was sent.', async () => {
  const other = { ...APP, id: 'app_2', displayName: 'Nets', suspended_on: '2026-05-03T12:00:00.000Z' }
  const third = { ...APP, id: 'app_3', displayName: 'Rods', status: 'approved' }
  await open(
    [APP, other, third],
    [
      ...[review('app_1', 'changes_requested', 'Say why.'), review('app_1', 'rejected', 'Old.')],
      ...[review('app_2', 'rejected', 'No.'), review('app_3', 'pending', ''), review('app_3', 'rejected', 'Older.')],
    ],
  )
  expect(rowsOf(tab, 'Apps').map(([name, state, client, , comment]) => [name, state, client, comment])).toEqual([
    ['Tides', 'In development', 'cid_1', 'Say why.'],
    ['Nets', 'Suspended', 'cid_1', 'No.'],
    ['Rods', 'Approved', 'cid_1', ''],
  ])
  expect(tab.button('Tides').getAttribute('href')).toBe('/portal/developer/apps/app_1')
  expect(tab.button('Say why.').getAttribute('href')).toBe('/portal/developer/apps/app_1/versions')
})

test('A new app takes a name and an address; its secret is shown once.', async () => {
  tab.answers['POST /user/developer/apps'] = { app: APP, client_secret: 's3cret' }
  await open([])
  expect(tab.text()).toContain('Make your first app')
  await tab.press('New app')
  expect(tab.text('dialog')).toContain('Write a name and an address first.')
  await tab.press('Make the app')
  await tab.type('Name', 'Tides')
  await tab.type('Redirect address', ' ')
  expect(tab.text('dialog')).toContain('Write a name and an address first.')
  expect(tab.sent('POST /user/developer/apps')).toEqual([])
  await tab.type('Redirect address', 'https://a.example')
  await tab.press('Make the app')
  expect(tab.sent('POST /user/developer/apps')).toEqual([
    {
      ...{ displayName: 'Tides', redirect_uris: ['https://a.example'] },
      ...{ scopes: ['newsletter:read'], client_type: 'confidential' },
    },
  ])
  expect(tab.text('dialog')).toContain('s3cret')
  expect(tab.address).toBe('/')
  await tab.press('I have copied the secret')
  expect(tab.address).toBe('/apps/app_1')
})

test('A public app has no secret to show.', async () => {
  tab.answers['POST /user/developer/apps'] = { app: APP }
  await open([])
  await tab.press('New app')
  await tab.type('Name', 'Tides')
  await tab.check('In a browser or on a device')
  await tab.press('Make the app')
  expect(tab.sent('POST /user/developer/apps')).toMatchObject([{ client_type: 'public' }])
  expect(tab.address).toBe('/apps/app_1')
})

test('A refusal stays beside what was written, and the dialog can be left.', async () => {
  tab.answers['POST /user/developer/apps'] = new Refusal(422, 'VALIDATION', undefined, 'The address is not valid.')
  await open([])
  await tab.press('New app')
  await tab.type('Name', 'Tides')
  await tab.press('Make the app')
  expect(tab.text('dialog')).toContain('The address is not valid.')
  expect(tab.field('Name').value).toBe('Tides')
  await tab.press('Not now')
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Apps that cannot be loaded are asked for again.', async () => {
  tab.answers['GET /user/developer/apps'] = new Refusal(403, 'FORBIDDEN')
  tab.answers['GET /user/review-requests'] = { review_requests: [] }
  await tab.open(Apps, '/')
  expect(tab.text()).toContain('Apps could not be loaded.')
  tab.answers['GET /user/developer/apps'] = { apps: [APP] }
  await tab.press('Try again')
  expect(rowsOf(tab, 'Apps')).toHaveLength(1)
})
