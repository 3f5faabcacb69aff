import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import { theme } from '../../../static/app/theme.ts'
import Account from '../../../static/app/account/account.tsx'

const tab = useTab({ scope: '/portal/account', project: null })
const PLAN = {
  ...{ deletes_projects: [], leaves_projects: [], deletes_apps: [], hands_over_apps: [] },
  ...{ blocked_by: [], is_last_administrator: false },
}
async function open(plan: object = {}) {
  tab.answers['GET /user/deletion'] = { deletion: { ...PLAN, ...plan } }
  await tab.open(Account, '/')
}
const isOff = (name: string) => tab.button(name).getAttribute('aria-disabled') === 'true'

test('A name is saved once it is another one, as the service keeps it.', async () => {
  tab.answers['PATCH /user/me'] = { user: { firstName: 'Ada', lastName: 'King' } }
  await open()
  expect(isOff('Save the name')).toBe(true)
  await tab.type('Last name', ' King')
  expect(isOff('Save the name')).toBe(false)
  await tab.press('Save the name')
  expect(tab.sent('PATCH /user/me')).toEqual([{ firstName: 'Ada', lastName: ' King' }])
  expect([tab.field('Last name').value, tab.data.user.last_name, isOff('Save the name')]).toEqual([
    'King',
    'King',
    true,
  ])
  await tab.type('First name', 'A')
  expect(isOff('Save the name')).toBe(false)
  tab.answers['PATCH /user/me'] = new Refusal(422, 'VALIDATION', undefined, 'It is too short.')
  await tab.press('Save the name')
  expect(tab.text()).toContain('It is too short.')
  expect(tab.field('First name').value).toBe('A')
})

test('A new address gets a link, and until it is opened nothing changes.', async () => {
  tab.answers['POST /user/email/change'] = {}
  await open()
  await tab.type('New address', ' ')
  expect(tab.text()).toContain('Type the new address first.')
  await tab.type('New address', ' ada@new.example ')
  await tab.press('Send a link to the new address')
  expect(tab.sent('POST /user/email/change')).toEqual([{ email: 'ada@new.example' }])
  expect(tab.text()).toContain('A link is on its way to ada@new.example.')
  expect(tab.text()).toContain('You sign in as ada@example.com.')
  expect(tab.field('New address').value).toBe('')
})

test('Colors and keys are chosen for this browser.', async () => {
  await open()
  await tab.check('Dark')
  expect([theme.value, document.documentElement.dataset['theme']]).toEqual(['dark', 'dark'])
  await tab.check('As the system')
  expect(document.documentElement.dataset['theme']).toBeUndefined()
  const keys = () => tab.field('Keys of one letter').getAttribute('aria-checked')
  expect(keys()).toBe('true')
  await tab.check('Keys of one letter')
  expect([keys(), tab.storage.get('masthead-keys-off')]).toEqual(['false', 'yes'])
  await tab.check('Keys of one letter')
  expect(tab.storage.size).toBe(0)
})

const lines = (within = '') => tab.texts(`${within} .consequences li`.trim()).slice(1)

test('The end of the account says all that goes with it, and asks for the address.', async () => {
  tab.answers['POST /user/deletion'] = new Refusal(409, 'CONFLICT', undefined, 'Not now.')
  await open({
    deletes_projects: [{ name: 'Harbour' }],
    leaves_projects: [{ name: 'Quay' }],
    deletes_apps: [{ displayName: 'Tides' }],
    hands_over_apps: [{ displayName: 'Nets' }],
  })
  const all = [
    'The project Harbour is deleted with all it holds: nobody else is in it.',
    'You leave the project Quay.',
    'The app Tides is deleted.',
    'The app Nets goes to another member of its team.',
  ]
  expect(lines()).toEqual(all)
  await tab.press('Delete my account')
  await tab.press('Not now')
  expect(tab.body.querySelector('dialog')).toBeNull()
  await tab.press('Delete my account')
  expect(lines('dialog')).toEqual([...all, 'There is no way back.'])
  await tab.press('Delete my account')
  expect(tab.sent('POST /user/deletion')).toEqual([])
  await tab.type('Type ada@example.com to go on', 'ada@example.com')
  await tab.press('Delete my account')
  expect(tab.text('dialog')).toContain('Not now.')
  expect(tab.left).toEqual([])
  tab.answers['POST /user/deletion'] = {}
  await tab.press('Delete my account')
  expect(tab.sent('POST /user/deletion')[1]).toEqual({ email: 'ada@example.com' })
  expect(tab.left).toEqual(['/portal/login'])
})

test.each([
  [{ is_last_administrator: true, blocked_by: [{ name: 'A' }] }, 'You are the only operator of this service'],
  [{ blocked_by: [{ name: 'A' }, { name: 'B' }] }, 'You are the only owner of A and B, where others work.'],
])('With %j the account cannot be deleted, and why is said.', async (plan, reason) => {
  await open(plan)
  expect(tab.text()).toContain(reason)
  await tab.press('Delete my account')
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('The effects of the end of an account are asked for again when they could not be loaded.', async () => {
  tab.answers['GET /user/deletion'] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Account, '/')
  expect(tab.text()).toContain('What the deletion would do could not be loaded.')
  tab.answers['GET /user/deletion'] = { deletion: PLAN }
  await tab.press('Try again')
  expect(tab.has('Delete my account')).toBe(true)
})
