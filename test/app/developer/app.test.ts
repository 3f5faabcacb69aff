import { expect, test } from 'bun:test'
import { AT, appAnswers, INSTALLS, ROUTE } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import AppPage from '../../../static/app/developer/app.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
async function open(app: object = {}, installs: object = INSTALLS) {
  Object.assign(tab.answers, appAnswers(app), { [`${ROUTE}/installs`]: installs })
  await tab.open(AppPage, '/apps/app_1', { id: 'app_1' })
}
const codes = () => tab.texts('.code code')
const authorize = () => new URL(codes()[0]!)

test('Until it is used, an app that keeps a secret shows the way to its first call.', async () => {
  // The service's own page would take the code for itself.
  const own = 'https://masthead.example/portal/developer/apps/app_1/try'
  await open({ redirect_uris: [own, 'https://a.example/back'] })
  await tab.press('My own server')
  const { origin, pathname, searchParams } = authorize()
  expect([origin, pathname]).toEqual(['https://masthead.example', '/general/oauth/authorize'])
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ response_type: 'code', client_id: 'cid_1', redirect_uri: 'https://a.example/back' },
    ...{ scope: 'newsletter:read', state: 'xyz' },
  })
  expect(tab.button('Let Tides into a project').getAttribute('href')).toBe(codes()[0]!)
  expect(codes()[1]).toEndWith('-d redirect_uri=https://a.example/back -d client_secret=$CLIENT_SECRET')
  expect(tab.texts('.tile')).toEqual([])
})

test('An app is deleted by who has read what ends with it and typed its name.', async () => {
  tab.answers['DELETE /user/developer/apps/app_1'] = {}
  tab.answers['GET /user/developer/apps'] = { apps: [] }
  await open({}, { ...INSTALLS, totals: { ...INSTALLS.totals, projects: 0, users: 0, script_connections: 0 } })
  await tab.press('Delete Tides…')
  expect(tab.texts('dialog li')[0]).toBe('Nobody uses it.')
  await tab.press('Keep it')
  await open({}, { ...INSTALLS, totals: { ...INSTALLS.totals, projects: 2, users: 1, script_connections: 4 } })
  await tab.press('Delete Tides…')
  expect(tab.text('dialog')).toContain('2 projects and 1 person lose it')
  expect(tab.text('dialog')).toContain('4 scripts on pages of sites')
  await tab.press('Delete 1 app')
  expect(tab.sent('DELETE /user/developer/apps/app_1')).toEqual([])
  await tab.type('Type Tides to go on', 'Tides')
  await tab.press('Delete 1 app')
  expect([tab.sent('DELETE /user/developer/apps/app_1').length, tab.address]).toEqual([1, ''])
})

test('A public app proves itself with PKCE in the place of a secret.', async () => {
  await open({ client_type: 'public', redirect_uris: [] })
  await tab.press('My own server')
  expect(authorize().searchParams.get('code_challenge_method')).toBe('S256')
  expect(authorize().searchParams.get('redirect_uri')).toBe('http://127.0.0.1:3000/callback')
  expect(codes()[1]).toEndWith('-d code_verifier=$CODE_VERIFIER')
  expect(tab.has('Let Tides into a project')).toBe(false)
})

const install = (more: object) => ({
  ...{ project_id: 'p1', name: 'Harbour', domain: null, scope: 'newsletter:read', scripts: [1, 2], connected_on: AT },
  last_used_on: null,
  ...more,
})
const events = [
  { id: 2, type: 'connected', project_id: 'p1', comment: 'By hand.', time: AT },
  { id: 1, type: 'resumed', project_id: null, comment: null, time: AT },
]

test('Once it is used, it shows where it is installed, with what happened.', async () => {
  await open({}, { ...INSTALLS, installs: [install({})] })
  expect(tab.has('My own server')).toBe(true)
  const totals = { projects: 2, users: 3, script_connections: 4, calls_in_7_days: 1_200, errors_in_7_days: 5 }
  await open({}, { ...INSTALLS, installs: [install({ scripts: [], last_used_on: AT })] })
  expect(rowsOf(tab, 'Installs')).toHaveLength(1)
  const installs = [install({}), install({ project_id: 'p2', domain: 'a.example', last_used_on: AT })]
  await open({}, { totals, installs, latest_events: events })
  expect(tab.texts('.tile')).toEqual([
    ...['Projects2', 'People3', 'Scripts on sites4'],
    'Calls in 7 days1,2005 refused or failed',
  ])
  expect(tab.all('.tile').at(-1)!.getAttribute('class')).toContain('tone-wait')
  expect(tab.button('Calls in 7 days').getAttribute('href')).toBe('/portal/developer/apps/app_1/requests')
  const rows = rowsOf(tab, 'Installs')
  expect(rows.map(([name, , scripts]) => [name, scripts])).toEqual([
    ['Harbour', '2'],
    ['Harbour, a.example', '2'],
  ])
  expect(rows.map((row) => row[4] === 'Never')).toEqual([true, false])
  expect(tab.texts('thead th')).toEqual([
    ...['Project', 'Permissions', 'Scripts', 'Since', 'Last used'],
    ...['What', 'Project', 'Comment', 'When'],
  ])
  expect(rowsOf(tab, 'Events of the app').map((row) => row.slice(0, 3))).toEqual([
    ['Connected', 'Harbour', 'By hand.'],
    ['Suspension lifted', '', ''],
  ])
  await open({}, { totals: { ...totals, errors_in_7_days: 0 }, installs, latest_events: [] })
  expect(tab.all('.tile').at(-1)!.getAttribute('class')).not.toContain('tone-wait')
  expect(tab.body.querySelector('table[aria-label="Events of the app"]')).toBeNull()
})

test('A suspended app says since when and why, and every part of it has its address.', async () => {
  await open({ suspended_on: AT, suspension_comment: 'It sent too much.' })
  expect(tab.text('.page-lead')).toBe('Suspended')
  expect(tab.text('.callout')).toStartWith('Suspended since 3 May 2026.It sent too much.')
  await tab.press('Versions')
  expect(tab.address).toBe('/apps/app_1/versions')
  await tab.press('Overview')
  expect(tab.address).toBe('/apps/app_1')
  await open()
  expect([tab.text('.page-lead'), tab.body.querySelector('.callout')]).toEqual(['In development', null])
})

test('A page that cannot be loaded is asked for again.', async () => {
  const gone = new Refusal(404, 'NOT_FOUND', undefined, 'It is gone.')
  Object.assign(tab.answers, appAnswers(), { [ROUTE]: gone, [`${ROUTE}/installs`]: gone })
  await tab.open(AppPage, '/apps/app_1', { id: 'app_1' })
  expect(tab.text()).toContain('The app could not be loaded.It is gone.')
  Object.assign(tab.answers, { [ROUTE]: appAnswers()[ROUTE] })
  await tab.press('Try again')
  expect(tab.text()).toContain('Installs could not be loaded.It is gone.')
  Object.assign(tab.answers, { [`${ROUTE}/installs`]: INSTALLS })
  await tab.press('Try again')
  expect(tab.has('Just try it')).toBe(true)
})
