import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import Apps from '../../../static/app/account/apps.tsx'

const tab = useTab({ scope: '/portal/account', project: null })
const LIST = 'GET /user/connected-apps/overview'
const project = (id: string) => ({ id, slug: id, name: `Site ${id}` })
const grant = (authorization_id: string, more: object = {}) => ({
  ...{ authorization_id, app: { id: 'app_1', displayName: 'Tides', homepage: 'https://tides.example/x' } },
  ...{ maker: 'tides.example', permissions: [], projects: [project('p1'), project('p2')], scripts: [] },
  ...{ created_on: '2026-05-03T12:00:00.000Z', last_used_on: null },
  ...more,
})
async function open(...connected_apps: object[]) {
  tab.answers[LIST] = { connected_apps }
  await tab.open(Apps, '/apps')
}
const facts = () => tab.texts('.facts .fact')

test('Each connection says what it reaches, since when, and who made the app.', async () => {
  await open(
    grant('a1'),
    grant('a2', {
      ...{ maker: 'Nets Ltd', projects: [], last_used_on: '2026-05-04T12:00:00.000Z' },
      app: { id: 'app_2', displayName: 'Nets', homepage: 'javascript:alert(1)' },
    }),
  )
  expect(tab.text('.page-count')).toBe('2')
  expect(facts()).toEqual([
    ...['ProjectsSite p1Site p2', 'Connected on3 May 2026', 'Last usedNot yet', 'Home pagetides.example'],
    ...['ProjectsNo project any more, so there is nothing it can do.', 'Connected on3 May 2026'],
    ...['Last used4 May 2026', 'Made byNets Ltd'],
  ])
  expect(tab.button('Site p2').getAttribute('href')).toBe('/portal/projects/p2')
  await open(grant('a1', { maker: null, app: { id: 'a', displayName: 'X', homepage: '' } }))
  expect(facts().map((fact) => fact.slice(0, 4))).toEqual(['Proj', 'Conn', 'Last'])
})

test('Before a connection ends, all that ends with it is said.', async () => {
  tab.answers['DELETE /user/connected-apps/a1'] = {}
  const scripts = [
    { project_id: 'p1', names: ['Banner', 'Chat'], stay: false },
    { project_id: 'p2', names: ['Banner'], stay: true },
  ]
  await open(
    grant('a1', { scripts }),
    grant('a2'),
    grant('a3'),
    grant('b', { app: { id: 'b', displayName: 'Nets', homepage: '' } }),
  )
  await tab.press('Disconnect… Tides')
  expect(tab.texts('dialog li')).toEqual([
    'Its access to Site p1 and Site p2 in your name ends at once.',
    'Its scripts leave the pages of Site p1 at once: Banner and Chat.',
    'Its scripts stay on the pages of Site p2 by another connection: Banner.',
    'You connected this app 2 more times. That stays until you end it as well.',
    'If you want it back, connect it again from the app.',
  ])
  tab.answers[LIST] = { connected_apps: [grant('a2')] }
  await tab.press('Disconnect Tides')
  expect(tab.calls.map(({ name }) => name)).toEqual([LIST, 'DELETE /user/connected-apps/a1', LIST])
  expect([tab.texts('.card h2'), tab.body.querySelector('dialog')]).toEqual([['Tides'], null])
  await open(grant('a2', { projects: [] }))
  await tab.press('Disconnect…')
  expect(tab.texts('dialog li')).toEqual([
    'Its access in your name ends at once.',
    'If you want it back, connect it again from the app.',
  ])
})

test('A refusal is told, and the app stays.', async () => {
  tab.answers['DELETE /user/connected-apps/a1'] = new Refusal(409, 'CONFLICT', undefined, 'Not now.')
  await open(grant('a1'))
  await tab.press('Disconnect…')
  await tab.press('Disconnect Tides')
  expect(tab.text('dialog')).toContain('Not now.')
  await tab.press('Keep it')
  expect(tab.texts('.card h2')).toEqual(['Tides'])
})

test('Without any app that is said, without a number.', async () => {
  await open()
  expect(tab.text()).toContain('No app acts in your name.')
  expect(tab.body.querySelector('.page-count')).toBeNull()
  tab.answers[LIST] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Apps, '/apps')
  expect(tab.text()).toContain('Connected apps could not be loaded.')
})
