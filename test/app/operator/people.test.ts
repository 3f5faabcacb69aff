import { expect, jest, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import People from '../../../static/app/operator/people.tsx'

const tab = useTab({ scope: '/portal/operator', project: null })
const LIST = 'POST /user/operator/users/list'
const person = (id: string, more: object = {}) => ({
  ...{ id, email: `${id}@example.com`, firstName: '', lastName: '', is_reviewer: false, disabled_on: null },
  ...{ last_sign_in_on: null, projects: 1_200, apps: 3, second_factor: false, passkeys: 0, sessions: 2 },
  ...more,
})
const act = (name: string) => `POST /user/operator/users/${name}`
async function open(query = '', items: object[] = [person('bo')], next_cursor: string | null = null) {
  tab.answers[LIST] = { items, next_cursor }
  tab.answers['POST /user/operator/invitations/list'] ??= { invitations: [] }
  await tab.open(People, `/people${query}`)
}
const entries = async (name: string) => {
  await tab.press(`Actions for ${name}@example.com`)
  return tab.texts('[role=menu] button')
}

test('Everybody is listed with their state and how they sign in.', async () => {
  const AT = '2026-05-03T12:00:00.000Z'
  await open('?search=a&cursor=c', [
    person('ada', { firstName: 'Ada', lastName: 'Lind', is_reviewer: true, passkeys: 1, second_factor: true }),
    person('bo', { disabled_on: AT, last_sign_in_on: AT, second_factor: true }),
    person('cy'),
  ])
  expect(tab.sent(LIST)).toEqual([{ search: 'a', cursor: 'c', limit: 50 }])
  const rows = rowsOf(tab, 'People')
  expect(rows.map(([name, state, , projects, apps, factor]) => [name, state, projects, apps, factor])).toEqual([
    ['ada@example.com Ada Lind Operator', 'Enabled', '1,200', '3', '1 passkey'],
    ['bo@example.com', 'Disabled', '1,200', '3', 'Authenticator'],
    ['cy@example.com', 'Enabled', '1,200', '3', 'None'],
  ])
  expect(rows.map((row) => row[2] === 'Never')).toEqual([true, false, true])
})

test('A link is sent, sessions are ended, and each is said.', async () => {
  tab.answers[act('send-reset')] = {}
  tab.answers[act('end-sessions')] = { ended: 1 }
  await open()
  expect(await entries('bo')).toEqual([
    'Send a link to reset the password',
    'End 2 sessions',
    'Make an operator…',
    'Disable…',
  ])
  await tab.press('Send a link')
  await entries('bo')
  await tab.press('End 2 sessions')
  expect([tab.sent(act('send-reset')), tab.sent(act('end-sessions'))]).toEqual([
    [{ user_id: 'bo' }],
    [{ user_id: 'bo' }],
  ])
  expect(tab.sent(LIST)).toHaveLength(3)
  tab.answers[act('send-reset')] = new Refusal(409, 'CONFLICT', undefined, 'No mail is set up.')
  await entries('bo')
  await tab.press('Send a link')
  expect(tab.text()).toContain('No mail is set up.')
})

test('An account is disabled once that is confirmed, and enabled at once.', async () => {
  tab.answers[act('disable')] = {}
  tab.answers[act('enable')] = {}
  await open()
  await entries('bo')
  await tab.press('Disable…')
  expect(tab.text('dialog')).toContain('2 sessions end at once.')
  tab.answers[LIST] = { items: [person('bo', { disabled_on: '2026-05-03T12:00:00.000Z' })], next_cursor: null }
  await tab.press('Disable 1 account')
  expect(tab.sent(act('disable'))).toEqual([{ user_id: 'bo' }])
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect((await entries('bo')).at(-1)).toBe('Enable')
  await tab.press('Enable')
  expect(tab.sent(act('enable'))).toEqual([{ user_id: 'bo' }])
})

test('The list goes on with its search, which is cleared where nobody matches.', async () => {
  await open('?search=a', [person('bo')], 'c2')
  await tab.press('Older')
  expect(tab.address).toBe('/people?search=a&cursor=c2')
  await open('?search=zz', [])
  await tab.press('Clear the search')
  expect(tab.address).toBe('/people')
  tab.answers[LIST] = new Refusal(403, 'FORBIDDEN')
  await tab.open(People, '/people')
  expect(tab.text()).toContain('People could not be loaded.')
})

test('The address follows the search, and each search has its own answer.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  await open()
  for (const name of ['cy', 'dag']) {
    tab.answers[LIST] = { items: [person(name)], next_cursor: null }
    await tab.type('Search name or address', name)
    await tab.pass(250)
    expect([tab.address, tab.pushed]).toEqual([`/people?search=${name}`, []])
    expect(rowsOf(tab, 'People').map(([who]) => who)).toEqual([`${name}@example.com`])
  }
})

test('Operators are made and removed and a second factor is reset once that is confirmed.', async () => {
  tab.answers[act('set-operator')] = {}
  tab.answers[act('reset-second-factor')] = {}
  await open('', [person('bo', { second_factor: true }), person('cy', { is_reviewer: true })])
  expect(await entries('cy')).not.toContain('Make an operator…')
  await tab.press('Take the operator')
  expect(tab.text('dialog')).toContain('The last operator cannot be removed.')
  await tab.press('Take them')
  await entries('bo')
  await tab.press('Make an operator')
  await tab.press('Make an operator')
  await entries('bo')
  await tab.press('Reset the second factor')
  await tab.press('Reset it')
  expect([tab.sent(act('set-operator')), tab.sent(act('reset-second-factor'))]).toEqual([
    [
      { user_id: 'cy', operator: false },
      { user_id: 'bo', operator: true },
    ],
    [{ user_id: 'bo' }],
  ])
  expect(tab.sent(LIST)).toHaveLength(4)
})

test('A person is invited, and the invitation is taken back.', async () => {
  const INVITED = 'POST /user/operator/invitations/'
  tab.answers[`${INVITED}create`] = new Refusal(409, 'CONFLICT', [{ path: '/email', message: 'Has an account.' }])
  tab.answers[`${INVITED}revoke`] = {}
  await open()
  await tab.press('Invite')
  await tab.type('Email address', 'new@example.com')
  await tab.press('Send the invitation')
  expect(tab.text('dialog')).toContain('Has an account.')
  tab.answers[`${INVITED}create`] = {}
  const times = { created_on: '2026-05-03T12:00:00.000Z', expires_on: '2026-05-10T12:00:00.000Z' }
  tab.answers[`${INVITED}list`] = { invitations: [{ email: 'new@example.com', inviter: 'Ada Lind', ...times }] }
  await tab.press('Send the invitation')
  expect(rowsOf(tab, 'Invited people').map((row) => row.slice(0, 3))).toEqual([
    ['new@example.com', 'Ada Lind', '10 May 2026'],
  ])
  tab.answers[`${INVITED}list`] = { invitations: [] }
  await tab.press('Take back')
  expect(tab.sent(`${INVITED}revoke`)).toEqual([{ email: 'new@example.com' }])
  expect(tab.text()).not.toContain('Invited by')
})
