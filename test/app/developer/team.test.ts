import { expect, test } from 'bun:test'
import { h } from 'preact'
import type { PageProps } from '../../../static/app/page-props.ts'
import { AT, appAnswers, ROUTE } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Team from '../../../static/app/developer/team.tsx'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const TEAM = `${ROUTE}/team`
const INVITE = 'POST /user/developer/apps/app_1/team/invitations'
const member = (user_id: string, more: object = {}) => ({
  ...{ user_id, email: `${user_id}@example.com`, firstName: 'Ada', lastName: 'Lind', creator: false, added_on: AT },
  ...more,
})
const TWO = [member('ada', { creator: true }), member('bo', { firstName: '', lastName: '' })]
/** The page, with the messages at its lower edge. */
const Page = (props: PageProps) => h('div', null, h(Team, props), h(ToastRegion, null))
const invitation = { id: 'inv_1', email: 'cy@example.com', expires_on: AT }
async function open(team: object[] = TWO, invitations: object[] = []) {
  Object.assign(tab.answers, appAnswers(), { [TEAM]: { team, invitations } })
  await tab.open(Page, '/apps/app_1/team', { id: 'app_1' })
}

test('Everybody of the team can be removed but who made the app.', async () => {
  tab.answers['DELETE /user/developer/apps/app_1/team/bo'] = {}
  await open()
  expect(rowsOf(tab, 'Team').map(([person]) => person)).toEqual([
    'Ada Lind ada@example.com Made it',
    'bo@example.com bo@example.com',
  ])
  expect(tab.names().filter((name) => name.startsWith('Remove'))).toEqual(['Remove… bo@example.com'])
  await tab.press('Remove…')
  tab.answers[TEAM] = { team: TWO.slice(0, 1), invitations: [] }
  await tab.press('Remove 1 person')
  expect(rowsOf(tab, 'Team')).toHaveLength(1)
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Somebody is invited, and the invitation can be withdrawn.', async () => {
  tab.answers[INVITE] = {}
  tab.answers['DELETE /user/developer/apps/app_1/team/invitations/inv_1'] = {}
  await open()
  expect(tab.body.querySelector('table[aria-label="Invitations"]')).toBeNull()
  await tab.type('Invite by address', 'cy@example.com')
  tab.answers[TEAM] = { team: TWO, invitations: [invitation] }
  await tab.press('Invite 1 person')
  expect(tab.sent(INVITE)).toEqual([{ email: 'cy@example.com' }])
  expect(tab.text('.toasts')).toContain('An invitation is on its way to cy@example.com.')
  expect(tab.field('Invite by address').value).toBe('')
  expect(rowsOf(tab, 'Invitations')[0]!.slice(0, 2)).toEqual(['cy@example.com', '3 May 2026'])
  tab.answers[TEAM] = { team: TWO, invitations: [] }
  await tab.press('Withdraw the invitation of cy@example.com')
  expect(tab.body.querySelector('table[aria-label="Invitations"]')).toBeNull()
})

test('Somebody whose invitation is open is invited again, and what was typed stays.', async () => {
  tab.answers[INVITE] = {}
  await open(TWO, [invitation])
  await tab.type('Invite by address', 'di@example.com')
  tab.answers[TEAM] = { team: TWO, invitations: [{ ...invitation, expires_on: '2026-05-10T09:00:00.000Z' }] }
  await tab.press('Invite again: cy@example.com')
  expect(tab.sent(INVITE)).toEqual([{ email: 'cy@example.com' }])
  expect(tab.text('.toasts')).toContain('An invitation is on its way to cy@example.com.')
  expect(rowsOf(tab, 'Invitations')[0]!.slice(0, 2)).toEqual(['cy@example.com', '10 May 2026'])
  expect(tab.field('Invite by address').value).toBe('di@example.com')
})

test('Each refusal is told, and the address stays.', async () => {
  tab.answers[INVITE] = new Refusal(409, 'CONFLICT', undefined, 'They are here.')
  await open()
  await tab.type('Invite by address', 'bo@example.com')
  await tab.press('Invite 1 person')
  expect(tab.text()).toContain('Nobody was invited.They are here.')
  expect(tab.field('Invite by address').value).toBe('bo@example.com')
  tab.answers['DELETE /user/developer/apps/app_1/team/bo'] = new Refusal(403, 'FORBIDDEN', undefined, 'You may not.')
  await tab.press('Remove…')
  await tab.press('Remove 1 person')
  expect(tab.text('dialog')).toContain('You may not.')
  tab.answers[TEAM] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Team, '/apps/app_1/team', { id: 'app_1' })
  expect(tab.text()).toContain('The team could not be loaded.')
})
