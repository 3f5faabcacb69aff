import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { asked, change, visit } from '../../../support/visit.ts'

const tab = useTab()

const KEY = {
  ...{ id: 'key_1', name: 'Website', hint: 'x7f2', created_by: 'usr_ada' },
  ...{ created_on: '2026-05-03T12:00:00.000Z', last_used_on: null as string | null },
  ...{ role: null as Role | null, scopes: null as string[] | null, expires_on: null as string | null },
}

async function open(keys = [KEY], role: 'owner' | 'editor' = 'owner') {
  await visit(
    tab,
    '/keys',
    {
      'POST /project/api-keys/list': { api_keys: keys },
      'POST /project/members/list': {
        members: [{ user_id: 'usr_ada', firstName: 'Ada', lastName: 'Lind', email: 'ada@example.com' }],
        invitations: [],
      },
      'POST /project/api-keys/create': { api_key: KEY, key: 'secret-of-the-key' },
      'POST /project/api-keys/revoke': {},
    },
    role,
  )
}

test('A key stands with who made it, when it was used, and its last day.', async () => {
  await open([
    KEY,
    {
      ...{ ...KEY, id: 'key_2', name: 'Nightly', created_by: 'usr_x', last_used_on: '2026-06-04T12:00:00.000Z' },
      ...{
        role: 'member' as const,
        scopes: ['newsletter:read', 'newsletter:send'],
        expires_on: new Date(2026, 5, 5).toISOString(),
      },
    },
  ])
  expect(rowsOf(tab, 'API keys')).toEqual([
    [
      ...['Websiteends in x7f2', 'Everythingas its maker may', 'Ada Lind', '3 May 2026', 'Not yet', 'Never'],
      'Revoke Website',
    ],
    [
      ...['Nightlyends in x7f2', 'Read and sendat most as member', 'somebody who left', '3 May 2026', '4 Jun 2026'],
      ...['Ended 4 Jun 2026', 'Revoke Nightly'],
    ],
  ])
})

test('An editor makes no keys, and is told whose are listed.', async () => {
  await open([], 'editor')
  expect(tab.text('main')).toContain('Making a key takes an administrator; you are an editor here.')
  expect(tab.text('main')).toContain('Your own keys are listed here.')
  expect(tab.has('New key')).toBe(false)
  expect(tab.text('main')).toContain('sign in with a key.')
})

test('A new key is shown until it is stored, with a call that uses it.', async () => {
  await open([])
  expect(tab.names().filter((name) => name === 'New key')).toHaveLength(2)
  await tab.press('New key')
  await tab.type('Name', 'Website')
  expect(await change(tab, 'POST /project/api-keys/create', () => tab.press('Make the key'))).toEqual({
    busy: ['Make the key'],
    again: ['/project/api-keys/list'],
  })
  expect(asked(tab, 'POST /project/api-keys/create')).toEqual([{ name: 'Website' }])
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(tab.text('.made-key')).toContain('secret-of-the-key')
  expect(tab.text('.made-key')).toContain(
    'curl https://masthead.example/general/api/v1/newsletter/overview \\ -H "Authorization: secret-of-the-key"',
  )
  expect(tab.text('.made-key')).toContain('-d \'{"project_id":"prj_harbour"}\'')
  expect(tab.sent('POST /project/api-keys/list')).toHaveLength(2)
  await tab.press('I have stored it')
  expect(tab.text('main')).not.toContain('secret-of-the-key')
})

test('A key is made with a lower role, less to do and a last day.', async () => {
  await open([])
  await tab.press('New key')
  await tab.type('Name', 'Report')
  await tab.type('Role', 'member')
  for (const label of ['Change contacts', 'Send, schedule', 'Change sender'])
    await tab.check(
      tab.texts('.check-label').find((text) => text.startsWith(label))!,
      false,
    )
  await tab.type('Works until', '2099-01-31')
  await tab.press('Make the key')
  expect(asked(tab, 'POST /project/api-keys/create')).toEqual([
    {
      ...{ name: 'Report', role: 'member', scopes: ['newsletter:read'] },
      expires_on: new Date(2099, 1, 1).toISOString(),
    },
  ])
})

test('A flaw of the name of a key stands beside it, anything else above the form.', async () => {
  await open()
  await tab.press('New key')
  const flaws = [{ path: '/name', message: 'Needed.' }]
  tab.answers['POST /project/api-keys/create'] = new Refusal(400, 'VALIDATION_FAILED', flaws, 'Look again.')
  await tab.press('Make the key')
  expect([tab.text('dialog .field-flaw'), tab.text('dialog')]).toEqual(['Needed.', expect.not.stringContaining('Look')])
  tab.answers['POST /project/api-keys/create'] = new Refusal(409, 'LIMIT', undefined, 'There are 20 already.')
  await tab.press('Make the key')
  expect(tab.text('dialog .flaw-summary')).toContain('There are 20 already.')
})

test('A key is revoked by its id, after a question that names it.', async () => {
  await open()
  await tab.press('Revoke Website')
  expect(tab.text('dialog')).toContain('ending in x7f2')
  expect(await change(tab, 'POST /project/api-keys/revoke', () => tab.press('Revoke the key'))).toEqual({
    busy: ['Revoke the key'],
    again: ['/project/api-keys/list'],
  })
  expect(asked(tab, 'POST /project/api-keys/revoke')).toEqual([{ api_key_id: 'key_1' }])
  expect(tab.text('.toasts')).toContain('“Website” is revoked.')
  expect(tab.sent('POST /project/api-keys/list')).toHaveLength(2)
})

test('Keys that could not be loaded are asked for again.', async () => {
  await open()
  await visit(tab, '/keys', { 'POST /project/api-keys/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Keys could not be loaded.')
  expect(tab.text('main')).not.toContain('How a program uses it')
})
