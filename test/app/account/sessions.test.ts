import { expect, test } from 'bun:test'
import { h } from 'preact'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Sessions from '../../../static/app/account/sessions.tsx'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'

const tab = useTab({ scope: '/portal/account', project: null })
const AT = '2026-05-03T12:00:00.000Z'
const visit = (id: string, current = false) => ({
  ...{ id, current, address: '203.0.113.7', user_agent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
  ...{ created_on: AT, last_used_on: AT },
})
async function open(sessions = [visit('s1', true), visit('s2')], devices = [visit('d1', true), visit('d2')]) {
  tab.answers['GET /user/sessions'] = { sessions }
  tab.answers['GET /user/devices'] = { devices }
  await tab.open(() => h('div', null, h(Sessions, null), h(ToastRegion, null)), '/sessions')
}
const asked = () => tab.calls.filter(({ name }) => name.startsWith('GET')).length
const verbs = () => tab.names().filter((name) => /^(End|Forget)/.test(name))

test('Where one is signed in is listed, and this browser is told from the others.', async () => {
  await open()
  expect(rowsOf(tab, 'Sessions').map(([name, address, since]) => [name, address, since])).toEqual([
    ['Firefox on Linux This browser', '203.0.113.7', '3 May 2026'],
    ['Firefox on Linux', '203.0.113.7', '3 May 2026'],
  ])
  expect(verbs()).toEqual(['End 1 other session', 'End Firefox on Linux', 'Forget Firefox on Linux'])
  await open([visit('s1', true)], [])
  expect(verbs()).toEqual([])
  expect(tab.text()).toContain('No browser is known yet.')
})

test('A session or all others end, or a device is forgotten, and the lists are asked for again.', async () => {
  tab.answers['DELETE /user/sessions/s2'] = {}
  tab.answers['DELETE /user/devices/d2'] = {}
  tab.answers['POST /user/sessions/end-others'] = {}
  await open()
  const told: string[] = []
  for (const verb of ['End Firefox', 'Forget Firefox', 'End 1 other session']) {
    await tab.press(verb)
    told.push(tab.texts('.toast-text').at(-1)!)
  }
  expect(told).toEqual([
    'The session has ended.',
    'The device is forgotten, and its sessions have ended.',
    'All other sessions have ended.',
  ])
  expect(tab.calls.map(({ name }) => name).filter((name) => !name.startsWith('GET'))).toEqual([
    ...['DELETE /user/sessions/s2', 'DELETE /user/devices/d2', 'POST /user/sessions/end-others'],
  ])
  expect(asked()).toBe(8)
})

test('Signing out everywhere asks first, and then leads to the sign-in.', async () => {
  tab.answers['DELETE /user/sessions'] = new Refusal(409, 'CONFLICT', undefined, 'Not now.')
  await open()
  await tab.press('Sign out everywhere')
  expect(tab.sent('DELETE /user/sessions')).toEqual([])
  expect(tab.text('dialog')).toContain('this one included')
  await tab.press('End 2 sessions')
  expect(tab.text('dialog')).toContain('Not now.')
  expect(tab.left).toEqual([])
  tab.answers['DELETE /user/sessions'] = {}
  await tab.press('End 2 sessions')
  expect(tab.left).toEqual(['/portal/login'])
})

test('Each list that cannot be loaded says so by itself, and a refusal is told.', async () => {
  tab.answers['DELETE /user/sessions/s2'] = new Refusal(404, 'NOT_FOUND', undefined, 'It has ended.')
  await open()
  await tab.press('End Firefox')
  expect(tab.text()).toContain('It has ended.')
  tab.answers['GET /user/sessions'] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Sessions, '/sessions')
  expect(tab.text()).toContain('Sessions could not be loaded.')
  expect(rowsOf(tab, 'Devices')).toHaveLength(2)
  tab.answers['GET /user/sessions'] = { sessions: [visit('s1', true)] }
  tab.answers['GET /user/devices'] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Sessions, '/sessions')
  expect(tab.text()).toContain('Devices could not be loaded.')
  expect(rowsOf(tab, 'Sessions')).toHaveLength(1)
})
