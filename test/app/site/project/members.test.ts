import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { RouteResponse } from '../../../../static/app/api/calls.ts'
import { asked, change, visit } from '../../../support/visit.ts'

const tab = useTab()

type People = RouteResponse<'POST /project/members/list'>
const AT = '2026-05-03T12:00:00.000Z'
const person = (user_id: string, name: string, role: Role): People['members'][number] => {
  const [firstName = '', lastName = ''] = name.split(' ')
  return { user_id, firstName, lastName, email: `${user_id}@example.com`, role, added_on: AT }
}
const ADA = person('usr_ada', 'Ada Lind', 'owner')
const BO = person('usr_bo', 'Bo Holm', 'owner')
const CY = person('usr_cy', '', 'editor')
const INVITATION = {
  id: 'inv_1',
  email: 'di@example.com',
  role: 'member' as const,
  expires_on: '2026-05-10T12:00:00.000Z',
}

interface Opened {
  members?: People['members']
  invited?: boolean
  role?: Role
  sandbox?: boolean
}

async function open({ members = [ADA, CY], invited = false, role = 'owner', sandbox = false }: Opened = {}) {
  tab.data.sandbox = sandbox
  await visit(
    tab,
    '/members',
    {
      'POST /project/members/list': { members, invitations: invited ? [INVITATION] : [] },
      'GET /user/sign-up': { sign_up: 'closed' },
      'POST /project/invitations/create': { invitation: INVITATION },
      'POST /project/invitations/revoke': {},
      'POST /project/members/update': {},
      'POST /project/members/remove': {},
    },
    role,
  )
}

const menuOf = (name: string) => `What to do with ${name}`
const entries = () => tab.texts('.menu-item')
const roles = () => tab.texts('.radio-label')

test('Members stand with their roles, oneself marked, and by their address without a name.', async () => {
  await open()
  expect(rowsOf(tab, 'Members').map((row) => row.slice(0, 3))).toEqual([
    ['Ada Lind (you)usr_ada@example.com', 'Owner', '3 May 2026'],
    ['usr_cy@example.com', 'Editor', '3 May 2026'],
  ])
  expect(tab.texts('table')).toHaveLength(1)
  expect(tab.texts('.roles > div')).toEqual([
    'MemberReads what the project holds, changes nothing.',
    'EditorWrites, imports contacts, sends campaigns, and changes the site.',
    'AdministratorAlso keeps people, keys, connections, apps and settings.',
    'OwnerAlso makes owners, hands the project over, and deletes it.',
  ])
})

test('Members that could not be loaded are asked for again.', async () => {
  await visit(tab, '/members', { 'POST /project/members/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Members could not be loaded.')
  await tab.press('Try again')
  expect(tab.sent('POST /project/members/list')).toHaveLength(2)
})

test('An owner changes the role of everybody, and leaves only by herself.', async () => {
  await open({ members: [ADA, BO, CY] })
  await tab.press(menuOf('Ada Lind'))
  expect(entries()).toEqual(['Change the role', 'Leave the project'])
  await tab.press(menuOf('Ada Lind'))
  await tab.press(menuOf('Bo Holm'))
  expect(entries()).toEqual(['Change the role', 'Remove'])
})

test('An administrator leaves owners alone and makes none.', async () => {
  await open({ members: [{ ...ADA, role: 'administrator' }, BO, CY], role: 'administrator' })
  expect(tab.has(menuOf('Bo Holm'))).toBe(false)
  await tab.press(menuOf('usr_cy@example.com'))
  await tab.press('Change the role')
  expect(roles()).toEqual(['Member', 'Editor', 'Administrator'])
})

test('An editor may only leave.', async () => {
  await open({ members: [{ ...ADA, role: 'editor' }, CY], invited: true, role: 'editor' })
  expect(tab.text('main')).toContain('Inviting people and giving roles takes an administrator; you are an editor here.')
  expect(tab.has('Invite')).toBe(false)
  expect(tab.names().filter((name) => name.startsWith('Take back'))).toEqual([])
  expect(tab.has(menuOf('usr_cy@example.com'))).toBe(false)
  await tab.press(menuOf('Ada Lind'))
  expect(entries()).toEqual(['Leave the project'])
})

test('Somebody is invited with the chosen role, an editor unless said otherwise.', async () => {
  await open()
  await tab.press('Invite')
  expect(tab.text('dialog')).toContain('It needs an account here already')
  expect(roles()).toEqual(['Member', 'Editor', 'Administrator', 'Owner'])
  await tab.type('Email address', 'di@example.com')
  expect(await change(tab, 'POST /project/invitations/create', () => tab.press('Send the invitation'))).toEqual({
    busy: ['Send the invitation'],
    again: ['/project/members/list'],
  })
  const [first] = asked(tab, 'POST /project/invitations/create')
  expect(first).toEqual({ email: 'di@example.com', role: 'editor' })
  expect(tab.text('.toasts')).toContain('A letter invites di@example.com until 10 May 2026.')
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(tab.sent('POST /project/members/list')).toHaveLength(2)
})

test('A flaw of an invited address stands beside it, and the dialog stays.', async () => {
  await open()
  tab.answers['GET /user/sign-up'] = { sign_up: 'open' }
  const flaw = [{ path: '/email', message: 'Is a member already.' }]
  tab.answers['POST /project/invitations/create'] = new Refusal(400, 'VALIDATION_FAILED', flaw)
  await tab.press('Invite')
  expect(tab.text('dialog')).toContain('Whoever opens it signs in, or makes an account.')
  await tab.check('Administrator')
  await tab.press('Send the invitation')
  expect(asked(tab, 'POST /project/invitations/create')).toEqual([{ email: '', role: 'administrator' }])
  expect(tab.text('dialog .field-flaw')).toBe('Is a member already.')
})

test('A role is changed once another is chosen.', async () => {
  await open()
  await tab.press(menuOf('usr_cy@example.com'))
  await tab.press('Change the role')
  expect(tab.text('dialog')).not.toContain('This is your own role.')
  await tab.press('Change the role')
  expect(tab.text('dialog')).toContain('Choose another role first.')
  await tab.check('Member')
  expect(await change(tab, 'POST /project/members/update', () => tab.press('Change the role'))).toEqual({
    busy: ['Change the role'],
    again: ['/project/members/list'],
  })
  expect(asked(tab, 'POST /project/members/update')).toEqual([{ user_id: 'usr_cy', role: 'member' }])
  expect(tab.text('.toasts')).toContain('usr_cy@example.com is member now.')
  expect(tab.left).toEqual([])
})

test('A member who changes her own role sees the page as she may now.', async () => {
  await open({ members: [ADA, BO] })
  await tab.press(menuOf('Ada Lind'))
  await tab.press('Change the role')
  expect(tab.text('dialog')).toContain('This is your own role.')
  await tab.check('Editor')
  await tab.press('Change the role')
  expect(tab.left).toEqual(['reload'])
})

test('A member to be removed is named in the question.', async () => {
  await open()
  await tab.press(menuOf('usr_cy@example.com'))
  await tab.press('Remove')
  expect(tab.text('dialog h2')).toBe('Remove usr_cy@example.com from Harbour?')
  const { again } = await change(tab, 'POST /project/members/remove', () => tab.press('Remove usr_cy@example.com'))
  // Keys and apps of a person go with her.
  expect(again).toEqual(
    expect.arrayContaining(['/project/members/list', '/project/api-keys/list', '/project/apps/overview']),
  )
  expect(asked(tab, 'POST /project/members/remove')).toEqual([{ user_id: 'usr_cy' }])
  expect(tab.text('.toasts')).toContain('usr_cy@example.com is no member any more.')
  expect(tab.sent('POST /project/members/list')).toHaveLength(2)
})

test('The only owner cannot leave, one of two can.', async () => {
  await open()
  await tab.press(menuOf('Ada Lind'))
  await tab.press('Leave the project')
  expect(tab.text('dialog h2')).toBe('You are the only owner of Harbour')
  await tab.press('All right')
  expect(tab.body.querySelector('dialog')).toBeNull()
  await open({ members: [ADA, BO] })
  await tab.press(menuOf('Ada Lind'))
  await tab.press('Leave the project')
  await tab.press('Leave Harbour')
  expect(asked(tab, 'POST /project/members/remove')).toEqual([{ user_id: 'usr_ada' }])
  expect(tab.left).toEqual(['/portal/'])
})

test('An editor leaves although there is one owner.', async () => {
  await open({ members: [{ ...ADA, role: 'editor' }, BO], role: 'editor' })
  await tab.press(menuOf('Ada Lind'))
  await tab.press('Leave the project')
  expect(tab.text('dialog h2')).toBe('Leave Harbour?')
})

test('An invitation is shown until it is taken back.', async () => {
  await open({ invited: true })
  expect(rowsOf(tab, 'Invitations').map((row) => row.slice(0, 3))).toEqual([
    ['di@example.com', 'Member', '10 May 2026'],
  ])
  expect(tab.text('main')).not.toContain('sandbox mailbox')
  await tab.press('Take back the invitation of di@example.com')
  expect(await change(tab, 'POST /project/invitations/revoke', () => tab.press('Take it back'))).toEqual({
    busy: ['Take it back'],
    again: ['/project/members/list'],
  })
  expect(asked(tab, 'POST /project/invitations/revoke')).toEqual([{ invitation_id: 'inv_1' }])
  expect(tab.text('.toasts')).toContain('di@example.com is not invited any more.')
})

test('On a service on trial, whoever waits for an invitation is led to its mailbox.', async () => {
  await open({ invited: true, sandbox: true })
  expect(tab.button('sandbox mailbox').getAttribute('href')).toBe('/general/sandbox/mailbox')
  await open({ invited: false, sandbox: true })
  expect(tab.has('sandbox mailbox')).toBe(false)
})
